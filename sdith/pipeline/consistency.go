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

// expandM fills the memory of M word by word, and makes a_plain of each row as it comes by.
func (m *machine[E]) expandM() {
	p, h := m.p, &m.shake
	h.begin()
	ready := max(h.absorb(m.hash.there, m.hash.data), m.u.there)
	rowSize, checked := p.CheckedBits()/8, m.u.data[p.CheckBits()/8:]
	var plain, sum byte
	for at := 0; at < len(m.m.data); {
		n := min(h.word, len(m.m.data)-at)
		word := m.m.data[at : at+n]
		ready = h.squeeze(ready, word)
		m.m.store(ready, 8*n)
		_, there := m.u.load(ready-1, 8*n)
		done := m.check.run(max(ready, there), 1, 1) + 1
		for i, b := range word {
			column := (at + i) % rowSize
			sum ^= b & checked[column]
			if column < rowSize-1 {
				continue
			}
			row := (at + i) / rowSize
			plain |= (byte(bits.OnesCount8(sum)&1) ^ bitAt(m.u.data, row)) << (row % 8)
			sum = 0
			if row%8 == 7 {
				_, there := m.u.load(done-1, 8)
				m.put(max(done, there), sigAPlain, row/8, []byte{plain})
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
	ready = max(ready, m.m.there)
	for i := range p.CheckBits() {
		row := m.m.data[i*rowSize : (i+1)*rowSize]
		column := uint32(0)
		for j := range p.Kappa {
			base := m.base.data[j*size : (j+1)*size]
			column |= (uint32(parity(row, base[from:])) ^ uint32(bitAt(base, i))) << j
		}
		putWide(m.aBase.data, i*p.Lambda+e*p.Kappa, column, n)

		// Both words are read at a time; the bit of each row is in the words that are read last.
		start, _ := m.base.loadAll(max(ready, m.m.reads.free), p.CheckedBits())
		m.base.traffic[m.s.phase].read += uint64(p.Kappa)
		m.m.load(start, p.CheckedBits())
		busy := m.m.cycles(p.CheckedBits())
		done := m.check.run(start+1, busy, uint64(busy)) + busy
		m.aBase.store(done, n)
		m.base.writes.wait(done)
	}
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
	for s := range 3 {
		ready := max(m.u.there, a[2-s].at, a[3-s].at)
		u, done := m.u.read(ready, (p.CheckBits()+s*p.Lambda)/8, p.SeedSize())
		a[2-s] = m.product.add(a[2-s], timed[E]{a[0].v.Load(u), done}) // nothing is in a[0] yet
	}
}

// maskWitness writes dwit, word by word: the witness under its bits of u (SPEC, section 9).
func (m *machine[E]) maskWitness() {
	size, from := m.witnessSize(), m.p.WitnessAt()/8
	ready := m.elements.mask[0].at
	var b [32]byte
	for at := 0; at < size; {
		n := min(m.u.port/8, size-at)
		wit, _ := m.secretKey.read(ready, m.witnessAt()+at, n)
		u, done := m.u.read(max(m.secretKey.reads.took-1, ready), from+at, n)
		subtle.XORBytes(b[:n], wit, u)
		if used := m.p.WitnessBits() % 8; used != 0 && at+n == size {
			b[n-1] &= 1<<used - 1
		}
		m.put(done, sigDWit, at, b[:n])
		at, ready = at+n, done
	}
}
