// Package falcon is the signature scheme Falcon of round 3 of NIST's
// standardization ([specification] 1.2): key generation with the NTRU solver,
// signing by fast Fourier sampling, verification, compressed and padded
// signatures. It is the reference that firmware is checked against. Functions
// that are algorithms of the specification name them and keep its letters.
//
// Results are those of the submission's program, bit for bit. What a signature
// is depends on every rounding of the arithmetic in binary64 and on every byte
// drawn, so the order of both is the submission's: coefficients of f and g from a
// stream of SHAKE256, ChaCha20 for the sampler, the dynamic form of the tree.
// Every product of two floating-point numbers is rounded by an explicit
// conversion; without it the compiler may fuse product and sum, which it does on
// arm64 and not on amd64. The integers of the NTRU solver are math/big's, where
// the submission has residues and words of 31 bits; where its lengths cut a
// number off, so does this package.
//
// It is generic over the family of hashes. Falcon hashes three things with
// SHAKE256: the seed of key generation, the nonce and message to a point, and the
// seed of signing. Over a family of Ascon, which is our own instance, the XOF of
// the family takes the place of SHAKE256, and one byte follows each message: 0
// after the seed of key generation, 1 after nonce and message, 2 after the seed
// of signing. So no two of the three ever hash the same input; the lengths, 48,
// at least 40 and 48 bytes, would not see to that. Over shake12 there is no such
// byte, as there is none over SHAKE256.
//
// Left out: signatures of constant length (header 0x50), the expanded key,
// drawing of random bytes (the caller passes them), FN-DSA, which is another
// scheme, and protection of secrets: no side channel was looked at and nothing is
// erased.
//
// [specification]: https://falcon-sign.info/falcon.pdf
package falcon

import (
	"errors"
	"fmt"

	"socsim/pqc/keccak"
	"socsim/pqc/xof"
)

// Bytes of what is random in the two operations that need it.
const (
	SeedSize  = 48 // seed of key generation, and of signing
	NonceSize = 40 // r of the specification, part of the signature
)

// Format is the form of a signature.
type Format int

const (
	Compressed Format = iota // as long as it comes, at most Params.SignatureSize
	Padded                   // zeros up to Params.PaddedSize; a longer one is drawn again
)

// What a message is hashed for, which over Ascon is the byte behind it.
const (
	forKeyGen byte = iota
	forPoint
	forSigning
)

// Scheme generates keys, signs and verifies with one parameter set and family of
// hashes. It holds the state of the operation under way, so it is not for
// concurrent use. Make one with [New].
type Scheme struct {
	Params
	family   xof.Family
	hash     xof.Function
	separate bool // a byte behind each message tells what it is hashed for
	xof      xof.State
	before   struct{ permutations, initial uint64 } // counts of xof when the latest operation began
	attempts int
}

// New returns the scheme with parameters p over a family of hashes.
func New(p Params, family xof.Family) (*Scheme, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	f := family.Functions[xof.XOF256]
	if f.New == nil {
		return nil, errors.New("falcon: empty family of hashes, want one of pqc/xof")
	}
	// A family with one function for all modes has nothing that separates them.
	one := f.Name == family.Functions[xof.XOF128].Name
	return &Scheme{Params: p, family: family, hash: f, separate: one, xof: f.New()}, nil
}

// Name is the published name of the scheme over SHAKE256; over any other hash
// it says that this is an instance of our own.
func (s *Scheme) Name() string {
	if s.hash.Name == keccak.SHAKE256.Name {
		return "Falcon-" + s.Params.Name
	}
	return fmt.Sprintf("Falcon-%s over %s (own instance)", s.Params.Name, s.hash.Name)
}

// Permutations returns how many permutations the latest operation took, zero
// before the first one.
func (s *Scheme) Permutations() uint64 { return s.xof.Permutations() - s.before.permutations }

// Initial returns how many of them were initial permutations, whose result is the
// same for every message of the hash.
func (s *Scheme) Initial() uint64 { return s.xof.Initial() - s.before.initial }

// Attempts returns how many pairs f, g the latest key generation drew, or how many
// vectors the latest signing; zero if the latest operation was a verification.
func (s *Scheme) Attempts() int { return s.attempts }

// KeyGen is Keygen (Algorithm 4) with its randomness given: the stream of the
// hash of a seed of SeedSize bytes. The secret key is f, g and F in fixed width
// behind a header, the public key h (section 3.11).
func (s *Scheme) KeyGen(seed []byte) (sk, pk []byte, err error) {
	s.begin()
	if err := s.checkLen("seed", seed, SeedSize); err != nil {
		return nil, nil, err
	}
	s.message(forKeyGen, seed)
	k, h := s.generate()
	return s.encodeSecret(k), s.encodePublic(h), nil
}

// Sign is Sign (Algorithm 10) with its randomness given: nonce is r, NonceSize
// bytes; the stream of the hash of seed, SeedSize bytes, is what ChaCha20 is
// keyed from. The signature is header, nonce and Compress(s₂).
func (s *Scheme) Sign(m, sk, nonce, seed []byte, format Format) (sig []byte, err error) {
	s.begin()
	k, err := s.decodeSecret(sk)
	if err != nil {
		return nil, err
	}
	if err := s.checkLen("nonce", nonce, NonceSize); err != nil {
		return nil, err
	}
	if err := s.checkLen("seed", seed, SeedSize); err != nil {
		return nil, err
	}
	c := s.hashToPoint(nonce, m)
	s.message(forSigning, seed)
	return s.sign(k, c, nonce, format, s.xof.Squeeze)
}

// sign signs the point c; read fills a slice with the next bytes of the stream
// that ChaCha20 is keyed from.
func (s *Scheme) sign(k *key, c []uint16, nonce []byte, format Format, read func([]byte)) ([]byte, error) {
	most := s.SignatureSize()
	if format == Padded {
		most = s.PaddedSize()
	}
	sig := append([]byte{headerSignature + byte(s.LogN)}, nonce...)
	for {
		s2, err := s.shortVector(k, c, read)
		if err != nil {
			return nil, err
		}
		out, ok := compress(sig, s2, most)
		switch {
		case ok && format == Padded:
			return append(out, make([]byte, most-len(out))...), nil
		case ok:
			return out, nil
		case format == Compressed:
			return nil, fmt.Errorf("%s: the signature does not fit %d bytes, which next to never happens; sign with another seed", s.Name(), most)
		}
	}
}

// ErrSignature is wrapped by the error for a signature that has the right form
// and does not belong to message and key.
var ErrSignature = errors.New("signature does not verify")

// Verify is Verify (Algorithm 16) for both formats: zeros may follow the last
// value if they make up the length of a padded signature. It returns nil when sig is
// a signature of m by the owner of pk; every error means that it is not and says
// why.
func (s *Scheme) Verify(m, sig, pk []byte) error {
	s.begin()
	h, err := s.decodePublic(pk)
	if err != nil {
		return err
	}
	s2, err := s.decodeSignature(sig)
	if err != nil {
		return err
	}
	c := s.hashToPoint(sig[1:1+NonceSize], m)
	if norm, most := squaredNorm(s.otherHalf(c, s2, h), s2), s.bound(); norm > most {
		return fmt.Errorf("%s: %w: the squared norm is %d, at most %d is short", s.Name(), ErrSignature, norm, most)
	}
	return nil
}

// begin opens an operation: its count starts at zero.
func (s *Scheme) begin() {
	s.before.permutations, s.before.initial = s.xof.Permutations(), s.xof.Initial()
	s.attempts = 0
}

// message starts a message of the hash, whose output then comes from s.xof.
func (s *Scheme) message(what byte, parts ...[]byte) {
	s.xof.Reset()
	for _, p := range parts {
		s.xof.Absorb(p)
	}
	if s.separate {
		s.xof.Absorb([]byte{what})
	}
}

// hashToPoint is HashToPoint (Algorithm 3).
func (s *Scheme) hashToPoint(nonce, m []byte) []uint16 {
	const k = 1 << 16 / q
	s.message(forPoint, nonce, m)
	c := make([]uint16, 0, s.N())
	for len(c) < s.N() {
		var b [2]byte
		s.xof.Squeeze(b[:])
		if t := uint32(b[0])<<8 | uint32(b[1]); t < k*q {
			c = append(c, uint16(t%q))
		}
	}
	return c
}

func (s *Scheme) checkLen(what string, b []byte, want int) error {
	if len(b) != want {
		return fmt.Errorf("%s: %s of %d bytes, want %d", s.Name(), what, len(b), want)
	}
	return nil
}
