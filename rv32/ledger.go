package rv32

import (
	"socsim/bus"
	"socsim/clock"
)

// ledger books every elapsed cycle exactly once: under the class of the
// instruction it belongs to, under the cause for which a device withheld an
// answer, under trap or under sleep. Cycles before mark are booked; from mark
// on they belong to class.
//
// An instruction owns the cycles from its first in EX up to the next one's. A
// load or store outside RAM owns those until its answer, too.
type ledger struct {
	class    uint8
	mark     clock.Cycle
	byClass  [256]clock.Cycle
	withheld [bus.Causes]clock.Cycle
	asleep   clock.Cycle
	stalled  clock.Cycle
}

// switchTo books the cycles before t and lets those from t on belong to class.
func (l *ledger) switchTo(class uint8, t clock.Cycle) {
	if t > l.mark {
		l.byClass[l.class] += t - l.mark
		l.mark = t
	}
	l.class = class
}

// access books a bus access in the cycles from <= c < to: what the device
// withheld under its cause, the rest under class.
func (l *ledger) access(class uint8, from, to clock.Cycle, r *bus.Response, trapped bool) {
	l.switchTo(l.class, from)
	from = max(from, l.mark)
	if to <= from {
		return
	}
	own := to - from
	if a, b := max(r.HeldFrom, from), min(r.HeldTo, to); a < b && !trapped {
		l.withheld[r.Cause] += b - a
		own -= b - a
	}
	l.byClass[class] += own
	l.mark = to
}

// stall counts the cycles from <= c < to as stalled, but for those that an earlier access has
// booked. It comes before whatever books them.
func (l *ledger) stall(from, to clock.Cycle) {
	if from = max(from, l.mark); from < to {
		l.stalled += to - from
	}
}

// sleep books the cycles from <= c < to as asleep.
func (l *ledger) sleep(class uint8, from, to clock.Cycle) {
	l.switchTo(l.class, from)
	l.byClass[class] += to - from
	l.asleep += to - from
	l.mark = to
}

// ClassCycles returns the cycles booked under a class up to Cycle, without
// those withheld by devices.
func (h *Hart) ClassCycles(class uint8) clock.Cycle {
	h.switchTo(h.ledger.class, h.now)
	return h.byClass[class]
}

// HeldCycles returns the cycles devices withheld for a cause.
func (h *Hart) HeldCycles(cause bus.Cause) clock.Cycle { return h.withheld[cause] }

// Asleep returns the elapsed cycles spent asleep.
func (h *Hart) Asleep() clock.Cycle { return h.asleep }

// Stalled returns the cycles in which the core, awake, waited for what is not the core: the
// grant or the answer of an access, or the unit that holds a custom instruction. The first cycle
// of an instruction is one of them only if an earlier access waits in it, too; the
// pipeline's own waits, as for a load from RAM or behind a jump, are not.
func (h *Hart) Stalled() clock.Cycle { return h.stalled }
