package pipeline

import (
	"math/bits"

	"socsim/sdith"
)

// walk is the way from the cache, or from the root, down to a node, and what is kept of
// it for the next node: seeds of nodes, by how many levels they are below the cache. The
// first of them is the word of the cache that the way began with.
type walk struct {
	depth int // D
	seeds *memory
	nodes *memory // what is in seeds: numbers, 0 for nothing
	seed  *memory // of the node that was walked to

	bits  int
	ready [maxLevels]cycle // when a seed is there
}

// maxLevels bounds the levels from the cache on: leaves of the sets are at most 17 deep,
// of those that [sdith.Params.Check] allows at most 24.
const maxLevels = 25

// newWalk has room for a seed a level, or two; one is enough for G.
func newWalk(c Config) walk {
	p, levels, each := c.Set, deepest(c.Set)-c.CacheDepth, 1
	if c.Path == PathBoth {
		each = 2
	}
	return walk{
		depth: c.CacheDepth, bits: nodeBits(p),
		seeds: newRegisters("path seeds", 1+levels*each, p.Lambda),
		nodes: newRegisters("path nodes", 1+levels, nodeBits(p)),
		seed:  newRegisters("seed", 1, p.Lambda),
	}
}

// forget empties the registers.
func (w *walk) forget() { clear(w.nodes.data) }

// node returns the number that is kept for level l below the cache.
func (w *walk) node(l int) int { return int(getBits(w.nodes.data, l*w.bits, w.bits)) }

// at is where the seeds of level l are, if levels have n each.
func (w *walk) at(l, n int) []byte {
	size := len(w.seed.data)
	return w.seeds.data[max(0, 1+(l-1)*n)*size:]
}

// keep puts seeds into the registers of level l: that of a node, or those of both its
// children.
func (w *walk) keep(l, node int, seeds []byte, at cycle) {
	copy(w.at(l, len(seeds)/len(w.seed.data)), seeds)
	putBits(w.nodes.data, l*w.bits, uint32(node), w.bits)
	w.ready[l] = at
}

// keeping is how a walk uses the registers.
type keeping int

const (
	keepNothing keeping = iota // F0 of SPEC, section 12.3
	keepPath                   // the seeds on the way: F1
	keepBoth                   // and their siblings: F2
	keepRight                  // those right of the way, for a walk over all leaves from left to right
)

// keeping is what the passes over the leaves do.
func (r PathRegisters) keeping() keeping {
	return [...]keeping{PathSingle: keepPath, PathNone: keepNothing, PathBoth: keepBoth}[r]
}

// fill is phase K: the tree from the root to level D, in place. A level is expanded from
// its last node to its first, so that children overwrite only parents that are done.
func (m *machine[E]) fill() {
	size := m.p.SeedSize()
	if m.c.CacheDepth == 0 {
		m.cache.write(0, 0, m.root.data)
	}
	var ready cycle
	for d := range m.c.CacheDepth {
		for i := 1<<d - 1; i >= 0; i-- {
			seed, at := m.root.data, ready
			if d > 0 {
				seed, at = m.cache.read(max(ready, m.ciphers.wanted()), i*size, size)
			}
			m.ciphers.setSeed(seed)
			children, done := m.ciphers.pair(at, 2*(1<<d+i), forCache)
			m.cache.write(done, 2*i*size, children)
		}
		ready = m.cache.there // a level starts when the one before is written
	}
}

// walkTo leaves the seed of a node at or below the level of the cache in m.way.seed. It
// starts not before start, and returns when the seed is there.
func (m *machine[E]) walkTo(node int, start cycle, why purpose, how keeping) (ready cycle) {
	w, size := &m.way, m.p.SeedSize()
	level := bits.Len(uint(node)) - 1 - w.depth
	ancestor := func(l int) int { return node >> (level - l) }

	// The last node on the way that is kept.
	from := -1
	switch how {
	case keepPath, keepRight:
		for from = level; from >= 0 && w.node(from) != ancestor(from); {
			from--
		}
	case keepBoth: // numbers are those of parents
		for from = level; from > 0 && w.node(from) != ancestor(from-1); {
			from--
		}
		if from == 0 && w.node(0) != ancestor(0) {
			from = -1
		}
	}
	switch {
	case from < 0:
		seed, at := m.cache.read(max(start, m.cache.there, m.ciphers.wanted()), (ancestor(0)-1<<w.depth)*size, size)
		from, ready = 0, at
		copy(w.seed.data, seed)
		if how == keepPath || how == keepBoth {
			w.keep(0, ancestor(0), seed, at)
		}
	case how == keepBoth && from > 0:
		copy(w.seed.data, w.at(from, 2)[ancestor(from)&1*size:])
		ready = w.ready[from]
	default:
		copy(w.seed.data, w.at(from, 1))
		ready = w.ready[from]
	}
	for l := from + 1; l <= level; l++ {
		parent, side := ancestor(l-1), ancestor(l)&1
		m.ciphers.setSeed(w.seed.data)
		switch how {
		case keepNothing, keepPath:
			var seed []byte
			seed, ready = m.ciphers.half(ready, 2*parent, side, why)
			copy(w.seed.data, seed)
			if how == keepPath {
				w.keep(l, ancestor(l), seed, ready)
			}
		default:
			var children []byte
			children, ready = m.ciphers.pair(ready, 2*parent, why)
			copy(w.seed.data, children[side*size:])
			if how == keepBoth {
				w.keep(l, parent, children, ready)
			} else if side == 0 {
				w.keep(l, 2*parent+1, children[size:], ready)
			}
		}
	}
	return ready
}

// walkFromRoot is walkTo for nodes above the level of the cache, which holds no seed of
// them.
func (m *machine[E]) walkFromRoot(node int, start cycle) (ready cycle) {
	ready = start
	copy(m.way.seed.data, m.root.data)
	for level := bits.Len(uint(node)) - 1; level > 0; level-- {
		child := node >> (level - 1)
		m.ciphers.setSeed(m.way.seed.data)
		var seed []byte
		seed, ready = m.ciphers.half(ready, child&^1, child&1, forRoot)
		copy(m.way.seed.data, seed)
	}
	return ready
}

// commit is phase G: h_com, over all leaves by increasing node, the order of the known
// answers. Where leaves have two depths, those of the lesser come first.
func (m *machine[E]) commit() {
	m.beginCom()
	m.way.forget()
	for node := m.p.Leaves(); node < 2*m.p.Leaves(); node++ {
		ready := m.walkTo(node, 0, forTree, keepRight)
		m.ciphers.setSeed(m.way.seed.data)
		m.absorbCom(ready, node)
	}
	m.endCom()
}

// beginCom starts h_com (SPEC, section 4.4).
func (m *machine[E]) beginCom() {
	m.shake.begin()
	m.shake.absorb(0, []byte{sdith.PrefixCom})
}

// absorbCom commits to a leaf, whose seed is set, and absorbs the commitment. Cores hold
// it until then.
func (m *machine[E]) absorbCom(ready cycle, node int) {
	com, done := m.ciphers.pair(ready, 2*node, forCommit)
	done = m.shake.absorb(done, com)
	m.ciphers.hold(0, done)
	m.ciphers.hold(1, done)
}

// endCom leaves h_com in the hash register.
func (m *machine[E]) endCom() { m.hash.there = m.shake.squeeze(0, m.hash.data) }
