package accel

import (
	"fmt"

	"socsim/bus"
	"socsim/clock"
	"socsim/fifo"
)

// Engine is a hash unit behind FIFOs: a bus target for any window, whether on
// the bus or at the load/store unit. The package comment has its semantics. New
// is the only way to make one.
type Engine struct {
	datapath
	config Config
	modes  []sponge
	mode   uint32 // value of MODE; acts at the next INIT

	// The register port serves one access a cycle, in order: next is the first
	// cycle it can grant again, turn the first in which no earlier access waits
	// any more, and waiting why that one waits.
	next, turn clock.Cycle
	waiting    bus.Cause

	interrupt
}

// newEngine makes a unit for any XOF value and any timing.
func newEngine(c Config, events *clock.Queue, t timing) (*Engine, error) {
	c = c.WithDefaults()
	e := &Engine{config: c, mode: c.XOF.Reset}
	var err error
	if e.in, err = fifo.New(c.InputDepth, t.fifo); err != nil {
		return nil, fmt.Errorf("accelerator %s: input %w", c.Name(), err)
	}
	if e.out, err = fifo.New(c.OutputDepth, t.fifo); err != nil {
		return nil, fmt.Errorf("accelerator %s: output %w", c.Name(), err)
	}
	e.xof, e.timing, e.modes = c.XOF, t, sponges(c)
	e.open(&e.modes[e.mode], 0)
	e.listen(events)
	return e, nil
}

// Target returns the registers.
func (e *Engine) Target() bus.Target { return e }

// Config returns what was built, defaults written out.
func (e *Engine) Config() Config { return e.config }

// Statistics returns what the unit did in the cycles before at, which must not
// lie before the latest answer.
func (e *Engine) Statistics(at clock.Cycle) Statistics {
	e.advance(at)
	s := e.statistics(at)
	s.InputHighWater = e.in.Statistics().HighWater
	s.OutputHighWater = e.out.Statistics().HighWater
	return s
}

// Access implements bus.Target.
func (e *Engine) Access(r bus.Request) (a bus.Response) {
	register := fifoTable.find(r)
	if register == nil {
		return fifoTable.refuse(r)
	}
	a.Role = register.Role
	switch {
	case register.port == portIn && r.Write:
		e.store(r.Data, r.At, &a)
	case register.port == portOut && !r.Write:
		e.load(r.At, &a)
	case r.Write && register.Access != ReadOnly:
		e.write(register, r.Data, r.At, &a)
	case !r.Write && register.Access != WriteOnly:
		e.read(register, r.At, &a)
	default:
		return fifoTable.refuse(r)
	}
	return a
}

// grant grants an access that has nothing to wait for but its turn.
func (e *Engine) grant(at clock.Cycle, a *bus.Response) {
	g := max(at, e.turn)
	e.overdue(g)
	if g > at && e.waiting != bus.NotHeld {
		e.hold(a, at, g, e.waiting)
	}
	e.granted(g, a)
}

// granted notes that an access was granted in cycle g and waits no longer.
func (e *Engine) granted(g clock.Cycle, a *bus.Response) {
	a.Grant, a.Valid = g, g+e.timing.answer
	e.next, e.turn, e.waiting = g+1, g+1, bus.NotHeld
}

// store is a store to DIN: granted when there is room.
func (e *Engine) store(w uint32, at clock.Cycle, a *bus.Response) {
	if e.phase != absorbing {
		*a = fault(at, "DIN written after LAST: the message has ended", "write INIT to CTRL to open the next message")
		return
	}
	at = max(at, e.turn)
	e.advance(at)
	g := at
	if e.in.Room() > at {
		g = e.room(at)
		e.hold(a, at, g, bus.InputFull)
	}
	e.push(w, g)
	e.granted(g, a)
}

// load is a load from DOUT: granted at once, answered when a word is there.
func (e *Engine) load(at clock.Cycle, a *bus.Response) {
	if e.phase == absorbing || wordBytes*e.popped >= uint64(e.outlen) {
		*a = e.nothingToLoad(at)
		return
	}
	g := max(at, e.next)
	a.Grant = g
	e.next = g + 1

	first := max(g, e.turn)
	p := first
	e.advance(first)
	if e.out.Ready() > first {
		var permuting bool
		p, permuting = e.available(first)
		if first == g { // else the reason of the load that it queues behind holds
			e.waiting = bus.OutputEmpty
			if permuting {
				e.waiting = bus.Permuting
			}
		}
	} else if first == g {
		e.waiting = bus.NotHeld
	}
	if p > g {
		e.hold(a, g+1, p+e.timing.answer, e.waiting)
	}
	a.Data = e.pop(p)
	a.Valid = p + e.timing.answer
	e.turn = p + 1
	if e.enable {
		e.schedule()
	}
}

// nothingToLoad says why DOUT cannot be read.
func (e *Engine) nothingToLoad(at clock.Cycle) bus.Response {
	switch {
	case e.phase == absorbing:
		return fault(at, "DOUT read before LAST: the message is still open", "end the message with a store to LAST")
	case e.outlen == 0:
		return fault(at, "DOUT read while OUTLEN is 0: no output is wanted", "write the number of output bytes to OUTLEN")
	}
	return fault(at, fmt.Sprintf("DOUT read beyond OUTLEN: all of the %d bytes asked for were read", e.outlen), "raise OUTLEN, or read less")
}

// read is a load from a register that does not move words.
func (e *Engine) read(register *Register, at clock.Cycle, a *bus.Response) {
	e.grant(at, a)
	e.advance(a.Grant)
	switch register.port {
	case portMode:
		a.Data = e.mode
	case portOutlen:
		a.Data = e.outlen
	case portStatus:
		a.Data = e.status(a.Grant)
		if e.permuting(a.Grant) {
			a.Role = bus.RoleBusy
		}
	case portIRQ:
		if e.doneAt(a.Grant) {
			a.Data = irqDone
		}
	case portIRQEnable:
		if e.enable {
			a.Data = irqDone
		}
	case portID:
		a.Data = e.config.id(e.config.InputDepth)
	}
}

// status returns STATUS in cycle at.
func (e *Engine) status(at clock.Cycle) uint32 {
	var s uint32
	if e.runs(at) {
		s |= statusBusy
	}
	if e.phase == absorbing {
		s |= statusAbsorbing
	} else {
		s |= statusSqueezing
	}
	switch e.in.Len() {
	case 0:
		s |= statusInEmpty
	case e.in.Depth():
		s |= statusInFull
	}
	if e.out.Ready() <= at && wordBytes*e.popped < uint64(e.outlen) {
		s |= statusOutValid
	}
	return s | uint32(min(e.in.Len(), statusCountMax))<<statusInShift | uint32(min(e.out.Len(), statusCountMax))<<statusOutShift
}

// write is a store to a register that does not move words: it acts after the
// work of the cycle of its grant.
func (e *Engine) write(register *Register, v uint32, at clock.Cycle, a *bus.Response) {
	if what, hint := e.misuse(register, v); what != "" {
		*a = fault(at, what, hint)
		return
	}
	e.grant(at, a)
	from := a.Grant + e.timing.write
	e.advance(from)
	switch register.port {
	case portControl:
		if v&controlInit != 0 {
			e.report(Step{Kind: Started, At: a.Grant})
			e.drop(from - 1)
			e.open(&e.modes[e.mode], from)
		}
	case portMode:
		e.mode = v
	case portOutlen:
		e.want(v, from)
	case portLast:
		e.report(Step{Kind: Ended, At: a.Grant})
		e.last(v, int(v>>lastBytesShift&lastBytesMask), from)
	case portIRQ:
		if v&irqDone != 0 {
			e.clearDone(from)
		}
	case portIRQEnable:
		e.enable = v&irqDone != 0
	}
	e.drive(e.enable && e.doneAt(from), from)
	e.schedule()
}

// misuse tells what is wrong with storing v to a register that does not move
// words, and the remedy.
func (e *Engine) misuse(register *Register, v uint32) (what, hint string) {
	switch register.port {
	case portMode:
		if v >= uint32(len(e.modes)) {
			return fmt.Sprintf("MODE %d written, which does not exist", v), "modes are " + e.config.XOF.modeList()
		}
	case portOutlen:
		if e.cut != 0 && v > e.cut {
			return fmt.Sprintf("OUTLEN raised from %d to %d after the last word was read, of which bytes read as zero", e.cut, v),
				"raise OUTLEN from a multiple of 4, or write INIT to CTRL before OUTLEN for the next message"
		}
	case portLast:
		if e.phase != absorbing {
			return "LAST written after LAST: the message has ended", "write INIT to CTRL to open the next message"
		}
		if n := v >> lastBytesShift & lastBytesMask; n > maxTail {
			return fmt.Sprintf("LAST written with %d tail bytes in bits 31:24", n), "give 0 to 3 tail bytes and push whole words to DIN"
		}
	}
	return "", ""
}

// schedule announces in which cycle the line will rise by itself, if it will.
func (e *Engine) schedule() {
	due := clock.Never
	if e.enable && !e.high {
		if due = e.doneFrom; !e.done {
			due = e.doneNext()
		}
	}
	e.announce(due)
}
