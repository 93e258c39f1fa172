package rv32

import "socsim/clock"

// Exceptions of this core (privileged manual, mcause).
const (
	causeIllegal    = 2
	causeBreakpoint = 3
	causeECall      = 11
	causeInterrupt  = 1 << 31
)

// regA0 is where a semihosting call leaves its result.
const regA0 = 10

// trap saves the state of the instruction at hand and moves to the handler.
func (h *Hart) trap(cause uint32, handler uint32) {
	h.mepc, h.mcause = h.pc, cause
	h.mstatus = h.mstatus&^(mstatusMIE|mstatusMPIE) | h.mstatus&mstatusMIE<<4
	h.irqStale = true
	h.trapDepth++
	h.pc = handler
}

// exception takes a synchronous exception at the instruction at hand, which
// does not retire.
func (h *Hart) exception(cause uint32, slot clock.Cycle) {
	handler := h.mtvec &^ 0xff
	if handler == h.pc { // and so on for ever: interrupts are off in a handler
		h.stop = &Stop{Reason: StopSelfLoop, PC: h.pc}
		return
	}
	h.switchTo(h.cfg.TrapClass, h.now)
	h.flushPipe(slot, h.pc)
	h.trap(cause, handler)
	h.retire.Trap = true
}

// preempted takes an interrupt in place of the instruction of op i, if one is
// due while that waits in ID (section 7).
func (h *Hart) preempted(i uint32) bool {
	if h.mstatus&mstatusMIE == 0 || h.mie == 0 {
		return false
	}
	p := &h.pipe
	// Q is in ID in cycles I <= c < E; the core sees the line one cycle late.
	from, before := max(p.id, 1)-1, h.now-1
	due := h.firstEnabled(from)
	for due >= before && h.cfg.Events.Next() < before {
		h.cfg.Events.Advance(h.cfg.Events.Next())
		due = h.firstEnabled(from)
	}
	if due >= before {
		return false
	}
	r := due + 1
	d := &h.code.from[i].dec
	use := h.code.from[i].use
	var w clock.Cycle // the killed instruction keeps its operand waits
	if use.reads1 && d.Rs1 != 0 {
		w = p.loaded[d.Rs1]
	}
	if use.reads2 && d.Rs2 != 0 {
		w = max(w, p.loaded[d.Rs2])
	}
	if d.Op == JALR {
		w = max(w, p.base)
	}
	u := max(r+1, p.x, w)
	if u > p.x {
		u = max(u, p.rho)
	}
	h.interrupt(h.cause(due), max(r, p.x+1))
	p.id = u + 1
	return true
}

// interrupt moves to the handler of line n; the cycles from t on are the
// trap's.
func (h *Hart) interrupt(n int, t clock.Cycle) {
	h.switchTo(h.cfg.TrapClass, t)
	handler := h.mtvec &^ 0xff
	if h.mtvec&1 != 0 {
		handler += 4 * uint32(n)
	}
	h.trap(causeInterrupt|uint32(n), handler)
}

// interruptible tells whether an interrupt can still come to a program that
// does nothing any more, or someone else at the port of RAM can change it.
func (h *Hart) interruptible() bool {
	if h.code.stale || h.cfg.Grant != nil && h.cfg.Events.Next() != clock.Never {
		return true
	}
	if h.mstatus&mstatusMIE == 0 || h.mie == 0 {
		return false
	}
	return h.firstEnabled(h.now) != clock.Never || h.cfg.Events.Next() != clock.Never
}

func (h *Hart) execMRET(d *Decoded) {
	target := h.mepc
	h.flushPipe(slotMRET+h.mis32(target), target)
	h.mstatus = h.mstatus&^mstatusMIE | h.mstatus&mstatusMPIE>>4 | mstatusMPIE
	h.irqStale = true
	h.trapDepth = max(h.trapDepth-1, 0)
	h.retire.CSRValid, h.retire.CSR, h.retire.CSRValue = true, csrMstatus, h.mstatus
	h.done(d)
}

// execCall runs ecall and ebreak: the host may handle them, else they trap.
func (h *Hart) execCall(d *Decoded) {
	handle, cause := h.cfg.Ecall, uint32(causeECall)
	if d.Op == EBREAK {
		handle, cause = h.cfg.Ebreak, causeBreakpoint
	}
	if handle != nil && handle(h) {
		// The real core has no such host; it is charged like the exception.
		h.flushPipe(slotTrap, h.pc+uint32(d.Len))
		h.done(d)
		if d.Op == EBREAK { // a semihosting call
			h.retire.RdValid, h.retire.Rd, h.retire.RdValue = true, regA0, h.X(regA0)
		}
		return
	}
	h.exception(cause, slotTrap)
}

// execWFI sleeps until a line enabled by mie is high, whatever mstatus.MIE
// says (section 7).
func (h *Hart) execWFI() {
	p := &h.pipe
	p.ex, p.x = h.now, max(h.now, p.rho)
	p.wroteNothing()
	h.asleepFrom = p.x + wfiEntry
	h.sleeping = true
	h.doze()
}

// doze sleeps on from h.asleepFrom. Where the limit of the run comes first, it
// stops in the middle of the sleep and is called again when the run goes on.
func (h *Hart) doze() {
	events := h.cfg.Events
	events.Advance(h.asleepFrom)
	wake, last := h.firstEnabled(h.asleepFrom), h.asleepFrom
	for wake > events.Next() && events.Next() <= h.until {
		last = events.Next()
		events.Advance(last)
		wake = h.firstEnabled(h.asleepFrom)
	}
	switch {
	case wake == clock.Never && events.Next() == clock.Never:
		h.sleepUntil(last) // until devices have done what they were at
		h.now = max(h.now, last)
		h.stop = &Stop{Reason: StopAsleepForever, PC: h.pc}
		return
	case wake > h.until:
		h.sleepUntil(max(h.until, h.asleepFrom))
		h.now = max(h.now, h.until)
		h.stop = &Stop{Reason: StopCycles, PC: h.pc}
		return
	}
	h.sleepUntil(wake)
	h.sleeping = false
	d := &h.code.from[h.lookup(h.pc)].dec
	h.done(d)
	if h.mstatus&mstatusMIE == 0 {
		h.next(h.pc+uint32(d.Len), wake+wfiWake)
		return
	}
	h.pc += uint32(d.Len)
	h.interrupt(h.cause(wake), wake)
	h.pipe.id = wake + wfiWakeVector
}

func (h *Hart) sleepUntil(t clock.Cycle) {
	if t > h.asleepFrom {
		h.ledger.sleep(h.cfg.SleepClass, h.asleepFrom, t)
		h.counters.skipSleep(h.asleepFrom, t)
		h.asleepFrom = t
	}
}
