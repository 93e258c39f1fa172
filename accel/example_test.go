package accel_test

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"socsim/accel"
	"socsim/firmware"
	"socsim/soc"
)

var constants = []uint32{0x1, 0x8082, 0x808a, 0x80008000, 0x808b, 0x80000001, 0x80008081, 0x8009, 0x8a, 0x88, 0x80008009,
	0x8000000a, 0x8000808b, 0x8b, 0x8089, 0x8003, 0x8002, 0x80, 0x800a, 0x8000000a, 0x80008081, 0x8080}
var offsets = [25]int{0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14}

// keccak800 is a sponge over Keccak-p[800, 22] of FIPS 202, half the state of SHAKE; above, its iota and rho. Every MODE is this one.
var keccak800 = &accel.XOF{
	Name: "keccak800", Number: 9, Text: "Keccak-p[800,22] with a rate of 68 bytes", Reset: 1, Lanes: 13,
	Modes: slices.Repeat([]accel.Mode{{Name: "keccak800", Rate: 68, Suffix: 0x01, Final: 0x80, Rounds: accel.Rounds{Block: 22, Last: 22, Squeeze: 22}}}, 4),
	Permute: func(s *accel.State, rounds int) {
		var a, b [26]uint32 // lane (x, y) is at x + 5y; two lanes of 32 bits are in one of s
		for i := range a {
			a[i] = uint32(s[i/2] >> (i % 2 * 32))
		}
		for _, rc := range constants[len(constants)-rounds:] {
			var c [5]uint32
			for i := range 25 {
				c[i%5] ^= a[i]
			}
			for i := range 25 { // theta, rho and pi
				x, y := (i+3*(i/5))%5, i%5
				b[i] = bits.RotateLeft32(a[x+5*y]^c[(x+4)%5]^bits.RotateLeft32(c[(x+1)%5], 1), offsets[x+5*y])
			}
			for i := range 25 { // chi
				a[i] = b[i] ^ ^b[i-i%5+(i+1)%5]&b[i-i%5+(i+2)%5]
			}
			a[0] ^= rc // iota
		}
		for i := range 13 {
			s[i] = uint64(a[2*i]) | uint64(a[2*i+1])<<32
		}
	},
}

func Example() {
	program, _ := firmware.ELF("hash.elf") // built in; New says so if not
	s, err := soc.New(soc.Options{ELF: program, Args: []string{"-in", "0", "-out", "32"}, Dumps: []soc.Dump{{Symbol: "output", Bytes: 32}},
		Unit: &accel.Config{XOF: keccak800, Coupling: accel.FIFO}})
	if err != nil {
		panic(err)
	}
	r, err := s.Run(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Dumps["output"], "with the unit busy for", r.Regions[0].Accel.BusyCycles, "cycles")
	// Output: a3cea55cfd9f4432ad3f9ae33673ae12665f66d150a11af54e007c7f26f7c9a6 with the unit busy for 22 cycles
}
