package sdith

import (
	"fmt"

	"socsim/pqc/xof"
)

// levels is the depth d of a multiplexer tree, and so the degree of its result; limbs
// is q, the number of λ-bit limbs of a syndrome. Both are the same in every set.
const (
	levels = 4
	limbs  = 4
)

// Params is a parameter set (SPEC, section 2). Do not change one while it is in use.
type Params struct {
	Name string // as in "cat1_fast"

	Lambda  int // λ, the security parameter in bits: 128, 192 or 256
	Kappa   int // κ: a repetition has N = 2^κ leaves
	Tau     int // τ, the number of repetitions
	Open    int // T_open, the largest number of seeds that a signature reveals
	PoWBits int // w_pow, the bits of a proof of work that have to be zero

	Weight      int         // w, the number of blocks of the code, one secret position in each
	BlockLength int         // m = n/w, the columns of a block
	Mu          [levels]int // μ_j, how many entries level j of a multiplexer tree chooses from
	Codim       int         // c, the bits of a syndrome

	newXOF func() xof.State // what Over was given; nil for SHAKE
}

// Over returns the set with another XOF in the place of SHAKE: a State that newXOF
// returns for each key, signature and verification. No standard or submission defines
// that; it is our own instance.
func (p *Params) Over(newXOF func() xof.State) *Params {
	other := *p
	other.newXOF = newXOF
	return &other
}

// The six sets. Of each category one signs fast and one has short signatures.
var (
	Cat1Fast  = &Params{"cat1_fast", 128, 8, 16, 101, 2, 56, 185, [levels]int{4, 4, 4, 3}, 432, nil}
	Cat1Short = &Params{"cat1_short", 128, 11, 11, 107, 9, 56, 185, [levels]int{4, 4, 4, 3}, 432, nil}
	Cat3Fast  = &Params{"cat3_fast", 192, 8, 24, 153, 2, 73, 252, [levels]int{4, 4, 4, 4}, 592, nil}
	Cat3Short = &Params{"cat3_short", 192, 12, 16, 157, 2, 73, 252, [levels]int{4, 4, 4, 4}, 592, nil}
	Cat5Fast  = &Params{"cat5_fast", 256, 8, 32, 207, 2, 104, 191, [levels]int{4, 4, 4, 3}, 800, nil}
	Cat5Short = &Params{"cat5_short", 256, 12, 21, 216, 6, 104, 191, [levels]int{4, 4, 4, 3}, 800, nil}

	Sets = []*Params{Cat1Fast, Cat1Short, Cat3Fast, Cat3Short, Cat5Fast, Cat5Short}
)

// SetByName returns the set with that name.
func SetByName(name string) (*Params, error) {
	known := ""
	for _, p := range Sets {
		if p.Name == name {
			return p, nil
		}
		known += ", " + p.Name
	}
	return nil, fmt.Errorf("sdith: no parameter set %q (known: %s)", name, known[2:])
}

// Check returns an error that says which parameter is out of range. The functions of
// this package hold for every set that passes.
func (p *Params) Check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("sdith: parameter set %q: "+format, append([]any{p.Name}, args...)...)
	}
	if p.Lambda != 128 && p.Lambda != 192 && p.Lambda != 256 {
		return bad("λ = %d, want 128, 192 or 256", p.Lambda)
	}
	if p.Kappa < 1 || p.Kappa > 16 || p.Tau < 1 || p.Kappa*p.Tau > p.Lambda {
		return bad("κ = %d and τ = %d, want κ from 1 to 16, τ at least 1 and κ·τ at most λ = %d", p.Kappa, p.Tau, p.Lambda)
	}
	if p.Open < 1 || p.Open >= p.Leaves() {
		return bad("T_open = %d, want 1 to R - 1 = %d", p.Open, p.Leaves()-1)
	}
	if p.PoWBits < 0 || p.PoWBits > 24 {
		return bad("w_pow = %d, want 0 to 24", p.PoWBits)
	}
	choices := 1
	for j, mu := range p.Mu {
		if mu != 3 && mu != 4 {
			return bad("μ_%d = %d, want 3 or 4", j, mu)
		}
		choices *= mu
	}
	if p.Weight < 1 || p.Weight > 256 || p.BlockLength < 1 || p.BlockLength > choices {
		return bad("w = %d and m = %d, want w from 1 to 256 and m from 1 to the product of all μ, %d", p.Weight, p.BlockLength, choices)
	}
	if p.Codim%8 != 0 || p.Codim < 8 || p.Codim > limbs*p.Lambda || p.Codim > p.CodeLength() {
		return bad("c = %d, want a multiple of 8 from 8 to 4λ = %d and to n = %d", p.Codim, limbs*p.Lambda, p.CodeLength())
	}
	return nil
}

// The derived sizes of SPEC, section 2, follow: a Size is in bytes, Bits are bits.

// SeedSize is B, the bytes of a seed, a salt or a field element.
func (p *Params) SeedSize() int { return p.Lambda / 8 }

// HashSize is HLEN, the bytes of a hash value or a commitment.
func (p *Params) HashSize() int { return 2 * p.SeedSize() }

// Positions is N, the number of leaves of a repetition.
func (p *Params) Positions() int { return 1 << p.Kappa }

// Leaves is R, the number of all leaves.
func (p *Params) Leaves() int { return p.Tau << p.Kappa }

// CodeLength is n, the number of columns of H.
func (p *Params) CodeLength() int { return p.Weight * p.BlockLength }

// ControlBits is a, the control bits of a block: μ - 1 for every level.
func (p *Params) ControlBits() int {
	a := 0
	for _, mu := range p.Mu {
		a += mu - 1
	}
	return a
}

// WitnessBits is n_in, the control bits of all blocks.
func (p *Params) WitnessBits() int { return p.Weight * p.ControlBits() }

// Of the L columns of a VOLE the first n_c are for the consistency check, the next 3λ
// for the mask polynomial, then come the n_in of the witness, and at λ = 192 four that
// only fill up the last byte.

// CheckBits is n_c, the rows of M and the columns that are for the consistency check.
func (p *Params) CheckBits() int { return 8 * ((p.Kappa*p.Tau + 16 + 7) / 8) }

// MaskBits is n_z, the columns that are for the mask polynomial.
func (p *Params) MaskBits() int { return (levels - 1) * p.Lambda }

// WitnessAt is z0 of SPEC, section 9, the first column of the witness.
func (p *Params) WitnessAt() int { return p.CheckBits() + p.MaskBits() }

// VOLEBits is L, the number of columns of a VOLE.
func (p *Params) VOLEBits() int { return 8 * p.VOLESize() }

// VOLESize is LB, the bytes of L bits.
func (p *Params) VOLESize() int { return (p.WitnessAt() + p.WitnessBits() + 7) / 8 }

// CheckedBits is n_m, the columns of M: all those of a VOLE after the first n_c.
func (p *Params) CheckedBits() int { return p.VOLEBits() - p.CheckBits() }

// PoWSize is PB, the bytes of a proof of work.
func (p *Params) PoWSize() int { return (p.Kappa*p.Tau + p.PoWBits + 7) / 8 }

func (p *Params) witnessSize() int { return (p.WitnessBits() + 7) / 8 }

// PublicKeySize is the bytes of a public key.
func (p *Params) PublicKeySize() int { return p.SeedSize() + p.Codim/8 }

// SecretKeySize is the bytes of a secret key.
func (p *Params) SecretKeySize() int { return 2*p.SeedSize() + p.witnessSize() + p.Codim/8 }

// SignatureSize is the bytes of a signature.
func (p *Params) SignatureSize() int {
	fields := p.SignatureFields()
	last := fields[len(fields)-1]
	return last.Offset + last.Size
}

// errorf makes an error that names the set.
func (p *Params) errorf(format string, args ...any) error {
	return fmt.Errorf("sdith %s: "+format, append([]any{p.Name}, args...)...)
}
