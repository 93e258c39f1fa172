package sdith

import (
	"encoding/binary"

	"socsim/pqc/keccak"
	"socsim/pqc/xof"
)

// The byte that comes first in a hash input (SPEC, section 4.4). Challenge expansions
// and proofs of work have none.
const (
	PrefixCom   = 0x01 // h_com
	PrefixAux   = 0x02 // h_aux
	PrefixLines = 0x03 // h_lines
	PrefixPIOP  = 0x04 // h_piop
)

// NewXOF returns the XOF of the set: SHAKE128 at λ = 128, else SHAKE256. It is the
// project's own SHAKE, which counts its permutations; the standard library's takes as
// long. [Params.Over] puts another one in its place.
func (p *Params) NewXOF() xof.State {
	if p.newXOF != nil {
		return p.newXOF()
	}
	if p.Lambda == 128 {
		return keccak.New(keccak.SHAKE128)
	}
	return keccak.New(keccak.SHAKE256)
}

// expand returns the first n bytes of XOF(parts[0] ‖ parts[1] ‖ …).
func expand(x xof.State, n int, parts ...[]byte) []byte {
	x.Reset()
	for _, part := range parts {
		x.Absorb(part)
	}
	out := make([]byte, n)
	x.Squeeze(out)
	return out
}

// BeginCom starts h_com (SPEC, section 4.4): what is left to absorb are the
// commitments of all leaves by increasing index, 2B bytes each.
func (p *Params) BeginCom(x xof.State) {
	x.Reset()
	x.Absorb([]byte{PrefixCom})
}

// EndCom returns h_com, 2B bytes.
func (p *Params) EndCom(x xof.State) []byte {
	h := make([]byte, p.HashSize())
	x.Squeeze(h)
	return h
}

// HashAux returns h_aux, 2B bytes (SPEC, section 4.4). corr is C_1 ‖ … ‖ C_{τ-1}.
func (p *Params) HashAux(x xof.State, hCom, corr []byte) []byte {
	return expand(x, p.HashSize(), []byte{PrefixAux}, hCom, corr)
}

// ExpandM returns M (SPEC, section 4.4): n_c rows of n_m bits, row after row.
func (p *Params) ExpandM(x xof.State, hAux []byte) []byte {
	return expand(x, p.CheckBits()*p.CheckedBits()/8, hAux)
}

// HashLines returns h_lines, 2B bytes (SPEC, section 4.4). aBase is a_base, n_c
// elements.
func (p *Params) HashLines(x xof.State, hAux, aPlain, aBase, dwit []byte) []byte {
	return expand(x, p.HashSize(), []byte{PrefixLines}, hAux, aPlain, aBase, dwit)
}

// ExpandGammas returns γ_0 to γ_3 and then γ'_0 to γ'_{w-1} (SPEC, section 4.4), B
// bytes each.
func (p *Params) ExpandGammas(x xof.State, hLines []byte) (gamma, gammaPrime []byte) {
	all := expand(x, (limbs+p.Weight)*p.SeedSize(), hLines)
	return all[:limbs*p.SeedSize()], all[limbs*p.SeedSize():]
}

// HashPIOP returns h_piop, 2B bytes (SPEC, section 4.4). alpha is α_0 to α_3.
func (p *Params) HashPIOP(x xof.State, seedPK, hLines, alpha, msg []byte) []byte {
	return expand(x, p.HashSize(), []byte{PrefixPIOP}, seedPK, hLines, alpha, msg)
}

// PoW writes D = PoW(i) (SPEC, section 4.4), PB bytes, to dst. It takes one
// permutation of SHAKE.
func (p *Params) PoW(x xof.State, dst, hPIOP []byte, i uint32) {
	x.Reset()
	x.Absorb(hPIOP)
	x.Absorb(binary.LittleEndian.AppendUint32(dst[:0], i))
	x.Squeeze(dst[:p.PoWSize()])
}
