package field

import "math/bits"

// every4 has every fourth bit set.
const every4 = 0x1111111111111111

// multiply returns the 127 coefficients of the product of two polynomials of 64.
//
// It is made of integer products. Their carries would reach into other
// coefficients; so each operand is cut into four, every one of which has only every
// fourth bit, and each bit of a product has room for a count up to 15. x has up to 16
// bits in a part; of y the highest four are left out for the time being, which leaves
// at most 15 in a part, and no count can be larger.
func multiply(x, y uint64) (hi, lo uint64) {
	x0, x1, x2, x3 := x&every4, x&(every4<<1), x&(every4<<2), x&(every4<<3)
	top := y >> 60
	y &= 1<<60 - 1
	y0, y1, y2, y3 := y&every4, y&(every4<<1), y&(every4<<2), y&(every4<<3)

	// The parts i and j meet in the coefficients i + j modulo 4.
	h0, l0 := bits.Mul64(x0, y0)
	h1, l1 := bits.Mul64(x1, y3)
	h2, l2 := bits.Mul64(x2, y2)
	h3, l3 := bits.Mul64(x3, y1)
	hi = (h0 ^ h1 ^ h2 ^ h3) & every4
	lo = (l0 ^ l1 ^ l2 ^ l3) & every4

	h0, l0 = bits.Mul64(x0, y1)
	h1, l1 = bits.Mul64(x1, y0)
	h2, l2 = bits.Mul64(x2, y3)
	h3, l3 = bits.Mul64(x3, y2)
	hi |= (h0 ^ h1 ^ h2 ^ h3) & (every4 << 1)
	lo |= (l0 ^ l1 ^ l2 ^ l3) & (every4 << 1)

	h0, l0 = bits.Mul64(x0, y2)
	h1, l1 = bits.Mul64(x1, y1)
	h2, l2 = bits.Mul64(x2, y0)
	h3, l3 = bits.Mul64(x3, y3)
	hi |= (h0 ^ h1 ^ h2 ^ h3) & (every4 << 2)
	lo |= (l0 ^ l1 ^ l2 ^ l3) & (every4 << 2)

	h0, l0 = bits.Mul64(x0, y3)
	h1, l1 = bits.Mul64(x1, y2)
	h2, l2 = bits.Mul64(x2, y1)
	h3, l3 = bits.Mul64(x3, y0)
	hi |= (h0 ^ h1 ^ h2 ^ h3) & (every4 << 3)
	lo |= (l0 ^ l1 ^ l2 ^ l3) & (every4 << 3)

	// The four bits left out, each times x.
	t0, t1, t2, t3 := x&-(top&1), x&-(top>>1&1), x&-(top>>2&1), x&-(top>>3)
	lo ^= t0<<60 ^ t1<<61 ^ t2<<62 ^ t3<<63
	hi ^= t0>>4 ^ t1>>3 ^ t2>>2 ^ t3>>1
	return hi, lo
}

// multiply2 returns the product of two polynomials of 128 coefficients, in words
// from the lowest on, by three products instead of four (Karatsuba).
func multiply2(x0, x1, y0, y1 uint64) (w0, w1, w2, w3 uint64) {
	w1, w0 = multiply(x0, y0)
	w3, w2 = multiply(x1, y1)
	hi, lo := multiply(x0^x1, y0^y1)
	lo ^= w0 ^ w2
	hi ^= w1 ^ w3
	return w0, w1 ^ lo, w2 ^ hi, w3
}

// fold7 returns w·(z^7 + z^2 + z + 1), what the word w is worth one field further
// down in GF(2^128) and GF(2^192).
func fold7(w uint64) (hi, lo uint64) {
	return w>>57 ^ w>>62 ^ w>>63, w<<7 ^ w<<2 ^ w<<1 ^ w
}

// fold10 returns w·(z^10 + z^5 + z^2 + 1), the same in GF(2^256).
func fold10(w uint64) (hi, lo uint64) {
	return w>>54 ^ w>>59 ^ w>>62, w<<10 ^ w<<5 ^ w<<2 ^ w
}
