package rv32

import (
	"fmt"

	"socsim/clock"
)

// CSR numbers, from the privileged manual and the CV32E40P user manual.
const (
	csrMstatus       = 0x300
	csrMisa          = 0x301
	csrMie           = 0x304
	csrMtvec         = 0x305
	csrMcountinhibit = 0x320
	csrMhpmevent3    = 0x323
	csrMscratch      = 0x340
	csrMepc          = 0x341
	csrMcause        = 0x342
	csrMtval         = 0x343
	csrMip           = 0x344
	csrTselect       = 0x7a0
	csrTdata1        = 0x7a1
	csrTdata2        = 0x7a2
	csrTdata3        = 0x7a3
	csrTinfo         = 0x7a4
	csrMcycle        = 0xb00
	csrMinstret      = 0xb02
	csrMcycleh       = 0xb80
	csrMinstreth     = 0xb82
	csrMvendorid     = 0xf11
	csrMarchid       = 0xf12
	csrMimpid        = 0xf13
	csrMhartid       = 0xf14
)

// Values and fields (CV32E40P user manual, control and status registers).
const (
	mstatusMIE  = 1 << 3
	mstatusMPIE = 1 << 7
	mstatusMPP  = 3 << 11 // machine mode is all there is

	misaValue     = 1<<30 | 1<<12 | 1<<8 | 1<<2 // RV32IMC
	vendorOpenHW  = 0x602
	archCV32E40P  = 4
	tdata1Value   = 0x2800_1040 // an address trigger that enters debug mode, disarmed
	tinfoValue    = 1 << 2      // the one trigger is of type 2
	mtvecMask     = 0xffff_ff01
	mcauseMask    = 0x8000_001f
	inhibitCycle  = 1 << 0
	inhibitRetire = 1 << 2
	inhibitHPM3   = 1 << 3
	inhibitReset  = inhibitCycle | inhibitRetire | inhibitHPM3 // all there are stand still
)

type csrs struct {
	mstatus, mie, mtvec, mscratch, mepc, mcause uint32
	mhpmevent3                                  uint32
}

func (c *csrs) reset() {
	*c = csrs{mstatus: mstatusMPP, mtvec: 1}
}

// counters hold mcycle and minstret as values that stood at a moment: mcycle
// was cycleValue in cycle cycleAt, minstret was retireValue after retireAt
// instructions.
type counters struct {
	inhibit     uint32
	cycleValue  uint64
	cycleAt     clock.Cycle
	retireValue uint64
	retireAt    uint64
	inhibited   clock.Cycle // awake cycles mcycle stood still, closed intervals
	stopped     bool        // a counter was read while it stood still
	set         bool        // the program wrote mcycle
	hpm3        uint64      // mhpmcounter3
	counting    bool        // it counts something
	countedTo   clock.Cycle // awake cycles it has counted
}

func (c *counters) reset() { *c = counters{inhibit: inhibitReset} }

// cycle returns mcycle in cycle t.
func (c *counters) cycle(t clock.Cycle) uint64 {
	if c.inhibit&inhibitCycle != 0 || t < c.cycleAt {
		return c.cycleValue
	}
	return c.cycleValue + uint64(t-c.cycleAt)
}

// retired returns minstret.
func (h *Hart) retired() uint64 {
	if h.inhibit&inhibitRetire != 0 {
		return h.retireValue
	}
	return h.retireValue + h.instret - h.retireAt
}

// Inhibited returns the elapsed cycles, sleep apart, in which mcountinhibit
// held mcycle still.
func (h *Hart) Inhibited() clock.Cycle {
	n := h.inhibited
	if t := h.Cycle(); h.inhibit&inhibitCycle != 0 && t > h.cycleAt {
		n += t - h.cycleAt
	}
	return n
}

// CheckCounters compares mcycle with the elapsed cycles less those asleep and
// inhibited. They differ by a bug of the model only, unless the program wrote
// mcycle; then there is nothing to compare.
func (h *Hart) CheckCounters() error {
	t := h.Cycle()
	want := uint64(t - h.Asleep() - h.Inhibited())
	if got := h.counters.cycle(t); !h.set && got != want {
		return fmt.Errorf("rv32: mcycle is %d, elapsed - asleep - inhibited is %d", got, want)
	}
	return nil
}

// CountersReadWhileStopped tells whether the program read a cycle or
// instruction counter that mcountinhibit holds still: a hint worth giving.
func (h *Hart) CountersReadWhileStopped() bool { return h.stopped }

// setInhibit writes mcountinhibit in the first EX cycle e of the write.
func (h *Hart) setInhibit(v uint32, e clock.Cycle) {
	v &= inhibitReset
	c := &h.counters
	if (v^c.inhibit)&inhibitCycle != 0 { // section 8: takes effect in e+1
		if v&inhibitCycle == 0 {
			c.inhibited += e + 1 - c.cycleAt
		} else {
			c.cycleValue = c.cycle(e + 1)
		}
		c.cycleAt = e + 1
	}
	if (v^c.inhibit)&inhibitRetire != 0 {
		if v&inhibitRetire != 0 { // setting it is itself counted
			c.retireValue = h.retired() + 1
		}
		c.retireAt = h.instret + 1 // clearing it is not
	}
	c.inhibit = v
	h.watchEvents(e)
}

// fastCSR tells whether an access to CSR n takes one cycle; the others flush
// the pipe (section 1).
func fastCSR(n uint32) bool {
	switch n {
	case csrMisa, csrMie, csrMip, csrMscratch, csrMtval, csrMvendorid, csrMarchid, csrMimpid, csrMhartid,
		csrTselect, csrTdata1, csrTdata2, csrTdata3, csrTinfo:
		return true
	}
	return false
}

// knownCSR tells which CSRs there are.
var knownCSR = func() (known [4096]bool) {
	var h Hart
	for n := range known {
		_, known[n] = h.readCSR(uint32(n), 0)
	}
	return known
}()

// writesCSR tells whether a CSR instruction writes, as csrrs and csrrc with x0
// or 0 do not.
func writesCSR(d *Decoded) bool {
	return d.Op == CSRRW || d.Op == CSRRWI || d.Rs1 != 0
}

// illegalCSR tells whether a CSR instruction is illegal: there is no such CSR,
// or it would write a read-only one.
func illegalCSR(d *Decoded) bool {
	n := uint32(d.Imm) & 0xfff
	return !knownCSR[n] || n>>10 == 3 && writesCSR(d)
}

// readCSR returns the value of CSR n in cycle t, and whether it exists.
func (h *Hart) readCSR(n uint32, t clock.Cycle) (uint32, bool) {
	switch n {
	case csrMstatus:
		return h.mstatus, true
	case csrMisa:
		return misaValue, true
	case csrMie:
		return h.mie, true
	case csrMtvec:
		return h.mtvec, true
	case csrMcountinhibit:
		return h.inhibit, true
	case csrMscratch:
		return h.mscratch, true
	case csrMepc:
		return h.mepc, true
	case csrMcause:
		return h.mcause, true
	case csrMip: // the registered copy: the lines one cycle before
		return h.levels(max(t, 1) - 1), true
	case csrMvendorid:
		return vendorOpenHW, true
	case csrMarchid:
		return archCV32E40P, true
	case csrTdata1:
		return tdata1Value, true
	case csrTinfo:
		return tinfoValue, true
	case csrMtval, csrMimpid, csrMhartid, csrTselect, csrTdata2, csrTdata3:
		return 0, true
	case csrMhpmevent3:
		return h.mhpmevent3, true
	}
	// Counters: machine (b00), machine high (b80), user (c00), user high (c80).
	var v uint64
	switch index := n & 0x1f; {
	case n>>5 == csrMcountinhibit>>5:
		return 0, index >= 3 // mhpmevent4 to 31 are wired to 0
	case n>>8 != 0xb && n>>8 != 0xc || n&0x60 != 0:
		return 0, false
	case index == 0:
		v = h.counters.cycle(t)
	case index == 1:
		return 0, false // no time CSR, and there is no b01
	case index == 2:
		v = h.retired()
	case index == 3:
		v = h.hpm3
	}
	if n&0x80 != 0 {
		v >>= 32
	}
	return uint32(v), true
}

// writeCSR writes CSR n by an instruction that is in EX from cycle e to cycle
// x. Fields that are wired stay as they are.
func (h *Hart) writeCSR(n, v uint32, e, x clock.Cycle) {
	c := &h.counters
	switch n {
	case csrMstatus:
		h.mstatus = v&(mstatusMIE|mstatusMPIE) | mstatusMPP
		h.irqStale = true
	case csrMie:
		h.mie = v & lineMask
		h.irqStale = true
	case csrMtvec:
		h.mtvec = v & mtvecMask
	case csrMscratch:
		h.mscratch = v
	case csrMepc:
		h.mepc = v &^ 1
	case csrMcause:
		h.mcause = v & mcauseMask
	case csrMcountinhibit:
		h.setInhibit(v, e)
	case csrMhpmevent3:
		h.mhpmevent3 = v & eventMask
		h.watchEvents(e)
	case csrMcycle: // section 8: reads v in x+1
		c.setCycle(c.cycle(x+1)&^0xffff_ffff|uint64(v), x+1)
	case csrMcycleh: // the low half does not count in e to x
		c.setCycle(uint64(v)<<32|c.cycle(e)&0xffff_ffff, x+1)
	case csrMinstret: // the write itself is not counted on top
		c.retireValue = h.retired()&^0xffff_ffff | uint64(v)
		c.retireAt = h.instret + 1
	case csrMinstreth:
		c.retireValue = uint64(v)<<32 | h.retired()&0xffff_ffff
		c.retireAt = h.instret + 1
	case csrMcycle + 3:
		c.hpm3 = c.hpm3&^0xffff_ffff | uint64(v)
	case csrMcycleh + 3:
		c.hpm3 = uint64(v)<<32 | c.hpm3&0xffff_ffff
	}
}

func (c *counters) setCycle(v uint64, at clock.Cycle) {
	c.set = true
	if c.inhibit&inhibitCycle != 0 {
		c.inhibited += at - c.cycleAt
	}
	c.cycleValue, c.cycleAt = v, at
}

// skipSleep keeps mcycle still over the cycles from <= c < to.
func (c *counters) skipSleep(from, to clock.Cycle) {
	if c.inhibit&inhibitCycle != 0 { // the sleep is not also inhibited time
		c.inhibited += from - c.cycleAt
	} else {
		c.cycleValue = c.cycle(from)
	}
	c.cycleAt = to
}

// execCSR runs a CSR instruction. It reads in its first EX cycle.
func (h *Hart) execCSR(d *Decoded) {
	if illegalCSR(d) {
		h.exception(causeIllegal, slotTrap)
		return
	}
	p := &h.pipe
	n := uint32(d.Imm) & 0xfff
	operand := h.x[d.Rs1]
	switch d.Op {
	case CSRRWI, CSRRSI, CSRRCI:
		operand = uint32(d.Rs1)
	}
	writes := writesCSR(d)
	if n == csrMip {
		h.cfg.Events.Advance(max(h.now, 1) - 1)
	}
	h.countCycles(h.now)
	old, _ := h.readCSR(n, h.now)
	if reset := n & 0x1f; (n>>8 == 0xb || n>>8 == 0xc) && reset < 3 && h.inhibit>>reset&1 != 0 {
		h.stopped = h.stopped || !writes
	}
	value := operand
	switch d.Op {
	case CSRRS, CSRRSI:
		value = old | operand
	case CSRRC, CSRRCI:
		value = old &^ operand
	}
	x := max(h.now, p.rho)
	if writes {
		h.writeCSR(n, value, h.now, x)
		h.retire.CSRValid, h.retire.CSR = true, uint16(n)
		h.retire.CSRValue, _ = h.readCSR(n, h.now)
	}
	h.SetX(d.Rd, old)
	if fastCSR(n) {
		p.ex, p.x = h.now, x
		h.next(h.pc+uint32(d.Len), h.now)
	} else {
		h.flushPipe(slotSlowCSR, h.pc+uint32(d.Len))
	}
	p.setWrote(d.Rd, h.now+1) // step 4: in the register file after the first EX cycle
	h.done(d)
}
