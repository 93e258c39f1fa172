package rv32

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// objdumpName is GNU binutils' disassembler for RISC-V, as Debian calls it.
// The digests in testdata/objdump are those of version 2.40.
const objdumpName = "riscv64-unknown-elf-objdump"

// sampleBase is the address of the first sample word; far enough from 0 that
// no branch of the sample wraps around.
const sampleBase = 0x80000000

// objdump disassembles words laid out one after another (2 bytes each if their
// low bits are not 11, else 4) from sampleBase on, and returns its text for each:
// mnemonic, tab, operands; symbols and comments cut off.
func objdump(t *testing.T, options string, words []uint32) []string {
	t.Helper()
	tool, err := exec.LookPath(objdumpName)
	if err != nil {
		t.Skipf("%s is not in PATH: the digests in testdata/objdump, made from its output, are tested without it", objdumpName)
	}
	file := filepath.Join(t.TempDir(), "sample.elf")
	if err := os.WriteFile(file, sampleELF(words), 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(tool, "-d", "-z", "-M", options, file)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", objdumpName, err, stderr.String())
	}
	texts := make([]string, 0, len(words))
	pc := uint32(sampleBase)
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		// "80000000:\t00150513          \tadd\tx10,x10,1 # ..."
		addr, rest, ok := strings.Cut(lines.Text(), ":\t")
		if !ok {
			continue
		}
		got, err := strconv.ParseUint(strings.TrimSpace(addr), 16, 64)
		if err != nil {
			continue // a heading
		}
		if uint32(got) != pc || len(texts) == len(words) {
			t.Fatalf("%s: at %#x where word %d of the sample at %#x should be: %q", objdumpName, got, len(texts), pc, lines.Text())
		}
		_, text, _ := strings.Cut(rest, "\t")
		text, _, _ = strings.Cut(text, " <")
		text, _, _ = strings.Cut(text, " #")
		pc += wordLen(words[len(texts)])
		texts = append(texts, text)
	}
	if len(texts) != len(words) {
		t.Fatalf("%s printed %d instructions of %d: %s", objdumpName, len(texts), len(words), stderr.String())
	}
	return texts
}

// wordLen is the length of the instruction in bytes.
func wordLen(word uint32) uint32 {
	if word&3 == 3 {
		return 4
	}
	return 2
}

// sampleELF is an object whose only code is words and whose attribute says
// which extensions the disassembler is to know. It has one symbol, a function,
// so that jump targets print as they do for any program (without 0x) and
// everything counts as code.
func sampleELF(words []uint32) []byte {
	le := binary.LittleEndian
	var text []byte
	for _, w := range words {
		text = le.AppendUint16(text, uint16(w))
		if wordLen(w) == 4 {
			text = le.AppendUint16(text, uint16(w>>16))
		}
	}

	const arch = "rv32i2p1_m2p0_c2p0_zicsr2p0_zifencei2p0"
	file := append([]byte{5}, arch+"\x00"...) // Tag_RISCV_arch
	file = append(le.AppendUint32([]byte{1}, uint32(5+len(file))), file...)
	vendor := append([]byte("riscv\x00"), file...)
	attributes := append(le.AppendUint32([]byte{'A'}, uint32(4+len(vendor))), vendor...)

	const names = "\x00.text\x00.riscv.attributes\x00.symtab\x00.strtab\x00"
	const symbolName = 7 // ".riscv.attributes" will do
	var symbols []byte
	for _, s := range [][4]uint32{{}, {symbolName, sampleBase, uint32(len(text)), 1<<16 | 1<<4 | 2}} {
		for _, v := range s {
			symbols = le.AppendUint32(symbols, v)
		}
	}

	type section struct{ Name, Type, Flags, Addr, Off, Size, Link, Info, Align, EntSize uint32 }
	const header = 52
	sections := []section{
		{},
		{Name: 1, Type: 1, Flags: 6, Addr: sampleBase, Off: header, Size: uint32(len(text)), Align: 2},
		{Name: 7, Type: 0x70000003, Size: uint32(len(attributes)), Align: 1},
		{Name: 25, Type: 2, Size: uint32(len(symbols)), Link: 4, Info: 1, Align: 1, EntSize: 16},
		{Name: 33, Type: 3, Size: uint32(len(names)), Align: 1},
	}
	for i := 2; i < len(sections); i++ {
		sections[i].Off = sections[i-1].Off + sections[i-1].Size
	}

	var b bytes.Buffer
	b.WriteString("\x7fELF\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	binary.Write(&b, le, struct {
		Type, Machine                   uint16
		Version, Entry, PhOff, ShOff    uint32
		Flags                           uint32
		EhSize, PhEntSize, PhNum        uint16
		ShEntSize, ShNum, NamesSectionN uint16
	}{
		Type: 1, Machine: 243, Version: 1, ShOff: sections[4].Off + sections[4].Size,
		Flags: 1, EhSize: header, ShEntSize: 40, ShNum: uint16(len(sections)), NamesSectionN: 4,
	})
	b.Write(text)
	b.Write(attributes)
	b.Write(symbols)
	b.WriteString(names)
	for _, s := range sections {
		binary.Write(&b, le, s)
	}
	return b.Bytes()
}
