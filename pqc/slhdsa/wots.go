package slhdsa

// chain is chain(X, i, s, PK.seed, ADRS) (FIPS 205, Algorithm 5): it takes x,
// the value number i of a chain, steps values on.
func (s *Scheme) chain(x []byte, i, steps int, adrs *address) {
	for j := i; j < i+steps; j++ {
		adrs.setHashAddress(j)
		s.f(x, adrs, x)
	}
}

// wotsDigits returns the len digits of message m, n bytes, and its checksum:
// how far each chain of its signature goes (lines 1 to 7 of Algorithms 7 and 8
// of FIPS 205).
func (s *Scheme) wotsDigits(m []byte) (msg [maxLen]uint32) {
	len1 := 2 * s.N
	base2b(msg[:len1], m, lgw)
	csum := uint32(0)
	for _, digit := range msg[:len1] {
		csum += w - 1 - digit
	}
	csum <<= (8 - len2*lgw%8) % 8
	base2b(msg[len1:len1+len2], []byte{byte(csum >> 8), byte(csum)}, lgw)
	return msg
}

// wotsPKGen is wots_pkGen (FIPS 205, Algorithm 6), and in the same pass
// wots_sign (Algorithm 7): if sig is not nil, it receives the values that
// the chains have after msg steps. adrs is of type wotsHash with the key pair set.
func (s *Scheme) wotsPKGen(pk, sig []byte, msg *[maxLen]uint32, adrs *address) {
	n := s.N
	skADRS := adrs.as(wotsPRF)
	var tmp [maxLen * maxN]byte
	for i := range s.len() {
		x := tmp[i*n : (i+1)*n]
		skADRS.setChainAddress(i)
		s.prf(x, &skADRS)
		adrs.setChainAddress(i)
		done := 0
		if sig != nil {
			done = int(msg[i])
			s.chain(x, 0, done, adrs)
			copy(sig[i*n:], x)
		}
		s.chain(x, done, w-1-done, adrs)
	}
	wotspkADRS := adrs.as(wotsPK)
	s.t(pk, &wotspkADRS, tmp[:s.len()*n])
}

// wotsPKFromSig is wots_pkFromSig (FIPS 205, Algorithm 8). pk may be where m is.
func (s *Scheme) wotsPKFromSig(pk, sig, m []byte, adrs *address) {
	n := s.N
	msg := s.wotsDigits(m)
	var tmp [maxLen * maxN]byte
	copy(tmp[:], sig[:s.len()*n])
	for i := range s.len() {
		adrs.setChainAddress(i)
		s.chain(tmp[i*n:(i+1)*n], int(msg[i]), w-1-int(msg[i]), adrs)
	}
	wotspkADRS := adrs.as(wotsPK)
	s.t(pk, &wotspkADRS, tmp[:s.len()*n])
}
