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

	// Words that do not pass the register port are pushed and popped in cycles in
	// which STATUS can be read: before is what it reads in the latest of them.
	before struct {
		at     clock.Cycle
		status uint32
	}

	dma *DMAEngine // nil but for coupling dma

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
	e.before.at = clock.Never
	e.listen(events)
	if c.Coupling == DMA {
		e.dma = newDMAEngine(e, events)
	}
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
	in, out := e.in.Statistics(), e.out.Statistics()
	s.InputHighWater, s.OutputHighWater = in.HighWater, out.HighWater
	s.FIFOPushes, s.FIFOPops = in.Pushes+out.Pushes, in.Pops+out.Pops
	return s
}

// Access implements bus.Target.
func (e *Engine) Access(r bus.Request) (a bus.Response) {
	register := fifoTable.Find(r)
	if register == nil {
		return fifoTable.Refuse(r)
	}
	if e.dma != nil && e.dma.owns(register.port, max(r.At, e.turn)) {
		return Fault(r.At, register.Name+" accessed while a DMA transfer runs, which has the message to itself",
			"wait until BUSY of the DMA engine is 0, or for its interrupt")
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
		return fifoTable.Refuse(r)
	}
	return a
}

// advance does the work of all cycles before to, that of the DMA engine included.
func (e *Engine) advance(to clock.Cycle) {
	if e.dma != nil {
		e.dma.work(to)
	}
	e.datapath.advance(to)
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
		what, hint := afterLast("DIN written")
		*a = Fault(at, what, hint)
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

// afterLast says why an access cannot add to the message.
func afterLast(access string) (what, hint string) {
	return access + " after LAST: the message has ended", "write INIT to CTRL to open the next message"
}

// load is a load from DOUT: granted at once, answered when a word is there.
func (e *Engine) load(at clock.Cycle, a *bus.Response) {
	if what, hint := e.nothingToLoad("DOUT read"); what != "" {
		*a = Fault(at, what, hint)
		return
	}
	g := max(at, e.next)
	a.Grant = g
	e.next = g + 1
	p := e.await(g)
	if p > g {
		e.hold(a, g+1, p+e.timing.answer, e.waiting)
	}
	a.Data = e.take(p)
	a.Valid = p + e.timing.answer
}

// await returns the first cycle, not before at, in which whoever asks for an output
// word in cycle at can pop it, and notes why that waits, if it does.
func (e *Engine) await(at clock.Cycle) (p clock.Cycle) {
	p = max(at, e.turn)
	e.advance(p)
	if e.out.Ready() > p {
		p = e.available(p)
	}
	switch {
	case p == at:
		e.waiting = bus.NotHeld
	case e.permuted(at):
		e.waiting = bus.Permuting
	default:
		e.waiting = bus.OutputEmpty
	}
	return p
}

// take pops an output word in cycle p.
func (e *Engine) take(p clock.Cycle) uint32 {
	w := e.pop(p)
	e.turn = p + 1
	if e.enable {
		e.schedule()
	}
	return w
}

// nothingToLoad says why there is no output word for an access, if there is none.
func (e *Engine) nothingToLoad(access string) (what, hint string) {
	switch {
	case e.phase == absorbing:
		return access + " before LAST: the message is still open", "end the message with a store to LAST"
	case e.outlen == 0:
		return access + " while OUTLEN is 0: no output is wanted", "write the number of output bytes to OUTLEN"
	case wordBytes*e.popped >= uint64(e.outlen):
		return fmt.Sprintf("%s beyond OUTLEN: all of the %d bytes asked for were read", access, e.outlen), "raise OUTLEN, or read less"
	}
	return "", ""
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
	if e.before.at == at {
		return e.before.status
	}
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

// note keeps STATUS of cycle at, before a word passes in it. The work before at must
// have been done.
func (e *Engine) note(at clock.Cycle) {
	e.before.status = e.status(at)
	e.before.at = at
}

// write is a store to a register that does not move words: it acts after the
// work of the cycle of its grant.
func (e *Engine) write(register *Register, v uint32, at clock.Cycle, a *bus.Response) {
	if what, hint := e.misuse(register, v); what != "" {
		*a = Fault(at, what, hint)
		return
	}
	e.grant(at, a)
	from := a.Grant + e.timing.write
	e.advance(from)
	switch register.port {
	case portControl:
		if v&controlInit != 0 {
			e.start(a.Grant)
		}
	case portMode:
		e.mode = v
	case portOutlen:
		e.want(v, from)
	case portLast:
		e.end(v, int(v>>lastBytesShift&lastBytesMask), a.Grant)
	case portIRQ:
		if v&irqDone != 0 {
			e.clearDone(from)
		}
	case portIRQEnable:
		e.enable = v&irqDone != 0
	}
	e.update(from)
}

// start opens a message in the mode of MODE at the end of cycle at.
func (e *Engine) start(at clock.Cycle) {
	e.report(Step{Kind: Started, At: at})
	from := at + e.timing.write
	e.drop(from - 1)
	e.open(&e.modes[e.mode], from)
}

// end ends the message with n tail bytes at the end of cycle at.
func (e *Engine) end(tail uint32, n int, at clock.Cycle) {
	e.report(Step{Kind: Ended, At: at})
	e.last(tail, n, at+e.timing.write)
}

// update drives the line after a write that acts from cycle from on.
func (e *Engine) update(from clock.Cycle) {
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
			return afterLast("LAST written")
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
