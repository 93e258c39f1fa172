package accel

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bus"
	"socsim/clock"
)

// bench is an engine with requests put to it directly.
type bench struct {
	t     *testing.T
	e     *Engine
	queue *clock.Queue
	edges []edge
}

func newBench(t *testing.T, c Config) *bench {
	t.Helper()
	c.XOF, c.Coupling = SHAKE, FIFO
	b := &bench{t: t, queue: clock.NewQueue()}
	var err error
	if b.e, err = newEngine(c, b.queue, defaultTiming); err != nil {
		t.Fatal(err)
	}
	b.e.Connect(func(high bool, from clock.Cycle) { b.edges = append(b.edges, edge{high, from}) })
	return b
}

func (b *bench) access(r bus.Request) bus.Response {
	b.t.Helper()
	a := b.e.Access(r)
	if a.Fault != nil {
		b.t.Fatalf("%+v: %v", r, a.Fault)
	}
	return a
}

func (b *bench) store(at clock.Cycle, offset, v uint32) bus.Response {
	b.t.Helper()
	return b.access(bus.Request{Addr: offset, Bytes: 4, Write: true, Data: v, At: at})
}

func (b *bench) load(at clock.Cycle, offset uint32) bus.Response {
	b.t.Helper()
	return b.access(bus.Request{Addr: offset, Bytes: 4, At: at})
}

// Each kind of bad use is a device error that names register and remedy, and
// changes nothing.
func TestBadUse(t *testing.T) {
	store := func(offset, v uint32) bus.Request {
		return bus.Request{Addr: offset, Bytes: 4, Write: true, Data: v}
	}
	load := func(offset uint32) bus.Request { return bus.Request{Addr: offset, Bytes: 4} }
	tests := []struct {
		name       string
		before     []bus.Request
		bad        bus.Request
		what, hint string
	}{
		{"DOUT before LAST", []bus.Request{store(0x08, 16), store(0x20, 1)}, load(0x24), "DOUT read before LAST", "store to LAST"},
		{"DOUT after reset", nil, load(0x24), "DOUT read before LAST", "store to LAST"},
		{"DOUT with OUTLEN 0", []bus.Request{store(0x0c, 0)}, load(0x24), "DOUT read while OUTLEN is 0", "OUTLEN"},
		{"DOUT beyond OUTLEN", []bus.Request{store(0x08, 5), store(0x0c, 0), load(0x24), load(0x80)}, load(0xbc), "DOUT read beyond OUTLEN: all of the 5 bytes", "raise OUTLEN"},
		{"DOUT beyond lowered OUTLEN", []bus.Request{store(0x08, 12), store(0x0c, 0), load(0x24), load(0x24), store(0x08, 8)}, load(0x24), "beyond OUTLEN", "raise OUTLEN"},
		{"DIN after LAST", []bus.Request{store(0x0c, 0)}, store(0x20, 1), "DIN written after LAST", "INIT"},
		{"alias of DIN after LAST", []bus.Request{store(0x0c, 0)}, store(0x7c, 1), "DIN written after LAST", "INIT"},
		{"LAST after LAST", []bus.Request{store(0x0c, 0)}, store(0x0c, 0), "LAST written after LAST", "INIT"},
		{"tail of 4 bytes", nil, store(0x0c, 4<<24), "LAST written with 4 tail bytes", "0 to 3"},
		{"tail of 255 bytes", nil, store(0x0c, 255<<24), "LAST written with 255 tail bytes", "0 to 3"},
		{"mode 4", nil, store(0x04, 4), "MODE 4", "0 SHAKE128, 1 SHAKE256, 2 SHA3-256, 3 SHA3-512"},
		{"mode with high bits", nil, store(0x04, 0x8000_0001), "MODE 2147483649", "modes are"},
		{"OUTLEN raised over zeros", []bus.Request{store(0x08, 6), store(0x0c, 0), load(0x24), load(0x24)}, store(0x08, 8), "OUTLEN raised from 6 to 8", "INIT"},
		{"byte store to DIN", nil, bus.Request{Addr: 0x20, Bytes: 1, Write: true}, "1-byte store to DIN (offset 0x20): registers take word accesses", "32-bit"},
		{"halfword load from STATUS", nil, bus.Request{Addr: 0x12, Bytes: 2}, "2-byte load from STATUS (offset 0x12)", "32-bit"},
		{"misaligned word", nil, bus.Request{Addr: 0x21, Bytes: 4, Write: true}, "DIN", "multiples of 4"},
		{"store to STATUS", nil, store(0x10, 0), "4-byte store to STATUS (offset 0x10), which is read-only", "STATUS: "},
		{"store to ID", nil, store(0x1c, 0), "ID (offset 0x1c), which is read-only", "ID: "},
		{"store to DOUT", nil, store(0x24, 0), "DOUT (offset 0x24), which is read-only", "DOUT: "},
		{"store to an alias of DOUT", nil, store(0x84, 0), "DOUT (offset 0x84), which is read-only", "DOUT: "},
		{"load from CTRL", nil, load(0x00), "4-byte load from CTRL (offset 0x00), which is write-only", "CTRL: "},
		{"load from LAST", nil, load(0x0c), "LAST (offset 0x0c), which is write-only", "LAST: "},
		{"load from DIN", nil, load(0x20), "DIN (offset 0x20), which is write-only", "DIN: "},
		{"load from an alias of DIN", nil, load(0x40), "DIN (offset 0x40), which is write-only", "DIN: "},
		{"hole", nil, load(0x28), "4-byte load from offset 0x28", "0x00-0x27"},
		{"last word before the aliases", nil, store(0x3c, 0), "4-byte store to offset 0x3c", "DIN again at 0x40-0x7f"},
		{"behind the aliases", nil, load(0xc0), "offset 0xc0", "DOUT again at 0x80-0xbf"},
		{"end of the window", nil, load(0xffc), "offset 0xffc", "registers are at"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, Config{})
			var at clock.Cycle
			for _, r := range tt.before {
				r.At = at
				at = b.access(r).Valid
			}
			b.e.advance(at)
			before := b.e.datapath
			tt.bad.At = at
			a := b.e.Access(tt.bad)
			if a.Fault == nil {
				t.Fatalf("no fault, answer %+v", a)
			}
			if a.Fault.Kind != bus.DeviceError || !strings.Contains(a.Fault.What, tt.what) || !strings.Contains(a.Fault.Hint, tt.hint) {
				t.Errorf("fault %+v, want %q and hint %q", a.Fault, tt.what, tt.hint)
			}
			if a.Grant < at || a.Valid <= a.Grant {
				t.Errorf("times of the answer: %+v", a)
			}
			after := b.e.datapath
			if after.stats != before.stats || after.state != before.state || after.phase != before.phase || after.outlen != before.outlen {
				t.Errorf("a refused access changed the unit")
			}
		})
	}
}

// STATUS bit by bit through a message of 21 words in SHA3-512 (18 words a
// block) with FIFOs of 3 words, next to what happens in each cycle.
func TestStatus(t *testing.T) {
	const (
		busy, open, squeeze, empty, full, valid = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5
	)
	words := func(in, out uint32) uint32 { return in<<8 | out<<16 }
	tests := []struct {
		at     clock.Cycle
		want   uint32
		reason string
	}{
		{1, open | empty, "INIT acts"},
		{2, open | words(1, 0), "word 0, granted in 1, is in the FIFO"},
		{3, open | words(1, 0), "word 0 was absorbed in 2, word 1 came"},
		{19, open | words(1, 0), "word 17 is absorbed"},
		{20, open | busy | words(1, 0), "permutation 20-43; word 18, granted in 19"},
		{22, open | busy | full | words(3, 0), "words 18, 19, 20"},
		{43, open | busy | full | words(3, 0), "last cycle of the permutation"},
		{44, open | full | words(3, 0), "word 18 is absorbed"},
		{45, open | words(2, 0), "there is room again"},
		{47, open | empty, "word 20 was absorbed in 46"},
		{51, squeeze | empty, "LAST, granted in 50, acts: padding cycle, not busy"},
		{52, squeeze | busy | empty, "permutation 52-75"},
		{75, squeeze | busy | empty, "its last cycle"},
		{76, squeeze | empty, "word 0 moves"},
		{77, squeeze | empty | valid | words(0, 1), "and can be popped"},
		{79, squeeze | empty | valid | words(0, 3), "output FIFO full"},
		{90, squeeze | empty | valid | words(0, 3), "nothing more moves"},
	}
	for _, tt := range tests {
		b := newBench(t, Config{InputDepth: 3, OutputDepth: 3})
		b.e.mode = 3
		b.e.outlen = 64
		steps := []bus.Request{{Addr: 0x00, Write: true, Data: 1}}
		for i := range 21 {
			steps = append(steps, bus.Request{Addr: 0x20, Write: true, At: clock.Cycle(1 + i)})
		}
		steps = append(steps, bus.Request{Addr: 0x0c, Write: true, At: 50})
		for _, r := range steps {
			if r.At >= tt.at {
				break
			}
			r.Bytes = 4
			if a := b.access(r); a.Grant != r.At {
				t.Fatalf("%+v granted in %d", r, a.Grant)
			}
		}
		role := bus.RoleStatus
		if tt.want&statusBusy != 0 || tt.at == 51 { // the padding belongs to the permutation
			role = bus.RoleBusy
		}
		if a := b.load(tt.at, 0x10); a.Data != tt.want || a.Grant != tt.at || a.Valid != tt.at+1 || a.Role != role {
			t.Errorf("STATUS in cycle %d: %#08b (%#x), role %d, want %#08b (%#x), %d: %s", tt.at, a.Data&0xff, a.Data, a.Role, tt.want&0xff, tt.want, role, tt.reason)
		}
	}
}

// A pop makes OUT_VALID drop, and OUTLEN hides what it does not cover.
func TestStatusOfOutput(t *testing.T) {
	b := newBench(t, Config{})
	b.store(0, 0x08, 8)
	b.store(1, 0x0c, 0) // padding cycle 2, permutation 3-26, words move in 27 and 28
	if s := b.load(40, 0x10).Data; s != 0x2002c {
		t.Errorf("two words ready: STATUS %#x", s)
	}
	b.store(41, 0x08, 4)
	b.load(42, 0x24)
	if s := b.load(43, 0x10).Data; s != 0x1000c {
		t.Errorf("one word ready that OUTLEN does not cover: STATUS %#x", s)
	}
	b.store(44, 0x08, 12) // word 1 again, and word 2, which moves in 45
	if s := b.load(45, 0x10).Data; s != 0x1002c {
		t.Errorf("in the cycle the next word moves: STATUS %#x", s)
	}
	if s := b.load(46, 0x10).Data; s != 0x2002c {
		t.Errorf("after that: STATUS %#x", s)
	}
}

// Counts beyond 255 words read as 255.
func TestStatusCountsSaturate(t *testing.T) {
	b := newBench(t, Config{InputDepth: 300, CyclesPerRound: Ratio{100, 1}})
	var at clock.Cycle
	for range 34 + 300 {
		at = b.store(at, 0x20, 0).Valid
	}
	if s := b.load(at, 0x10).Data; s != 0xff13 {
		t.Errorf("STATUS %#x, want 0xff13", s)
	}
	if id := b.load(at+1, 0x1c).Data; id != 300<<16|2<<8|1 {
		t.Errorf("ID %#x", id)
	}
}

// The interrupt: DONE and its edge are announced for exactly the cycle in which
// the first word can be popped, so that a core asleep is woken in it.
func TestInterrupt(t *testing.T) {
	b := newBench(t, Config{})
	b.store(0, 0x08, 200)
	b.store(1, 0x18, 1)
	for i := range 40 { // 34 words fill the block in 36, permutation 37-60
		b.store(clock.Cycle(2+i), 0x20, 7)
	}
	if n := b.queue.Next(); n != clock.Never {
		t.Errorf("an interrupt announced for %d while the message is open", n)
	}
	// Six words wait until 61-66, padding in 67, permutation 68-91, first word
	// moves in 92.
	b.store(42, 0x0c, 0)
	if n := b.queue.Next(); n != 93 {
		t.Errorf("announced for %d, want 93", n)
	}
	if v := b.load(92, 0x14).Data; v != 0 {
		t.Errorf("IRQ %d in 92", v)
	}
	b.queue.Advance(93)
	if v := b.load(93, 0x14).Data; v != 1 {
		t.Errorf("IRQ %d in 93", v)
	}
	b.store(94, 0x14, 0) // clears nothing
	b.store(95, 0x14, 1)
	if v := b.load(96, 0x14).Data; v != 0 {
		t.Errorf("IRQ %d after clearing", v)
	}
	if n := b.queue.Next(); n != clock.Never {
		t.Errorf("announced for %d in the middle of a block", n)
	}
	var pop clock.Cycle
	for i := range 34 {
		a := b.load(clock.Cycle(140+i), 0x24)
		pop = a.Valid - 1
	}
	next := pop + 24 + 2 // permutation pop+1 .. pop+24, first word moves in pop+25, can be popped a cycle later
	if n := b.queue.Next(); n != next {
		t.Errorf("second block announced for %d, want %d", n, next)
	}
	b.store(pop+5, 0x18, 0)
	if n := b.queue.Next(); n != clock.Never {
		t.Errorf("announced for %d with the interrupt disabled", n)
	}
	b.store(pop+100, 0x18, 1) // DONE is set long since
	b.store(pop+110, 0x00, 1) // INIT clears it
	want := []edge{{true, 93}, {false, 96}, {true, pop + 101}, {false, pop + 111}}
	if d := cmp.Diff(want, b.edges); d != "" {
		t.Errorf("line (-want +got):\n%s", d)
	}
}

// Clearing DONE in the very cycle in which a block sets it does not lose it.
func TestInterruptRace(t *testing.T) {
	for _, tt := range []struct {
		clear clock.Cycle
		want  uint32
	}{
		{27, 1}, // the first word moves in 27: DONE is set at the end of the same cycle
		{28, 0},
	} {
		b := newBench(t, Config{})
		b.store(0, 0x08, 16)
		b.store(1, 0x0c, 0)
		b.store(tt.clear, 0x14, 1)
		if v := b.load(40, 0x14).Data; v != tt.want {
			t.Errorf("DONE %d after a clear in %d, want %d", v, tt.clear, tt.want)
		}
	}
}

// Reads out of reset equal the table, and MODE, OUTLEN and IRQ_ENABLE read back.
func TestRegistersReadBack(t *testing.T) {
	b := newBench(t, Config{})
	var at clock.Cycle
	for _, r := range Registers {
		if r.Access == WriteOnly || r.port == portOut {
			continue
		}
		a := b.load(at, r.Offset)
		if a.Data != r.Reset {
			t.Errorf("%s out of reset: %#x, want %#x", r.Name, a.Data, r.Reset)
		}
		if a.Role != r.Role {
			t.Errorf("%s: role %d, want %d", r.Name, a.Role, r.Role)
		}
		at++
	}
	b.store(at, 0x04, 3)
	b.store(at+1, 0x08, 0xffff_ffff)
	b.store(at+2, 0x18, 0xffff_ffff)
	b.store(at+3, 0x00, 0xffff_fffe) // INIT is not among these bits
	for offset, want := range map[uint32]uint32{0x04: 3, 0x08: 0xffff_ffff, 0x18: 1} {
		at++
		if v := b.load(at+3, offset).Data; v != want {
			t.Errorf("offset %#x reads %#x, want %#x", offset, v, want)
		}
	}
}

// MODE takes effect at the next INIT, OUTLEN survives it, and INIT drops
// everything.
func TestInit(t *testing.T) {
	b := newBench(t, Config{})
	b.store(0, 0x08, 32)
	b.store(1, 0x04, 0) // SHAKE128 from the next INIT on
	b.store(2, 0x20, 0x61616161)
	b.store(3, 0x0c, 0) // word absorbed in 3, padding in 4, permutation from 5
	want := reference(1, []byte("aaaa"), 4)
	if w := b.load(4, 0x24); w.Data != uint32(want[0])|uint32(want[1])<<8|uint32(want[2])<<16|uint32(want[3])<<24 {
		t.Errorf("MODE acted before INIT: first word %#x", w.Data)
	}
	b.store(40, 0x00, 1)
	if s := b.load(41, 0x10).Data; s != 0xa {
		t.Errorf("STATUS after INIT %#x", s)
	}
	for i := range 44 { // a block of SHAKE128 and 2 words: permutation from 85 on
		b.store(clock.Cycle(42+i), 0x20, 1)
	}
	b.store(95, 0x00, 1) // in its 11th cycle
	want = reference(0, []byte("aaaa"), 4)
	b.store(96, 0x20, 0x61616161)
	b.store(97, 0x0c, 0)
	if w := b.load(98, 0x24); w.Data != uint32(want[0])|uint32(want[1])<<8|uint32(want[2])<<16|uint32(want[3])<<24 {
		t.Errorf("after INIT in the middle: first word %#x, want %x", w.Data, want)
	}
	s := b.e.Statistics(130)
	if s.Abandoned != 1 || s.Permutations != 3 || s.BusyCycles != 24+11+24 || s.IdleCycles != 130-s.BusyCycles || s.Messages != 2 || s.PaddingCycles != 2 {
		t.Errorf("statistics %+v", s)
	}
	if s := b.e.Statistics(130); s.WordsIn != 46 || s.WordsOut != 2 {
		t.Errorf("statistics %+v", s)
	}
}

// OUTLEN may be raised while squeezing, within a block and beyond it; no
// permutation runs before somebody asks for one.
func TestRaiseOutlen(t *testing.T) {
	b := newBench(t, Config{})
	want := reference(1, nil, 160)
	b.store(0, 0x0c, 0) // OUTLEN 0
	var got []byte
	at := clock.Cycle(100)
	for _, n := range []uint32{4, 8, 136, 137, 160} {
		if n == 160 { // 137 was read as far as it goes
			continue
		}
		b.store(at, 0x08, n)
		at++
		for uint32(len(got)) < n {
			w := b.load(at, 0x24)
			at = w.Valid
			got = append(got, byte(w.Data), byte(w.Data>>8), byte(w.Data>>16), byte(w.Data>>24))
		}
		if p := b.e.Statistics(at + 100).Permutations; p != 1+uint64(n-1)/136 {
			t.Errorf("%d permutations for %d bytes", p, n)
		}
		at += 200
	}
	if d := cmp.Diff(append(want[:137:137], 0, 0, 0), got); d != "" {
		t.Errorf("output (-want +got):\n%s", d)
	}
}

// The port takes one access a cycle, in order, whoever issues it.
func TestPort(t *testing.T) {
	type row struct {
		At           clock.Cycle
		Write        bool
		Offset, Data uint32
	}
	tests := []struct {
		name string
		rows []row
		want []bus.Response
	}{
		{"two stores in one cycle", []row{{10, true, 0x20, 1}, {10, true, 0x40, 2}, {10, false, 0x10, 0}}, []bus.Response{
			{Grant: 10, Valid: 11, Role: bus.RoleIn},
			{Grant: 11, Valid: 12, Role: bus.RoleIn},
			{Grant: 12, Valid: 13, Role: bus.RoleStatus, Data: 0x102}, // word 1 was absorbed in 11
		}},
		// LAST in 10, padding 11, permutation 12-35, words move in 36 and 37.
		{"behind a load that waits", []row{{0, true, 0x08, 8}, {10, true, 0x0c, 0}, {11, false, 0x24, 0}, {12, false, 0x24, 0}, {13, false, 0x10, 0}}, []bus.Response{
			{Grant: 0, Valid: 1, Role: bus.RoleControl},
			{Grant: 10, Valid: 11, Role: bus.RoleControl},
			{Grant: 11, Valid: 38, Role: bus.RoleOut, HeldFrom: 12, HeldTo: 38, Cause: bus.Permuting},
			{Grant: 12, Valid: 39, Role: bus.RoleOut, HeldFrom: 13, HeldTo: 39, Cause: bus.Permuting},
			{Grant: 39, Valid: 40, Role: bus.RoleStatus, Data: 0x0c, HeldFrom: 13, HeldTo: 39, Cause: bus.Permuting},
		}},
		{"a load before the last words are absorbed", []row{{0, true, 0x08, 4}, {10, true, 0x20, 1}, {11, true, 0x20, 1}, {12, true, 0x0c, 0}, {13, false, 0x24, 0}}, []bus.Response{
			{Grant: 0, Valid: 1, Role: bus.RoleControl},
			{Grant: 10, Valid: 11, Role: bus.RoleIn},
			{Grant: 11, Valid: 12, Role: bus.RoleIn},
			{Grant: 12, Valid: 13, Role: bus.RoleControl},
			{Grant: 13, Valid: 40, Role: bus.RoleOut, HeldFrom: 14, HeldTo: 40, Cause: bus.Permuting}, // 13 is the padding cycle
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, Config{})
			for i, r := range tt.rows {
				got := b.access(bus.Request{Addr: r.Offset, Bytes: 4, Write: r.Write, Data: r.Data, At: r.At})
				if r.Offset == 0x24 {
					got.Data = 0
				}
				if d := cmp.Diff(tt.want[i], got); d != "" {
					t.Errorf("access %d (-want +got):\n%s", i, d)
				}
			}
		})
	}
}

func TestNewErrors(t *testing.T) {
	tests := []struct {
		name string
		c    Config
		want string
	}{
		{"none", Config{}, "no unit to build"},
		{"not available", Config{XOF: SHAKE, Coupling: DMA}, `"shake-dma" is not available yet`},
		{"no hash", Config{Coupling: FIFO}, "coupling fifo without a hash"},
		{"no such coupling", Config{XOF: SHAKE, Coupling: 99}, "coupling 99"},
		{"input depth", Config{XOF: SHAKE, Coupling: FIFO, InputDepth: -1}, "input FIFO depth of -1"},
		{"output depth", Config{XOF: SHAKE, Coupling: FIFO, OutputDepth: 1 << 16}, "output FIFO depth of 65536"},
		{"cycles per round", Config{XOF: SHAKE, Coupling: FIFO, CyclesPerRound: Ratio{1, 0}}, "cycles per round: 1/0"},
		{"start-up", Config{XOF: SHAKE, Coupling: FIFO, Startup: MaxStartup + 1}, "start-up of 1000001"},
	}
	for _, tt := range tests {
		if e, err := New(tt.c, nil); err == nil || e != nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}
