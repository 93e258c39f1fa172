package rv32

import (
	"math/bits"
	"unsafe"

	"socsim/clock"
)

// fastLoop is what the fast loop needs now and then. It lies in memory on
// purpose: as local variables these would take the registers of what the loop
// needs for every instruction, which made it slower by half.
type fastLoop struct {
	below, above []uint32 // words it may store to
	aboveAt      uint32   // index of the first word of above
	watchWord    uint32   // index of the word at Config.StoreWatch

	fastClass uint8       // ledger class it is in
	jumpReg   uint8       // register loaded by the last codeLoadJump
	jumpAt    clock.Cycle // earliest first EX cycle of a jalr on it

	tally  uint64 // weights of what was executed, where that is counted
	counts Counts
}

// outcome is the state of the fast loop when it leaves off: the op it did not
// execute, the last one it did, and their first cycles in EX.
type outcome struct {
	i, last uint32 // last is notDecoded if nothing was executed
	c, e    clock.Cycle
	n       uint64
}

// fast executes from op i of ops on, whose first EX cycle is h.now, in the fast loop,
// as long as cycles are below until. It reports whether it executed anything.
func (h *Hart) fast(ops []op, i uint32, until clock.Cycle) bool {
	h.enter(ops[i].class)
	var out outcome
	if h.cfg.Count {
		out = interpret[counting](min(until, h.now+tallyCycles), h.now, h, ops, i)
	} else {
		out = interpret[plain](until, h.now, h, ops, i)
	}
	if out.last == notDecoded {
		return false
	}
	h.instret += out.n
	if h.cfg.Count {
		h.counts.tallied(h.tally)
	}
	if out.i == notDecoded { // a jalr to code not seen before; h.pc has the target
		out.c += clock.Cycle(h.code.ops[h.lookup(h.pc)].mis32)
	} else if out.i == fetchFault {
		h.pc = h.code.from[out.last].pc + uint32(h.code.from[out.last].dec.Len)
	} else {
		h.pc = h.code.from[out.i].pc
	}
	h.settle(&out)
	return true
}

// settle leaves the pipeline as the exact loop would have.
func (h *Hart) settle(out *outcome) {
	p, from := &h.pipe, &h.code.from[out.last]
	d := &from.dec
	p.id, p.ex, p.x = out.e, out.e, out.e
	p.rho = max(p.rho, out.e) // every older access was answered by then
	p.wroteNothing()
	p.lastLoad = noReg
	switch d.Instr.Cost {
	case CostLoad:
		p.rho = out.e + 1
		p.lastLoad = d.Rd
		p.loaded[d.Rd] = p.rho
	case CostStore:
		p.rho = out.e + 1
	case CostBranch:
		if out.c > out.e+slotALU {
			p.id = out.c - 1
		}
	case CostJump:
		p.id = out.c - 1
		p.setWrote(d.Rd, p.x+1)
	default:
		p.x = out.c - 1 - clock.Cycle(from.stall)
		p.setWrote(d.Rd, p.x+1)
	}
}

// single executes op i alone, whatever it costs, and returns the index of the
// next op, or notDecoded with h.pc set; fell tells that it is the next in
// memory. The op is no access outside RAM and needs no exact loop.
func (h *Hart) single(i uint32) (fell bool) {
	from := &h.code.from[i]
	h.code.ops[0] = h.code.ops[i]
	h.code.ops[0].code = uint8(from.dec.Op)
	if from.dec.Op == AUIPC {
		h.code.ops[0].code = uint8(LUI)
	}
	h.code.ops[0].target = 0
	if from.dec.Op == JALR {
		h.code.ops[0].target = from.pc + uint32(from.dec.Len)
	}
	if from.dec.Instr.Cost == CostBranch {
		h.code.ops[0].taken = slotBranchTaken
	}
	out := interpret[counting](1, 0, h, h.code.ops, 0)
	h.code.ops[0] = op{code: codeExact}
	return out.i == 1
}

// The interpreter loop is compiled twice, as plain and as counting for Config.Count. The order
// of its arguments decides which registers the compiler gives what: any other one we
// tried makes the plain loop slower by a tenth.
type (
	plain    [0]byte
	counting [1]byte
)

// interpret is the interpreter loop. It needs RAM that answers at once, and
// nothing older in flight. It stops in front of an op that it cannot handle:
// not decoded, exact, an access outside RAM, misaligned, or into code.
func interpret[T plain | counting](until, c clock.Cycle, h *Hart, ops []op, i uint32) outcome {
	count := unsafe.Sizeof(*new(T)) != 0 // known when this is compiled
	x := &h.x
	var (
		last uint32
		e    clock.Cycle
		n    uint64
	)
	h.jumpReg, h.jumpAt = 0, 0
	if p := &h.pipe; i != notDecoded && p.lastLoad != noReg && p.lastLoad != 0 {
		h.jumpReg, h.jumpAt = p.lastLoad, p.rho+2
	}
	h.fastClass = ops[i].class
	if count {
		h.tally = -h.code.sums[i]
	}
loop:
	for c < until {
		o := &ops[i]
		next := i + 1
		cost := clock.Cycle(o.cost)
		switch o.code {
		case codeGoto:
			if count {
				h.tally += h.code.edges[i]
			}
			i = o.target
			if to := &ops[i]; to.class != h.fastClass {
				if to.code == uint8(JALR) && h.jumpReg == to.rs1 { // its wait is the old class's
					c = max(c, h.jumpAt)
				}
				h.crossed(ops[i].class, c, until)
			}
			continue
		case uint8(LUI):
			x[o.rd] = o.imm
		case uint8(ADDI):
			x[o.rd] = x[o.rs1] + o.imm
		case uint8(XORI):
			x[o.rd] = x[o.rs1] ^ o.imm
		case uint8(ORI):
			x[o.rd] = x[o.rs1] | o.imm
		case uint8(ANDI):
			x[o.rd] = x[o.rs1] & o.imm
		case uint8(SLLI):
			x[o.rd] = x[o.rs1] << (o.imm & 31)
		case uint8(SRLI):
			x[o.rd] = x[o.rs1] >> (o.imm & 31)
		case uint8(SRAI):
			x[o.rd] = uint32(int32(x[o.rs1]) >> (o.imm & 31))
		case uint8(SLTI):
			x[o.rd] = boolBit(int32(x[o.rs1]) < int32(o.imm))
		case uint8(SLTIU):
			x[o.rd] = boolBit(x[o.rs1] < o.imm)
		case uint8(ADD):
			x[o.rd] = x[o.rs1] + x[o.rs2]
		case uint8(SUB):
			x[o.rd] = x[o.rs1] - x[o.rs2]
		case uint8(XOR):
			x[o.rd] = x[o.rs1] ^ x[o.rs2]
		case uint8(OR):
			x[o.rd] = x[o.rs1] | x[o.rs2]
		case uint8(AND):
			x[o.rd] = x[o.rs1] & x[o.rs2]
		case uint8(SLL):
			x[o.rd] = x[o.rs1] << (x[o.rs2] & 31)
		case uint8(SRL):
			x[o.rd] = x[o.rs1] >> (x[o.rs2] & 31)
		case uint8(SRA):
			x[o.rd] = uint32(int32(x[o.rs1]) >> (x[o.rs2] & 31))
		case uint8(SLT):
			x[o.rd] = boolBit(int32(x[o.rs1]) < int32(x[o.rs2]))
		case uint8(SLTU):
			x[o.rd] = boolBit(x[o.rs1] < x[o.rs2])

		case uint8(MUL):
			x[o.rd] = x[o.rs1] * x[o.rs2]
			if count {
				h.counts.Mul++
			}
		case uint8(MULH):
			x[o.rd] = uint32(uint64(int64(int32(x[o.rs1]))*int64(int32(x[o.rs2]))) >> 32)
			if count {
				h.counts.MulHigh++
			}
		case uint8(MULHSU):
			x[o.rd] = uint32(uint64(int64(int32(x[o.rs1]))*int64(x[o.rs2])) >> 32)
			if count {
				h.counts.MulHigh++
			}
		case uint8(MULHU):
			x[o.rd] = uint32(uint64(x[o.rs1]) * uint64(x[o.rs2]) >> 32)
			if count {
				h.counts.MulHigh++
			}
		case uint8(DIV), uint8(DIVU), uint8(REM), uint8(REMU):
			b := x[o.rs2]
			slot := divSlot(Op(o.code), b)
			cost += slot
			if count {
				h.counts.Div++
				h.counts.DivCycles += slot
			}
			x[o.rd] = divide(Op(o.code), x[o.rs1], b)

		case uint8(LW):
			w := bits.RotateLeft32(x[o.rs1]+o.imm, -2)
			if w >= uint32(len(h.words)) {
				break loop
			}
			x[o.rd] = h.words[w]
		case codeLoadJump:
			w := bits.RotateLeft32(x[o.rs1]+o.imm, -2)
			if w >= uint32(len(h.words)) {
				break loop
			}
			x[o.rd] = h.words[w]
			// Section 4: the answer is in c+1, the base is ready a cycle later,
			// and the jump leaves ID another one later.
			h.jumpReg, h.jumpAt = o.rd, c+3
		case uint8(LH):
			w := bits.RotateLeft32(x[o.rs1]+o.imm, -1)
			if w >= uint32(len(h.halfs)) {
				break loop
			}
			x[o.rd] = uint32(int32(int16(h.halfs[w])))
		case uint8(LHU):
			w := bits.RotateLeft32(x[o.rs1]+o.imm, -1)
			if w >= uint32(len(h.halfs)) {
				break loop
			}
			x[o.rd] = uint32(h.halfs[w])
		case uint8(LB):
			a := x[o.rs1] + o.imm
			if a >= uint32(len(h.ram)) {
				break loop
			}
			x[o.rd] = uint32(int32(int8(h.ram[a])))
		case uint8(LBU):
			a := x[o.rs1] + o.imm
			if a >= uint32(len(h.ram)) {
				break loop
			}
			x[o.rd] = uint32(h.ram[a])
		case uint8(SW):
			w := bits.RotateLeft32(x[o.rs1]+o.imm, -2)
			if w == h.watchWord {
				break loop
			}
			if a := w - h.aboveAt; a < uint32(len(h.above)) {
				h.above[a] = x[o.rs2]
			} else if w < uint32(len(h.below)) {
				h.below[w] = x[o.rs2]
			} else {
				break loop
			}
		case uint8(SH):
			w := bits.RotateLeft32(x[o.rs1]+o.imm, -1)
			if a := w / 2; w >= uint32(len(h.halfs)) || a == h.watchWord || a < h.aboveAt && a >= uint32(len(h.below)) {
				break loop
			}
			h.halfs[w] = uint16(x[o.rs2])
		case uint8(SB):
			a := x[o.rs1] + o.imm
			if w := a / 4; a >= uint32(len(h.ram)) || w == h.watchWord || w < h.aboveAt && w >= uint32(len(h.below)) {
				break loop
			}
			h.ram[a] = byte(x[o.rs2])

		case uint8(JAL):
			x[o.rd] = o.imm
			if count {
				h.counts.Jump++
				h.tally += h.code.edges[i]
			}
			next = o.target
		case uint8(JALR):
			if h.jumpAt > c && h.jumpReg == o.rs1 {
				if h.jumpAt >= until {
					break loop
				}
				c = h.jumpAt
			}
			target := (x[o.rs1] + o.imm) &^ 1
			next = notDecoded
			if w := (target - h.cfg.RAMBase) / 2; w < uint32(len(h.code.entry)) {
				next = h.code.entry[w]
			}
			if next == i && i != notDecoded { // maybe the end of the run
				break loop
			}
			x[o.rd] = o.target
			if count {
				h.counts.Jump++
				h.tally += h.code.sums[i+1] - h.code.sums[next]
			}
			if next == notDecoded {
				h.pc = target
				break
			}
			cost += clock.Cycle(ops[next].mis32)
			if ops[next].class != h.fastClass {
				h.crossed(ops[next].class, c+cost, until)
			}
		case uint8(BEQ):
			if x[o.rs1] == x[o.rs2] {
				next, cost = o.target, clock.Cycle(o.taken)
				if count {
					h.tally += h.code.edges[i]
				}
			}
		case uint8(BNE):
			if x[o.rs1] != x[o.rs2] {
				next, cost = o.target, clock.Cycle(o.taken)
				if count {
					h.tally += h.code.edges[i]
				}
			}
		case uint8(BLT):
			if int32(x[o.rs1]) < int32(x[o.rs2]) {
				next, cost = o.target, clock.Cycle(o.taken)
				if count {
					h.tally += h.code.edges[i]
				}
			}
		case uint8(BGE):
			if int32(x[o.rs1]) >= int32(x[o.rs2]) {
				next, cost = o.target, clock.Cycle(o.taken)
				if count {
					h.tally += h.code.edges[i]
				}
			}
		case uint8(BLTU):
			if x[o.rs1] < x[o.rs2] {
				next, cost = o.target, clock.Cycle(o.taken)
				if count {
					h.tally += h.code.edges[i]
				}
			}
		case uint8(BGEU):
			if x[o.rs1] >= x[o.rs2] {
				next, cost = o.target, clock.Cycle(o.taken)
				if count {
					h.tally += h.code.edges[i]
				}
			}
		default:
			break loop
		}
		last, e = i, c
		c += cost
		i = next
		n++
	}
	if count {
		h.tally += h.code.sums[i]
	}
	if h.jumpAt != 0 {
		h.pipe.loaded[h.jumpReg&31] = max(h.pipe.loaded[h.jumpReg&31], h.jumpAt-2)
	}
	return outcome{i: i, last: last, c: c, e: e, n: n}
}

// openStores works out what the fast loop may store to, whenever that changes:
// words below and above all code. Stores between, and to the watched word, are
// for the exact loop.
func (h *Hart) openStores() {
	words := h.words
	h.below, h.above = words[:h.code.lo/4], words[min((h.code.hi+3)/4, uint32(len(words))):]
	if h.code.hi == 0 {
		h.below, h.above = nil, words
	}
	h.aboveAt = uint32(len(words) - len(h.above))
	h.watchWord = (h.cfg.StoreWatch - h.cfg.RAMBase) / 4
	if h.cfg.OnStore == nil {
		h.watchWord = ^uint32(0)
	}
}

// crossed books a change of ledger class at cycle t in the fast loop, which can
// be at a jalr or where code of another class follows; branches and jumps into
// another class are for the exact loop. In a trap there is only one class. Where
// the loop ends at t, the instruction there may yet be preempted, and the exact
// loop books; so it does for single instructions.
func (h *Hart) crossed(to uint8, t, until clock.Cycle) {
	if t < until && h.trapDepth == 0 {
		h.switchTo(to, t)
	}
	h.fastClass = to
}

func boolBit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// divide follows the M extension: division by zero gives all ones or the
// dividend, overflow the dividend or zero.
func divide(op Op, a, b uint32) uint32 {
	switch op {
	case DIV:
		switch {
		case b == 0:
			return ^uint32(0)
		case int32(b) == -1:
			return -a
		}
		return uint32(int32(a) / int32(b))
	case DIVU:
		if b == 0 {
			return ^uint32(0)
		}
		return a / b
	case REM:
		switch {
		case b == 0:
			return a
		case int32(b) == -1:
			return 0
		}
		return uint32(int32(a) % int32(b))
	default: // REMU
		if b == 0 {
			return a
		}
		return a % b
	}
}
