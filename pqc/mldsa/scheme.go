// Package mldsa is the signature scheme ML-DSA of [FIPS 204], in its pure form,
// and [R3], the round 3.1 Dilithium it came from. It is the reference that firmware
// is checked against: functions that are algorithms of the standard name them and
// keep its letters, and every operation counts its permutations.
//
// It is generic over the hash: any [xof.Family] takes the place of SHAKE. H is its
// SHAKE256 and G its SHAKE128. Over a family of Ascon both are one sponge, and each
// message of it ends with one byte more, the number of the mode it stands for: 0
// for G, 1 for H (see [xof.Suite]); the uses of H differ by the length or place of
// their messages, as in the standard. Everything else is as over SHAKE. Only over
// SHAKE is it the standard's scheme; [Scheme.Name] tells.
//
// Left out: the pre-hash interface (Algorithms 4 and 5), drawing of random bytes (the
// caller passes them), the limits of FIPS 204, appendix C, on loops that end anyway,
// and protection of secrets: no side channel was looked at and nothing is erased.
//
// [FIPS 204]: https://doi.org/10.6028/NIST.FIPS.204
package mldsa

import (
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

// FIPS204 is the standard of August 2024.
var FIPS204 = Variant{Name: "fips204"}

// R3 is Dilithium as submitted to round 3, version 3.1, whose signatures are
// deterministic. It is what FIPS 204 is at its internal interface, but
//   - key generation hashes ξ alone, without k and ℓ;
//   - tr has 32 bytes, and so has c̃ in every set;
//   - ρ″ is H(K ‖ μ), without rnd.
//
// It takes no context and no rnd.
var R3 = Variant{Name: "r3", round3: true}

// Scheme signs with one parameter set, variant and hash. It holds the state of
// the operation under way, so it is not for concurrent use. Make one with [New].
type Scheme struct {
	Params
	variant  Variant
	family   xof.Family
	hashes   *xof.Suite
	attempts int
}

// New returns the scheme of variant v with parameters p over the hashes of family f.
func New(p Params, v Variant, f xof.Family) (*Scheme, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if v.Name == "" {
		return nil, errors.New("mldsa: empty variant, want FIPS204 or R3")
	}
	if f.Functions[xof.XOF128].New == nil {
		return nil, errors.New("mldsa: empty hash family, want one of pqc/xof")
	}
	return &Scheme{Params: p, variant: v, family: f, hashes: f.Suite()}, nil
}

// Name is the published name of the scheme over SHAKE; over any other family it
// says that this is an instance of our own.
func (s *Scheme) Name() string {
	name := "ML-DSA-" + s.Params.Name
	if s.variant.round3 {
		name = fmt.Sprintf("Dilithium%d (round 3.1)", s.Category)
	}
	if s.family.Number != xof.SHAKE.Number {
		name += fmt.Sprintf(" over %s (own instance)", s.family.Name)
	}
	return name
}

// Permutations returns how many permutations the latest operation took, zero
// before the first one.
func (s *Scheme) Permutations() uint64 { return s.hashes.Permutations() }

// Initial returns how many of them were initial permutations, whose result is the
// same for every message of the hash.
func (s *Scheme) Initial() uint64 { return s.hashes.Initial() }

// Attempts returns how many times the latest signing went through the rejection
// loop, zero if the latest operation was another.
func (s *Scheme) Attempts() int { return s.attempts }

// trSize is the bytes of tr, the hash of the public key.
func (s *Scheme) trSize() int {
	if s.variant.round3 {
		return 32
	}
	return 64
}

// cSize is the bytes of c̃.
func (s *Scheme) cSize() int {
	if s.variant.round3 {
		return 32
	}
	return s.Lambda / 4
}

// SecretKeySize returns the bytes of a secret key, ρ ‖ K ‖ tr ‖ s₁ ‖ s₂ ‖ t₀.
func (s *Scheme) SecretKeySize() int {
	return 2*hashSize + s.trSize() + (s.K+s.L)*s.etaSize() + s.K*t0PolySize
}

// SignatureSize returns the bytes of a signature, c̃ ‖ z ‖ h.
func (s *Scheme) SignatureSize() int { return s.cSize() + s.L*s.zSize() + s.Omega + s.K }

// KeyGen is ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6). seed is ξ, [SeedSize]
// bytes.
func (s *Scheme) KeyGen(seed []byte) (pk, sk []byte, err error) {
	s.begin()
	if err := s.checkLen("seed", seed, SeedSize); err != nil {
		return nil, nil, err
	}
	pk, sk = s.keyGenInternal(seed)
	return pk, sk, nil
}

// Sign is ML-DSA.Sign (FIPS 204, Algorithm 2): it signs m under the context ctx, at
// most 255 bytes. rnd is [RandomSize] random bytes, or nil for the deterministic
// variant. Variant R3 takes neither.
func (s *Scheme) Sign(m, ctx, sk, rnd []byte) (sig []byte, err error) {
	s.begin()
	prefix, err := s.prefix(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.checkSign(sk, rnd); err != nil {
		return nil, err
	}
	key := s.skDecode(sk)
	return s.signMu(key, s.mu(key.tr, prefix, m), rnd), nil
}

// SignInternal is ML-DSA.Sign_internal (FIPS 204, Algorithm 7): it signs m as it
// stands, otherwise as [Scheme.Sign].
func (s *Scheme) SignInternal(m, sk, rnd []byte) (sig []byte, err error) {
	s.begin()
	if err := s.checkSign(sk, rnd); err != nil {
		return nil, err
	}
	key := s.skDecode(sk)
	return s.signMu(key, s.mu(key.tr, nil, m), rnd), nil
}

// SignMu is [Scheme.SignInternal] for a message whose representative μ, [MuSize]
// bytes, somebody else has computed (line 6 of Algorithm 7).
func (s *Scheme) SignMu(μ, sk, rnd []byte) (sig []byte, err error) {
	s.begin()
	if err := s.checkLen("message representative μ", μ, MuSize); err != nil {
		return nil, err
	}
	if err := s.checkSign(sk, rnd); err != nil {
		return nil, err
	}
	return s.signMu(s.skDecode(sk), μ, rnd), nil
}

// ErrSignature is wrapped by the error for a signature that has the right length
// and does not belong to message, context and key.
var ErrSignature = errors.New("signature does not verify")

// Verify is ML-DSA.Verify (FIPS 204, Algorithm 3). It returns nil when sig is a
// signature of m under ctx by the owner of pk; every error means that it is not and
// says why.
func (s *Scheme) Verify(m, sig, ctx, pk []byte) error {
	s.begin()
	prefix, err := s.prefix(ctx)
	if err != nil {
		return err
	}
	if err := s.checkVerify(pk, sig); err != nil {
		return err
	}
	return s.verifyMu(pk, s.mu(s.h(s.trSize(), pk), prefix, m), sig)
}

// VerifyInternal is ML-DSA.Verify_internal (FIPS 204, Algorithm 8), with the result
// of [Scheme.Verify].
func (s *Scheme) VerifyInternal(m, sig, pk []byte) error {
	s.begin()
	if err := s.checkVerify(pk, sig); err != nil {
		return err
	}
	return s.verifyMu(pk, s.mu(s.h(s.trSize(), pk), nil, m), sig)
}

// VerifyMu is [Scheme.VerifyInternal] for a message whose representative μ is given.
func (s *Scheme) VerifyMu(μ, sig, pk []byte) error {
	s.begin()
	if err := s.checkLen("message representative μ", μ, MuSize); err != nil {
		return err
	}
	if err := s.checkVerify(pk, sig); err != nil {
		return err
	}
	return s.verifyMu(pk, μ, sig)
}

// begin opens an operation: its counts start at zero.
func (s *Scheme) begin() {
	s.hashes.Begin()
	s.attempts = 0
}

// prefix returns what M' has before M: 0 ‖ |ctx| ‖ ctx (Algorithm 2, line 10, and
// 3, line 5), nothing in round 3.
func (s *Scheme) prefix(ctx []byte) ([]byte, error) {
	if s.variant.round3 {
		if len(ctx) > 0 {
			return nil, fmt.Errorf("%s: context of %d bytes, this variant has none", s.Name(), len(ctx))
		}
		return nil, nil
	}
	if len(ctx) > 255 {
		return nil, fmt.Errorf("%s: context of %d bytes, at most 255 are allowed", s.Name(), len(ctx))
	}
	return append([]byte{0, byte(len(ctx))}, ctx...), nil
}

// mu is line 6 of Algorithm 7: H(BytesToBits(tr) ‖ M').
func (s *Scheme) mu(tr, prefix, m []byte) []byte { return s.h(MuSize, tr, prefix, m) }

func (s *Scheme) checkSign(sk, rnd []byte) error {
	if err := s.checkLen("secret key", sk, s.SecretKeySize()); err != nil {
		return err
	}
	if rnd == nil {
		return nil
	}
	if s.variant.round3 {
		return fmt.Errorf("%s: rnd of %d bytes, this variant is deterministic", s.Name(), len(rnd))
	}
	return s.checkLen("rnd", rnd, RandomSize)
}

func (s *Scheme) checkVerify(pk, sig []byte) error {
	if err := s.checkLen("public key", pk, s.PublicKeySize()); err != nil {
		return err
	}
	return s.checkLen("signature", sig, s.SignatureSize())
}

func (s *Scheme) checkLen(what string, b []byte, want int) error {
	if len(b) != want {
		return fmt.Errorf("%s: %s of %d bytes, want %d", s.Name(), what, len(b), want)
	}
	return nil
}
