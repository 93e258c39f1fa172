package pipeline

import (
	"crypto/subtle"

	"socsim/sdith"
)

// leaves is a pass over all leaves (SPEC, section 12.3), one repetition after the other,
// from the first to the last or back. It sums the streams in m.acc and m.base, and
// calls after with each repetition and when its sums are there.
func (m *machine[E]) leaves(back, committing bool, after func(e int, ready cycle)) {
	p := m.p
	var done cycle
	for k := range p.Tau {
		e := k
		if back {
			e = p.Tau - 1 - k
		}
		m.way.forget()
		for i := range p.Positions() {
			node := p.LeafNode(e, i)
			ready := m.walkTo(node, 0, forPath, m.c.Path.keeping())
			m.ciphers.setSeed(m.way.seed.data)
			if committing {
				m.absorbCom(ready, node)
			}
			done = m.sumLeaf(ready, i)
		}
		after(e, done)
	}
}

// sumLeaf adds the stream of leaf i of a repetition, whose seed is set, to the running
// sum, and that to the row it belongs to (SPEC, section 8, running form).
func (m *machine[E]) sumLeaf(ready cycle, i int) (done cycle) {
	p := m.p
	row := p.BaseRow(i)
	firstOfRow := i == 1<<row-1 // there is nothing yet to add it to
	for k, at := 0, 0; at < p.VOLESize(); k, at = k+1, at+p.BlockSize() {
		block, core, there := m.ciphers.stream(ready, k, forStream)
		n := min(p.BlockSize(), p.VOLESize()-at)
		acc := m.acc.data[at : at+n]
		base := m.base.data[row*p.VOLESize()+at:][:n]
		if i == 0 {
			copy(acc, block)
		} else {
			subtle.XORBytes(acc, acc, block[:n])
		}
		if firstOfRow {
			copy(base, acc)
		} else {
			subtle.XORBytes(base, base, acc)
		}
		done = m.bookSums(there, n)
		m.ciphers.hold(core, done)
	}
	return done
}

// bookSums books the sums of n bytes: both are read and written a word a cycle, where the
// first of them are read while the gates add nothing.
func (m *machine[E]) bookSums(ready cycle, n int) (done cycle) {
	accStart, _ := m.acc.load(ready, 8*n)
	baseStart, _ := m.base.load(ready, 8*n)
	busy := m.acc.cycles(8 * n)
	start := m.xor.run(max(accStart, baseStart)+1, busy, uint64(busy))
	return max(m.acc.store(start, 8*n), m.base.store(start, 8*n))
}

// sum is phase W1: u, the corrections, and h_aux. The hash reads the corrections back
// from the signature, because with HComInPhase12 it needs an h_com that comes after
// them.
func (m *machine[E]) sum() {
	size := m.p.VOLESize()
	if m.c.HComInPhase12 {
		m.beginCom()
	}
	m.leaves(false, m.c.HComInPhase12, func(e int, ready cycle) {
		// A word a cycle goes from memory to memory.
		acc := m.acc.data
		start, _ := m.acc.load(ready, 8*size)
		if e == 0 {
			m.u.write(start+1, 0, acc)
			return
		}
		start, _ = m.u.load(max(start, m.u.there), 8*size)
		subtle.XORBytes(acc, acc, m.u.data) // what leaves the memory; the next repetition begins anew
		m.put(start+1, sigCorrection, (e-1)*size, acc)
	})
	if m.c.HComInPhase12 {
		m.endCom()
	}
	m.shake.begin()
	m.shake.absorb(m.hash.there, []byte{sdith.PrefixAux})
	m.shake.absorb(m.hash.there, m.hash.data)
	done := m.absorbField(sigCorrection)
	m.hash.there = m.shake.squeeze(done, m.hash.data)
}

// keepLines is phase W3 of HP0: the rows of the witness, for whose memory M makes room.
func (m *machine[E]) keepLines() {
	m.leaves(false, false, m.keepWitness)
}

// keepWitness puts what the rows of repetition e have of the witness into the memory of
// the lines: a word of every row at a time into registers, and out of them a bit of every
// row a cycle.
func (m *machine[E]) keepWitness(e int, ready cycle) {
	p := m.p
	width, word := p.Kappa*p.Tau, m.turn.width
	for at := 0; at < p.WitnessBits(); at += word {
		n := min(word, p.WitnessBits()-at)
		_, there := m.base.loadAll(max(ready, m.lines.writes.free-1), n)
		for j := range p.Kappa {
			moveBits(m.turn.word(j), m.base.data, j*p.VOLEBits()+p.WitnessAt()+at, n)
		}
		for k := range n {
			column := uint32(0)
			for j := range p.Kappa {
				column |= uint32(bitAt(m.turn.word(j), k)) << j
			}
			putBits(m.lines.data, (at+k)*width+e*p.Kappa, column, p.Kappa)
			there = m.lines.store(there, p.Kappa)
		}
	}
	m.base.writes.wait(m.lines.there)
}
