package field

import "encoding/binary"

// GF256 is an element of GF(2^256). The zero value is 0.
type GF256 struct {
	w0, w1, w2, w3 uint64 // the coefficients from z^0 on
}

// Size returns 32.
func (GF256) Size() int { return 32 }

// Load returns the element of the first 32 bytes of b.
func (GF256) Load(b []byte) GF256 {
	return GF256{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]),
		binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])}
}

// Bytes returns the 32 bytes of x.
func (x GF256) Bytes() []byte {
	b := make([]byte, 0, 32)
	for _, w := range [...]uint64{x.w0, x.w1, x.w2, x.w3} {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// Add returns x + y.
func (x GF256) Add(y GF256) GF256 {
	return GF256{x.w0 ^ y.w0, x.w1 ^ y.w1, x.w2 ^ y.w2, x.w3 ^ y.w3}
}

// Mul returns x·y, by Karatsuba's trick for the halves, too.
func (x GF256) Mul(y GF256) GF256 {
	w0, w1, w2, w3 := multiply2(x.w0, x.w1, y.w0, y.w1)
	w4, w5, w6, w7 := multiply2(x.w2, x.w3, y.w2, y.w3)
	m0, m1, m2, m3 := multiply2(x.w0^x.w2, x.w1^x.w3, y.w0^y.w2, y.w1^y.w3)
	m0 ^= w0 ^ w4
	m1 ^= w1 ^ w5
	m2 ^= w2 ^ w6
	m3 ^= w3 ^ w7
	w2 ^= m0
	w3 ^= m1
	w4 ^= m2
	w5 ^= m3

	hi, lo := fold10(w7)
	w4 ^= hi
	w3 ^= lo
	hi, lo = fold10(w6)
	w3 ^= hi
	w2 ^= lo
	hi, lo = fold10(w5)
	w2 ^= hi
	w1 ^= lo
	hi, lo = fold10(w4)
	return GF256{w0 ^ lo, w1 ^ hi, w2, w3}
}

// Shift returns z^k·x for 0 ≤ k ≤ 63.
func (x GF256) Shift(k int) GF256 {
	n := uint(k)
	hi, lo := fold10(x.w3 >> (64 - n))
	return GF256{x.w0<<n ^ lo, x.w1<<n ^ x.w0>>(64-n) ^ hi, x.w2<<n ^ x.w1>>(64-n), x.w3<<n ^ x.w2>>(64-n)}
}

// Inverse returns 1/x, or 0 for 0.
func (x GF256) Inverse() GF256 { return inverse(x) }

func (GF256) sum(tables [][2][16]GF256, bits []byte) GF256 {
	var x GF256
	tables = tables[:len(bits)]
	for i, b := range bits {
		s, t := &tables[i][0][b&15], &tables[i][1][b>>4]
		x.w0 ^= s.w0 ^ t.w0
		x.w1 ^= s.w1 ^ t.w1
		x.w2 ^= s.w2 ^ t.w2
		x.w3 ^= s.w3 ^ t.w3
	}
	return x
}
