package accel

import (
	"fmt"
	"math"

	"socsim/bus"
	"socsim/clock"
)

// DMABase is the window of the DMA engine on the default platform, DMALine its
// fast interrupt line.
const (
	DMABase = 0x1300_0000
	DMALine = 17
)

// Bits of the registers that the FIFO engine's table has not.
const (
	dmaControlStart = 1 << 0
	dmaControlInit  = 1 << 1
	dmaControlLast  = 1 << 2

	dmaStatusBusy = 1 << 0
	dmaStatusDone = 1 << 1

	lengthMax = 1<<16 - 1
	lengthOut = 16 // shift
)

// Memory is RAM as the DMA engine masters it.
type Memory interface {
	Holds(addr, n uint32) bool      // all of the n bytes at addr are RAM
	Load(addr uint32) uint32        // the word at addr, which RAM holds
	Store(addr, word uint32, n int) // the first n bytes of word, to RAM that holds them
}

// DMARegisters is the register table of the DMA engine.
var DMARegisters = []Register{
	{Name: "CTRL", Offset: 0x00, Access: WriteOnly, Role: bus.RoleControl, port: portControl,
		Text: "Starts a transfer.",
		Fields: []Field{
			{"START", 0, 1, "move IN bytes from SRC to the hash unit, then OUT bytes from it to DST; not while BUSY"},
			{"INIT", 1, 1, "with START: open a message first, as INIT of the hash unit does"},
			{"LAST", 2, 1, "with START: the input ends the message"},
		}},
	{Name: "SRC", Offset: 0x04, Access: ReadWrite, Role: bus.RoleControl, port: portSource,
		Text: "Address of the input in RAM, a multiple of 4. Keeps its value; a transfer that runs does not see a change."},
	{Name: "DST", Offset: 0x08, Access: ReadWrite, Role: bus.RoleControl, port: portDestination,
		Text: "Address for the output in RAM, a multiple of 4. Keeps its value; a transfer that runs does not see a change."},
	{Name: "LENGTH", Offset: 0x0c, Access: ReadWrite, Role: bus.RoleControl, port: portLength,
		Text: "How much to move. Keeps its value; a transfer that runs does not see a change.",
		Fields: []Field{
			{"IN", 0, 16, "bytes of input, a multiple of 4 without LAST"},
			{"OUT", 16, 16, "bytes of output"},
		}},
	{Name: "STATUS", Offset: 0x10, Access: ReadOnly, Role: bus.RoleStatus, port: portStatus,
		Text: "State of the engine in the cycle of the grant.",
		Fields: []Field{
			{"BUSY", 0, 1, "a transfer runs"},
			{"DONE", 1, 1, "the transfer that was started last has ended"},
		}},
	{Name: "IRQ", Offset: 0x14, Access: WriteOneClear, Role: bus.RoleControl, port: portIRQ,
		Text: "Interrupt cause. The line is DONE and IRQ_ENABLE.DONE.",
		Fields: []Field{
			{"DONE", 0, 1, "a transfer ended; write 1 to clear"},
		}},
	{Name: "IRQ_ENABLE", Offset: 0x18, Access: ReadWrite, Role: bus.RoleControl, port: portIRQEnable,
		Text: "Interrupt enable.",
		Fields: []Field{
			{"DONE", 0, 1, "DONE raises the interrupt line"},
		}},
	{Name: "ID", Offset: 0x1c, Access: ReadOnly, Role: bus.RoleStatus, port: portID,
		Reset: 42<<idDepthShift | uint32(DMA)<<idCouplingShift | 1,
		Text:  "What the hash unit is: as its ID.",
		Fields: []Field{
			{"XOF", 0, 8, "number of the hash"},
			{"COUPLING", 8, 8, "number of the coupling"},
			{"DEPTH", 16, 16, "words the input FIFO holds"},
		}},
}

// DMAEngine moves words between RAM and the FIFOs of an Engine, whose port it takes
// as long as a transfer runs: a bus target for a window of its own. The package
// comment has its semantics.
//
// It works lazily, as the Engine does, but its accesses to RAM are events: the core
// must not run past one, as both see what the other stored.
type DMAEngine struct {
	engine *Engine
	memory Memory
	interrupt
	event *clock.Event // nil: nobody listens
	turn  clock.Cycle  // the first cycle in which the register port can grant again

	source, destination, length uint32 // the registers

	// What is left of the transfer. It goes on in cycle due, Never if none runs.
	due           clock.Cycle
	from, to      uint32 // addresses
	input, output uint32 // bytes still to be read and written
	last          bool   // LAST is still to come
	word          uint32 // read in the cycle before ...
	arriving      int    // ... so many bytes of it, 0 if none was

	// The latest transfer is BUSY in the cycles begin <= c <= end, Never being the
	// end of one that runs.
	begin, end clock.Cycle
	started    bool // there was one
	pending    bool // its end has yet to set DONE of IRQ
	done       bool // DONE of IRQ

	beat clock.Cycle // the latest access to RAM, Never if there was none
}

// nowhere is the memory of an engine that masters none.
type nowhere struct{}

func (nowhere) Holds(uint32, uint32) bool { return false }
func (nowhere) Load(uint32) uint32        { return 0 }
func (nowhere) Store(_, _ uint32, _ int)  {}

func newDMAEngine(e *Engine, events *clock.Queue) *DMAEngine {
	d := &DMAEngine{engine: e, memory: nowhere{}, due: clock.Never, beat: clock.Never}
	d.listen(events)
	if events != nil {
		d.event = events.Source(func(at clock.Cycle) { d.work(at + 1) })
	}
	return d
}

// DMA returns the engine that feeds the FIFOs, nil but for coupling dma.
func (e *Engine) DMA() *DMAEngine { return e.dma }

// Master gives it the RAM it works on.
func (d *DMAEngine) Master(m Memory) { d.memory = m }

// Grant brings the engine up to cycle at, inclusive, and returns the first cycle, not
// before at, in which the data port of RAM is the core's.
func (d *DMAEngine) Grant(at clock.Cycle) clock.Cycle {
	for d.work(at + 1); d.beat == at; d.work(at + 1) {
		at++
		d.engine.stats.RAMWaits++
	}
	return at
}

// owns tells whether a transfer, which runs in cycle at, has a register of the hash
// unit to itself.
func (d *DMAEngine) owns(p port, at clock.Cycle) bool {
	d.work(at)
	switch p {
	case portControl, portOutlen, portLast, portIn, portOut:
		return d.busy(at)
	}
	return false
}

// busy returns STATUS.BUSY in cycle at.
func (d *DMAEngine) busy(at clock.Cycle) bool { return d.started && d.begin <= at && at <= d.end }

// work does the work of all cycles before to.
func (d *DMAEngine) work(to clock.Cycle) {
	if d.due >= to {
		return
	}
	for d.due < to {
		d.act(d.due)
	}
	if d.event != nil {
		d.event.At(d.due)
	}
}

// act does the transfer's work of cycle c, and that of the hash unit: none but the
// transfer can change what that does.
func (d *DMAEngine) act(c clock.Cycle) {
	e := d.engine
	e.datapath.advance(c)
	e.note(c)
	if d.arriving > 0 {
		d.arrive(c)
	}
	if d.next(c) == c {
		switch {
		case d.input > 0:
			d.fetch(c)
		case d.last:
			d.endMessage(0, 0, c)
		case d.output > 0:
			d.put(c)
		}
	}
	e.datapath.advance(c + 1)
	if e.enable {
		e.schedule()
	}
	if d.due = d.next(c + 1); d.arriving > 0 || d.input > 0 || d.last || d.output > 0 {
		return
	}
	d.due, d.end = clock.Never, c
	d.pending = true
	d.foretell()
}

// next returns the first cycle, not before c, in which the transfer goes on. The work
// of the cycle before c must have been done.
func (d *DMAEngine) next(c clock.Cycle) clock.Cycle {
	switch {
	case d.arriving > 0: // in this cycle
	case d.input >= wordBytes:
		return max(c+ramAnswer, d.engine.roomFrom()) - ramAnswer
	case d.input > 0 || d.last: // no word for the FIFO
	case d.output > 0:
		return max(c, d.engine.outputFrom())
	}
	return c
}

// fetch reads the next word from RAM.
func (d *DMAEngine) fetch(c clock.Cycle) {
	n := min(d.input, wordBytes)
	d.word, d.arriving, d.beat = d.memory.Load(d.from), int(n), c
	d.from += wordBytes
	d.input -= n
	d.engine.stats.DMALoads++
	d.engine.report(Step{Kind: Fetched, At: c})
}

// arrive takes the word that was read in the cycle before.
func (d *DMAEngine) arrive(c clock.Cycle) {
	n := d.arriving
	d.arriving = 0
	if n < wordBytes {
		d.endMessage(d.word, n, c)
		return
	}
	d.engine.push(d.word, c)
}

func (d *DMAEngine) endMessage(tail uint32, n int, c clock.Cycle) {
	d.engine.end(tail, n, c)
	d.last = false
}

// put writes the next output word to RAM.
func (d *DMAEngine) put(c clock.Cycle) {
	n := min(d.output, wordBytes)
	d.memory.Store(d.to, d.engine.pop(c), int(n))
	d.beat = c
	d.to += wordBytes
	d.output -= n
	d.engine.stats.DMAStores++
	d.engine.report(Step{Kind: Stored, At: c})
}

// Access implements bus.Target.
func (d *DMAEngine) Access(r bus.Request) (a bus.Response) {
	register := dmaTable.Find(r)
	if register == nil || r.Write && register.Access == ReadOnly || !r.Write && register.Access == WriteOnly {
		return dmaTable.Refuse(r)
	}
	a.Role = register.Role
	at := max(r.At, d.turn)
	if r.Write {
		d.write(register, r.Data, at, &a)
		return a
	}
	d.grant(at, &a)
	a.Data = d.read(register, at)
	if register.port == portStatus && d.busy(at) {
		a.Role = bus.RoleBusy
	}
	return a
}

// grant grants an access in cycle g.
func (d *DMAEngine) grant(g clock.Cycle, a *bus.Response) {
	d.work(g)
	d.overdue(g)
	d.settle(g)
	a.Grant, a.Valid = g, g+d.engine.timing.answer
	d.turn = g + 1
}

// settle sets DONE of IRQ if a transfer ended before cycle at.
func (d *DMAEngine) settle(at clock.Cycle) {
	if d.pending && d.end < at {
		d.pending, d.done = false, true
	}
}

// read returns a register in cycle at.
func (d *DMAEngine) read(register *Register, at clock.Cycle) (v uint32) {
	switch register.port {
	case portSource:
		v = d.source
	case portDestination:
		v = d.destination
	case portLength:
		v = d.length
	case portStatus:
		switch {
		case d.busy(at):
			v = dmaStatusBusy
		case d.started && d.end < at:
			v = dmaStatusDone
		}
	case portIRQ:
		if d.done {
			v = irqDone
		}
	case portIRQEnable:
		if d.enable {
			v = irqDone
		}
	case portID:
		v = d.engine.config.id(d.engine.config.InputDepth)
	}
	return v
}

// write is a store: it acts at the end of the cycle of its grant.
func (d *DMAEngine) write(register *Register, v uint32, at clock.Cycle, a *bus.Response) {
	start := register.port == portControl && v&dmaControlStart != 0
	g := at
	if start { // it passes the register port of the hash unit, too, in its turn
		g = max(at, d.engine.turn)
	}
	d.work(g)
	if what, hint := d.misuse(register, v, g); what != "" {
		*a = Fault(g, what, hint)
		return
	}
	if start {
		d.engine.grant(at, a)
	}
	d.grant(g, a)
	from := g + d.engine.timing.write
	d.work(from)
	switch register.port {
	case portControl:
		if start {
			d.start(v, g, from)
		}
	case portSource:
		d.source = v
	case portDestination:
		d.destination = v
	case portLength:
		d.length = v
	case portIRQ:
		if v&irqDone != 0 {
			d.done = false // a transfer that ends at the end of this cycle sets it again
		}
	case portIRQEnable:
		d.enable = v&irqDone != 0
	}
	d.settle(from)
	d.drive(d.enable && d.done, from)
	d.foretell()
}

// foretell announces in which cycle the line will rise by itself, if it will.
func (d *DMAEngine) foretell() {
	due := clock.Never
	if d.enable && d.pending {
		due = d.end + 1
	}
	d.announce(due)
}

// start starts a transfer at the end of cycle g: it runs from cycle from on.
func (d *DMAEngine) start(v uint32, g, from clock.Cycle) {
	e := d.engine
	e.advance(from)
	d.from, d.input = d.source, d.length&lengthMax
	d.to, d.output = d.destination, d.length>>lengthOut
	d.last = v&dmaControlLast != 0
	if v&dmaControlInit != 0 {
		e.start(g)
		e.want(d.output, from)
	} else if d.output > 0 {
		e.want(uint32(wordBytes*e.popped)+d.output, from)
	}
	e.update(from)
	d.started, d.begin, d.end = true, from, clock.Never
	e.stats.Transfers++
	d.due = d.next(from)
	if d.event != nil {
		d.event.At(d.due)
	}
}

// misuse tells what is wrong with storing v to a register in cycle at, and the
// remedy.
func (d *DMAEngine) misuse(register *Register, v uint32, at clock.Cycle) (what, hint string) {
	switch register.port {
	case portControl:
		return d.misstart(v, at)
	case portSource, portDestination:
		if v%wordBytes != 0 {
			return fmt.Sprintf("%s 0x%08x written, which is no multiple of 4", register.Name, v),
				"the engine moves whole words; what lies otherwise the core can store to DIN while no transfer runs"
		}
	}
	return "", ""
}

// misstart tells what is wrong with storing v to CTRL in cycle at, and the remedy.
func (d *DMAEngine) misstart(v uint32, at clock.Cycle) (what, hint string) {
	const whole = uint32(wordBytes - 1)
	e := d.engine
	init, last := v&dmaControlInit != 0, v&dmaControlLast != 0
	in, out := d.length&lengthMax, d.length>>lengthOut
	open := init || e.phase == absorbing
	switch {
	case v&dmaControlStart == 0:
		if init || last {
			return "CTRL written with INIT or LAST, but without START", "both belong to a transfer: set START, too"
		}
	case d.busy(at):
		return "START written to CTRL while a transfer runs", "wait until STATUS.BUSY is 0, or for the interrupt"
	case !open && last:
		return "START with LAST after LAST: the message has ended", "set INIT to open the next message, or leave LAST out to get more output"
	case !open && in > 0:
		return fmt.Sprintf("START with %d bytes of input after LAST: the message has ended", in), "set INIT to open the next message, or IN of LENGTH to 0"
	case open && !last && out > 0:
		return fmt.Sprintf("START with %d bytes of output while the message is open", out), "set LAST to end the message, or OUT of LENGTH to 0"
	case !last && in&whole != 0:
		return fmt.Sprintf("START with %d bytes of input without LAST", in), "give a multiple of 4 bytes in all transfers but the last"
	case !init && out > 0 && e.cut != 0:
		return "START with output after the last word was read, of which bytes read as zero", "get a multiple of 4 bytes in all transfers but the last, or set INIT"
	case !init && wordBytes*e.popped+uint64(out) > math.MaxUint32:
		return "START with more output than OUTLEN can count", "set INIT to open the next message"
	case in > 0 && !d.memory.Holds(d.source, (in+whole)&^whole):
		return fmt.Sprintf("DMA from nowhere: the %d bytes at SRC 0x%08x are not all in RAM", in, d.source), "put an address in RAM into SRC, and the length into IN of LENGTH"
	case out > 0 && !d.memory.Holds(d.destination, out):
		return fmt.Sprintf("DMA to nowhere: the %d bytes at DST 0x%08x are not all in RAM", out, d.destination), "put an address in RAM into DST, and the length into OUT of LENGTH"
	}
	return "", ""
}
