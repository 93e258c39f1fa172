package accel

import (
	"testing"

	"socsim/bus"
	"socsim/clock"
)

// An access costs no allocation and, by the benchmarks, few nanoseconds.
func TestAccessDoesNotAllocate(t *testing.T) {
	b := newBench(t, Config{})
	var at clock.Cycle
	b.store(0, 0x08, 400)
	n := testing.AllocsPerRun(100, func() {
		at = b.store(at+1, 0x00, 1).Valid
		for range 50 {
			at = b.store(at, 0x20, 1).Valid
		}
		at = b.store(at, 0x0c, 0).Valid
		for range 100 {
			at = b.load(at, 0x24).Valid
		}
		at = b.load(at, 0x10).Valid
	})
	if n != 0 {
		t.Errorf("%g allocations in 153 accesses", n)
	}
}

func newBenchmark(b *testing.B, x *XOF) *Engine {
	e, err := newEngine(Config{XOF: x, Coupling: FIFO}, nil, defaultTiming)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return e
}

// free is a hash whose permutation takes the host no time, so that what is
// measured is the FIFO engine.
var free = &XOF{Name: "free", Modes: SHAKE.Modes, Reset: 1, Permute: func(*State, int) {}}

func BenchmarkPush(b *testing.B) {
	e := newBenchmark(b, free)
	var at clock.Cycle
	for b.Loop() {
		at = e.Access(bus.Request{Addr: 0x20, Bytes: 4, Write: true, Data: 1, At: at}).Grant + 1
	}
}

func BenchmarkPop(b *testing.B) {
	e := newBenchmark(b, free)
	e.Access(bus.Request{Addr: 0x08, Bytes: 4, Write: true, Data: 0xffff_fffc})
	e.Access(bus.Request{Addr: 0x0c, Bytes: 4, Write: true})
	at := clock.Cycle(1)
	for b.Loop() {
		at = e.Access(bus.Request{Addr: 0x24, Bytes: 4, At: at}).Valid
	}
}

func BenchmarkStatus(b *testing.B) {
	e := newBenchmark(b, free)
	var at clock.Cycle
	for b.Loop() {
		at = e.Access(bus.Request{Addr: 0x10, Bytes: 4, At: at}).Valid
	}
}
