package pipeline

import (
	"crypto/subtle"
	"encoding/binary"
	"math/bits"

	"socsim/sdith"
)

// respond is phase W2: M and a_plain, then for every repetition its part of a_base and
// of the mask, then dwit and h_lines (SPEC, sections 8 and 9). Rows are needed from the
// last to the first, because the mask takes powers of z of them by Horner's rule.
func (m *machine[E]) respond() {
	m.expandM()
	m.leaves(true, false, func(e int, ready cycle) {
		m.multiplyM(e, ready)
		m.addMask(ready)
		if m.c.HalfPoly {
			m.keepWitness(e, ready)
		}
	})
	m.finishMask()
	m.maskWitness()

	h := &m.shake
	h.begin()
	h.absorb(m.hash.there, []byte{sdith.PrefixLines})
	h.absorb(m.hash.there, m.hash.data)
	m.absorbField(sigAPlain)
	h.absorbFrom(m.aBase.there, m.aBase, 0, len(m.aBase.data))
	done := m.absorbField(sigDWit)
	m.hash.there = h.squeeze(done, m.hash.data)
}

// expandM fills the memory of M, and makes a_plain of each row as it comes by.
func (m *machine[E]) expandM() {
	p, h := m.p, &m.shake
	h.begin()
	ready := h.absorb(m.hash.there, m.hash.data)
	rowSize, checked := p.CheckedBits()/8, m.u.data[p.CheckBits()/8:]
	var plain, sum byte
	ready = max(ready, m.u.there)
	for at := 0; at < len(m.m.data); {
		// A block of output, as the core gives it.
		n := min(h.rate, len(m.m.data)-at)
		block := m.m.data[at : at+n]
		ready = h.squeeze(ready, block)
		start := ready - m.m.cycles(8*n) // words are written as they come
		m.m.store(start, 8*n)
		m.u.load(start, 8*n)
		m.check.run(start, m.m.cycles(8*n), uint64(m.m.cycles(8*n)))
		for i, b := range block {
			column := (at + i) % rowSize
			sum ^= b & checked[column]
			if column < rowSize-1 {
				continue
			}
			row := (at + i) / rowSize
			plain |= (byte(bits.OnesCount8(sum)&1) ^ bitAt(m.u.data, row)) << (row % 8)
			sum = 0
			if row%8 == 7 {
				m.u.load(ready, 8)
				m.put(ready, sigAPlain, row/8, []byte{plain})
				plain = 0
			}
		}
		at += n
	}
}

// multiplyM makes the bits of a_base that repetition e has: those of its κ rows, times
// each row of M. All rows are read at once, a word a cycle.
func (m *machine[E]) multiplyM(e int, ready cycle) {
	p := m.p
	size, from, rowSize := p.VOLESize(), p.CheckBits()/8, p.CheckedBits()/8
	n := p.Kappa
	if e == p.Tau-1 {
		n = p.Lambda - e*p.Kappa // the bits above all rows are zero
	}
	for i := range p.CheckBits() {
		row := m.m.data[i*rowSize : (i+1)*rowSize]
		column := uint32(0)
		for j := range p.Kappa {
			base := m.base.data[j*size : (j+1)*size]
			column |= (uint32(parity(row, base[from:])) ^ uint32(bitAt(base, i))) << j
		}
		putWide(m.aBase.data, i*p.Lambda+e*p.Kappa, column, n)
	}

	words := p.CheckBits() * int(m.m.cycles(p.CheckedBits()))
	busy := cycle(words)
	t := &m.m.traffic[m.s.phase]
	t.read += uint64(8 * len(m.m.data))
	m.base.traffic[m.s.phase].read += uint64(p.Kappa * (8*len(m.m.data) + p.CheckBits()))
	start := max(ready, m.m.there, m.m.reads.free, m.base.reads.free)
	m.m.reads.run(start, busy, uint64(words))
	m.base.reads.run(start, busy, uint64(words))
	start = m.check.run(start+1, busy, uint64(words))
	m.aBase.traffic[m.s.phase].written += uint64(n * p.CheckBits())
	n = p.CheckBits() // one write for each row, the last of them behind it
	m.aBase.there = m.aBase.writes.run(start+busy-cycle(n)+1, cycle(n), uint64(n)) + cycle(n)
	m.base.writes.wait(start + busy)
}

// parity is that of the bits that both have set; b may be longer.
func parity(a, b []byte) int {
	var sum uint64
	for ; len(a) >= 8; a, b = a[8:], b[8:] {
		sum ^= binary.LittleEndian.Uint64(a) & binary.LittleEndian.Uint64(b)
	}
	for i, x := range a {
		sum ^= uint64(x & b[i])
	}
	return bits.OnesCount64(sum) & 1
}

// addMask takes the rows of a repetition into A_0 to A_2, the last row first.
func (m *machine[E]) addMask(ready cycle) {
	p := m.p
	for j := p.Kappa - 1; j >= 0; j-- {
		for s := range 3 {
			a := &m.elements.mask[3-s]
			at := j*p.VOLESize() + (p.CheckBits()+p.Lambda*s)/8
			row, done := m.base.read(ready, at, p.SeedSize())
			*a = m.product.add(m.product.shift(*a, 1), timed[E]{a.v.Load(row), done})
		}
	}
}

// finishMask makes P0 of A and of u: U_2, A_2 + U_1, A_1 + U_0, A_0.
func (m *machine[E]) finishMask() {
	p, a := m.p, &m.elements.mask
	us, done := m.u.read(m.u.there, p.CheckBits()/8, p.MaskBits()/8)
	for s := range 3 {
		u := timed[E]{a[0].v.Load(us[s*p.SeedSize():]), done}
		a[2-s] = m.product.add(a[2-s], u) // nothing is in a[0] yet
	}
}

// maskWitness writes dwit: the witness under its bits of u (SPEC, section 9).
func (m *machine[E]) maskWitness() {
	size := m.witnessSize()
	wit, done := m.secretKey.read(0, m.witnessAt(), size)
	u, done2 := m.u.read(m.u.there, m.p.WitnessAt()/8, size)
	var b [8]byte
	for at := 0; at < size; at += len(b) {
		n := min(len(b), size-at)
		subtle.XORBytes(b[:n], wit[at:at+n], u[at:at+n])
		if used := m.p.WitnessBits() % 8; used != 0 && at+n == size {
			b[n-1] &= 1<<used - 1
		}
		m.put(max(done, done2), sigDWit, at, b[:n])
	}
}
