package pipeline

import (
	"testing"

	"socsim/sdith"
)

// Cycles by hand, with the default costs: AES 11, Keccak-f 24, 64-bit words.

// K takes for each level 11 cycles a PAIR, two writes of the last PAIR, and but for the
// root, which is in a register, one read of the first seed.
func TestFillCycles(t *testing.T) {
	for _, depth := range []int{0, 1, 2, 8} {
		c := configOf(sdith.Cat1Fast, true)
		c.CacheDepth = depth
		r := signed(t, newTestMachine(t, c), job(t, c.Set, 0))
		want := int64(11*(1<<depth-1) + 2*depth + depth - 1)
		if depth == 0 {
			want = 1 // the root is written
		}
		if got := r.Phases[PhaseK].Cycles; got != want {
			t.Errorf("depth %d: %d cycles, want %d", depth, got, want)
		}
	}
}

// A unit starts when it is free, the operand is there, and the phase has begun.
func TestUnit(t *testing.T) {
	var s schedule
	u, v := s.newUnit("u"), s.newUnit("v")
	for _, test := range []struct {
		name        string
		unit        *unit
		ready, busy cycle
		want        cycle
	}{
		{"at once", &u, 0, 3, 0},
		{"when free", &u, 1, 3, 3},
		{"when ready", &u, 10, 2, 10},
		{"beside another", &v, 4, 2, 4},
	} {
		if got := test.unit.run(test.ready, test.busy, 1); got != test.want {
			t.Errorf("%s: cycle %d, want %d", test.name, got, test.want)
		}
	}
	s.enter(PhaseG) // all of K was started by 10
	if got := v.run(0, 1, 1); got != 10 {
		t.Errorf("a phase that starts at 10 does something at %d", got)
	}
	if k := s.spans[PhaseK]; k.start != 0 || k.end != 12 {
		t.Errorf("K was from %d to %d, want 0 to 12", k.start, k.end)
	}
	if u.use[PhaseK] != (use{3, 8}) || v.use[PhaseK] != (use{1, 2}) || v.use[PhaseG] != (use{1, 1}) {
		t.Errorf("uses %v, %v", u.use, v.use)
	}
}

// Two cores: a PAIR takes both, a block the one that is free first, and what is held
// keeps a core from ending the next block, not from starting it.
func TestCiphers(t *testing.T) {
	var s schedule
	set := sdith.Cat1Fast
	c := s.newCiphers(set, DefaultCosts(), make([]byte, 16))
	c.setSeed(make([]byte, 16))
	if _, done := c.pair(5, 2, forTree); done != 16 {
		t.Errorf("a PAIR at 5 ends at %d, want 16", done)
	}
	_, core, done := c.stream(0, 0, forStream)
	if core != 0 || done != 27 {
		t.Errorf("a block is made by core %d at %d, want 0 at 27", core, done)
	}
	if _, done := c.half(0, 2, 1, forPath); done != 27 {
		t.Errorf("the next one, by the other core, ends at %d, want 27", done)
	}
	c.hold(0, 40) // the next block of core 0 can end at 40
	if _, core, done := c.stream(0, 1, forStream); core != 1 || done != 38 {
		t.Errorf("core %d at %d, want 1 at 38", core, done)
	}
	if _, core, done := c.stream(0, 2, forStream); core != 0 || done != 40 {
		t.Errorf("core %d at %d, want 0 at 40", core, done)
	}
}

// The SHAKE core takes a word a cycle and 24 for a permutation.
func TestShakeCycles(t *testing.T) {
	var s schedule
	h := s.newShake(sdith.Cat1Fast, DefaultCosts()) // rate 168 bytes, 21 words
	h.begin()
	for _, test := range []struct {
		name  string
		bytes int
		want  cycle
	}{
		{"a byte begins a word", 1, 1},
		{"7 bytes end it", 7, 1},
		{"9 bytes begin the second after the next", 9, 3},
		{"to the end of the block, and a permutation", 151, 3 + 18 + 24},
	} {
		if got := h.absorb(0, make([]byte, test.bytes)); got != test.want {
			t.Errorf("%s: cycle %d, want %d", test.name, got, test.want)
		}
	}
	// The last permutation, a block out; another, 8 bytes more.
	if got := h.squeeze(0, make([]byte, 168)); got != 45+24+21 {
		t.Errorf("a block is out at %d, want %d", got, 45+24+21)
	}
	if got := h.squeeze(0, make([]byte, 8)); got != 90+25 {
		t.Errorf("8 bytes more are out at %d, want %d", got, 90+25)
	}
	// Out of a memory, a cycle behind it; the port waits while the core permutes.
	m := s.newMemory("m", 400, 8, 64)
	h.begin()
	if got := h.absorbFrom(200, m, 0, 200); got != 200+1+21+24+4 {
		t.Errorf("200 bytes of a memory are in at %d, want %d", got, 200+1+21+24+4)
	}
	if m.reads.use[PhaseK] != (use{25, 25}) || m.traffic[PhaseK] != (traffic{read: 1600}) {
		t.Errorf("the port: %v, %v", m.reads.use[PhaseK], m.traffic[PhaseK])
	}
}

// An attempt at the proof of work of level 1 that fails at once takes 36 bytes in, a
// permutation, 17 bytes out and a cycle to see.
func TestAttemptCycles(t *testing.T) {
	c := configOf(sdith.Cat1Fast, true)
	r := signed(t, newTestMachine(t, c), job(t, c.Set, 0))
	p := r.Phases[PhaseP]
	least := int64(r.Attempts) * (5 + 24 + 3 + 1)
	most := least + int64(r.Attempts)*int64(c.Set.Tau*(c.Set.Kappa+6)) // if all were sorted
	if p.Cycles < least || p.Cycles > most {
		t.Errorf("%d attempts take %d cycles, want %d to %d", r.Attempts, p.Cycles, least, most)
	}
}

// Phases overlap, but no unit is used twice at a time, and the trace has what the counts
// have.
func TestTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, half := range []bool{false, true} {
		c := configOf(sdith.Cat1Fast, half)
		m := newTestMachine(t, c)
		trace := &recorded{last: map[int]int64{}, busy: map[string]int64{}, names: m.Signals()}
		m.Trace(trace)
		r := signed(t, m, job(t, c.Set, 0))
		if trace.wrong != "" {
			t.Error(trace.wrong)
		}
		counts := map[string]int64{}
		for _, p := range r.Phases {
			for _, u := range p.Units {
				counts[u.Name] += u.Busy
				if u.Busy > p.End-p.Start {
					t.Errorf("%v: %s is busy for %d cycles of %d", p.Phase, u.Name, u.Busy, p.End-p.Start)
				}
			}
			for _, mem := range p.Memories {
				counts[mem.Name+" read"] += mem.Reading
				counts[mem.Name+" write"] += mem.Writing
			}
		}
		for name, n := range counts {
			if trace.busy[name] != n {
				t.Errorf("%s: busy for %d cycles, the trace has %d", name, n, trace.busy[name])
			}
		}
		m.Trace(nil)
		if again := signed(t, m, job(t, c.Set, 0)); again.Cycles != r.Cycles {
			t.Errorf("%d cycles without a trace, %d with one", again.Cycles, r.Cycles)
		}
	}
}

// recorded is a Tracer that looks at what it is told.
type recorded struct {
	floor int64
	last  map[int]int64
	busy  map[string]int64
	names []string
	wrong string
}

func (r *recorded) Enter(p Phase, from int64) {
	if from < r.floor {
		r.wrong = "phase " + p.String() + " begins before the one before"
	}
	r.floor = from
}

func (r *recorded) Busy(signal int, from, to int64) {
	if from < r.floor {
		r.wrong = r.names[signal] + " is used before the phase"
	}
	if from < r.last[signal] || to <= from {
		r.wrong = r.names[signal] + " is used twice at a time, or for no time"
	}
	r.last[signal] = to
	r.busy[r.names[signal]] += to - from
}

// Costs change cycles as they should, and never the signature.
func TestCosts(t *testing.T) {
	c := configOf(sdith.Cat1Fast, true)
	want := signed(t, newTestMachine(t, c), job(t, c.Set, 0))
	for _, name := range []string{"aes", "permutation"} {
		c := c
		for _, cost := range c.Costs.Table() {
			if cost.Name == name {
				if err := c.Costs.Set(name, 2*cost.Value); err != nil {
					t.Fatal(err)
				}
			}
		}
		r := signed(t, newTestMachine(t, c), job(t, c.Set, 0))
		if r.Cycles <= want.Cycles || digest(r.Signature) != digest(want.Signature) {
			t.Errorf("%s twice as slow: %d cycles, %d before", name, r.Cycles, want.Cycles)
		}
	}
	// Digits of half the bits: the multiplier takes twice as long, and X with it.
	slow := c
	slow.Costs.Digit /= 2
	r := signed(t, newTestMachine(t, slow), job(t, c.Set, 0))
	if x, y := want.Phases[PhaseX].Cycles, r.Phases[PhaseX].Cycles; y < x*18/10 || y > 2*x {
		t.Errorf("X takes %d cycles with digits of 16 bits, %d with 8", x, y)
	}
	if err := c.Costs.Set("nothing", 1); err == nil {
		t.Error("there is a cost called nothing")
	}
}
