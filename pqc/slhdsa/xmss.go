package slhdsa

// xmssNode is xmss_node(SK.seed, 0, h', PK.seed, ADRS) (FIPS 205, Algorithm 9):
// the root of the XMSS tree that layer and tree address of adrs tell.
func (s *Scheme) xmssNode(root []byte, adrs *address) {
	s.xmss(root, nil, nil, 0, adrs)
}

// xmss is xmss_sign (FIPS 205, Algorithm 10) and xmss_node for the same tree: one
// pass yields the root, and, if sig is not nil, the signature of m, n bytes, by
// leaf idx: SIG_WOTS ‖ AUTH.
func (s *Scheme) xmss(root, sig, m []byte, idx uint32, adrs *address) {
	var sigWOTS, auth []byte
	var msg [maxLen]uint32
	if sig != nil {
		sigWOTS, auth = sig[:s.len()*s.N], sig[s.len()*s.N:]
		msg = s.wotsDigits(m)
	}
	wotsADRS := *adrs
	treeADRS := *adrs
	treeADRS.setTypeAndClear(tree)
	s.treehash(root, auth, s.hPrime(), idx, 0, &treeADRS, func(node []byte, i uint32) {
		wotsADRS.setTypeAndClear(wotsHash)
		wotsADRS.setKeyPairAddress(i)
		if sig != nil && i == idx {
			s.wotsPKGen(node, sigWOTS, &msg, &wotsADRS)
		} else {
			s.wotsPKGen(node, nil, nil, &wotsADRS)
		}
	})
}

// xmssPKFromSig is xmss_pkFromSig (FIPS 205, Algorithm 11): node comes as the
// message that leaf idx signed and goes as the root.
func (s *Scheme) xmssPKFromSig(node, sig []byte, idx uint32, adrs *address) {
	sigWOTS, auth := sig[:s.len()*s.N], sig[s.len()*s.N:]
	adrs.setTypeAndClear(wotsHash)
	adrs.setKeyPairAddress(idx)
	s.wotsPKFromSig(node, sigWOTS, node, adrs)
	adrs.setTypeAndClear(tree)
	s.climb(node, auth, s.hPrime(), idx, adrs)
}

// htSign is ht_sign (FIPS 205, Algorithm 12). Its calls of xmss_pkFromSig fall
// away, as the pass that signs has the root already; the root of the uppermost
// tree comes with it and is not looked at.
func (s *Scheme) htSign(sigHT, m []byte, idxTree uint64, idxLeaf uint32) {
	var root [maxN]byte
	copy(root[:], m)
	for j := range s.D {
		var adrs address
		adrs.setLayerAddress(j)
		adrs.setTreeAddress(idxTree)
		sig := sigHT[j*s.xmssSize() : (j+1)*s.xmssSize()]
		s.xmss(root[:s.N], sig, root[:s.N], idxLeaf, &adrs)
		idxTree, idxLeaf = s.parent(idxTree)
	}
}

// htRoot is ht_verify (FIPS 205, Algorithm 13) up to its last comparison, which
// is the caller's: node comes as the message and goes as the root.
func (s *Scheme) htRoot(node, sigHT []byte, idxTree uint64, idxLeaf uint32) {
	for j := range s.D {
		var adrs address
		adrs.setLayerAddress(j)
		adrs.setTreeAddress(idxTree)
		s.xmssPKFromSig(node, sigHT[j*s.xmssSize():(j+1)*s.xmssSize()], idxLeaf, &adrs)
		idxTree, idxLeaf = s.parent(idxTree)
	}
}

// parent returns tree and leaf, one layer up, whose key signs the root of tree
// idxTree: the h' lowest bits are the leaf.
func (s *Scheme) parent(idxTree uint64) (uint64, uint32) {
	return idxTree >> s.hPrime(), uint32(idxTree & (1<<s.hPrime() - 1))
}
