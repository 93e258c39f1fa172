package sdith

import (
	"crypto/subtle"
	"math/bits"

	"socsim/pqc/xof"
)

// Gray returns gray(i) (SPEC, section 8).
func Gray(i int) int { return i ^ i>>1 }

// BaseRow returns j(i) of the running form (SPEC, section 8), for 0 ≤ i < N: the row
// of a repetition that the sum of its leaves up to i is added to.
func (p *Params) BaseRow(i int) int {
	if i == p.Positions()-1 {
		return p.Kappa - 1
	}
	return bits.TrailingZeros(uint(i + 1))
}

// vole is what the leaves of a tree amount to (SPEC, section 8).
type vole struct {
	hCom []byte
	acc  [][]byte // A_e, L bits each
	base [][]byte // Bas_{e,j}, L bits each, as row e·κ + j
}

// expandLeaves commits to all leaves and sums their streams, in one pass, so that each
// leaf takes one key schedule. com gives the commitment of a hidden leaf; its stream
// counts as zeros. Both com and hidden are nil for a signer.
func (t *tree) expandLeaves(c *Cipher, x xof.State, hidden []bool, hiddenCom []byte) vole {
	p := t.p
	v := vole{acc: makeRows(p.Tau, p.VOLESize()), base: makeRows(p.Tau*p.Kappa, p.VOLESize())}
	size, block := p.VOLESize(), p.BlockSize()
	stream := make([]byte, (size+block-1)/block*block)
	com := make([]byte, p.HashSize())

	p.BeginCom(x)
	for l := range p.Leaves() {
		node := p.Leaves() + l
		e, i := l%p.Tau, l/p.Tau
		if hidden != nil && hidden[node] {
			x.Absorb(hiddenCom[:p.HashSize()])
			hiddenCom = hiddenCom[p.HashSize():]
		} else {
			t.commit(c, com, node)
			x.Absorb(com)
			for k := range len(stream) / block {
				c.StreamBlock(stream[k*block:], uint64(k))
			}
			subtle.XORBytes(v.acc[e], v.acc[e], stream[:size])
		}
		row := v.base[e*p.Kappa+p.BaseRow(i)]
		subtle.XORBytes(row, row, v.acc[e])
	}
	v.hCom = p.EndCom(x)
	return v
}

// corrections returns corr = C_1 ‖ … ‖ C_{τ-1}, with C_e = A_e ^ A_0 (SPEC, section 8).
func (v *vole) corrections() []byte {
	u := v.acc[0]
	corr := make([]byte, (len(v.acc)-1)*len(u))
	for e, acc := range v.acc[1:] {
		subtle.XORBytes(corr[e*len(u):], acc, u)
	}
	return corr
}

// makeRows returns n rows of size bytes with nothing between them.
func makeRows(n, size int) [][]byte {
	rows := make([][]byte, n)
	all := make([]byte, n*size)
	for i := range rows {
		rows[i] = all[i*size : (i+1)*size : (i+1)*size]
	}
	return rows
}

// transpose returns V_0 to V_{L-1} as bytes, B each: bit r of V_t is bit t of row r, and
// bits above the last row are 0 (SPEC, section 8). rows are whole bytes, as long as
// each other.
func transpose(rows [][]byte, elementSize int) []byte {
	columns := 8 * len(rows[0])
	v := make([]byte, columns*elementSize)
	for r := 0; r < len(rows); r += 8 {
		for t := 0; t < columns; t += 8 {
			// Eight rows of eight bits, in one word.
			var square uint64
			for i, row := range rows[r:min(r+8, len(rows))] {
				square |= uint64(row[t/8]) << (8 * i)
			}
			square = transpose8(square)
			for i := range 8 {
				v[(t+i)*elementSize+r/8] = byte(square >> (8 * i))
			}
		}
	}
	return v
}

// transpose8 exchanges bit 8i + j with bit 8j + i: first within squares of two, then
// squares of two within squares of four, then those.
func transpose8(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// plainResponse returns a_plain, n_c bits (SPEC, section 8): u_i ^ Σ_j M[i][j] u_{n_c+j}.
func (p *Params) plainResponse(m, u []byte) []byte {
	rowSize := p.CheckedBits() / 8
	aPlain := append([]byte(nil), u[:p.CheckBits()/8]...)
	for i := range p.CheckBits() {
		row, checked := m[i*rowSize:(i+1)*rowSize], u[p.CheckBits()/8:]
		sum := byte(0)
		for j, b := range row {
			sum ^= b & checked[j]
		}
		aPlain[i/8] ^= byte(bits.OnesCount8(sum)&1) << (i % 8)
	}
	return aPlain
}
