// Package keccak is the permutation Keccak-p[1600, nr] of [FIPS 202] with any
// number of rounds, and the sponge over it, which counts its permutations.
//
// The sponges of FIPS 202 and their round-reduced relatives are values of one
// struct, [Spec]. Messages are whole bytes. Left out, because nothing here
// needs them: other widths than 1600 bits, messages that end within a byte,
// and protection against side channels.
//
// [FIPS 202]: https://doi.org/10.6028/NIST.FIPS.202
package keccak

import (
	"fmt"
	"math/bits"
)

// MaxRounds is the number of rounds of Keccak-f[1600] (FIPS 202, section 3.4).
const MaxRounds = 24

// roundConstants are the lanes that ι adds, by round index (FIPS 202,
// section 3.2.5; the bits come out of the shift register of Algorithm 5).
var roundConstants = [MaxRounds]uint64{
	0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
	0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
	0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
	0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
	0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
	0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
}

// rotations are the offsets of ρ modulo 64, for lane x + 5y (FIPS 202,
// section 3.2.2, table 2).
var rotations = [25]int{
	0, 1, 62, 28, 27,
	36, 44, 6, 55, 20,
	3, 10, 43, 25, 39,
	41, 45, 15, 21, 8,
	18, 2, 61, 56, 14,
}

// Permute applies Keccak-p[1600, rounds] (FIPS 202, Algorithm 7) to the state
// a, whose lane (x, y) is a[x+5y], bit 0 of a lane its least significant one.
// Fewer than 24 rounds are always the last ones of Keccak-f, as the standard
// has it: round indices 24-rounds to 23. Asking for more than 24 or fewer than
// 0 rounds is a bug of the caller.
func Permute(a *[25]uint64, rounds int) {
	if rounds < 0 || rounds > MaxRounds {
		panic(fmt.Sprintf("BUG: Keccak-p[1600] with %d rounds, the range is 0 to %d", rounds, MaxRounds))
	}
	if rounds%2 == 1 {
		round(a, roundConstants[MaxRounds-rounds])
		rounds--
	}
	pairs(a, rounds)
}

// round is Rnd (FIPS 202, section 3.3) with its step mappings one after the
// other, as the standard writes them.
func round(a *[25]uint64, rc uint64) {
	var c [5]uint64 // θ, Algorithm 1
	for x := range 5 {
		c[x] = a[x] ^ a[x+5] ^ a[x+10] ^ a[x+15] ^ a[x+20]
	}
	for i := range a {
		x := i % 5
		a[i] ^= c[(x+4)%5] ^ bits.RotateLeft64(c[(x+1)%5], 1)
	}

	var b [25]uint64 // ρ and π, Algorithms 2 and 3: b(x, y) = a(x+3y, x)
	for i := range b {
		x, y := i%5, i/5
		from := (x+3*y)%5 + 5*x
		b[i] = bits.RotateLeft64(a[from], rotations[from])
	}

	for i := range a { // χ, Algorithm 4
		x, plane := i%5, i-i%5
		a[i] = b[i] ^ ^b[plane+(x+1)%5]&b[plane+(x+2)%5]
	}

	a[0] ^= rc // ι, Algorithm 6
}
