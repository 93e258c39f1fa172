// Package mlkem is the key encapsulation mechanism ML-KEM of [FIPS 203], and
// [R3], the round 3 Kyber it came from. It is the reference that firmware is
// checked against: functions that are algorithms of the standard name them and
// keep its letters, and every operation counts its permutations.
//
// It is generic over the hash: any [xof.Family] takes the place of SHAKE. H is its
// SHA3-256, G its SHA3-512, J and PRF its SHAKE256, the XOF of SampleNTT its
// SHAKE128. Over a family of Ascon all four are one sponge, and each message of
// it ends with one byte more, the number of the mode it stands for: 0 SHAKE128,
// 1 SHAKE256, 2 SHA3-256, 3 SHA3-512 (see [xof.Suite]); J and PRF differ by
// the length of their messages, as in the standard. Everything else is as over
// SHAKE. Only over SHAKE is it the standard's scheme; [Scheme.Name] tells.
//
// Input checks are functions of their own, since they cost time that the
// operations do not: see [Scheme.CheckEncapsulationKey]. Left out: drawing of
// random bytes (the caller passes them), and protection of secrets: no side channel
// was looked at and nothing is erased.
//
// [FIPS 203]: https://doi.org/10.6028/NIST.FIPS.203
package mlkem

import (
	"bytes"
	"errors"
	"fmt"

	"socsim/pqc/xof"
)

// Variant is the edition of the scheme: what the published ones differ in.
type Variant struct {
	Name string

	// round3: the differences of [R3]. They are few, and not independent of each
	// other.
	round3 bool
}

// FIPS203 is the standard of August 2024.
var FIPS203 = Variant{Name: "fips203"}

// R3 is Kyber as submitted to round 3 (version 3.02). K-PKE and the form of keys and
// ciphertexts are those of FIPS 203, but
//   - key generation hashes d alone, without k;
//   - encapsulation takes H(m) in place of m;
//   - the shared secret is SHAKE256(K̄ ‖ H(c)), where K̄ is what FIPS 203 takes as
//     the secret, or z in place of K̄ when a ciphertext is rejected.
var R3 = Variant{Name: "r3", round3: true}

// Scheme encapsulates with one parameter set, variant and hash. It holds the
// state of the operation under way, so it is not for concurrent use. Make one
// with [New].
type Scheme struct {
	Params
	variant Variant
	family  xof.Family
	hashes  *xof.Suite
}

// New returns the scheme of variant v with parameters p over the hashes of family f.
func New(p Params, v Variant, f xof.Family) (*Scheme, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if v.Name == "" {
		return nil, errors.New("mlkem: empty variant, want FIPS203 or R3")
	}
	if f.Functions[xof.XOF128].New == nil {
		return nil, errors.New("mlkem: empty hash family, want one of pqc/xof")
	}
	return &Scheme{Params: p, variant: v, family: f, hashes: f.Suite()}, nil
}

// Name is the published name of the scheme over SHAKE; over any other family it
// says that this is an instance of our own.
func (s *Scheme) Name() string {
	switch shake := s.family.Number == xof.SHAKE.Number; {
	case shake && s.variant.round3:
		return "Kyber" + s.Params.Name + " (round 3)"
	case shake:
		return "ML-KEM-" + s.Params.Name
	case s.variant.round3:
		return fmt.Sprintf("Kyber%s (round 3) over %s (own instance)", s.Params.Name, s.family.Name)
	default:
		return fmt.Sprintf("ML-KEM-%s over %s (own instance)", s.Params.Name, s.family.Name)
	}
}

// Permutations returns how many permutations the latest operation took, zero
// before the first one.
func (s *Scheme) Permutations() uint64 { return s.hashes.Permutations() }

// Initial returns how many of them were initial permutations, whose result is the
// same for every message of the hash.
func (s *Scheme) Initial() uint64 { return s.hashes.Initial() }

// KeyGen is ML-KEM.KeyGen_internal (FIPS 203, Algorithm 16). seed is d ‖ z,
// [SeedSize] bytes.
func (s *Scheme) KeyGen(seed []byte) (ek, dk []byte, err error) {
	s.hashes.Begin()
	if err := s.checkLen("seed", seed, SeedSize); err != nil {
		return nil, nil, err
	}
	d, z := seed[:hashSize], seed[hashSize:]
	ek, dk = s.pkeKeyGen(d)
	dk = append(dk, ek...)
	dk = append(dk, s.h(ek)...)
	dk = append(dk, z...)
	return ek, dk, nil
}

// Encaps is ML-KEM.Encaps_internal (FIPS 203, Algorithm 17): the shared secret key
// and its ciphertext. m is [MessageSize] bytes. Whether ek is one is for
// [Scheme.CheckEncapsulationKey] to say; numbers in it are taken modulo q.
func (s *Scheme) Encaps(ek, m []byte) (key, c []byte, err error) {
	s.hashes.Begin()
	if err := s.checkLen("encapsulation key", ek, s.EncapsulationKeySize()); err != nil {
		return nil, nil, err
	}
	if err := s.checkLen("randomness m", m, MessageSize); err != nil {
		return nil, nil, err
	}
	if s.variant.round3 {
		m = s.h(m)
	}
	key, r := s.g(m, s.h(ek))
	c = s.pkeEncrypt(ek, m, r)
	if s.variant.round3 {
		key = s.j(key, s.h(c))
	}
	return key, c, nil
}

// Decaps is ML-KEM.Decaps_internal (FIPS 203, Algorithm 18): the shared secret key,
// which is another one if c is not a ciphertext for dk (implicit rejection).
func (s *Scheme) Decaps(dk, c []byte) (key []byte, err error) {
	s.hashes.Begin()
	if err := s.checkLen("decapsulation key", dk, s.DecapsulationKeySize()); err != nil {
		return nil, err
	}
	if err := s.checkLen("ciphertext", c, s.CiphertextSize()); err != nil {
		return nil, err
	}
	dkPKE, ek, h, z := s.parts(dk)
	mPrime := s.pkeDecrypt(dkPKE, c)
	key, r := s.g(mPrime, h)
	var reject []byte // K̄ of FIPS 203; in round 3 z itself
	if s.variant.round3 {
		reject = z
	} else {
		reject = s.j(z, c)
	}
	if !bytes.Equal(c, s.pkeEncrypt(ek, mPrime, r)) {
		key = reject
	}
	if s.variant.round3 {
		key = s.j(key, s.h(c))
	}
	return key, nil
}

// ErrKey is wrapped by the error for a key that has the right length and is none.
var ErrKey = errors.New("not a key")

// CheckEncapsulationKey is the check of FIPS 203, section 7.2: the length, and
// that all numbers in ek are below q. It takes no permutation.
func (s *Scheme) CheckEncapsulationKey(ek []byte) error {
	s.hashes.Begin()
	if err := s.checkLen("encapsulation key", ek, s.EncapsulationKeySize()); err != nil {
		return err
	}
	for i := range s.K {
		t := byteDecode(ek[polySize12*i:], 12)
		for j, c := range t {
			if c >= q {
				return fmt.Errorf("%s: %w: coefficient %d of t̂[%d] is %d, not below %d", s.Name(), ErrKey, j, i, c, q)
			}
		}
	}
	return nil
}

// CheckDecapsulationKey is the check of FIPS 203, section 7.3: the length, and that
// the hash of ek within dk is right.
func (s *Scheme) CheckDecapsulationKey(dk []byte) error {
	s.hashes.Begin()
	if err := s.checkLen("decapsulation key", dk, s.DecapsulationKeySize()); err != nil {
		return err
	}
	if _, ek, h, _ := s.parts(dk); !bytes.Equal(h, s.h(ek)) {
		return fmt.Errorf("%s: %w: it holds another hash than that of its encapsulation key", s.Name(), ErrKey)
	}
	return nil
}

// parts cuts a decapsulation key into dk_PKE, ek, H(ek) and z (FIPS 203,
// Algorithm 18, lines 1 to 4).
func (p Params) parts(dk []byte) (dkPKE, ek, h, z []byte) {
	pke := polySize12 * p.K
	end := pke + p.EncapsulationKeySize()
	return dk[:pke], dk[pke:end], dk[end : end+hashSize], dk[end+hashSize:]
}

func (s *Scheme) checkLen(what string, b []byte, want int) error {
	if len(b) != want {
		return fmt.Errorf("%s: %s of %d bytes, want %d", s.Name(), what, len(b), want)
	}
	return nil
}
