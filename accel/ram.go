package accel

import (
	"fmt"

	"socsim/bus"
	"socsim/clock"
	"socsim/rv32"
)

// Bits of the registers of the state RAM that the FIFO engine's table has not.
const (
	controlStart     = 1 << 1
	controlRounds    = 8 // shift
	controlRoundsMax = 0xff

	accessCopy = 1 << 0

	ramStatusBusy = 1 << 0
	ramStatusDone = 1 << 1

	stateOffset = 0x100
)

// RAMRegisters is the register table of the state RAM, coupling ram. What both
// couplings have is at the same offsets as in Registers.
var RAMRegisters = []Register{
	{Name: "CTRL", Offset: 0x00, Access: WriteOnly, Role: bus.RoleControl, port: portControl,
		Text: "Starts a message, or a permutation.",
		Fields: []Field{
			{"INIT", 0, 1, "load the state every message starts with, clear DONE, abandon a running permutation"},
			{"START", 1, 1, "permute; not together with INIT, and not while BUSY"},
			{"ROUNDS", 8, 8, "with START: how many rounds, the last ones of the full permutation; 0 stands for all that the hash has"},
		}},
	{Name: "ACCESS", Offset: 0x04, Access: ReadWrite, Role: bus.RoleControl, port: portAccess,
		Text: "What STATE does.",
		Fields: []Field{
			{"COPY", 0, 1, "0, block: stores are XORed into the state, and only the words of the longest rate are there; 1, copy: stores replace, and the whole state is there"},
		}},
	{Name: "STATUS", Offset: 0x10, Access: ReadOnly, Role: bus.RoleStatus, port: portStatus,
		Text: "State of the unit in the cycle of the grant, which never waits.",
		Fields: []Field{
			{"BUSY", 0, 1, "a permutation runs"},
			{"DONE", 1, 1, "the permutation started since INIT has ended"},
		}},
	{Name: "IRQ", Offset: 0x14, Access: WriteOneClear, Role: bus.RoleControl, port: portIRQ,
		Text: "Interrupt cause. The line is DONE and IRQ_ENABLE.DONE.",
		Fields: []Field{
			{"DONE", 0, 1, "a permutation ended; write 1 to clear"},
		}},
	{Name: "IRQ_ENABLE", Offset: 0x18, Access: ReadWrite, Role: bus.RoleControl, port: portIRQEnable,
		Text: "Interrupt enable.",
		Fields: []Field{
			{"DONE", 0, 1, "let DONE drive the line"},
		}},
	{Name: "ID", Offset: 0x1c, Access: ReadOnly, Role: bus.RoleStatus, port: portID,
		Reset: 50<<idDepthShift | uint32(RAM)<<idCouplingShift | 1,
		Text:  "What the unit is.",
		Fields: []Field{
			{"XOF", 0, 8, "number of the hash"},
			{"COUPLING", 8, 8, "number of the coupling"},
			{"WORDS", 16, 16, "words of the state"},
		}},
	{Name: "STATE", Offset: stateOffset, Access: ReadWrite, Words: 50, Role: bus.RoleIn, port: portState,
		Text: "The state, 4 bytes in memory order a word; over Ascon 10 words. An access waits while BUSY."},
}

// StateRAM is a hash unit whose state is a memory: a bus target for any window.
// The package comment has its semantics. New is the only way to make one.
type StateRAM struct {
	core
	interrupt
	config Config
	timing timing
	rounds int  // of the full permutation
	rate   int  // words that mode block has
	copy   bool // ACCESS.COPY

	turn clock.Cycle // the first cycle in which the register port can grant again

	started bool // a permutation was started since INIT
	fresh   bool // ... and nothing was written to the state since
	pending bool // the latest permutation has yet to set DONE of IRQ
	done    bool // DONE of IRQ
}

// newStateRAM makes a unit for any XOF value and any timing; of that only write
// and answer are of interest.
func newStateRAM(c Config, events *clock.Queue, t timing) *StateRAM {
	u := &StateRAM{config: c.WithDefaults(), timing: t, rate: c.XOF.block(), rounds: c.XOF.rounds()}
	u.xof = c.XOF
	u.load(u.start())
	u.listen(events)
	return u
}

// start returns the state of every message: all modes have the same.
func (u *StateRAM) start() []uint64 { return u.xof.Modes[u.xof.Reset].Start }

// Target returns the registers.
func (u *StateRAM) Target() bus.Target { return u }

// Instructions returns none.
func (u *StateRAM) Instructions() []rv32.Instr { return nil }

// DMA returns none.
func (u *StateRAM) DMA() *DMAEngine { return nil }

// Config returns what was built, defaults written out.
func (u *StateRAM) Config() Config { return u.config }

// Statistics returns what the unit did in the cycles before at, which must not
// lie before the latest answer.
func (u *StateRAM) Statistics(at clock.Cycle) Statistics { return u.statistics(at) }

// Access implements bus.Target.
func (u *StateRAM) Access(r bus.Request) (a bus.Response) {
	register := ramTable.Find(r)
	if register == nil || r.Write && register.Access == ReadOnly || !r.Write && register.Access == WriteOnly {
		return ramTable.Refuse(r)
	}
	a.Role = register.Role
	at := max(r.At, u.turn)
	switch {
	case register.port == portState:
		u.stateWord(int(r.Addr-stateOffset)/wordBytes, r, at, &a)
	case r.Write:
		u.write(register, r.Data, at, &a)
	default:
		u.grant(at, &a)
		a.Data = u.read(register, at)
		if register.port == portStatus && u.runs(at) {
			a.Role = bus.RoleBusy
		}
	}
	return a
}

// grant grants an access in cycle g.
func (u *StateRAM) grant(g clock.Cycle, a *bus.Response) {
	u.overdue(g)
	u.settle(g)
	a.Grant, a.Valid = g, g+u.timing.answer
	u.turn = g + 1
}

// settle sets DONE if a permutation ended before cycle at.
func (u *StateRAM) settle(at clock.Cycle) {
	if u.pending && u.permTo <= at {
		u.pending, u.done = false, true
	}
}

// stateWord is an access to word n of the state. It is granted when no permutation
// runs.
func (u *StateRAM) stateWord(n int, r bus.Request, at clock.Cycle, a *bus.Response) {
	if what, hint := u.misplaced(n, r.Write); what != "" {
		*a = Fault(at, what, hint)
		return
	}
	g := at
	if u.runs(at) {
		g = u.permTo
		u.hold(a, at, g, bus.Permuting)
	}
	u.grant(g, a)
	if !r.Write {
		a.Role, a.Data = bus.RoleOut, u.core.word(n)
		u.stats.WordsOut++
		u.report(Step{Kind: Moved, At: g})
		return
	}
	w := r.Data
	if u.copy {
		w ^= u.core.word(n)
	}
	u.xorWord(n, w)
	u.fresh = false
	u.stats.WordsIn++
	u.report(Step{Kind: Absorbed, At: g})
}

// misplaced tells what is wrong with an access to word n of the state, and the
// remedy.
func (u *StateRAM) misplaced(n int, write bool) (what, hint string) {
	switch {
	case n >= u.xof.stateWords():
		return fmt.Sprintf("STATE word %d accessed: the state of %s has %d words", n, u.xof.Name, u.xof.stateWords()),
			fmt.Sprintf("use offsets 0x%x to 0x%x", stateOffset, stateOffset+wordBytes*u.xof.stateWords()-1)
	case u.copy:
	case n >= u.rate:
		return fmt.Sprintf("STATE word %d accessed in mode block, which has the %d words of the longest rate", n, u.rate),
			"move the words of a block only, or set ACCESS.COPY to move the whole state"
	case !write && !u.fresh:
		return "STATE read in mode block with nothing permuted since INIT or the latest store to it",
			"write the padding, then START to CTRL, and wait for STATUS.DONE"
	}
	return "", ""
}

// read returns a register other than STATE in cycle at.
func (u *StateRAM) read(register *Register, at clock.Cycle) (v uint32) {
	switch register.port {
	case portAccess:
		if u.copy {
			v = accessCopy
		}
	case portStatus:
		switch {
		case u.runs(at):
			v = ramStatusBusy
		case u.started:
			v = ramStatusDone
		}
	case portIRQ:
		if u.done {
			v = irqDone
		}
	case portIRQEnable:
		if u.enable {
			v = irqDone
		}
	case portID:
		v = u.config.id(u.xof.stateWords())
	}
	return v
}

// write is a store to a register other than STATE: it acts at the end of the
// cycle of its grant.
func (u *StateRAM) write(register *Register, v uint32, at clock.Cycle, a *bus.Response) {
	if what, hint := u.misuse(register, v, at); what != "" {
		*a = Fault(at, what, hint)
		return
	}
	u.grant(at, a)
	from := at + u.timing.write
	switch register.port {
	case portControl:
		u.control(v, at, from)
	case portAccess:
		u.copy = v&accessCopy != 0
	case portIRQ:
		if v&irqDone != 0 {
			u.done = false // one that ends at the end of this cycle sets it again
		}
	case portIRQEnable:
		u.enable = v&irqDone != 0
	}
	u.settle(from)
	u.drive(u.enable && u.done, from)
	due := clock.Never
	if u.enable && u.pending {
		due = u.permTo
	}
	u.announce(due)
}

// control does what a store to CTRL in cycle at asks for, from cycle from on.
func (u *StateRAM) control(v uint32, at, from clock.Cycle) {
	switch {
	case v&controlInit != 0:
		u.report(Step{Kind: Started, At: at})
		u.abandon(from)
		u.permFrom, u.permTo = from, from
		u.load(u.start())
		u.started, u.fresh, u.pending, u.done = false, false, false, false
		u.stats.Messages++
	case v&controlStart != 0:
		rounds := int(v >> controlRounds & controlRoundsMax)
		if rounds == 0 {
			rounds = u.rounds
		}
		u.permute(from, rounds, u.config.Permutation(rounds))
		u.started, u.fresh, u.pending = true, true, true
	}
}

// misuse tells what is wrong with storing v to a register other than STATE in
// cycle at, and the remedy.
func (u *StateRAM) misuse(register *Register, v uint32, at clock.Cycle) (what, hint string) {
	switch register.port {
	case portControl:
		rounds := int(v >> controlRounds & controlRoundsMax)
		switch {
		case v&controlInit != 0 && v&controlStart != 0:
			return "CTRL written with INIT and START", "write INIT, then the block, then START"
		case v&controlStart != 0 && u.runs(at):
			return "START written to CTRL while a permutation runs", "wait until STATUS.BUSY is 0, or for the interrupt"
		case v&controlStart != 0 && rounds > u.rounds:
			return fmt.Sprintf("START of %d rounds written to CTRL: the permutation of %s has %d", rounds, u.xof.Name, u.rounds),
				"give as many or fewer in ROUNDS, or 0 for all of them"
		}
	case portAccess:
		if v&^uint32(accessCopy) != 0 {
			return fmt.Sprintf("ACCESS %d written, which does not exist", v), "0 is mode block, 1 is mode copy"
		}
	}
	return "", ""
}
