package slhdsa

// toInt is toInt(X, n) (FIPS 205, Algorithm 2): the integer that x holds, big
// endian. x has at most 8 bytes.
func toInt(x []byte) uint64 {
	total := uint64(0)
	for _, b := range x {
		total = total<<8 | uint64(b)
	}
	return total
}

// base2b is base_2^b(X, b, out_len) (FIPS 205, Algorithm 4): it fills baseb with
// b-bit digits of x, the most significant bit of each byte first. x holds at
// least len(baseb)·b bits, b is at most 25.
func base2b(baseb []uint32, x []byte, b int) {
	in, bits, total := 0, 0, uint32(0)
	for out := range baseb {
		for bits < b {
			total = total<<8 | uint32(x[in])
			in++
			bits += 8
		}
		bits -= b
		baseb[out] = total >> bits & (1<<b - 1)
	}
}

// messageToIndices is how SPHINCS+ round 3.1 cuts md into FORS leaf numbers of
// a bits: md is one string of bits that begins with the least significant bit
// of its first byte, and so does each number. FIPS 205 changed it to base_2^b.
// The round 3.1 test vectors are what settles this order.
func messageToIndices(indices []uint32, md []byte, a int) {
	bit := 0
	for i := range indices {
		indices[i] = 0
		for j := range a {
			indices[i] |= uint32(md[bit/8]>>(bit%8)&1) << j
			bit++
		}
	}
}
