package rv32

// An alias is another way to write some encodings of an instruction.
type alias struct {
	Name        string
	Match, Mask uint32
	Text        string
}

// ownNames are encodings with a name of their own, other than that of their
// line in the instruction table, however they are asked to print.
var ownNames = []alias{
	{"c.unimp", 0x0000, 0xffff, ""},
	{"unimp", 0xc0001073, 0xffffffff, ""}, // csrrw x0,cycle,x0: a write to a read-only CSR
	{"fence.tso", 0x83300000 | 0x0f, 0xfff0707f, ""},
}

// aliases are the names under which a reader expects to see an instruction:
// the ones GNU objdump 2.40 prints unless told no-aliases. The first match is
// meant. A compressed instruction prints as the base instruction it is, except
// where it is a HINT, which has no base form worth writing.
var aliases = []alias{
	{"unimp", 0x0000, 0xffff, ""},
	{"unimp", 0xc0001073, 0xffffffff, ""},
	{"ret", 0x00008067, 0xffffffff, ""},
	{"jr", 0x00000067, 0xfff07fff, "rs1"},
	{"jr", 0x00000067, 0x00007fff, "imm(rs1)"},
	{"jalr", 0x000000e7, 0xfff07fff, "rs1"},
	{"jalr", 0x000000e7, 0x00007fff, "imm(rs1)"},
	{"jalr", 0x00000067, 0xfff0707f, "rd,rs1"},
	{"j", 0x0000006f, 0x00000fff, "target"},
	{"jal", 0x000000ef, 0x00000fff, "target"},

	{"nop", 0x00000013, 0xffffffff, ""},
	{"li", 0x00000013, 0x000ff07f, "rd,imm"},
	{"mv", 0x00000013, 0xfff0707f, "rd,rs1"},
	{"add", 0x00000013, 0x0000707f, "rd,rs1,imm"},
	{"seqz", 0x00103013, 0xfff0707f, "rd,rs1"},
	{"not", 0xfff04013, 0xfff0707f, "rd,rs1"},
	{"xor", 0x00004013, 0x0000707f, "rd,rs1,imm"},
	{"or", 0x00006013, 0x0000707f, "rd,rs1,imm"},
	{"zext.b", 0x0ff07013, 0xfff0707f, "rd,rs1"},
	{"and", 0x00007013, 0x0000707f, "rd,rs1,imm"},
	{"sll", 0x00001013, 0xfe00707f, "rd,rs1,shamt"},
	{"srl", 0x00005013, 0xfe00707f, "rd,rs1,shamt"},
	{"sra", 0x40005013, 0xfe00707f, "rd,rs1,shamt"},
	{"neg", 0x40000033, 0xfe0ff07f, "rd,rs2"},
	{"sltz", 0x00002033, 0xfff0707f, "rd,rs1"},
	{"sgtz", 0x00002033, 0xfe0ff07f, "rd,rs2"},
	{"snez", 0x00003033, 0xfe0ff07f, "rd,rs2"},

	{"beqz", 0x00000063, 0x01f0707f, "rs1,target"},
	{"bnez", 0x00001063, 0x01f0707f, "rs1,target"},
	{"bltz", 0x00004063, 0x01f0707f, "rs1,target"},
	{"bgtz", 0x00004063, 0x000ff07f, "rs2,target"},
	{"blez", 0x00005063, 0x000ff07f, "rs2,target"},
	{"bgez", 0x00005063, 0x01f0707f, "rs1,target"},

	{"fence", 0x0ff0000f, 0x0ff0707f, ""},
	{"rdcycle", 0xc0002073, 0xfffff07f, "rd"},
	{"rdtime", 0xc0102073, 0xfffff07f, "rd"},
	{"rdinstret", 0xc0202073, 0xfffff07f, "rd"},
	{"rdcycleh", 0xc8002073, 0xfffff07f, "rd"},
	{"rdtimeh", 0xc8102073, 0xfffff07f, "rd"},
	{"rdinstreth", 0xc8202073, 0xfffff07f, "rd"},
	{"csrw", 0x00001073, 0x00007fff, "csr,rs1"},
	{"csrr", 0x00002073, 0x000ff07f, "rd,csr"},
	{"csrs", 0x00002073, 0x00007fff, "csr,rs1"},
	{"csrc", 0x00003073, 0x00007fff, "csr,rs1"},
	{"csrw", 0x00005073, 0x00007fff, "csr,zimm"},
	{"csrs", 0x00006073, 0x00007fff, "csr,zimm"},
	{"csrc", 0x00007073, 0x00007fff, "csr,zimm"},
	{"csrrw", 0x00005073, 0x0000707f, "rd,csr,zimm"},
	{"csrrs", 0x00006073, 0x0000707f, "rd,csr,zimm"},
	{"csrrc", 0x00007073, 0x0000707f, "rd,csr,zimm"},

	{"add", 0x0000, 0xe003, "rd,rs1,imm"}, // c.addi4spn
	{"lw", 0x4000, 0xe003, "rd,imm(rs1)"},
	{"sw", 0xc000, 0xe003, "rs2,imm(rs1)"},

	{"nop", 0x0001, 0xffff, ""},
	{"c.nop", 0x0001, 0xef83, "imm"}, // HINT
	{"add", 0x0001, 0xe003, "rd,rs1,imm"},
	{"jal", 0x2001, 0xe003, "target"},
	{"c.li", 0x4001, 0xef83, "rd,imm"}, // HINT
	{"li", 0x4001, 0xe003, "rd,imm"},
	{"add", 0x6101, 0xef83, "rd,rs1,imm"}, // c.addi16sp
	{"c.lui", 0x6001, 0xef83, "rd,upper"}, // HINT
	{"lui", 0x6001, 0xe003, "rd,upper"},
	{"c.srli64", 0x8001, 0xfc7f, "rd"}, // HINT
	{"srl", 0x8001, 0xfc03, "rd,rs1,shamt"},
	{"c.srai64", 0x8401, 0xfc7f, "rd"}, // HINT
	{"sra", 0x8401, 0xfc03, "rd,rs1,shamt"},
	{"and", 0x8801, 0xec03, "rd,rs1,imm"},
	{"sub", 0x8c01, 0xfc63, "rd,rs1,rs2"},
	{"xor", 0x8c21, 0xfc63, "rd,rs1,rs2"},
	{"or", 0x8c41, 0xfc63, "rd,rs1,rs2"},
	{"and", 0x8c61, 0xfc63, "rd,rs1,rs2"},
	{"j", 0xa001, 0xe003, "target"},
	{"beqz", 0xc001, 0xe003, "rs1,target"},
	{"bnez", 0xe001, 0xe003, "rs1,target"},

	{"c.slli64", 0x0002, 0xf07f, "rd"},     // HINT
	{"c.slli", 0x0002, 0xff83, "rd,shamt"}, // HINT
	{"sll", 0x0002, 0xf003, "rd,rs1,shamt"},
	{"lw", 0x4002, 0xe003, "rd,imm(rs1)"},
	{"ret", 0x8082, 0xffff, ""},
	{"jr", 0x8002, 0xf07f, "rs1"},
	{"c.mv", 0x8002, 0xff83, "rd,rs2"}, // HINT
	{"mv", 0x8002, 0xf003, "rd,rs2"},
	{"ebreak", 0x9002, 0xffff, ""},
	{"jalr", 0x9002, 0xf07f, "rs1"},
	{"c.add", 0x9002, 0xff83, "rd,rs2"}, // HINT
	{"add", 0x9002, 0xf003, "rd,rs1,rs2"},
	{"sw", 0xc002, 0xe003, "rs2,imm(rs1)"},
}
