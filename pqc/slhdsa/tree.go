package slhdsa

// treehash walks a binary tree of height z from left to right and writes its
// root. It takes the place of the recursions xmss_node and fors_node (FIPS 205,
// Algorithms 9 and 15) and of the loops of xmss_sign and fors_sign (Algorithms 10
// and 16) that call them once more for every node of the authentication path:
// here auth, if not nil, receives the path of leaf idx on the way, so that every
// leaf and every inner node is computed once.
//
// leaf writes leaf i, counted from 0. In addresses it counts from first, a
// multiple of 2^z: FORS numbers the leaves of its trees through. adrs has all
// fields set but height and index.
func (s *Scheme) treehash(root, auth []byte, z int, idx, first uint32, adrs *address, leaf func(node []byte, i uint32)) {
	n := s.N
	var left [maxHeight][maxN]byte // a finished left child on each level, waiting for its sibling
	var buf [maxN]byte
	node := buf[:n]
	for i := range uint32(1) << z {
		leaf(node, i)
		for j := range z {
			if auth != nil && i>>j == idx>>j^1 {
				copy(auth[j*n:], node)
			}
			if i>>j&1 == 0 {
				copy(left[j][:], node)
				break
			}
			adrs.setTreeHeight(j + 1)
			adrs.setTreeIndex((first + i) >> (j + 1))
			s.h(node, adrs, left[j][:n], node)
		}
	}
	copy(root, node)
}

// climb takes node, leaf i of a tree of height z, to the root along the
// authentication path auth: the loop that Algorithms 11 and 17 of FIPS 205 have in
// common. Here i is counted as in addresses.
func (s *Scheme) climb(node, auth []byte, z int, i uint32, adrs *address) {
	n := s.N
	for j := range z {
		sibling := auth[j*n : (j+1)*n]
		adrs.setTreeHeight(j + 1)
		adrs.setTreeIndex(i >> (j + 1))
		if i>>j&1 == 0 {
			s.h(node, adrs, node, sibling)
		} else {
			s.h(node, adrs, sibling, node)
		}
	}
}
