package falcon

import (
	"fmt"
	"math"
)

// mostVectors is how many vectors are drawn for a signature before signing gives up. Of
// a key from KeyGen hardly one in a thousand is too long; a key that was made up may
// have no short ones at all.
const mostVectors = 100

// shortVector returns s₂ of a short vector (s₁, s₂) with s₁ + s₂h = c mod q: lines
// 3 to 9 of Sign (Algorithm 10). Each attempt keys a generator of its own.
func (s *Scheme) shortVector(k *key, c []uint16, read func([]byte)) ([]int16, error) {
	for s.attempts < mostVectors {
		s.attempts++
		var seed [chachaSeed]byte
		read(seed[:])
		if s2, ok := s.attempt(k, c, newChaCha(seed[:])); ok {
			return s2, nil
		}
	}
	return nil, fmt.Errorf("%s: no vector of %d is short: the secret key is none that KeyGen makes", s.Name(), mostVectors)
}

// attempt draws one vector and reports whether it is short.
func (s *Scheme) attempt(k *key, c []uint16, r random) ([]int16, bool) {
	// B = ((g, -f), (G, -F)), and of the Gram matrix BB* what is not conjugate.
	b00, b01 := fftOf(k.g), fftOf(k.f).neg()
	b10, b11 := fftOf(k.G), fftOf(k.F).neg()
	g00 := b00.selfAdj().add(b01.selfAdj())
	g01 := b00.mulAdj(b10).add(b01.mulAdj(b11))
	g11 := b10.selfAdj().add(b11.selfAdj())

	// t = (c, 0)·B⁻¹
	const invQ = 0x1.554e39097a782p-14
	point := fftOf(c)
	t0 := point.mul(b11).scale(invQ)
	t1 := point.mul(b01).scale(-invQ)

	f := sampling{r, s.invSigma(), s.sigMin()}
	z0, z1 := f.sample(t0, t1, g00, g01, g11)

	// (c, 0) - zB
	v0 := z0.mul(b00).add(z1.mul(b10)).ifft()
	v1 := z1.mul(b11).add(z0.mul(b01)).ifft()
	s2 := make([]int16, len(c))
	var norm uint64
	for i := range s2 {
		s1 := int32(c[i]) - int32(rint(v0[i]))
		s2[i] = -int16(rint(v1[i]))
		norm += uint64(int64(s1)*int64(s1)) + uint64(int32(s2[i])*int32(s2[i]))
	}
	return s2, norm <= uint64(s.bound())
}

// sampling is what ffSampling needs besides its target and matrix.
type sampling struct {
	random           random
	invSigma, sigMin float64 // 1/σ and σ_min
}

// sample is ffSampling (Algorithm 11) for the target (t₀, t₁), on the tree that
// ffLDL* (Algorithm 9) would make of the Gram matrix: each node is computed where it
// is needed. g₀₀ and g₁₁ are self-adjoint, but for rounding; their imaginary parts
// are kept and count.
func (f *sampling) sample(t0, t1, g00, g01, g11 poly) (z0, z1 poly) {
	l10, d11 := ldl(g00, g01, g11)
	if len(t0) == 1 {
		return f.leaves(t0, t1, g00, l10, d11)
	}
	a, b := d11.split()
	u0, u1 := t1.split()
	z1 = merge(f.sample(u0, u1, a, b, a))

	t0 = t1.sub(z1).mul(l10).add(t0)
	a, b = g00.split()
	u0, u1 = t0.split()
	z0 = merge(f.sample(u0, u1, a, b, a))
	return z0, z1
}

// ldl is LDL* (Algorithm 8). Its d₀₀ is g₀₀.
func ldl(g00, g01, g11 poly) (l10, d11 poly) {
	l10, d11 = make(poly, len(g00)), make(poly, len(g00))
	for j := range g00 {
		mu := g01[j].div(g00[j])
		d11[j] = g11[j].sub(mu.mul(g01[j].conj()))
		l10[j] = mu.conj()
	}
	return l10, d11
}

// leaves is the last level but one of the recursion, where polynomials have one
// complex value: its parts are the two real polynomials of the last level.
func (f *sampling) leaves(t0, t1, g00, l10, d11 poly) (z0, z1 poly) {
	z1 = poly{f.pair(t1[0], d11[0].re)}
	t0 = t1.sub(z1).mul(l10).add(t0)
	z0 = poly{f.pair(t0[0], g00[0].re)}
	return z0, z1
}

// pair draws two integers with centres at the two parts of mu; d is the leaf.
func (f *sampling) pair(mu complx, d float64) complx {
	invSigma := float64(math.Sqrt(d) * f.invSigma)
	re := samplerZ(f.random, mu.re, invSigma, f.sigMin)
	im := samplerZ(f.random, mu.im, invSigma, f.sigMin)
	return complx{float64(re), float64(im)}
}
