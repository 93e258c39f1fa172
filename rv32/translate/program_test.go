package translate_test

import (
	"encoding/binary"
	"math/rand/v2"
)

// Random programs with what translated code has trouble with: loops, calls,
// recursion, jump tables, long jumps, code that changes, devices and misaligned
// addresses, and blocks that begin at 2 mod 4.

// Encoders for the base formats (unprivileged manual, section 2.3).

func encR(f7, rs2, rs1, f3, rd, opcode uint32) uint32 {
	return f7<<25 | rs2<<20 | rs1<<15 | f3<<12 | rd<<7 | opcode
}
func encI(imm int32, rs1, f3, rd, opcode uint32) uint32 {
	return uint32(imm)<<20 | rs1<<15 | f3<<12 | rd<<7 | opcode
}
func encS(imm int32, rs2, rs1, f3 uint32) uint32 {
	u := uint32(imm)
	return u>>5<<25 | rs2<<20 | rs1<<15 | f3<<12 | u&31<<7 | 0x23
}
func encB(off int32, rs2, rs1, f3 uint32) uint32 {
	u := uint32(off)
	return u>>12&1<<31 | u>>5&63<<25 | rs2<<20 | rs1<<15 | f3<<12 | u>>1&15<<8 | u>>11&1<<7 | 0x63
}
func encJ(off int32, rd uint32) uint32 {
	u := uint32(off)
	return u>>20&1<<31 | u>>1&1023<<21 | u>>11&1<<20 | u>>12&255<<12 | rd<<7 | 0x6f
}

func addi(rd, rs1 uint32, imm int32) uint32    { return encI(imm, rs1, 0, rd, 0x13) }
func lw(rd uint32, imm int32, b uint32) uint32 { return encI(imm, b, 2, rd, 3) }
func sw(rs uint32, imm int32, b uint32) uint32 { return encS(imm, rs, b, 2) }
func csrrw(rd, csr, rs1 uint32) uint32         { return csr<<20 | rs1<<15 | 1<<12 | rd<<7 | 0x73 }
func csrrs(rd, csr, rs1 uint32) uint32         { return csr<<20 | rs1<<15 | 2<<12 | rd<<7 | 0x73 }

const (
	base    = 0x8000_0000
	ramSize = 1 << 16
	dataAt  = base + 0x8000
	stackAt = base + 0x1_0000

	wordMRET = 0x3020_0073
	wordWFI  = 0x1050_0073
	fenceI   = 0x0000_100f
	wordRet  = 0x0000_8067
	ecall    = 0x0000_0073

	csrMstatus, csrMie, csrMtvec, csrInhibit    = 0x300, 0x304, 0x305, 0x320
	csrMscratch, csrMepc, csrMcause, csrMip     = 0x340, 0x341, 0x342, 0x344
	csrMcycle, csrMinstret, csrMcycleh, csrMisa = 0xb00, 0xb02, 0xb80, 0x301
)

// Registers with a fixed meaning; the others are scratch.
const (
	ra, sp             = 1, 2
	rData, rDev        = 8, 9       // bases: RAM, the slow device
	rOdd, rText, rTbl  = 18, 19, 20 // a misaligned address, one in the text, the jump table
	rCount             = 21         // of loops, saved by who uses it
	rAck, rTrap, rIRQs = 29, 31, 30
)

var scratch = []uint32{5, 6, 7, 10, 11, 12, 13, 14, 15, 28, 0}

// asm is an assembler with labels.
type asm struct {
	r     *rand.Rand
	items []asmItem
	label map[int]uint32
	next  int
}

type asmItem struct {
	size   uint32
	label  int // defined here, if size is 0
	target int // label that encode gets the distance to
	encode func(off int32) uint32
}

func (a *asm) emit(words ...uint32) {
	for _, w := range words {
		a.items = append(a.items, asmItem{size: 4, encode: func(int32) uint32 { return w }})
	}
}
func (a *asm) half(w uint32) {
	a.items = append(a.items, asmItem{size: 2, encode: func(int32) uint32 { return w }})
}
func (a *asm) to(target int, encode func(off int32) uint32) {
	a.items = append(a.items, asmItem{size: 4, target: target, encode: encode})
}
func (a *asm) newLabel() int { a.next++; return a.next }
func (a *asm) place(l int)   { a.items = append(a.items, asmItem{label: l}) }

// assemble returns the code for address at; a.label has the labels.
func (a *asm) assemble(at uint32) []byte {
	a.label = map[int]uint32{}
	pc := at
	for _, it := range a.items {
		if it.size == 0 {
			a.label[it.label] = pc
		}
		pc += it.size
	}
	var code []byte
	pc = at
	for _, it := range a.items {
		if it.size > 0 {
			w := binary.LittleEndian.AppendUint32(nil, it.encode(int32(a.label[it.target]-pc)))
			code = append(code, w[:it.size]...)
		}
		pc += it.size
	}
	return code
}

func (a *asm) reg() uint32 { return scratch[a.r.IntN(len(scratch))] }

// la loads the address of a label (auipc; addi).
func (a *asm) la(rd uint32, l int) {
	a.to(l, func(off int32) uint32 { return uint32(off+0x800)&0xfffff000 | rd<<7 | 0x17 })
	a.to(l, func(off int32) uint32 { off += 4; return addi(rd, rd, off-int32(uint32(off+0x800)&0xfffff000)) })
}

// plain emits an instruction that goes on behind itself.
func (a *asm) plain(spice int) {
	r := a.r
	imm := func() int32 {
		if r.IntN(5) == 0 {
			return int32(r.IntN(64))
		}
		return int32(r.IntN(16)) * 4
	}
	mem := uint32(rData)
	if r.IntN(40) < spice {
		mem = []uint32{rDev, rOdd, rText}[r.IntN(3)]
	}
	switch k := r.IntN(100); {
	case k < 25:
		f3 := uint32(r.IntN(8))
		f7 := uint32(0)
		if (f3 == 0 || f3 == 5) && r.IntN(2) == 0 {
			f7 = 0x20
		}
		a.emit(encR(f7, a.reg(), a.reg(), f3, a.reg(), 0x33))
	case k < 40:
		f3 := []uint32{0, 2, 3, 4, 6, 7}[r.IntN(6)]
		a.emit(encI(int32(r.IntN(4096)-2048), a.reg(), f3, a.reg(), 0x13))
	case k < 44:
		a.emit(encI(int32(r.IntN(32))|[]int32{0, 0x400}[r.IntN(2)], a.reg(), 5, a.reg(), 0x13))
	case k < 48: // c.addi: moves what follows to 2 mod 4
		a.half(1 | []uint32{5, 6, 7}[r.IntN(3)]<<7 | 1<<2)
	case k < 53:
		a.emit(encR(1, a.reg(), a.reg(), uint32(r.IntN(4)), a.reg(), 0x33))
	case k < 56:
		a.emit(encR(1, a.reg(), a.reg(), 4+uint32(r.IntN(4)), a.reg(), 0x33))
	case k < 59:
		a.emit(a.r.Uint32()&0xfffff000 | a.reg()<<7 | []uint32{0x37, 0x17}[r.IntN(2)])
	case k < 80:
		a.emit(encI(imm(), mem, []uint32{0, 1, 2, 4, 5, 2, 2}[r.IntN(7)], a.reg(), 3))
	case k < 95:
		if mem == rText {
			mem = rData
		}
		a.emit(encS(imm(), a.reg(), mem, []uint32{0, 1, 2, 2, 2}[r.IntN(5)]))
	case r.IntN(60) < spice:
		a.emit([]uint32{csrrs(a.reg(), csrMcycle, 0), csrrs(a.reg(), csrMinstret, 0), csrrw(a.reg(), csrMscratch, a.reg()),
			csrrs(a.reg(), csrMip, 0), fenceI, ecall, sw(0, 0, rAck), wordWFI}[r.IntN(8)])
	default:
		a.emit(addi(a.reg(), a.reg(), 1))
	}
}

// body emits a piece of a function; calls go to functions below.
func (a *asm) body(n, depth int, functions []int, spice int) {
	r := a.r
	for range n {
		switch k := r.IntN(100); {
		case k < 70:
			a.plain(spice)
		case k < 82: // if, sometimes with an else
			other, end := a.newLabel(), a.newLabel()
			f3, rs1, rs2 := []uint32{0, 1, 4, 5, 6, 7}[r.IntN(6)], a.reg(), a.reg()
			if r.IntN(4) == 0 { // load, branch, jalr
				a.la(28, other)
				a.emit(sw(28, 60, rData), lw(13, 60, rData))
				skip := a.newLabel()
				a.to(skip, func(off int32) uint32 { return encB(off, rs2, rs1, f3) })
				a.emit(encI(0, 13, 0, 0, 0x67))
				a.place(skip)
			} else {
				a.to(other, func(off int32) uint32 { return encB(off, rs2, rs1, f3) })
			}
			a.body(1+r.IntN(3), depth, functions, spice)
			if r.IntN(2) == 0 {
				a.to(end, func(off int32) uint32 { return encJ(off, 0) })
			}
			a.place(other)
			a.body(1+r.IntN(2), depth, functions, spice)
			a.place(end)
		case k < 88 && depth < 2: // counted loop
			top := a.newLabel()
			a.emit(addi(sp, sp, -16), sw(rCount, 4, sp), addi(rCount, 0, int32(1+r.IntN(12))))
			a.place(top)
			a.body(1+r.IntN(4), depth+1, functions, spice)
			a.emit(addi(rCount, rCount, -1))
			a.to(top, func(off int32) uint32 { return encB(off, 0, rCount, 1) })
			a.emit(lw(rCount, 4, sp), addi(sp, sp, 16))
		case k < 92 && len(functions) > 0: // call
			f := functions[r.IntN(len(functions))]
			switch r.IntN(3) {
			case 0:
				a.la(15, f)
				for range r.IntN(2) {
					a.plain(0)
				}
				a.la(15, f)
				a.emit(encI(0, 15, 0, ra, 0x67))
			case 1: // through memory
				a.la(15, f)
				a.emit(sw(15, 56, rData), lw(15, 56, rData))
				if r.IntN(2) == 0 {
					a.emit([]uint32{addi(5, 5, 1), lw(6, 52, rData), encS(3, 6, rOdd, 2), sw(7, 48, rData)}[r.IntN(4)])
				}
				a.emit(encI(0, 15, 0, ra, 0x67))
			default:
				a.to(f, func(off int32) uint32 { return encJ(off, ra) })
			}
		case k < 96: // jump table
			var cases [4]int
			table, end := a.newLabel(), a.newLabel()
			a.la(14, table)
			a.emit(encI(3, a.reg(), 7, 13, 0x13), encI(2, 13, 1, 13, 0x13), encR(0, 13, 14, 0, 14, 0x33), lw(13, 0, 14),
				encR(0, 13, 14, 0, 14, 0x33), encI(0, 14, 0, 0, 0x67))
			a.place(table)
			for i := range cases { // each relative to its own place
				cases[i] = a.newLabel()
				a.to(cases[i], func(off int32) uint32 { return uint32(off) })
			}
			for i := range cases {
				a.place(cases[i])
				a.body(1, depth, functions, spice)
				if r.IntN(3) > 0 {
					a.to(end, func(off int32) uint32 { return encJ(off, 0) })
				}
			}
			a.place(end)
		default:
			a.plain(spice)
		}
	}
}

// program is a random program: an endless loop in main that calls functions. spice
// says how much of it is for the interpreter.
func program(r *rand.Rand, spice int) (code []byte, entry uint32) {
	a := &asm{r: r}
	handler, start, again := a.newLabel(), a.newLabel(), a.newLabel()
	a.place(handler)
	irq := a.newLabel()
	a.emit(csrrs(rTrap, csrMcause, 0))
	a.to(irq, func(off int32) uint32 { return encB(off, 0, rTrap, 4) })
	a.emit(csrrs(rTrap, csrMepc, 0), addi(rTrap, rTrap, 4), csrrw(0, csrMepc, rTrap), wordMRET)
	a.place(irq)
	a.emit(addi(rIRQs, rIRQs, 1), sw(0, 0, rAck), wordMRET)

	var functions []int
	// A function that calls itself x10 & 15 deep, and one that leaves it by a long jump.
	rec, deep, out := a.newLabel(), a.newLabel(), a.newLabel()
	a.place(rec)
	a.emit(encI(15, 10, 7, 10, 0x13))
	a.place(deep)
	a.to(out, func(off int32) uint32 { return encB(off, 0, 10, 0) })
	a.emit(addi(sp, sp, -16), sw(ra, 12, sp), addi(10, 10, -1))
	a.to(deep, func(off int32) uint32 { return encJ(off, ra) })
	a.emit(addi(11, 11, 3), lw(ra, 12, sp), addi(sp, sp, 16))
	a.place(out)
	a.emit(wordRet)
	functions = append(functions, rec)

	setjmp, inner, leaf, far := a.newLabel(), a.newLabel(), a.newLabel(), a.newLabel()
	a.place(setjmp)
	a.emit(addi(sp, sp, -16), sw(ra, 12, sp), sw(sp, 0x100, rData))
	a.to(inner, func(off int32) uint32 { return encJ(off, ra) })
	a.place(far)
	a.emit(lw(ra, 12, sp), addi(sp, sp, 16), wordRet)
	a.place(inner)
	a.emit(addi(sp, sp, -16), sw(ra, 12, sp))
	a.to(leaf, func(off int32) uint32 { return encJ(off, ra) })
	a.emit(lw(ra, 12, sp), addi(sp, sp, 16), wordRet)
	a.place(leaf)
	a.emit(addi(12, 12, 1), encI(1, 12, 7, 13, 0x13))
	stay := a.newLabel()
	a.to(stay, func(off int32) uint32 { return encB(off, 0, 13, 0) })
	a.la(14, far)
	a.emit(lw(sp, 0x100, rData), encI(0, 14, 0, 0, 0x67))
	a.place(stay)
	a.emit(wordRet)
	functions = append(functions, setjmp)

	// One that changes an instruction of itself: addi x5, x5, n.
	smc, patch := a.newLabel(), a.newLabel()
	a.place(smc)
	if spice > 0 {
		a.la(14, patch)
		a.emit(lw(13, 0, 14), 1<<20<<1|13<<7|0x37&0x7f) // lui x13: replaced below
		a.items[len(a.items)-1] = asmItem{size: 4, encode: func(int32) uint32 { return encI(1, 12, 7, 28, 0x13) }}
		skip := a.newLabel()
		a.to(skip, func(off int32) uint32 { return encB(off, 0, 28, 1) })
		a.emit(0x0100_0000&0xfffff000|28<<7|0x37, encR(0, 28, 13, 4, 13, 0x33), sw(13, 0, 14))
		a.place(skip)
	}
	a.place(patch)
	a.emit(addi(5, 5, 1), wordRet)
	functions = append(functions, smc)

	for range 2 + r.IntN(5) {
		f := a.newLabel()
		a.place(f)
		a.emit(addi(sp, sp, -16), sw(ra, 12, sp))
		a.body(4+r.IntN(20), 0, functions, spice)
		a.emit(lw(ra, 12, sp))
		if r.IntN(2) == 0 {
			a.emit(addi(sp, sp, 16), wordRet)
		} else {
			a.emit(lw(5, 0, rData), addi(sp, sp, 16), wordRet)
		}
		functions = append(functions, f)
	}

	a.place(start)
	a.la(5, handler)
	li := func(rd, v uint32) {
		a.emit((v+0x800)&0xfffff000|rd<<7|0x37, addi(rd, rd, int32(v)<<20>>20))
	}
	a.emit(csrrw(0, csrMtvec, 5), csrrw(0, csrInhibit, 0))
	li(rData, dataAt)
	li(rDev, 0x1000_0000)
	li(rOdd, dataAt+0x201)
	li(rText, base+0x200)
	li(rAck, 0x2000_0000)
	li(sp, stackAt)
	if r.IntN(4) > 0 {
		li(5, 1<<20)
		a.emit(csrrw(0, csrMie, 5))
		li(5, 8)
		a.emit(csrrw(0, csrMstatus, 5))
	}
	a.place(again)
	for range 2 + r.IntN(4) {
		a.emit(addi(10, 10, 7))
		f := functions[r.IntN(len(functions))]
		a.to(f, func(off int32) uint32 { return encJ(off, ra) })
		a.body(r.IntN(4), 1, functions, spice)
	}
	a.to(again, func(off int32) uint32 { return encJ(off, 0) })
	const at = base + 0x100
	code = a.assemble(at)
	return code, a.label[start]
}
