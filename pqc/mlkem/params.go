package mlkem

import "fmt"

// Constants of all parameter sets (FIPS 203, section 2.4 and 8).
const (
	n = 256
	q = 3329

	// SeedSize is the bytes of the randomness of key generation, d ‖ z.
	SeedSize = 64
	// MessageSize is the bytes of the randomness of encapsulation, m.
	MessageSize = 32
	// SharedSecretSize is the bytes of a shared secret key K.
	SharedSecretSize = 32

	hashSize   = 32         // H(ek), ρ, σ, r, z
	polySize12 = n * 12 / 8 // ByteEncode₁₂
)

// Bounds of what Params.Check lets through; arrays are made for them.
const (
	maxK   = 4
	maxEta = 3
)

// Params is a parameter set (FIPS 203, section 8, table 2).
type Params struct {
	Name string // as in "768"
	K    int    // k, rank of the module
	Eta1 int    // η₁, bound of s, e and y
	Eta2 int    // η₂, bound of e₁ and e₂
	Du   int    // d_u, bits a coefficient of u is compressed to
	Dv   int    // d_v, the same for v
}

// Sets are the three sets of the standard.
var Sets = []Params{
	{"512", 2, 3, 2, 10, 4},
	{"768", 3, 2, 2, 10, 4},
	{"1024", 4, 2, 2, 11, 5},
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
	bad := func(what string, got, least, most int) error {
		return fmt.Errorf("parameter set %q: %s = %d, want %d to %d", p.Name, what, got, least, most)
	}
	switch {
	case p.K < 1 || p.K > maxK:
		return bad("k", p.K, 1, maxK)
	case p.Eta1 < 1 || p.Eta1 > maxEta:
		return bad("η₁", p.Eta1, 1, maxEta)
	case p.Eta2 < 1 || p.Eta2 > maxEta:
		return bad("η₂", p.Eta2, 1, maxEta)
	case p.Du < 1 || p.Du > 11:
		return bad("d_u", p.Du, 1, 11)
	case p.Dv < 1 || p.Dv > 11:
		return bad("d_v", p.Dv, 1, 11)
	}
	return nil
}

// EncapsulationKeySize returns the bytes of an encapsulation key, ByteEncode₁₂(t̂) ‖ ρ.
func (p Params) EncapsulationKeySize() int { return polySize12*p.K + hashSize }

// DecapsulationKeySize returns the bytes of a decapsulation key,
// ByteEncode₁₂(ŝ) ‖ ek ‖ H(ek) ‖ z.
func (p Params) DecapsulationKeySize() int { return 2*polySize12*p.K + 3*hashSize }

// CiphertextSize returns the bytes of a ciphertext, c₁ ‖ c₂.
func (p Params) CiphertextSize() int { return n / 8 * (p.Du*p.K + p.Dv) }
