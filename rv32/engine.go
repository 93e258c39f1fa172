package rv32

import "socsim/clock"

// Engine runs code that it translated, in place of the fast loop and with its
// cycles. It marks the addresses where its code can be entered; the fast loop
// stops there. What it cannot do it leaves to the loops of this package.
type Engine interface {
	// Enter runs translated code from entry n, which is at h.PC(), on. The first
	// instruction is in EX in cycle h.Now(), nothing older is in flight, and none
	// may be begun in cycle until or later. It reports whether anything was executed.
	Enter(h *Hart, n uint32, until clock.Cycle) bool
	// Sample is called now and then while code is interpreted.
	Sample(h *Hart)
	// Period returns after how many interpreted cycles it wants to be called.
	Period() clock.Cycle
	// Dropped tells that decoded code was dropped, and all marks with it.
	Dropped()
}

// codeEntry is where translated code can be entered; target is the number of the
// entry. Only the copy of the code that runs beside an engine has it.
const codeEntry = codeLoadJump + 1

// Step is an instruction as the fast loop sees it: all that is static of its
// cycles. Cost, Taken and Mis32 are as in op.
type Step struct {
	Decoded
	PC    uint32
	Cost  uint8 // cycles to the next instruction's first in EX; division adds DivSlot; a jump's are those to a static target
	Taken uint8 // the same for a taken branch
	Mis32 uint8 // cycles more where a jump or taken branch leads here
	Class uint8 // ledger class
	// LoadJump: it is a lw of the base of the jalr after the next instruction, which is
	// first in EX JumpWait cycles after this one at the earliest.
	LoadJump bool
	Exact    bool // only the exact loop gets it right
}

// JumpWait is the distance of a lw and the jalr on its result behind the next
// instruction (CV32E40P.md section 4).
const JumpWait = 3

// DivSlot returns the cycles of a division by divisor (CV32E40P.md section 2).
func DivSlot(op Op, divisor uint32) clock.Cycle { return divSlot(op, divisor) }

// Step returns the instruction at pc, which is decoded if it was not; Len is 0 if none
// can be fetched there. What it says holds as long as decoded code is not dropped.
func (h *Hart) Step(pc uint32) Step {
	i := h.lookup(pc)
	if i == fetchFault {
		return Step{PC: pc}
	}
	o, from := &h.code.ops[i], &h.code.from[i]
	d := &from.dec
	s := Step{Decoded: *d, PC: pc, Cost: o.cost, Mis32: o.mis32, Class: o.class,
		LoadJump: from.regular == codeLoadJump, Exact: from.regular == codeExact}
	if d.Op == JAL || d.Instr != nil && d.Instr.Cost == CostBranch {
		target := pc + uint32(d.Imm)
		t := h.lookup(target) // may move the cache
		if t == fetchFault || target == pc {
			s.Exact = true // as in resolve
			return s
		}
		mis := h.code.ops[t].mis32
		if d.Op == JAL {
			s.Cost = slotJump + mis
		} else {
			s.Taken = slotBranchTaken + mis
		}
	}
	return s
}

// Attach lets e run code. Call it before Run.
func (h *Hart) Attach(e Engine) {
	h.engine, h.sampleIn = e, e.Period()
	h.flush()
}

// Mark makes the instruction at pc, which must be one that can be fetched, entry
// n of the engine.
func (h *Hart) Mark(pc, n uint32) {
	i := h.lookup(pc)
	h.code.marked[i] = op{code: codeEntry, target: n, class: h.code.ops[i].class, mis32: h.code.ops[i].mis32}
}

// Unmark takes a mark away.
func (h *Hart) Unmark(pc uint32) {
	i := h.lookup(pc)
	h.code.marked[i] = h.code.ops[i]
}

// StoreWindow returns the larger one of the ranges of RAM, as offsets, to which code
// may store without being looked at: off <= offset < off + n.
func (h *Hart) StoreWindow() (off, n uint32) {
	cut := func(from, to uint32) {
		if w := h.watchWord; from <= w && w < to {
			if to-w-1 > w-from {
				from = w + 1
			} else {
				to = w
			}
		}
		if to-from > n {
			off, n = from, to-from
		}
	}
	cut(0, uint32(len(h.below)))
	cut(h.aboveAt, uint32(len(h.words)))
	return 4 * off, 4 * n
}

// Leave is how translated code tells where it left off: executed instructions after
// at least one, and the next is at pc, first in EX in cycle at. load is the register
// that the last one loaded for a jalr after the next, 0 if none: LoadJump.
//
// jumped: the last one was a jump or a taken branch, and at has yet no Mis32 in it.
func (h *Hart) Leave(pc uint32, at clock.Cycle, executed uint64, load uint8, jumped bool) {
	h.pc = pc
	if jumped {
		at += h.mis32(pc)
	}
	h.instret += executed
	// The loop of translated code ends in front of instructions whose timing
	// hangs on what is left in the pipe, so the plainest pipe will do.
	p := &h.pipe
	p.id, p.ex, p.x = at-1, at-1, at-1
	p.rho = at - 1
	p.wroteNothing()
	p.lastLoad = noReg
	if load != 0 {
		p.rho, p.lastLoad = at, load
		p.loaded[load] = at
	}
}

// Trapped tells whether a handler runs: all cycles are the trap's then.
func (h *Hart) Trapped() bool { return h.trapDepth > 0 }

// Booked is how translated code tells, before Leave, that it went through code of other
// ledger classes than that of its entry: to class at, in the end, and before that
// it spent so many cycles since h.Now() under each class.
func (h *Hart) Booked(class uint8, at clock.Cycle, spent map[uint8]clock.Cycle) {
	h.switchTo(h.ledger.class, h.now)
	for c, n := range spent {
		h.byClass[c] += n
	}
	h.ledger.class, h.ledger.mark = class, at
}

// Keep decodes what stands at pc, so that a change of it is noticed.
func (h *Hart) Keep(pc uint32) { h.lookup(pc) }

// Decoded returns the instruction at pc, which is decoded if it was not; Len is 0 if
// none can be fetched there.
func (h *Hart) Decoded(pc uint32) *Decoded { return &h.code.from[h.lookup(pc)].dec }

// Registers returns x0 to x31, to be read and changed; x0 must stay 0.
func (h *Hart) Registers() *[32]uint32 { return (*[32]uint32)(h.x[:32]) }

// quick runs the engine's code or the fast loop from op i on; it reports whether
// anything was executed.
func (h *Hart) quick(i uint32, until clock.Cycle) bool {
	if h.engine == nil {
		return h.fast(h.code.ops, i, until)
	}
	if m := &h.code.marked[i]; m.code == codeEntry {
		h.enter(h.code.ops[i].class)
		if h.engine.Enter(h, m.target, until) {
			return true
		}
		// Its code has not the room to the deadline, or begins with an instruction
		// for the exact loop.
		return h.fast(h.code.ops, i, min(until, h.now+declined))
	}
	if h.sampleIn == 0 {
		h.engine.Sample(h)
		h.sampleIn = max(h.engine.Period(), 1)
		if h.code.stale {
			return false
		}
		i = h.lookup(h.pc)
		if h.code.marked[i].code == codeEntry {
			return h.quick(i, until)
		}
	}
	from := h.now
	if until > from+h.sampleIn {
		until = from + h.sampleIn
	}
	if !h.fast(h.code.marked, i, until) {
		h.sampleIn--
		return false
	}
	h.sampleIn -= min(h.sampleIn, h.pipe.x+1-from) // X of the last instruction is at from or later
	return true
}

// declined is for how many cycles code is interpreted behind an entry that was
// declined.
const declined = 64
