package mlkem

// byteEncode appends ByteEncode_d(F) to b (FIPS 203, Algorithm 5): the d low bits
// of each number, least significant bit first, 32·d bytes.
func byteEncode[T ~[n]uint16](b []byte, f T, d int) []byte {
	bits, held := uint32(0), 0
	for _, a := range f {
		bits |= uint32(a) << held
		for held += d; held >= 8; held -= 8 {
			b = append(b, byte(bits))
			bits >>= 8
		}
	}
	return b
}

// byteDecode is ByteDecode_d(B) (FIPS 203, Algorithm 6) of the first 32·d bytes of
// b, without the reduction modulo q that the standard makes for d = 12.
func byteDecode(b []byte, d int) (f [n]uint16) {
	bits, held := uint32(0), 0
	for i := range f {
		for held < d {
			bits |= uint32(b[0]) << held
			b = b[1:]
			held += 8
		}
		f[i] = uint16(bits & (1<<d - 1))
		bits >>= d
		held -= d
	}
	return f
}

// reduce takes every number modulo q.
func reduce(f [n]uint16) [n]uint16 {
	for i := range f {
		f[i] %= q
	}
	return f
}

// compress is Compress_d (FIPS 203, section 4.2.1, formula 4.7): ⌈2^d/q · x⌋ modulo
// 2^d, where halves are rounded up. There are none, as q is odd.
func compress(x ringElement, d int) (y [n]uint16) {
	for i, c := range x {
		y[i] = uint16((uint32(c)<<d + q/2) / q & (1<<d - 1))
	}
	return y
}

// decompress is Decompress_d (formula 4.8): ⌈q/2^d · y⌋.
func decompress(y [n]uint16, d int) (x ringElement) {
	for i, c := range y {
		x[i] = uint16((uint32(c)*q + 1<<(d-1)) >> d)
	}
	return x
}
