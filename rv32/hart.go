// Package rv32 is the core: RV32IMC with Zicsr and Zifencei, machine mode,
// with the cycle timing of the CV32E40P.
//
// One table (table.go, compressed.go) says what every instruction is; decoder,
// disassembler, cycle rules and interpreter read it, and entries may be added
// from outside. Two loops run the program. The fast one (fast.go) knows the
// static cost of every instruction and needs RAM that answers at once; the
// exact one (step.go) follows the recurrence of CV32E40P.md section 6 for one
// instruction: slow targets, interrupts, CSRs, traps, sleep, and whatever
// surrounds them. Both agree wherever both apply.
//
// An Engine from outside may run code in place of the fast loop (engine.go); rv32/translate
// is one.
//
// Left out: debug mode, triggers, the FPU, the PULP instructions, bus errors
// (the core has none), and instruction memory with wait states.
package rv32

import (
	"fmt"
	"unsafe"

	"socsim/bus"
	"socsim/clock"
)

// Port carries the accesses to everything outside RAM. A misaligned access is
// two calls. Bytes is 3 for the larger part of a word split 3 + 1.
type Port interface {
	Access(bus.Request) bus.Response
}

// Config describes a hart and what it is connected to.
type Config struct {
	RAMBase, RAMSize uint32       // bytes, multiples of 4096
	RAM              []byte       // of RAMSize zero bytes, at a multiple of 4; nil: New makes it
	Port             Port         // nil: everything outside RAM is unmapped
	Events           *clock.Queue // next events of the devices; nil: none
	Custom           []Instr      // instructions besides RV32IMC_Zicsr_Zifencei

	// Grant says in which cycle, at or later, an access of the core to RAM that is
	// requested in cycle at is granted, where another initiator shares the data
	// port of RAM. That one announces its next access as an event. nil: at once.
	Grant func(at clock.Cycle) clock.Cycle

	// Class gives the ledger class of the instruction at pc; asked once when it
	// is decoded. nil: class 0 everywhere.
	Class func(pc uint32) uint8
	// RoleClass gives the class under which an access outside RAM is booked.
	// nil: that of the instruction.
	RoleClass             func(class uint8, role bus.Role) uint8
	TrapClass, SleepClass uint8

	// Ebreak and Ecall are asked first; true: handled outside, go on behind the
	// instruction. nil or false: the exception is taken.
	Ebreak, Ecall func(h *Hart) bool
	// Watch is called when the instruction at a pc of its keys is about to execute.
	Watch map[uint32]func(h *Hart)
	// OnStore is called after a store that touches the word at StoreWatch in RAM.
	StoreWatch uint32
	OnStore    func(h *Hart)
	// Retired is called after every instruction, in program order. It forces
	// the exact loop; cycles do not change.
	Retired func(h *Hart, r Retired)
	// Count counts retired instructions by class: slower by a twentieth, same cycles.
	Count bool
	// ExactOnly runs every instruction in the exact loop: slower, same cycles.
	ExactOnly bool
}

// Retired is one finished instruction, for the commit log and for timelines.
type Retired struct {
	PC, Word uint32
	Len      uint8
	Trap     bool        // did not retire: an exception was taken
	At, Last clock.Cycle // first and last cycle in EX
	Class    uint8       // of the ledger

	RdValid bool  // Rd, which is not x0, was written
	Rd      uint8 // an x register, or FReg + n for fn
	RdValue uint32

	MemValid, MemWrite bool
	MemAddr, MemData   uint32
	MemBytes           uint8

	CSRValid bool // a CSR was written
	CSR      uint16
	CSRValue uint32
}

// State is the register state a custom instruction may read and write.
type State struct {
	x [256]uint32 // 0-31, then a sink for writes to x0, then f0-f31
}

// A uint8 index into [256]uint32 needs no bounds check.
const (
	sink = 32 // where writes to x0 go
	fReg = 64 // where f0 is
)

// FReg is the number of register f0 where x and f registers share one numbering.
const FReg = fReg

// X returns integer register i & 31.
func (s *State) X(i uint8) uint32 { return s.x[i&31] }

// SetX writes integer register i & 31; x0 stays 0.
func (s *State) SetX(i uint8, v uint32) {
	if i &= 31; i != 0 {
		s.x[i] = v
	}
}

// F returns floating-point register i & 31 as raw bits.
func (s *State) F(i uint8) uint32 { return s.x[fReg+i&31] }

// SetF writes floating-point register i & 31.
func (s *State) SetF(i uint8, v uint32) { s.x[fReg+i&31] = v }

// Hart is one core with its RAM. Make it with New.
type Hart struct {
	State
	cfg   Config
	table *Table

	ram   []byte
	words []uint32 // the same bytes, for single-compare bounds checks
	halfs []uint16

	pc   uint32
	now  clock.Cycle // first EX cycle of the instruction at hand, or of the next one
	pipe pipeline
	code codeCache

	engine   Engine      // nil: none
	sampleIn clock.Cycle // interpreted cycles until it is asked again

	fastLoop

	instret uint64 // all retired instructions
	counters
	csrs
	lines     [32]line
	irqStale  bool        // irqAt must be recomputed
	irqAt     clock.Cycle // first cycle an interrupt that would be taken is high
	trapDepth int

	until      clock.Cycle // Limits.Cycles of the run
	sleeping   bool        // in a wfi that has not ended
	asleepFrom clock.Cycle // its cycles from here on are not booked yet

	ledger
	role   bus.Role // of the custom instruction at hand while it accesses memory
	stop   *Stop
	halted bool
	retire Retired
}

// New returns a hart after reset at the start of RAM, RAM all zero.
func New(c Config) (*Hart, error) {
	if c.RAMSize == 0 || c.RAMBase%4096 != 0 || c.RAMSize%4096 != 0 || uint64(c.RAMBase)+uint64(c.RAMSize) > 1<<32 {
		return nil, fmt.Errorf("rv32: RAM at 0x%08x, size 0x%x: base and size must be multiples of 4096 below 4 GiB, size not 0", c.RAMBase, c.RAMSize)
	}
	if x := uint16(1); *(*byte)(unsafe.Pointer(&x)) != 1 {
		return nil, fmt.Errorf("rv32: guest RAM is shared as little-endian words; this host is big-endian")
	}
	table, err := NewTable(c.Custom)
	if err != nil {
		return nil, err
	}
	if c.Events == nil {
		c.Events = clock.NewQueue()
	}
	if c.Port == nil {
		c.Port = noPort{}
	}
	h := &Hart{cfg: c, table: table}
	if h.ram = c.RAM; h.ram == nil {
		words := make([]uint32, c.RAMSize/4)
		h.ram = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), c.RAMSize)
	}
	if uint32(len(h.ram)) != c.RAMSize || uintptr(unsafe.Pointer(&h.ram[0]))%4 != 0 {
		return nil, fmt.Errorf("rv32: RAM of %d bytes was given, it must have 0x%x and lie at a multiple of 4", len(h.ram), c.RAMSize)
	}
	h.words = unsafe.Slice((*uint32)(unsafe.Pointer(&h.ram[0])), c.RAMSize/4)
	h.halfs = unsafe.Slice((*uint16)(unsafe.Pointer(&h.ram[0])), c.RAMSize/2)
	h.Reset(c.RAMBase)
	return h, nil
}

// Reset puts the core in its reset state with the given entry point, at cycle
// 0. RAM and devices stay as they are.
func (h *Hart) Reset(entry uint32) {
	h.State = State{}
	h.pc, h.now, h.pipe = entry&^1, 0, pipeline{lastLoad: noReg, wrote: noReg}
	h.instret, h.trapDepth, h.counts = 0, 0, Counts{}
	h.counters.reset()
	h.csrs.reset()
	h.lines = [32]line{}
	h.irqStale = true
	h.ledger = ledger{}
	h.stop, h.halted, h.sleeping = nil, false, false
	h.flush()
}

// RAM returns guest memory; index 0 is address Config.RAMBase. Call Wrote
// after changing it while a program runs.
func (h *Hart) RAM() []byte { return h.ram }

// Wrote tells that n bytes at addr were written from outside the core. An
// instruction at hand has been fetched by then; the next one sees them.
func (h *Hart) Wrote(addr, n uint32) {
	if n > 0 && h.decoded(addr-h.cfg.RAMBase, n) {
		h.code.stale = true
	}
}

// PC returns the address of the next instruction, or in a callback that of
// the instruction at hand.
func (h *Hart) PC() uint32 { return h.pc }

// SetPC moves execution to pc.
func (h *Hart) SetPC(pc uint32) { h.pc = pc &^ 1 }

// Cycle returns the cycles elapsed since reset, asleep or not: up to the first EX
// cycle of the instruction PC names, and to the answer of the last access.
func (h *Hart) Cycle() clock.Cycle { return max(h.now, h.mark) }

// Now returns the first EX cycle of the instruction PC names: no request of the
// core comes before it, and the answer of an earlier one may come after it.
func (h *Hart) Now() clock.Cycle { return h.now }

// Instret returns the retired instructions, whatever mcountinhibit says.
func (h *Hart) Instret() uint64 { return h.instret }

// CSR returns the value a CSR has now, and whether there is such a CSR.
func (h *Hart) CSR(n uint32) (uint32, bool) { return h.readCSR(n, h.now) }

// Observe lets f see every retired instruction as Config.Retired does, after that
// one if there is one. Call it before Run.
func (h *Hart) Observe(f func(*Hart, Retired)) {
	first := h.cfg.Retired
	if first == nil {
		h.cfg.Retired = f
		return
	}
	h.cfg.Retired = func(h *Hart, r Retired) { first(h, r); f(h, r) }
}

// Disassemble returns the instruction in word at address pc.
func (h *Hart) Disassemble(pc, word uint32) string { return h.table.Disassemble(pc, word) }

// Halt ends the run after the instruction at hand.
func (h *Hart) Halt() { h.halted = true }

// StopReason says why Run returned.
type StopReason uint8

const (
	StopCycles        StopReason = iota // Limits.Cycles reached
	StopInstructions                    // Limits.Instructions reached
	StopHalted                          // Halt was called
	StopSelfLoop                        // a jump to itself that no interrupt can leave
	StopAsleepForever                   // a wfi that nothing can wake
	StopFault                           // an access that cannot be answered
	StopFetch                           // the pc left RAM
)

// Stop is the state of affairs when Run returned. PC is the instruction that
// could not go on, or the next one.
type Stop struct {
	Reason  StopReason
	PC      uint32
	Fault   *bus.Fault  // StopFault: what is wrong
	Request bus.Request // StopFault: the access
}

// Limits bound a Run: absolute cycle and instruction numbers, 0 for none.
type Limits struct {
	Cycles       clock.Cycle
	Instructions uint64
}

// Run executes until a limit is reached or something ends the run. It can be
// called again to go on.
func (h *Hart) Run(l Limits) Stop {
	if l.Cycles == 0 {
		l.Cycles = clock.Never
	}
	if l.Instructions == 0 {
		l.Instructions = ^uint64(0)
	}
	h.stop, h.halted, h.until = nil, false, l.Cycles
	if h.sleeping {
		h.doze()
		if h.stop != nil {
			return *h.stop
		}
		if h.cfg.Retired != nil {
			h.cfg.Retired(h, h.retire)
		}
	}
	fastAllowed := h.cfg.Retired == nil && !h.cfg.ExactOnly
	for {
		o := h.issue()
		switch {
		case h.halted:
			return Stop{Reason: StopHalted, PC: h.pc}
		case h.now >= l.Cycles:
			return Stop{Reason: StopCycles, PC: h.pc}
		case h.instret >= l.Instructions:
			return Stop{Reason: StopInstructions, PC: h.pc}
		}
		due := h.cfg.Events.Next() <= h.now
		if due {
			h.cfg.Events.Advance(h.now)
		}
		// In a cycle in which something happened someone else may have taken the port of RAM.
		if fastAllowed && !(due && h.cfg.Grant != nil) && h.pipe.quiet && !h.counting && !h.code.stale {
			until := min(l.Cycles, h.horizon())
			if n := l.Instructions - h.instret; until > h.now && n < uint64(until-h.now) {
				until = h.now + clock.Cycle(n) // no instruction takes less than a cycle
			}
			if h.now < until && h.quick(o, until) {
				continue
			}
		}
		if h.execute(o); h.stop != nil {
			return *h.stop
		}
	}
}

// horizon returns the cycle before which nothing from outside can touch the
// core: no event falls due and no interrupt is taken. The instruction at hand
// may have waited in ID for long, and a line that was high for a part of that
// time is enough to preempt it.
func (h *Hart) horizon() clock.Cycle {
	if h.irqStale || h.irqAt < h.now {
		h.irqStale = false
		h.irqAt = clock.Never
		if h.mstatus&mstatusMIE != 0 {
			h.irqAt = h.firstEnabled(max(h.pipe.id, 1) - 1)
		}
	}
	return min(h.cfg.Events.Next(), h.irqAt)
}
