package rv32

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"socsim/bus"
	"socsim/clock"
)

// The lockstep test runs random programs in both loops and compares their
// whole state at random deadlines: the fast loop's static costs against the
// recurrence, with slow devices, misaligned accesses, traps and interrupts.

// randomDevice holds words behind random waits, and raises a fast interrupt at
// random times after each acknowledgement. All randomness hangs on the cycle,
// so that two equal runs see equal devices.
type randomDevice struct {
	words [16]uint32
	seed  uint64
	line  bus.Line
	event *clock.Event
}

func (d *randomDevice) hash(c clock.Cycle) uint64 {
	x := (uint64(c) + d.seed) * 0x9e37_79b9_7f4a_7c15
	return x ^ x>>29
}

func (d *randomDevice) Access(r bus.Request) bus.Response {
	n := d.hash(r.At)
	resp := bus.Response{Grant: r.At, Valid: r.At + 1}
	if n&1 == 0 {
		resp.Grant += clock.Cycle(n >> 8 % 4)
		resp.Valid = resp.Grant + 1 + clock.Cycle(n>>16%6)
		resp.HeldFrom, resp.HeldTo, resp.Cause = resp.Grant+1, resp.Valid, bus.Permuting
	}
	if r.Addr>>28 == 2 { // acknowledge
		d.line(false, resp.Grant+1)
		d.event.At(resp.Grant + 1 + clock.Cycle(n>>24%150))
		return resp
	}
	if r.Write {
		d.words[r.Addr/4%16] = r.Data
	}
	resp.Data = d.words[r.Addr/4%16]
	return resp
}

// item is a piece of a random program: one instruction, whose offset to a
// later item is known once all are placed.
type item struct {
	size   int32
	target int // index of the item it refers to, 0 for none
	encode func(off int32) uint32
}

// With extra, instructions that it makes of random registers and base registers
// are among them.
func randomProgram(r *rand.Rand, n int, extra func(reg, base func() uint32) uint32) []byte {
	var items []item
	scratch := []uint32{1, 5, 6, 7, 8, 9, 12, 13, 14, 15, 0}
	reg := func() uint32 { return scratch[r.IntN(len(scratch))] }
	emit := func(w uint32) { items = append(items, item{4, 0, func(int32) uint32 { return w }}) }
	forward := func(f func(off int32) uint32) {
		items = append(items, item{4, len(items) + 1 + r.IntN(6), f})
	}
	base := func() uint32 { return 10 + uint32(r.IntN(4))/3 } // RAM, or the slow device
	for len(items) < n {
		switch k := r.IntN(100); {
		case k < 25:
			emit(encR(0, reg(), reg(), uint32(r.IntN(8)), reg(), 0x33))
		case k < 35:
			emit(addi(reg(), reg(), int32(r.IntN(4096)-2048)))
		case k < 40: // c.addi: moves what follows to 2 mod 4
			rd := []uint32{5, 6, 7}[r.IntN(3)]
			items = append(items, item{2, 0, func(int32) uint32 { return 1 | rd<<7 | 1<<2 }})
		case k < 46:
			emit(encR(1, reg(), reg(), uint32(r.IntN(8)), reg(), 0x33))
		case k < 60: // loads, one in four not aligned
			f3 := []uint32{0, 1, 2, 4, 5, 2, 2}[r.IntN(7)]
			imm := int32(r.IntN(12)) * 4
			if r.IntN(4) == 0 {
				imm = int32(r.IntN(48))
			}
			emit(encI(imm, base(), f3, reg(), 3))
		case k < 70:
			imm := int32(r.IntN(12)) * 4
			if r.IntN(4) == 0 {
				imm = int32(r.IntN(48))
			}
			emit(encS(imm, reg(), base(), uint32(r.IntN(3))))
		case k < 80:
			rs1, rs2, f3 := reg(), reg(), []uint32{0, 1, 4, 5, 6, 7}[r.IntN(6)]
			forward(func(off int32) uint32 { return encB(off, rs2, rs1, f3) })
		case k < 85:
			rd := []uint32{0, 1, 5}[r.IntN(3)]
			forward(func(off int32) uint32 { return encJ(off, rd) })
		case k < 89: // auipc; jalr on its result, sometimes with something between
			rd := []uint32{0, 1, 16}[r.IntN(3)]
			gap := r.IntN(2)
			emit(16<<7 | 0x17)
			for range gap {
				emit(addi(5, 5, 1))
			}
			forward(func(off int32) uint32 { return encI(off+4+4*int32(gap), 16, 0, rd, 0x67) })
		case k < 94: // the same through memory: a load feeds the jalr
			rd := []uint32{0, 1, 17}[r.IntN(3)]
			mem, gap := base(), r.IntN(3)
			emit(16<<7 | 0x17)
			emit(encS(0, 16, mem, 2))
			emit(encI(0, mem, 2, 17, 3))
			for range gap {
				emit([]uint32{addi(5, 5, 1), encR(1, 6, 7, 4, 8, 0x33), encI(8, 10, 2, 9, 3)}[r.IntN(3)])
			}
			forward(func(off int32) uint32 { return encI(off+12+4*int32(gap), 17, 0, rd, 0x67) })
		case k < 97:
			emit([]uint32{csrrs(reg(), csrMcycle, 0), csrrs(reg(), csrMinstret, 0), csrrw(reg(), csrMscratch, reg()),
				csrrs(reg(), csrMip, 0), fenceI, csrrs(reg(), csrMepc, 0)}[r.IntN(6)])
		case k < 98: // acknowledge outside the handler, behind whatever is still unanswered
			emit(encS(0, 0, 29, 2))
		case k < 99 && extra != nil:
			for range 1 + r.IntN(4) {
				emit(extra(reg, base))
			}
		case k < 99:
			emit(ecall)
		default: // wait until the interrupt is there, whether it is taken or not
			emit(wordWFI)
		}
	}
	offsets := make([]int32, len(items)+1)
	for i, it := range items {
		offsets[i+1] = offsets[i] + it.size
	}
	var code []byte
	for i, it := range items {
		off := int32(0)
		if it.target != 0 {
			off = offsets[min(it.target, len(items))] - offsets[i]
		}
		w := binary.LittleEndian.AppendUint32(nil, it.encode(off))
		code = append(code, w[:it.size]...)
	}
	return binary.LittleEndian.AppendUint32(code, encJ(-int32(len(code)), 0)) // and again
}

const lockstepCode = 0x400 // behind the vector table and the handlers

func lockstepHart(t *testing.T, seed uint64, exact bool) *Hart {
	r := rand.New(rand.NewPCG(seed, 1))
	dev := &randomDevice{seed: seed}
	events := clock.NewQueue()
	c := Config{ExactOnly: exact, Port: dev, Events: events, Count: seed%3 != 0,
		Class: func(pc uint32) uint8 { return uint8(pc >> 6 & 3) }}
	var unit *randomUnit
	var extra func(reg, base func() uint32) uint32
	if seed%2 == 1 { // with instructions from outside and someone else at the RAM
		unit = newRandomUnit(events, seed)
		c.Custom, c.Grant = unit.instructions(), unit.grant
		extra = func(reg, base func() uint32) uint32 { return unit.random(r, reg, base) }
	}
	h := testHart(t, c)
	if unit != nil {
		unit.hart = h
	}
	dev.line = h.Line(20)
	dev.event = events.Source(func(at clock.Cycle) { dev.line(true, at) })
	dev.event.At(100)
	put := func(at int, words ...uint32) {
		for i, w := range words {
			binary.LittleEndian.PutUint32(h.RAM()[at+4*i:], w)
		}
	}
	put(0, encJ(0x200, 0)) // exceptions
	put(4*20, encJ(0x300-4*20, 0))
	put(0x200, csrrs(31, csrMepc, 0), addi(31, 31, 4), csrrw(0, csrMepc, 31), wordMRET)
	put(0x300, addi(30, 30, 1), encS(0, 0, 29, 2), encI(0, 10, 2, 28, 3), wordMRET)
	copy(h.RAM()[lockstepCode:], randomProgram(r, 50+r.IntN(300), extra))
	for i := 0x8000; i < 0x8100; i++ {
		h.RAM()[i] = byte(r.Uint32())
	}
	h.Reset(testBase + lockstepCode)
	dev.line = h.Line(20)
	h.mtvec = testBase | 1
	h.mie = 1 << 20
	if r.IntN(4) != 0 {
		h.mstatus |= mstatusMIE
	}
	h.inhibit = 0
	for i := uint8(5); i < 10; i++ {
		h.SetX(i, r.Uint32()>>r.IntN(32))
	}
	h.SetX(10, testBase+0x8000)
	h.SetX(11, 0x1000_0000)
	h.SetX(29, 0x2000_0000)
	return h
}

func snapshot(h *Hart) string {
	s := fmt.Sprintf("pc %08x cycle %d instret %d mcycle %d minstret %d asleep %d", h.PC(), h.Cycle(), h.Instret(),
		h.counters.cycle(h.now), h.retired(), h.Asleep())
	for i := range uint8(32) {
		s += fmt.Sprintf(" x%d=%x f%d=%x", i, h.X(i), i, h.F(i))
	}
	for c := range 256 {
		if n := h.ClassCycles(uint8(c)); n != 0 {
			s += fmt.Sprintf(" class%d=%d", c, n)
		}
	}
	return s + fmt.Sprint(h.withheld, " stalled ", h.Stalled(), h.Counts())
}

func TestLockstep(t *testing.T) {
	programs := uint64(1500)
	if testing.Short() {
		programs = 200
	}
	var steps uint64
	for seed := range programs {
		exact, fast := lockstepHart(t, seed, true), lockstepHart(t, seed, false)
		r := rand.New(rand.NewPCG(seed, 2))
		for deadline := clock.Cycle(0); deadline < 4000; deadline += clock.Cycle(1 + r.IntN(300)) {
			limits := Limits{Cycles: deadline + 1}
			if r.IntN(2) == 0 {
				limits.Instructions = exact.Instret() + 1 + r.Uint64N(300)
			}
			a, b := exact.Run(limits), fast.Run(limits)
			if a != b {
				t.Fatalf("seed %d: stopped: exact %+v, fast %+v", seed, a, b)
			}
			if got, want := snapshot(fast), snapshot(exact); got != want {
				t.Fatalf("seed %d, deadline %d:\nfast  %s\nexact %s", seed, deadline, got, want)
			}
			if a.Reason != StopCycles && a.Reason != StopInstructions { // a jump into the middle of a sequence led astray
				break
			}
		}
		if string(exact.RAM()) != string(fast.RAM()) {
			t.Fatalf("seed %d: RAM differs", seed)
		}
		checkBooked(t, fast)
		steps += fast.Instret()
	}
	if steps < programs*200 {
		t.Errorf("only %d instructions in %d programs: the generator makes dull ones", steps, programs)
	}
}
