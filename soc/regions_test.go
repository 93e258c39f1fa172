package soc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/accel"
	"socsim/bus"
	"socsim/soc"
)

func region(t *testing.T, r *soc.Result, name string) soc.Region {
	t.Helper()
	for _, g := range r.Regions {
		if g.Name == name {
			return g
		}
	}
	t.Fatalf("no region %s in %+v", name, r.Regions)
	return soc.Region{}
}

// Of a recursive function the outermost calls count, each whole; the last one
// ends the run and stays open.
func TestRecursion(t *testing.T) {
	r := run(t, start(t, "recursion"))
	g := region(t, r, "down")
	if g.Calls != 3 || !g.Open || g.Accel != nil {
		t.Errorf("%+v", g)
	}
	if len(r.Hints) != 1 {
		t.Errorf("hints %q: want one for the open region", r.Hints)
	}
	// down(5): five turns of beqz addi sw addi auipc jalr, beqz bnez ret at the
	// bottom, five times lw addi ret. down(0): beqz bnez ret. down(3), which
	// ends the run: three turns, then beqz bnez li auipc addi sw.
	if want := uint64(5*6+3+5*3) + 3 + (3*6 + 6); g.Instret != want {
		t.Errorf("%d instructions, by hand %d", g.Instret, want)
	}
}

// Of functions that call each other, too, although an inner call returns to
// the same place as the outermost one.
func TestMutualRecursion(t *testing.T) {
	o := start(t, "mutual")
	o.Regions = []string{"odd", "even"}
	r := run(t, o)
	even, odd := region(t, r, "even"), region(t, r, "odd")
	// even(5), odd(4), even(3), odd(2), even(1), odd(0): a level takes six
	// instructions on the way down, three on the way up; the last one two.
	if even.Calls != 1 || even.Open || even.Instret != 5*9+2 {
		t.Errorf("even: %+v", even)
	}
	if odd.Calls != 1 || odd.Open || odd.Instret != 4*9+2 {
		t.Errorf("odd: %+v", odd)
	}
}

// The end of a call is seen where the code behind it is decoded already.
func TestCallThroughPointer(t *testing.T) {
	o := start(t, "pointer")
	o.Regions = []string{"second"}
	g := region(t, run(t, o), "second")
	if g.Calls != 1 || g.Open || g.Instret != 3 {
		t.Errorf("%+v", g)
	}
}

// Cycles of a region, by hand: from the first instruction of the call to the
// first behind it.
func TestRegionCycles(t *testing.T) {
	o := start(t, "hash")
	o.Accel = "shake-fifo"
	o.Regions = []string{"feed", "poll", "open", "fetch", "last"}
	r := run(t, o)
	for _, c := range []struct {
		name   string
		cycles uint64
		ledger soc.Ledger
		accel  soc.AccelStats
		reason string
	}{
		{"feed", 275, soc.Ledger{MoveIn: 275}, soc.AccelStats{WordsIn: 34, Permutations: 1, BusyCycles: 6, OverlapCycles: 0, Rounds: 24, FIFOPushes: 34, FIFOPops: 34},
			"the last push is in T and the region ends in T+8; the permutation runs from T+2 on"},
		{"poll", 40, soc.Ledger{Wait: 40}, soc.AccelStats{Permutations: 1, BusyCycles: 2 + 24, Rounds: 24, FIFOPushes: 2},
			"from T+24 on, when the block's permutation runs until T+25 and that of the padding T+27..T+50"},
		{"fetch", 12, soc.Ledger{MoveOut: 12}, soc.AccelStats{WordsOut: 2, FIFOPops: 2}, "8 bytes"},
		{"open", 16, soc.Ledger{Control: 16}, soc.AccelStats{}, ""},
		{"last", 6, soc.Ledger{Control: 6}, soc.AccelStats{Messages: 1, BusyCycles: 6}, "T+13 to T+19, all in the block's permutation"},
	} {
		g := region(t, r, c.name)
		if g.Calls != 1 || g.Cycles != c.cycles || g.Open || g.Accel == nil {
			t.Errorf("%+v, want %d cycles", g, c.cycles)
			continue
		}
		if diff := cmp.Diff(c.ledger, g.Ledger); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if diff := cmp.Diff(c.accel, *g.Accel); diff != "" {
			t.Errorf("%s: %s (%s)", c.name, diff, c.reason)
		}
	}
	whole := region(t, r, "shake")
	if whole.Cycles <= 275+40+12+16+6 || whole.Accel.Permutations != 2 || whole.Accel.BusyCycles != 48 || whole.Accel.WordsIn != 34 || whole.Accel.WordsOut != 2 {
		t.Errorf("%+v %+v", whole, whole.Accel)
	}
}

func TestObserve(t *testing.T) {
	o := start(t, "hash")
	o.Accel = "shake-fifo"
	s, err := soc.New(o)
	if err != nil {
		t.Fatal(err)
	}
	stores, pushed := 0, 0
	var last soc.Instruction
	var retired uint64
	s.Observe(soc.Observer{
		Access: func(r bus.Request, a bus.Response) {
			if r.Addr == 0x1100_0020 && r.Write && a.Valid == r.At+4 {
				stores++
			}
		},
		Step: func(s accel.Step) {
			if s.Kind == accel.Pushed {
				pushed++
			}
		},
		Instruction: func(i soc.Instruction) {
			if i.At < last.At || i.Last < i.At || i.Text() == "" || i.Row == "" {
				t.Errorf("%+v after %+v", i, last)
			}
			last = i
			retired++
		},
	})
	r, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if stores != 34 || pushed != 34 || retired != r.Instret {
		t.Errorf("%d stores, %d pushes, %d of %d instructions", stores, pushed, retired, r.Instret)
	}
	plain := o
	if want := run(t, plain); want.Cycles != r.Cycles {
		t.Errorf("%d cycles observed, %d else", r.Cycles, want.Cycles)
	}
}
