package translate_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"socsim/bus"
	"socsim/clock"
	"socsim/rv32"
	"socsim/rv32/translate"
)

var from = flag.Uint64("from", 0, "seed of the first random program")

var long = flag.Bool("long", false, "run many more random programs")

// slowDevice holds words behind random waits, and raises a fast interrupt at random
// times after each acknowledgement. All randomness hangs on the cycle.
type slowDevice struct {
	words [16]uint32
	seed  uint64
	line  bus.Line
	event *clock.Event
	gap   uint64 // cycles to the next interrupt at most
}

func (d *slowDevice) Access(r bus.Request) bus.Response {
	n := (uint64(r.At) + d.seed) * 0x9e37_79b9_7f4a_7c15
	n ^= n >> 29
	resp := bus.Response{Grant: r.At, Valid: r.At + 1}
	if n&1 == 0 {
		resp.Grant += clock.Cycle(n >> 8 % 4)
		resp.Valid = resp.Grant + 1 + clock.Cycle(n>>16%6)
		resp.HeldFrom, resp.HeldTo, resp.Cause = resp.Grant+1, resp.Valid, bus.Permuting
	}
	if r.Addr>>28 == 2 { // acknowledge
		d.line(false, resp.Grant+1)
		d.event.At(resp.Grant + 1 + clock.Cycle(n>>24%d.gap))
		return resp
	}
	if r.Addr>>28 != 1 {
		resp.Fault = &bus.Fault{Kind: bus.Unmapped, What: "nothing there"}
	}
	if r.Write {
		d.words[r.Addr/4%16] = r.Data
	}
	resp.Data = d.words[r.Addr/4%16]
	return resp
}

// hart returns a hart with a random program, the same for the same seed.
func hart(t *testing.T, seed uint64, e *translate.Engine) *rv32.Hart {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	gap := []uint64{150, 200, 3000, 30_000}[seed%4]
	spice := []int{0, 1, 3, 10}[seed/4%4]
	dev := &slowDevice{seed: seed, gap: gap}
	events := clock.NewQueue()
	c := rv32.Config{RAMBase: base, RAMSize: ramSize, Port: dev, Events: events, TrapClass: 254, SleepClass: 255}
	if seed%3 == 0 {
		c.Class = func(pc uint32) uint8 { return uint8(pc >> 9 & 1) }
	}
	if e != nil {
		c.RAM = e.RAM()
	}
	h, err := rv32.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if e != nil {
		h.Attach(e)
	}
	dev.event = events.Source(func(at clock.Cycle) { dev.line(true, at) })
	dev.event.At(100)
	code, entry := program(r, spice)
	copy(h.RAM()[0x100:], code)
	for i := dataAt - base; i < dataAt-base+0x300; i++ {
		h.RAM()[i] = byte(r.Uint32())
	}
	h.Reset(entry)
	dev.line = h.Line(20)
	return h
}

func snapshot(h *rv32.Hart) string {
	s := fmt.Sprintf("pc %08x cycle %d now %d instret %d asleep %d", h.PC(), h.Cycle(), h.Now(), h.Instret(), h.Asleep())
	for i := range uint8(32) {
		s += fmt.Sprintf(" x%d=%x", i, h.X(i))
	}
	for _, n := range []uint32{csrMstatus, csrMie, csrMepc, csrMcause, csrMip, csrMcycle, csrMinstret} {
		v, _ := h.CSR(n)
		s += fmt.Sprintf(" csr%03x=%x", n, v)
	}
	for _, c := range []uint8{0, 1, 254, 255} {
		s += fmt.Sprintf(" class%d=%d", c, h.ClassCycles(c))
	}
	return s + fmt.Sprint(" held ", h.HeldCycles(bus.Permuting))
}

// engine returns an eager engine for the RAM of the tests.
func engine(t *testing.T, o translate.Options) *translate.Engine {
	t.Helper()
	e, err := translate.New(base, ramSize, o)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// lockstep runs two equal systems, of which e runs the second one, to random deadlines
// up to cycle end, and compares everything there.
func lockstep(t *testing.T, what string, r *rand.Rand, plain, fast *rv32.Hart, e *translate.Engine, end clock.Cycle) translate.Stats {
	t.Helper()
	for deadline := clock.Cycle(0); deadline < end; {
		deadline += clock.Cycle(1 + r.IntN([]int{20, 300, 5000, 20_000}[r.IntN(4)]))
		limits := rv32.Limits{Cycles: deadline}
		if r.IntN(4) == 0 {
			limits.Instructions = plain.Instret() + 1 + r.Uint64N(3000)
		}
		a, b := plain.Run(limits), fast.Run(limits)
		if a != b && (a.Reason != b.Reason || a.PC != b.PC || a.Request != b.Request) {
			t.Fatalf("%s, deadline %d: stopped: interpreted %+v, translated %+v", what, deadline, a, b)
		}
		if got, want := snapshot(fast), snapshot(plain); got != want {
			t.Fatalf("%s, deadline %d:\ntranslated  %s\ninterpreted %s", what, deadline, got, want)
		}
		if !bytes.Equal(plain.RAM(), fast.RAM()) {
			t.Fatalf("%s, deadline %d: RAM differs", what, deadline)
		}
		if a.Reason != rv32.StopCycles && a.Reason != rv32.StopInstructions {
			break
		}
		deadline = max(deadline, plain.Now())
	}
	if err := e.Err(); err != nil {
		t.Fatal(err)
	}
	return e.Stats()
}

// random does so with a random program.
func random(t *testing.T, seed uint64, cache *translate.Cache, cycles clock.Cycle) translate.Stats {
	t.Helper()
	e := engine(t, translate.Options{Eager: true, Cache: cache})
	r := rand.New(rand.NewPCG(seed, 2))
	return lockstep(t, fmt.Sprint("seed ", seed), r, hart(t, seed, nil), hart(t, seed, e), e, cycles)
}

func TestLockstep(t *testing.T) {
	programs := uint64(160)
	if testing.Short() {
		programs = 24
	}
	if *long {
		programs = 3000
	}
	var sum translate.Stats
	for seed := *from; seed < *from+programs; seed++ {
		s := random(t, seed, nil, 100_000)
		sum.Instructions += s.Instructions
		sum.Entries += s.Entries
		sum.Dropped += s.Dropped
		sum.Modules += s.Modules
	}
	t.Logf("%+v", sum)
	if sum.Instructions < programs*5_000 || sum.Dropped == 0 {
		t.Errorf("%+v in %d programs: dull ones", sum, programs)
	}
}
