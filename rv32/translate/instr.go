package translate

import (
	"math/bits"

	"socsim/clock"
	"socsim/rv32"
)

// divBase is the length of a division by the largest divisor; each leading zero of the
// divisor adds a cycle. For a negative one, whose complement decides, it is a cycle
// less (CV32E40P.md section 2).
var divBase = uint32(rv32.DivSlot(rv32.DIVU, 1<<31))

// sameDivision tells whether that is what rv32 has.
func sameDivision() bool {
	for _, b := range []uint32{0, 1, 2, 1 << 31, ^uint32(0), 1<<31 | 1} {
		s := uint32(int32(b) >> 31)
		if rv32.DivSlot(rv32.DIVU, b) != clock.Cycle(divBase)+clock.Cycle(bits.LeadingZeros32(b)) ||
			rv32.DivSlot(rv32.DIV, b) != clock.Cycle(divBase+uint32(bits.LeadingZeros32(b^s))+s) {
			return false
		}
	}
	return true
}

var registerOps = map[rv32.Op]byte{
	rv32.ADD: opI32Add, rv32.SUB: opI32Sub, rv32.XOR: opI32Xor, rv32.OR: opI32Or, rv32.AND: opI32And,
	rv32.SLL: opI32Shl, rv32.SRL: opI32ShrU, rv32.SRA: opI32ShrS, rv32.SLT: opI32LtS, rv32.SLTU: opI32LtU, rv32.MUL: opI32Mul,
}

var immediateOps = map[rv32.Op]byte{
	rv32.ADDI: opI32Add, rv32.XORI: opI32Xor, rv32.ORI: opI32Or, rv32.ANDI: opI32And,
	rv32.SLLI: opI32Shl, rv32.SRLI: opI32ShrU, rv32.SRAI: opI32ShrS, rv32.SLTI: opI32LtS, rv32.SLTIU: opI32LtU,
}

// compute translates an instruction that works on registers only.
func (w *lowerer) compute(s *rv32.Step) {
	switch s.Op {
	case rv32.LUI:
		w.writeKnown(s.Rd, uint32(s.Imm))
		return
	case rv32.AUIPC:
		w.writeKnown(s.Rd, s.PC+uint32(s.Imm))
		return
	case rv32.DIV, rv32.DIVU, rv32.REM, rv32.REMU:
		w.divide(s)
		return
	case rv32.MULH, rv32.MULHSU, rv32.MULHU:
		w.read(s.Rs1)
		w.op(map[bool]byte{true: opI64ExtU, false: opI64ExtS}[s.Op == rv32.MULHU])
		w.read(s.Rs2)
		w.op(map[bool]byte{true: opI64ExtS, false: opI64ExtU}[s.Op == rv32.MULH])
		w.op(opI64Mul)
		w.i64(32)
		w.op(opI64ShrU, opI32Wrap)
		w.write(s.Rd)
		return
	}
	if op, ok := immediateOps[s.Op]; ok {
		switch {
		case s.Op == rv32.ADDI && s.Rs1 == 0:
			w.writeKnown(s.Rd, uint32(s.Imm))
			return
		case s.Op == rv32.ADDI && w.x[s.Rs1].known:
			w.writeKnown(s.Rd, w.x[s.Rs1].k+uint32(s.Imm))
			return
		case s.Rd == 0:
			return
		}
		w.read(s.Rs1)
		if s.Op != rv32.ADDI || s.Imm != 0 {
			w.i32(uint32(s.Imm))
			w.op(op)
		}
		w.write(s.Rd)
		return
	}
	op, ok := registerOps[s.Op]
	if !ok {
		panic("BUG: translate: no translation of " + s.Instr.Name)
	}
	switch {
	case s.Rd == 0:
		return
	case s.Op == rv32.ADD && s.Rs1 == 0 && w.x[s.Rs2].known && s.Rs2 != 0: // c.mv
		w.writeKnown(s.Rd, w.x[s.Rs2].k)
		return
	case s.Op == rv32.ADD && s.Rs1 == 0: // c.mv
		w.read(s.Rs2)
	default:
		w.read(s.Rs1)
		w.read(s.Rs2)
		w.op(op)
	}
	w.write(s.Rd)
}

// divide translates a division: the cycles that hang on the divisor, and the results
// for a divisor of 0 and for overflow, for which WebAssembly traps.
func (w *lowerer) divide(s *rv32.Step) {
	signed := s.Op == rv32.DIV || s.Op == rv32.REM
	sign := func() {
		w.read(s.Rs2)
		w.i32(31)
		w.op(opI32ShrS)
	}
	w.get(localC)
	w.read(s.Rs2)
	if signed {
		sign()
		w.op(opI32Xor)
	}
	w.op(opI32Clz)
	w.i32(divBase)
	w.op(opI32Add)
	if signed {
		sign()
		w.op(opI32Add)
	}
	w.op(opI64ExtU)
	w.i64(32)
	w.op(opI64Shl, opI64Add)
	w.set(localC)
	if s.Rd == 0 {
		return
	}

	zero := func() {
		w.read(s.Rs2)
		w.op(opI32Eqz)
	}
	divisor := func() { // 1 where the host would trap
		w.i32(1)
		w.read(s.Rs2)
		zero()
		if s.Op == rv32.DIV {
			w.read(s.Rs1)
			w.i32(1 << 31)
			w.op(opI32Eq)
			w.read(s.Rs2)
			w.i32(^uint32(0))
			w.op(opI32Eq, opI32And, opI32Or)
		}
		w.op(opSelect)
	}
	switch s.Op {
	case rv32.DIV, rv32.DIVU:
		w.i32(^uint32(0))
	default:
		w.read(s.Rs1)
	}
	w.read(s.Rs1)
	divisor()
	w.op(map[rv32.Op]byte{rv32.DIV: opI32DivS, rv32.DIVU: opI32DivU, rv32.REM: opI32RemS, rv32.REMU: opI32RemU}[s.Op])
	zero()
	w.op(opSelect)
	w.write(s.Rd)
}

// size returns the bytes of a load or store.
func size(op rv32.Op) int32 {
	switch op {
	case rv32.LB, rv32.LBU, rv32.SB:
		return 1
	case rv32.LH, rv32.LHU, rv32.SH:
		return 2
	}
	return 4
}

// plan finds the groups of accesses in b, by step.
func (w *lowerer) plan(b *block) map[int]*group {
	of := map[int]*group{}
	var all []*group
	var ver [32]int
	for i := range b.steps {
		s := &b.steps[i]
		if c := s.Instr.Cost; c == rv32.CostLoad || c == rv32.CostStore {
			n := size(s.Op)
			var g *group
			for _, old := range all {
				if old.base == s.Rs1 && old.ver == ver[s.Rs1] && old.takes(b.steps, s.Imm, n) {
					g = old
				}
			}
			if g == nil {
				g = &group{base: s.Rs1, ver: ver[s.Rs1], align: n, anchor: s.Imm, lo: s.Imm, hi: s.Imm + n, local: firstGroup + uint32(len(all))}
				all = append(all, g)
			}
			if n > g.align {
				g.align, g.anchor = n, s.Imm
			}
			g.lo, g.hi = min(g.lo, s.Imm), max(g.hi, s.Imm+n)
			g.store = g.store || c == rv32.CostStore
			g.steps = append(g.steps, i)
			of[i] = g
		}
		if writes(s) {
			ver[s.Rd]++
		}
	}
	w.groups = max(w.groups, uint32(len(all)))
	return of
}

// takes tells whether an access of n bytes at offset imm is aligned whenever those of
// the group are, and the other way round.
func (g *group) takes(steps []rv32.Step, imm, n int32) bool {
	if n <= g.align {
		return (imm-g.anchor)%n == 0
	}
	for _, i := range g.steps {
		if (steps[i].Imm-imm)%size(steps[i].Op) != 0 {
			return false
		}
	}
	return true
}

// start is the offset of the first byte that is checked: a multiple of the alignment
// from the anchor.
func (g *group) start() int32 {
	return g.anchor - (g.anchor-g.lo+g.align-1)/g.align*g.align
}

// access translates step i of b, a load or store of a group. What the check of the
// group does not let pass is for the interpreter: devices, misaligned addresses, and
// stores where code is.
func (w *lowerer) access(b *block, i int, g *group) {
	s := &b.steps[i]
	if g.steps[0] == i {
		w.check(b, i, g)
	}
	offset := w.layout.ram + uint32(s.Imm-g.start())
	w.get(g.local)
	switch s.Op {
	case rv32.LB:
		w.mem(opI32Load8S, offset)
	case rv32.LBU:
		w.mem(opI32Load8U, offset)
	case rv32.LH:
		w.mem(opI32Load16S, offset)
	case rv32.LHU:
		w.mem(opI32Load16U, offset)
	case rv32.LW:
		w.mem(opI32Load, offset)
	case rv32.SB:
		w.read(s.Rs2)
		w.mem(opI32Store8, offset)
	case rv32.SH:
		w.read(s.Rs2)
		w.mem(opI32Store16, offset)
	case rv32.SW:
		w.read(s.Rs2)
		w.mem(opI32Store, offset)
	}
	if s.Instr.Cost == rv32.CostLoad {
		w.write(s.Rd)
	}
}

// check leaves at step i of b unless all accesses of g are aligned and in RAM, and its
// stores where no code is. A rotation brings the low bits to the top, so that one
// comparison sees both.
func (w *lowerer) check(b *block, i int, g *group) {
	span := uint32(g.hi - g.start())
	shift := uint32(bits.TrailingZeros32(uint32(g.align)))
	w.read(g.base)
	w.i32(uint32(g.start()) - w.layout.ramBase)
	w.op(opI32Add)
	w.tee(g.local)
	if g.store {
		w.gget(globalWindow)
		w.op(opI32Sub)
	}
	if shift > 0 {
		w.i32(shift)
		w.op(opI32Rotr)
	}
	if g.store {
		w.gget(globalRoom)
		w.i32(span)
		w.op(opI32Sub)
		if shift > 0 {
			w.i32(shift)
			w.op(opI32ShrU)
		}
		w.i32(1)
		w.op(opI32Add)
	} else {
		w.i32((w.layout.ramSize-span)>>shift + 1)
	}
	w.op(opI32GeU)
	w.exitIf(b, i)
	if len(g.steps) > 1 {
		// wazero keeps the bounds check of a load whose result is dropped, and needs
		// none for the others then.
		w.get(g.local)
		w.mem(opI32Load8U, w.layout.ram+span-1)
		w.op(opDrop)
	}
}
