package pipeline

import "socsim/sdith"

// purpose is what a block of the cipher is for.
type purpose int

const (
	forCache  purpose = iota // to fill the cache
	forTree                  // to expand nodes below it, both children
	forPath                  // one child on the way from the cache to a leaf
	forRoot                  // one child on the way from the root to a node above the cache
	forCommit                // commitment to a leaf
	forStream                // stream of a leaf
	forColumn                // columns of H

	purposes = 7
)

var purposeNames = [purposes]string{"cache fill", "tree expansion", "path from cache", "path from root", "commitments", "leaf streams", "columns of H"}

// ciphers are the two cores, which have one key at a time. Each makes a block in
// latency cycles, with its round keys made beside, and then holds it until it is taken.
type ciphers struct {
	p       *sdith.Params
	c       *sdith.Cipher
	cores   [2]unit
	latency cycle
	salt    []byte

	blocks       [NumPhases][purposes]uint64
	keySchedules [NumPhases]uint64
	in, out      [64]byte // two blocks each

	total  uint64                         // blocks since the start of the signature
	tamper func(block uint64, out []byte) // nil, or changes what a core makes; for tests
}

func (s *schedule) newCiphers(p *sdith.Params, costs Costs, salt []byte) ciphers {
	c := ciphers{p: p, c: p.NewCipher(), latency: cycle(costs.Rijndael), salt: salt}
	if p.Lambda == 128 {
		c.latency = cycle(costs.AES)
	}
	c.cores = [2]unit{s.newUnit("cipher 0"), s.newUnit("cipher 1")}
	return c
}

func (c *ciphers) reset() {
	c.cores[0].reset()
	c.cores[1].reset()
	c.blocks, c.keySchedules = [NumPhases][purposes]uint64{}, [NumPhases]uint64{}
	c.total = 0
}

func (c *ciphers) phase() Phase { return c.cores[0].s.phase }

// wanted is when a seed that takes a cycle to read is to be read, so that it is there when
// a core is free.
func (c *ciphers) wanted() cycle { return min(c.cores[0].free, c.cores[1].free) - 1 }

// setSeed makes a seed the key of both cores from the next block on.
func (c *ciphers) setSeed(seed []byte) {
	c.c.SetSeed(seed)
	c.keySchedules[c.phase()]++
}

// encrypt makes block i of those in c.in on a core.
func (c *ciphers) encrypt(core, i int, ready cycle, why purpose) (done cycle) {
	n := c.p.BlockSize()
	c.c.Encrypt(c.out[i*n:(i+1)*n], c.in[i*n:(i+1)*n])
	if c.tamper != nil {
		c.tamper(c.total, c.out[i*n:(i+1)*n])
	}
	c.total++
	c.blocks[c.phase()][why]++
	return c.cores[core].run(ready, c.latency, 1) + c.latency
}

// next is the core that is free first.
func (c *ciphers) next() int {
	if c.cores[1].free < c.cores[0].free {
		return 1
	}
	return 0
}

// pair returns PAIR of the seed that was set and the tweak (SPEC, section 4.3), 2B
// bytes, made by both cores. It is there until the next block is made.
func (c *ciphers) pair(ready cycle, tweak int, why purpose) (b []byte, done cycle) {
	c.p.PairInputs(c.in[:], c.salt, uint32(tweak))
	done = max(c.encrypt(0, 0, ready, why), c.encrypt(1, 1, ready, why))
	return c.p.PairOutput(c.out[:]), done
}

// half returns one half of PAIR, B bytes, for which one block is enough: the left or
// the right child.
func (c *ciphers) half(ready cycle, tweak, side int, why purpose) (seed []byte, done cycle) {
	c.p.PairInputs(c.in[:], c.salt, uint32(tweak))
	done = c.encrypt(c.next(), side, ready, why)
	n := c.p.SeedSize()
	return c.p.PairOutput(c.out[:])[side*n : (side+1)*n], done
}

// stream returns block i of the stream of the seed that was set (SPEC, section 4.2),
// and the core that holds it.
func (c *ciphers) stream(ready cycle, i int, why purpose) (block []byte, core int, done cycle) {
	n := c.p.BlockSize()
	clear(c.in[:n])
	for at, rest := 0, i; rest > 0; at, rest = at+1, rest>>8 {
		c.in[at] = byte(rest)
	}
	core = c.next()
	done = c.encrypt(core, 0, ready, why)
	return c.out[:n], core, done
}

// hold says that what a core made last is taken at until: it can have made the next
// block no earlier.
func (c *ciphers) hold(core int, until cycle) { c.cores[core].wait(until - c.latency) }
