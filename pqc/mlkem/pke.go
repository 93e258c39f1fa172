package mlkem

// pkeKeyGen is K-PKE.KeyGen (FIPS 203, Algorithm 13).
func (s *Scheme) pkeKeyGen(d []byte) (ek, dk []byte) {
	k := []byte{byte(s.K)}
	if s.variant.round3 {
		k = nil
	}
	ρ, σ := s.g(d, k)
	ŝ, ê := make([]nttElement, s.K), make([]nttElement, s.K)
	for i := range ŝ {
		ŝ[i] = ntt(samplePolyCBD(s.prf(s.Eta1, σ, i), s.Eta1))
	}
	for i := range ê {
		ê[i] = ntt(samplePolyCBD(s.prf(s.Eta1, σ, s.K+i), s.Eta1))
	}
	for i := range s.K {
		t := ê[i]
		for j := range s.K {
			t = add(t, multiplyNTTs(s.sampleNTT(ρ, j, i), ŝ[j]))
		}
		ek = byteEncode(ek, t, 12)
		dk = byteEncode(dk, ŝ[i], 12)
	}
	return append(ek, ρ...), dk
}

// pkeEncrypt is K-PKE.Encrypt (FIPS 203, Algorithm 14).
func (s *Scheme) pkeEncrypt(ek, m, r []byte) (c []byte) {
	ρ := ek[polySize12*s.K:]
	ŷ, e1 := make([]nttElement, s.K), make([]ringElement, s.K)
	for i := range ŷ {
		ŷ[i] = ntt(samplePolyCBD(s.prf(s.Eta1, r, i), s.Eta1))
	}
	for i := range e1 {
		e1[i] = samplePolyCBD(s.prf(s.Eta2, r, s.K+i), s.Eta2)
	}
	e2 := samplePolyCBD(s.prf(s.Eta2, r, 2*s.K), s.Eta2)

	for i := range s.K {
		var û nttElement
		for j := range s.K {
			û = add(û, multiplyNTTs(s.sampleNTT(ρ, i, j), ŷ[j])) // Âᵀ: the indices change places
		}
		u := add(inverseNTT(û), e1[i])
		c = byteEncode(c, compress(u, s.Du), s.Du)
	}
	μ := decompress(byteDecode(m, 1), 1)
	var vHat nttElement
	for i := range s.K {
		t := nttElement(reduce(byteDecode(ek[polySize12*i:], 12)))
		vHat = add(vHat, multiplyNTTs(t, ŷ[i]))
	}
	v := add(add(inverseNTT(vHat), e2), μ)
	return byteEncode(c, compress(v, s.Dv), s.Dv)
}

// pkeDecrypt is K-PKE.Decrypt (FIPS 203, Algorithm 15).
func (s *Scheme) pkeDecrypt(dk, c []byte) (m []byte) {
	c2 := c[n/8*s.Du*s.K:]
	v := decompress(byteDecode(c2, s.Dv), s.Dv)
	var wHat nttElement
	for i := range s.K {
		u := decompress(byteDecode(c[n/8*s.Du*i:], s.Du), s.Du)
		ŝ := nttElement(reduce(byteDecode(dk[polySize12*i:], 12)))
		wHat = add(wHat, multiplyNTTs(ŝ, ntt(u)))
	}
	w := sub(v, inverseNTT(wHat))
	return byteEncode(nil, compress(w, 1), 1)
}
