package accel

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bus"
	"socsim/clock"
)

// dmaBench is a hash unit with its DMA engine, behind a hop or none, and a RAM from
// address 0 on.
type dmaBench struct {
	t     testing.TB
	e     *Engine
	d     *DMAEngine
	core  *bus.Initiator
	queue *clock.Queue
	ram   ramBytes
	beats []beat
	edges []edge // of line 17
}

// beat is an access of the engine to RAM.
type beat struct {
	At    clock.Cycle
	Write bool
}

func newDMABench(t testing.TB, c Config, lat timing, hop string) *dmaBench {
	t.Helper()
	c.Coupling = DMA
	b := &dmaBench{t: t, queue: clock.NewQueue(), ram: make(ramBytes, 4096)}
	var err error
	if b.e, err = newEngine(c, b.queue, lat); err != nil {
		t.Fatal(err)
	}
	b.d = b.e.DMA()
	b.d.Master(b)
	b.d.Connect(func(high bool, from clock.Cycle) { b.edges = append(b.edges, edge{high, from}) })
	var path []*bus.Hop
	if hop != "" {
		h, err := bus.ParseHop(hop)
		if err != nil {
			t.Fatal(err)
		}
		path = append(path, h)
	}
	m, err := bus.NewMap([]bus.Window{
		{Name: "hash", Base: Base, Size: Size, Path: path, Target: b.e},
		{Name: "dma", Base: DMABase, Size: Size, Path: path, Target: b.d},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.core = m.Initiator("core")
	return b
}

func (b *dmaBench) Holds(addr, n uint32) bool { return b.ram.Holds(addr, n) }
func (b *dmaBench) Load(addr uint32) uint32 {
	b.beats = append(b.beats, beat{b.d.due, false})
	return b.ram.Load(addr)
}
func (b *dmaBench) Store(addr, w uint32, n int) {
	b.beats = append(b.beats, beat{b.d.due, true})
	b.ram.Store(addr, w, n)
}

// access performs an access as a core does: what happens before it comes first.
func (b *dmaBench) access(r bus.Request) bus.Response {
	b.t.Helper()
	r.Bytes = 4
	b.queue.Advance(r.At)
	a := b.core.Access(r)
	if a.Fault != nil {
		b.t.Fatalf("%+v: %v", r, a.Fault)
	}
	return a
}

func (b *dmaBench) store(at clock.Cycle, addr, v uint32) bus.Response {
	b.t.Helper()
	return b.access(bus.Request{Addr: addr, Write: true, Data: v, At: at})
}

func (b *dmaBench) load(at clock.Cycle, addr uint32) bus.Response {
	b.t.Helper()
	return b.access(bus.Request{Addr: addr, At: at})
}

// Each kind of bad use is a device error that names register and remedy, and changes
// nothing.
func TestDMABadUse(t *testing.T) {
	hash := uint32(Base)
	hash -= DMABase // offset of the hash unit's registers here
	store := func(offset, v uint32) bus.Request { return bus.Request{Addr: DMABase + offset, Write: true, Data: v} }
	load := func(offset uint32) bus.Request { return bus.Request{Addr: DMABase + offset} }
	busy := []bus.Request{store(0x0c, 8<<16|8), store(0x00, 7)}
	ended := []bus.Request{store(hash+0x0c, 0)} // LAST, at the hash unit
	before := func(list []bus.Request, more ...bus.Request) []bus.Request {
		return append(list[:len(list):len(list)], more...)
	}
	tests := []struct {
		name       string
		before     []bus.Request
		bad        bus.Request
		what, hint string
	}{
		{"START while BUSY", busy, store(0x00, 7), "START written to CTRL while a transfer runs", "STATUS.BUSY"},
		{"INIT without START", nil, store(0x00, 2), "without START", "set START"},
		{"LAST without START", nil, store(0x00, 4), "without START", "set START"},
		{"SRC", nil, store(0x04, 0x102), "SRC 0x00000102 written, which is no multiple of 4", "DIN"},
		{"DST", nil, store(0x08, 1), "DST 0x00000001 written, which is no multiple of 4", "DIN"},
		{"input from nowhere", []bus.Request{store(0x04, 4096), store(0x0c, 4)}, store(0x00, 1), "DMA from nowhere: the 4 bytes at SRC 0x00001000 are not all in RAM", "SRC"},
		{"input over the end", []bus.Request{store(0x04, 4092), store(0x0c, 5)}, store(0x00, 5), "DMA from nowhere: the 5 bytes at SRC 0x00000ffc", "SRC"},
		{"input over the end of all", []bus.Request{store(0x04, 0xffff_fffc), store(0x0c, 8)}, store(0x00, 5), "DMA from nowhere: the 8 bytes at SRC 0xfffffffc", "SRC"},
		{"output to nowhere", []bus.Request{store(0x08, 0x1100_0000), store(0x0c, 4<<16)}, store(0x00, 7), "DMA to nowhere: the 4 bytes at DST 0x11000000 are not all in RAM", "DST"},
		{"output over the end", []bus.Request{store(0x08, 4092), store(0x0c, 5<<16)}, store(0x00, 7), "DMA to nowhere: the 5 bytes at DST 0x00000ffc", "DST"},
		{"output while open", []bus.Request{store(0x0c, 4<<16)}, store(0x00, 1), "START with 4 bytes of output while the message is open", "LAST"},
		{"output with INIT", before(ended, store(0x0c, 4<<16)), store(0x00, 3), "START with 4 bytes of output while the message is open", "LAST"},
		{"input after LAST", before(ended, store(0x0c, 8)), store(0x00, 1), "START with 8 bytes of input after LAST", "INIT"},
		{"LAST after LAST", ended, store(0x00, 5), "START with LAST after LAST", "INIT"},
		{"a part of a word in", []bus.Request{store(0x0c, 6)}, store(0x00, 3), "START with 6 bytes of input without LAST", "multiple of 4"},
		{"output over zeros", before(ended, store(hash+0x08, 6), load(hash+0x24), load(hash+0x24), store(0x0c, 4<<16)), store(0x00, 1),
			"of which bytes read as zero", "INIT"},
		{"CTRL of the hash unit while BUSY", busy, store(hash+0x00, 1), "CTRL accessed while a DMA transfer runs", "BUSY"},
		{"OUTLEN while BUSY", busy, store(hash+0x08, 1), "OUTLEN accessed while a DMA transfer runs", "BUSY"},
		{"OUTLEN read while BUSY", busy, load(hash + 0x08), "OUTLEN accessed while a DMA transfer runs", "BUSY"},
		{"LAST of the hash unit while BUSY", busy, store(hash+0x0c, 0), "LAST accessed while a DMA transfer runs", "BUSY"},
		{"DIN while BUSY", busy, store(hash+0x20, 0), "DIN accessed while a DMA transfer runs", "BUSY"},
		{"an alias of DIN while BUSY", busy, store(hash+0x44, 0), "DIN accessed while a DMA transfer runs", "BUSY"},
		{"DOUT while BUSY", busy, load(hash + 0x24), "DOUT accessed while a DMA transfer runs", "BUSY"},
		{"byte", nil, bus.Request{Addr: DMABase + 0x04, Bytes: 1, Write: true}, "1-byte store to SRC (offset 0x04): registers take word accesses", "32-bit"},
		{"load from CTRL", nil, load(0x00), "4-byte load from CTRL (offset 0x00), which is write-only", "CTRL: "},
		{"store to STATUS", nil, store(0x10, 0), "STATUS (offset 0x10), which is read-only", "STATUS: "},
		{"store to ID", nil, store(0x1c, 0), "ID (offset 0x1c), which is read-only", "ID: "},
		{"no register", nil, load(0x20), "offset 0x20, where the DMA engine has no register", "0x00-0x1f"},
		{"end of the window", nil, store(0xffc, 0), "offset 0xffc", "0x00-0x1f"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newDMABench(t, Config{XOF: SHAKE}, defaultTiming, "")
			var at clock.Cycle
			for _, r := range tt.before {
				r.At = at
				at = b.access(r).Valid
			}
			tt.bad.At = at
			if tt.bad.Bytes == 0 {
				tt.bad.Bytes = 4
			}
			b.queue.Advance(at)
			b.e.advance(at)
			state, engine := b.e.datapath, *b.d
			a := b.core.Access(tt.bad)
			if a.Fault == nil {
				t.Fatalf("no fault, answer %+v", a)
			}
			if a.Fault.Kind != bus.DeviceError || !strings.Contains(a.Fault.What, tt.what) || !strings.Contains(a.Fault.Hint, tt.hint) {
				t.Errorf("fault %+v, want %q and hint %q", a.Fault, tt.what, tt.hint)
			}
			if b.e.stats != state.stats || b.e.state != state.state || b.e.phase != state.phase || b.e.outlen != state.outlen {
				t.Errorf("a refused access changed the hash unit")
			}
			if b.d.due != engine.due || b.d.turn != engine.turn || b.d.source != engine.source || b.d.destination != engine.destination || b.d.started != engine.started {
				t.Errorf("a refused access changed the DMA engine")
			}
		})
	}
}

// An engine that nobody gave a RAM refuses all of them.
func TestDMAWithoutRAM(t *testing.T) {
	e, err := newEngine(Config{XOF: SHAKE, Coupling: DMA}, nil, defaultTiming)
	if err != nil {
		t.Fatal(err)
	}
	d := e.DMA()
	d.Access(bus.Request{Addr: 0x0c, Bytes: 4, Write: true, Data: 4})
	if a := d.Access(bus.Request{Addr: 0x00, Bytes: 4, Write: true, Data: 1, At: 1}); a.Fault == nil || !strings.Contains(a.Fault.What, "nowhere") {
		t.Errorf("%+v", a)
	}
}

// More output than OUTLEN can count is refused, and one byte less is not.
func TestDMAOutputLimit(t *testing.T) {
	b := newDMABench(t, Config{XOF: SHAKE}, defaultTiming, "")
	b.store(0, Base+0x0c, 0)
	b.e.popped = 1<<30 - 4
	b.e.moved = b.e.popped
	b.store(1, DMABase+0x0c, 16<<16)
	b.queue.Advance(60)
	if a := b.core.Access(bus.Request{Addr: DMABase, Bytes: 4, Write: true, Data: 1, At: 60}); a.Fault == nil || !strings.Contains(a.Fault.What, "OUTLEN can count") {
		t.Errorf("%+v", a)
	}
	b.store(61, DMABase+0x0c, 15<<16)
	b.store(62, DMABase, 1)
	if b.e.outlen != 0xffff_ffff {
		t.Errorf("OUTLEN %#x", b.e.outlen)
	}
}

// Each register, access by access. F call over shake: BUSY in 11 .. 58.
func TestDMARegisters(t *testing.T) {
	b := newDMABench(t, Config{XOF: SHAKE, InputDepth: 5}, defaultTiming, "")
	for i, s := range []struct {
		at    clock.Cycle
		addr  uint32
		write bool
		data  uint32 // stored, or expected
		role  bus.Role
		why   string
	}{
		{0, DMABase + 0x10, false, 0, bus.RoleStatus, "neither BUSY nor DONE out of reset"},
		{1, DMABase + 0x1c, false, 5<<16 | 7<<8 | 1, bus.RoleStatus, "ID, as that of the hash unit"},
		{2, Base + 0x1c, false, 5<<16 | 7<<8 | 1, bus.RoleStatus, ""},
		{3, DMABase + 0x04, true, 256, bus.RoleControl, ""},
		{4, DMABase + 0x08, true, 512, bus.RoleControl, ""},
		{5, DMABase + 0x0c, true, 16<<16 | 64, bus.RoleControl, ""},
		{6, DMABase + 0x18, true, 1, bus.RoleControl, "interrupt enabled"},
		{7, DMABase + 0x18, false, 1, bus.RoleControl, ""},
		{8, DMABase + 0x00, true, 0, bus.RoleControl, "no START: nothing"},
		{9, DMABase + 0x10, false, 0, bus.RoleStatus, ""},
		{10, DMABase + 0x00, true, 7, bus.RoleControl, "all three"},
		{11, DMABase + 0x10, false, 1, bus.RoleBusy, "BUSY from the next cycle on"},
		{12, Base + 0x10, false, 1<<1 | 1<<3, bus.RoleStatus, "ABSORBING, IN_EMPTY: the word pushed in 12 is there from 13 on"},
		{13, Base + 0x10, false, 1<<1 | 1<<8, bus.RoleStatus, "one word, and the next one is pushed"},
		{14, DMABase + 0x04, true, 1024, bus.RoleControl, "for the next transfer"},
		{15, DMABase + 0x04, false, 1024, bus.RoleControl, ""},
		{16, Base + 0x04, true, 0, bus.RoleControl, "MODE may be written"},
		{17, Base + 0x04, false, 0, bus.RoleControl, ""},
		{18, Base + 0x18, false, 0, bus.RoleControl, "IRQ_ENABLE may be read"},
		{27, Base + 0x10, false, 1<<1 | 1<<8, bus.RoleStatus, "LAST acts at the end of this cycle"},
		{28, Base + 0x10, false, 1<<2 | 1<<8, bus.RoleStatus, "SQUEEZING"},
		{30, Base + 0x10, false, 1<<0 | 1<<2 | 1<<3, bus.RoleBusy, "BUSY, the permutation"},
		{55, Base + 0x10, false, 1<<2 | 1<<3 | 1<<5 | 1<<16, bus.RoleStatus, "a word is in the output FIFO, and popped in this cycle"},
		{56, Base + 0x14, false, 1, bus.RoleControl, "IRQ of the hash unit: a block is there"},
		{57, Base + 0x14, true, 1, bus.RoleControl, ""},
		{58, DMABase + 0x10, false, 1, bus.RoleBusy, "BUSY in the cycle of the last write"},
		{59, DMABase + 0x10, false, 2, bus.RoleStatus, "DONE"},
		{60, DMABase + 0x14, false, 1, bus.RoleControl, "IRQ"},
		{61, DMABase + 0x14, true, 0, bus.RoleControl, "clears nothing"},
		{62, DMABase + 0x14, false, 1, bus.RoleControl, ""},
		{63, DMABase + 0x14, true, 1, bus.RoleControl, "clears it"},
		{64, DMABase + 0x14, false, 0, bus.RoleControl, ""},
		{65, DMABase + 0x10, false, 2, bus.RoleStatus, "STATUS.DONE stays"},
		{66, Base + 0x08, false, 16, bus.RoleControl, "OUTLEN is OUT"},
		{67, DMABase + 0x0c, true, 16 << 16, bus.RoleControl, ""},
		{68, DMABase + 0x00, true, 1, bus.RoleControl, "16 bytes more: words 4 .. 7 move in 69 .. 72"},
		{69, DMABase + 0x10, false, 1, bus.RoleBusy, "BUSY, and not DONE"},
		{73, DMABase + 0x10, false, 1, bus.RoleBusy, "the last word is written"},
		{74, DMABase + 0x10, false, 2, bus.RoleStatus, "DONE"},
		{75, Base + 0x08, false, 32, bus.RoleControl, "OUTLEN is what was popped before and OUT"},
	} {
		a := b.access(bus.Request{At: s.at, Addr: s.addr, Write: s.write, Data: s.data})
		if a.Grant != s.at || a.Valid != s.at+1 || a.Cause != bus.NotHeld || a.Role != s.role || !s.write && a.Data != s.data {
			t.Errorf("step %d, %#x in %d (%s): %+v, want %#x, role %d", i, s.addr, s.at, s.why, a, s.data, s.role)
		}
	}
	b.queue.Advance(200)
	if d := cmp.Diff([]edge{{true, 59}, {false, 64}, {true, 74}}, b.edges); d != "" {
		t.Errorf("line (-want +got):\n%s", d)
	}
}

// Clearing DONE in the very cycle in which a transfer ends does not lose it.
func TestDMAInterruptRace(t *testing.T) {
	for _, tt := range []struct {
		clear clock.Cycle
		want  []edge
	}{
		{47, []edge{{true, 49}}},
		{48, []edge{{true, 49}}}, // the last write is in 48
		{49, []edge{{true, 49}, {false, 50}}},
	} {
		b := newDMABench(t, Config{XOF: SHAKE}, defaultTiming, "")
		b.d.length, b.d.enable = 16<<16|64, true
		b.store(0, DMABase, 7)
		b.store(tt.clear, DMABase+0x14, 1)
		b.queue.Advance(100)
		if d := cmp.Diff(tt.want, b.edges); d != "" {
			t.Errorf("cleared in %d: line (-want +got):\n%s", tt.clear, d)
		}
	}
}

// START is an access to the hash unit: behind a load from DOUT that waits it waits, too.
func TestDMAStartBehindLoad(t *testing.T) {
	b := newDMABench(t, Config{XOF: SHAKE}, defaultTiming, "")
	b.store(0, Base+0x08, 4)
	b.store(1, Base+0x0c, 0) // padding in 2, permutation 3 .. 26, word 0 moves in 27
	b.store(2, DMABase+0x0c, 8<<16)
	if a := b.load(3, Base+0x24); a.Valid != 29 {
		t.Fatalf("DOUT: %+v", a)
	}
	want := bus.Response{Grant: 29, Valid: 30, HeldFrom: 5, HeldTo: 29, Cause: bus.Permuting, Role: bus.RoleControl}
	if d := cmp.Diff(bus.Response{Grant: 4, Valid: 5, Role: bus.RoleStatus}, b.load(4, DMABase+0x10)); d != "" {
		t.Errorf("STATUS (-want +got):\n%s", d) // other registers need not wait
	}
	if d := cmp.Diff(want, b.store(5, DMABase, 1)); d != "" {
		t.Errorf("CTRL (-want +got):\n%s", d)
	}
	// OUTLEN is 4 + 8 from 30 on: words 1 and 2 move in 30 and 31 and are written in 31, 32.
	b.queue.Advance(100)
	if d := cmp.Diff([]beat{{31, true}, {32, true}}, b.beats); d != "" {
		t.Errorf("beats (-want +got):\n%s", d)
	}
	if out := reference(1, nil, 12); string(b.ram[:8]) != string(out[4:]) {
		t.Errorf("output %x, want %x", b.ram[:8], out[4:])
	}
}

// What the engine stores between its two ends does not allocate.
func TestDMADoesNotAllocate(t *testing.T) {
	b := newDMABench(t, Config{XOF: SHAKE}, defaultTiming, "")
	b.d.Master(b.ram)
	b.d.length = 32<<16 | 400
	at := clock.Cycle(0)
	if n := testing.AllocsPerRun(100, func() {
		at = b.store(at, DMABase, 7).Valid + 1000
		b.queue.Advance(at)
		if b.load(at, DMABase+0x10).Data != dmaStatusDone {
			t.Fatal("not done")
		}
		at++
	}); n != 0 {
		t.Errorf("%g allocations in a transfer", n)
	}
}
