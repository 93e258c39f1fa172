package rv32

// compressedTable is RV32C without F and D, quadrant by quadrant in the order
// of the manual's opcode map. The operation is that of the base instruction
// the parcel stands for, the format says how its operands unpack to that
// instruction's.
//
// Lines with operation ILLEGAL are encodings the manual reserves; their text
// is the reason. They stand before the line they cut a piece out of, since the
// first match is meant. HINTs need no lines: they unpack like their
// neighbours, to an instruction that writes x0 or leaves its register as it is.
// Only shifts by 0 have lines, because they have names.
var compressedTable = []Instr{
	// Quadrant 0
	{"reserved", 0x0000, 0xffe3, FormatNone, "c.addi4spn with immediate 0; the all-zero parcel is illegal for good", 0, ILLEGAL, nil},
	{"c.addi4spn", 0x0000, 0xe003, formatCAddi4spn, "rd,rs1,imm", CostALU, ADDI, nil},
	{"reserved", 0x2000, 0xe003, FormatNone, "c.fld: no D", 0, ILLEGAL, nil},
	{"c.lw", 0x4000, 0xe003, formatCLw, "rd,imm(rs1)", CostLoad, LW, nil},
	{"reserved", 0x6000, 0xe003, FormatNone, "c.flw: no F", 0, ILLEGAL, nil},
	{"reserved", 0x8000, 0xe003, FormatNone, "quadrant 0, funct3 = 4", 0, ILLEGAL, nil},
	{"reserved", 0xa000, 0xe003, FormatNone, "c.fsd: no D", 0, ILLEGAL, nil},
	{"c.sw", 0xc000, 0xe003, formatCSw, "rs2,imm(rs1)", CostStore, SW, nil},
	{"reserved", 0xe000, 0xe003, FormatNone, "c.fsw: no F", 0, ILLEGAL, nil},

	// Quadrant 1
	{"c.addi", 0x0001, 0xe003, formatCI, "rd,imm", CostALU, ADDI, nil}, // c.nop is rd = x0
	{"c.jal", 0x2001, 0xe003, formatCCall, "target", CostJump, JAL, nil},
	{"c.li", 0x4001, 0xe003, formatCIZero, "rd,imm", CostALU, ADDI, nil},
	{"reserved", 0x6001, 0xf07f, FormatNone, "c.lui and c.addi16sp with immediate 0", 0, ILLEGAL, nil},
	{"c.addi16sp", 0x6101, 0xef83, formatCAddi16sp, "rd,imm", CostALU, ADDI, nil},
	{"c.lui", 0x6001, 0xe003, formatCUpper, "rd,upper", CostALU, LUI, nil},
	{"reserved", 0x9001, 0xfc03, FormatNone, "c.srli with shamt[5] = 1: for custom extensions on RV32", 0, ILLEGAL, nil},
	{"c.srli64", 0x8001, 0xfc7f, formatCShift, "rd", CostALU, SRLI, nil}, // shift by 0, a HINT: RV128 shifts by 64
	{"c.srli", 0x8001, 0xec03, formatCShift, "rd,shamt", CostALU, SRLI, nil},
	{"reserved", 0x9401, 0xfc03, FormatNone, "c.srai with shamt[5] = 1: for custom extensions on RV32", 0, ILLEGAL, nil},
	{"c.srai64", 0x8401, 0xfc7f, formatCShift, "rd", CostALU, SRAI, nil}, // likewise
	{"c.srai", 0x8401, 0xec03, formatCShift, "rd,shamt", CostALU, SRAI, nil},
	{"c.andi", 0x8801, 0xec03, formatCAndi, "rd,imm", CostALU, ANDI, nil},
	{"c.sub", 0x8c01, 0xfc63, formatCA, "rd,rs2", CostALU, SUB, nil},
	{"c.xor", 0x8c21, 0xfc63, formatCA, "rd,rs2", CostALU, XOR, nil},
	{"c.or", 0x8c41, 0xfc63, formatCA, "rd,rs2", CostALU, OR, nil},
	{"c.and", 0x8c61, 0xfc63, formatCA, "rd,rs2", CostALU, AND, nil},
	{"reserved", 0x9c01, 0xfc03, FormatNone, "c.subw and c.addw of RV64, and two that nobody has", 0, ILLEGAL, nil},
	{"c.j", 0xa001, 0xe003, formatCJump, "target", CostJump, JAL, nil},
	{"c.beqz", 0xc001, 0xe003, formatCB, "rs1,target", CostBranch, BEQ, nil},
	{"c.bnez", 0xe001, 0xe003, formatCB, "rs1,target", CostBranch, BNE, nil},

	// Quadrant 2
	{"reserved", 0x1002, 0xf003, FormatNone, "c.slli with shamt[5] = 1: for custom extensions on RV32", 0, ILLEGAL, nil},
	{"c.slli64", 0x0002, 0xf07f, formatCSlli, "rd", CostALU, SLLI, nil}, // likewise
	{"c.slli", 0x0002, 0xe003, formatCSlli, "rd,shamt", CostALU, SLLI, nil},
	{"reserved", 0x2002, 0xe003, FormatNone, "c.fldsp: no D", 0, ILLEGAL, nil},
	{"reserved", 0x4002, 0xef83, FormatNone, "c.lwsp with rd = x0", 0, ILLEGAL, nil},
	{"c.lwsp", 0x4002, 0xe003, formatCLwsp, "rd,imm(rs1)", CostLoad, LW, nil},
	{"reserved", 0x6002, 0xe003, FormatNone, "c.flwsp: no F", 0, ILLEGAL, nil},
	{"reserved", 0x8002, 0xffff, FormatNone, "c.jr with rs1 = x0", 0, ILLEGAL, nil},
	{"c.jr", 0x8002, 0xf07f, formatCJr, "rs1", CostJump, JALR, nil},
	{"c.mv", 0x8002, 0xf003, formatCMv, "rd,rs2", CostALU, ADD, nil},
	{"c.ebreak", 0x9002, 0xffff, FormatNone, "", CostTrap, EBREAK, nil},
	{"c.jalr", 0x9002, 0xf07f, formatCJalr, "rs1", CostJump, JALR, nil},
	{"c.add", 0x9002, 0xf003, formatCAdd, "rd,rs2", CostALU, ADD, nil},
	{"reserved", 0xa002, 0xe003, FormatNone, "c.fsdsp: no D", 0, ILLEGAL, nil},
	{"c.swsp", 0xc002, 0xe003, formatCSwsp, "rs2,imm(rs1)", CostStore, SW, nil},
	{"reserved", 0xe002, 0xe003, FormatNone, "c.fswsp: no F", 0, ILLEGAL, nil},
}
