package rijndael

import "math/bits"

// double is the product with 2 in GF(2^8) (FIPS 197, section 4.2).
func double(b byte) byte { return b<<1 ^ b>>7*0x1b }

// sbox is the S-box (FIPS 197, section 5.1.1): the inverse in GF(2^8), with 0 for 0,
// then an affine map.
var sbox = makeSbox()

func makeSbox() (s [256]byte) {
	// 3 generates all elements but 0, so that the inverse of 3^i is 3^(255-i).
	var powers [256]byte
	powers[0] = 1
	for i := 1; i < len(powers); i++ {
		powers[i] = powers[i-1] ^ double(powers[i-1])
	}
	s[0] = 0x63
	for i := range 255 {
		b := powers[255-i]
		s[powers[i]] = b ^ bits.RotateLeft8(b, 1) ^ bits.RotateLeft8(b, 2) ^ bits.RotateLeft8(b, 3) ^ bits.RotateLeft8(b, 4) ^ 0x63
	}
	return s
}

// boxes holds for each byte of a word, by what it is made from, what SubWord makes of
// it, in both words of a pair.
var boxes = makeBoxes()

func makeBoxes() (t [4][256]pair) {
	for b, s := range sbox {
		for i := range t {
			t[i][b] = both * pair(s) << (8 * i)
		}
	}
	return t
}

// tables holds for each byte of a pair of columns, by the byte it is made from, what
// that contributes to the pair after SubBytes and MixColumns (proposal, section 5.2.1).
type tables [8][256]pair

var mixed = makeMixed()

func makeMixed() (t tables) {
	for b, s := range sbox {
		s2 := double(s)
		column := uint32(s2) | uint32(s)<<8 | uint32(s)<<16 | uint32(s^s2)<<24
		for row := range 4 {
			t[row][b] = pair(bits.RotateLeft32(column, 8*row))
			t[row+4][b] = t[row][b] << 32
		}
	}
	return t
}
