package rv32

import (
	"socsim/bus"
	"socsim/clock"
)

// Interrupt lines and their priority, highest first: fast lines 31 to 16, then
// external, software, timer (CV32E40P.md section 7).
const (
	lineSoftware = 3
	lineTimer    = 7
	lineExternal = 11
	lineMask     = 0xffff_0000 | 1<<lineExternal | 1<<lineTimer | 1<<lineSoftware
)

var linePriority = []int{31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
	lineExternal, lineSoftware, lineTimer}

// span is a time in which a line is high: from <= t < to.
type span struct{ from, to clock.Cycle }

// line remembers its last two spans: the core looks at most one held
// instruction back, and within that time only one store and what it set off
// can have moved the line.
type line struct{ before, last span }

var noSpan = span{clock.Never, clock.Never}

func (l *line) set(high bool, from clock.Cycle) {
	switch {
	case high && l.last.to <= from: // rises again
		l.before, l.last = l.last, span{from, clock.Never}
	case high && l.last.from > from: // rises earlier than announced
		l.last = span{from, clock.Never}
	case !high && l.last.from >= from: // an announced rise is called off
		l.last, l.before = l.before, noSpan
		if l.last.from == clock.Never {
			l.last = noSpan
		}
	case !high:
		l.last.to = min(l.last.to, from)
	}
}

// first returns the first cycle t, from <= t, in which the line is high.
func (l *line) first(from clock.Cycle) clock.Cycle {
	for _, s := range [...]span{l.before, l.last} {
		if s.from != clock.Never && s.to > from {
			return max(s.from, from)
		}
	}
	return clock.Never
}

func (l *line) high(t clock.Cycle) bool { return l.first(t) == t }

// Line returns the input that drives interrupt line n: 3 software, 7 timer,
// 11 external, 16 to 31 fast. Other numbers give an input that goes nowhere.
func (h *Hart) Line(n int) bus.Line {
	if n < 0 || n > 31 || lineMask>>n&1 == 0 {
		return func(bool, clock.Cycle) {}
	}
	return func(high bool, from clock.Cycle) {
		h.lines[n].set(high, from)
		h.irqStale = true
	}
}

// firstEnabled returns the first cycle, not before from, in which a line
// enabled by mie is high, whatever mstatus.MIE says.
func (h *Hart) firstEnabled(from clock.Cycle) clock.Cycle {
	t := clock.Never
	for _, n := range linePriority {
		if h.mie>>n&1 != 0 {
			t = min(t, h.lines[n].first(from))
		}
	}
	return t
}

// cause returns the enabled line of highest priority that is high in cycle t.
func (h *Hart) cause(t clock.Cycle) int {
	for _, n := range linePriority {
		if h.mie>>n&1 != 0 && h.lines[n].high(t) {
			return n
		}
	}
	panic("BUG: rv32: no enabled line is high")
}

// levels returns mip: the lines that are high in cycle t.
func (h *Hart) levels(t clock.Cycle) uint32 {
	var m uint32
	for _, n := range linePriority {
		if h.lines[n].high(t) {
			m |= 1 << n
		}
	}
	return m
}
