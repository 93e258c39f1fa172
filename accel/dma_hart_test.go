package accel

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/sha3"

	"socsim/bus"
	"socsim/clock"
)

// copying is a hash whose permutation does nothing: four bytes in are four bytes out.
var copying = &XOF{Name: "copying", Number: 9, Lanes: 25, Permute: func(*State, int) {},
	Modes: []Mode{{Rate: 8, Suffix: 0x1f, Final: 0x80, Rounds: always(1)}}}

// A word that a transfer writes over an instruction is what executes from that cycle on,
// though it was decoded before.
func TestDMAWritesCode(t *testing.T) {
	program := slices.Concat(
		li(10, DMABase), li(11, ramBase+0x4000), li(12, ramBase), []uint32{addi(12, 12, 4*loopAt), addi(13, 0, 4)},
		li(14, 4<<16|4), []uint32{addi(15, 0, 7), addi(16, 0, 40), addi(5, 0, 0)},
		[]uint32{sw(11, 0x04, 10), sw(12, 0x08, 10), sw(14, 0x0c, 10), sw(15, 0x00, 10)},
	)
	if len(program) != loopAt {
		t.Fatalf("the loop is at %d", len(program))
	}
	program = append(program,
		addi(5, 5, 1), // is replaced
		addi(16, 16, -1),
		branch(1, -8, 16, 0),
		ebreak)
	for _, exact := range []bool{false, true} {
		s := newSystem(t, Config{XOF: copying, Coupling: DMA, Startup: 20}, "", "", exact, program...)
		s.load(ramBase+0x4000, addi(5, 5, 100))
		s.run()
		// START in 0. The word is read in 1, pushed in 2, absorbed in 3, while LAST acts;
		// padding in 4, permutation in 5 .. 25, the word moves in 26 and is written in 27.
		// The loop begins in 1 and takes 5 cycles a turn: the instruction executes in 1, 6,
		// ... 26, 31, ...: 6 times the old one and 34 times the new one.
		if got, want := s.hart.X(5), uint32(6+34*100); got != want {
			t.Errorf("exact %v: %d, want %d", exact, got, want)
		}
	}
}

const loopAt = 17

// prologue sets all registers of the engine for a message of in bytes at 0x80004000 and out
// bytes to 0x80005000, and leaves x10 at its window, x11 and x12 at the two places, x15
// with all bits of CTRL.
func prologue(in, out uint32) []uint32 {
	return slices.Concat(li(10, DMABase), li(11, ramBase+0x4000), li(12, ramBase+0x5000), li(14, out<<16|in), []uint32{addi(15, 0, 7),
		sw(11, 0x04, 10), sw(12, 0x08, 10), sw(14, 0x0c, 10)})
}

// The core's accesses to RAM while a transfer runs, counted by hand. With FIFOs of 1 the
// engine has the port in cycles 1, 3, 5, ... 31 behind CTRL, and in 60, 62, 64, 66.
func TestDMAArbitration(t *testing.T) {
	type row struct {
		instruction uint32
		ex          clock.Cycle // first cycle in EX, relative to CTRL; 0: shows in the next one's
		waits       clock.Cycle // for the port
		why         string
	}
	rows := []row{
		{lw(5, 0, 11), 1, 1, "granted in 2"},
		{nop, 3, 0, "the load leaves EX in 2"},
		{lw(6, 4, 11), 4, 0, "the engine is not there"},
		{lw(7, 8, 11), 5, 1, "granted in 6"},
		{sw(5, 0x40, 12), 7, 1, "granted in 8"},
		{lw(8, 2, 11), 9, 2, "misaligned: 9 and 11 are the engine's, granted in 10 and 12"},
		{nop, 13, 0, ""},
		{lhu(9, 6, 11), 14, 0, ""},
		{addi(9, 9, 1), 0, 0, "in EX in 16: it waits for the load, as ever"},
		{lw(16, 12, 11), 17, 1, "granted in 18"},
		{addi(16, 16, 1), 0, 0, "in EX in 20: answered in 19"},
		{sb(16, 0x44, 12), 21, 1, "granted in 22"},
		{lw(17, 0x44, 12), 23, 1, "granted in 24"},
		{ebreak, 25, 0, ""},
	}
	var want clock.Cycle
	code := append(prologue(64, 16), sw(15, 0, 10))
	start := len(code)
	for _, r := range rows {
		code = append(code, r.instruction)
		want += r.waits
	}
	for _, exact := range []bool{false, true} {
		// Without a look at each instruction, which the fast loop does not give.
		whole := newSystem(t, Config{XOF: SHAKE, Coupling: DMA, InputDepth: 1, OutputDepth: 1}, "", "", exact, code...)
		whole.run()
		for i, r := range rows {
			if r.ex == 0 {
				continue
			}
			s := newSystem(t, Config{XOF: SHAKE, Coupling: DMA, InputDepth: 1, OutputDepth: 1}, "", "", exact, code...)
			s.load(ramBase+uint32(4*(start+i)), ebreak)
			s.run()
			at := s.hart.Now() - 4 // what ebreak takes; see rv32
			if zero := s.e.DMA().begin - 1; at != zero+r.ex {
				t.Errorf("exact %v: instruction %d (%s) in EX in %d, want %d", exact, i, r.why, at-zero, r.ex)
			}
		}
		if n := whole.e.Statistics(whole.hart.Cycle()).RAMWaits; n != want {
			t.Errorf("exact %v: %d cycles waited for RAM, want %d", exact, n, want)
		}
		if got := whole.hart.X(17); got != 1 {
			t.Errorf("exact %v: the byte stored reads %d", exact, got)
		}
	}
}

// A store before the cycle in which the engine reads the word is seen, one behind it is
// not; a load sees what the engine wrote from the next cycle on.
func TestDMASeesStores(t *testing.T) {
	// CTRL in 0; words read in 1 .. 16. A core that stores before CTRL is ahead of all; one
	// that stores behind it is held until 17 and too late. The output word is written in 27:
	// the empty message's padding is in 2, permutation in 3 .. 26, but 16 words come first:
	// LAST in 17, padding 19, permutation 20 .. 43, words written in 45 .. 48.
	program := slices.Concat(prologue(64, 16), []uint32{addi(5, 0, 0x55), sw(5, 0, 11), sw(15, 0, 10), sw(15, 60, 11)}) // held from 1 to 17
	for range 25 {
		program = append(program, nop) // in EX in 18 .. 42
	}
	program = append(program,
		lw(20, 0, 12), // 43
		lw(21, 0, 12), // 44
		lw(22, 0, 12), // 45: held until 49
		ebreak)
	message := make([]byte, 64)
	message[0] = 0x55
	want := reference(1, message, 16)
	for _, exact := range []bool{false, true} {
		s := newSystem(t, Config{XOF: SHAKE, Coupling: DMA}, "", "", exact, program...)
		s.run()
		if got := s.hart.RAM()[0x5000:0x5010]; string(got) != string(want) {
			t.Errorf("exact %v: output %x, want %x", exact, got, want)
		}
		if s.hart.X(20) != 0 || s.hart.X(21) != 0 || s.hart.X(22) != s.word(ramBase+0x5000) {
			t.Errorf("exact %v: loads give %#x, %#x, %#x; want 0, 0, %#x", exact, s.hart.X(20), s.hart.X(21), s.hart.X(22), s.word(ramBase+0x5000))
		}
		if n := s.e.Statistics(s.hart.Cycle()).RAMWaits; n != 16+4 {
			t.Errorf("exact %v: waited %d cycles, want 20", exact, n)
		}
		if s.word(ramBase+0x4000+60) != 7 {
			t.Errorf("exact %v: the late store is lost", exact)
		}
	}
}

// A core asleep is woken when the transfer has ended: in wfi until line 17 rises in 49.
func TestDMAWakes(t *testing.T) {
	program := slices.Concat(prologue(64, 16), []uint32{
		addi(5, 0, 1), sw(5, 0x18, 10), // IRQ_ENABLE
		0x0002_02b7, iType(0x304, 5, 1, 0, 0x73), // mie = 1 << 17: lui x5, 0x20; csrw mie, x5
		sw(15, 0, 10), wfi, lw(20, 0x10, 10), ebreak})
	for _, hop := range []string{"", "apb"} {
		for _, exact := range []bool{false, true} {
			s := newSystem(t, Config{XOF: SHAKE, Coupling: DMA}, hop, "", exact, program...)
			s.run()
			zero := s.e.DMA().begin - 1
			// Asleep from three cycles behind wfi in EX (CV32E40P.md, section 7), which is behind
			// CTRL or, on the slow hop, its answer.
			asleep := 49 - (1 + 3)
			if hop == "apb" {
				asleep = 49 - (4 + 3)
			}
			if got := s.hart.Asleep(); got != clock.Cycle(asleep) {
				t.Errorf("%s, exact %v: asleep %d cycles, want %d", hop, exact, got, asleep)
			}
			if s.hart.X(20) != dmaStatusDone {
				t.Errorf("%s, exact %v: STATUS %d behind wfi; CTRL was in %d", hop, exact, s.hart.X(20), zero)
			}
		}
	}
}

// state is all that two runs of a program can differ in.
func (s *system) state() []any {
	var x [32]uint32
	for i := range x {
		x[i] = s.hart.X(uint8(i))
	}
	class := s.hart.ClassCycles(0)
	stats := s.e.Statistics(s.hart.Cycle())
	return []any{s.hart.Cycle(), s.hart.Instret(), class, s.hart.HeldCycles(bus.InputFull), s.hart.HeldCycles(bus.Permuting), s.hart.HeldCycles(bus.OutputEmpty),
		x, stats, sha3.Sum256(s.hart.RAM()), s.steps}
}

// Whichever loop of the core runs a program, all is the same: random programs that work on
// the RAM that transfers read and write.
func TestDMAFastIsExact(t *testing.T) {
	programs := uint64(300)
	if testing.Short() {
		programs = 30
	}
	var waits clock.Cycle
	for seed := range programs {
		r := rand.New(rand.NewPCG(seed, 5))
		c := Config{XOF: choose(func(_ string, n int) int { return r.IntN(n) }, "", SHAKE, SHAKE12, Ascon, Ascon8), Coupling: DMA,
			InputDepth: 1 + r.IntN(6), OutputDepth: 1 + r.IntN(6), CyclesPerRound: Ratio{1, uint32(1 + r.IntN(6))}}
		hop := []string{"", "obi", "apb", "0/1/1"}[r.IntN(4)]
		code := slices.Concat(prologue(uint32(4*r.IntN(60)), uint32(r.IntN(200))), li(18, Base), []uint32{addi(19, 0, int32(2+r.IntN(4))), sw(15, 0, 10)})
		again := len(code)
		for range 20 + r.IntN(80) {
			rd := uint32(20 + r.IntN(8))
			rs := uint32(20 + r.IntN(8))
			base := uint32(11 + r.IntN(2))
			imm := int32(r.IntN(200))
			switch r.IntN(9) {
			case 0, 1, 2:
				code = append(code, lw(rd, imm&^3, base))
			case 3:
				code = append(code, lhu(rd, imm, base))
			case 4:
				code = append(code, sw(rs, imm&^3, base))
			case 5:
				code = append(code, sb(rs, imm, base))
			case 6:
				code = append(code, 1<<25|rs<<20|rd<<15|4<<12|rd<<7|0x33) // div
			case 7:
				code = append(code, lw(rd, []int32{0x10, 0x14, 0x1c}[r.IntN(3)], []uint32{10, 18}[r.IntN(2)])) // the time is in what is read
			default:
				code = append(code, addi(rd, rs, imm))
			}
		}
		// Wait for the end, and start the next transfer as often as x19 says.
		code = append(code, lw(5, 0x10, 10), andi(5, 5, 1), branch(1, -8, 5, 0), addi(19, 19, -1), branch(0, 12, 19, 0), sw(15, 0, 10))
		back := -4 * int32(len(code)-again)
		u := uint32(back)
		code = append(code, u>>20&1<<31|u>>1&1023<<21|u>>11&1<<20|u>>12&255<<12|0x6f, ebreak) // j again
		var states [2][]any
		for i := range states {
			s := newSystem(t, c, hop, "", i == 1, code...)
			for k := range 0x400 {
				s.hart.RAM()[0x4000+k] = byte(k*11 + int(seed))
			}
			s.run()
			states[i] = s.state()
			waits += s.e.stats.RAMWaits
			if err := s.hart.CheckCounters(); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		if d := cmp.Diff(states[1], states[0]); d != "" {
			t.Fatalf("seed %d (-exact +fast):\n%s", seed, d)
		}
	}
	if waits < clock.Cycle(10*programs) {
		t.Errorf("only %d cycles waited in %d programs", waits, programs)
	}
}
