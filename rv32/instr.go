package rv32

import (
	"socsim/bus"
	"socsim/clock"
)

// Op selects what the interpreter does. Several table entries may share one:
// c.addi and addi are both ADDI once their operands are unpacked.
type Op uint8

const (
	ILLEGAL Op = iota
	LUI
	AUIPC
	JAL
	JALR
	BEQ
	BNE
	BLT
	BGE
	BLTU
	BGEU
	LB
	LH
	LW
	LBU
	LHU
	SB
	SH
	SW
	ADDI
	SLTI
	SLTIU
	XORI
	ORI
	ANDI
	SLLI
	SRLI
	SRAI
	ADD
	SUB
	SLL
	SLT
	SLTU
	XOR
	SRL
	SRA
	OR
	AND
	MUL
	MULH
	MULHSU
	MULHU
	DIV
	DIVU
	REM
	REMU
	FENCE
	FENCEI
	ECALL
	EBREAK
	MRET
	WFI
	CSRRW
	CSRRS
	CSRRC
	CSRRWI
	CSRRSI
	CSRRCI
	CUSTOM // an entry from outside: Instr.Custom is its meaning
)

// Cost is the class of an instruction in the cycle rules of
// testdata/cv32e40p/CV32E40P.md, section 1.
type Cost uint8

const (
	CostALU    Cost = iota // one cycle
	CostMulH               // the three high products
	CostDiv                // 3 to 35 cycles, by the divisor
	CostLoad               // one or two data accesses
	CostStore              // one or two data accesses
	CostBranch             // conditional
	CostJump               // jal, jalr
	CostCSR                // fast or slow, by the CSR number
	CostFence              // fence, fence.i: refetch
	CostTrap               // ecall, ebreak
	CostMRET
	CostWFI
	CostCustom // an ALU slot, longer if the instruction says so
)

// Format is the operand layout: where in the word the operands are. How they
// print is Instr.Text.
type Format uint8

const (
	FormatNone   Format = iota // no operands, whatever the other bits hold
	FormatR                    // rd, rs1, rs2
	FormatI                    // rd, rs1, 12-bit signed immediate
	FormatShift                // rd, rs1, 5-bit shift amount
	FormatS                    // rs1, rs2, 12-bit signed immediate
	FormatB                    // rs1, rs2, branch offset
	FormatU                    // rd, upper immediate
	FormatJ                    // rd, jump offset
	FormatFLoad                // FormatI with an f register as rd
	FormatFStore               // FormatS with an f register as rs2
	FormatXToF                 // rd is an f register, rs1 an x register
	FormatFToX                 // rd is an x register, rs1 an f register
	FormatCSR                  // rd, rs1 or its 5 bits as a number, CSR number

	// The 16-bit ones unpack to the operands of the base instruction, so the
	// registers it implies (x0, x1, x2, rd = rs1) are part of the format.
	formatCAddi4spn // rd', x2, imm
	formatCAddi16sp // x2, x2, imm
	formatCI        // rd = rs1, 6-bit signed immediate
	formatCIZero    // rd, x0, 6-bit signed immediate
	formatCUpper    // rd, 6-bit signed upper immediate
	formatCSlli     // rd = rs1, shift amount
	formatCShift    // rd' = rs1', shift amount
	formatCAndi     // rd' = rs1', 6-bit signed immediate
	formatCA        // rd' = rs1', rs2'
	formatCAdd      // rd = rs1, rs2
	formatCMv       // rd, x0, rs2
	formatCJump     // x0, jump offset
	formatCCall     // x1, jump offset
	formatCJr       // x0, rs1, 0
	formatCJalr     // x1, rs1, 0
	formatCB        // rs1', x0, branch offset
	formatCLw       // rd', rs1', offset
	formatCSw       // rs2', rs1', offset
	formatCLwsp     // rd, x2, offset
	formatCSwsp     // rs2, x2, offset
)

// Instr is one instruction: all that decoder, disassembler, cycle rules and
// interpreter need to know of it. An encoding is this instruction when
// word&Mask == Match; where several match, the first in table order is meant.
type Instr struct {
	Name        string
	Match, Mask uint32
	Format      Format
	Text        string // operands as they print, in the words of disasm.go: "rd,imm(rs1)"
	Cost        Cost
	Op          Op

	Custom *Custom // of operation CUSTOM, else nil
}

// Custom is the meaning of an instruction of operation CUSTOM. Its Cost says
// what else the core does for it.
//
//   - CostCustom: nothing. Execute does the work.
//   - CostLoad: a word is loaded from rs1 + imm as lw does, but goes to Loaded
//     and to no register.
//   - CostStore: Outcome.Data is stored to rs1 + imm as sw does.
type Custom struct {
	// Execute may read and change s. The instruction is in EX from cycle at on.
	// Calls come in order of time.
	Execute func(s *State, in Decoded, at clock.Cycle) Outcome
	// Loaded takes the word of a CostLoad in the cycle of its answer.
	Loaded func(word uint32, at clock.Cycle)
	// Uses are the registers that Execute reads or writes besides those of the
	// format: it waits for loads to them, and a jalr waits for it.
	Uses RegSet
}

// Outcome is what became of a custom instruction.
type Outcome struct {
	// Last is the instruction's last cycle in EX; for a load or store it is the
	// cycle in which that is requested. Less than the first cycle in EX stands
	// for the first.
	Last clock.Cycle
	Data uint32 // what a CostStore stores

	// Cycles HeldFrom <= c < HeldTo are those the unit withheld, for Cause; as in
	// bus.Response. A permute instruction is withheld from first to last cycle.
	HeldFrom, HeldTo clock.Cycle
	Cause            bus.Cause

	Role  bus.Role   // what it is for, as a register of a device has one
	Fault *bus.Fault // not nil: it makes no sense; the run ends here
}

// RegSet is a set of registers: bit i is xi, bit 32 + i is fi.
type RegSet uint64

// has tells whether register r, numbered as in Decoded, is in the set.
func (s RegSet) has(r uint8) bool {
	if r >= fReg {
		r -= fReg - 32
	}
	return s>>r&1 != 0 // beyond bit 63 nothing is left
}

// Decoded is an instruction with its operands unpacked, as the base
// instruction it stands for: register numbers (0-31 for x registers, from FReg
// on for f registers) and the immediate of that base instruction (upper
// immediates already shifted, branch and jump offsets in bytes, a CSR number for
// CSR instructions, whose Rs1 is the register or the 5-bit immediate).
type Decoded struct {
	Instr        *Instr // nil: illegal
	Op           Op     // ILLEGAL if Instr is nil
	Rd, Rs1, Rs2 uint8
	Imm          int32
	Len          uint8  // 2 or 4 bytes
	Word         uint32 // the encoding, in the low Len bytes
}
