package accel

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"socsim/bus"
	"socsim/clock"
)

// toy is a permutation for tests of time: cheap, and no two words alike.
func toy(s *State, rounds int) {
	for r := range rounds {
		for i := range s {
			s[i] = bits.RotateLeft64(s[i]+s[(i+1)%len(s)], 13) ^ uint64(r+1)*0x9e3779b97f4a7c15
		}
	}
}

// chooser gives a number from 0 to n-1: from rapid, which shrinks what fails,
// or evenly from a seed, which gets further into a stream.
type chooser func(label string, n int) int

func choose[T any](c chooser, label string, of ...T) T { return of[c(label, len(of))] }

// randomConfig makes a unit for a made-up hash, or, one time in three, a real one.
func randomConfig(c chooser) Config {
	x := choose(c, "hash", nil, nil, nil, nil, nil, nil, nil, nil, Ascon, Ascon8, Ascon128, SHAKE12)
	if x == nil {
		x = madeUp(c)
	}
	return Config{
		XOF: x, Coupling: choose(c, "coupling", FIFO, LSU),
		CyclesPerRound: choose(c, "cycles per round", Ratio{1, 1}, Ratio{1, 2}, Ratio{2, 3}, Ratio{3, 1}, Ratio{0, 1}),
		Startup:        choose[clock.Cycle](c, "startup", 0, 0, 1, 6),
		InputDepth:     choose(c, "input depth", 2, 1, 3, 5, 11),
		OutputDepth:    choose(c, "output depth", 2, 1, 3, 5, 11),
	}
}

// madeUp makes a hash that nobody uses.
func madeUp(c chooser) *XOF {
	x := &XOF{Name: "toy", Number: 9, Permute: toy, BigEndian: c("big endian", 2) == 1}
	for range 1 + c("modes", 3) {
		x.Modes = append(x.Modes, Mode{
			Rate:   choose(c, "rate", 8, 4, 12, 20, 40),
			Suffix: 0x1f, Final: 0x80, Start: []uint64{1, 2, 3},
			Rounds: Rounds{c("block rounds", 6), c("last rounds", 6), c("squeeze rounds", 6)},
		})
	}
	x.Reset = uint32(c("mode at reset", len(x.Modes)))
	return x
}

// guest makes requests that are mostly good use: it keeps the book that a
// driver would keep.
type guest struct {
	modes        int
	ended        bool
	outlen, read uint32 // bytes
	cut          uint32
}

// next makes a request, all but its cycle.
func (g *guest) next(c chooser) bus.Request {
	store := func(offset uint32, data int) bus.Request {
		return bus.Request{Addr: offset, Bytes: 4, Write: true, Data: uint32(data)}
	}
	load := func(offset uint32) bus.Request { return bus.Request{Addr: offset, Bytes: 4} }

	if c("bad use", 400) == 399 {
		return choose(c, "bad", load(0x24), store(0x20, 1), store(0x0c, 0), store(0x0c, 4<<24), store(0x04, 9), store(0x08, 1000))
	}
	const main, all = 60, 100 // of 100 requests, 60 move words if they can
	done := g.ended && g.read >= g.outlen
	k := c("what", all)
	if done {
		k = main + c("what else", all-main)
	}
	switch {
	case k < main && g.ended:
		g.read += 4
		if g.read > g.outlen {
			g.cut = g.outlen
		}
		return load(0x24)
	case k < main:
		return store(0x20, c("low half", 1<<16)|c("high half", 1<<16)<<16)
	case k < 70:
		return load(0x10)
	case k < 73:
		return load(choose[uint32](c, "register", 0x04, 0x08, 0x18, 0x1c))
	case k < 76:
		return load(0x14)
	case k < 79:
		return store(0x14, c("clear", 2))
	case k < 83:
		return store(0x18, choose(c, "enable", 1, 1, 0))
	case k < 85:
		return store(0x04, c("mode", g.modes))
	case k < 90:
		n := uint32(c("OUTLEN", 60))
		if g.cut != 0 && n > g.cut {
			return load(0x08)
		}
		g.outlen = n
		return store(0x08, int(n))
	case k < 92 || done || g.ended && k < 97:
		*g = guest{modes: g.modes, outlen: g.outlen}
		return store(0x00, c("INIT", 4)|1)
	case g.ended:
		return store(0x00, 2)
	default:
		g.ended = true
		n := c("tail bytes", 4)
		return store(0x0c, n<<24|c("tail", 1<<24))
	}
}

// The lazy engine is the ticking one: on random request streams, with random
// hashes and units, every answer (data, grant, valid, what was withheld and
// why, STATUS and IRQ among the data), every edge of the interrupt line and
// every statistic are equal.
func TestLazyIsEager(t *testing.T) {
	t.Run("rapid", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			checkLazy(t, func(label string, n int) int { return rapid.IntRange(0, n-1).Draw(t, label) })
		})
	})
	streams := uint64(10_000)
	if testing.Short() {
		streams = 4_000
	}
	var seen coverage
	for seed := range streams {
		r := rand.New(rand.NewPCG(seed, 2))
		seen.add(checkLazy(failing{t, seed}, func(_ string, n int) int { return r.IntN(n) }))
	}
	// Streams that never wait or overlap would prove little.
	for cause := bus.InputFull; cause < bus.Causes; cause++ {
		if seen.withheld[cause] < streams {
			t.Errorf("cause %d withheld only %d cycles in %d streams", cause, seen.withheld[cause], streams)
		}
	}
	if seen.edges < streams || seen.overlap < streams || seen.abandoned < streams/20 || seen.faults < streams/20 || seen.behind < streams/20 {
		t.Errorf("seen in %d streams: %+v", streams, seen)
	}
}

// coverage counts what the streams came across.
type coverage struct {
	withheld                                  [bus.Causes]uint64
	edges, overlap, abandoned, faults, behind uint64
}

func (c *coverage) add(d coverage) {
	for i := range d.withheld {
		c.withheld[i] += d.withheld[i]
	}
	c.edges += d.edges
	c.overlap += d.overlap
	c.abandoned += d.abandoned
	c.faults += d.faults
	c.behind += d.behind
}

// tester is what rapid's tests and Go's have in common.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// failing is a test that names the seed of a stream.
type failing struct {
	*testing.T
	seed uint64
}

func (f failing) Fatalf(format string, args ...any) {
	f.Helper()
	f.T.Fatalf("seed %d: "+format, append([]any{f.seed}, args...)...)
}

func checkLazy(t tester, choice chooser) (seen coverage) {
	t.Helper()
	c := randomConfig(choice)
	queue := clock.NewQueue()
	e, err := newEngine(c, queue, defaultTiming)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var edges []edge
	e.Connect(func(high bool, from clock.Cycle) { edges = append(edges, edge{high, from}) })
	late := choice("events late", 2) == 1

	g := &guest{modes: len(c.XOF.Modes)}
	var requests []bus.Request
	var got []bus.Response
	var at, end clock.Cycle
	for range 1 + choice("requests", 150) {
		r := g.next(choice)
		r.At = at + choose[clock.Cycle](choice, "gap", 0, 0, 0, 0, 1, 1, 2, 3, 7, 30)
		if r.At < end {
			seen.behind++
		}
		if !late {
			queue.Advance(r.At)
		}
		a := e.Access(r)
		requests = append(requests, r)
		if a.Fault != nil {
			got = append(got, bus.Response{Fault: &bus.Fault{}})
			end = max(end, r.At)
			seen.faults++
			break
		}
		if a.Role != bus.RoleBusy { // the others are those of the table
			a.Role = 0
		}
		got = append(got, a)
		at = a.Grant + 1
		end = max(end, a.Valid)
	}
	end += 1 + clock.Cycle(choice("after", 60))
	queue.Advance(end)

	want := newTicking(c)
	want.run(requests, end)
	for i := range want.answers {
		a := &want.answers[i]
		if a.Fault != nil {
			a.Fault = &bus.Fault{}
		}
		want.stats.Withheld[a.Cause] += a.HeldTo - a.HeldFrom
		if d := cmp.Diff(*a, got[i]); d != "" {
			t.Fatalf("request %d, %+v (-ticking +lazy):\n%s", i, requests[i], d)
		}
	}
	if d := cmp.Diff(want.level, edges); d != "" {
		t.Fatalf("interrupt line (-ticking +lazy):\n%s", d)
	}
	want.stats.IdleCycles = end - want.stats.BusyCycles
	if d := cmp.Diff(want.stats, e.Statistics(end)); d != "" {
		t.Fatalf("statistics (-ticking +lazy):\n%s", d)
	}
	for i, c := range want.stats.Withheld {
		seen.withheld[i] = uint64(c)
	}
	seen.edges, seen.overlap, seen.abandoned = uint64(len(edges)), uint64(want.stats.OverlapCycles), want.stats.Abandoned
	return seen
}
