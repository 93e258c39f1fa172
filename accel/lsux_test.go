package accel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bus"
	"socsim/clock"
	"socsim/rv32"
)

// lsuxProgram is a message in instructions of coupling lsux, as a driver would unroll
// it: INIT, the words in, LAST, the words out. The message is in RAM, or in a memory
// behind a hop.
type lsuxProgram struct {
	xof        *XOF
	depth      int
	slow       string // hop of the memory the message is in; empty: it is in RAM
	in, outlen int    // words, bytes
}

// run runs it on a core and returns when everything happened, relative to INIT. Valid
// is empty: stores from the FIFO have no answer to wait for.
func (p lsuxProgram) run(t *testing.T, c Config, lat timing, exact bool) (l timeline) {
	t.Helper()
	c.XOF, c.Coupling, c.InputDepth, c.OutputDepth = p.xof, LSUX, p.depth, p.depth
	from := uint32(ramBase + 0x4000)
	if p.slow != "" {
		from = slowBase
	}
	code := slices.Concat(li(10, Base), li(11, from), li(12, ramBase+0x5000), []uint32{addi(13, 0, 1), addi(14, 0, int32(p.outlen)),
		sw(14, 0x08, 10), sw(13, 0x00, 10)})
	for i := range p.in {
		code = append(code, ldfifoAt(int32(4*i), 11))
	}
	code = append(code, sw(0, 0x0c, 10))
	for i := range (p.outlen + 3) / 4 {
		code = append(code, stfifoAt(int32(4*i), 12))
	}
	s := newTimedSystem(t, c, lat, "", p.slow, exact, append(code, ebreak)...)
	message := make([]byte, 4*p.in)
	for i := range message {
		message[i] = byte(i)
	}
	copy(s.hart.RAM()[0x4000:], message)
	copy(s.slow, message)
	s.run()

	var zero clock.Cycle
	for _, step := range s.steps {
		if step.Kind == Started {
			zero = step.At
		}
	}
	for _, step := range s.steps {
		at := step.At - zero
		switch step.Kind {
		case Pushed:
			l.Grants = append(l.Grants, at)
		case Absorbed:
			l.Absorbed = append(l.Absorbed, at)
		case Ended:
			l.Last = at
		case Padded:
			l.Padded = at
		case Permuted:
			l.Runs = append(l.Runs, [2]clock.Cycle{at, step.To - 1 - zero})
		case Moved:
			l.Moved = append(l.Moved, at)
		case Popped:
			l.Popped = append(l.Popped, at)
		}
	}
	var withheld [bus.Causes]clock.Cycle
	for _, h := range s.held {
		l.Held = append(l.Held, held{h.From - zero, h.To - zero, h.Cause})
		withheld[h.Cause] += h.To + 1 - h.From
	}
	want := make([]byte, p.outlen)
	family(t, p.xof).Functions[p.xof.Reset].Sum(want, message)
	if got := s.hart.RAM()[0x5000:][:p.outlen]; string(got) != string(want) {
		t.Errorf("output %x, want %x", got, want)
	}
	// What was withheld is in the ledger and in the statistics. A register that answers
	// late has the first cycles of an instruction behind it.
	stats := s.e.Statistics(s.hart.Cycle())
	for cause, n := range withheld {
		if lat == defaultTiming && n != s.hart.HeldCycles(bus.Cause(cause)) || n != stats.Withheld[cause] {
			t.Errorf("cause %d: %d cycles held, %d in the ledger, %d in the statistics", cause, n, s.hart.HeldCycles(bus.Cause(cause)), stats.Withheld[cause])
		}
	}
	return l
}

// pairs returns n times two cycles, a and b and then step later each time.
func pairs(step clock.Cycle, n int, a, b clock.Cycle) (list []clock.Cycle) {
	for k := range clock.Cycle(n) {
		list = append(list, a+step*k, b+step*k)
	}
	return list
}

// runs returns n permutations of p cycles, step apart.
func runs(from, p, step clock.Cycle, n int) (list [][2]clock.Cycle) {
	for k := range clock.Cycle(n) {
		list = append(list, [2]clock.Cycle{from + step*k, from + step*k + p - 1})
	}
	return list
}

// lsuxTimelines are the programs of the package comment and others, each worked out by
// hand.
var lsuxTimelines = map[string]struct {
	program lsuxProgram
	want    timeline
}{
	"F": {
		lsuxProgram{xof: SHAKE, in: 16, outlen: 16},
		timeline{
			Grants:   []clock.Cycle{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17},
			Absorbed: []clock.Cycle{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18},
			Last:     17,
			Padded:   19,
			Runs:     [][2]clock.Cycle{{20, 43}},
			Moved:    []clock.Cycle{44, 45, 46, 47},
			Popped:   []clock.Cycle{45, 46, 47, 48},
			Held:     []held{{18, 44, bus.Permuting}},
		},
	},
	// A word is absorbed the cycle after it was pushed, so two slots are as good as any
	// number.
	"F, FIFOs of 2": {
		lsuxProgram{xof: SHAKE, depth: 2, in: 16, outlen: 16},
		timeline{
			Grants: every(1, 2, 16), Absorbed: every(1, 3, 16), Last: 17, Padded: 19, Runs: runs(20, 24, 0, 1),
			Moved: every(1, 44, 4), Popped: every(1, 45, 4), Held: []held{{18, 44, bus.Permuting}},
		},
	},
	"F, FIFOs of rate/4": {
		lsuxProgram{xof: SHAKE, depth: 34, in: 16, outlen: 16},
		timeline{
			Grants: every(1, 2, 16), Absorbed: every(1, 3, 16), Last: 17, Padded: 19, Runs: runs(20, 24, 0, 1),
			Moved: every(1, 44, 4), Popped: every(1, 45, 4), Held: []held{{18, 44, bus.Permuting}},
		},
	},
	"F, FIFOs of 64": {
		lsuxProgram{xof: SHAKE, depth: 64, in: 16, outlen: 16},
		timeline{
			Grants: every(1, 2, 16), Absorbed: every(1, 3, 16), Last: 17, Padded: 19, Runs: runs(20, 24, 0, 1),
			Moved: every(1, 44, 4), Popped: every(1, 45, 4), Held: []held{{18, 44, bus.Permuting}},
		},
	},
	// The slot of a word pushed in v is free in v+2: ldfifo of word k is in EX in 2k and
	// requests in 2k+1, but for the first, which is in EX in 1. A word moved in m is
	// popped in m+1 and the next one moves in m+2: from word 1 on, stfifo waits a cycle.
	"F, FIFOs of 1": {
		lsuxProgram{xof: SHAKE, depth: 1, in: 16, outlen: 16},
		timeline{
			Grants:   []clock.Cycle{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32},
			Absorbed: []clock.Cycle{3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33},
			Last:     32,
			Padded:   34,
			Runs:     [][2]clock.Cycle{{35, 58}},
			Moved:    []clock.Cycle{59, 61, 63, 65},
			Popped:   []clock.Cycle{60, 62, 64, 66},
			Held: []held{{2, 2, bus.InputFull}, {4, 4, bus.InputFull}, {6, 6, bus.InputFull}, {8, 8, bus.InputFull}, {10, 10, bus.InputFull},
				{12, 12, bus.InputFull}, {14, 14, bus.InputFull}, {16, 16, bus.InputFull}, {18, 18, bus.InputFull}, {20, 20, bus.InputFull},
				{22, 22, bus.InputFull}, {24, 24, bus.InputFull}, {26, 26, bus.InputFull}, {28, 28, bus.InputFull}, {30, 30, bus.InputFull},
				{33, 59, bus.Permuting}, {61, 61, bus.OutputEmpty}, {63, 63, bus.OutputEmpty}, {65, 65, bus.OutputEmpty}},
		},
	},
	// Loads with one wait state, one at a time: granted in 1+2k, answered in 3+2k. LAST is
	// in EX in 32 and waits for the answer of word 15, in 33.
	"F, message behind 1 wait state": {
		lsuxProgram{xof: SHAKE, slow: "0/1/1", in: 16, outlen: 16},
		timeline{
			Grants: every(2, 3, 16), Absorbed: every(2, 4, 16), Last: 33, Padded: 35, Runs: runs(36, 24, 0, 1),
			Moved: every(1, 60, 4), Popped: every(1, 61, 4), Held: []held{{34, 60, bus.Permuting}},
		},
	},
	// Granted in 1+6k, answered in 7+6k: the last one in 97.
	"F, message behind 5 wait states": {
		lsuxProgram{xof: SHAKE, slow: "0/5/5", in: 16, outlen: 16},
		timeline{
			Grants: every(6, 7, 16), Absorbed: every(6, 8, 16), Last: 97, Padded: 99, Runs: runs(100, 24, 0, 1),
			Moved: every(1, 124, 4), Popped: every(1, 125, 4), Held: []held{{98, 124, bus.Permuting}},
		},
	},
	"the empty message": {
		lsuxProgram{xof: SHAKE, outlen: 4},
		timeline{
			Last: 1, Padded: 2, Runs: runs(3, 24, 0, 1), Moved: []clock.Cycle{27}, Popped: []clock.Cycle{28},
			Held: []held{{2, 27, bus.Permuting}},
		},
	},
	"F over ascon": {
		lsuxProgram{xof: Ascon, in: 16, outlen: 16},
		timeline{
			Grants:   []clock.Cycle{2, 3, 4, 5, 18, 19, 32, 33, 46, 47, 60, 61, 74, 75, 88, 89},
			Absorbed: []clock.Cycle{3, 4, 17, 18, 31, 32, 45, 46, 59, 60, 73, 74, 87, 88, 101, 102},
			Last:     89,
			Padded:   115,
			Runs: [][2]clock.Cycle{{5, 16}, {19, 30}, {33, 44}, {47, 58}, {61, 72}, {75, 86}, {89, 100}, {103, 114},
				{116, 127}, {131, 142}},
			Moved:  []clock.Cycle{128, 129, 143, 144},
			Popped: []clock.Cycle{129, 130, 144, 145},
			Held: []held{{5, 16, bus.InputFull}, {19, 30, bus.InputFull}, {33, 44, bus.InputFull}, {47, 58, bus.InputFull},
				{61, 72, bus.InputFull}, {75, 86, bus.InputFull}, {90, 128, bus.Permuting}, {131, 143, bus.Permuting}},
		},
	},
	// All words are in the FIFO long before they are absorbed, and no ldfifo is held.
	"F over ascon, FIFOs of 64": {
		lsuxProgram{xof: Ascon, depth: 64, in: 16, outlen: 16},
		timeline{
			Grants: every(1, 2, 16), Absorbed: pairs(14, 8, 3, 4), Last: 17, Padded: 115,
			Runs:  append(runs(5, 12, 14, 8), [][2]clock.Cycle{{116, 127}, {131, 142}}...),
			Moved: []clock.Cycle{128, 129, 143, 144}, Popped: []clock.Cycle{129, 130, 144, 145},
			Held: []held{{18, 128, bus.Permuting}, {131, 143, bus.Permuting}},
		},
	},
	// One slot: the second word of a block is pushed when the first has been absorbed,
	// and the first of the next one while the block is permuted: 15 cycles a block.
	"F over ascon, FIFOs of 1": {
		lsuxProgram{xof: Ascon, depth: 1, in: 16, outlen: 16},
		timeline{
			Grants:   []clock.Cycle{2, 4, 6, 19, 21, 34, 36, 49, 51, 64, 66, 79, 81, 94, 96, 109},
			Absorbed: []clock.Cycle{3, 5, 18, 20, 33, 35, 48, 50, 63, 65, 78, 80, 93, 95, 108, 110},
			Last:     109,
			Padded:   123,
			Runs: [][2]clock.Cycle{{6, 17}, {21, 32}, {36, 47}, {51, 62}, {66, 77}, {81, 92}, {96, 107}, {111, 122},
				{124, 135}, {140, 151}},
			Moved:  []clock.Cycle{136, 138, 152, 154},
			Popped: []clock.Cycle{137, 139, 153, 155},
			Held: []held{{2, 2, bus.InputFull}, {4, 4, bus.InputFull}, {6, 17, bus.InputFull}, {19, 19, bus.InputFull}, {21, 32, bus.InputFull},
				{34, 34, bus.InputFull}, {36, 47, bus.InputFull}, {49, 49, bus.InputFull}, {51, 62, bus.InputFull}, {64, 64, bus.InputFull},
				{66, 77, bus.InputFull}, {79, 79, bus.InputFull}, {81, 92, bus.InputFull}, {94, 94, bus.InputFull}, {96, 107, bus.InputFull},
				{110, 136, bus.Permuting}, {138, 138, bus.OutputEmpty}, {140, 152, bus.Permuting}, {154, 154, bus.OutputEmpty}},
		},
	},
	// Permutations 1 to 8 and 10 take 8 cycles: a block in 10.
	"F over ascon8": {
		lsuxProgram{xof: Ascon8, in: 16, outlen: 16},
		timeline{
			Grants:   []clock.Cycle{2, 3, 4, 5, 14, 15, 24, 25, 34, 35, 44, 45, 54, 55, 64, 65},
			Absorbed: []clock.Cycle{3, 4, 13, 14, 23, 24, 33, 34, 43, 44, 53, 54, 63, 64, 73, 74},
			Last:     65,
			Padded:   83,
			Runs: [][2]clock.Cycle{{5, 12}, {15, 22}, {25, 32}, {35, 42}, {45, 52}, {55, 62}, {65, 72}, {75, 82},
				{84, 95}, {99, 106}},
			Moved:  []clock.Cycle{96, 97, 107, 108},
			Popped: []clock.Cycle{97, 98, 108, 109},
			Held: []held{{5, 12, bus.InputFull}, {15, 22, bus.InputFull}, {25, 32, bus.InputFull}, {35, 42, bus.InputFull},
				{45, 52, bus.InputFull}, {55, 62, bus.InputFull}, {66, 96, bus.Permuting}, {99, 107, bus.Permuting}},
		},
	},
}

func TestLSUXTimeline(t *testing.T) {
	for name, p := range lsuxTimelines {
		for _, exact := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, exact %v", name, exact), func(t *testing.T) {
				if d := cmp.Diff(p.want, p.program.run(t, Config{}, defaultTiming, exact)); d != "" {
					t.Errorf("(-by hand +model):\n%s", d)
				}
			})
		}
	}
}

// Every constant of the device shows in a timeline.
func TestLSUXTimelineHoldsEveryConstant(t *testing.T) {
	for _, c := range changes() {
		differs := false
		for _, p := range lsuxTimelines {
			differs = differs || !cmp.Equal(p.want, p.program.run(t, c.config, c.timing, true))
		}
		if !differs {
			t.Errorf("%s changed by one: no timeline differs", c.name)
		}
	}
}

// Nothing but coupling lsux adds instructions, and those decode as the contract with
// firmware says.
func TestLSUXEncoding(t *testing.T) {
	for c := None + 1; c < couplings; c++ {
		if u, err := New(Config{XOF: SHAKE, Coupling: c}, nil); err != nil {
			t.Error(err)
		} else if n := len(u.Instructions()); (c == FIFO || c == LSU || c == DMA || c == RAM) && n != 0 || c == LSUX && n != 2 {
			t.Errorf("%s adds %d instructions", c, n)
		}
	}
	e, _ := newEngine(Config{XOF: SHAKE, Coupling: LSUX}, nil, defaultTiming)
	table, err := rv32.NewTable(e.Instructions())
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[uint32]string{
		ldfifoAt(-4, 11):             "ldfifo -4(x11)",
		stfifoAt(2044, 12):           "stfifo 2044(x12)",
		iType(0, 11, 2, 1, 0x0b):     "", // rd is not x0
		sType(0, 1, 11, 6, 0x0b):     "", // rs2 is not x0
		iType(0, 11, 3, 0, 0x0b):     "",
		iType(24, 0, 1, 0, 0x0b):     "", // kperm is of another coupling
		ldfifoAt(0, 11)&^0x7f | 0x2b: "",
	} {
		d := table.Decode(word)
		got := ""
		if d.Instr != nil {
			got = strings.Join(strings.Fields(table.Disassemble(0, word)), " ")
		}
		if got != want {
			t.Errorf("%#08x is %q, want %q", word, got, want)
		}
	}
}

// Each kind of bad use stops the core at the instruction, says what is wrong and how to
// mend it, and changes nothing.
func TestLSUXBadUse(t *testing.T) {
	outlen := func(n int32) []uint32 { return []uint32{addi(5, 0, n), sw(5, 0x08, 10)} }
	last := []uint32{sw(0, 0x0c, 10)}
	for _, tt := range []struct {
		name       string
		before     []uint32
		bad        uint32
		what, hint string
	}{
		{"ldfifo after LAST", last, ldfifoAt(0, 11), "ldfifo after LAST: the message has ended", "INIT"},
		{"stfifo before LAST", outlen(4), stfifoAt(0, 12), "stfifo before LAST: the message is still open", "LAST"},
		{"stfifo with OUTLEN 0", last, stfifoAt(0, 12), "stfifo while OUTLEN is 0", "OUTLEN"},
		{"stfifo beyond OUTLEN", slices.Concat(outlen(5), last, []uint32{stfifoAt(0, 12), stfifoAt(4, 12)}), stfifoAt(8, 12), "stfifo beyond OUTLEN: all of the 5 bytes", "OUTLEN"},
	} {
		code := slices.Concat(li(10, Base), li(11, ramBase+0x4000), li(12, ramBase+0x5000), tt.before)
		s := newSystem(t, Config{XOF: SHAKE, Coupling: LSUX}, "", "", false, append(code, tt.bad, ebreak)...)
		stop := s.hart.Run(rv32.Limits{Cycles: 10_000})
		if stop.Reason != rv32.StopFault || stop.PC != ramBase+uint32(4*len(code)) {
			t.Errorf("%s: stopped for reason %d at %#x", tt.name, stop.Reason, stop.PC)
			continue
		}
		if f := stop.Fault; f.Kind != bus.DeviceError || !strings.Contains(f.What, tt.what) || !strings.Contains(f.Hint, tt.hint) {
			t.Errorf("%s: fault %+v, want %q and hint %q", tt.name, f, tt.what, tt.hint)
		}
		if n := s.e.Statistics(s.hart.Cycle()); n.WordsIn != 0 || n.WordsOut > 2 || s.word(ramBase+0x5008) != 0 {
			t.Errorf("%s: a refused instruction moved something: %+v", tt.name, n)
		}
	}
}

// Without the unit both are illegal instructions.
func TestLSUXNotAttached(t *testing.T) {
	for _, word := range []uint32{ldfifoAt(0, 11), stfifoAt(0, 12)} {
		code := append(li(5, ramBase+0x100), iType(0x305, 5, 1, 0, 0x73), word) // csrw mtvec, x5
		s := newSystem(t, Config{XOF: SHAKE, Coupling: LSU}, "", "", false, code...)
		s.load(ramBase+0x100, ebreak)
		s.run()
		mcause, _ := s.hart.CSR(0x342)
		mepc, _ := s.hart.CSR(0x341)
		if mcause != 2 || mepc != ramBase+12 {
			t.Errorf("%#08x: mcause %d, mepc %#x", word, mcause, mepc)
		}
	}
}

// Addresses that are no multiple of 4 take two accesses, as with lw and sw: a word is
// pushed when the second one is answered. An output word is popped with the first.
func TestLSUXMisaligned(t *testing.T) {
	code := slices.Concat(li(10, Base), li(11, ramBase+0x4000), li(12, ramBase+0x5000), []uint32{addi(5, 0, 8), addi(6, 0, 1),
		sw(5, 0x08, 10), sw(6, 0x00, 10), // INIT in 0
		ldfifoAt(1, 11), // in EX in 1, accesses in 1 and 2, pushed in 3
		ldfifoAt(8, 11), // in EX in 3, pushed in 4
		sw(0, 0x0c, 10), // LAST in 4; word 1 is absorbed in 5, padding in 6, permutation in 7 .. 30, words move in 31, 32
		stfifoAt(2, 12), // popped in 32, accesses in 32 and 33
		stfifoAt(8, 12), // in EX in 34, popped then
		ebreak})
	s := newSystem(t, Config{XOF: SHAKE, Coupling: LSUX}, "", "", false, code...)
	for i := range 16 {
		s.hart.RAM()[0x4000+i] = byte(i)
	}
	s.run()
	var zero clock.Cycle
	var pushed, popped []clock.Cycle
	for _, step := range s.steps {
		switch step.Kind {
		case Started:
			zero = step.At
		case Pushed:
			pushed = append(pushed, step.At-zero)
		case Popped:
			popped = append(popped, step.At-zero)
		}
	}
	if d := cmp.Diff([][]clock.Cycle{{3, 4}, {32, 34}}, [][]clock.Cycle{pushed, popped}); d != "" {
		t.Errorf("pushed and popped (-by hand +model):\n%s", d)
	}
	want := reference(1, []byte{1, 2, 3, 4, 8, 9, 10, 11}, 8)
	ram := s.hart.RAM()[0x5000:]
	if got := slices.Concat(ram[2:6], ram[8:12]); string(got) != string(want) || ram[1] != 0 || ram[6] != 0 {
		t.Errorf("output %x, want %x", got, want)
	}
}
