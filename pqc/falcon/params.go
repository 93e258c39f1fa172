package falcon

import "fmt"

// q is the modulus of the scheme.
const q = 12289

// Params is a parameter set (section 3.13): the ring is Z[x]/(xⁿ+1), n = 2^LogN.
type Params struct {
	Name string
	LogN int // 1 to 10; below 9 for tests alone
}

// Sets are the two sets of the submission.
var Sets = []Params{{"512", 9}, {"1024", 10}}

// SetByName returns the set of the submission with that name.
func SetByName(name string) (Params, error) {
	for _, p := range Sets {
		if p.Name == name {
			return p, nil
		}
	}
	return Params{}, fmt.Errorf("no parameter set %q (known: %s, %s)", name, Sets[0].Name, Sets[1].Name)
}

// Check returns an error if the degree is out of range.
func (p Params) Check() error {
	if p.LogN < 1 || p.LogN > maxLogN {
		return fmt.Errorf("parameter set %q: log2 of n is %d, want 1 to %d", p.Name, p.LogN, maxLogN)
	}
	return nil
}

// N returns n, the degree of the ring.
func (p Params) N() int { return 1 << p.LogN }

// PublicKeySize returns the bytes of a public key: a header, and 14 bits a
// coefficient.
func (p Params) PublicKeySize() int { return 1 + (14*p.N()+7)/8 }

// SecretKeySize returns the bytes of a secret key: a header, f and g in a few
// bits a coefficient, F in a byte each.
func (p Params) SecretKeySize() int { return 1 + 2*((p.fgBits()*p.N()+7)/8) + p.N() }

// SignatureSize returns the most bytes that a compressed signature may have: the
// submission's bound, which no signature was seen to reach.
func (p Params) SignatureSize() int {
	return 1 + NonceSize + (11*p.N()+101>>(maxLogN-p.LogN)+7)/8
}

// PaddedSize returns the bytes of a padded signature.
func (p Params) PaddedSize() int { return level[p.LogN].padded }

func (p Params) fgBits() int       { return level[p.LogN].fgBits } // of a coefficient of f or g in the secret key
func (p Params) bound() uint32     { return level[p.LogN].bound }  // ⌊β²⌋
func (p Params) invSigma() float64 { return level[p.LogN].invSigma }
func (p Params) sigMin() float64   { return level[p.LogN].sigMin }

const maxLogN = 10

// level has, by LogN, what the specification (table 3.3 for 512 and 1024) and the
// submission fix for a degree: bits of a coefficient of f and g, ⌊β²⌋, 1/σ and
// σ_min as binary64, and the bytes of a padded signature.
var level = [maxLogN + 1]struct {
	fgBits           int
	bound            uint32
	invSigma, sigMin float64
	padded           int
}{
	1:  {8, 101498, 0.006905479329594089, 1.1165085072329102, 44},
	2:  {8, 208714, 0.006810226776717798, 1.1321247692325271, 47},
	3:  {8, 428865, 0.006718810191072271, 1.1475285353733669, 52},
	4:  {8, 892039, 0.006588335437007367, 1.170254078853483, 63},
	5:  {8, 1852696, 0.00646517812076029, 1.1925466358390344, 82},
	6:  {7, 3842630, 0.0063486788828079, 1.214430050776614, 122},
	7:  {7, 7959734, 0.006238258652908437, 1.235926056771981, 200},
	8:  {6, 16468416, 0.006133406502093026, 1.2570545284063215, 356},
	9:  {6, 34034726, 0.006033669668157724, 1.2778336969128337, 666},
	10: {5, 70265242, 0.005938645309533116, 1.298280334344292, 1280},
}
