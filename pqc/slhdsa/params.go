package slhdsa

import "fmt"

// The Winternitz parameter is the same in every set (FIPS 205, section 5):
// a chain has w = 16 values, one hexadecimal digit.
const (
	lgw  = 4
	w    = 1 << lgw
	len2 = 3 // gen_len2 (Algorithm 1) for 9 ≤ n ≤ 136
)

// Bounds of what Params.Check lets through; arrays are made for them.
const (
	maxN      = 32
	maxLen    = 2*maxN + len2
	maxK      = 64
	maxHeight = 24 // of one tree, XMSS or FORS
)

// Params is a parameter set (FIPS 205, section 11, table 2).
type Params struct {
	Name string // as in "128f"
	N    int    // n, the security parameter: bytes in a hash value
	H    int    // h, height of the hypertree
	D    int    // d, its layers
	A    int    // a, height of a FORS tree
	K    int    // k, how many FORS trees there are
}

// Sets are the six sets of the standard: s for small signatures, f for fast
// signing.
var Sets = []Params{
	{"128s", 16, 63, 7, 12, 14},
	{"128f", 16, 66, 22, 6, 33},
	{"192s", 24, 63, 7, 14, 17},
	{"192f", 24, 66, 22, 8, 33},
	{"256s", 32, 64, 8, 14, 22},
	{"256f", 32, 68, 17, 9, 35},
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
	bad := func(format string, args ...any) error {
		return fmt.Errorf("parameter set %q: "+format, append([]any{p.Name}, args...)...)
	}
	switch {
	case p.N < 9 || p.N > maxN:
		return bad("n = %d, want 9 to %d", p.N, maxN)
	case p.D < 1 || p.H < 1 || p.H%p.D != 0:
		return bad("h = %d and d = %d, want h a multiple of d", p.H, p.D)
	case p.hPrime() > maxHeight:
		return bad("h/d = %d, at most %d are supported", p.hPrime(), maxHeight)
	case p.H-p.hPrime() > 64:
		return bad("h - h/d = %d, at most 64 are supported", p.H-p.hPrime())
	case p.A < 1 || p.A > maxHeight:
		return bad("a = %d, want 1 to %d", p.A, maxHeight)
	case p.K < 1 || p.K > maxK:
		return bad("k = %d, want 1 to %d", p.K, maxK)
	}
	return nil
}

// SeedSize returns the bytes of SK.seed ‖ SK.prf ‖ PK.seed.
func (p Params) SeedSize() int { return 3 * p.N }

// SecretKeySize returns the bytes of a secret key (FIPS 205, figure 15).
func (p Params) SecretKeySize() int { return 4 * p.N }

// PublicKeySize returns the bytes of a public key (FIPS 205, figure 16).
func (p Params) PublicKeySize() int { return 2 * p.N }

// SignatureSize returns the bytes of a signature (FIPS 205, figure 17):
// R ‖ SIG_FORS ‖ SIG_HT.
func (p Params) SignatureSize() int { return p.N + p.forsSize() + p.D*p.xmssSize() }

func (p Params) hPrime() int   { return p.H / p.D } // h', height of one XMSS tree
func (p Params) len() int      { return 2*p.N + len2 }
func (p Params) xmssSize() int { return (p.len() + p.hPrime()) * p.N } // SIG_XMSS
func (p Params) forsSize() int { return p.K * (1 + p.A) * p.N }        // SIG_FORS

// The lengths in bytes of the three parts of a message digest (FIPS 205,
// Algorithm 19, lines 6 to 8): md, tmp_idx_tree, tmp_idx_leaf. m is their sum.
func (p Params) mdSize() int      { return (p.K*p.A + 7) / 8 }
func (p Params) idxTreeSize() int { return (p.H - p.hPrime() + 7) / 8 }
func (p Params) idxLeafSize() int { return (p.hPrime() + 7) / 8 }
func (p Params) m() int           { return p.mdSize() + p.idxTreeSize() + p.idxLeafSize() }
