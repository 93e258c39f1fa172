package firmware_test

import (
	"bytes"
	"context"
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"socsim/firmware"
	"socsim/soc"
)

// Functions of a built-in program, called one after the other by a few instructions that
// are added to it.

// guestCall is one call: a function's name and a0 to a7.
type guestCall struct {
	function string
	a        [8]uint32
}

// guestResult is what a call returned in a0 and a1, and how long it took.
type guestResult struct {
	a      [2]uint32
	cycles uint32
}

// Where the addition is: above what any program uses of its 8 MiB.
const (
	callCode    = 0x80300000
	callData    = 0x80300100 // what a test wants in memory
	callTable   = 0x80320000
	callWords   = 9                    // of the table, for each call
	callStack   = 0x80320000           // grows down, away from the table
	callResults = callTable + 0x2e0000 // three words for each call
	callMost    = 0x2e0000 / 4 / callWords
)

// callAll makes the calls in a program with data at callData, and returns their results and
// memory afterwards, from callData on. patch, if not nil, changes the program's own memory before.
func callAll(t *testing.T, name string, data []byte, calls []guestCall, patch func(symbol func(string) uint32) map[uint32][]byte) ([]guestResult, []byte) {
	t.Helper()
	if len(calls) > callMost || len(data) > callTable-callData-0x8000 {
		t.Fatalf("%d calls and %d bytes are too many", len(calls), len(data))
	}
	file, err := firmware.ELF(name)
	if err != nil {
		t.Fatal(err)
	}
	in, err := stdelf.NewFile(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := in.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	address := map[string]uint32{}
	for _, s := range symbols {
		address[s.Name] = uint32(s.Value)
	}
	symbol := func(name string) uint32 {
		a, ok := address[name]
		if !ok {
			t.Fatalf("no symbol %s", name)
		}
		return a
	}

	var table []byte
	for _, c := range calls {
		table = binary.LittleEndian.AppendUint32(table, symbol(c.function))
		for _, a := range c.a {
			table = binary.LittleEndian.AppendUint32(table, a)
		}
	}
	type segment struct {
		addr uint32
		data []byte
	}
	var segments []segment
	for _, p := range in.Progs {
		if p.Type != stdelf.PT_LOAD || p.Filesz == 0 {
			continue
		}
		b := make([]byte, p.Filesz)
		if _, err := p.ReadAt(b, 0); err != nil {
			t.Fatal(err)
		}
		segments = append(segments, segment{uint32(p.Vaddr), b})
	}
	if patch != nil {
		for addr, b := range patch(symbol) {
			for _, s := range segments {
				if addr >= s.addr && addr-s.addr < uint32(len(s.data)) {
					copy(s.data[addr-s.addr:], b)
				}
			}
		}
	}
	segments = append(segments, segment{callCode, callLoop(len(calls))}, segment{callData, data}, segment{callTable, table})

	// An ELF file of these segments and no sections.
	const header, entry = 52, 32
	out := &bytes.Buffer{}
	w := func(v ...any) {
		for _, v := range v {
			binary.Write(out, binary.LittleEndian, v)
		}
	}
	w([16]byte{0x7f, 'E', 'L', 'F', 1, 1, 1}, uint16(2), uint16(stdelf.EM_RISCV), uint32(1), uint32(callCode), uint32(header), uint32(0), uint32(0),
		uint16(header), uint16(entry), uint16(len(segments)), uint16(40), uint16(0), uint16(0))
	at := uint32(header + entry*len(segments))
	for _, s := range segments {
		n := uint32(len(s.data))
		w(uint32(1), at, s.addr, s.addr, n, n, uint32(7), uint32(1))
		at += n
	}
	for _, s := range segments {
		out.Write(s.data)
	}

	results := make([]guestResult, len(calls))
	var after []byte
	s, err := soc.New(soc.Options{Name: name, ELF: out.Bytes(), Verify: func(ram []byte, base uint32, _ func(string) (uint32, bool)) (*bool, []string) {
		for i := range results {
			b := ram[callResults-base+12*uint32(i):]
			results[i] = guestResult{[2]uint32{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])}, binary.LittleEndian.Uint32(b[8:])}
		}
		after = bytes.Clone(ram[callData-base : callTable-base])
		return nil, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if r.Exit.Reason != soc.Ecall || r.Exit.Code != 0 {
		t.Fatalf("ended with %s, code %d: %v", r.Exit.Reason, r.Exit.Code, r.Exit.Report)
	}
	return results, after
}

// callLoop is the machine code that makes n calls from callTable.
func callLoop(n int) []byte {
	const zero, ra, sp, t0, s0, s1, a0, a7, s2, s3, s4 = 0, 1, 2, 5, 8, 9, 10, 17, 18, 19, 20
	var code []byte
	emit := func(word uint32) { code = binary.LittleEndian.AppendUint32(code, word) }
	lui := func(rd int, value uint32) { emit(value&^0xfff | uint32(rd)<<7 | 0x37) }
	addi := func(rd, rs int, imm int32) { emit(uint32(imm)<<20 | uint32(rs)<<15 | uint32(rd)<<7 | 0x13) }
	lw := func(rd, rs int, offset int32) {
		emit(uint32(offset)<<20 | uint32(rs)<<15 | 2<<12 | uint32(rd)<<7 | 0x03)
	}
	sw := func(r2, rs int, offset uint32) { emit(uint32(r2)<<20 | uint32(rs)<<15 | 2<<12 | offset<<7 | 0x23) }
	li := func(rd int, value uint32) { lui(rd, value+0x800); addi(rd, rd, int32(value<<20)>>20) }

	li(sp, callStack)
	li(s0, callTable)
	li(s1, callResults)
	li(s2, callTable+uint32(4*callWords*n))
	li(s3, 0x0200bff8) // mtime
	loop := len(code)
	lw(t0, s0, 0)
	for i := range 8 {
		lw(a0+i, s0, int32(4+4*i))
	}
	lw(s4, s3, 0)
	emit(t0<<15 | ra<<7 | 0x67) // jalr ra, t0
	lw(t0, s3, 0)
	emit(0x20<<25 | s4<<20 | t0<<15 | t0<<7 | 0x33) // sub t0, t0, s4
	sw(a0, s1, 0)
	sw(a0+1, s1, 4)
	sw(t0, s1, 8)
	addi(s0, s0, 4*callWords)
	addi(s1, s1, 12)
	back := uint32(loop - len(code))
	emit(back>>12&1<<31 | back>>5&0x3f<<25 | s2<<20 | s0<<15 | 1<<12 | back>>1&15<<8 | back>>11&1<<7 | 0x63) // bne s0, s2, loop
	addi(a0, zero, 0)
	addi(a7, zero, 93)
	emit(0x73) // ecall: exit
	return code
}
