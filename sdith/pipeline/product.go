package pipeline

import (
	"socsim/sdith"
	"socsim/sdith/field"
)

// timed is an element, and when it is there.
type timed[E any] struct {
	v  E
	at cycle
}

// product is the multiplier. Sums, products with powers of z and with bits are made
// where they are needed: gates between registers, a cycle each.
type product[E field.Element[E]] struct {
	unit
	busy               cycle
	sums, shifts, ands [NumPhases]uint64
}

func newProduct[E field.Element[E]](s *schedule, p *sdith.Params, costs Costs) product[E] {
	return product[E]{unit: s.newUnit("multiplier"), busy: cycle((p.Lambda + costs.Digit - 1) / costs.Digit)}
}

func (m *product[E]) reset() {
	m.unit.reset()
	m.sums, m.shifts, m.ands = [NumPhases]uint64{}, [NumPhases]uint64{}, [NumPhases]uint64{}
}

// mul returns x·y.
func (m *product[E]) mul(x, y timed[E]) timed[E] {
	start := m.run(max(x.at, y.at), m.busy, 1)
	return timed[E]{x.v.Mul(y.v), start + m.busy}
}

// add returns x + y.
func (m *product[E]) add(x, y timed[E]) timed[E] {
	m.sums[m.s.phase]++
	return m.step(x.v.Add(y.v), max(x.at, y.at))
}

// shift returns x·z^k.
func (m *product[E]) shift(x timed[E], k int) timed[E] {
	if k == 0 {
		return x
	}
	m.shifts[m.s.phase]++
	return m.step(x.v.Shift(k), x.at)
}

// and returns x if the bit is 1, or 0. It takes no cycle of its own.
func (m *product[E]) and(x timed[E], bit byte) timed[E] {
	m.ands[m.s.phase]++
	if bit == 0 {
		return timed[E]{at: x.at}
	}
	return x
}

func (m *product[E]) step(v E, ready cycle) timed[E] {
	ready = max(ready, m.s.floor)
	m.s.book(ready, ready+1)
	return timed[E]{v, ready + 1}
}
