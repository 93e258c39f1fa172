package sdith

import "slices"

// tree is the seed tree (SPEC, section 7) with all its seeds: root 1, children 2p and
// 2p+1 of p, leaves R to 2R-1.
type tree struct {
	p     *Params
	salt  []byte
	seeds []byte // of node x from byte B·x on; those of hidden nodes are zeros
}

// LeafNode returns the node of position i of repetition e (SPEC, section 7).
func (p *Params) LeafNode(e, i int) int { return p.Leaves() + i*p.Tau + e }

func newTree(p *Params, salt []byte) *tree {
	return &tree{p, salt, make([]byte, 2*p.Leaves()*p.SeedSize())}
}

// seed returns seed(node).
func (t *tree) seed(node int) []byte {
	n := t.p.SeedSize()
	return t.seeds[node*n : (node+1)*n]
}

// grow makes the seeds of all nodes below those that are known: the root, for a
// signer, who has nothing to hide; for a verifier what was revealed. hidden is nil, or
// has for each node whether its seed is unknown.
func (t *tree) grow(c *Cipher, hidden []bool) {
	n := t.p.SeedSize()
	for parent := 1; parent < t.p.Leaves(); parent++ {
		if hidden != nil && hidden[parent] {
			continue
		}
		c.SetSeed(t.seed(parent))
		c.PairInto(t.seeds[2*parent*n:(2*parent+2)*n], t.salt, uint32(2*parent))
	}
}

// commit writes com of a leaf node (SPEC, section 7), 2B bytes, to dst. It leaves the
// seed of the node set.
func (t *tree) commit(c *Cipher, dst []byte, node int) {
	c.SetSeed(t.seed(node))
	c.PairInto(dst, t.salt, uint32(2*node))
}

// HiddenNodes returns the hidden leaf nodes v_e (SPEC, section 10.2) of a challenge
// in decreasing order. Each repetition has leaves of its own, so they differ.
func (p *Params) HiddenNodes(istar []int) []int {
	nodes := make([]int, 0, len(istar))
	for e, i := range istar {
		nodes = append(nodes, p.LeafNode(e, i))
	}
	slices.SortFunc(nodes, func(a, b int) int { return b - a })
	return nodes
}

// Revealed returns the nodes whose seeds a signature reveals (SPEC, section 10.2), in
// decreasing order: those that are no ancestor of a hidden leaf, but whose parent is
// one. hidden is what [Params.HiddenNodes] returns.
func Revealed(hidden []int) []int {
	// Room enough for the six sets; for deeper trees append makes more.
	revealed := make([]int, 0, 16*len(hidden))
	queue := append(make([]int, 0, 17*len(hidden)), hidden...)
	for queue[0] > 1 {
		// All of the queue is above x/2, x being its head, and strictly decreasing; so the
		// parent x>>1 belongs at its end, and a sibling that is in it is the next.
		x := queue[0]
		queue = queue[1:]
		if len(queue) > 0 && queue[0] == x^1 {
			queue = queue[1:]
		} else {
			revealed = append(revealed, x^1)
		}
		queue = append(queue, x>>1)
	}
	return revealed
}

// hiddenAncestors returns for each node whether it is a hidden leaf or an ancestor of
// one: the set P of SPEC, section 10.2.
func (p *Params) hiddenAncestors(hidden []int) []bool {
	in := make([]bool, 2*p.Leaves())
	for _, x := range hidden {
		for ; x > 0 && !in[x]; x >>= 1 {
			in[x] = true
		}
	}
	return in
}
