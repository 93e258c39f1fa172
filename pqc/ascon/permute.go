// Package ascon is the permutation Ascon-p with up to 12 rounds, and the sponge
// over it, which counts its permutations.
//
// Two incompatible Ascons are in use: [v1.2], which won NIST's competition for
// lightweight cryptography and whose words are big endian, and [SP 800-232], the
// standard made of it, whose words are little endian and whose initial values are
// others. The hashes and XOFs of both are values of one struct, [Spec]. Messages
// are whole bytes. Left out, because nothing here needs them: authenticated
// encryption, the customization string of Ascon-CXOF128, the permutations of 13 to
// 16 rounds that SP 800-232 keeps for the future, and protection against side
// channels.
//
// [v1.2]: https://csrc.nist.gov/CSRC/media/Projects/lightweight-cryptography/documents/finalist-round/updated-spec-doc/ascon-spec-final.pdf
// [SP 800-232]: https://doi.org/10.6028/NIST.SP.800-232
package ascon

import (
	"fmt"
	"math/bits"
)

// MaxRounds is the number of rounds of the longest permutation that a hash uses
// (v1.2, section 2.2, table 2; SP 800-232, section 5).
const MaxRounds = 12

// roundConstants are what p_C adds to x2 in the rounds of p^12 (v1.2, section
// 2.6.1, table 4): one digit counts down while the other counts up.
var roundConstants = [MaxRounds]uint64{
	0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b,
}

// Permute applies rounds rounds p = p_L ∘ p_S ∘ p_C (v1.2, section 2.6; SP 800-232,
// section 3) to the words x0 to x4 of the state. Both documents have the same
// permutation of integers; they differ in which byte of a message goes where in a
// word. Fewer than 12 rounds are always the last ones of the 12, as both have it.
// Asking for more than 12 or fewer than 0 rounds is a bug of the caller.
func Permute(x *[5]uint64, rounds int) {
	if rounds < 0 || rounds > MaxRounds {
		panic(fmt.Sprintf("BUG: Ascon-p with %d rounds, the range is 0 to %d", rounds, MaxRounds))
	}
	x0, x1, x2, x3, x4 := x[0], x[1], x[2], x[3], x[4]
	for _, c := range roundConstants[MaxRounds-rounds:] {
		x2 ^= c // p_C

		// p_S, the S-box on 64 columns at once (v1.2, section 2.6.2, figure 4a): the
		// step s is χ of Keccak, and what stands around it is linear.
		x0 ^= x4
		x4 ^= x3
		x2 ^= x1
		s0 := x0 ^ x2&^x1
		s1 := x1 ^ x3&^x2
		s2 := x2 ^ x4&^x3
		s3 := x3 ^ x0&^x4
		s4 := x4 ^ x1&^x0
		s1 ^= s0
		s3 ^= s2
		s0 ^= s4
		s2 = ^s2

		// p_L, Σ0 to Σ4 (v1.2, section 2.6.3, figure 4b): the document rotates to the
		// right, so the counts are negative.
		x0 = s0 ^ bits.RotateLeft64(s0, -19) ^ bits.RotateLeft64(s0, -28)
		x1 = s1 ^ bits.RotateLeft64(s1, -61) ^ bits.RotateLeft64(s1, -39)
		x2 = s2 ^ bits.RotateLeft64(s2, -1) ^ bits.RotateLeft64(s2, -6)
		x3 = s3 ^ bits.RotateLeft64(s3, -10) ^ bits.RotateLeft64(s3, -17)
		x4 = s4 ^ bits.RotateLeft64(s4, -7) ^ bits.RotateLeft64(s4, -41)
	}
	*x = [5]uint64{x0, x1, x2, x3, x4}
}
