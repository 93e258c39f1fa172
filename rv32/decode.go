package rv32

import "fmt"

// A Table is the instruction set of one hart: RV32IMC_Zicsr_Zifencei in
// machine mode and the entries that were added. It does not change once made.
type Table struct {
	instrs []Instr // 16-bit, base, added

	decode            index[Instr]
	aliases, ownNames index[alias] // how encodings print, see aliases.go
}

// NewTable returns the instruction set with custom entries added. An entry
// must be a 32-bit encoding that overlaps no other instruction.
func NewTable(custom []Instr) (*Table, error) {
	t := &Table{}
	t.instrs = append(t.instrs, compressedTable...)
	t.instrs = append(t.instrs, baseTable...)
	for _, in := range custom {
		if err := checkCustom(&in); err != nil {
			return nil, err
		}
		for i := range t.instrs {
			if other := &t.instrs[i]; overlap(&in, other) {
				return nil, fmt.Errorf("custom instruction %s (match %#08x, mask %#08x) overlaps %s (match %#08x, mask %#08x)",
					in.Name, in.Match, in.Mask, other.Name, other.Match, other.Mask)
			}
		}
		t.instrs = append(t.instrs, in)
	}
	t.decode = makeIndex(t.instrs, func(in *Instr) (match, mask uint32) { return in.Match, in.Mask })
	ofAlias := func(a *alias) (match, mask uint32) { return a.Match, a.Mask }
	t.aliases = makeIndex(aliases, ofAlias)
	t.ownNames = makeIndex(ownNames, ofAlias)
	return t, nil
}

// checkCustom says what is wrong with an entry from outside, taken by itself.
func checkCustom(in *Instr) error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("custom instruction %q (match %#08x, mask %#08x): %s", in.Name, in.Match, in.Mask, fmt.Sprintf(format, a...))
	}
	switch {
	case in.Name == "":
		return bad("it has no name")
	case in.Match&^in.Mask != 0:
		return bad("match has bits outside mask: %#x", in.Match&^in.Mask)
	case in.Mask&3 != 3 || in.Match&3 != 3:
		return bad("16-bit encodings cannot be added: bits 1:0 of match and mask must be 11")
	case in.Mask&0x1c == 0x1c && in.Match&0x1c == 0x1c:
		return bad("bits 4:2 = 111 announce an instruction longer than 32 bits")
	case in.Mask&0x7f != 0x7f:
		return bad("mask must hold the whole opcode, bits 6:0")
	case in.Format > FormatCSR:
		return bad("format %d is none of the 32-bit formats", in.Format)
	case in.Op == ILLEGAL:
		return bad("it has no operation")
	case in.Op == CUSTOM && (in.Custom == nil || in.Custom.Execute == nil):
		return bad("Execute is missing: an entry with operation CUSTOM has no other meaning")
	case in.Op == CUSTOM && in.Cost == CostLoad && in.Custom.Loaded == nil:
		return bad("Loaded is missing: nothing takes the word that it loads")
	case in.Op == CUSTOM && in.Cost != CostCustom && in.Cost != CostLoad && in.Cost != CostStore:
		return bad("the cost of an entry with operation CUSTOM must be CostCustom, CostLoad or CostStore")
	}
	if err := checkText(in.Text); err != nil {
		return bad("%v", err)
	}
	return nil
}

// overlap reports whether some word is both instructions.
func overlap(a, b *Instr) bool {
	return (a.Match^b.Match)&a.Mask&b.Mask == 0
}

// An index finds the first entry of a list that a word is.
type index[T any] struct {
	// The list, cut by the bits that tell most entries apart: funct3 and
	// quadrant of a 16-bit parcel, funct3 and opcode of a 32-bit word.
	parcels [8 * 4][]indexed[T]
	words   [8 * 32][]indexed[T]
}

type indexed[T any] struct {
	match, mask uint32
	entry       *T
}

func parcelKey(w uint32) uint32 { return w>>13&7<<2 | w&3 }
func wordKey(w uint32) uint32   { return w>>12&7<<5 | w>>2&31 }

func makeIndex[T any](list []T, encoding func(*T) (match, mask uint32)) index[T] {
	var x index[T]
	for i := range list {
		match, mask := encoding(&list[i])
		cells, key := x.words[:], wordKey
		if match&3 != 3 {
			cells, key = x.parcels[:], parcelKey
		}
		for k := range cells {
			if (uint32(k)^key(match))&key(mask) == 0 {
				cells[k] = append(cells[k], indexed[T]{match, mask, &list[i]})
			}
		}
	}
	return x
}

// find returns the first entry that word is, nil if there is none. Of a 16-bit
// parcel the upper half does not matter.
func (x *index[T]) find(word uint32) *T {
	cell := x.words[wordKey(word)]
	if word&3 != 3 {
		word &= 0xffff
		cell = x.parcels[parcelKey(word)]
	}
	for i := range cell {
		if e := &cell[i]; word&e.mask == e.match {
			return e.entry
		}
	}
	return nil
}

// Decode unpacks the instruction in word: the 32 bits at its address, of which
// a 16-bit instruction takes the low half. Bits above it do not matter. An
// illegal instruction has length 4 if its two low bits are ones, else 2.
func (t *Table) Decode(word uint32) Decoded {
	d := Decoded{Len: 4, Word: word}
	if word&3 != 3 {
		d.Len, d.Word = 2, word&0xffff
	}
	if in := t.decode.find(word); in != nil && in.Op != ILLEGAL {
		d.Instr, d.Op = in, in.Op
		d.unpack(in.Format)
	}
	return d
}

// field returns bits hi:lo of w.
func field(w uint32, hi, lo uint) uint32 { return w >> lo & (1<<(hi-lo+1) - 1) }

// signed takes the low n bits of v as a two's complement number.
func signed(v uint32, n uint) int32 { return int32(v<<(32-n)) >> (32 - n) }

// unpack sets the operands from d.Word.
func (d *Decoded) unpack(f Format) {
	w := d.Word
	rd, rs1, rs2 := uint8(field(w, 11, 7)), uint8(field(w, 19, 15)), uint8(field(w, 24, 20))
	switch f {
	case FormatNone:
	case FormatR:
		d.Rd, d.Rs1, d.Rs2 = rd, rs1, rs2
	case FormatI:
		d.Rd, d.Rs1, d.Imm = rd, rs1, int32(w)>>20
	case FormatShift:
		d.Rd, d.Rs1, d.Imm = rd, rs1, int32(rs2)
	case FormatS:
		d.Rs1, d.Rs2, d.Imm = rs1, rs2, signed(field(w, 31, 25)<<5|field(w, 11, 7), 12)
	case FormatB:
		d.Rs1, d.Rs2 = rs1, rs2
		d.Imm = signed(field(w, 31, 31)<<12|field(w, 7, 7)<<11|field(w, 30, 25)<<5|field(w, 11, 8)<<1, 13)
	case FormatU:
		d.Rd, d.Imm = rd, int32(w&0xfffff000)
	case FormatJ:
		d.Rd = rd
		d.Imm = signed(field(w, 31, 31)<<20|field(w, 19, 12)<<12|field(w, 20, 20)<<11|field(w, 30, 21)<<1, 21)
	case FormatFLoad:
		d.Rd, d.Rs1, d.Imm = fReg+rd, rs1, int32(w)>>20
	case FormatFStore:
		d.Rs1, d.Rs2, d.Imm = rs1, fReg+rs2, signed(field(w, 31, 25)<<5|field(w, 11, 7), 12)
	case FormatXToF:
		d.Rd, d.Rs1 = fReg+rd, rs1
	case FormatFToX:
		d.Rd, d.Rs1 = rd, fReg+rs1
	case FormatCSR:
		d.Rd, d.Rs1, d.Imm = rd, rs1, int32(w>>20)
	default:
		d.unpackCompressed(f)
	}
}

// unpackCompressed sets the operands of a 16-bit instruction.
func (d *Decoded) unpackCompressed(f Format) {
	w := d.Word
	// Full register fields, and the three-bit ones (with a prime in the
	// manual), which name x8 to x15. The one at bit 2 is rd' of a load and rs2'.
	r7, r2 := uint8(field(w, 11, 7)), uint8(field(w, 6, 2))
	q7, q2 := uint8(8+field(w, 9, 7)), uint8(8+field(w, 4, 2))
	imm6 := signed(field(w, 12, 12)<<5|field(w, 6, 2), 6)
	shamt := int32(field(w, 6, 2)) // bit 12, shamt[5], is 0: the table sees to it

	switch f {
	case formatCAddi4spn:
		d.Rd, d.Rs1 = q2, 2
		d.Imm = int32(field(w, 10, 7)<<6 | field(w, 12, 11)<<4 | field(w, 5, 5)<<3 | field(w, 6, 6)<<2)
	case formatCAddi16sp:
		d.Rd, d.Rs1 = 2, 2
		d.Imm = signed(field(w, 12, 12)<<9|field(w, 4, 3)<<7|field(w, 5, 5)<<6|field(w, 2, 2)<<5|field(w, 6, 6)<<4, 10)
	case formatCI:
		d.Rd, d.Rs1, d.Imm = r7, r7, imm6
	case formatCIZero:
		d.Rd, d.Imm = r7, imm6
	case formatCUpper:
		d.Rd, d.Imm = r7, imm6<<12
	case formatCSlli:
		d.Rd, d.Rs1, d.Imm = r7, r7, shamt
	case formatCShift:
		d.Rd, d.Rs1, d.Imm = q7, q7, shamt
	case formatCAndi:
		d.Rd, d.Rs1, d.Imm = q7, q7, imm6
	case formatCA:
		d.Rd, d.Rs1, d.Rs2 = q7, q7, q2
	case formatCAdd:
		d.Rd, d.Rs1, d.Rs2 = r7, r7, r2
	case formatCMv:
		d.Rd, d.Rs2 = r7, r2
	case formatCJump, formatCCall:
		if f == formatCCall {
			d.Rd = 1
		}
		d.Imm = signed(field(w, 12, 12)<<11|field(w, 8, 8)<<10|field(w, 10, 9)<<8|field(w, 6, 6)<<7|
			field(w, 7, 7)<<6|field(w, 2, 2)<<5|field(w, 11, 11)<<4|field(w, 5, 3)<<1, 12)
	case formatCJr:
		d.Rs1 = r7
	case formatCJalr:
		d.Rd, d.Rs1 = 1, r7
	case formatCB:
		d.Rs1 = q7
		d.Imm = signed(field(w, 12, 12)<<8|field(w, 6, 5)<<6|field(w, 2, 2)<<5|field(w, 11, 10)<<3|field(w, 4, 3)<<1, 9)
	case formatCLw, formatCSw:
		if f == formatCLw {
			d.Rd = q2
		} else {
			d.Rs2 = q2
		}
		d.Rs1 = q7
		d.Imm = int32(field(w, 5, 5)<<6 | field(w, 12, 10)<<3 | field(w, 6, 6)<<2)
	case formatCLwsp:
		d.Rd, d.Rs1 = r7, 2
		d.Imm = int32(field(w, 3, 2)<<6 | field(w, 12, 12)<<5 | field(w, 6, 4)<<2)
	case formatCSwsp:
		d.Rs1, d.Rs2 = 2, r2
		d.Imm = int32(field(w, 8, 7)<<6 | field(w, 12, 9)<<2)
	}
}
