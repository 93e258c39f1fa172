package accel

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"socsim/bus"
	"socsim/clock"
)

// ramBytes is a RAM from address 0 on.
type ramBytes []byte

func (m ramBytes) Holds(addr, n uint32) bool { return uint64(addr)+uint64(n) <= uint64(len(m)) }
func (m ramBytes) Load(addr uint32) uint32   { return binary.LittleEndian.Uint32(m[addr:]) }
func (m ramBytes) Store(addr, word uint32, n int) {
	for i := range n {
		m[int(addr)+i] = byte(word >> (8 * i))
	}
}

const lazyRAM = 256 // bytes

// dmaGuest makes requests that are mostly good use. It keeps the book that a driver
// would keep, and polls to know that a transfer has ended.
type dmaGuest struct {
	guest
	running, waits  bool // waits: for output, so that ended holds when the transfer has
	in, out         uint32
	source, to      uint32
	fresh           bool // registers were set for the next transfer
	started, opened int
}

func (g *dmaGuest) next(c chooser) request {
	store := func(offset, data uint32) request {
		return request{toDMA, bus.Request{Addr: offset, Bytes: 4, Write: true, Data: data}}
	}
	load := func(offset uint32) request { return request{toDMA, bus.Request{Addr: offset, Bytes: 4}} }
	memory := func() request {
		r := bus.Request{Bytes: choose[uint8](c, "bytes", 4, 4, 1, 2), Write: c("store", 2) == 1, Data: uint32(c("data", 1<<16)) * 0x10001}
		r.Addr = uint32(c("address", lazyRAM/4))*4 + uint32(c("byte", 4))&^(uint32(r.Bytes)-1)
		if r.Write && r.Bytes < 4 {
			r.Data &= 1<<(8*r.Bytes) - 1
		}
		return request{toRAM, r}
	}
	if c("bad use", 300) == 299 {
		return choose(c, "bad", store(0x00, 1), store(0x00, 3), store(0x00, 5), store(0x00, 7), store(0x00, 2), store(0x04, 2), store(0x08, 1),
			store(0x0c, 0xffff_ffff), request{toUnit, bus.Request{Addr: 0x20, Bytes: 4, Write: true}}, request{toUnit, bus.Request{Addr: 0x08, Bytes: 4}})
	}
	switch k := c("which", 20); {
	case k < 5:
		return memory()
	case k == 5:
		return store(0x14, uint32(c("clear", 2)))
	case k == 6:
		return store(0x18, choose[uint32](c, "enable", 1, 1, 0))
	case k == 7:
		return load(choose[uint32](c, "register", 0x04, 0x08, 0x0c, 0x14, 0x18, 0x1c))
	case k == 8 && g.running: // registers of the next transfer may be set meanwhile
		return g.set(c, store)
	case k < 11 && g.running: // what may be done to the hash unit meanwhile
		return request{toUnit, choose(c, "unit",
			bus.Request{Addr: 0x10, Bytes: 4}, bus.Request{Addr: 0x10, Bytes: 4}, bus.Request{Addr: 0x14, Bytes: 4},
			bus.Request{Addr: 0x14, Bytes: 4, Write: true, Data: 1}, bus.Request{Addr: 0x18, Bytes: 4, Write: true, Data: uint32(c("unit enable", 2))},
			bus.Request{Addr: 0x04, Bytes: 4, Write: true, Data: uint32(c("mode", g.modes))})}
	case g.running:
		return load(0x10)
	case k < 13:
		return request{toUnit, g.guest.next(c)}
	case k < 17 || !g.fresh:
		return g.set(c, store)
	}
	return store(0x00, g.start(c))
}

// set writes one of the registers of a transfer.
func (g *dmaGuest) set(c chooser, store func(offset, data uint32) request) request {
	g.fresh = true
	switch c("set", 4) {
	case 0:
		g.source = uint32(c("source", 16)) * 4
		return store(0x04, g.source)
	case 1:
		g.to = uint32(c("destination", 16)) * 4
		return store(0x08, g.to)
	}
	g.in, g.out = uint32(c("in", 80)), uint32(c("out", 60))
	if c("whole", 2) == 0 {
		g.in &^= 3
	}
	if c("no input", 4) == 0 {
		g.in = 0
	}
	if c("no output", 4) == 0 {
		g.out = 0
	}
	return store(0x0c, g.in|g.out<<16)
}

// start returns what CTRL can be set to as things are, 0 if nothing.
func (g *dmaGuest) start(c chooser) uint32 {
	v := uint32(1)
	if c("INIT", 3) == 0 || g.ended && (g.in > 0 || g.cut != 0 && g.out > 0) {
		v |= 2
		g.guest = guest{modes: g.modes, outlen: g.out}
	}
	if !g.ended && (g.out > 0 || g.in%4 != 0 || c("LAST", 2) == 1) {
		v |= 4
		g.ended = true
	}
	if g.out > 0 {
		g.outlen = g.read + g.out
		g.read += (g.out + 3) &^ 3
		if g.out%4 != 0 {
			g.cut = g.outlen
		}
	}
	g.running = true
	return v
}

// The lazy DMA engine is the ticking one: on random streams of accesses to both
// windows and to RAM, with random hashes and units, every answer, every byte of RAM,
// every edge of both interrupt lines and every statistic are equal, whether events are
// fired in time or accesses come before them, as behind a bus with waits.
func TestLazyDMAIsEager(t *testing.T) {
	t.Run("rapid", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			checkLazyDMA(t, func(label string, n int) int { return rapid.IntRange(0, n-1).Draw(t, label) })
		})
	})
	streams := uint64(6_000)
	if testing.Short() {
		streams = 400
	}
	var seen Statistics
	var edges, faults uint64
	for seed := range streams {
		r := rand.New(rand.NewPCG(seed, 3))
		s, e, f := checkLazyDMA(failing{t, seed}, func(_ string, n int) int { return r.IntN(n) })
		seen.Transfers += s.Transfers
		seen.RAMWaits += s.RAMWaits
		seen.OverlapCycles += s.OverlapCycles
		edges += e
		faults += f
	}
	// Streams without transfers, collisions, interrupts or mistakes would prove little.
	if seen.Transfers < 2*streams || uint64(seen.RAMWaits) < streams || uint64(seen.OverlapCycles) < streams || edges < streams || faults < streams/20 {
		t.Errorf("seen in %d streams: %+v, %d edges, %d faults", streams, seen, edges, faults)
	}
}

func checkLazyDMA(t tester, choice chooser) (stats Statistics, edgesSeen, faults uint64) {
	t.Helper()
	c := randomConfig(choice)
	c.Coupling = DMA
	queue := clock.NewQueue()
	e, err := newEngine(c, queue, defaultTiming)
	if err != nil {
		t.Fatalf("%v", err)
	}
	d := e.DMA()
	ram := make(ramBytes, lazyRAM)
	for i := range ram {
		ram[i] = byte(i * 7)
	}
	want := &tickingDMA{unit: newTicking(c), ram: bytes.Clone(ram)}
	want.unit.beside = want
	d.Master(ram)
	var edges, dmaEdges []edge
	e.Connect(func(high bool, from clock.Cycle) { edges = append(edges, edge{high, from}) })
	d.Connect(func(high bool, from clock.Cycle) { dmaEdges = append(dmaEdges, edge{high, from}) })
	lag := choose[clock.Cycle](choice, "lag of events", 0, 0, 1, 4, clock.Never)

	g := &dmaGuest{guest: guest{modes: len(c.XOF.Modes)}}
	var requests []request
	var got []bus.Response
	var at, end clock.Cycle
	for range 1 + choice("requests", 200) {
		r := g.next(choice)
		r.At = at + choose[clock.Cycle](choice, "gap", 0, 0, 0, 0, 1, 1, 2, 3, 7, 30)
		if r.At >= lag {
			queue.Advance(r.At - lag)
		}
		var a bus.Response
		switch r.to {
		case toUnit:
			a = e.Access(r.Request)
		case toDMA:
			a = d.Access(r.Request)
			if r.Addr == 0x10 && a.Data&dmaStatusBusy == 0 {
				g.running = false
			}
		case toRAM:
			if lag == 0 {
				queue.Advance(r.At)
			}
			a.Grant = d.Grant(r.At)
			a.Valid = a.Grant + 1
			for i := range uint32(r.Bytes) {
				if r.Write {
					ram[r.Addr+i] = byte(r.Data >> (8 * i))
				} else {
					a.Data |= uint32(ram[r.Addr+i]) << (8 * i)
				}
			}
		}
		requests = append(requests, r)
		if a.Fault != nil {
			got = append(got, bus.Response{Fault: &bus.Fault{}})
			end = max(end, r.At)
			faults++
			break
		}
		a.Role = busyOnly(a.Role)
		got = append(got, a)
		at = a.Grant + 1
		end = max(end, a.Valid)
	}
	end += 1 + clock.Cycle(choice("after", 60))
	queue.Advance(end)
	for d.due != clock.Never { // let the transfer come to its end
		end = d.due + 1
		queue.Advance(end)
	}
	end += 2
	queue.Advance(end)

	want.runAll(requests, end)
	for i := range want.unit.answers {
		a := &want.unit.answers[i]
		if a.Fault != nil {
			a.Fault = &bus.Fault{}
		}
		want.unit.stats.Withheld[a.Cause] += a.HeldTo - a.HeldFrom
		if d := cmp.Diff(*a, got[i]); d != "" {
			t.Fatalf("request %d, %+v (-ticking +lazy):\n%s", i, requests[i], d)
		}
	}
	if d := cmp.Diff([]byte(ram), want.ram); d != "" {
		t.Fatalf("RAM (-lazy +ticking):\n%s", d)
	}
	if d := cmp.Diff(want.unit.level, edges); d != "" {
		t.Fatalf("the hash unit's interrupt line (-ticking +lazy):\n%s", d)
	}
	if d := cmp.Diff(want.level, dmaEdges); d != "" {
		t.Fatalf("the DMA engine's interrupt line (-ticking +lazy):\n%s", d)
	}
	want.unit.stats.IdleCycles = end - want.unit.stats.BusyCycles
	if d := cmp.Diff(want.unit.stats, e.Statistics(end)); d != "" {
		t.Fatalf("statistics (-ticking +lazy):\n%s", d)
	}
	return want.unit.stats, uint64(len(dmaEdges)), faults
}
