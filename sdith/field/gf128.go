package field

import "encoding/binary"

// GF128 is an element of GF(2^128). The zero value is 0.
type GF128 struct {
	w0, w1 uint64 // the coefficients from z^0 on
}

// Size returns 16.
func (GF128) Size() int { return 16 }

// Load returns the element of the first 16 bytes of b.
func (GF128) Load(b []byte) GF128 {
	return GF128{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

// Bytes returns the 16 bytes of x.
func (x GF128) Bytes() []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, x.w0), x.w1)
}

// Add returns x + y.
func (x GF128) Add(y GF128) GF128 { return GF128{x.w0 ^ y.w0, x.w1 ^ y.w1} }

// Mul returns x·y.
func (x GF128) Mul(y GF128) GF128 {
	w0, w1, w2, w3 := multiply2(x.w0, x.w1, y.w0, y.w1)
	hi, lo := fold7(w3)
	w2 ^= hi
	w1 ^= lo
	hi, lo = fold7(w2)
	return GF128{w0 ^ lo, w1 ^ hi}
}

// Shift returns z^k·x for 0 ≤ k ≤ 63.
func (x GF128) Shift(k int) GF128 {
	n := uint(k)
	hi, lo := fold7(x.w1 >> (64 - n))
	return GF128{x.w0<<n ^ lo, x.w1<<n ^ x.w0>>(64-n) ^ hi}
}

// Inverse returns 1/x, or 0 for 0.
func (x GF128) Inverse() GF128 { return inverse(x) }

func (GF128) sum(tables [][2][16]GF128, bits []byte) GF128 {
	var x GF128
	tables = tables[:len(bits)]
	for i, b := range bits {
		s, t := &tables[i][0][b&15], &tables[i][1][b>>4]
		x.w0 ^= s.w0 ^ t.w0
		x.w1 ^= s.w1 ^ t.w1
	}
	return x
}
