package translate_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"socsim/clock"
	"socsim/rv32"
	"socsim/rv32/translate"
)

// Programs with one thing each that translators get wrong, or slow. They end with a
// jump to itself.

var cases = []struct {
	name  string
	build func(a *asm)
	share uint64 // per cent of the instructions that must run translated
}{
	{"recursion of 3,000 frames", func(a *asm) {
		f, end, top := a.newLabel(), a.newLabel(), a.newLabel()
		a.emit(addi(20, 0, 20))
		a.place(top)
		a.emit(lui(10, 1), addi(10, 10, -1096)) // 3000
		a.to(f, jal(ra))
		a.emit(addi(20, 20, -1))
		a.to(top, func(off int32) uint32 { return encB(off, 0, 20, 1) })
		a.emit(selfLoop)
		a.place(f)
		a.to(end, func(off int32) uint32 { return encB(off, 0, 10, 0) })
		a.emit(addi(sp, sp, -8), sw(ra, 4, sp), addi(10, 10, -1))
		a.to(f, jal(ra))
		a.emit(lw(ra, 4, sp), addi(sp, sp, 8), addi(11, 11, 1))
		a.place(end)
		a.emit(wordRet)
	}, 90},
	{"recursion that pushes nothing", func(a *asm) {
		f, out := a.newLabel(), a.newLabel()
		a.emit(lui(10, 50)) // 204,800 deep
		a.to(f, jal(ra))
		a.place(f)
		a.emit(addi(10, 10, -1))
		a.to(out, func(off int32) uint32 { return encB(off, 0, 10, 0) })
		a.to(f, jal(ra))
		a.emit(addi(11, 11, 1))
		a.place(out)
		a.emit(selfLoop)
	}, 90},
	{"jump table with a target that comes late", func(a *asm) {
		table, top, done := a.newLabel(), a.newLabel(), a.newLabel()
		one, two := a.newLabel(), a.newLabel()
		a.emit(lui(20, 4))
		a.place(top)
		a.emit(encI(12, 20, 5, 13, 0x13), encI(3, 13, 3, 13, 0x13), encI(2, 13, 1, 13, 0x13)) // case 1 from 20 < 0x3000 on
		a.la(14, table)
		a.emit(encR(0, 13, 14, 0, 14, 0x33), lw(13, 0, 14), encR(0, 13, 14, 0, 14, 0x33), encI(0, 14, 0, 0, 0x67))
		a.place(table)
		a.to(one, func(off int32) uint32 { return uint32(off) })
		a.to(two, func(off int32) uint32 { return uint32(off) })
		a.place(two)
		a.emit(addi(11, 11, 3))
		a.to(done, jal(0))
		a.place(one)
		a.emit(addi(12, 12, 5))
		a.place(done)
		a.emit(addi(20, 20, -1))
		a.to(top, func(off int32) uint32 { return encB(off, 0, 20, 1) })
		a.emit(selfLoop)
	}, 90},
	{"bytecode machine", func(a *asm) {
		code, table, next, halt := a.newLabel(), a.newLabel(), a.newLabel(), a.newLabel()
		ops := []int{a.newLabel(), a.newLabel(), a.newLabel(), a.newLabel()}
		a.emit(lui(20, 3))
		a.la(14, code)
		a.la(15, table)
		a.place(next)
		a.emit(encI(0, 14, 4, 13, 3), addi(14, 14, 1), encI(2, 13, 1, 13, 0x13), encR(0, 15, 13, 0, 13, 0x33), lw(12, 0, 13),
			encR(0, 12, 13, 0, 13, 0x33), encI(0, 13, 0, 0, 0x67))
		a.place(table)
		for _, l := range ops {
			a.to(l, func(off int32) uint32 { return uint32(off) })
		}
		a.place(code)
		a.emit(0x00010201, 0x02000100, 0x03010200)
		for i, l := range ops[:3] {
			a.place(l)
			a.emit(addi(uint32(5+i), uint32(5+i), int32(i+1)), encR(0, 6, 5, 4, 7, 0x33))
			a.to(next, jal(0))
		}
		a.place(ops[3])
		a.emit(addi(20, 20, -1))
		a.to(halt, func(off int32) uint32 { return encB(off, 0, 20, 0) })
		a.emit(addi(14, 14, -12))
		a.to(next, jal(0))
		a.place(halt)
		a.emit(selfLoop)
	}, 90},
	{"misaligned accesses to a device", func(a *asm) {
		top := a.newLabel()
		a.emit(addi(20, 0, 400))
		a.place(top)
		for i := range int32(3) {
			a.emit(lw(5, i, rDev), sw(5, 5+i, rDev), encI(3, rDev, 1, 6, 3), encS(7, 6, rDev, 1))
			a.emit(addi(7, 7, 1), addi(7, 7, 1), addi(7, 7, 1), addi(7, 7, 1))
		}
		a.emit(addi(20, 20, -1))
		a.to(top, func(off int32) uint32 { return encB(off, 0, 20, 1) })
		a.emit(selfLoop)
	}, 0},
	{"code and data in one page", func(a *asm) {
		data, top := a.newLabel(), a.newLabel()
		a.emit(lui(20, 3))
		a.la(14, data)
		a.place(top)
		a.emit(lw(5, 0, 14), addi(5, 5, 1), sw(5, 0, 14), encI(5, 14, 4, 6, 3), addi(6, 6, 3), encS(5, 6, 14, 0), addi(20, 20, -1))
		a.to(top, func(off int32) uint32 { return encB(off, 0, 20, 1) })
		a.emit(selfLoop)
		a.place(data)
		a.emit(0, 0)
	}, 90},
	{"a store into the loop that runs", func(a *asm) {
		top, patch := a.newLabel(), a.newLabel()
		a.emit(addi(20, 0, 600))
		a.la(14, patch)
		a.place(top)
		a.emit(addi(7, 0, 63))
		inner := a.newLabel()
		a.place(inner)
		a.emit(addi(7, 7, -1), encR(0, 7, 5, 4, 6, 0x33))
		a.to(inner, func(off int32) uint32 { return encB(off, 0, 7, 1) })
		a.emit(encI(63, 20, 7, 7, 0x13))
		skip := a.newLabel()
		a.to(skip, func(off int32) uint32 { return encB(off, 0, 7, 1) })
		a.emit(lw(12, 0, 14), lui(13, 0x100), encR(0, 13, 12, 0, 12, 0x33), sw(12, 0, 14), fenceI) // one more for addi below
		a.place(skip)
		a.place(patch)
		a.emit(addi(5, 5, 1), addi(20, 20, -1))
		a.to(top, func(off int32) uint32 { return encB(off, 0, 20, 1) })
		a.emit(selfLoop)
	}, 30},
	{"a function of 5,000 blocks", func(a *asm) {
		top := a.newLabel()
		a.emit(addi(20, 0, 200))
		a.place(top)
		for i := range 2000 {
			over := a.newLabel()
			a.emit(encI(int32(i%32), 20, 5, 5, 0x13), encI(1, 5, 7, 5, 0x13))
			a.to(over, func(off int32) uint32 { return encB(off, 0, 5, 0) })
			a.emit(addi(6, 6, int32(i%100)))
			a.place(over)
		}
		a.emit(addi(20, 20, -1))
		far := a.newLabel()
		a.to(far, func(off int32) uint32 { return encB(off, 0, 20, 0) })
		a.to(top, jal(0))
		a.place(far)
		a.emit(selfLoop)
	}, 15},
	{"jumps through registers to themselves", func(a *asm) {
		top, here := a.newLabel(), a.newLabel()
		a.emit(addi(20, 0, 300))
		a.place(top)
		a.emit(addi(20, 20, -1), addi(5, 5, 3))
		a.to(top, func(off int32) uint32 { return encB(off, 0, 20, 1) })
		a.la(ra, here)
		a.emit(addi(0, 0, 0), addi(0, 0, 0))
		a.place(here)
		a.emit(wordRet)
	}, 50},
}

func lui(rd, upper uint32) uint32          { return upper<<12 | rd<<7 | 0x37 }
func jal(rd uint32) func(off int32) uint32 { return func(off int32) uint32 { return encJ(off, rd) } }

const selfLoop = 0x0000_006f

// caseHart returns a hart with a program of cases. It may be interrupted every gap
// cycles; 0: never.
func caseHart(t *testing.T, build func(a *asm), gap uint64, e *translate.Engine) *rv32.Hart {
	t.Helper()
	a := &asm{r: rand.New(rand.NewPCG(1, 1))}
	handler, main := a.newLabel(), a.newLabel()
	a.place(handler)
	a.emit(addi(rIRQs, rIRQs, 1), sw(0, 0, rAck), wordMRET)
	a.place(main)
	if gap > 0 {
		a.la(5, handler)
		a.emit(csrrw(0, csrMtvec, 5), lui(rAck, 0x20000), lui(5, 1<<8), csrrw(0, csrMie, 5), addi(5, 0, 8), csrrw(0, csrMstatus, 5))
	}
	a.emit(lui(rDev, 0x10000), lui(rData, dataAt>>12), lui(sp, stackAt>>12), csrrw(0, csrInhibit, 0))
	build(a)

	dev := &slowDevice{seed: 7, gap: max(gap, 1)}
	events := clock.NewQueue()
	c := rv32.Config{RAMBase: base, RAMSize: ramSize, Port: dev, Events: events, TrapClass: 254, SleepClass: 255}
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
	copy(h.RAM()[0x100:], a.assemble(base+0x100))
	h.Reset(a.label[main])
	dev.line = h.Line(20)
	dev.event = events.Source(func(at clock.Cycle) { dev.line(true, at) })
	if gap > 0 {
		dev.event.At(100)
	}
	return h
}

func TestCases(t *testing.T) {
	const end = 1_500_000
	for _, tt := range cases {
		for _, gap := range []uint64{0, 200} {
			t.Run(fmt.Sprintf("%s/%d", tt.name, gap), func(t *testing.T) {
				e := engine(t, translate.Options{Eager: true})
				start := time.Now()
				plain, fast := caseHart(t, tt.build, gap, nil), caseHart(t, tt.build, gap, e)
				s := lockstep(t, tt.name, rand.New(rand.NewPCG(3, gap)), plain, fast, e, end)
				if gap == 0 && s.Instructions*100 < fast.Instret()*tt.share {
					t.Errorf("%d of %d instructions ran translated, want %d%%: %+v", s.Instructions, fast.Instret(), tt.share, s)
				}
				if d := time.Since(start); d > 20*time.Second {
					t.Errorf("it took %v: %+v", d, s)
				}
			})
		}
	}
}

// Several at a time share what they compile.
func TestSharedCache(t *testing.T) {
	cache := translate.NewCache()
	defer cache.Close()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for seed := range uint64(3) {
				random(t, 1000+seed, cache, 30_000)
			}
		})
	}
	group.Wait()
}

// A hart whose RAM leaves no room for stores is interpreted.
func TestCodeAllOverRAM(t *testing.T) {
	e := engine(t, translate.Options{Eager: true})
	build := func(a *asm) {
		top, low := a.newLabel(), a.newLabel()
		a.emit(addi(20, 0, 2000))
		a.place(top)
		a.la(14, low)
		a.emit(encI(0, 14, 0, ra, 0x67), addi(20, 20, -1), sw(20, 8, rData))
		a.to(top, func(off int32) uint32 { return encB(off, 0, 20, 1) })
		a.emit(selfLoop)
		for range 0x3f00 - 100 { // up to near the end of RAM
			a.emit(addi(0, 0, 0))
		}
		a.place(low)
		a.emit(wordRet)
	}
	lockstep(t, "wide", rand.New(rand.NewPCG(3, 3)), caseHart(t, build, 0, nil), caseHart(t, build, 0, e), e, 100_000)
}

// Every divisor that decides a case, against the interpreter: results and cycles.
func TestDivision(t *testing.T) {
	build := func(a *asm) {
		operands := []uint32{0, 1, 2, 3, 7, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_ffff, 0xffff_fffe, 0x1_0000, 0xffff_0000}
		table, outer, inner := a.newLabel(), a.newLabel(), a.newLabel()
		a.la(14, table)
		a.emit(addi(20, 0, int32(4*len(operands))))
		a.place(outer)
		a.emit(addi(21, 0, int32(4*len(operands))), encR(0, 20, 14, 0, 12, 0x33), lw(10, -4, 12))
		a.place(inner)
		a.emit(encR(0, 21, 14, 0, 12, 0x33), lw(11, -4, 12))
		for f3 := range uint32(8) {
			a.emit(encR(1, 11, 10, f3, 13, 0x33), encR(0, 13, 15, 0, 15, 0x33), encI(1, 15, 1, 15, 0x13), encR(0, 10, 15, 4, 15, 0x33))
			a.emit(encR(1, 11, 10, f3, 0, 0x33))
		}
		a.emit(addi(21, 21, -4))
		a.to(inner, func(off int32) uint32 { return encB(off, 0, 21, 1) })
		a.emit(addi(20, 20, -4))
		a.to(outer, func(off int32) uint32 { return encB(off, 0, 20, 1) })
		a.emit(selfLoop)
		a.place(table)
		a.emit(operands...)
	}
	e := engine(t, translate.Options{Eager: true})
	s := lockstep(t, "division", rand.New(rand.NewPCG(3, 4)), caseHart(t, build, 0, nil), caseHart(t, build, 0, e), e, 200_000)
	if s.Instructions < 3000 {
		t.Errorf("only %d instructions ran translated", s.Instructions)
	}
}
