package device

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/accel"
	"socsim/bus"
	"socsim/clock"
	"socsim/sdith"
	"socsim/sdith/pipeline"
)

// small is a parameter set that is no one's and signs in a millisecond.
var small = &sdith.Params{Name: "cat1_small", Lambda: 128, Kappa: 2, Tau: 3, Open: 6, PoWBits: 1, Weight: 2, BlockLength: 50, Mu: [4]int{3, 4, 4, 3}, Codim: 64}

func smallConfig() Config {
	return Config{Pipeline: pipeline.Config{Set: small, CacheDepth: 2, Costs: pipeline.DefaultCosts()}}
}

// material is what a signature is made from, and the signature.
type material struct {
	key, entropy, message, signature []byte
	result                           *pipeline.Result
}

// materialOf makes a key and a signature without the device.
func materialOf(t *testing.T, c Config, size int) (m material) {
	t.Helper()
	set := c.Pipeline.Set
	sk, err := set.GenerateKey(bytes.Repeat([]byte{7}, 2*set.SeedSize()))
	if err != nil {
		t.Fatal(err)
	}
	m.key, m.entropy, m.message = sk.Bytes(), bytes.Repeat([]byte{9, 1}, set.SeedSize()), make([]byte, size)
	for i := range m.message {
		m.message[i] = byte(i * 5)
	}
	if m.signature, err = sk.Sign(m.message, m.entropy); err != nil {
		t.Fatal(err)
	}
	machine, err := pipeline.New(c.Pipeline)
	if err != nil {
		t.Fatal(err)
	}
	if m.result, err = machine.Sign(pipeline.Job{SecretKey: m.key, Message: m.message, Entropy: m.entropy}); err != nil {
		t.Fatal(err)
	}
	return m
}

// host makes accesses, each in the cycle after the grant of the one before or as soon as
// the bus lets it.
type host struct {
	t     *testing.T
	d     *Device
	port  bus.Target
	at    clock.Cycle // of the next request
	last  bus.Response
	line  []string // what the interrupt line did
	queue *clock.Queue
}

type portOf func(bus.Request) bus.Response

func (p portOf) Access(r bus.Request) bus.Response { return p(r) }

func newHost(t *testing.T, c Config, hop string) *host {
	t.Helper()
	h := &host{t: t, queue: clock.NewQueue()}
	var err error
	if h.d, err = New(c, h.queue); err != nil {
		t.Fatal(err)
	}
	h.d.Connect(func(high bool, from clock.Cycle) { h.line = append(h.line, fmt.Sprintf("%v from %d", high, from)) })
	window := bus.Window{Name: "sdith", Base: Base, Size: Size, Target: h.d}
	if hop != "" {
		p, err := bus.ParseHop(hop)
		if err != nil {
			t.Fatal(err)
		}
		window.Path = []*bus.Hop{p}
	}
	m, err := bus.NewMap([]bus.Window{window}, nil)
	if err != nil {
		t.Fatal(err)
	}
	core := m.Initiator("core")
	h.port = portOf(func(r bus.Request) bus.Response { r.Addr += Base; return core.Access(r) })
	return h
}

func (h *host) access(offset uint32, write bool, v uint32) bus.Response {
	h.t.Helper()
	a := h.port.Access(bus.Request{Addr: offset, Bytes: 4, Write: write, Data: v, At: h.at})
	if a.Fault != nil {
		h.t.Fatalf("%x in %d: %v", offset, h.at, a.Fault)
	}
	h.last, h.at = a, a.Grant+1
	return a
}

func (h *host) store(offset, v uint32) bus.Response { h.t.Helper(); return h.access(offset, true, v) }
func (h *host) load(offset uint32) uint32           { h.t.Helper(); return h.access(offset, false, 0).Data }

// put stores bytes to a window.
func (h *host) put(offset uint32, b []byte) {
	h.t.Helper()
	b = append(bytes.Clone(b), make([]byte, -len(b)&3)...)
	for i := 0; i < len(b); i += 4 {
		h.store(offset+uint32(i), binary.LittleEndian.Uint32(b[i:]))
	}
}

// get loads bytes from a window; those that fill the last word must be zero.
func (h *host) get(offset uint32, n int) []byte {
	h.t.Helper()
	var b []byte
	for len(b) < n {
		b = binary.LittleEndian.AppendUint32(b, h.load(offset+uint32(len(b))))
	}
	for _, v := range b[n:] {
		if v != 0 {
			h.t.Errorf("a byte behind the end is %#x", v)
		}
	}
	return b[:n]
}

// fill stores everything but START.
func (h *host) fill(m material) {
	h.t.Helper()
	h.put(offKeyWindow, m.key)
	h.put(offEntropyWindow, m.entropy)
	h.put(offMessageWindow, m.message)
	h.store(offLength, uint32(len(m.message)))
}

// refused makes an access that must be bad use.
func (h *host) refused(r bus.Request, what, hint string) {
	h.t.Helper()
	r.At = h.at
	f := h.d.Access(r).Fault
	if f == nil || f.Kind != bus.DeviceError || !strings.Contains(f.What, what) || !strings.Contains(f.Hint, hint) {
		h.t.Errorf("%+v: fault %+v, want %q, %q", r, f, what, hint)
	}
}

func store(offset, v uint32) bus.Request {
	return bus.Request{Addr: offset, Bytes: 4, Write: true, Data: v}
}
func load(offset uint32) bus.Request { return bus.Request{Addr: offset, Bytes: 4} }

// Every configuration signs what the scheme signs, with the sizes it says it has.
func TestSignatures(t *testing.T) {
	configs := pipeline.Configs()
	if testing.Short() {
		configs = configs[:1]
	}
	for _, p := range configs {
		if p.Set.Kappa > fastKappa {
			continue // the pipeline's own tests have those; they take a second
		}
		c := Config{Pipeline: p}
		m := materialOf(t, c, 33)
		h := newHost(t, c, "")
		h.fill(m)
		for offset, want := range map[uint32]int{
			offKeySize: len(m.key), offEntropy: len(m.entropy), offMessage: pipeline.MaxMessage, offSignature: len(m.signature), offLength: 33, offID: idValue,
		} {
			if got := h.load(offset); got != uint32(want) {
				t.Errorf("%s: register 0x%x is %d, want %d", p.Name(), offset, got, want)
			}
		}
		h.store(offControl, controlStart)
		h.at += clock.Cycle(m.result.Cycles)
		if got := h.get(offSignatureWindow, len(m.signature)); !bytes.Equal(got, m.signature) {
			t.Errorf("%s: another signature", p.Name())
		}
		if got := h.load(offAttempts); got != uint32(m.result.Attempts) {
			t.Errorf("%s: %d attempts, want %d", p.Name(), got, m.result.Attempts)
		}
	}
}

// CONFIG says which of the twelve it is, and the options.
func TestConfig(t *testing.T) {
	want := map[string]uint32{
		"sec1_fast_hp0": 0x080001, "sec1_fast_hp1": 0x080021, "sec1_short_hp0": 0x080011, "sec1_short_hp1": 0x080031,
		"sec3_fast_hp0": 0x070003, "sec3_fast_hp1": 0x070023, "sec3_short_hp0": 0x070013, "sec3_short_hp1": 0x070033,
		"sec5_fast_hp0": 0x070005, "sec5_fast_hp1": 0x070025, "sec5_short_hp0": 0x070015, "sec5_short_hp1": 0x070035,
	}
	for _, p := range pipeline.Configs() {
		if got := newHost(t, Config{Pipeline: p}, "").load(offConfig); got != want[p.Name()] {
			t.Errorf("%s: CONFIG is 0x%06x, want 0x%06x", p.Name(), got, want[p.Name()])
		}
	}
	c := smallConfig()
	c.Pipeline.HComInPhase12, c.Pipeline.Path = true, pipeline.PathBoth
	if got := newHost(t, c, "").load(offConfig); got != 0x020241 {
		t.Errorf("CONFIG with options is 0x%06x", got)
	}

	c = smallConfig()
	c.Pipeline.CacheDepth = 99
	if _, err := New(c, nil); err == nil || !strings.Contains(err.Error(), "cache depth of 99") {
		t.Errorf("error %v", err)
	}
	c = smallConfig()
	c.ClockRatio = accel.Ratio{Num: 1}
	if _, err := New(c, nil); err == nil || !strings.Contains(err.Error(), "clock ratio: 1/0") {
		t.Errorf("error %v", err)
	}
}

// The example of the package comment, and without waits.
func TestTimeline(t *testing.T) {
	type timeline struct{ Words, Length, Start, Found, Word0, Word9, Valid9 clock.Cycle }
	for _, tt := range []struct {
		hop        string
		store      clock.Cycle // from a store to the next access
		load, wait clock.Cycle // from a load to the next access, and to its answer
	}{{"", 1, 1, 1}, {"apb", 4, 3, 3}, {"1/2/3", 5, 4, 4}} {
		c := smallConfig()
		m := materialOf(t, c, 33)
		h := newHost(t, c, tt.hop)
		var got timeline
		first := clock.Cycle(0)
		if tt.hop == "1/2/3" {
			first = 1
		}
		h.fill(m)
		n := clock.Cycle(words(len(m.key)) + words(len(m.entropy)) + words(len(m.message)))
		got.Length = h.last.Grant
		got.Words = n
		got.Start = h.store(offControl, controlStart).Grant
		for h.load(offStatus)&statusBusy != 0 {
			if h.last.Role != bus.RoleBusy {
				t.Fatalf("role %d of a load of STATUS that reads BUSY", h.last.Role)
			}
		}
		if h.last.Data != statusDone || h.last.Role != bus.RoleStatus {
			t.Errorf("STATUS 0x%x, role %d", h.last.Data, h.last.Role)
		}
		got.Found = h.last.Grant
		for k := range uint32(10) {
			h.load(offSignatureWindow + 4*k)
			if k == 0 {
				got.Word0 = h.last.Grant
			}
		}
		got.Word9, got.Valid9 = h.last.Grant, h.last.Valid

		// By hand: n words, LENGTH, START; STATUS is loaded from the cycle after, every tt.load
		// cycles, until the first one in start+C+1 or later.
		start := first + (n+1)*tt.store
		polls := start + tt.store
		end := start + clock.Cycle(m.result.Cycles) + 1
		found := polls + (end-polls+tt.load-1)/tt.load*tt.load
		want := timeline{n, first + n*tt.store, start, found, found + tt.load, found + 10*tt.load, found + 10*tt.load + tt.wait - first}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("hop %q (-want +got):\n%s", tt.hop, d)
		}
	}
}

// BUSY in exactly C cycles from the one after START on.
func TestBusyToTheCycle(t *testing.T) {
	for _, ratio := range []accel.Ratio{{}, {Num: 3, Den: 1}, {Num: 1, Den: 7}, {Num: 0, Den: 1}} {
		c := smallConfig()
		c.ClockRatio = ratio
		m := materialOf(t, c, 5)
		cycles := clock.Cycle(m.result.Cycles)
		switch {
		case ratio.Num == 3:
			cycles *= 3
		case ratio.Den == 7:
			cycles = (cycles + 6) / 7
		case ratio.Den == 1:
			cycles = 0
		}
		for _, tt := range []struct {
			after clock.Cycle // behind the grant of START
			busy  bool
		}{{1, cycles > 0}, {cycles, cycles > 0}, {cycles + 1, false}, {cycles + 2, false}} {
			h := newHost(t, c, "")
			h.fill(m)
			start := h.store(offControl, controlStart).Grant
			if tt.after == 0 {
				continue
			}
			h.at = start + tt.after
			if got := h.load(offStatus); (got == statusBusy) != tt.busy || (got == statusDone) == tt.busy {
				t.Errorf("ratio %v: STATUS 0x%x %d cycles behind START, which takes %d", ratio, got, tt.after, cycles)
			}
		}
		h := newHost(t, c, "")
		h.fill(m)
		h.store(offControl, controlStart)
		h.at += cycles
		if got := h.get(offSignatureWindow, len(m.signature)); !bytes.Equal(got, m.signature) {
			t.Errorf("ratio %v: another signature", ratio)
		}
	}
}

// Counters in the middle of a signature: a cycle counts for the first phase that is not
// over, and CYCLES is the sum.
func TestCounters(t *testing.T) {
	c := smallConfig()
	m := materialOf(t, c, 5)
	total := clock.Cycle(m.result.Cycles)
	wide := func(h *host, offset uint32, at clock.Cycle) clock.Cycle {
		// The device does not go back in time: both words in the same cycle.
		h.at, h.d.turn = at, at
		low := h.load(offset)
		h.at, h.d.turn = at, at
		return clock.Cycle(low) | clock.Cycle(h.load(offset+4))<<32
	}
	h := newHost(t, c, "")
	for p := range uint32(pipeline.NumPhases) {
		if got := wide(h, offPhases+8*p, 0); got != 0 {
			t.Errorf("out of reset phase %d has %d cycles", p, got)
		}
	}
	h.fill(m)
	start := h.store(offControl, controlStart).Grant
	for _, after := range []clock.Cycle{1, 2, total / 4, total / 2, total - 1, total, total + 1, total + 1000} {
		passed := min(after-1, total) // before the cycle of the load
		var sum, over clock.Cycle
		for p, r := range m.result.Phases {
			got := wide(h, offPhases+8*uint32(p), start+after)
			// The phase counts from the end of those before it to its own.
			want := min(passed, over+clock.Cycle(r.Cycles)) - min(passed, over)
			over += clock.Cycle(r.Cycles)
			if got != want {
				t.Errorf("%d cycles behind START: phase %s has %d, want %d", after, r.Phase, got, want)
			}
			sum += got
		}
		if got := wide(h, offTotal, start+after); got != passed || sum != passed {
			t.Errorf("%d cycles behind START: CYCLES is %d, phases add up to %d, want %d", after, got, sum, passed)
		}
		h.at, h.d.turn = start+after, start+after
		if got := h.load(offAttempts); (got != 0) != (after > total) {
			t.Errorf("%d cycles behind START: ATTEMPTS is %d", after, got)
		}
	}
	// Counters of more than a word.
	c.ClockRatio = accel.Ratio{Num: accel.MaxRatio, Den: 1}
	h = newHost(t, c, "")
	h.fill(m)
	start = h.store(offControl, controlStart).Grant
	if got := wide(h, offTotal, start+1<<32+8); got != 1<<32+7 {
		t.Errorf("CYCLES is %d, want 2^32 + 7", got)
	}
	if end := total * accel.MaxRatio; wide(h, offTotal, start+end+100) != end {
		t.Errorf("CYCLES is not %d at the end", end)
	}
}
