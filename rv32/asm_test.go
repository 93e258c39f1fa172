package rv32

import (
	"encoding/binary"
	"testing"

	"socsim/clock"
)

// Encoders for the base formats (unprivileged manual, section 2.3).

func encR(f7, rs2, rs1, f3, rd, opcode uint32) uint32 {
	return f7<<25 | rs2<<20 | rs1<<15 | f3<<12 | rd<<7 | opcode
}

func encI(imm int32, rs1, f3, rd, opcode uint32) uint32 {
	return uint32(imm)<<20 | rs1<<15 | f3<<12 | rd<<7 | opcode
}

func encS(imm int32, rs2, rs1, f3 uint32) uint32 {
	u := uint32(imm)
	return u>>5<<25 | rs2<<20 | rs1<<15 | f3<<12 | u&31<<7 | 0x23
}

func encB(off int32, rs2, rs1, f3 uint32) uint32 {
	u := uint32(off)
	return u>>12&1<<31 | u>>5&63<<25 | rs2<<20 | rs1<<15 | f3<<12 | u>>1&15<<8 | u>>11&1<<7 | 0x63
}

func encJ(off int32, rd uint32) uint32 {
	u := uint32(off)
	return u>>20&1<<31 | u>>1&1023<<21 | u>>11&1<<20 | u>>12&255<<12 | rd<<7 | 0x6f
}

func addi(rd, rs1 uint32, imm int32) uint32 { return encI(imm, rs1, 0, rd, 0x13) }
func lui(rd, upper uint32) uint32           { return upper<<12 | rd<<7 | 0x37 }
func csrrw(rd, csr, rs1 uint32) uint32      { return csr<<20 | rs1<<15 | 1<<12 | rd<<7 | 0x73 }
func csrrs(rd, csr, rs1 uint32) uint32      { return csr<<20 | rs1<<15 | 2<<12 | rd<<7 | 0x73 }

const (
	testBase = 0x8000_0000
	wordMRET = 0x3020_0073
	wordWFI  = 0x1050_0073
	fenceI   = 0x0000_100f
	ecall    = 0x0000_0073
	selfLoop = 0x0000_006f
)

// testHart returns a hart with a program at the start of 64 KiB of RAM.
func testHart(t testing.TB, c Config, program ...uint32) *Hart {
	t.Helper()
	c.RAMBase, c.RAMSize = testBase, 1<<16
	c.TrapClass, c.SleepClass = 254, 255
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range program {
		binary.LittleEndian.PutUint32(h.RAM()[4*i:], w)
	}
	h.Reset(testBase)
	return h
}

// checkBooked fails unless every elapsed cycle is booked once.
func checkBooked(t testing.TB, h *Hart) {
	t.Helper()
	var sum clock.Cycle
	for c := range 256 {
		sum += h.ClassCycles(uint8(c))
	}
	for _, n := range h.withheld {
		sum += n
	}
	if sum != h.Cycle() {
		t.Errorf("booked %d cycles of %d", sum, h.Cycle())
	}
	if err := h.CheckCounters(); err != nil {
		t.Error(err)
	}
}
