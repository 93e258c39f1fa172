package rv32

import (
	"fmt"
	"strings"
	"testing"

	"socsim/clock"

	"github.com/google/go-cmp/cmp"
)

func mustTable(t testing.TB) *Table {
	t.Helper()
	table, err := NewTable(nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestDecode(t *testing.T) {
	tests := []struct {
		word   uint32
		op     Op
		rd     uint8
		rs1    uint8
		rs2    uint8
		imm    int32
		len    uint8
		reason string
	}{
		{0xfff00093, ADDI, 1, 0, 0, -1, 4, "addi x1,x0,-1"},
		{0x80000537, LUI, 10, 0, 0, -0x80000000, 4, "lui x10,0x80000"},
		{0x00001197, AUIPC, 3, 0, 0, 0x1000, 4, "auipc x3,0x1"},
		{0xfe112e23, SW, 0, 2, 1, -4, 4, "sw x1,-4(x2)"},
		{0xfe0008e3, BEQ, 0, 0, 0, -16, 4, "beq x0,x0,.-16"},
		{0x7e000fe3, BEQ, 0, 0, 0, 4094, 4, "the farthest branch"},
		{0xff1ff06f, JAL, 0, 0, 0, -16, 4, "jal x0,.-16"},
		{0x7ffff0ef, JAL, 1, 0, 0, 0xffffe, 4, "the farthest jump"},
		{0x41f1d113, SRAI, 2, 3, 0, 31, 4, "srai x2,x3,31"},
		{0x300fd0f3, CSRRWI, 1, 31, 0, 0x300, 4, "csrrwi x1,mstatus,31"},
		{0xf1402573, CSRRS, 10, 0, 0, 0xf14, 4, "csrr x10,mhartid: the number is unsigned"},
		{0x0ff0000f, FENCE, 0, 0, 0, 0, 4, "fence"},
		{0xf3f0d78f, ILLEGAL, 0, 0, 0, 0, 4, "MISC-MEM with funct3 = 5"},
		{0xabc0908f, FENCEI, 0, 0, 0, 0, 4, "fence.i with every ignored field set"},
		{0x00004073, ILLEGAL, 0, 0, 0, 0, 4, "SYSTEM with funct3 = 4"},
		{0x000000f3, ILLEGAL, 0, 0, 0, 0, 4, "ecall with rd = x1"},
		{0x30200073, MRET, 0, 0, 0, 0, 4, "mret"},
		{0x0000001f, ILLEGAL, 0, 0, 0, 0, 4, "an instruction of 48 bits"},
		{0xffffffff, ILLEGAL, 0, 0, 0, 0, 4, "all ones"},

		{0xffff0000, ILLEGAL, 0, 0, 0, 0, 2, "all zero; the upper half belongs to the next instruction"},
		{0x0001, ADDI, 0, 0, 0, 0, 2, "c.nop"},
		{0x107d, ADDI, 0, 0, 0, -1, 2, "c.nop -1, a HINT"},
		{0x0281, ADDI, 5, 5, 0, 0, 2, "c.addi x5,0, a HINT"},
		{0x4001, ADDI, 0, 0, 0, 0, 2, "c.li x0,0, a HINT"},
		{0x6005, LUI, 0, 0, 0, 0x1000, 2, "c.lui x0,1, a HINT"},
		{0x6001, ILLEGAL, 0, 0, 0, 0, 2, "c.lui x0,0, reserved"},
		{0x6081, ILLEGAL, 0, 0, 0, 0, 2, "c.lui x1,0, reserved"},
		{0x7285, LUI, 5, 0, 0, -0x1f000, 2, "c.lui x5,0xfffe1"},
		{0x6101, ILLEGAL, 0, 0, 0, 0, 2, "c.addi16sp 0, reserved"},
		{0x7139, ADDI, 2, 2, 0, -64, 2, "c.addi16sp -64"},
		{0x1fe0, ADDI, 8, 2, 0, 1020, 2, "c.addi4spn x8,x2,1020"},
		{0x0282, SLLI, 5, 5, 0, 0, 2, "c.slli x5,0, a HINT"},
		{0x0006, SLLI, 0, 0, 0, 1, 2, "c.slli x0,1, a HINT"},
		{0x1286, ILLEGAL, 0, 0, 0, 0, 2, "c.slli x5,33"},
		{0x8481, SRAI, 9, 9, 0, 0, 2, "c.srai x9,0, a HINT"},
		{0x9005, ILLEGAL, 0, 0, 0, 0, 2, "c.srli x8,33"},
		{0x8006, ADD, 0, 0, 1, 0, 2, "c.mv x0,x1, a HINT"},
		{0x9006, ADD, 0, 0, 1, 0, 2, "c.add x0,x1, a HINT"},
		{0x8002, ILLEGAL, 0, 0, 0, 0, 2, "c.jr x0, reserved"},
		{0x8082, JALR, 0, 1, 0, 0, 2, "c.jr x1"},
		{0x9082, JALR, 1, 1, 0, 0, 2, "c.jalr x1"},
		{0x9002, EBREAK, 0, 0, 0, 0, 2, "c.ebreak"},
		{0x4002, ILLEGAL, 0, 0, 0, 0, 2, "c.lwsp x0, reserved"},
		{0x50fe, LW, 1, 2, 0, 252, 2, "c.lwsp x1,252(x2)"},
		{0xdfe2, SW, 0, 2, 24, 252, 2, "c.swsp x24,252(x2)"},
		{0x5cfc, LW, 15, 9, 0, 124, 2, "c.lw x15,124(x9)"},
		{0x6000, ILLEGAL, 0, 0, 0, 0, 2, "c.flw without F"},
		{0x9c01, ILLEGAL, 0, 0, 0, 0, 2, "c.subw of RV64"},
		{0xbffd, JAL, 0, 0, 0, -2, 2, "c.j .-2"},
		{0x2ffd, JAL, 1, 0, 0, 2046, 2, "the farthest c.jal"},
		{0xc001, BEQ, 0, 8, 0, 0, 2, "c.beqz x8,."},
		{0xf381, BNE, 0, 15, 0, -256, 2, "c.bnez x15,.-256"},
	}
	table := mustTable(t)
	for _, tt := range tests {
		want := Decoded{Op: tt.op, Rd: tt.rd, Rs1: tt.rs1, Rs2: tt.rs2, Imm: tt.imm, Len: tt.len, Word: tt.word}
		if tt.len == 2 {
			want.Word &= 0xffff
		}
		got := table.Decode(tt.word)
		if (got.Instr == nil) != (tt.op == ILLEGAL) {
			t.Errorf("%#x: Instr %v for operation %d: %s", tt.word, got.Instr, got.Op, tt.reason)
		}
		got.Instr = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%#x: %s (-want +got):\n%s", tt.word, tt.reason, diff)
		}
	}
}

// baseEntry finds the 32-bit entry of an operation.
func baseEntry(op Op) *Instr {
	for i := range baseTable {
		if baseTable[i].Op == op {
			return &baseTable[i]
		}
	}
	return nil
}

// encode packs the operands of d into the 32-bit instruction of its operation.
// ok is false where the base instruction cannot hold them.
func encode(d Decoded) (word uint32, ok bool) {
	in := baseEntry(d.Op)
	rd, rs1, rs2, imm := uint32(d.Rd)<<7, uint32(d.Rs1)<<15, uint32(d.Rs2)<<20, uint32(d.Imm)
	w := in.Match
	fits := func(bits uint) bool { return d.Imm>>(bits-1) == 0 || d.Imm>>(bits-1) == -1 }
	switch in.Format {
	case FormatNone:
		return w, true
	case FormatR:
		return w | rd | rs1 | rs2, d.Imm == 0
	case FormatI:
		return w | rd | rs1 | imm<<20, d.Rs2 == 0 && fits(12)
	case FormatShift:
		return w | rd | rs1 | imm<<20, d.Rs2 == 0 && imm < 32
	case FormatS:
		return w | rs1 | rs2 | imm>>5<<25 | imm&31<<7, d.Rd == 0 && fits(12)
	case FormatB:
		return w | rs1 | rs2 | imm>>12<<31 | imm>>5&0x3f<<25 | imm>>1&15<<8 | imm>>11&1<<7, d.Rd == 0 && fits(13) && imm&1 == 0
	case FormatU:
		return w | rd | imm, d.Rs1 == 0 && d.Rs2 == 0 && imm&0xfff == 0
	case FormatJ:
		return w | rd | imm>>20<<31 | imm>>1&0x3ff<<21 | imm>>11&1<<20 | imm>>12&0xff<<12, d.Rs1 == 0 && d.Rs2 == 0 && fits(21) && imm&1 == 0
	case FormatCSR:
		return w | rd | rs1 | imm<<20, d.Rs2 == 0 && imm < 1<<12
	}
	return 0, false
}

// Every bit of a 32-bit instruction is part of the match or of one operand:
// packing the operands gives the word again. The fences are left out, whose
// fields are ignored.
func TestOperandsOfWords(t *testing.T) {
	table := mustTable(t)
	for _, g := range samples() {
		for _, w := range g.words {
			d := table.Decode(w)
			if d.Len != 4 || d.Instr == nil || d.Op == FENCE || d.Op == FENCEI {
				continue
			}
			if got, ok := encode(d); !ok || got != w {
				t.Fatalf("%s: %08x decodes to %+v, which encodes to %08x", g.name, w, d, got)
			}
		}
	}
}

// Every 16-bit instruction is some 32-bit one: packing its operands gives an
// instruction with the same operation, operands and cost. That they are the
// right operands is what the comparison of the texts with objdump shows; here
// the base instruction must print the same, but for the names HINTs have and
// for moves, which are different base instructions.
func TestOperandsOfParcels(t *testing.T) {
	table := mustTable(t)
	for p := uint32(0); p < 1<<16; p++ {
		d := table.Decode(p)
		if d.Len != 2 || d.Instr == nil {
			continue
		}
		w, ok := encode(d)
		base := table.Decode(w)
		if !ok || base.Instr == nil || base.Len != 4 || base.Instr.Cost != d.Instr.Cost {
			t.Fatalf("%04x decodes to %+v, which encodes to %08x: %+v", p, d, w, base)
		}
		base.Instr, base.Len, base.Word = d.Instr, d.Len, d.Word
		if base != d {
			t.Fatalf("%04x decodes to %+v, but as %08x to %+v", p, d, w, base)
		}
		got, want := table.Disassemble(0x1000, p), table.Disassemble(0x1000, w)
		mv := fmt.Sprintf("mv\tx%d,x%d", d.Rd, d.Rs2)
		addZero := fmt.Sprintf("add\tx%d,x%d,0", d.Rd, d.Rd)
		if got != want && !strings.HasPrefix(got, "c.") && got != mv && got != addZero {
			t.Fatalf("%04x prints %q, its base instruction %08x %q", p, got, w, want)
		}
	}
}

// HINTs write nothing: each of these parcels must not change a register.
func TestHints(t *testing.T) {
	table := mustTable(t)
	tests := []struct {
		match, mask uint32
		count       int
		name        string
	}{
		{0x0001, 0xef83, 64, "c.nop, HINT where the immediate is not 0"},
		{0x0001, 0xf07f, 32, "c.addi with immediate 0"},
		{0x4001, 0xef83, 64, "c.li with rd = x0"},
		{0x6001, 0xef83, 63, "c.lui with rd = x0, immediate not 0"},
		{0x0002, 0xff83, 32, "c.slli with rd = x0"},
		{0x0002, 0xf07f, 32, "c.slli by 0"},
		{0x8001, 0xfc7f, 8, "c.srli by 0"},
		{0x8401, 0xfc7f, 8, "c.srai by 0"},
		{0x8002, 0xff83, 31, "c.mv with rd = x0"},
		{0x9002, 0xff83, 31, "c.add with rd = x0"},
	}
	for _, tt := range tests {
		n := 0
		for p := uint32(0); p < 1<<16; p++ {
			d := table.Decode(p)
			if p&tt.mask != tt.match || d.Instr == nil || d.Instr.Cost != CostALU {
				continue
			}
			n++
			unchanged := d.Rd == d.Rs1 && d.Rs2 == 0 && d.Imm == 0
			if d.Rd != 0 && !unchanged {
				t.Errorf("%s: %04x decodes to %+v, which writes a register", tt.name, p, d)
			}
		}
		if n != tt.count {
			t.Errorf("%s: %d parcels retire, want %d", tt.name, n, tt.count)
		}
	}
}

// The compressed table names every parcel, reserved ones too, and has no line
// that nothing reaches; the base table has no two lines for one word.
func TestTableCovers(t *testing.T) {
	table := mustTable(t)
	reached := map[*Instr]bool{}
	for p := uint32(0); p < 1<<16; p++ {
		if p&3 == 3 {
			continue
		}
		in := table.decode.find(p)
		if in == nil {
			t.Fatalf("%04x is on no line of the table, not even a reserved one", p)
		}
		reached[in] = true
	}
	for i := range compressedTable {
		if !reached[&table.instrs[i]] {
			t.Errorf("compressed line %d, %s (%s), is never meant", i, compressedTable[i].Name, compressedTable[i].Text)
		}
	}
	for i := range baseTable {
		a := &baseTable[i]
		if a.Match&^a.Mask != 0 || a.Mask&3 != 3 {
			t.Errorf("%s: match %#x, mask %#x", a.Name, a.Match, a.Mask)
		}
		if table.decode.find(a.Match).Name != a.Name {
			t.Errorf("%s is not found by its own match", a.Name)
		}
		for j := range i {
			if overlap(a, &baseTable[j]) {
				t.Errorf("%s overlaps %s", a.Name, baseTable[j].Name)
			}
		}
	}
	for op := ILLEGAL + 1; op < CUSTOM; op++ {
		if baseEntry(op) == nil {
			t.Errorf("operation %d has no 32-bit entry", op)
		}
	}
	for _, list := range [][]Instr{compressedTable, baseTable} {
		for _, in := range list {
			if err := checkText(in.Text); err != nil && in.Op != ILLEGAL {
				t.Errorf("%s: %v", in.Name, err)
			}
		}
	}
	for _, list := range [][]alias{aliases, ownNames} {
		for _, a := range list {
			if err := checkText(a.Text); err != nil || a.Match&^a.Mask != 0 {
				t.Errorf("alias %s: match %#x, mask %#x: %v", a.Name, a.Match, a.Mask, err)
			}
		}
	}
}

// absorb is a custom-0 instruction as an accelerator would bring it.
func absorb() Instr {
	return Instr{
		Name: "absorb", Match: 0x0000000b, Mask: 0x0000707f, Format: FormatI, Text: "rs1,imm", Cost: CostCustom, Op: CUSTOM,
		Custom: &Custom{Execute: func(s *State, in Decoded, at clock.Cycle) Outcome {
			s.SetF(uint8(in.Imm), s.F(uint8(in.Imm))^s.X(in.Rs1))
			return Outcome{Last: at}
		}},
	}
}

func TestCustom(t *testing.T) {
	store := absorb()
	store.Name, store.Match, store.Format, store.Text = "stfifo", 0x600b, FormatS, "imm(rs1)"
	table, err := NewTable(append([]Instr{absorb(), store}, Float...))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		word         uint32
		text         string
		rd, rs1, rs2 uint8
		imm          int32
	}{
		{0x0075000b, "absorb\tx10,7", 0, 10, 0, 7},
		{0xfe05ee0b, "stfifo\t-4(x11)", 0, 11, 0, -4},
		{0x00c12507, "flw\tf10,12(x2)", FReg + 10, 2, 0, 12},
		{0xfea12e27, "fsw\tf10,-4(x2)", 0, 2, FReg + 10, -4},
		{0xe0050553, "fmv.x.w\tx10,f10", 10, FReg + 10, 0, 0},
		{0xf0000fd3, "fmv.w.x\tf31,x0", FReg + 31, 0, 0, 0},
	}
	for _, tt := range tests {
		if got := table.Disassemble(0, tt.word); got != tt.text {
			t.Errorf("%#x prints %q, want %q", tt.word, got, tt.text)
		}
		d := table.Decode(tt.word)
		if d.Instr == nil || d.Op != d.Instr.Op || d.Rd != tt.rd || d.Rs1 != tt.rs1 || d.Rs2 != tt.rs2 || d.Imm != tt.imm || d.Len != 4 {
			t.Errorf("%#x decodes to %+v, want %+v", tt.word, d, tt)
		}
		if d := mustTable(t).Decode(tt.word); d.Instr != nil {
			t.Errorf("%#x is %s in a table it was not added to", tt.word, d.Instr.Name)
		}
	}

	var s State
	s.SetX(10, 0x1234)
	d := table.Decode(0x0075000b)
	if out := d.Instr.Custom.Execute(&s, d, 17); out.Last != 17 || s.F(7) != 0x1234 {
		t.Errorf("absorb x10,7 ends in cycle %d with f7 = %#x, want 17 and 0x1234", out.Last, s.F(7))
	}
	// The rest of the instruction set is as it was.
	plain := mustTable(t)
	for _, g := range samples()[:2] {
		for _, w := range g.words {
			a, b := table.Decode(w), plain.Decode(w)
			if b.Instr != nil && (a.Instr == nil || a.Instr.Name != b.Instr.Name) {
				t.Fatalf("%#x: %+v with custom entries, %+v without", w, a, b)
			}
		}
	}
}

func TestCustomErrors(t *testing.T) {
	tests := []struct {
		change func(in *Instr)
		want   []string // parts of the message
	}{
		{func(in *Instr) { in.Match, in.Mask = 0x33, 0x7f }, []string{"absorb", "overlaps add "}},
		{func(in *Instr) { in.Match = 0x1073 }, []string{"absorb", "overlaps csrrw "}},
		{func(in *Instr) { in.Match |= 0x80 }, []string{"absorb", "outside mask", "0x80"}},
		{func(in *Instr) { in.Match, in.Mask = 0x9c41, 0xfc63 }, []string{"absorb", "16-bit"}},
		{func(in *Instr) { in.Match, in.Mask = 0, 0 }, []string{"absorb", "16-bit"}},
		{func(in *Instr) { in.Match = 0x1f }, []string{"absorb", "longer than 32 bits"}},
		{func(in *Instr) { in.Match, in.Mask = 3, 3 }, []string{"absorb", "opcode"}},
		{func(in *Instr) { in.Format = formatCI }, []string{"absorb", "format"}},
		{func(in *Instr) { in.Op = ILLEGAL }, []string{"absorb", "operation"}},
		{func(in *Instr) { in.Custom = nil }, []string{"absorb", "Execute"}},
		{func(in *Instr) { in.Custom.Execute = nil }, []string{"absorb", "Execute"}},
		{func(in *Instr) { in.Cost = CostLoad }, []string{"absorb", "Loaded"}},
		{func(in *Instr) { in.Cost = CostDiv }, []string{"absorb", "cost"}},
		{func(in *Instr) { in.Text = "rs1,index" }, []string{"absorb", `"index"`}},
		{func(in *Instr) { in.Name = "" }, []string{"name", "0x0000000b"}},
	}
	for _, tt := range tests {
		in := absorb()
		tt.change(&in)
		_, err := NewTable([]Instr{in})
		for _, part := range tt.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("got error %v, want one with %q", err, part)
			}
		}
	}
	second := absorb()
	second.Name = "absorb2"
	if _, err := NewTable([]Instr{absorb(), second}); err == nil || !strings.Contains(err.Error(), "absorb2") || !strings.Contains(err.Error(), "overlaps absorb ") {
		t.Errorf("two entries for one encoding: got error %v", err)
	}
}

func BenchmarkDecode(b *testing.B) {
	table := mustTable(b)
	words := samples()[1].words
	i := 0
	for b.Loop() {
		table.Decode(words[i])
		if i++; i == len(words) {
			i = 0
		}
	}
}
