package slhdsa

// forsSKGen is fors_skGen (FIPS 205, Algorithm 14): secret value number idx,
// counted through all trees.
func (s *Scheme) forsSKGen(sk []byte, adrs *address, idx uint32) {
	skADRS := adrs.as(forsPRF)
	skADRS.setTreeIndex(idx)
	s.prf(sk, &skADRS)
}

// forsSign is fors_sign (FIPS 205, Algorithm 16) and, because its passes yield
// the roots as well, fors_pkFromSig for the result: md holds k numbers of a
// bits. The secret value of a signed leaf is computed twice, in line 4 and by the
// pass: that is what the standard's lines and the round 3.1 code do, and the
// published hash counts are theirs.
func (s *Scheme) forsSign(pk, sig, md []byte, adrs *address) {
	n := s.N
	var indices [maxK]uint32
	s.variant.indices(indices[:s.K], md, s.A)
	var roots [maxK * maxN]byte
	leafADRS := *adrs // height 0
	for i := range s.K {
		first, idx := uint32(i)<<s.A, indices[i]
		one := sig[i*(1+s.A)*n : (i+1)*(1+s.A)*n]
		sk, auth := one[:n], one[n:]
		s.forsSKGen(sk, adrs, first+idx)
		s.treehash(roots[i*n:], auth, s.A, idx, first, adrs, func(node []byte, j uint32) {
			s.forsSKGen(node, &leafADRS, first+j)
			leafADRS.setTreeIndex(first + j)
			s.f(node, &leafADRS, node)
		})
	}
	forspkADRS := adrs.as(forsRoots)
	s.t(pk, &forspkADRS, roots[:s.K*n])
}

// forsPKFromSig is fors_pkFromSig (FIPS 205, Algorithm 17).
func (s *Scheme) forsPKFromSig(pk, sig, md []byte, adrs *address) {
	n := s.N
	var indices [maxK]uint32
	s.variant.indices(indices[:s.K], md, s.A)
	var roots [maxK * maxN]byte
	for i := range s.K {
		leaf := uint32(i)<<s.A + indices[i]
		one := sig[i*(1+s.A)*n : (i+1)*(1+s.A)*n]
		node := roots[i*n : (i+1)*n]
		adrs.setTreeHeight(0)
		adrs.setTreeIndex(leaf)
		s.f(node, adrs, one[:n])
		s.climb(node, one[n:], s.A, leaf, adrs)
	}
	forspkADRS := adrs.as(forsRoots)
	s.t(pk, &forspkADRS, roots[:s.K*n])
}
