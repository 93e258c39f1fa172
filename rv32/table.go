package rv32

// baseTable is RV32I, M, Zicsr, Zifencei and the privileged instructions of a
// machine-mode-only hart. What no line matches is illegal. That includes, by
// the absence of a line:
//
//   - the shifts by immediate with bit 25 set (shamt[5], which only RV64 has);
//   - SYSTEM with funct3 = 4, and with funct3 = 0 and rd or rs1 not x0;
//   - sret and sfence.vma (there is no supervisor mode), uret (no user traps)
//     and dret (there is no debug mode);
//   - words whose low five bits are ones: instructions longer than 32 bits.
//
// The two fences carry no operands here: the manual (RV32I, memory ordering
// instructions, and Zifencei) has implementations ignore rd, rs1 and, for
// fence.i, the immediate, and treat fence modes and sets they do not know as a
// full fence. So each of these words retires; CV32E40P looks at no other
// field than funct3 either.
var baseTable = []Instr{
	{"lui", 0x00000037, 0x0000007f, FormatU, "rd,upper", CostALU, LUI, nil},
	{"auipc", 0x00000017, 0x0000007f, FormatU, "rd,upper", CostALU, AUIPC, nil},
	{"jal", 0x0000006f, 0x0000007f, FormatJ, "rd,target", CostJump, JAL, nil},
	{"jalr", 0x00000067, 0x0000707f, FormatI, "rd,imm(rs1)", CostJump, JALR, nil},
	{"beq", 0x00000063, 0x0000707f, FormatB, "rs1,rs2,target", CostBranch, BEQ, nil},
	{"bne", 0x00001063, 0x0000707f, FormatB, "rs1,rs2,target", CostBranch, BNE, nil},
	{"blt", 0x00004063, 0x0000707f, FormatB, "rs1,rs2,target", CostBranch, BLT, nil},
	{"bge", 0x00005063, 0x0000707f, FormatB, "rs1,rs2,target", CostBranch, BGE, nil},
	{"bltu", 0x00006063, 0x0000707f, FormatB, "rs1,rs2,target", CostBranch, BLTU, nil},
	{"bgeu", 0x00007063, 0x0000707f, FormatB, "rs1,rs2,target", CostBranch, BGEU, nil},
	{"lb", 0x00000003, 0x0000707f, FormatI, "rd,imm(rs1)", CostLoad, LB, nil},
	{"lh", 0x00001003, 0x0000707f, FormatI, "rd,imm(rs1)", CostLoad, LH, nil},
	{"lw", 0x00002003, 0x0000707f, FormatI, "rd,imm(rs1)", CostLoad, LW, nil},
	{"lbu", 0x00004003, 0x0000707f, FormatI, "rd,imm(rs1)", CostLoad, LBU, nil},
	{"lhu", 0x00005003, 0x0000707f, FormatI, "rd,imm(rs1)", CostLoad, LHU, nil},
	{"sb", 0x00000023, 0x0000707f, FormatS, "rs2,imm(rs1)", CostStore, SB, nil},
	{"sh", 0x00001023, 0x0000707f, FormatS, "rs2,imm(rs1)", CostStore, SH, nil},
	{"sw", 0x00002023, 0x0000707f, FormatS, "rs2,imm(rs1)", CostStore, SW, nil},
	{"addi", 0x00000013, 0x0000707f, FormatI, "rd,rs1,imm", CostALU, ADDI, nil},
	{"slti", 0x00002013, 0x0000707f, FormatI, "rd,rs1,imm", CostALU, SLTI, nil},
	{"sltiu", 0x00003013, 0x0000707f, FormatI, "rd,rs1,imm", CostALU, SLTIU, nil},
	{"xori", 0x00004013, 0x0000707f, FormatI, "rd,rs1,imm", CostALU, XORI, nil},
	{"ori", 0x00006013, 0x0000707f, FormatI, "rd,rs1,imm", CostALU, ORI, nil},
	{"andi", 0x00007013, 0x0000707f, FormatI, "rd,rs1,imm", CostALU, ANDI, nil},
	{"slli", 0x00001013, 0xfe00707f, FormatShift, "rd,rs1,shamt", CostALU, SLLI, nil},
	{"srli", 0x00005013, 0xfe00707f, FormatShift, "rd,rs1,shamt", CostALU, SRLI, nil},
	{"srai", 0x40005013, 0xfe00707f, FormatShift, "rd,rs1,shamt", CostALU, SRAI, nil},
	{"add", 0x00000033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostALU, ADD, nil},
	{"sub", 0x40000033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostALU, SUB, nil},
	{"sll", 0x00001033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostALU, SLL, nil},
	{"slt", 0x00002033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostALU, SLT, nil},
	{"sltu", 0x00003033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostALU, SLTU, nil},
	{"xor", 0x00004033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostALU, XOR, nil},
	{"srl", 0x00005033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostALU, SRL, nil},
	{"sra", 0x40005033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostALU, SRA, nil},
	{"or", 0x00006033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostALU, OR, nil},
	{"and", 0x00007033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostALU, AND, nil},
	{"fence", 0x0000000f, 0x0000707f, FormatNone, "pred,succ", CostFence, FENCE, nil},
	{"ecall", 0x00000073, 0xffffffff, FormatNone, "", CostTrap, ECALL, nil},
	{"ebreak", 0x00100073, 0xffffffff, FormatNone, "", CostTrap, EBREAK, nil},

	// M
	{"mul", 0x02000033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostALU, MUL, nil},
	{"mulh", 0x02001033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostMulH, MULH, nil},
	{"mulhsu", 0x02002033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostMulH, MULHSU, nil},
	{"mulhu", 0x02003033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostMulH, MULHU, nil},
	{"div", 0x02004033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostDiv, DIV, nil},
	{"divu", 0x02005033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostDiv, DIVU, nil},
	{"rem", 0x02006033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostDiv, REM, nil},
	{"remu", 0x02007033, 0xfe00707f, FormatR, "rd,rs1,rs2", CostDiv, REMU, nil},

	// Zicsr. Whether the CSR exists and may be written is the hart's question.
	{"csrrw", 0x00001073, 0x0000707f, FormatCSR, "rd,csr,rs1", CostCSR, CSRRW, nil},
	{"csrrs", 0x00002073, 0x0000707f, FormatCSR, "rd,csr,rs1", CostCSR, CSRRS, nil},
	{"csrrc", 0x00003073, 0x0000707f, FormatCSR, "rd,csr,rs1", CostCSR, CSRRC, nil},
	{"csrrwi", 0x00005073, 0x0000707f, FormatCSR, "rd,csr,zimm", CostCSR, CSRRWI, nil},
	{"csrrsi", 0x00006073, 0x0000707f, FormatCSR, "rd,csr,zimm", CostCSR, CSRRSI, nil},
	{"csrrci", 0x00007073, 0x0000707f, FormatCSR, "rd,csr,zimm", CostCSR, CSRRCI, nil},

	// Zifencei
	{"fence.i", 0x0000100f, 0x0000707f, FormatNone, "", CostFence, FENCEI, nil},

	// Privileged, machine mode only
	{"mret", 0x30200073, 0xffffffff, FormatNone, "", CostMRET, MRET, nil},
	{"wfi", 0x10500073, 0xffffffff, FormatNone, "", CostWFI, WFI, nil},
}
