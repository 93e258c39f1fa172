package mldsa

import (
	"bytes"
	"fmt"
)

// keyGenInternal is ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6).
func (s *Scheme) keyGenInternal(ξ []byte) (pk, sk []byte) {
	sizes := []byte{byte(s.K), byte(s.L)}
	if s.variant.round3 {
		sizes = nil
	}
	seeds := s.h(hashSize+rhoSize+hashSize, ξ, sizes)
	ρ, ρPrime, key := seeds[:hashSize], seeds[hashSize:hashSize+rhoSize], seeds[hashSize+rhoSize:]
	a := s.expandA(ρ)
	s1, s2 := s.expandS(ρPrime)
	ŝ1 := nttAll(s1)
	t1, t0 := make([]ringElement, s.K), make([]ringElement, s.K)
	for i := range s.K {
		t := add(inverseNTT(dot(a[i], ŝ1)), s2[i])
		t1[i], t0[i] = power2Round(t)
	}
	pk = s.pkEncode(ρ, t1)
	return pk, s.skEncode(ρ, key, s.h(s.trSize(), pk), s1, s2, t0)
}

// signMu is ML-DSA.Sign_internal (FIPS 204, Algorithm 7) from line 7 on. Lengths are
// right; without rnd it is the deterministic variant.
func (s *Scheme) signMu(key secretKey, μ, rnd []byte) (sig []byte) {
	ŝ1, ŝ2, t0Hat := nttAll(key.s1), nttAll(key.s2), nttAll(key.t0)
	a := s.expandA(key.rho)
	if rnd == nil && !s.variant.round3 {
		rnd = make([]byte, RandomSize)
	}
	ρ := s.h(rhoSize, key.key, rnd, μ) // ρ″

	β := uint32(s.beta())
	for κ := 0; ; κ += s.L {
		s.attempts++
		y := s.expandMask(ρ, κ)
		ŷ := nttAll(y)
		w, w1 := make([]ringElement, s.K), make([]ringElement, s.K)
		for i := range w {
			w[i] = inverseNTT(dot(a[i], ŷ))
			w1[i] = s.highBits(w[i])
		}
		c := s.h(s.cSize(), μ, s.w1Encode(w1)) // c̃
		ĉ := ntt(s.sampleInBall(c))

		z := make([]ringElement, s.L)
		var worst uint32 // ‖z‖∞
		for i := range z {
			z[i] = add(y[i], inverseNTT(multiply(ĉ, ŝ1[i])))
			worst = max(worst, z[i].norm())
		}
		if worst >= uint32(s.Gamma1)-β {
			continue
		}
		r := make([]ringElement, s.K) // w - cs₂
		worst = 0
		for i := range r {
			r[i] = sub(w[i], inverseNTT(multiply(ĉ, ŝ2[i])))
			worst = max(worst, s.lowBits(r[i]).norm())
		}
		if worst >= uint32(s.Gamma2)-β {
			continue
		}
		h := make([]ringElement, s.K)
		hints := 0
		worst = 0
		for i := range h {
			ct0 := inverseNTT(multiply(ĉ, t0Hat[i]))
			worst = max(worst, ct0.norm())
			// MakeHint(-ct₀, w - cs₂ + ct₀): do high bits change without ct₀?
			var ones int
			h[i], ones = s.makeHint(r[i], add(r[i], ct0))
			hints += ones
		}
		if worst >= uint32(s.Gamma2) || hints > s.Omega {
			continue
		}
		return s.sigEncode(c, z, h)
	}
}

// verifyMu is ML-DSA.Verify_internal (FIPS 204, Algorithm 8) without its line 7.
// Lengths are right.
func (s *Scheme) verifyMu(pk, μ, sig []byte) error {
	ρ, t1 := s.pkDecode(pk)
	c, z, h, err := s.sigDecode(sig)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", s.Name(), ErrSignature, err)
	}
	for i := range z {
		if worst := z[i].norm(); worst >= uint32(s.Gamma1-s.beta()) {
			return fmt.Errorf("%s: %w: z[%d] has a coefficient of %d, want less than %d",
				s.Name(), ErrSignature, i, worst, s.Gamma1-s.beta())
		}
	}
	a := s.expandA(ρ)
	ĉ := ntt(s.sampleInBall(c))
	ẑ := nttAll(z)
	w1 := make([]ringElement, s.K)
	for i := range w1 {
		w := inverseNTT(sub(dot(a[i], ẑ), multiply(ĉ, ntt(shift(t1[i]))))) // w′_Approx
		w1[i] = s.useHint(h[i], w)
	}
	if !bytes.Equal(c, s.h(s.cSize(), μ, s.w1Encode(w1))) {
		return fmt.Errorf("%s: %w: it leads to another c̃", s.Name(), ErrSignature)
	}
	return nil
}
