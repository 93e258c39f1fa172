package rv32

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"socsim/bus"
	"socsim/clock"
)

// Instructions of the tests' unit.
const opCustom = 0x0b

func testPermute(cycles int32) uint32        { return encI(cycles, 0, 1, 0, opCustom) }
func testMix(rs1 uint32) uint32              { return encI(0, rs1, 0, 0, opCustom) }
func testTake(imm int32, rs1 uint32) uint32  { return encI(imm, rs1, 2, 0, opCustom) }
func testGive(imm int32, rs1 uint32) uint32  { return encS(imm, 0, rs1, 6)&^0x7f | opCustom }
func flw(frd, rs1 uint32, imm int32) uint32  { return encI(imm, rs1, 2, frd, 7) }
func fsw(frs2, rs1 uint32, imm int32) uint32 { return encS(imm, frs2, rs1, 2)&^0x7f | 0x27 }
func fmvXW(rd, frs1 uint32) uint32           { return encR(0x70, 0, frs1, 0, rd, 0x53) }
func fmvWX(frd, rs1 uint32) uint32           { return encR(0x78, 0, rs1, 0, frd, 0x53) }
func csrMcycleTo(rd uint32) uint32           { return csrrs(rd, csrMcycle, 0) }
func lw(rd, rs1 uint32, imm int32) uint32    { return encI(imm, rs1, 2, rd, 3) }
func sw(rs2, rs1 uint32, imm int32) uint32   { return encS(imm, rs2, rs1, 2) }
func jalr(rd, rs1 uint32, imm int32) uint32  { return encI(imm, rs1, 0, rd, 0x67) }

// randomUnit has an instruction of each cost, and uses the data port of RAM in
// cycles of its own. All randomness hangs on the cycle.
type randomUnit struct {
	seed  uint64
	sum   uint32
	hart  *Hart
	event *clock.Event
	last  clock.Cycle // of its accesses to RAM
}

func newRandomUnit(events *clock.Queue, seed uint64) *randomUnit {
	u := &randomUnit{seed: seed}
	u.event = events.Source(u.beat)
	u.event.At(50)
	return u
}

func (u *randomUnit) hash(c clock.Cycle) uint64 {
	x := (uint64(c) + u.seed) * 0xbf58_476d_1ce4_e5b9
	return x ^ x>>27
}

// beat changes a word of the data that programs work on.
func (u *randomUnit) beat(at clock.Cycle) {
	n := u.hash(at)
	off := 0x8000 + uint32(n>>8%16)*4
	w := binary.LittleEndian.Uint32(u.hart.RAM()[off:])
	binary.LittleEndian.PutUint32(u.hart.RAM()[off:], w*5+1)
	u.hart.Wrote(testBase+off, 4)
	u.last = at
	u.event.At(at + 1 + clock.Cycle([]uint64{0, 0, 0, 1, 7, 90}[n>>16%6]))
}

func (u *randomUnit) grant(at clock.Cycle) clock.Cycle {
	for u.event.Due() <= at {
		u.hart.cfg.Events.Advance(at)
		if u.last == at {
			at++
		}
	}
	return at
}

// hold returns an outcome whose last cycle is up to some cycles behind at.
func (u *randomUnit) hold(at clock.Cycle) Outcome {
	out := Outcome{Last: at + clock.Cycle(u.hash(at)>>32%5)}
	if out.Last > at {
		out.HeldFrom, out.HeldTo, out.Cause = at, out.Last, bus.InputFull
	}
	return out
}

func (u *randomUnit) instructions() []Instr {
	return append([]Instr{
		{"mix", 0x0000_000b, 0x0000_7fff, FormatI, "rs1", CostCustom, CUSTOM, &Custom{
			Execute: func(s *State, in Decoded, at clock.Cycle) Outcome {
				u.sum = u.sum*3 + s.X(in.Rs1)
				return Outcome{}
			}}},
		{"permute", 0x0000_100b, 0x000f_ffff, FormatI, "imm", CostCustom, CUSTOM, &Custom{
			Execute: func(s *State, in Decoded, at clock.Cycle) Outcome {
				v := s.X(13) ^ s.F(3) ^ u.sum
				s.SetX(13, v*0x9e37_79b9)
				s.SetF(3, v+7)
				last := at + clock.Cycle(max(in.Imm, 1)) - 1
				return Outcome{Last: last, HeldFrom: at, HeldTo: last + 1, Cause: bus.Permuting}
			},
			Uses: 1<<13 | 1<<(32+3)}},
		{"take", 0x0000_200b, 0x0000_7fff, FormatI, "imm(rs1)", CostLoad, CUSTOM, &Custom{
			Execute: func(s *State, in Decoded, at clock.Cycle) Outcome { return u.hold(at) },
			Loaded:  func(word uint32, at clock.Cycle) { u.sum = u.sum*5 + word + uint32(at) }}},
		{"give", 0x0000_600b, 0x01f0_707f, FormatS, "imm(rs1)", CostStore, CUSTOM, &Custom{
			Execute: func(s *State, in Decoded, at clock.Cycle) Outcome {
				out := u.hold(at)
				out.Data = u.sum
				return out
			}}},
	}, Float...)
}

func (u *randomUnit) random(r *rand.Rand, reg, base func() uint32) uint32 {
	f := uint32(r.IntN(5))
	imm := int32(r.IntN(12)) * 4
	if r.IntN(6) == 0 {
		imm = int32(r.IntN(48))
	}
	switch r.IntN(8) {
	case 0:
		return testMix(reg())
	case 1:
		return testPermute(int32(r.IntN(30)))
	case 2:
		return testTake(imm, base())
	case 3:
		return testGive(imm, base())
	case 4:
		return flw(f, base(), imm)
	case 5:
		return fsw(f, base(), imm)
	case 6:
		return fmvXW(reg(), f)
	}
	return fmvWX(f, reg())
}

// TestCustomCycles counts by hand. The program runs between two reads of mcycle,
// which take one cycle each; want is their difference, less that cycle.
func TestCustomCycles(t *testing.T) {
	tests := []struct {
		name    string
		program []uint32
		want    uint32
	}{
		{"a permutation holds EX", []uint32{testPermute(24)}, 24},
		{"of no cycles, it is still an instruction", []uint32{testPermute(0)}, 1},
		{"it waits for a load to a register of its state", []uint32{lw(13, 10, 0), testPermute(10)}, 12},
		{"and to an f register of it", []uint32{flw(3, 10, 0), testPermute(10)}, 12},
		{"but not to another one", []uint32{lw(14, 10, 0), flw(13, 10, 0), testPermute(10)}, 12},
		{"a jalr on its state waits as behind any result", []uint32{testPermute(10), jalr(0, 13, 0)}, 10 + 3},
		{"on another register its bubble hides, as behind a division", []uint32{testPermute(10), jalr(0, 14, 0)}, 10 + 1},
		{"mix is an ALU instruction", []uint32{testMix(5), testMix(6), testMix(7)}, 3},
		{"which waits for a load", []uint32{lw(5, 10, 0), testMix(5)}, 3},
		{"flw, then fsw of it: a load-use stall", []uint32{flw(1, 10, 0), fsw(1, 10, 4)}, 3},
		{"with something between: none", []uint32{flw(1, 10, 0), addi(5, 0, 1), fsw(1, 10, 4)}, 3},
		{"f1 and x1 do not clash", []uint32{flw(1, 10, 0), sw(1, 10, 4)}, 2},
		{"nor x1 and f1", []uint32{lw(1, 10, 0), fsw(1, 10, 4)}, 2},
		{"fmv.x.w waits for the flw", []uint32{flw(2, 10, 0), fmvXW(5, 2), addi(5, 5, 1)}, 4},
		{"fmv.w.x feeds fsw", []uint32{fmvWX(2, 5), fsw(2, 10, 0)}, 2},
		{"f0 is a register", []uint32{flw(0, 10, 0), fmvXW(5, 0)}, 3},
		{"take and give are a load and a store", []uint32{testTake(0, 10), testTake(4, 10), testGive(8, 10), testGive(12, 10)}, 4},
		{"a misaligned one is split", []uint32{testTake(2, 10), testGive(9, 10)}, 4},
		{"nothing waits for the word taken", []uint32{testTake(0, 10), addi(5, 5, 1)}, 2},
	}
	for _, tt := range tests {
		for _, exact := range []bool{false, true} {
			u := &randomUnit{}
			c := Config{ExactOnly: exact, Custom: u.instructions()}
			for i := range c.Custom { // without random waits
				switch in := &c.Custom[i]; in.Name {
				case "permute":
					in.Custom.Execute = func(_ *State, d Decoded, at clock.Cycle) Outcome {
						return Outcome{Last: at + clock.Cycle(max(d.Imm, 1)) - 1}
					}
				case "take":
					in.Custom.Execute = func(*State, Decoded, clock.Cycle) Outcome { return Outcome{} }
				case "give":
					in.Custom.Execute = func(*State, Decoded, clock.Cycle) Outcome { return Outcome{Data: 7} }
				}
			}
			program := append([]uint32{csrMcycleTo(20)}, tt.program...)
			h := testHart(t, c, append(program, csrMcycleTo(21), selfLoop)...)
			h.inhibit = 0
			h.SetX(10, testBase+0x8000)
			h.SetX(13, testBase+4*uint32(len(program)))
			h.SetX(14, testBase+4*uint32(len(program)))
			h.Run(Limits{})
			// csrrs of a counter takes four cycles.
			if got := h.X(21) - h.X(20) - slotSlowCSR; got != tt.want {
				t.Errorf("%s: %d cycles, want %d (exact loop only: %v)", tt.name, got, tt.want, exact)
			}
			checkBooked(t, h)
		}
	}
}

// TestCustomLedger books by hand what instructions from outside take.
func TestCustomLedger(t *testing.T) {
	u := &randomUnit{}
	c := Config{Custom: u.instructions(), RoleClass: func(class uint8, role bus.Role) uint8 {
		if role == bus.RoleIn {
			return 7
		}
		return class
	}}
	for i := range c.Custom {
		if in := &c.Custom[i]; in.Name == "take" {
			in.Custom.Execute = func(_ *State, _ Decoded, at clock.Cycle) Outcome {
				return Outcome{Last: at + 3, HeldFrom: at, HeldTo: at + 3, Cause: bus.InputFull, Role: bus.RoleIn}
			}
		}
	}
	h := testHart(t, c, addi(10, 0, 0), lui(10, testBase>>12), testTake(0, 10), testPermute(5), addi(5, 5, 1), selfLoop)
	h.Run(Limits{})
	want := map[string]clock.Cycle{"class 0": h.Cycle() - 1 - 3 - 5, "class 7": 1, "input full": 3, "permuting": 5}
	got := map[string]clock.Cycle{
		"class 0": h.ClassCycles(0), "class 7": h.ClassCycles(7),
		"input full": h.HeldCycles(bus.InputFull), "permuting": h.HeldCycles(bus.Permuting),
	}
	for row, n := range want {
		if got[row] != n {
			t.Errorf("%s: %d cycles, want %d", row, got[row], n)
		}
	}
	checkBooked(t, h)
}

// TestCustomFault ends the run at the instruction.
func TestCustomFault(t *testing.T) {
	u := &randomUnit{}
	c := Config{Custom: u.instructions()}
	c.Custom[0].Custom.Execute = func(*State, Decoded, clock.Cycle) Outcome {
		return Outcome{Fault: &bus.Fault{Kind: bus.DeviceError, What: "no such word"}}
	}
	h := testHart(t, c, addi(5, 0, 1), testMix(5), selfLoop)
	stop := h.Run(Limits{})
	if stop.Reason != StopFault || stop.PC != testBase+4 || stop.Fault == nil || !strings.Contains(stop.Fault.What, "no such word") || h.Instret() != 1 {
		t.Errorf("stopped: %+v after %d instructions", stop, h.Instret())
	}
}

// TestCustomAbsent is an illegal-instruction trap without the unit.
func TestCustomAbsent(t *testing.T) {
	for _, w := range []uint32{testMix(5), testPermute(24), testTake(0, 10), testGive(0, 10), flw(1, 10, 0), fsw(1, 10, 0), fmvXW(5, 1), fmvWX(1, 5)} {
		h := testHart(t, Config{}, addi(5, 0, 1), w)
		binary.LittleEndian.PutUint32(h.RAM()[0x100:], selfLoop)
		h.mtvec = testBase + 0x100
		if stop := h.Run(Limits{}); stop.Reason != StopSelfLoop || h.mcause != causeIllegal || h.mepc != testBase+4 {
			t.Errorf("%#x: stopped %+v with mcause %d, mepc %#x", w, stop, h.mcause, h.mepc)
		}
	}
}

// TestSharedRAM counts collisions by hand: someone else is granted the port in
// the cycles listed.
func TestSharedRAM(t *testing.T) {
	nop := addi(0, 0, 0)
	tests := []struct {
		name    string
		beats   []clock.Cycle // relative to the first instruction's cycle in EX
		program []uint32
		want    clock.Cycle
	}{
		{"no collision", []clock.Cycle{1}, []uint32{lw(5, 10, 0), nop, nop}, 3},
		{"a load waits one cycle", []clock.Cycle{0}, []uint32{lw(5, 10, 0), nop, nop}, 4},
		{"and what uses it one more", []clock.Cycle{0}, []uint32{lw(5, 10, 0), addi(6, 5, 1), nop}, 5},
		{"a store likewise", []clock.Cycle{1}, []uint32{nop, sw(5, 10, 0), nop}, 4},
		{"three in a row", []clock.Cycle{1, 2, 3}, []uint32{nop, sw(5, 10, 0), nop}, 6},
		{"both halves of a misaligned one", []clock.Cycle{0, 2}, []uint32{lw(5, 10, 2), nop, nop}, 6},
		{"code has a port of its own", []clock.Cycle{0, 1, 2}, []uint32{nop, nop, nop}, 3},
		{"an access in a later cycle does not know", []clock.Cycle{0, 1}, []uint32{nop, nop, lw(5, 10, 0)}, 3},
	}
	for _, tt := range tests {
		for _, exact := range []bool{false, true} {
			const start = 100 // behind a row of nops
			events := clock.NewQueue()
			var next *clock.Event
			last := clock.Never
			left := tt.beats
			announce := func() {
				if len(left) > 0 {
					next.At(start + left[0])
					left = left[1:]
				}
			}
			next = events.Source(func(at clock.Cycle) { last = at; announce() })
			announce()
			c := Config{ExactOnly: exact, Events: events, Grant: func(at clock.Cycle) clock.Cycle {
				for events.Advance(at); last == at; events.Advance(at) {
					at++
				}
				return at
			}}
			var program []uint32
			probe := testHart(t, Config{}, nop)
			probe.issue()
			first := start - int(probe.now)
			for range first {
				program = append(program, nop)
			}
			program = append(append(program, tt.program...), nop, nop, nop)
			h := testHart(t, c, program...)
			h.SetX(10, testBase+0x8000)
			h.Run(Limits{Instructions: uint64(first + len(tt.program))})
			h.issue()
			if got := h.now - start; got != tt.want {
				t.Errorf("%s: %d cycles, want %d (exact loop only: %v)", tt.name, got, tt.want, exact)
			}
		}
	}
}

// A core that nothing can wake sleeps until devices have done what they were at, so that
// what is counted of them is not ahead of the core.
func TestAsleepForeverWithEvents(t *testing.T) {
	events := clock.NewQueue()
	fired := 0
	var event *clock.Event
	event = events.Source(func(at clock.Cycle) {
		if fired++; fired < 3 {
			event.At(at + 100)
		}
	})
	event.At(50)
	h := testHart(t, Config{Events: events}, wordWFI)
	if stop := h.Run(Limits{}); stop.Reason != StopAsleepForever || fired != 3 || h.Cycle() != 250 {
		t.Errorf("stopped %+v in cycle %d after %d events, want asleep forever in 250 after 3", stop, h.Cycle(), fired)
	}
	checkBooked(t, h)
}

// A jump to itself may yet be overwritten while someone else uses the port of RAM.
func TestSelfLoopOverwritten(t *testing.T) {
	for _, exact := range []bool{false, true} {
		events := clock.NewQueue()
		var h *Hart
		event := events.Source(func(at clock.Cycle) {
			binary.LittleEndian.PutUint32(h.RAM()[4:], addi(5, 0, 7))
			h.Wrote(testBase+4, 4)
		})
		event.At(300)
		h = testHart(t, Config{Events: events, ExactOnly: exact, Grant: func(at clock.Cycle) clock.Cycle { return at }},
			addi(5, 0, 1), selfLoop, selfLoop)
		if stop := h.Run(Limits{}); stop.Reason != StopSelfLoop || stop.PC != testBase+8 || h.X(5) != 7 || h.Cycle() < 300 {
			t.Errorf("stopped %+v in cycle %d with x5 = %d", stop, h.Cycle(), h.X(5))
		}
		checkBooked(t, h)
	}
}
