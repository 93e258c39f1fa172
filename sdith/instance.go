package sdith

import (
	"crypto/subtle"
	"encoding/binary"
	"math"
)

// Column writes column x of H, c bits, to dst (SPEC, section 6). columns is
// STREAM(seed_pk).
func (p *Params) Column(dst []byte, columns *Stream, x int) {
	size := p.Codim / 8
	if x < p.Codim {
		clear(dst[:size])
		dst[x/8] = 1 << (x % 8)
		return
	}
	columns.Seek((x - p.Codim) * size)
	columns.Read(dst[:size])
}

// secretPositions returns pos_b of each block b (SPEC, section 6). secrets is
// STREAM(seed_sk).
func (p *Params) secretPositions(secrets *Stream) []int {
	positions := make([]int, 0, p.Weight)
	var v [4]byte
	for len(positions) < p.Weight {
		secrets.Read(v[:])
		if pos, ok := p.position(binary.LittleEndian.Uint32(v[:])); ok {
			positions = append(positions, pos)
		}
	}
	return positions
}

// position returns v modulo m, or false if v has to be skipped: only below a multiple of
// m all positions are equally likely.
func (p *Params) position(v uint32) (pos int, ok bool) {
	m := uint32(p.BlockLength)
	limit := math.MaxUint32 - math.MaxUint32%m
	return int(v % m), v < limit
}

// syndrome returns y, the sum of the columns of H at the secret positions (SPEC,
// section 6).
func (p *Params) syndrome(columns *Stream, positions []int) []byte {
	y, column := make([]byte, p.Codim/8), make([]byte, p.Codim/8)
	for b, pos := range positions {
		p.Column(column, columns, b*p.BlockLength+pos)
		subtle.XORBytes(y, y, column)
	}
	return y
}

// Witness returns wit (SPEC, section 6), n_in bits: for each block and level the digit
// of the position, as one of μ - 1 control bits, or none for digit 0.
func (p *Params) Witness(positions []int) []byte {
	wit := make([]byte, p.witnessSize())
	at := 0
	for _, pos := range positions {
		for _, mu := range p.Mu {
			if digit := pos % mu; digit > 0 {
				wit[(at+digit-1)/8] |= 1 << ((at + digit - 1) % 8)
			}
			pos /= mu
			at += mu - 1
		}
	}
	return wit
}

// WitnessPositions is the reverse of [Params.Witness]. It returns an error if no list of
// positions has the witness wit, of n_in bits.
func (p *Params) WitnessPositions(wit []byte) ([]int, error) {
	positions := make([]int, p.Weight)
	at := 0
	for b := range positions {
		weight := 1
		for j, mu := range p.Mu {
			digit := 0
			for k := range mu - 1 {
				if bit(wit, at+k) == 0 {
					continue
				}
				if digit > 0 {
					return nil, p.errorf("secret key: wit: block %d, level %d: bits %d and %d are set, at most one can be",
						b, j, at+digit-1, at+k)
				}
				digit = k + 1
			}
			positions[b] += weight * digit
			weight *= mu
			at += mu - 1
		}
		if positions[b] >= p.BlockLength {
			return nil, p.errorf("secret key: wit: block %d has position %d, a block has %d columns", b, positions[b], p.BlockLength)
		}
	}
	return positions, nil
}

// GenerateKey makes a key (SPEC, section 6) of entropy = seed_pk ‖ seed_sk, 2B random
// bytes.
func (p *Params) GenerateKey(entropy []byte) (*SecretKey, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if len(entropy) != 2*p.SeedSize() {
		return nil, p.errorf("entropy of %d bytes for a key, want %d", len(entropy), 2*p.SeedSize())
	}
	seeds := append([]byte(nil), entropy...)
	k := &SecretKey{seedSK: seeds[p.SeedSize():]}
	k.p, k.seedPK = p, seeds[:p.SeedSize():p.SeedSize()]

	positions := p.secretPositions(NewStream(p.NewCipher(), k.seedSK))
	k.wit = p.Witness(positions)
	k.y = p.syndrome(NewStream(p.NewCipher(), k.seedPK), positions)
	return k, nil
}
