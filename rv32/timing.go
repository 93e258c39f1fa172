package rv32

import (
	"math/bits"

	"socsim/clock"
)

// The cycle rules are those of testdata/cv32e40p/CV32E40P.md, measured on the
// CV32E40P RTL. A slot is the number of cycles from an instruction's entry
// into EX to the entry of the next one when nothing else is in the way.
const (
	slotALU         = 1  // section 1: ALU, mul, fast CSR, branch not taken
	slotMulH        = 5  // section 1
	slotBranchTaken = 3  // section 1
	slotJump        = 2  // section 1
	slotSlowCSR     = 4  // section 1
	slotFence       = 4  // section 1: refetch
	slotTrap        = 4  // section 1: ecall, ebreak, illegal CSR instruction
	slotIllegal     = 5  // section 1: every other illegal instruction
	slotMRET        = 5  // section 1
	slotDivZero     = 35 // section 2

	misaligned32 = 1 // "mis32": a jump target at 2 mod 4 that is a 32-bit instruction
	ownLink      = 1 // section 4: jalr with rd == rs1 waits for its own link

	branchRefetch = 2 // section 6 step 7: target in ID two cycles after a taken branch is in EX
	jumpRefetch   = 2 // section 6 step 7: target in ID two cycles after the redirect
	wfiEntry      = 3 // section 7: asleep from S = max(E, rho) + 3
	wfiWake       = 2 // section 7: after waking in s, next instruction in ID at s+2
	wfiWakeVector = 3 // section 7: or the vector instruction in ID at s+3
)

// divSlot returns the cycles of a division, which depend on the divisor only
// (section 2).
func divSlot(op Op, divisor uint32) clock.Cycle {
	switch signed := op == DIV || op == REM; {
	case divisor == 0:
		return slotDivZero
	case signed && int32(divisor) < 0:
		return clock.Cycle(2 + bits.LeadingZeros32(^divisor))
	default:
		return clock.Cycle(3 + bits.LeadingZeros32(divisor))
	}
}

// split tells whether an access takes two bus transactions (section 1): it
// crosses a word boundary.
func split(addr uint32, bytes uint8) bool {
	return addr&3+uint32(bytes) > 4
}

// operandUse says which registers an instruction reads and how it writes.
type operandUse struct {
	reads1, reads2 bool
	writesALU      bool // rd written through the ALU port, x0 included
	isLoad         bool // rd written by the load/store unit
}

func useOf(d *Decoded) operandUse {
	switch d.Op {
	case CSRRW, CSRRS, CSRRC, CSRRWI, CSRRSI, CSRRCI:
		if illegalCSR(d) {
			return operandUse{} // section 1: illegal instructions have no operands
		}
	}
	switch d.Op {
	case ILLEGAL, ECALL, EBREAK, MRET, WFI, FENCE, FENCEI:
		return operandUse{}
	case LUI, AUIPC, JAL, CSRRWI, CSRRSI, CSRRCI:
		return operandUse{writesALU: true}
	case CSRRW, CSRRS, CSRRC, JALR,
		ADDI, SLTI, SLTIU, XORI, ORI, ANDI, SLLI, SRLI, SRAI:
		return operandUse{reads1: true, writesALU: true}
	case BEQ, BNE, BLT, BGE, BLTU, BGEU, SB, SH, SW:
		return operandUse{reads1: true, reads2: true}
	case LB, LH, LW, LBU, LHU:
		return operandUse{reads1: true, isLoad: true}
	case CUSTOM:
		switch d.Instr.Format {
		case FormatNone:
			return operandUse{}
		case FormatR:
			return operandUse{reads1: true, reads2: true, writesALU: true}
		case FormatS:
			return operandUse{reads1: true, reads2: true}
		}
		return operandUse{reads1: true, writesALU: d.Instr.Cost == CostCustom}
	default:
		return operandUse{reads1: true, reads2: true, writesALU: true}
	}
}

// hazard returns the stall between two neighbours that fall through, with RAM
// answering at once (sections 3 and 4), and whether only the full recurrence
// of step.go gets the pair right: q is a jump whose bubble may hide behind p.
func hazard(p, q *Decoded) (stall clock.Cycle, irregular bool) {
	po, qo := useOf(p), useOf(q)
	reads := func(r uint8) bool {
		return r != 0 && (qo.reads1 && q.Rs1 == r || qo.reads2 && q.Rs2 == r)
	}
	jump := q.Op == JAL || q.Op == JALR
	base := q.Op == JALR && q.Rs1 != 0 && q.Rs1 == p.Rd // jalr on p's result
	long := p.Instr != nil && (p.Instr.Cost == CostMulH || p.Instr.Cost == CostDiv)
	switch {
	case po.isLoad && base:
		return 2, false
	case po.isLoad && (reads(p.Rd) || qo.writesALU && q.Rd == p.Rd):
		return 1, jump
	case po.writesALU && base:
		return 1, false
	case jump && long:
		return 0, true
	}
	return 0, false
}
