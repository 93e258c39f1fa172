package accel

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"socsim/bus"
	"socsim/clock"
)

// tickingRAM is the state RAM once more, cycle by cycle. It follows the package comment
// and shares nothing with the unit but the XOF values and the names of statistics.
type tickingRAM struct {
	config Config
	cycle  clock.Cycle

	state        []byte // in message order
	copy, enable bool
	left         clock.Cycle // cycles of the running permutation still to come
	started      bool
	fresh        bool // nothing was stored since the latest permutation began
	irq          bool

	answers []bus.Response
	level   []edge
	stats   Statistics
}

func newTickingRAM(c Config) *tickingRAM {
	t := &tickingRAM{config: c.WithDefaults()}
	t.init()
	return t
}

func (t *tickingRAM) init() {
	var lanes State
	copy(lanes[:], t.config.XOF.Modes[0].Start)
	t.pack(&lanes)
}

// pack and unpack turn lanes into bytes and back.
func (t *tickingRAM) pack(lanes *State) {
	t.state = nil
	for _, v := range lanes[:t.config.XOF.Lanes] {
		if t.config.XOF.BigEndian {
			t.state = binary.BigEndian.AppendUint64(t.state, v)
		} else {
			t.state = binary.LittleEndian.AppendUint64(t.state, v)
		}
	}
}

func (t *tickingRAM) unpack() (lanes State) {
	for i := range t.config.XOF.Lanes {
		if b := t.state[8*i:]; t.config.XOF.BigEndian {
			lanes[i] = binary.BigEndian.Uint64(b)
		} else {
			lanes[i] = binary.LittleEndian.Uint64(b)
		}
	}
	return lanes
}

// run works through the cycles before end, issuing each request in its cycle.
func (t *tickingRAM) run(requests []bus.Request, end clock.Cycle) {
	t.answers = make([]bus.Response, len(requests))
	n := 0
	for ; t.cycle < end; t.cycle++ {
		if n < len(requests) && requests[n].At <= t.cycle {
			if t.tick(n, &requests[n]) {
				n++
			}
			continue
		}
		t.tick(n, nil)
	}
}

// tick works through one cycle and tells whether the request was granted.
func (t *tickingRAM) tick(n int, r *bus.Request) (granted bool) {
	now, busy := t.cycle, t.left > 0
	var init, clear, ends bool
	if busy {
		t.stats.BusyCycles++
		t.left--
		ends = t.left == 0
	}
	atEnd := func() {}
	switch {
	case r == nil:
	case !t.good(*r, busy):
		t.answers[n].Fault = &bus.Fault{}
		granted = true
	case r.Addr >= 0x100 && busy: // waits
	default:
		granted = true
		a := &t.answers[n]
		a.Grant, a.Valid = now, now+1
		if now > r.At {
			a.HeldFrom, a.HeldTo, a.Cause = r.At, now, bus.Permuting
			t.stats.Withheld[bus.Permuting] += now - r.At
		}
		v := r.Data
		switch {
		case r.Addr >= 0x100 && r.Write:
			t.stats.WordsIn++
			word := t.state[r.Addr-0x100:][:4]
			if !t.copy {
				v ^= binary.LittleEndian.Uint32(word)
			}
			binary.LittleEndian.PutUint32(word, v)
			t.fresh = false
		case r.Addr >= 0x100:
			t.stats.WordsOut++
			a.Data = binary.LittleEndian.Uint32(t.state[r.Addr-0x100:])
		case !r.Write:
			a.Data = t.load(r.Addr, busy)
			if r.Addr == 0x10 && busy {
				a.Role = bus.RoleBusy
			}
		case r.Addr == 0x00:
			init = v&1 != 0
			if v&2 != 0 {
				atEnd = func() { ends = t.start(int(v >> 8 & 0xff)) }
			}
		case r.Addr == 0x04:
			atEnd = func() { t.copy = v&1 != 0 }
		case r.Addr == 0x14:
			clear = v&1 != 0
		case r.Addr == 0x18:
			atEnd = func() { t.enable = v&1 != 0 }
		}
	}

	atEnd()
	t.irq = t.irq && !clear || ends
	if init {
		if t.left > 0 {
			t.stats.Abandoned++
		}
		t.left, t.started, t.fresh, t.irq = 0, false, false, false
		t.stats.Messages++
		t.init()
	}
	if high := t.enable && t.irq; high != (len(t.level) > 0 && t.level[len(t.level)-1].High) {
		t.level = append(t.level, edge{high, now + 1})
	}
	return granted
}

// start begins a permutation, and tells whether it takes no time.
func (t *tickingRAM) start(rounds int) bool {
	if rounds == 0 {
		rounds = t.config.XOF.rounds()
	}
	lanes := t.unpack()
	t.config.XOF.Permute(&lanes, rounds)
	t.pack(&lanes)
	r := t.config.CyclesPerRound
	t.left = clock.Cycle((uint32(rounds)*r.Num+r.Den-1)/r.Den) + t.config.Startup
	t.started, t.fresh = true, true
	t.stats.Permutations++
	t.stats.Rounds += uint64(rounds)
	return t.left == 0
}

func (t *tickingRAM) good(r bus.Request, busy bool) bool {
	v := r.Data
	words := uint32(t.config.XOF.block())
	if t.copy {
		words = uint32(2 * t.config.XOF.Lanes)
	}
	switch {
	case r.Addr >= 0x100:
		return r.Addr-0x100 < 4*words && (r.Write || t.copy || t.fresh)
	case r.Addr == 0x00:
		return v&3 != 3 && (v&2 == 0 || !busy && int(v>>8&0xff) <= t.config.XOF.rounds())
	case r.Addr == 0x04 && r.Write:
		return v < 2
	}
	return true
}

func (t *tickingRAM) load(offset uint32, busy bool) uint32 {
	flag := map[bool]uint32{true: 1}
	switch offset {
	case 0x04:
		return flag[t.copy]
	case 0x10:
		return flag[busy] | flag[t.started && !busy]<<1
	case 0x14:
		return flag[t.irq]
	case 0x18:
		return flag[t.enable]
	}
	return uint32(2*t.config.XOF.Lanes)<<16 | 1<<8 | uint32(t.config.XOF.Number)
}

// ramGuest makes requests that are mostly good use.
type ramGuest struct {
	rate, words, rounds  int
	copy, fresh, running bool
}

func (g *ramGuest) next(c chooser) bus.Request {
	words := g.rate
	if g.copy {
		words = g.words
	}
	if c("bad use", 400) == 399 {
		return choose(c, "bad", ramStore(0, 0x00, 2), ramStore(0, 0x00, 3), ramStore(0, 0x00, uint32(g.rounds+1)<<8|2), ramStore(0, 0x04, 2),
			ramStore(0, 0x100+4*uint32(words), 0), ramLoad(0, 0x100))
	}
	switch k := c("what", 40); {
	case k < 14:
		g.fresh, g.running = false, false // it waits for the end
		return ramStore(0, 0x100+4*uint32(c("word", words)), uint32(c("low half", 1<<16)|c("high half", 1<<16)<<16))
	case k < 20 && (g.copy || g.fresh):
		g.running = false
		return ramLoad(0, 0x100+4*uint32(c("word", words)))
	case k < 26 && !g.running:
		g.running, g.fresh = true, true
		return ramStore(0, 0x00, 2|uint32(c("rounds", g.rounds+1))<<8)
	case k < 28:
		g.running, g.fresh = false, false
		return ramStore(0, 0x00, 1)
	case k < 30:
		g.copy = c("copy", 2) == 1
		return ramStore(0, 0x04, map[bool]uint32{true: 1}[g.copy])
	case k < 32:
		return ramStore(0, 0x14, uint32(c("clear", 2)))
	case k < 34:
		return ramStore(0, 0x18, choose[uint32](c, "enable", 1, 1, 0))
	case k < 36:
		return ramLoad(0, choose[uint32](c, "register", 0x04, 0x14, 0x18, 0x1c))
	}
	return ramLoad(0, 0x10)
}

// The lazy state RAM is the ticking one, as the FIFO engine is.
func TestLazyRAMIsEager(t *testing.T) {
	t.Run("rapid", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			checkLazyRAM(t, func(label string, n int) int { return rapid.IntRange(0, n-1).Draw(t, label) })
		})
	})
	streams := uint64(4_000)
	if testing.Short() {
		streams = 400
	}
	var seen Statistics
	var edges, faults uint64
	for seed := range streams {
		r := rand.New(rand.NewPCG(seed, 6))
		s, e, f := checkLazyRAM(failing{t, seed}, func(_ string, n int) int { return r.IntN(n) })
		seen.Permutations += s.Permutations
		seen.Abandoned += s.Abandoned
		seen.Withheld[bus.Permuting] += s.Withheld[bus.Permuting]
		edges += e
		faults += f
	}
	if seen.Permutations < 2*streams || seen.Abandoned < streams/20 || uint64(seen.Withheld[bus.Permuting]) < streams || edges < streams || faults < streams/20 {
		t.Errorf("seen in %d streams: %+v, %d edges, %d faults", streams, seen, edges, faults)
	}
}

func checkLazyRAM(t tester, choice chooser) (stats Statistics, edgesSeen, faults uint64) {
	t.Helper()
	c := randomConfig(choice)
	c.Coupling, c.InputDepth, c.OutputDepth = RAM, 0, 0
	if c.XOF.Lanes == 0 { // a made-up one
		c.XOF.Lanes = len(State{}) // toy works on all of them
	}
	queue := clock.NewQueue()
	u := newStateRAM(c, queue, defaultTiming)
	var edges []edge
	u.Connect(func(high bool, from clock.Cycle) { edges = append(edges, edge{high, from}) })
	late := choice("events late", 2) == 1

	g := &ramGuest{rate: c.XOF.block(), words: 2 * c.XOF.Lanes, rounds: c.XOF.rounds()}
	var requests []bus.Request
	var got []bus.Response
	var at, end clock.Cycle
	for range 1 + choice("requests", 150) {
		r := g.next(choice)
		r.At = at + choose[clock.Cycle](choice, "gap", 0, 0, 0, 0, 1, 1, 2, 3, 7, 30)
		if !late {
			queue.Advance(r.At)
		}
		a := u.Access(r)
		requests = append(requests, r)
		if a.Fault != nil {
			got = append(got, bus.Response{Fault: &bus.Fault{}})
			end = max(end, r.At)
			faults++
			break
		}
		if r.Addr == 0x10 && a.Data != ramStatusBusy {
			g.running = false
		}
		a.Role = busyOnly(a.Role)
		got = append(got, a)
		at = a.Grant + 1
		end = max(end, a.Valid)
	}
	end += 1 + clock.Cycle(choice("after", 60))
	queue.Advance(end)

	want := newTickingRAM(c)
	want.run(requests, end)
	for i := range want.answers {
		if d := cmp.Diff(want.answers[i], got[i]); d != "" {
			t.Fatalf("request %d, %+v (-ticking +lazy):\n%s", i, requests[i], d)
		}
	}
	if d := cmp.Diff(want.level, edges); d != "" {
		t.Fatalf("interrupt line (-ticking +lazy):\n%s", d)
	}
	want.stats.IdleCycles = end - want.stats.BusyCycles
	if d := cmp.Diff(want.stats, u.Statistics(end)); d != "" {
		t.Fatalf("statistics (-ticking +lazy):\n%s", d)
	}
	return want.stats, uint64(len(edges)), faults
}
