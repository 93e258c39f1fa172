// Package slhdsa is the signature scheme SLH-DSA of [FIPS 205], in its pure
// form, and [R3], the round 3.1 SPHINCS+ "simple" it came from. It is the
// reference that firmware is checked against: functions that are algorithms of
// the standard name them and keep its letters, and every operation counts its
// permutations.
//
// It is generic over the hash: any [xof.Function] takes the place of SHAKE256
// in the functions of FIPS 205, section 11.1. Only over SHAKE256 is it the
// standard's scheme; [Scheme.Name] tells.
//
// It departs from the standard's text, never from its results, where algorithms
// are merged so that a tree is walked once: see treehash. Left out: the
// pre-hash interface (Algorithms 23 and 25), the SHA-2 sets, drawing of random
// bytes (the caller passes them), and protection of secrets: no side channel
// was looked at and nothing is erased.
//
// [FIPS 205]: https://doi.org/10.6028/NIST.FIPS.205
package slhdsa

import (
	"errors"
	"fmt"

	"socsim/pqc/keccak"
	"socsim/pqc/xof"
)

// Variant is the edition of the scheme: what the published ones differ in.
type Variant struct {
	Name string

	// pure: sign and verify put the context before the message (FIPS 205,
	// section 10.2). Without it they take none.
	pure bool

	// indices writes the FORS leaf numbers, a bits each, that md holds.
	indices func(indices []uint32, md []byte, a int)
}

// FIPS205 is the standard of August 2024.
var FIPS205 = Variant{Name: "fips205", pure: true, indices: base2b}

// R3 is the simple form of SPHINCS+ round 3.1. It differs from FIPS 205 in the
// order of the bits in md, and in having no context: what it signs is what
// slh_sign_internal signs. Keys, addresses and hash inputs are the same, and
// without addrnd its opt is PK.seed too.
//
// Over Ascon-Hash, read as an XOF for every length of output, it is what the code
// of Ascon-Sign-simple does (NIST's additional signatures, round 1).
var R3 = Variant{Name: "r3", indices: messageToIndices}

// Scheme signs with one parameter set, variant and hash. It holds the state of
// the operation under way, so it is not for concurrent use. Make one with [New].
type Scheme struct {
	Params
	variant Variant
	hash    xof.Function
	xof     xof.State
	before  struct{ permutations, initial uint64 } // counts of xof when the latest operation began

	skSeed []byte // SK.seed of the operation under way, nil when verifying

	// block is a hash input PK.seed ‖ ADRS ‖ M as tweak composes it, and digest
	// where its output lands. Being here they need no allocation per hash.
	block  [maxN + addressBytes + maxLen*maxN]byte
	digest [maxN]byte
}

// New returns the scheme of variant v with parameters p over hash f.
func New(p Params, v Variant, f xof.Function) (*Scheme, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if v.indices == nil {
		return nil, errors.New("slhdsa: empty variant, want FIPS205 or R3")
	}
	if f.New == nil {
		return nil, errors.New("slhdsa: empty hash function, want one of pqc/xof")
	}
	return &Scheme{Params: p, variant: v, hash: f, xof: f.New()}, nil
}

// Name is the published name of the scheme over SHAKE256; over any other hash
// it says that this is an instance of our own.
func (s *Scheme) Name() string {
	switch shake := s.hash.Name == keccak.SHAKE256.Name; {
	case shake && s.variant.pure:
		return "SLH-DSA-SHAKE-" + s.Params.Name
	case shake:
		return "SPHINCS+-SHAKE-" + s.Params.Name + "-simple (round 3.1)"
	case s.variant.pure:
		return fmt.Sprintf("SLH-DSA %s over %s (own instance)", s.Params.Name, s.hash.Name)
	default:
		return fmt.Sprintf("SPHINCS+ %s simple (round 3.1) over %s (own instance)", s.Params.Name, s.hash.Name)
	}
}

// Permutations returns how many permutations the latest operation took, zero
// before the first one.
func (s *Scheme) Permutations() uint64 { return s.xof.Permutations() - s.before.permutations }

// Initial returns how many of them were initial permutations, whose result is the
// same for every message of the hash.
func (s *Scheme) Initial() uint64 { return s.xof.Initial() - s.before.initial }

// KeyGen is slh_keygen (FIPS 205, Algorithm 21) with its random bytes given:
// seed is SK.seed ‖ SK.prf ‖ PK.seed, 3n bytes. The secret key is seed ‖ PK.root,
// 4n bytes, the public key PK.seed ‖ PK.root, 2n bytes.
func (s *Scheme) KeyGen(seed []byte) (sk, pk []byte, err error) {
	s.begin()
	if err := s.checkLen("seed", seed, s.SeedSize()); err != nil {
		return nil, nil, err
	}
	n := s.N
	sk, pk = s.keyGenInternal(seed[:n], seed[n:2*n], seed[2*n:])
	return sk, pk, nil
}

// Sign is slh_sign (FIPS 205, Algorithm 22): it signs m under the context ctx,
// at most 255 bytes. addrnd is n random bytes, or nil for the deterministic
// variant. Variant R3 takes no context.
func (s *Scheme) Sign(m, ctx, sk, addrnd []byte) (sig []byte, err error) {
	s.begin()
	mp, err := s.withContext(m, ctx)
	if err != nil {
		return nil, err
	}
	return s.SignInternal(mp, sk, addrnd)
}

// SignInternal is slh_sign_internal (FIPS 205, Algorithm 19): it signs m as it
// stands. addrnd is n random bytes, or nil for the deterministic variant.
func (s *Scheme) SignInternal(m, sk, addrnd []byte) (sig []byte, err error) {
	s.begin()
	if err := s.checkLen("secret key", sk, s.SecretKeySize()); err != nil {
		return nil, err
	}
	if addrnd != nil {
		if err := s.checkLen("addrnd", addrnd, s.N); err != nil {
			return nil, err
		}
	}
	return s.signInternal(m, sk, addrnd), nil
}

// ErrSignature is wrapped by the error for a signature that has the right
// length and does not belong to message, context and key.
var ErrSignature = errors.New("signature does not verify")

// Verify is slh_verify (FIPS 205, Algorithm 24). It returns nil when sig is a
// signature of m under ctx by the owner of pk; every error means that it is not
// and says why.
func (s *Scheme) Verify(m, sig, ctx, pk []byte) error {
	s.begin()
	mp, err := s.withContext(m, ctx)
	if err != nil {
		return err
	}
	return s.VerifyInternal(mp, sig, pk)
}

// VerifyInternal is slh_verify_internal (FIPS 205, Algorithm 20), with the
// result of [Scheme.Verify].
func (s *Scheme) VerifyInternal(m, sig, pk []byte) error {
	s.begin()
	if err := s.checkLen("public key", pk, s.PublicKeySize()); err != nil {
		return err
	}
	if err := s.checkLen("signature", sig, s.SignatureSize()); err != nil {
		return err
	}
	if !s.verifyInternal(m, sig, pk) {
		return fmt.Errorf("%s: %w: it leads to another root than PK.root", s.Name(), ErrSignature)
	}
	return nil
}

// begin opens an operation: its count starts at zero.
func (s *Scheme) begin() {
	s.before.permutations, s.before.initial = s.xof.Permutations(), s.xof.Initial()
	s.skSeed = nil
}

// withContext returns M' = 0 ‖ |ctx| ‖ ctx ‖ M (Algorithms 22 and 24, line 8 and
// line 4), or m itself where the variant knows no context.
func (s *Scheme) withContext(m, ctx []byte) ([]byte, error) {
	if !s.variant.pure {
		if len(ctx) > 0 {
			return nil, fmt.Errorf("%s: context of %d bytes, this variant has none", s.Name(), len(ctx))
		}
		return m, nil
	}
	if len(ctx) > 255 {
		return nil, fmt.Errorf("%s: context of %d bytes, at most 255 are allowed", s.Name(), len(ctx))
	}
	mp := make([]byte, 0, 2+len(ctx)+len(m))
	mp = append(mp, 0, byte(len(ctx)))
	mp = append(mp, ctx...)
	return append(mp, m...), nil
}

func (s *Scheme) checkLen(what string, b []byte, want int) error {
	if len(b) != want {
		return fmt.Errorf("%s: %s of %d bytes, want %d", s.Name(), what, len(b), want)
	}
	return nil
}
