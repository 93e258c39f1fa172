package rv32

import (
	"encoding/binary"
	"math/big"
	"testing"

	"socsim/bus"
	"socsim/clock"
)

// TestALU checks every register-register instruction against arithmetic on
// unbounded integers, over all pairs of edge values.
func TestALU(t *testing.T) {
	edges := []uint32{0, 1, 2, 3, 5, 31, 32, 0x7f, 0x8000, 0x1234_5678, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xdead_beef, 0xffff_fffe, 0xffff_ffff}
	signed := func(v uint32) *big.Int { return big.NewInt(int64(int32(v))) }
	unsigned := func(v uint32) *big.Int { return big.NewInt(int64(v)) }
	low := func(v *big.Int) uint32 {
		return uint32(new(big.Int).And(v, big.NewInt(0xffff_ffff)).Uint64())
	}
	high := func(v *big.Int) uint32 { return low(new(big.Int).Rsh(v, 32)) }
	mul := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	less := func(a, b *big.Int) uint32 {
		if a.Cmp(b) < 0 {
			return 1
		}
		return 0
	}
	tests := []struct {
		name   string
		f7, f3 uint32
		want   func(a, b uint32) uint32
	}{
		{"add", 0, 0, func(a, b uint32) uint32 { return low(new(big.Int).Add(unsigned(a), unsigned(b))) }},
		{"sub", 0x20, 0, func(a, b uint32) uint32 { return low(new(big.Int).Sub(unsigned(a), unsigned(b))) }},
		{"sll", 0, 1, func(a, b uint32) uint32 { return low(new(big.Int).Lsh(unsigned(a), uint(b%32))) }},
		{"slt", 0, 2, func(a, b uint32) uint32 { return less(signed(a), signed(b)) }},
		{"sltu", 0, 3, func(a, b uint32) uint32 { return less(unsigned(a), unsigned(b)) }},
		{"xor", 0, 4, func(a, b uint32) uint32 { return low(new(big.Int).Xor(unsigned(a), unsigned(b))) }},
		{"srl", 0, 5, func(a, b uint32) uint32 { return low(new(big.Int).Rsh(unsigned(a), uint(b%32))) }},
		{"sra", 0x20, 5, func(a, b uint32) uint32 { return low(new(big.Int).Rsh(signed(a), uint(b%32))) }},
		{"or", 0, 6, func(a, b uint32) uint32 { return low(new(big.Int).Or(unsigned(a), unsigned(b))) }},
		{"and", 0, 7, func(a, b uint32) uint32 { return low(new(big.Int).And(unsigned(a), unsigned(b))) }},
		{"mul", 1, 0, func(a, b uint32) uint32 { return low(mul(unsigned(a), unsigned(b))) }},
		{"mulh", 1, 1, func(a, b uint32) uint32 { return high(mul(signed(a), signed(b))) }},
		{"mulhsu", 1, 2, func(a, b uint32) uint32 { return high(mul(signed(a), unsigned(b))) }},
		{"mulhu", 1, 3, func(a, b uint32) uint32 { return high(mul(unsigned(a), unsigned(b))) }},
		{"div", 1, 4, func(a, b uint32) uint32 {
			if b == 0 {
				return 0xffff_ffff
			}
			return low(new(big.Int).Quo(signed(a), signed(b)))
		}},
		{"divu", 1, 5, func(a, b uint32) uint32 {
			if b == 0 {
				return 0xffff_ffff
			}
			return low(new(big.Int).Quo(unsigned(a), unsigned(b)))
		}},
		{"rem", 1, 6, func(a, b uint32) uint32 {
			if b == 0 {
				return a
			}
			return low(new(big.Int).Rem(signed(a), signed(b)))
		}},
		{"remu", 1, 7, func(a, b uint32) uint32 {
			if b == 0 {
				return a
			}
			return low(new(big.Int).Rem(unsigned(a), unsigned(b)))
		}},
	}
	for _, test := range tests {
		for _, exact := range []bool{false, true} {
			h := testHart(t, Config{ExactOnly: exact}, encR(test.f7, 11, 10, test.f3, 12, 0x33), selfLoop)
			for _, a := range edges {
				for _, b := range edges {
					h.SetPC(testBase)
					h.SetX(10, a)
					h.SetX(11, b)
					h.Run(Limits{})
					if got, want := h.X(12), test.want(a, b); got != want {
						t.Errorf("%s %#x, %#x = %#x, want %#x", test.name, a, b, got, want)
					}
				}
			}
		}
	}
}

// TestX0 checks that nothing writes x0.
func TestX0(t *testing.T) {
	h := testHart(t, Config{}, addi(0, 0, 5), lui(0, 1), encI(0, 10, 2, 0, 3), encJ(4, 0), csrrs(0, csrMisa, 0), addi(1, 0, 0), selfLoop)
	h.SetX(10, testBase)
	h.Run(Limits{})
	if h.X(0) != 0 || h.X(1) != 0 {
		t.Errorf("x0 = %#x, a copy of it %#x", h.X(0), h.X(1))
	}
}

// TestSelfModifyingCode overwrites an instruction that has run already.
func TestSelfModifyingCode(t *testing.T) {
	for _, exact := range []bool{false, true} {
		h := testHart(t, Config{ExactOnly: exact},
			encJ(16, 1),         // 0: call 16
			encS(16, 6, 5, 2),   // 4: sw x6, 16(x5)
			fenceI,              // 8
			encJ(8, 0),          // 12: to 20
			addi(10, 10, 1),     // 16: becomes addi x10, x10, 100
			encI(0, 1, 0, 1, 0), // 20, replaced below
		)
		put := func(at int, w uint32) { binary.LittleEndian.PutUint32(h.RAM()[at:], w) }
		put(0, encJ(16, 1))
		put(12, encJ(12, 1))            // 12: jal x1, 24
		put(20, encI(0, 1, 0, 0, 0x67)) // 20: jalr x0, 0(x1)
		put(24, encI(0, 7, 0, 1, 0x67)) // 24: jalr x1, 0(x7) = call 16
		put(28, selfLoop)               // 28
		h.SetX(5, testBase)             // code base
		h.SetX(6, addi(10, 10, 100))    // the new instruction
		h.SetX(7, testBase+16)          // the function
		if s := h.Run(Limits{Instructions: 100}); s.Reason != StopSelfLoop {
			t.Fatalf("stopped: %+v", s)
		}
		if h.X(10) != 101 {
			t.Errorf("exact=%v: x10 = %d, want 1 + 100", exact, h.X(10))
		}
	}
}

// TestCodeWrittenFromOutside checks that Wrote drops decoded code.
func TestCodeWrittenFromOutside(t *testing.T) {
	h := testHart(t, Config{}, addi(10, 10, 1), selfLoop)
	h.Run(Limits{})
	binary.LittleEndian.PutUint32(h.RAM(), addi(10, 10, 50))
	h.Wrote(testBase+2, 2)
	h.SetPC(testBase)
	h.Run(Limits{})
	if h.X(10) != 51 {
		t.Errorf("x10 = %d, want 1 + 50", h.X(10))
	}
}

// TestStops checks every way a run ends.
func TestStops(t *testing.T) {
	tests := []struct {
		name    string
		limits  Limits
		program []uint32
		want    StopReason
		pc      uint32
	}{
		{"jump to itself", Limits{}, []uint32{selfLoop}, StopSelfLoop, testBase},
		{"branch to itself", Limits{}, []uint32{addi(5, 0, 1), encB(0, 5, 5, 0)}, StopSelfLoop, testBase + 4},
		{"asleep", Limits{}, []uint32{wordWFI}, StopAsleepForever, testBase},
		{"jump to nowhere", Limits{}, []uint32{encI(0, 0, 0, 0, 0x67)}, StopFetch, 0},
		{"load from nothing", Limits{}, []uint32{encI(0, 0, 2, 5, 3)}, StopFault, testBase},
		{"store to nothing", Limits{}, []uint32{encS(0, 5, 0, 2)}, StopFault, testBase},
		{"cycles", Limits{Cycles: 1000}, []uint32{addi(5, 5, 1), encJ(-4, 0)}, StopCycles, testBase},
		{"instructions", Limits{Instructions: 999}, []uint32{addi(5, 5, 1), encJ(-4, 0)}, StopInstructions, testBase + 4},
	}
	for _, test := range tests {
		for _, exact := range []bool{false, true} {
			h := testHart(t, Config{ExactOnly: exact}, test.program...)
			if s := h.Run(test.limits); s.Reason != test.want || s.PC != test.pc {
				t.Errorf("%s: stopped for reason %d at %#x, want %d at %#x", test.name, s.Reason, s.PC, test.want, test.pc)
			}
			checkBooked(t, h)
			if n := test.limits.Instructions; n != 0 && h.Instret() != n {
				t.Errorf("%s: %d instructions, want %d", test.name, h.Instret(), n)
			}
		}
	}
}

// TestEndOfRAM runs off the end of RAM, and into a 32-bit instruction cut by it.
func TestEndOfRAM(t *testing.T) {
	h := testHart(t, Config{})
	end := uint32(testBase + 1<<16)
	for name, last := range map[string][2]uint16{"off the end": {0x0001, 0x0001}, "cut in two": {0x0001, 0x0013}} {
		binary.LittleEndian.PutUint16(h.RAM()[1<<16-4:], last[0])
		binary.LittleEndian.PutUint16(h.RAM()[1<<16-2:], last[1])
		h.Reset(end - 4)
		if s := h.Run(Limits{}); s.Reason != StopFetch || s.PC < end-2 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// TestCSRNumbers tries to read all 4,096 CSR numbers: those of section 1 exist,
// all others trap.
func TestCSRNumbers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	exists := map[uint32]bool{}
	add := func(from, to uint32) {
		for n := from; n <= to; n++ {
			exists[n] = true
		}
	}
	for _, n := range []uint32{0x300, 0x301, 0x304, 0x305, 0x320, 0x340, 0x341, 0x342, 0x343, 0x344,
		0x7a0, 0x7a1, 0x7a2, 0x7a3, 0x7a4, 0xb00, 0xb02, 0xb80, 0xb82, 0xc00, 0xc02, 0xc80, 0xc82,
		0xf11, 0xf12, 0xf13, 0xf14} {
		exists[n] = true
	}
	add(0x323, 0x33f) // mhpmevent3 to 31
	add(0xb03, 0xb1f) // counters and their high halves, machine and user
	add(0xb83, 0xb9f)
	add(0xc03, 0xc1f)
	add(0xc83, 0xc9f)
	for n := range uint32(4096) {
		h := testHart(t, Config{}, csrrs(5, n, 0))
		h.mtvec = testBase + 0x100
		h.Run(Limits{Instructions: 1, Cycles: 20})
		if trapped := h.mcause == causeIllegal; trapped == exists[n] {
			t.Errorf("CSR %#x: trapped %v, exists %v", n, trapped, exists[n])
		}
	}
}

// TestTraps checks cause, mepc and what mstatus remembers.
func TestTraps(t *testing.T) {
	tests := []struct {
		name  string
		word  uint32
		cause uint32
	}{
		{"illegal", 0, causeIllegal},
		{"breakpoint", 0x0010_0073, causeBreakpoint},
		{"ecall", ecall, causeECall},
		{"write to a read-only CSR", csrrw(0, csrMhartid, 5), causeIllegal},
		{"funct3 4", 0x3000_4073, causeIllegal},
	}
	for _, test := range tests {
		h := testHart(t, Config{}, addi(5, 0, 1), addi(5, 0, 2), test.word)
		binary.LittleEndian.PutUint32(h.RAM()[0x100:], selfLoop)
		h.mtvec = testBase + 0x100
		h.mstatus |= mstatusMIE
		if s := h.Run(Limits{Instructions: 10}); s.Reason != StopSelfLoop {
			t.Fatalf("%s: %+v", test.name, s)
		}
		if h.mcause != test.cause || h.mepc != testBase+8 || h.mstatus != mstatusMPP|mstatusMPIE {
			t.Errorf("%s: mcause %d mepc %#x mstatus %#x", test.name, h.mcause, h.mepc, h.mstatus)
		}
		if h.Instret() != 2 {
			t.Errorf("%s: %d retired, want the 2 before", test.name, h.Instret())
		}
		checkBooked(t, h)
	}
}

// TestHandlerTrapsAtOnce: a handler whose first instruction raises an exception
// stands still for ever, and no limit on instructions could end that.
func TestHandlerTrapsAtOnce(t *testing.T) {
	for _, exact := range []bool{false, true} {
		h := testHart(t, Config{ExactOnly: exact}, addi(5, 0, 1), 0)
		h.mtvec = testBase + 0x100
		if s := h.Run(Limits{Instructions: 10, Cycles: 1000}); s.Reason != StopSelfLoop || s.PC != testBase+0x100 {
			t.Errorf("exact=%v: %+v", exact, s)
		}
		checkBooked(t, h)
	}
}

// TestPriority raises all lines in one cycle: they are taken in the order 31 to
// 16, external, software, timer.
func TestPriority(t *testing.T) {
	h := testHart(t, Config{}, selfLoop)
	for n := range 32 {
		binary.LittleEndian.PutUint32(h.RAM()[0x100+4*n:], wordMRET)
		h.Line(n)(true, 5)
	}
	h.mtvec, h.mie, h.mstatus = testBase+0x100|1, lineMask, mstatusMPP|mstatusMIE
	h.irqStale = true
	for _, want := range linePriority {
		var got int
		for got = -1; got < 0; {
			h.Run(Limits{Cycles: h.Cycle() + 1})
			if h.mcause>>31 != 0 && h.trapDepth > 0 {
				got = int(h.mcause & 31)
			}
		}
		if got != want {
			t.Fatalf("took line %d, want %d", got, want)
		}
		h.Line(got)(false, h.Cycle())
		h.Run(Limits{Cycles: h.Cycle() + 4})
		h.mcause = 0
	}
}

// slowPort answers every access after some waits.
type slowPort struct{ grant, valid clock.Cycle }

func (p slowPort) Access(r bus.Request) bus.Response {
	g := r.At + p.grant
	return bus.Response{Data: 0x8081_8283, Grant: g, Valid: g + 1 + p.valid}
}

// TestNoAllocation checks that neither loop allocates once code is decoded.
func TestNoAllocation(t *testing.T) {
	for _, exact := range []bool{false, true} {
		h := testHart(t, Config{ExactOnly: exact, Port: slowPort{1, 2}},
			encI(0, 10, 2, 5, 3), encS(4, 5, 10, 2), addi(6, 6, 1), encR(1, 6, 5, 4, 7, 0x33), encJ(-16, 0))
		h.SetX(10, 0x1000_0000)
		h.Run(Limits{Cycles: 1000})
		if n := testing.AllocsPerRun(10, func() { h.Run(Limits{Cycles: h.Cycle() + 10_000}) }); n != 0 {
			t.Errorf("exact=%v: %v allocations in 10,000 cycles", exact, n)
		}
	}
}

// TestSplitAccess checks that an access across a word border is two
// transactions, low word first, and its data in order.
func TestSplitAccess(t *testing.T) {
	for off := range uint32(4) {
		var log []bus.Request
		h := testHart(t, Config{Port: portFunc(func(r bus.Request) bus.Response {
			log = append(log, r)
			var data uint32
			for i := range uint32(r.Bytes) {
				data |= (r.Addr + i&0xff) & 0xff << (8 * i)
			}
			return bus.Response{Data: data, Grant: r.At, Valid: r.At + 1}
		})}, encI(0, 10, 2, 5, 3), encS(0, 6, 10, 2), selfLoop)
		h.SetX(10, 0x1000_0000+off)
		h.SetX(6, 0x4433_2211)
		h.Run(Limits{})
		want := off | (off+1)<<8 | (off+2)<<16 | (off+3)<<24
		if h.X(5) != want {
			t.Errorf("offset %d: loaded %08x, want %08x", off, h.X(5), want)
		}
		per := 1
		if off != 0 {
			per = 2
		}
		if len(log) != 2*per {
			t.Fatalf("offset %d: %d transactions, want %d", off, len(log), 2*per)
		}
		var stored uint32
		for i, r := range log[per:] {
			stored |= r.Data << (8 * uint32(i) * uint32(4-off))
			if r.Addr%4+uint32(r.Bytes) > 4 {
				t.Errorf("offset %d: transaction %+v leaves its word", off, r)
			}
		}
		if stored != 0x4433_2211 {
			t.Errorf("offset %d: stored %08x", off, stored)
		}
	}
}

type portFunc func(bus.Request) bus.Response

func (f portFunc) Access(r bus.Request) bus.Response { return f(r) }

// TestCounterIdentity checks mcycle difference = elapsed - asleep - inhibited.
func TestCounterIdentity(t *testing.T) {
	events := clock.NewQueue()
	h := testHart(t, Config{Events: events},
		csrrw(0, csrMcountinhibit, 0),
		csrrs(5, csrMcycle, 0),
		csrrw(0, csrMie, 8), // x8 = fast line 16
		wordWFI,
		addi(9, 0, 1),
		csrrw(0, csrMcountinhibit, 9), // mcycle stands still
		encR(1, 0, 5, 4, 7, 0x33),     // 35 cycles of division
		csrrw(0, csrMcountinhibit, 0),
		csrrs(6, csrMcycle, 0),
		selfLoop)
	h.SetX(8, 1<<16)
	line := h.Line(16)
	events.Source(func(at clock.Cycle) { line(true, at) }).At(500)
	var first, last clock.Cycle
	var inhibited, asleep [2]clock.Cycle
	note := func(i int, at *clock.Cycle) func(*Hart) {
		return func(h *Hart) { *at, inhibited[i], asleep[i] = h.Cycle(), h.Inhibited(), h.Asleep() }
	}
	h.cfg.Watch = map[uint32]func(*Hart){testBase + 4: note(0, &first), testBase + 32: note(1, &last)}
	h.flush()
	if s := h.Run(Limits{}); s.Reason != StopSelfLoop {
		t.Fatalf("%+v", s)
	}
	slept, held := asleep[1]-asleep[0], inhibited[1]-inhibited[0]
	if slept < 400 || held < 35 {
		t.Errorf("asleep %d, inhibited %d: too little to test anything", slept, held)
	}
	if err := h.CheckCounters(); err != nil {
		t.Error(err)
	}
	if got, want := clock.Cycle(h.X(6)-h.X(5)), last-first-slept-held; got != want {
		t.Errorf("mcycle moved by %d, elapsed - asleep - inhibited = %d", got, want)
	}
	checkBooked(t, h)
}

// TestSleepAcrossLimits stops in the middle of a sleep, again and again.
func TestSleepAcrossLimits(t *testing.T) {
	run := func(step clock.Cycle) *Hart {
		events := clock.NewQueue()
		h := testHart(t, Config{Events: events}, csrrw(0, csrMcountinhibit, 0), csrrw(0, csrMie, 8), wordWFI, csrrs(6, csrMcycle, 0), selfLoop)
		h.SetX(8, 1<<16)
		line := h.Line(16)
		events.Source(func(at clock.Cycle) { line(true, at) }).At(500)
		for limit := step; ; limit += step {
			s := h.Run(Limits{Cycles: limit})
			if s.Reason == StopSelfLoop {
				return h
			}
			if s.Reason != StopCycles || h.Cycle() < limit {
				t.Fatalf("step %d: %+v at cycle %d of %d", step, s, h.Cycle(), limit)
			}
			checkBooked(t, h)
		}
	}
	want := run(10_000)
	for _, step := range []clock.Cycle{1, 3, 7, 100, 499, 501} {
		h := run(step)
		if h.Cycle() != want.Cycle() || h.X(6) != want.X(6) || h.Asleep() != want.Asleep() || h.Instret() != want.Instret() {
			t.Errorf("step %d: cycle %d mcycle %d asleep %d, want %d %d %d", step, h.Cycle(), h.X(6), h.Asleep(), want.Cycle(), want.X(6), want.Asleep())
		}
	}
}

// TestEventCounter counts each kind of event over one loop.
func TestEventCounter(t *testing.T) {
	for _, test := range []struct {
		name string
		bits uint32
		want uint32
	}{
		// The write that lets it count is not counted, nor the read itself.
		{"instructions", eventInstr, 3 * 5},
		{"loads", eventLoad, 3}, {"stores", eventStore, 3}, {"branches", eventBranch, 3},
		{"taken", eventTaken, 2}, {"jumps", eventJump, 0}, {"loads and stores", eventLoad | eventStore, 6},
		{"cycles", eventCycles, 4 - 1 + 3*5 + 2*2},
		{"compressed", eventRVC, 0}, {"nothing", 0, 0},
	} {
		h := testHart(t, Config{},
			csrrw(0, csrMhpmevent3, 5),
			csrrw(0, csrMcountinhibit, 0),
			encI(0, 10, 2, 6, 3), encS(4, 11, 10, 2), addi(7, 7, -1), addi(8, 8, 1), encB(-16, 0, 7, 1),
			csrrs(9, csrMcycle+3, 0), selfLoop)
		h.SetX(5, test.bits)
		h.SetX(10, testBase+0x100)
		h.SetX(7, 3)
		h.Run(Limits{})
		if h.X(9) != test.want {
			t.Errorf("%s: %d, want %d", test.name, h.X(9), test.want)
		}
	}
}

// TestIllegalHasNoOperands: a load does not stall an illegal instruction behind
// it, whatever registers that seems to read or write (CV32E40P.md section 1).
func TestIllegalHasNoOperands(t *testing.T) {
	for _, test := range []struct {
		name string
		word uint32
	}{
		{"reads the loaded register, no such CSR", csrrw(0, 0x7c0, 5)},
		{"writes the loaded register, no such CSR", csrrs(5, 0x7c0, 0)},
		{"read-only CSR", csrrw(0, csrMvendorid, 5)},
		{"nothing of the kind", csrrw(0, 0x7c0, 6)},
	} {
		for _, exact := range []bool{false, true} {
			h := testHart(t, Config{ExactOnly: exact}, encI(0, 10, 2, 5, 3), test.word)
			h.SetX(10, testBase+0x800)
			h.mtvec = testBase + 0x100
			binary.LittleEndian.PutUint32(h.RAM()[0x100:], selfLoop)
			h.Run(Limits{})
			if want := clock.Cycle(1 + 1 + slotTrap); h.mcause != causeIllegal || h.Cycle() != want {
				t.Errorf("%s (exact=%v): cause %d, handler in cycle %d, want %d", test.name, exact, h.mcause, h.Cycle(), want)
			}
		}
	}
}
