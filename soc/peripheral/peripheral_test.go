package peripheral_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"socsim/bus"
	"socsim/clock"
	"socsim/soc/peripheral"
)

// recorder notes what happens to interrupt lines: "7+@12" is line 7 high from
// cycle 12 on.
type recorder struct{ log []string }

func (r *recorder) line(n int) bus.Line {
	return func(high bool, from clock.Cycle) {
		r.log = append(r.log, fmt.Sprintf("%d%s@%d", n, map[bool]string{true: "+", false: "-"}[high], from))
	}
}

func (r *recorder) take() string {
	s := strings.Join(r.log, " ")
	r.log = nil
	return s
}

func load(t *testing.T, d bus.Target, at clock.Cycle, addr uint32) uint32 {
	t.Helper()
	a := d.Access(bus.Request{Addr: addr, Bytes: 4, At: at})
	if a.Fault != nil || a.Grant != at || a.Valid != at+1 {
		t.Fatalf("load %#x at %d: %+v", addr, at, a)
	}
	return a.Data
}

func store(t *testing.T, d bus.Target, at clock.Cycle, addr, v uint32) {
	t.Helper()
	a := d.Access(bus.Request{Addr: addr, Bytes: 4, Write: true, Data: v, At: at})
	if a.Fault != nil || a.Grant != at || a.Valid != at+1 {
		t.Fatalf("store %#x at %d: %+v", addr, at, a)
	}
}

const (
	compare, compareHi = 0x4000, 0x4004
	mtime, mtimeHi     = 0xbff8, 0xbffc
)

func TestCLINT(t *testing.T) {
	var r recorder
	q := clock.NewQueue()
	c := peripheral.NewCLINT(q, r.line(3), r.line(7))

	if got := load(t, c, 17, mtime); got != 17 {
		t.Errorf("mtime %d, want the grant cycle 17", got)
	}
	if q.Next() != clock.Never {
		t.Errorf("an event is due at %d before anyone asked", q.Next())
	}
	store(t, c, 20, 0, 1)
	store(t, c, 21, 0, 2)
	if got := r.take(); got != "3+@21 3-@22" {
		t.Errorf("msip: %s", got)
	}

	// Low word first: while the high word is all ones nothing happens.
	store(t, c, 30, compare, 100)
	store(t, c, 31, compareHi, 0)
	if q.Next() != 100 || r.take() != "" {
		t.Errorf("next event %d, want 100", q.Next())
	}
	q.Advance(99)
	if got := r.take(); got != "" {
		t.Errorf("before 100: %s", got)
	}
	q.Advance(100)
	if got := r.take(); got != "7+@100" {
		t.Errorf("at 100: %s", got)
	}
	store(t, c, 150, compare, 160) // drops in 151, back in 160
	if got := r.take(); got != "7-@151" || q.Next() != 160 {
		t.Errorf("rearm: %s, next %d", got, q.Next())
	}
	// The core may come late: the device catches up by itself.
	if got := load(t, c, 170, mtime); got != 170 || r.take() != "7+@160" {
		t.Errorf("catch-up: mtime %d", got)
	}
	store(t, c, 180, compare, 10) // already past: stays high
	if got := r.take(); got != "" {
		t.Errorf("still high: %s", got)
	}
}

// A write of mtime counts from the cycle after its grant; the line follows.
func TestCLINTWriteTime(t *testing.T) {
	var r recorder
	q := clock.NewQueue()
	c := peripheral.NewCLINT(q, r.line(3), r.line(7))
	store(t, c, 5, compareHi, 0)
	store(t, c, 6, compare, 1000)
	store(t, c, 9, mtime, 500)
	if got := load(t, c, 10, mtime); got != 500 {
		t.Errorf("mtime %d in the cycle after the write, want 500", got)
	}
	if q.Next() != 510 {
		t.Errorf("next event %d, want 510", q.Next())
	}
	store(t, c, 19, mtimeHi, 1)
	if got := r.take(); got != "7+@20" {
		t.Errorf("high word: %s", got)
	}
	if lo, hi := load(t, c, 20, mtime), load(t, c, 20, mtimeHi); lo != 510 || hi != 1 {
		t.Errorf("mtime %d %d", hi, lo)
	}
	store(t, c, 30, mtimeHi, 0xffff_ffff)
	store(t, c, 31, mtime, 0xffff_fff0) // wraps 16 cycles later
	q.Advance(48)
	if got := r.take(); got != "7-@48" {
		t.Errorf("wrap to 0: %s", got)
	}
}

// In every cycle the line equals mtime >= mtimecmp, whatever is written when.
func TestCLINTLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := clock.NewQueue()
		type change struct {
			high bool
			from clock.Cycle
		}
		changes := []change{{false, 0}}
		c := peripheral.NewCLINT(q, func(bool, clock.Cycle) {}, func(high bool, from clock.Cycle) {
			if last := changes[len(changes)-1]; from < last.from {
				t.Fatalf("the line goes back in time: %d after %d", from, last.from)
			}
			changes = append(changes, change{high, from})
		})
		c.Access(bus.Request{Addr: compareHi, Bytes: 4, Write: true, At: 0})
		cmpValue, offset := uint64(0xffff_ffff), uint64(0)
		at := clock.Cycle(1)
		want := map[clock.Cycle]bool{}
		for range rapid.IntRange(1, 8).Draw(t, "writes") {
			next := at + clock.Cycle(rapid.IntRange(1, 40).Draw(t, "gap"))
			for x := at; x < next; x++ {
				want[x] = uint64(x)+offset >= cmpValue
			}
			at = next
			if rapid.Bool().Draw(t, "advance") {
				q.Advance(at)
			}
			v := rapid.Uint32Range(0, 300).Draw(t, "value")
			want[at] = uint64(at)+offset >= cmpValue // the write acts from at+1
			if rapid.Bool().Draw(t, "compare") {
				c.Access(bus.Request{Addr: compare, Bytes: 4, Write: true, Data: v, At: at})
				cmpValue = uint64(v)
			} else {
				c.Access(bus.Request{Addr: mtime, Bytes: 4, Write: true, Data: v, At: at})
				offset = uint64(v) - uint64(at+1)
			}
			at++
		}
		end := at + 400
		for x := at; x < end; x++ {
			want[x] = uint64(x)+offset >= cmpValue
		}
		q.Advance(end)
		for x := clock.Cycle(2); x < end; x++ {
			level := false
			for _, ch := range changes {
				if ch.from <= x {
					level = ch.high
				}
			}
			if level != want[x] {
				t.Fatalf("cycle %d: line %v, want %v (%v)", x, level, want[x], changes)
			}
		}
	})
}

func TestUART(t *testing.T) {
	var out bytes.Buffer
	u := peripheral.NewUART(&out)
	put := func(addr uint32, n uint8, v uint32) {
		if a := u.Access(bus.Request{Addr: addr, Bytes: n, Write: true, Data: v, At: 3}); a.Fault != nil || a.Valid != 4 {
			t.Fatalf("%+v", a)
		}
	}
	get := func(addr uint32, n uint8) uint32 { return u.Access(bus.Request{Addr: addr, Bytes: n}).Data }
	put(3, 1, 0x80) // DLAB: the next two are the divisor
	put(0, 1, 'x')
	put(1, 1, 'y')
	if get(0, 1) != 'x' || get(1, 1) != 'y' {
		t.Error("divisor is not kept")
	}
	put(3, 1, 3)
	put(0, 1, 'O')
	put(0, 4, 'K')
	put(2, 1, 7)
	if out.String() != "OK" {
		t.Errorf("printed %q", &out)
	}
	if get(5, 1) != 0x60 || get(0, 1) != 0 || get(2, 1) != 1 || get(3, 1) != 0 {
		t.Errorf("LSR %#x, RBR %#x, IIR %#x, LCR %#x after the word store cleared it", get(5, 1), get(0, 1), get(2, 1), get(3, 1))
	}
	put(7, 1, 0x5a)
	if got := get(4, 4); got != 0x5a00_6000 {
		t.Errorf("MCR to SCR as a word: %#x", got)
	}
	if a := u.Access(bus.Request{Addr: 8, Bytes: 1}); a.Fault == nil {
		t.Error("a ninth register")
	}
}

func TestScratch(t *testing.T) {
	s := peripheral.NewScratch()
	store(t, s, 1, 0x100, 1)
	store(t, s, 2, 0xffc, 2)
	if a, b := load(t, s, 3, 0), load(t, s, 4, 4); a != 1 || b != 2 {
		t.Errorf("words %d %d: bit 2 picks, other bits do not count", a, b)
	}
	if a := s.Access(bus.Request{Addr: 0, Bytes: 1}); a.Fault == nil {
		t.Error("a byte access is taken")
	}
}

// The rules of the RTL test bench's README.
func TestPulse(t *testing.T) {
	const arm, level, number = 0, 4, 8
	var r recorder
	q := clock.NewQueue()
	p := peripheral.NewPulse(q, r.line)
	step := func(what, want string) {
		t.Helper()
		if got := r.take(); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	store(t, p, 10, arm, 5)
	step("armed", "")
	q.Advance(15)
	step("before G+N+1", "")
	q.Advance(16)
	step("in G+N+1", "7+@16")
	store(t, p, 20, arm, 3)
	step("arming drops the line", "7-@21")
	store(t, p, 21, arm, 0)
	q.Advance(40)
	step("disarmed", "")

	store(t, p, 50, arm, 4) // due in 55
	store(t, p, 52, level, 1)
	step("level by hand", "7+@53")
	store(t, p, 53, level, 0)
	step("does not disarm", "7-@54")
	q.Advance(55)
	step("so it still comes", "7+@55")
	store(t, p, 56, level, 0)
	r.take()

	store(t, p, 60, arm, 4) // due in 65
	store(t, p, 64, level, 0)
	q.Advance(80)
	step("a raise due in G+1 is lost", "")
	store(t, p, 90, arm, 4) // due in 95
	store(t, p, 95, level, 0)
	step("one due in G is not: it was high in G", "7+@95 7-@96")

	store(t, p, 100, arm, 4) // due in 105
	store(t, p, 104, arm, 10)
	q.Advance(110)
	step("re-armed in the last cycle", "")
	q.Advance(115)
	step("the new one", "7+@115")

	store(t, p, 120, number, 20)
	step("the level moves with the number", "7-@121 20+@121")
	if got := load(t, p, 125, number); got != 125 {
		t.Errorf("bus clock %d", got)
	}
}

func TestRefusals(t *testing.T) {
	q := clock.NewQueue()
	line := func(bool, clock.Cycle) {}
	clint := peripheral.NewCLINT(q, line, line)
	pulse := peripheral.NewPulse(q, func(int) bus.Line { return line })
	for _, c := range []struct {
		name string
		d    bus.Target
		r    bus.Request
		want string
	}{
		{"byte", clint, bus.Request{Addr: mtime, Bytes: 1}, "1-byte load from the CLINT at offset 0xbff8 (MTIME takes aligned accesses of 4 bytes only)"},
		{"part of a split word", clint, bus.Request{Addr: mtime + 1, Bytes: 3}, "3-byte load from the CLINT"},
		{"hole", clint, bus.Request{Addr: 8, Bytes: 4}, "no register there (there are MSIP at 0x0, MTIMECMP at 0x4000,"},
		{"write-only", pulse, bus.Request{Addr: 0, Bytes: 4}, "load from ARM of the interrupt device (it is write-only)"},
		{"half", pulse, bus.Request{Addr: 4, Bytes: 2, Write: true}, "2-byte store to the interrupt device"},
	} {
		a := c.d.Access(c.r)
		if a.Fault == nil || a.Fault.Kind != bus.DeviceError || !strings.Contains(a.Fault.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, a.Fault, c.want)
		}
	}
}

// Register tables make sense: sorted, no overlaps, every one explained.
func TestTables(t *testing.T) {
	for name, table := range map[string][]peripheral.Register{
		"clint": peripheral.CLINTRegisters, "uart": peripheral.UARTRegisters, "pulse": peripheral.PulseRegisters,
	} {
		end := uint32(0)
		for _, r := range table {
			if r.Offset < end || r.Text == "" || r.Name == "" || !strings.Contains("R W RW", r.Access) {
				t.Errorf("%s: %+v", name, r)
			}
			end = r.Offset + uint32(r.Bytes)
		}
	}
	if diff := cmp.Diff(8, len(peripheral.UARTRegisters)); diff != "" {
		t.Error(diff)
	}
}

func ExampleCLINT() {
	q := clock.NewQueue()
	quiet := func(bool, clock.Cycle) {}
	c := peripheral.NewCLINT(q, quiet, func(high bool, from clock.Cycle) { fmt.Println("timer line", high, "from cycle", from) })
	c.Access(bus.Request{Addr: 0x4004, Bytes: 4, Write: true, Data: 0, At: 10})   // mtimecmph
	c.Access(bus.Request{Addr: 0x4000, Bytes: 4, Write: true, Data: 100, At: 11}) // mtimecmp
	fmt.Println("next event", q.Next())
	q.Advance(100)
	// Output:
	// next event 100
	// timer line true from cycle 100
}

func ExampleUART() {
	u := peripheral.NewUART(os.Stdout)
	for i, ch := range []byte("hi\n") {
		u.Access(bus.Request{Addr: 0, Bytes: 1, Write: true, Data: uint32(ch), At: clock.Cycle(i)})
	}
	// Output: hi
}
