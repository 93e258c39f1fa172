package accel

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"socsim/bus"
	"socsim/clock"
	"socsim/rv32"
)

// What a request can be besides one to the register window.
const (
	ldfifo place = iota + 10
	stfifo
)

// tickingLSUX is what ldfifo and stfifo do to a ticking FIFO engine, cycle by cycle.
// It follows the package comment.
type tickingLSUX struct {
	unit     *ticking
	delays   []clock.Cycle // of the answers of RAM, by request
	outcomes []rv32.Outcome

	n       int // the instruction in EX, of requests
	request *request
	asks    clock.Cycle // from when on it asks
	granted bool

	arrives clock.Cycle // when the word of an ldfifo is answered, if one is on its way
	coming  bool
	word    uint32
	waits   bool // the instruction waited
	why     bus.Cause
}

func (l *tickingLSUX) runAll(requests []request, end clock.Cycle) {
	t := l.unit
	t.answers = make([]bus.Response, len(requests))
	l.outcomes = make([]rv32.Outcome, len(requests))
	n := 0
	for ; t.cycle < end; t.cycle++ {
		l.request, l.granted = nil, false
		switch {
		case n == len(requests) || requests[n].At > t.cycle:
			t.tick(n, nil)
			continue
		case l.coming && t.cycle < l.arrives: // a word is on its way, and everything behind it
			t.tick(n, nil)
			continue
		}
		r := requests[n]
		r.At = max(r.At, l.arrives)
		switch {
		case r.to != toUnit && !l.good(r.to):
			l.outcomes[n].Fault = &bus.Fault{}
			n = len(requests) // nothing comes behind it
			t.tick(n, nil)
		case r.to != toUnit:
			l.n, l.request = n, &r
			t.tick(n, nil)
		case r.Addr == 0x20 && t.phase == absorbing && l.coming: // the FIFO takes one word a cycle
			t.tick(n, nil)
		default:
			l.granted = t.tick(n, &r.Request)
		}
		if l.granted {
			n++
			l.waits = false
		}
	}
}

func (l *tickingLSUX) good(p place) bool {
	t := l.unit
	if p == ldfifo {
		return t.phase == absorbing
	}
	return t.phase != absorbing && 4*(t.popped+len(t.waiting)) < int(t.outlen)
}

// tick does the instruction's part of a cycle; see neighbour.
func (l *tickingLSUX) tick(now clock.Cycle, room int, ready bool, push func(uint32), pop func() uint32, _ func(uint32)) (bool, *uint32) {
	t := l.unit
	if l.coming && now == l.arrives {
		l.coming = false
		push(l.word)
		room--
	}
	if l.request == nil {
		return false, nil
	}
	if !l.waits { // its first cycle
		l.waits, l.asks, l.why = true, l.request.At, bus.OutputEmpty
	}
	out := &l.outcomes[l.n]
	if l.request.to == ldfifo {
		l.granted, l.why = room > 0, bus.InputFull
		if l.granted {
			l.coming, l.arrives, l.word = true, now+1+l.delays[l.n], l.request.Data
		}
	} else {
		l.granted = ready
		if t.left > 0 || t.phase == draining && len(t.in) == 0 {
			l.why = bus.Permuting
		}
		if l.granted {
			out.Data = pop()
		}
	}
	if !l.granted {
		return false, nil
	}
	if out.Last = now; now > l.asks {
		out.HeldFrom, out.HeldTo, out.Cause = l.asks, now, l.why
		t.stats.Withheld[l.why] += now - l.asks
	}
	return false, nil
}

// The lazy instructions are the ticking ones: on random streams of them among accesses
// to the register window, with RAM that answers in the next cycle and memories that do
// not, all outcomes, answers and statistics are equal.
func TestLazyLSUXIsEager(t *testing.T) {
	t.Run("rapid", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			checkLazyLSUX(t, func(label string, n int) int { return rapid.IntRange(0, n-1).Draw(t, label) })
		})
	})
	streams := uint64(4_000)
	if testing.Short() {
		streams = 400
	}
	var seen [bus.Causes]clock.Cycle
	faults := uint64(0)
	for seed := range streams {
		r := rand.New(rand.NewPCG(seed, 4))
		s, fault := checkLazyLSUX(failing{t, seed}, func(_ string, n int) int { return r.IntN(n) })
		for i := range seen {
			seen[i] += s.Withheld[i]
		}
		if fault {
			faults++
		}
	}
	for cause := bus.InputFull; cause < bus.Causes; cause++ {
		if uint64(seen[cause]) < streams/2 {
			t.Errorf("cause %d withheld only %d cycles in %d streams", cause, seen[cause], streams)
		}
	}
	if faults < streams/20 {
		t.Errorf("%d faults in %d streams", faults, streams)
	}
}

func checkLazyLSUX(t tester, choice chooser) (stats Statistics, faulted bool) {
	t.Helper()
	c := randomConfig(choice)
	c.Coupling = LSUX
	queue := clock.NewQueue()
	e, err := newEngine(c, queue, defaultTiming)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var edges []edge
	e.Connect(func(high bool, from clock.Cycle) { edges = append(edges, edge{high, from}) })
	instructions := e.Instructions()
	slow := choice("slow memory", 3) == 0

	g := &guest{modes: len(c.XOF.Modes)}
	var requests []request
	var delays []clock.Cycle
	var answers []bus.Response
	var outcomes []rv32.Outcome
	var at, end clock.Cycle
	for range 1 + choice("requests", 150) {
		r := request{toUnit, g.next(choice)}
		switch {
		case r.Addr == 0x20 && choice("ldfifo", 4) > 0:
			r.to = ldfifo
		case r.Addr == 0x24 && choice("stfifo", 4) > 0:
			r.to = stfifo
		}
		r.At = at + choose[clock.Cycle](choice, "gap", 0, 0, 0, 0, 1, 1, 2, 3, 7, 30)
		delay := clock.Cycle(0)
		if slow {
			delay = choose[clock.Cycle](choice, "delay", 0, 1, 5, 20)
		}
		var a bus.Response
		var out rv32.Outcome
		queue.Advance(r.At)
		switch r.to {
		case toUnit:
			a = e.Access(r.Request)
			a.Role = busyOnly(a.Role)
			faulted = a.Fault != nil
			at, end = a.Grant+1, max(end, a.Valid)
		default:
			custom := instructions[r.to-ldfifo].Custom
			out = custom.Execute(nil, rv32.Decoded{}, r.At)
			if faulted = out.Fault != nil; faulted {
				break
			}
			if r.to == ldfifo {
				custom.Loaded(r.Data, out.Last+1+delay)
			}
			at, end = out.Last+1, max(end, out.Last+2+delay)
			out.Role = busyOnly(out.Role)
		}
		requests, delays = append(requests, r), append(delays, delay)
		if faulted {
			answers = append(answers, bus.Response{})
			outcomes = append(outcomes, rv32.Outcome{Fault: &bus.Fault{}})
			end = max(end, r.At)
			break
		}
		answers, outcomes = append(answers, a), append(outcomes, out)
	}
	end += 1 + clock.Cycle(choice("after", 60))
	queue.Advance(end)

	want := &tickingLSUX{unit: newTicking(c), delays: delays}
	want.unit.beside = want
	want.runAll(requests, end)
	for i := range requests {
		a := want.unit.answers[i]
		if a.Fault != nil || want.outcomes[i].Fault != nil {
			a, want.outcomes[i] = bus.Response{}, rv32.Outcome{Fault: &bus.Fault{}}
		}
		want.unit.stats.Withheld[a.Cause] += a.HeldTo - a.HeldFrom
		if d := cmp.Diff(a, answers[i]); d != "" {
			t.Fatalf("request %d, %+v (-ticking +lazy):\n%s", i, requests[i], d)
		}
		if d := cmp.Diff(want.outcomes[i], outcomes[i]); d != "" {
			t.Fatalf("request %d, %+v (-ticking +lazy):\n%s", i, requests[i], d)
		}
	}
	if faulted {
		return e.Statistics(end), true
	}
	if d := cmp.Diff(want.unit.level, edges); d != "" {
		t.Fatalf("interrupt line (-ticking +lazy):\n%s", d)
	}
	want.unit.stats.IdleCycles = end - want.unit.stats.BusyCycles
	if d := cmp.Diff(want.unit.stats, e.Statistics(end)); d != "" {
		t.Fatalf("statistics (-ticking +lazy):\n%s", d)
	}
	return want.unit.stats, false
}
