package accel

import (
	"fmt"
	"math/bits"

	"socsim/bus"
	"socsim/clock"
	"socsim/rv32"
)

// Unit is a hash unit, however it is coupled, as a system sees it.
type Unit interface {
	Target() bus.Target                   // its registers, nil if it has none
	Instructions() []rv32.Instr           // what it adds to the core
	DMA() *DMAEngine                      // the engine that feeds it, nil if it has none
	Connect(bus.Line)                     // gives the unit its interrupt line
	Observe(func(Step))                   // lets a function see every step of the unit
	Config() Config                       // what was built, defaults written out
	Statistics(at clock.Cycle) Statistics // what it did before cycle at, which must not lie before the latest answer
}

// New returns the unit that c describes. It announces interrupts to come in
// events, which may be nil where nobody waits for them.
func New(c Config, events *clock.Queue) (Unit, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	switch c.Coupling {
	case None:
		return nil, fmt.Errorf("accelerator none: software hashing has no unit to build")
	case RAM:
		return newStateRAM(c, events, defaultTiming), nil
	case Reg, RegX:
		return newRegisterUnit(c), nil
	}
	return newEngine(c, events, defaultTiming)
}

// core is what every coupling has: a state, and the permutation that works on
// it.
type core struct {
	xof   *XOF
	state State

	// The latest permutation runs in the cycles permFrom <= c < permTo.
	permFrom, permTo clock.Cycle

	stats   Statistics
	observe func(Step)
}

// Observe lets f see every step of the unit.
func (u *core) Observe(f func(Step)) { u.observe = f }

func (u *core) report(s Step) {
	if u.observe != nil {
		u.observe(s)
	}
}

// load sets the state to these lanes, the rest to zero.
func (u *core) load(lanes []uint64) {
	u.state = State{}
	copy(u.state[:], lanes)
}

// permute runs a permutation from cycle from on.
func (u *core) permute(from clock.Cycle, rounds int, cycles clock.Cycle) {
	u.xof.Permute(&u.state, rounds)
	u.permFrom, u.permTo = from, from+cycles
	u.stats.Permutations++
	u.stats.Rounds += uint64(rounds)
	u.stats.BusyCycles += cycles
	u.report(Step{Kind: Permuted, At: u.permFrom, To: u.permTo})
}

// abandon ends a running permutation before cycle end.
func (u *core) abandon(end clock.Cycle) {
	if u.permTo > end {
		u.stats.BusyCycles -= u.permTo - end
		u.stats.Abandoned++
	}
}

// runs tells whether a permutation runs in cycle at.
func (u *core) runs(at clock.Cycle) bool { return u.permFrom <= at && at < u.permTo }

// statistics returns what happened before cycle at.
func (u *core) statistics(at clock.Cycle) Statistics {
	s := u.stats
	if u.permTo > at {
		s.BusyCycles -= u.permTo - max(at, u.permFrom)
	}
	s.IdleCycles = at - s.BusyCycles
	return s
}

// hold notes that the unit made someone wait.
func (u *core) hold(a *bus.Response, from, to clock.Cycle, why bus.Cause) {
	a.HeldFrom, a.HeldTo, a.Cause = from, to, why
	u.stats.Withheld[why] += to - from
}

// xorWord XORs a word, bytes in memory order, into word n of the state.
func (u *core) xorWord(n int, w uint32) {
	if u.xof.BigEndian {
		u.state[n/2] ^= uint64(bits.ReverseBytes32(w)) << (32 * (1 - n%2))
		return
	}
	u.state[n/2] ^= uint64(w) << (32 * (n % 2))
}

// xorByte XORs a byte into the state, counted in message order.
func (u *core) xorByte(n int, b byte) {
	u.xorWord(n/wordBytes, uint32(b)<<(8*(n%wordBytes)))
}

// word returns word n of the state, bytes in memory order.
func (u *core) word(n int) uint32 {
	if u.xof.BigEndian {
		return bits.ReverseBytes32(uint32(u.state[n/2] >> (32 * (1 - n%2))))
	}
	return uint32(u.state[n/2] >> (32 * (n % 2)))
}

// id returns the value of ID; size is what its highest bits count.
func (c Config) id(size int) uint32 {
	return uint32(size)<<idDepthShift | uint32(c.Coupling)<<idCouplingShift | uint32(c.XOF.Number)
}

// interrupt is the line of a unit and the event that announces when it rises.
type interrupt struct {
	line   bus.Line     // nil: connected to nothing
	event  *clock.Event // nil: nobody listens
	enable bool
	high   bool        // level of the line
	due    clock.Cycle // the line will rise from this cycle on, Never if not by itself
}

// Connect gives the unit its interrupt line.
func (i *interrupt) Connect(line bus.Line) { i.line = line }

// listen registers the event in a queue, which may be nil.
func (i *interrupt) listen(events *clock.Queue) {
	i.due = clock.Never
	if events != nil {
		i.event = events.Source(i.rise)
	}
}

// announce says in which cycle the line will rise by itself.
func (i *interrupt) announce(due clock.Cycle) {
	if due == i.due {
		return
	}
	i.due = due
	if i.event != nil {
		i.event.At(due)
	}
}

// overdue raises the line if that was announced for cycle at or before and the
// queue has not come to it yet.
func (i *interrupt) overdue(at clock.Cycle) {
	if i.due <= at {
		i.rise(i.due)
	}
}

// rise raises the line in the cycle announced.
func (i *interrupt) rise(at clock.Cycle) {
	i.announce(clock.Never)
	i.drive(true, at)
}

func (i *interrupt) drive(high bool, from clock.Cycle) {
	if high == i.high {
		return
	}
	i.high = high
	if i.line != nil {
		i.line(high, from)
	}
}
