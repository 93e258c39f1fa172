package mlkem

import "socsim/pqc/xof"

// sampleGroup is how many bytes sampleNTT takes of its XOF at a time: the least that
// holds whole triples and, over Ascon, whole blocks. A block of SHAKE128 holds seven
// of it, so over SHAKE as many permutations are made as with the triples of the
// standard; over Ascon firmware need not stop within a group either.
const sampleGroup = 24

// sampleNTT is SampleNTT(ρ ‖ j ‖ i) (FIPS 203, Algorithm 7).
func (s *Scheme) sampleNTT(ρ []byte, j, i int) (a nttElement) {
	state := s.hashes.Message(xof.XOF128)
	state.Absorb(ρ)
	state.Absorb([]byte{byte(j), byte(i)})
	var group [sampleGroup]byte
	c, at := group[sampleGroup:], 0
	for at < n {
		if len(c) == 0 {
			c = group[:]
			state.Squeeze(c)
		}
		d1 := uint16(c[0]) | uint16(c[1]&15)<<8
		d2 := uint16(c[1])>>4 | uint16(c[2])<<4
		c = c[3:]
		if d1 < q {
			a[at] = d1
			at++
		}
		if d2 < q && at < n {
			a[at] = d2
			at++
		}
	}
	return a
}

// samplePolyCBD is SamplePolyCBD_η(B) (FIPS 203, Algorithm 8).
func samplePolyCBD(b []byte, eta int) (f ringElement) {
	bit := func(i int) uint16 { return uint16(b[i/8] >> (i % 8) & 1) }
	for i := range f {
		var x, y uint16
		for j := range eta {
			x += bit(2*i*eta + j)
			y += bit(2*i*eta + eta + j)
		}
		f[i] = (x + q - y) % q
	}
	return f
}
