package rv32

import (
	"fmt"
	"strconv"
)

// Disassemble returns the instruction in word, as Decode takes it, at address
// pc, the way GNU objdump 2.40 with numeric registers prints it in a program
// with symbols: mnemonic, tab, operands; targets in hexadecimal without 0x.
// What objdump adds from the symbols (" <name+offset>" and " # comment") is
// not in it. Illegal encodings come out as data, ".2byte" or ".4byte".
// Where objdump takes more for legal than the manual, we follow the manual:
// the exceptions are listed in disasm_test.go.
func (t *Table) Disassemble(pc, word uint32) string {
	d := t.Decode(word)
	if text, ok := printAlias(&t.aliases, pc, d); ok {
		return text
	}
	return t.DisassembleNoAliases(pc, word)
}

// DisassembleNoAliases is Disassemble with every instruction under its own
// name ("addi x5,x0,1" for "li x5,1", "c.li x5,1" for the 16-bit one), as
// objdump prints it when told no-aliases.
func (t *Table) DisassembleNoAliases(pc, word uint32) string {
	d := t.Decode(word)
	if text, ok := printAlias(&t.ownNames, pc, d); ok {
		return text
	}
	if d.Instr == nil {
		return fmt.Sprintf(".%dbyte\t%#x", d.Len, d.Word)
	}
	return printed(d.Instr.Name, d.Instr.Text, pc, d)
}

// printAlias returns the text of the first alias in x that d is, if any.
func printAlias(x *index[alias], pc uint32, d Decoded) (string, bool) {
	a := x.find(d.Word)
	if a == nil || d.Instr == nil && a.Text != "" {
		return "", false // an illegal word has no operands to print
	}
	return printed(a.Name, a.Text, pc, d), true
}

// operands are the words an Instr.Text is made of; everything between them
// prints as it stands. The f registers are for entries from outside.
var operands = map[string]func(b []byte, pc uint32, d Decoded) []byte{
	"rd":    func(b []byte, _ uint32, d Decoded) []byte { return appendReg(b, 'x', d.Rd) },
	"rs1":   func(b []byte, _ uint32, d Decoded) []byte { return appendReg(b, 'x', d.Rs1) },
	"rs2":   func(b []byte, _ uint32, d Decoded) []byte { return appendReg(b, 'x', d.Rs2) },
	"frd":   func(b []byte, _ uint32, d Decoded) []byte { return appendReg(b, 'f', d.Rd-fReg) },
	"frs1":  func(b []byte, _ uint32, d Decoded) []byte { return appendReg(b, 'f', d.Rs1-fReg) },
	"frs2":  func(b []byte, _ uint32, d Decoded) []byte { return appendReg(b, 'f', d.Rs2-fReg) },
	"imm":   func(b []byte, _ uint32, d Decoded) []byte { return strconv.AppendInt(b, int64(d.Imm), 10) },
	"shamt": func(b []byte, _ uint32, d Decoded) []byte { return appendHex(b, uint32(d.Imm)) },
	"upper": func(b []byte, _ uint32, d Decoded) []byte { return appendHex(b, uint32(d.Imm)>>12) },
	"zimm":  func(b []byte, _ uint32, d Decoded) []byte { return strconv.AppendUint(b, uint64(d.Rs1), 10) },
	"csr":   func(b []byte, _ uint32, d Decoded) []byte { return append(b, CSRName(uint32(d.Imm))...) },
	"target": func(b []byte, pc uint32, d Decoded) []byte {
		return strconv.AppendUint(b, uint64(pc+uint32(d.Imm)), 16)
	},
	"pred": func(b []byte, _ uint32, d Decoded) []byte { return appendFenceSet(b, field(d.Word, 27, 24)) },
	"succ": func(b []byte, _ uint32, d Decoded) []byte { return appendFenceSet(b, field(d.Word, 23, 20)) },
}

func appendReg(b []byte, file byte, n uint8) []byte {
	return strconv.AppendUint(append(b, file), uint64(n), 10)
}

func appendHex(b []byte, v uint32) []byte {
	return strconv.AppendUint(append(b, "0x"...), uint64(v), 16)
}

// appendFenceSet writes the accesses a fence orders: device input, device
// output, memory reads, memory writes.
func appendFenceSet(b []byte, set uint32) []byte {
	if set == 0 {
		return append(b, "unknown"...) // objdump's word for none
	}
	for i, access := range []byte("iorw") {
		if set>>(3-i)&1 == 1 {
			b = append(b, access)
		}
	}
	return b
}

// printed fills in the operands of text.
func printed(name, text string, pc uint32, d Decoded) string {
	b := append(make([]byte, 0, 40), name...)
	if text == "" {
		return string(b)
	}
	b = append(b, '\t')
	for text != "" {
		word, rest := cutWord(text)
		if operand, ok := operands[word]; ok {
			b = operand(b, pc, d)
		} else {
			b = append(b, word...)
		}
		text = rest
	}
	return string(b)
}

// cutWord takes a word of letters and digits, or one other character, from
// the front of a text that is not empty.
func cutWord(text string) (word, rest string) {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	n = max(n, 1)
	return text[:n], text[n:]
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// checkText says which word of an operand text is none of ours.
func checkText(text string) error {
	for text != "" {
		word, rest := cutWord(text)
		if _, ok := operands[word]; !ok && isWordByte(word[0]) {
			return fmt.Errorf("its text has %q, which names no operand", word)
		}
		text = rest
	}
	return nil
}
