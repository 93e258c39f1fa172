package accel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bus"
	"socsim/clock"
)

// ramHash computes n bytes of output in the steps a driver takes. It polls, or
// simply goes on, as it happens.
func (d *driver) ramHash(x *XOF, mode uint32, copied bool, message []byte, n int) (out []byte) {
	m := &x.Modes[mode]
	state := make([]byte, 8*x.Lanes) // mode copy: the sponge's state
	permute := func(rounds int) {
		if copied {
			for i := 0; i < len(state); i += 4 {
				d.store(0x100+uint32(i), binary.LittleEndian.Uint32(state[i:]))
			}
		}
		d.store(0x00, 2|uint32(rounds)<<8)
		if d.rand.IntN(2) == 0 {
			for d.load(0x10).Data != ramStatusDone {
			}
		}
		if copied {
			for i := 0; i < len(state); i += 4 {
				binary.LittleEndian.PutUint32(state[i:], d.load(0x100+uint32(i)).Data)
			}
		}
	}
	absorb := func(block []byte) {
		if copied {
			for i, b := range block {
				state[i] ^= b
			}
			return
		}
		for i := 0; i < len(block); i += 4 {
			d.store(0x100+uint32(i), binary.LittleEndian.Uint32(block[i:]))
		}
	}

	d.store(0x00, 1)
	if copied {
		for i := 0; i < len(state); i += 4 {
			binary.LittleEndian.PutUint32(state[i:], d.load(0x100+uint32(i)).Data)
		}
	}
	for ; len(message) >= m.Rate; message = message[m.Rate:] {
		absorb(message[:m.Rate])
		permute(m.Rounds.Block)
	}
	last := make([]byte, m.Rate)
	copy(last, message)
	last[len(message)] ^= m.Suffix
	last[m.Rate-1] ^= m.Final
	absorb(last)
	permute(m.Rounds.Last)
	for {
		block := state[:m.Rate]
		if !copied {
			block = nil
			for i := 0; i < m.Rate; i += 4 {
				block = binary.LittleEndian.AppendUint32(block, d.load(0x100+uint32(i)).Data)
			}
		}
		if out = append(out, block...); len(out) >= n {
			return out[:n]
		}
		permute(m.Rounds.Squeeze)
	}
}

// All hashes, all modes, both kinds of access, on several buses: message and
// output lengths around words and rates, as against the host reference, and as
// many permutations as it counts, less those whose result is stored.
func TestRAMFunction(t *testing.T) {
	message := make([]byte, 2*168+5)
	for i := range message {
		message[i] = byte(7*i + i/256)
	}
	for _, x := range XOFs {
		for _, path := range []string{"", "obi", "apb"} {
			for _, copied := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s %s copy %v", x.Name, path, copied), func(t *testing.T) {
					u, err := New(Config{XOF: x, Coupling: RAM, CyclesPerRound: Ratio{3, 2}}, nil)
					if err != nil {
						t.Fatal(err)
					}
					var hop *bus.Hop
					if path != "" {
						if hop, err = bus.ParseHop(path); err != nil {
							t.Fatal(err)
						}
					}
					d := newDriver(t, u, hop, 6)
					if copied {
						d.store(0x04, 1)
					}
					var want, messages uint64
					f := family(t, x)
					for mode, m := range x.Modes {
						r := m.Rate
						for _, n := range []int{0, 1, 3, 4, 5, r - 5, r - 4, r - 1, r, r + 1, r + 4, 2*r - 1, 2 * r, 2*r + 3} {
							for _, size := range []int{1, 4, 7, r - 1, r, r + 1, 2 * r, 2*r + 1} {
								out := make([]byte, size)
								want += f.Functions[mode].Sum(out, message[:n])
								messages++
								if got := d.ramHash(x, uint32(mode), copied, message[:n], size); !bytes.Equal(got, out) {
									t.Fatalf("mode %d, %d bytes in, %d out:\ngot  %x\nwant %x", mode, n, size, got, out)
								}
							}
						}
					}
					s := u.Statistics(d.at + 100)
					if got := x.Counted(s.Permutations, s.Messages); got != want || s.Messages != messages || s.Abandoned != 0 || s.OverlapCycles != 0 {
						t.Errorf("%+v, want %d permutations of %d messages", s, want, messages)
					}
					if s.BusyCycles+s.IdleCycles != d.at+100 {
						t.Errorf("busy %d, idle %d of %d cycles", s.BusyCycles, s.IdleCycles, d.at+100)
					}
				})
			}
		}
	}
}

// newRAM makes a unit over a hash with an interrupt line.
func newRAM(x *XOF) (u *StateRAM, queue *clock.Queue, edges *[]edge) {
	queue, edges = clock.NewQueue(), new([]edge)
	u = newStateRAM(Config{XOF: x, Coupling: RAM}, queue, defaultTiming)
	u.Connect(func(high bool, from clock.Cycle) { *edges = append(*edges, edge{high, from}) })
	return u, queue, edges
}

func ramStore(at clock.Cycle, offset, v uint32) bus.Request {
	return bus.Request{Addr: offset, Bytes: 4, Write: true, Data: v, At: at}
}

func ramLoad(at clock.Cycle, offset uint32) bus.Request {
	return bus.Request{Addr: offset, Bytes: 4, At: at}
}

// Each register, access by access, over ascon: a permutation takes 12 cycles.
func TestRAMRegisters(t *testing.T) {
	const anything = 0xffff_ffff
	u, queue, edges := newRAM(Ascon)
	steps := []struct {
		request bus.Request
		data    uint32
		grant   clock.Cycle
		held    clock.Cycle
		reason  string
	}{
		{ramLoad(0, 0x10), 0, 0, 0, "neither busy nor done out of reset"},
		{ramLoad(1, 0x1c), 10<<16 | 1<<8 | 3, 1, 0, "ID: 10 words, ram, ascon"},
		{ramLoad(2, 0x04), 0, 2, 0, "mode block out of reset"},
		{ramStore(3, 0x18, 1), 0, 3, 0, "interrupt enabled"},
		{ramLoad(4, 0x18), 1, 4, 0, ""},
		{ramStore(5, 0x00, 2), 0, 5, 0, "permutation in 6 .. 17"},
		{ramLoad(6, 0x10), 1, 6, 0, "busy"},
		{ramLoad(17, 0x10), 1, 17, 0, "busy in its last cycle"},
		{ramLoad(18, 0x10), 2, 18, 0, "done"},
		{ramLoad(19, 0x14), 1, 19, 0, "DONE"},
		{ramStore(20, 0x14, 0), 0, 20, 0, "clears nothing"},
		{ramLoad(21, 0x14), 1, 21, 0, ""},
		{ramStore(22, 0x14, 1), 0, 22, 0, "clears it"},
		{ramLoad(23, 0x14), 0, 23, 0, ""},
		{ramLoad(24, 0x10), 2, 24, 0, "STATUS.DONE stays"},
		{ramStore(25, 0x00, 2|8<<8), 0, 25, 0, "8 rounds, in 26 .. 33"},
		{ramStore(33, 0x14, 1), 0, 33, 0, "cleared and set at the same time: it is set"},
		{ramLoad(34, 0x14), 1, 34, 0, ""},
		{ramStore(35, 0x00, 2), 0, 35, 0, "in 36 .. 47"},
		{ramStore(40, 0x100, 1), 0, 48, 8, "a store to the state waits"},
		{ramStore(49, 0x00, 2), 0, 49, 0, "in 50 .. 61"},
		{ramLoad(49, 0x14), 1, 50, 0, "one access a cycle, which is nobody's fault"},
		{ramLoad(52, 0x100), anything, 62, 10, "a load waits"},
		{ramStore(63, 0x00, 2), 0, 63, 0, "in 64 .. 75"},
		{ramStore(66, 0x00, 1), 0, 66, 0, "abandoned behind 66"},
		{ramLoad(67, 0x10), 0, 67, 0, "not busy, not done"},
		{ramLoad(68, 0x14), 0, 68, 0, "INIT clears DONE"},
		{ramStore(69, 0x04, 1), 0, 69, 0, "mode copy"},
		{ramLoad(70, 0x104), anything, 70, 0, "the state may be read at any time"},
		{ramStore(71, 0x104, 5), 0, 71, 0, ""},
		{ramLoad(72, 0x104), 5, 72, 0, "what was stored"},
		{ramStore(73, 0x104, 6), 0, 73, 0, ""},
		{ramLoad(74, 0x104), 6, 74, 0, "replaced"},
	}
	for i, s := range steps {
		queue.Advance(s.request.At)
		a := u.Access(s.request)
		if a.Fault != nil {
			t.Fatalf("step %d (%s): %v", i, s.reason, a.Fault)
		}
		if !s.request.Write && s.data != anything && a.Data != s.data || a.Grant != s.grant || a.Valid != s.grant+1 || a.HeldTo-a.HeldFrom != s.held ||
			(s.held > 0) != (a.Cause == bus.Permuting) {
			t.Errorf("step %d (%s), %+v: %+v, want data %#x, grant %d, %d withheld", i, s.reason, s.request, a, s.data, s.grant, s.held)
		}
	}
	queue.Advance(200)
	want := []edge{{true, 18}, {false, 23}, {true, 34}, {false, 67}}
	if d := cmp.Diff(want, *edges); d != "" {
		t.Errorf("interrupt line (-want +got):\n%s", d)
	}
	s := u.Statistics(200)
	if s.Permutations != 5 || s.Abandoned != 1 || s.BusyCycles != 12+8+12+12+3 || s.Messages != 1 || s.WordsIn != 3 || s.WordsOut != 4 || s.Withheld[bus.Permuting] != 18 {
		t.Errorf("%+v", s)
	}
}

// The line rises by itself, in the cycle announced.
func TestRAMInterrupt(t *testing.T) {
	u, queue, edges := newRAM(SHAKE)
	u.Access(ramStore(0, 0x00, 2)) // permutation in 1 .. 24
	if n := queue.Next(); n != clock.Never {
		t.Errorf("announced for %d while not enabled", n)
	}
	u.Access(ramStore(3, 0x18, 1))
	if n := queue.Next(); n != 25 {
		t.Errorf("announced for %d, want 25", n)
	}
	queue.Advance(25)
	u.Access(ramStore(30, 0x18, 0)) // low from 31 on
	u.Access(ramStore(40, 0x18, 1)) // DONE is still set
	if d := cmp.Diff([]edge{{true, 25}, {false, 31}, {true, 41}}, *edges); d != "" {
		t.Errorf("interrupt line (-want +got):\n%s", d)
	}
	if n := queue.Next(); n != clock.Never {
		t.Errorf("announced again, for %d", n)
	}
}

// An access may come before the queue has fired what was announced for an earlier
// cycle: the line rises first, and in its own cycle.
func TestRAMInterruptOverdue(t *testing.T) {
	u, queue, edges := newRAM(SHAKE)
	u.Access(ramStore(0, 0x18, 1))
	u.Access(ramStore(1, 0x00, 2)) // permutation in 2 .. 25
	u.Access(ramStore(40, 0x14, 1))
	queue.Advance(50)
	if d := cmp.Diff([]edge{{true, 26}, {false, 41}}, *edges); d != "" {
		t.Errorf("interrupt line (-want +got):\n%s", d)
	}
}

// What an access is for, for programs without ledger sections.
func TestRAMRoles(t *testing.T) {
	u, _, _ := newRAM(SHAKE)
	for i, s := range []struct {
		request bus.Request
		want    bus.Role
	}{
		{ramStore(0, 0x00, 1), bus.RoleControl},
		{ramStore(1, 0x1c4, 1), bus.RoleIn},
		{ramStore(2, 0x100, 1), bus.RoleIn},
		{ramStore(3, 0x00, 2), bus.RoleControl},
		{ramLoad(4, 0x10), bus.RoleBusy},
		{ramLoad(5, 0x100), bus.RoleOut}, // in 28, behind the permutation
		{ramLoad(29, 0x10), bus.RoleStatus},
		{ramStore(40, 0x14, 1), bus.RoleControl},
		{ramLoad(41, 0x1c), bus.RoleStatus},
	} {
		u.copy = s.request.Addr == 0x1c4
		if a := u.Access(s.request); a.Fault != nil || a.Role != s.want {
			t.Errorf("access %d: role %d, %v, want %d", i, a.Role, a.Fault, s.want)
		}
	}
}

// Each kind of bad use is a device error that names register and remedy, and
// changes nothing.
func TestRAMBadUse(t *testing.T) {
	store := func(offset, v uint32) bus.Request { return ramStore(0, offset, v) }
	load := func(offset uint32) bus.Request { return ramLoad(0, offset) }
	tests := []struct {
		name       string
		xof        *XOF
		before     []bus.Request
		bad        bus.Request
		what, hint string
	}{
		{"INIT with START", SHAKE, nil, store(0x00, 3), "CTRL written with INIT and START", "START"},
		{"START while busy", SHAKE, []bus.Request{store(0x00, 2)}, store(0x00, 2), "START written to CTRL while a permutation runs", "STATUS.BUSY"},
		{"25 rounds", SHAKE, nil, store(0x00, 2|25<<8), "START of 25 rounds", "ROUNDS"},
		{"13 rounds", SHAKE12, nil, store(0x00, 2|13<<8), "permutation of shake12 has 12", "ROUNDS"},
		{"13 rounds of ascon8", Ascon8, nil, store(0x00, 2|13<<8), "permutation of ascon8 has 12", "ROUNDS"},
		{"ACCESS 2", SHAKE, nil, store(0x04, 2), "ACCESS 2 written", "0 is mode block"},
		{"capacity in mode block", SHAKE, nil, store(0x100+4*42, 0), "STATE word 42 accessed in mode block", "ACCESS.COPY"},
		{"capacity of ascon", Ascon, nil, store(0x108, 0), "STATE word 2 accessed in mode block", "ACCESS.COPY"},
		{"capacity read", Ascon, []bus.Request{store(0x00, 2)}, load(0x108), "STATE word 2 accessed in mode block", "ACCESS.COPY"},
		{"beyond the state of ascon", Ascon, []bus.Request{store(0x04, 1)}, store(0x128, 0), "the state of ascon has 10 words", "0x100 to 0x127"},
		{"read before START", SHAKE, []bus.Request{store(0x00, 1)}, load(0x100), "nothing permuted", "START"},
		{"read of what was XORed in", SHAKE, []bus.Request{store(0x00, 2), store(0x100, 1)}, load(0x100), "nothing permuted", "START"},
		{"read after INIT", SHAKE, []bus.Request{store(0x00, 2), store(0x00, 1)}, load(0x100), "nothing permuted", "START"},
		{"byte", SHAKE, nil, bus.Request{Addr: 0x101, Bytes: 1, Write: true}, "1-byte store to STATE (offset 0x101): registers take word accesses", "32-bit"},
		{"misaligned", SHAKE, nil, bus.Request{Addr: 0x102, Bytes: 4}, "STATE", "multiples of 4"},
		{"store to STATUS", SHAKE, nil, store(0x10, 0), "STATUS (offset 0x10), which is read-only", "STATUS: "},
		{"store to ID", SHAKE, nil, store(0x1c, 0), "ID (offset 0x1c), which is read-only", "ID: "},
		{"load from CTRL", SHAKE, nil, load(0x00), "CTRL (offset 0x00), which is write-only", "CTRL: "},
		{"DIN of the other coupling", SHAKE, nil, store(0x20, 0), "4-byte store to offset 0x20", "0x00-0x1f, STATE at 0x100-0x1c7"},
		{"behind the state", SHAKE, nil, load(0x1c8), "offset 0x1c8", "STATE at"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, _, _ := newRAM(tt.xof)
			var at clock.Cycle
			for _, r := range tt.before {
				r.At = at
				a := u.Access(r)
				if a.Fault != nil {
					t.Fatalf("%+v: %v", r, a.Fault)
				}
				at = a.Valid
			}
			before := *u
			tt.bad.At = at
			a := u.Access(tt.bad)
			if a.Fault == nil {
				t.Fatalf("no fault, answer %+v", a)
			}
			if a.Fault.Kind != bus.DeviceError || !strings.Contains(a.Fault.What, tt.what) || !strings.Contains(a.Fault.Hint, tt.hint) {
				t.Errorf("fault %+v, want %q and hint %q", a.Fault, tt.what, tt.hint)
			}
			if u.stats != before.stats || u.state != before.state || u.fresh != before.fresh || u.copy != before.copy || u.turn != before.turn {
				t.Errorf("a refused access changed the unit")
			}
		})
	}
}

// A unit without FIFOs has no depth to set.
func TestRAMDepth(t *testing.T) {
	c := Config{XOF: SHAKE, Coupling: RAM}
	if d := c.WithDefaults(); d.InputDepth != 0 || d.OutputDepth != 0 || d.CyclesPerRound != (Ratio{1, 1}) {
		t.Errorf("%+v", d)
	}
	c.InputDepth = 4
	if _, err := New(c, nil); err == nil || !strings.Contains(err.Error(), "no FIFOs") {
		t.Errorf("depth 4: %v", err)
	}
}

func TestRAMAccessDoesNotAllocate(t *testing.T) {
	u, _, _ := newRAM(SHAKE)
	var at clock.Cycle
	put := func(r bus.Request) { at = u.Access(r).Valid }
	if n := testing.AllocsPerRun(100, func() {
		put(ramStore(at, 0x00, 1))
		put(ramStore(at, 0x100, 1))
		put(ramStore(at, 0x00, 2))
		put(ramLoad(at, 0x10))
		put(ramLoad(at, 0x100))
	}); n != 0 {
		t.Errorf("%g allocations in 5 accesses", n)
	}
}
