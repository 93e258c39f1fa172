package field

import "encoding/binary"

// GF192 is an element of GF(2^192). The zero value is 0.
type GF192 struct {
	w0, w1, w2 uint64 // the coefficients from z^0 on
}

// Size returns 24.
func (GF192) Size() int { return 24 }

// Load returns the element of the first 24 bytes of b.
func (GF192) Load(b []byte) GF192 {
	return GF192{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])}
}

// Bytes returns the 24 bytes of x.
func (x GF192) Bytes() []byte {
	b := make([]byte, 0, 24)
	for _, w := range [...]uint64{x.w0, x.w1, x.w2} {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// Add returns x + y.
func (x GF192) Add(y GF192) GF192 { return GF192{x.w0 ^ y.w0, x.w1 ^ y.w1, x.w2 ^ y.w2} }

// Mul returns x·y. It takes six products of words instead of nine: Karatsuba's
// trick for each pair of words.
func (x GF192) Mul(y GF192) GF192 {
	w1, w0 := multiply(x.w0, y.w0)
	h1, l1 := multiply(x.w1, y.w1)
	w5, w4 := multiply(x.w2, y.w2)
	h01, l01 := multiply(x.w0^x.w1, y.w0^y.w1)
	h02, l02 := multiply(x.w0^x.w2, y.w0^y.w2)
	h12, l12 := multiply(x.w1^x.w2, y.w1^y.w2)

	w2 := l02 ^ w0 ^ w4 ^ l1
	w3 := h02 ^ w1 ^ w5 ^ h1
	w2 ^= h01 ^ w1 ^ h1
	w1 ^= l01 ^ w0 ^ l1
	w3 ^= l12 ^ l1 ^ w4
	w4 ^= h12 ^ h1 ^ w5

	hi, lo := fold7(w5)
	w3 ^= hi
	w2 ^= lo
	hi, lo = fold7(w4)
	w2 ^= hi
	w1 ^= lo
	hi, lo = fold7(w3)
	return GF192{w0 ^ lo, w1 ^ hi, w2}
}

// Shift returns z^k·x for 0 ≤ k ≤ 63.
func (x GF192) Shift(k int) GF192 {
	n := uint(k)
	hi, lo := fold7(x.w2 >> (64 - n))
	return GF192{x.w0<<n ^ lo, x.w1<<n ^ x.w0>>(64-n) ^ hi, x.w2<<n ^ x.w1>>(64-n)}
}

// Inverse returns 1/x, or 0 for 0.
func (x GF192) Inverse() GF192 { return inverse(x) }

func (GF192) sum(tables [][2][16]GF192, bits []byte) GF192 {
	var x GF192
	tables = tables[:len(bits)]
	for i, b := range bits {
		s, t := &tables[i][0][b&15], &tables[i][1][b>>4]
		x.w0 ^= s.w0 ^ t.w0
		x.w1 ^= s.w1 ^ t.w1
		x.w2 ^= s.w2 ^ t.w2
	}
	return x
}
