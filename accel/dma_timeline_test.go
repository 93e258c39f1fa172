package accel

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/clock"
)

// dmaProgram is a message as firmware hands it to the engine: one store to CTRL, all else
// being set, and loads of STATUS until it is done.
type dmaProgram struct {
	xof        *XOF
	depth      int
	hop        string
	in, outlen uint32 // bytes
}

// dmaTimeline is when everything happened, relative to the grant of CTRL.
type dmaTimeline struct {
	Read     []clock.Cycle // from RAM
	Pushed   []clock.Cycle
	Absorbed []clock.Cycle
	Last     clock.Cycle // LAST, as if it were granted
	Padded   clock.Cycle
	Runs     [][2]clock.Cycle // permutations: first and last cycle
	Moved    []clock.Cycle
	Written  []clock.Cycle // popped, and written to RAM
	Done     clock.Cycle   // line 17 rises
	Polls    []clock.Cycle // grants of the loads of STATUS, of which the last finds DONE
	Found    clock.Cycle   // its answer, as the core sees it
}

func (p dmaProgram) run(t *testing.T, c Config, lat timing) (l dmaTimeline) {
	t.Helper()
	c.XOF, c.InputDepth, c.OutputDepth = p.xof, p.depth, p.depth
	b := newDMABench(t, c, lat, p.hop)
	b.e.Observe(func(s Step) {
		at := s.At - b.d.begin + lat.write
		switch s.Kind {
		case Pushed:
			l.Pushed = append(l.Pushed, at)
		case Absorbed:
			l.Absorbed = append(l.Absorbed, at)
		case Ended:
			l.Last = at
		case Padded:
			l.Padded = at
		case Permuted:
			l.Runs = append(l.Runs, [2]clock.Cycle{at, at + s.To - s.At - 1})
		case Moved:
			l.Moved = append(l.Moved, at)
		case Popped:
			l.Written = append(l.Written, at)
		}
	})
	for i := range b.ram {
		b.ram[i] = byte(i)
	}
	const to = 1024
	b.d.source, b.d.destination, b.d.length, b.d.enable = 0, to, p.in|p.outlen<<16, true

	start := b.store(0, DMABase, 7)
	zero := start.Grant
	a := b.load(zero+1, DMABase+0x10)
	l.Polls = append(l.Polls, a.Grant-zero)
	for a.Data != dmaStatusDone {
		a = b.load(a.Valid+5, DMABase+0x10)
		l.Polls = append(l.Polls, a.Grant-zero)
	}
	l.Found = a.Valid - zero
	b.queue.Advance(a.Valid)
	b.e.advance(a.Valid)
	for _, x := range b.beats {
		if x.Write != (len(l.Read) == int(p.in+3)/4) {
			t.Errorf("reads and writes are mixed: %v", b.beats)
		}
		if !x.Write {
			l.Read = append(l.Read, x.At-zero)
		}
	}
	if len(b.edges) > 0 {
		l.Done = b.edges[0].From - zero
	}
	want := make([]byte, p.outlen)
	family(t, p.xof).Functions[p.xof.Reset].Sum(want, b.ram[:p.in])
	if got := b.ram[to:][:p.outlen]; string(got) != string(want) {
		t.Errorf("output %x, want %x", got, want)
	}
	if b.ram[to+p.outlen] != byte(to+p.outlen&0xff) {
		t.Errorf("the byte behind the output was written")
	}
	return l
}

// dmaTimelines are the programs of the package comment and others, each worked out by
// hand.
var dmaTimelines = map[string]struct {
	program dmaProgram
	want    dmaTimeline
}{
	"F, zero wait": {
		dmaProgram{xof: SHAKE, in: 64, outlen: 16},
		dmaTimeline{
			Read:     []clock.Cycle{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
			Pushed:   []clock.Cycle{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17},
			Absorbed: []clock.Cycle{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18},
			Last:     17,
			Padded:   19,
			Runs:     [][2]clock.Cycle{{20, 43}},
			Moved:    []clock.Cycle{44, 45, 46, 47},
			Written:  []clock.Cycle{45, 46, 47, 48},
			Done:     49,
			Polls:    []clock.Cycle{1, 7, 13, 19, 25, 31, 37, 43, 49},
			Found:    50,
		},
	},
	"F, apb": {
		dmaProgram{xof: SHAKE, hop: "apb", in: 64, outlen: 16},
		dmaTimeline{
			Read: every(1, 1, 16), Pushed: every(1, 2, 16), Absorbed: every(1, 3, 16), Last: 17, Padded: 19, Runs: runs(20, 24, 0, 1),
			Moved: every(1, 44, 4), Written: every(1, 45, 4), Done: 49,
			Polls: []clock.Cycle{4, 12, 20, 28, 36, 44, 52},
			Found: 55,
		},
	},
	// CTRL is answered in 2, a load of STATUS granted in g in g+2, and the next one is
	// requested five cycles behind.
	"F, 1 wait state": {
		dmaProgram{xof: SHAKE, hop: "0/1/1", in: 64, outlen: 16},
		dmaTimeline{
			Read: every(1, 1, 16), Pushed: every(1, 2, 16), Absorbed: every(1, 3, 16), Last: 17, Padded: 19, Runs: runs(20, 24, 0, 1),
			Moved: every(1, 44, 4), Written: every(1, 45, 4), Done: 49,
			Polls: []clock.Cycle{2, 9, 16, 23, 30, 37, 44, 51},
			Found: 53,
		},
	},
	"F, 5 wait states": {
		dmaProgram{xof: SHAKE, hop: "0/5/5", in: 64, outlen: 16},
		dmaTimeline{
			Read: every(1, 1, 16), Pushed: every(1, 2, 16), Absorbed: every(1, 3, 16), Last: 17, Padded: 19, Runs: runs(20, 24, 0, 1),
			Moved: every(1, 44, 4), Written: every(1, 45, 4), Done: 49,
			Polls: []clock.Cycle{6, 17, 28, 39, 50},
			Found: 56,
		},
	},
	// Five waits in the grant: STATUS is loaded five cycles behind its request, which may
	// lie before beats that come before the load.
	"F, 5 wait states in the grant": {
		dmaProgram{xof: SHAKE, hop: "5/0/0", in: 64, outlen: 16},
		dmaTimeline{
			Read: every(1, 1, 16), Pushed: every(1, 2, 16), Absorbed: every(1, 3, 16), Last: 17, Padded: 19, Runs: runs(20, 24, 0, 1),
			Moved: every(1, 44, 4), Written: every(1, 45, 4), Done: 49,
			Polls: []clock.Cycle{6, 17, 28, 39, 50},
			Found: 51,
		},
	},
	// The slot of a word pushed in v is free in v+2, so a word takes two cycles each way.
	"F, FIFOs of 1": {
		dmaProgram{xof: SHAKE, depth: 1, in: 64, outlen: 16},
		dmaTimeline{
			Read:     []clock.Cycle{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31},
			Pushed:   []clock.Cycle{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32},
			Absorbed: []clock.Cycle{3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33},
			Last:     32,
			Padded:   34,
			Runs:     [][2]clock.Cycle{{35, 58}},
			Moved:    []clock.Cycle{59, 61, 63, 65},
			Written:  []clock.Cycle{60, 62, 64, 66},
			Done:     67,
			Polls:    every(6, 1, 12), // 1, 7, ... 67
			Found:    68,
		},
	},
	"F, FIFOs of 2": {
		dmaProgram{xof: SHAKE, depth: 2, in: 64, outlen: 16},
		dmaTimeline{
			Read: every(1, 1, 16), Pushed: every(1, 2, 16), Absorbed: every(1, 3, 16), Last: 17, Padded: 19, Runs: runs(20, 24, 0, 1),
			Moved: every(1, 44, 4), Written: every(1, 45, 4), Done: 49, Polls: every(6, 1, 9), Found: 50,
		},
	},
	"F, FIFOs of rate/4": {
		dmaProgram{xof: SHAKE, depth: 34, in: 64, outlen: 16},
		dmaTimeline{
			Read: every(1, 1, 16), Pushed: every(1, 2, 16), Absorbed: every(1, 3, 16), Last: 17, Padded: 19, Runs: runs(20, 24, 0, 1),
			Moved: every(1, 44, 4), Written: every(1, 45, 4), Done: 49, Polls: every(6, 1, 9), Found: 50,
		},
	},
	"F, FIFOs of 64": {
		dmaProgram{xof: SHAKE, depth: 64, in: 64, outlen: 16},
		dmaTimeline{
			Read: every(1, 1, 16), Pushed: every(1, 2, 16), Absorbed: every(1, 3, 16), Last: 17, Padded: 19, Runs: runs(20, 24, 0, 1),
			Moved: every(1, 44, 4), Written: every(1, 45, 4), Done: 49, Polls: every(6, 1, 9), Found: 50,
		},
	},
	// 10 bytes: the third word read, in 3, is the tail, and LAST is as if granted in 4.
	"10 bytes in, 6 out": {
		dmaProgram{xof: SHAKE, in: 10, outlen: 6},
		dmaTimeline{
			Read: []clock.Cycle{1, 2, 3}, Pushed: []clock.Cycle{2, 3}, Absorbed: []clock.Cycle{3, 4}, Last: 4, Padded: 5,
			Runs:  [][2]clock.Cycle{{6, 29}},
			Moved: []clock.Cycle{30, 31}, Written: []clock.Cycle{31, 32}, Done: 33, Polls: every(6, 1, 7), Found: 38,
		},
	},
	// Nothing in, nothing out: LAST in 1, and the padding is run behind it.
	"the empty message, no output": {
		dmaProgram{xof: SHAKE},
		dmaTimeline{Last: 1, Padded: 2, Runs: [][2]clock.Cycle{{3, 26}}, Done: 2, Polls: []clock.Cycle{1, 7}, Found: 8},
	},
	"F over ascon, zero wait": {
		dmaProgram{xof: Ascon, in: 64, outlen: 16},
		dmaTimeline{
			Read:     []clock.Cycle{1, 2, 3, 4, 17, 18, 31, 32, 45, 46, 59, 60, 73, 74, 87, 88},
			Pushed:   []clock.Cycle{2, 3, 4, 5, 18, 19, 32, 33, 46, 47, 60, 61, 74, 75, 88, 89},
			Absorbed: []clock.Cycle{3, 4, 17, 18, 31, 32, 45, 46, 59, 60, 73, 74, 87, 88, 101, 102},
			Last:     89,
			Padded:   115,
			Runs: [][2]clock.Cycle{{5, 16}, {19, 30}, {33, 44}, {47, 58}, {61, 72}, {75, 86}, {89, 100}, {103, 114},
				{116, 127}, {131, 142}},
			Moved:   []clock.Cycle{128, 129, 143, 144},
			Written: []clock.Cycle{129, 130, 144, 145},
			Done:    146,
			Polls:   every(6, 1, 26), // 1, 7, ... 151
			Found:   152,
		},
	},
	"F over ascon, apb": {
		dmaProgram{xof: Ascon, hop: "apb", in: 64, outlen: 16},
		dmaTimeline{
			Read:     []clock.Cycle{1, 2, 3, 4, 17, 18, 31, 32, 45, 46, 59, 60, 73, 74, 87, 88},
			Pushed:   []clock.Cycle{2, 3, 4, 5, 18, 19, 32, 33, 46, 47, 60, 61, 74, 75, 88, 89},
			Absorbed: []clock.Cycle{3, 4, 17, 18, 31, 32, 45, 46, 59, 60, 73, 74, 87, 88, 101, 102},
			Last:     89,
			Padded:   115,
			Runs:     append(runs(5, 12, 14, 8), runs(116, 12, 15, 2)...),
			Moved:    []clock.Cycle{128, 129, 143, 144},
			Written:  []clock.Cycle{129, 130, 144, 145},
			Done:     146,
			Polls:    every(8, 4, 19), // 4, 12, ... 148
			Found:    151,
		},
	},
	// One slot: 15 cycles a block. Word 2k is read in 5+15(k-1), behind the absorb of the
	// word before; word 2k+1 when word 2k is absorbed, in 3+15k.
	"F over ascon, FIFOs of 1": {
		dmaProgram{xof: Ascon, depth: 1, in: 64, outlen: 16},
		dmaTimeline{
			Read:     []clock.Cycle{1, 3, 5, 18, 20, 33, 35, 48, 50, 63, 65, 78, 80, 93, 95, 108},
			Pushed:   []clock.Cycle{2, 4, 6, 19, 21, 34, 36, 49, 51, 64, 66, 79, 81, 94, 96, 109},
			Absorbed: []clock.Cycle{3, 5, 18, 20, 33, 35, 48, 50, 63, 65, 78, 80, 93, 95, 108, 110},
			Last:     109,
			Padded:   123,
			Runs:     append(runs(6, 12, 15, 8), runs(124, 12, 16, 2)...),
			Moved:    []clock.Cycle{136, 138, 152, 154},
			Written:  []clock.Cycle{137, 139, 153, 155},
			Done:     156,
			Polls:    every(6, 1, 27), // 1, 7, ... 157
			Found:    158,
		},
	},
	"F over ascon, FIFOs of 64": {
		dmaProgram{xof: Ascon, depth: 64, in: 64, outlen: 16},
		dmaTimeline{
			Read: every(1, 1, 16), Pushed: every(1, 2, 16), Absorbed: pairs(14, 8, 3, 4), Last: 17, Padded: 115,
			Runs:  append(runs(5, 12, 14, 8), runs(116, 12, 15, 2)...),
			Moved: []clock.Cycle{128, 129, 143, 144}, Written: []clock.Cycle{129, 130, 144, 145}, Done: 146,
			Polls: every(6, 1, 26), Found: 152,
		},
	},
	"F over ascon8, zero wait": {
		dmaProgram{xof: Ascon8, in: 64, outlen: 16},
		dmaTimeline{
			Read:     []clock.Cycle{1, 2, 3, 4, 13, 14, 23, 24, 33, 34, 43, 44, 53, 54, 63, 64},
			Pushed:   []clock.Cycle{2, 3, 4, 5, 14, 15, 24, 25, 34, 35, 44, 45, 54, 55, 64, 65},
			Absorbed: []clock.Cycle{3, 4, 13, 14, 23, 24, 33, 34, 43, 44, 53, 54, 63, 64, 73, 74},
			Last:     65,
			Padded:   83,
			Runs:     append(runs(5, 8, 10, 8), [][2]clock.Cycle{{84, 95}, {99, 106}}...),
			Moved:    []clock.Cycle{96, 97, 107, 108},
			Written:  []clock.Cycle{97, 98, 108, 109},
			Done:     110,
			Polls:    every(6, 1, 20), // 1, 7, ... 115
			Found:    116,
		},
	},
}

func TestDMATimeline(t *testing.T) {
	for name, p := range dmaTimelines {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(p.want, p.program.run(t, Config{}, defaultTiming)); d != "" {
				t.Errorf("(-by hand +model):\n%s", d)
			}
		})
	}
}

// Every constant of the device shows in a timeline.
func TestDMATimelineHoldsEveryConstant(t *testing.T) {
	for _, c := range changes() {
		differs := false
		for _, p := range dmaTimelines {
			differs = differs || !cmp.Equal(p.want, p.program.run(t, c.config, c.timing))
		}
		if !differs {
			t.Errorf("%s changed by one: no timeline differs", c.name)
		}
	}
}
