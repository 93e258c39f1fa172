package accel

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bus"
	"socsim/clock"
)

// ramTimeline is when everything happened to one message over a state RAM.
type ramTimeline struct {
	In      []clock.Cycle // grants of the words stored, padding included
	Starts  []clock.Cycle
	Runs    [][2]clock.Cycle // permutations: first and last cycle
	Polls   []clock.Cycle    // grants of the loads of STATUS
	Out     []clock.Cycle    // grants of the words loaded
	Valid   []clock.Cycle    // their answers, as the core sees them
	Permute clock.Cycle      // withheld
}

// ramProgram is a message as a core would hash it. Requests follow from the
// answers as in the package comment.
type ramProgram struct {
	xof  *XOF
	copy bool
	hop  string
	in   int // words
	out  int
	pad  []uint32 // words to store behind the message: STATE word numbers
	last uint32   // rounds of the permutation behind the padding, 0 for all
	rest uint32   // ... and of the others
}

func (p ramProgram) run(t *testing.T, c Config, lat timing) (l ramTimeline) {
	t.Helper()
	c.XOF, c.Coupling = p.xof, RAM
	u := newStateRAM(c, nil, lat)
	u.copy = p.copy // set long before
	u.Observe(func(s Step) {
		if s.Kind == Permuted {
			l.Runs = append(l.Runs, [2]clock.Cycle{s.At, s.To - 1})
		}
	})
	window := bus.Window{Name: "hash", Size: Size, Target: u}
	serial := p.hop != ""
	if serial {
		h, err := bus.ParseHop(p.hop)
		if err != nil {
			t.Fatal(err)
		}
		window.Path = []*bus.Hop{h}
	}
	m, err := bus.NewMap([]bus.Window{window}, nil)
	if err != nil {
		t.Fatal(err)
	}
	core := m.Initiator("core")

	// What was before, and how long the core takes from it to the next access:
	// from a grant, or behind a poll from its answer.
	var before bus.Response
	polled := false
	access := func(afterGrant, afterPoll clock.Cycle, r bus.Request) {
		r.Bytes, r.At = 4, before.Grant+afterGrant
		if serial {
			r.At = before.Grant + 1
		}
		if polled {
			r.At = before.Valid + afterPoll
		}
		before, polled = core.Access(r), r.Addr == 0x10
		if before.Fault != nil {
			t.Fatalf("%+v: %v", r, before.Fault)
		}
		l.Permute += before.HeldTo - before.HeldFrom
	}
	permute := func(gap clock.Cycle, rounds uint32) {
		access(gap, 3, bus.Request{Addr: 0x00, Write: true, Data: 2 | rounds<<8})
		l.Starts = append(l.Starts, before.Grant)
		for before.Data != ramStatusDone {
			access(1, 5, bus.Request{Addr: 0x10})
			l.Polls = append(l.Polls, before.Grant)
		}
	}
	store := func(gap, behindPoll clock.Cycle, n uint32) {
		access(gap, behindPoll, bus.Request{Addr: 0x100 + 4*n, Write: true, Data: 1})
		l.In = append(l.In, before.Grant)
	}

	before = core.Access(bus.Request{Addr: 0x00, Bytes: 4, Write: true, Data: 1})
	rate := u.rate
	if p.copy {
		rate = p.in + 1
	}
	for i := range p.in {
		store(2, 4, uint32(i%rate))
		if i%rate == rate-1 {
			permute(1, p.rest)
		}
	}
	for _, n := range p.pad {
		store(1, 3, n)
	}
	permute(1, p.last)
	for i := range p.out {
		if i > 0 && i%rate == 0 {
			permute(2, p.rest)
		}
		access(2, 3, bus.Request{Addr: 0x100 + 4*uint32(i%rate)})
		l.Out, l.Valid = append(l.Out, before.Grant), append(l.Valid, before.Valid)
	}
	return l
}

// every returns n cycles from one on, step apart.
func every(step, from clock.Cycle, n int) (list []clock.Cycle) {
	for i := range n {
		list = append(list, from+step*clock.Cycle(i))
	}
	return list
}

// The programs of the package comment.
var ramPrograms = map[string]struct {
	program ramProgram
	want    ramTimeline // worked out by hand
}{
	"F, zero wait": {
		ramProgram{xof: SHAKE, in: 16, out: 4, pad: []uint32{16, 33}},
		ramTimeline{
			In:     []clock.Cycle{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 33, 34},
			Starts: []clock.Cycle{35},
			Runs:   [][2]clock.Cycle{{36, 59}},
			Polls:  []clock.Cycle{36, 42, 48, 54, 60},
			Out:    []clock.Cycle{64, 66, 68, 70},
			Valid:  []clock.Cycle{65, 67, 69, 71},
		},
	},
	"F, apb": {
		ramProgram{xof: SHAKE, hop: "apb", in: 16, out: 4, pad: []uint32{16, 33}},
		ramTimeline{
			In:     []clock.Cycle{4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72},
			Starts: []clock.Cycle{76},
			Runs:   [][2]clock.Cycle{{77, 100}},
			Polls:  []clock.Cycle{80, 88, 96, 104},
			Out:    []clock.Cycle{110, 113, 116, 119},
			Valid:  []clock.Cycle{113, 116, 119, 122},
		},
	},
	"F in mode copy, zero wait": {
		ramProgram{xof: SHAKE, copy: true, in: 50, out: 50},
		ramTimeline{
			In:     every(2, 2, 50), // 2, 4, ... 100
			Starts: []clock.Cycle{101},
			Runs:   [][2]clock.Cycle{{102, 125}},
			Polls:  []clock.Cycle{102, 108, 114, 120, 126},
			Out:    every(2, 130, 50), // 130, 132, ... 228
			Valid:  every(2, 131, 50),
		},
	},
	"F over ascon, zero wait": {
		ramProgram{xof: Ascon, in: 16, out: 4, pad: []uint32{0}},
		ramTimeline{
			In:     []clock.Cycle{2, 4, 23, 25, 44, 46, 65, 67, 86, 88, 107, 109, 128, 130, 149, 151, 169},
			Starts: []clock.Cycle{5, 26, 47, 68, 89, 110, 131, 152, 170, 191},
			Runs: [][2]clock.Cycle{{6, 17}, {27, 38}, {48, 59}, {69, 80}, {90, 101}, {111, 122}, {132, 143}, {153, 164},
				{171, 182}, {192, 203}},
			Polls: []clock.Cycle{6, 12, 18, 27, 33, 39, 48, 54, 60, 69, 75, 81, 90, 96, 102, 111, 117, 123, 132, 138, 144,
				153, 159, 165, 171, 177, 183, 192, 198, 204},
			Out:   []clock.Cycle{187, 189, 208, 210},
			Valid: []clock.Cycle{188, 190, 209, 211},
		},
	},
	// Permutations between blocks take 8 cycles, which polling every 6 does not see.
	"F over ascon8, zero wait": {
		ramProgram{xof: Ascon8, in: 16, out: 4, pad: []uint32{0}, rest: 8},
		ramTimeline{
			In:     []clock.Cycle{2, 4, 23, 25, 44, 46, 65, 67, 86, 88, 107, 109, 128, 130, 149, 151, 169},
			Starts: []clock.Cycle{5, 26, 47, 68, 89, 110, 131, 152, 170, 191},
			Runs: [][2]clock.Cycle{{6, 13}, {27, 34}, {48, 55}, {69, 76}, {90, 97}, {111, 118}, {132, 139}, {153, 160},
				{171, 182}, {192, 199}},
			Polls: []clock.Cycle{6, 12, 18, 27, 33, 39, 48, 54, 60, 69, 75, 81, 90, 96, 102, 111, 117, 123, 132, 138, 144,
				153, 159, 165, 171, 177, 183, 192, 198, 204},
			Out:   []clock.Cycle{187, 189, 208, 210},
			Valid: []clock.Cycle{188, 190, 209, 211},
		},
	},
}

func TestRAMTimeline(t *testing.T) {
	for name, p := range ramPrograms {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(p.want, p.program.run(t, Config{}, defaultTiming)); d != "" {
				t.Errorf("(-by hand +model):\n%s", d)
			}
		})
	}
}

// Every constant of the unit, changed by one, shows in every timeline.
func TestRAMTimelineHoldsEveryConstant(t *testing.T) {
	write, answer := defaultTiming, defaultTiming
	write.write++
	answer.answer++
	for name, p := range ramPrograms {
		for change, got := range map[string]ramTimeline{
			"start-up":          p.program.run(t, Config{Startup: 1}, defaultTiming),
			"cycles per round":  p.program.run(t, Config{CyclesPerRound: Ratio{25, 24}}, defaultTiming),
			"one cycle less":    p.program.run(t, Config{CyclesPerRound: Ratio{11, 12}}, defaultTiming),
			"write acts":        p.program.run(t, Config{}, write),
			"answer of a grant": p.program.run(t, Config{}, answer),
		} {
			if cmp.Equal(p.want, got) {
				t.Errorf("%s: no difference with another %s", name, change)
			}
		}
	}
}
