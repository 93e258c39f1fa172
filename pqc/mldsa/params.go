package mldsa

import "fmt"

// Constants of all parameter sets (FIPS 204, table 1).
const (
	n = 256
	q = 8380417 // 2²³ - 2¹³ + 1
	d = 13      // bits that t loses to t₀

	// SeedSize is the bytes of the randomness of key generation, ξ.
	SeedSize = 32
	// RandomSize is the bytes of the randomness of hedged signing, rnd.
	RandomSize = 32
	// MuSize is the bytes of a message representative μ.
	MuSize = 64

	hashSize   = 32         // ρ, K
	rhoSize    = 64         // ρ′, ρ″
	t1PolySize = n * 10 / 8 // t₁ packed
	t0PolySize = n * d / 8  // t₀ packed
	maxTau     = 64         // of SampleInBall, which has so many bits for signs
)

// Params is a parameter set (FIPS 204, table 1).
type Params struct {
	Name     string // as in "65"
	Category int    // claimed security; round 3 has it in the name
	K, L     int    // k and ℓ: the matrix A has k rows and ℓ columns
	Eta      int    // η, bound of s₁ and s₂: 2 or 4
	Tau      int    // τ, coefficients of c that are not zero
	Gamma1   int    // γ₁, bound of y: 2¹⁷ or 2¹⁹
	Gamma2   int    // γ₂, range of low bits: (q-1)/88 or (q-1)/32
	Omega    int    // ω, hints there may be
	Lambda   int    // λ, collision strength of c̃
}

// Sets are the three sets of the standard.
var Sets = []Params{
	{"44", 2, 4, 4, 2, 39, 1 << 17, (q - 1) / 88, 80, 128},
	{"65", 3, 6, 5, 4, 49, 1 << 19, (q - 1) / 32, 55, 192},
	{"87", 5, 8, 7, 2, 60, 1 << 19, (q - 1) / 32, 75, 256},
}

// SetByName returns the set of the standard with that name.
func SetByName(name string) (Params, error) {
	for _, p := range Sets {
		if p.Name == name {
			return p, nil
		}
	}
	known := ""
	for _, p := range Sets {
		known += ", " + p.Name
	}
	return Params{}, fmt.Errorf("no parameter set %q (known: %s)", name, known[2:])
}

// Check returns an error that says which parameter is out of range. The
// arithmetic of this package holds for every set that passes.
func (p Params) Check() error {
	bad := func(what string, got int, want string) error {
		return fmt.Errorf("parameter set %q: %s = %d, want %s", p.Name, what, got, want)
	}
	switch {
	case p.K < 1 || p.K > 8:
		return bad("k", p.K, "1 to 8")
	case p.L < 1 || p.L > 7:
		return bad("ℓ", p.L, "1 to 7")
	case p.Eta != 2 && p.Eta != 4:
		return bad("η", p.Eta, "2 or 4")
	case p.Tau < 1 || p.Tau > maxTau:
		return bad("τ", p.Tau, "1 to 64")
	case p.Gamma1 != 1<<17 && p.Gamma1 != 1<<19:
		return bad("γ₁", p.Gamma1, "131072 or 524288")
	case p.Gamma2 != (q-1)/88 && p.Gamma2 != (q-1)/32:
		return bad("γ₂", p.Gamma2, "95232 or 261888")
	case p.Omega < 1 || p.Omega > 255:
		return bad("ω", p.Omega, "1 to 255")
	case p.Lambda != 128 && p.Lambda != 192 && p.Lambda != 256:
		return bad("λ", p.Lambda, "128, 192 or 256")
	}
	return nil
}

func (p Params) beta() int     { return p.Tau * p.Eta } // β
func (p Params) etaBits() int  { return 2 + p.Eta/2 }   // of a coefficient of s₁, s₂ packed: 3 or 4
func (p Params) etaSize() int  { return n / 8 * p.etaBits() }
func (p Params) zBits() int    { return 1 + log2(p.Gamma1) } // of a coefficient of z packed
func (p Params) zSize() int    { return n / 8 * p.zBits() }
func (p Params) w1Values() int { return (q - 1) / (2 * p.Gamma2) } // high bits are below it
func (p Params) w1Bits() int   { return log2(p.w1Values()-1) + 1 }

// log2 is ⌊log₂ x⌋.
func log2(x int) (bits int) {
	for ; x > 1; x /= 2 {
		bits++
	}
	return bits
}

// PublicKeySize returns the bytes of a public key, ρ ‖ t₁.
func (p Params) PublicKeySize() int { return hashSize + t1PolySize*p.K }
