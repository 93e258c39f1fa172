package slhdsa

import "bytes"

// keyGenInternal is slh_keygen_internal (FIPS 205, Algorithm 18).
func (s *Scheme) keyGenInternal(skSeed, skPrf, pkSeed []byte) (sk, pk []byte) {
	s.setSeeds(pkSeed, skSeed)
	var adrs address
	adrs.setLayerAddress(s.D - 1)
	pkRoot := make([]byte, s.N)
	s.xmssNode(pkRoot, &adrs)

	pk = append(append(pk, pkSeed...), pkRoot...)
	sk = append(append(append(sk, skSeed...), skPrf...), pk...)
	return sk, pk
}

// signInternal is slh_sign_internal (FIPS 205, Algorithm 19). Lengths are right.
func (s *Scheme) signInternal(m, sk, addrnd []byte) []byte {
	n := s.N
	skSeed, skPrf, pkSeed, pkRoot := sk[:n], sk[n:2*n], sk[2*n:3*n], sk[3*n:]
	s.setSeeds(pkSeed, skSeed)

	optRand := addrnd
	if optRand == nil {
		optRand = pkSeed
	}
	sig := make([]byte, s.SignatureSize())
	r, sigFORS, sigHT := s.parts(sig)
	s.prfMsg(r, skPrf, optRand, m)
	md, idxTree, idxLeaf := s.split(r, pkRoot, m)

	var adrs address
	adrs.setTreeAddress(idxTree)
	adrs.setTypeAndClear(forsTree)
	adrs.setKeyPairAddress(idxLeaf)
	var pkFORS [maxN]byte
	s.forsSign(pkFORS[:n], sigFORS, md, &adrs)
	s.htSign(sigHT, pkFORS[:n], idxTree, idxLeaf)
	return sig
}

// verifyInternal is slh_verify_internal (FIPS 205, Algorithm 20). Lengths are
// right; those of line 1 are the caller's to check.
func (s *Scheme) verifyInternal(m, sig, pk []byte) bool {
	n := s.N
	pkSeed, pkRoot := pk[:n], pk[n:]
	s.setSeeds(pkSeed, nil)

	r, sigFORS, sigHT := s.parts(sig)
	md, idxTree, idxLeaf := s.split(r, pkRoot, m)

	var adrs address
	adrs.setTreeAddress(idxTree)
	adrs.setTypeAndClear(forsTree)
	adrs.setKeyPairAddress(idxLeaf)
	var node [maxN]byte
	s.forsPKFromSig(node[:n], sigFORS, md, &adrs)
	s.htRoot(node[:n], sigHT, idxTree, idxLeaf)
	return bytes.Equal(node[:n], pkRoot)
}

// parts cuts a signature into R, SIG_FORS and SIG_HT (FIPS 205, figure 17).
func (s *Scheme) parts(sig []byte) (r, sigFORS, sigHT []byte) {
	fors := s.N + s.forsSize()
	return sig[:s.N], sig[s.N:fors], sig[fors:]
}

// split hashes the message and reads the digest: lines 5 to 10 of Algorithm 19,
// 8 to 13 of Algorithm 20.
func (s *Scheme) split(r, pkRoot, m []byte) (md []byte, idxTree uint64, idxLeaf uint32) {
	digest := make([]byte, s.m())
	s.hMsg(digest, r, pkRoot, m)
	md, rest := digest[:s.mdSize()], digest[s.mdSize():]
	// A shift by 64 gives 0, so the mask is right for h - h/d = 64 as well.
	idxTree = toInt(rest[:s.idxTreeSize()]) & (1<<(s.H-s.hPrime()) - 1)
	idxLeaf = uint32(toInt(rest[s.idxTreeSize():]) & (1<<s.hPrime() - 1))
	return md, idxTree, idxLeaf
}
