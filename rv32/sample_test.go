package rv32

import (
	"math/rand/v2"
	"sync"
)

// A sampleGroup is a part of the encodings that is tested as one.
type sampleGroup struct {
	name  string
	words []uint32
}

// samples is every 16-bit parcel and a dense sample of 32-bit words, the
// same every time. Words announcing more than 32 bits are not in it: see
// TestLongEncodings.
var samples = sync.OnceValue(func() []sampleGroup {
	random := rand.New(rand.NewPCG(2, 32)) // any seed will do, but changing it changes the digests
	var groups []sampleGroup
	group := func(name string, fill func(add func(uint32))) {
		g := sampleGroup{name: name}
		fill(func(w uint32) {
			if w&0x1f != 0x1f {
				g.words = append(g.words, w)
			}
		})
		groups = append(groups, g)
	}
	// Registers that aliases look at, and any.
	register := func() uint32 {
		if random.IntN(3) > 0 {
			return uint32(random.IntN(32))
		}
		return []uint32{0, 0, 1, 2, 5}[random.IntN(5)]
	}

	group("parcels", func(add func(uint32)) {
		for w := uint32(0); w < 1<<16; w++ {
			if w&3 != 3 {
				add(w)
			}
		}
	})
	group("opcode-funct3-funct7", func(add func(uint32)) {
		for op := uint32(3); op < 128; op += 4 {
			for rest := uint32(0); rest < 1<<10; rest++ { // funct3 and funct7
				w := rest>>3<<25 | rest&7<<12 | op
				add(w)
				for range 10 {
					add(w | register()<<20 | register()<<15 | register()<<7)
				}
			}
		}
	})
	group("registers", func(add func(uint32)) {
		some := []uint32{0, 1, 2, 5, 10, 31}
		for _, op := range []uint32{0x13, 0x33} {
			for _, funct7 := range []uint32{0, 1, 0x20} { // RV32IM has no other
				for funct3 := range uint32(8) {
					w := funct7<<25 | funct3<<12 | op
					for i := range 6 * 6 * 6 {
						add(w | some[i%6]<<20 | some[i/6%6]<<15 | some[i/36]<<7)
						add(w | register()<<20 | register()<<15 | register()<<7)
					}
				}
			}
		}
	})
	group("immediates", func(add func(uint32)) {
		for _, op := range []uint32{0x03, 0x13, 0x23, 0x63, 0x67} {
			for imm := uint32(0); imm < 1<<12; imm++ { // bits 31:20, of which S and B use 31:25
				funct3 := uint32(random.IntN(8))
				add(imm<<20 | register()<<15 | funct3<<12 | register()<<7 | op)
				add(imm<<20 | op)
				add(imm<<20 | 1<<15 | 1<<7 | op)
				add(imm<<20 | 2<<15 | uint32(random.IntN(32))<<7 | op)
			}
		}
		for _, op := range []uint32{0x37, 0x17, 0x6f} {
			for imm := uint32(0); imm < 1<<12; imm++ {
				add(imm<<20 | op)
				add(imm<<20 | uint32(random.IntN(256))<<12 | register()<<7 | op)
				add(imm<<12 | register()<<7 | op)
			}
		}
	})
	group("csr", func(add func(uint32)) {
		for csr := uint32(0); csr < 1<<12; csr++ {
			for funct3 := uint32(1); funct3 < 8; funct3++ { // 0: group system
				w := csr<<20 | funct3<<12 | 0x73
				add(w)
				add(w | register()<<7)
				add(w | register()<<15)
				add(w | register()<<15 | register()<<7)
			}
		}
	})
	group("system", func(add func(uint32)) {
		for imm := uint32(0); imm < 1<<12; imm++ {
			w := imm<<20 | 0x73
			add(w)
			add(w | 1<<7)
			add(w | 1<<15)
			add(w | register()<<15 | register()<<7)
		}
	})
	group("fence", func(add func(uint32)) {
		for funct3 := uint32(0); funct3 < 2; funct3++ {
			for imm := uint32(0); imm < 1<<12; imm++ { // mode, predecessors, successors
				w := imm<<20 | funct3<<12 | 0x0f
				add(w)
				add(w | 1<<7)
				add(w | 1<<15)
				add(w | register()<<15 | register()<<7)
			}
		}
	})
	group("random", func(add func(uint32)) {
		for range 100_000 {
			add(random.Uint32() | 3)
		}
	})
	return groups
})
