package mldsa

// power2Round is Power2Round (FIPS 204, Algorithm 35): t = t₁·2^d + t₀.
func power2Round(t ringElement) (t1, t0 ringElement) {
	for i, r := range t {
		low := int32(r & (1<<d - 1)) // r mod± 2^d
		if low > 1<<(d-1) {
			low -= 1 << d
		}
		t1[i] = uint32(int32(r)-low) >> d
		t0[i] = element(low)
	}
	return t1, t0
}

// decompose is Decompose (FIPS 204, Algorithm 36): r = r₁·2γ₂ + r₀.
func (s *Scheme) decompose(r uint32) (r1, r0 int32) {
	γ2 := int32(s.Gamma2)
	r0 = int32(r) % (2 * γ2) // mod±
	if r0 > γ2 {
		r0 -= 2 * γ2
	}
	if int32(r)-r0 == q-1 {
		return 0, r0 - 1
	}
	return (int32(r) - r0) / (2 * γ2), r0
}

// highBits is HighBits (FIPS 204, Algorithm 37) of every coefficient.
func (s *Scheme) highBits(r ringElement) ringElement {
	for i := range r {
		high, _ := s.decompose(r[i])
		r[i] = uint32(high)
	}
	return r
}

// lowBits is LowBits (FIPS 204, Algorithm 38) of every coefficient.
func (s *Scheme) lowBits(r ringElement) ringElement {
	for i := range r {
		_, low := s.decompose(r[i])
		r[i] = element(low)
	}
	return r
}

// makeHint is MakeHint (FIPS 204, Algorithm 39) of every coefficient: 1 where the
// high bits of a and b differ, and how many there are.
func (s *Scheme) makeHint(a, b ringElement) (h ringElement, ones int) {
	a, b = s.highBits(a), s.highBits(b)
	for i := range h {
		if a[i] != b[i] {
			h[i] = 1
			ones++
		}
	}
	return h, ones
}

// useHint is UseHint (FIPS 204, Algorithm 40) of every coefficient.
func (s *Scheme) useHint(h, r ringElement) (w1 ringElement) {
	m := int32(s.w1Values())
	for i := range w1 {
		r1, r0 := s.decompose(r[i])
		switch {
		case h[i] == 0:
		case r0 > 0:
			r1 = (r1 + 1) % m
		default:
			r1 = (r1 + m - 1) % m
		}
		w1[i] = uint32(r1)
	}
	return w1
}
