package pipeline

import (
	"socsim/sdith"
)

// batch is phase B: the challenge, and ybar, which S starts with (SPEC, section 9).
func (m *machine[E]) batch() {
	p, h := m.p, &m.shake
	h.begin()
	ready := h.absorb(m.hash.there, m.hash.data)
	for i := range m.gammas.words {
		gamma := m.gammas.word(i)
		ready = h.squeeze(ready, gamma)
		m.gammas.store(ready, p.Lambda)
	}
	m.elements.sum[0] = m.limbSum(m.secretKey, m.syndromeAt(), m.syndromeSize(), 0)
}

// gamma returns γ_i, or behind the four of them γ', read not before ready.
func (m *machine[E]) gamma(i int, ready cycle) timed[E] {
	var e E
	b, done := m.gammas.read(max(ready, m.gammas.there), i*m.p.SeedSize(), m.p.SeedSize())
	return timed[E]{e.Load(b), done}
}

// wanted is when an operand that takes so many cycles to read is to be read: so that it is
// there when the multiplier is free, but not while the one before is still in the register.
func (m *product[E]) wanted(cycles cycle) cycle { return max(m.free-cycles, m.took-1) }

// limbSum returns Σ γ_k·limb_k of the c bits of a memory from byte at on: four products.
// Limbs are read when they are wanted, and not before ready.
func (m *machine[E]) limbSum(from *memory, at, bytes int, ready cycle) timed[E] {
	var sum timed[E]
	size := m.p.SeedSize()
	for k := range limbs {
		n := max(0, min(size, bytes-k*size))
		limb := m.operand[:size]
		ready := max(ready, m.product.wanted(from.cycles(8*n)))
		clear(limb[copy(limb, from.data[at+min(k*size, bytes):][:n]):])
		there := ready
		if n > 0 {
			_, there = from.load(ready, 8*n)
		}
		term := m.product.mul(m.gamma(k, max(ready, there-1)), timed[E]{sum.v.Load(limb), there})
		if k == 0 {
			sum = term
		} else {
			sum = m.product.add(sum, term)
		}
	}
	return sum
}

// mux is the multiplexer tree of a block (SPEC, section 9) while elements go through it
// one by one: of every level the first element of the run that is open, and the sum of
// the run. What comes to level j has degree j (SPEC, section 12.6).
type mux[E any] struct {
	g     [1]timed[E]             // what comes to level 0
	first [1 + 2 + 3 + 4]timed[E] // level after level
	sum   [2 + 3 + 4 + 5]timed[E]

	place [levels]int   // which element of its run a level takes next
	taken [levels]int   // elements of the block so far
	free  [levels]cycle // when the registers of a level can be written anew
}

// levels is d, the levels of a multiplexer tree.
const levels = 4

// run returns the registers of level j.
func (t *mux[E]) run(j int) (first, sum []timed[E]) {
	return t.first[j*(j+1)/2:][:j+1], t.sum[j*(j+3)/2:][:j+2]
}

// prove is phase X: the columns of H come from the cipher, each is batched, and what
// that gives goes through the multiplexers, block after block. Unit columns come first,
// and take no product but with z.
func (m *machine[E]) prove() error {
	p, t := m.p, &m.elements.mux
	seed, done := m.secretKey.read(0, m.seedPKAt(), p.SeedSize())
	m.ciphers.setSeed(seed)
	stream, g := columns{ready: done}, &t.g[0]
	var free cycle // when g can be written anew
	for b := range p.Weight {
		t.place, t.taken = [levels]int{}, [levels]int{}
		for i := range p.BlockLength {
			x := b*p.BlockLength + i
			switch {
			case x >= p.Codim:
				*g = m.nextColumn(&stream)
			case x%p.Lambda == 0:
				*g = m.gamma(x/p.Lambda, free)
			default:
				*g = m.product.shift(*g, 1)
			}
			g.at = max(g.at, free)
			free = m.push(b, 0, t.g[:])
		}
		m.unitary(b)
	}
	var zero E
	if m.elements.sum[0].v != zero {
		return ErrWitness
	}
	return nil
}

// columns is where the stream of H is.
type columns struct {
	ready  cycle    // when the key is there
	block  int      // number of the next block
	bits   int      // bits of the columns so far that came from blocks
	filled cycle    // when they were
	freed  [2]cycle // when the two columns of the memory were used
	number int      // of the next column
}

// nextColumn returns g of the next column. Its blocks are made as soon as the column two
// before it is used, of which it takes the place; what a block has more goes to the
// place of the next column.
func (m *machine[E]) nextColumn(c *columns) timed[E] {
	p := m.p
	size := p.Codim / 8
	end := 8 * size * (c.number + 1)
	for c.bits < end {
		// A block may reach into the column behind, which so must be free as well.
		free := max(c.ready, c.freed[c.number%2])
		if c.bits+8*p.BlockSize() > end {
			free = max(free, c.freed[(c.number+1)%2])
		}
		block, core, done := m.ciphers.stream(free, c.block, forColumn)
		for i, v := range block {
			m.columns.data[(c.bits/8+i)%(2*size)] = v
		}
		c.bits += 8 * p.BlockSize()
		c.block++
		c.filled = m.columns.store(done, 8*p.BlockSize())
		m.ciphers.hold(core, c.filled)
	}
	g := m.limbSum(m.columns, c.number%2*size, size, c.filled)
	c.freed[c.number%2] = g.at
	c.number++
	return g
}

// push takes an element, of degree j, into level j of the multiplexer of block b. The
// last of a run, or of the level, makes one of the next level, and that of the last
// level goes to S. It returns when the registers with the element are no longer needed.
func (m *machine[E]) push(b, j int, x []timed[E]) (taken cycle) {
	p, t, u := m.p, &m.elements.mux, &m.product
	first, sum := t.run(j)
	if k := t.place[j]; k == 0 {
		for i, c := range x {
			c.at = max(c.at, t.free[j])
			first[i], sum[i] = c, c
			taken = max(taken, c.at+1)
		}
		sum[j+1] = timed[E]{at: taken}
	} else {
		bit, bitAt, slope := m.line(b, p.Mu[:j], k-1, x[0].at)
		for i := range x {
			d := u.add(x[i], first[i])
			term := u.and(d, bit)
			term.at = max(term.at, bitAt)
			sum[i] = u.add(sum[i], term)
			sum[i+1] = u.add(sum[i+1], u.mul(slope, d))
		}
		taken = u.took
	}
	t.place[j]++
	t.taken[j]++
	if t.place[j] < p.Mu[j] && t.taken[j] < m.elementsOf(j) {
		return taken
	}
	t.place[j] = 0
	if j < levels-1 {
		t.free[j] = m.push(b, j+1, sum)
		return taken
	}
	for i, term := range sum {
		m.elements.sum[i] = u.add(m.elements.sum[i], term)
		t.free[j] = max(t.free[j], m.elements.sum[i].at)
	}
	return taken
}

// elementsOf is how many elements level j takes of a block.
func (m *machine[E]) elementsOf(j int) int {
	n := m.p.BlockLength
	for _, mu := range m.p.Mu[:j] {
		n = (n + mu - 1) / mu
	}
	return n
}

// line returns control line k of the level after those with the choices before, of block
// b: a bit of the witness, when it is there, and a word of the lines' memory. They are
// read not before ready.
func (m *machine[E]) line(b int, before []int, k int, ready cycle) (bit byte, at cycle, slope timed[E]) {
	for _, mu := range before {
		k += mu - 1
	}
	k += b * m.p.ControlBits()
	width := m.p.Kappa * m.p.Tau
	ready = max(ready, m.lines.there, m.product.wanted(m.lines.cycles(width)))
	_, at = m.secretKey.load(ready, 1)
	element := m.operand[:m.p.SeedSize()]
	moveBits(element, m.lines.data, k*width, width)
	_, there := m.lines.load(ready, width)
	return bitAt(m.secretKey.data[m.witnessAt():], k), at, timed[E]{slope.v.Load(element), there}
}

// unitary adds γ'_b Σ_j z^(32j) D_{b,j} to S (SPEC, section 9). At most one control bit
// of a level is set, so that products with what has no X in it are shifts, and D has no
// constant term.
func (m *machine[E]) unitary(b int) {
	p, u := m.p, &m.product
	var d1, d2 timed[E]
	for j := len(p.Mu) - 1; j >= 0; j-- {
		mu := p.Mu[j]
		var s1, s2, e1 timed[E]
		var set, setAt = false, 0
		for k := range mu - 1 {
			bit, _, c := m.line(b, p.Mu[:j], k, max(s1.at, s2.at, e1.at)-1)
			if bit == 1 {
				set, setAt = true, k
			}
			s1 = u.add(s1, u.shift(c, k))
			if k < mu-2 {
				s2 = u.add(s2, u.shift(c, (mu-1)*k))
				e1 = u.add(e1, u.shift(c, mu*k)) // s3
			}
		}
		if set {
			e1 = u.add(e1, u.shift(s2, setAt))
			if setAt < mu-2 {
				e1 = u.add(e1, u.shift(s1, (mu-1)*setAt))
			}
		}
		d1 = u.add(u.shift(d1, 32), e1)
		d2 = u.add(u.shift(d2, 32), u.mul(s1, s2))
	}
	gamma := m.gamma(limbs+b, max(d1.at, d2.at)-1)
	for i, d := range [...]timed[E]{d1, d2} {
		m.elements.sum[i+1] = u.add(m.elements.sum[i+1], u.mul(gamma, d))
	}
}

// publish is phase H: α and h_piop (SPEC, section 9).
func (m *machine[E]) publish() {
	p, h := m.p, &m.shake
	for i, c := range m.elements.mask {
		alpha := m.product.add(c, m.elements.sum[i+1])
		m.put(alpha.at, sigAlpha, i*p.SeedSize(), alpha.v.Bytes())
	}
	h.begin()
	h.absorb(m.hash.there, []byte{sdith.PrefixPIOP})
	h.absorbFrom(m.hash.there, m.secretKey, m.seedPKAt(), p.SeedSize())
	h.absorb(m.hash.there, m.hash.data)
	m.absorbField(sigAlpha)
	done := h.absorbFrom(0, m.message, 0, m.messageSize)
	m.hash.there = h.squeeze(done, m.hash.data)
	m.put(m.hash.there, sigHPIOP, 0, m.hash.data)
}
