package mldsa

import "socsim/pqc/xof"

// How many bytes samplers with rejection take of their XOF at a time: the least
// that holds whole samples and, over Ascon, whole blocks. Blocks of SHAKE128 and
// SHAKE256 are multiples of these, so over SHAKE as many permutations are made as with
// the single bytes and triples of the standard; over Ascon firmware need not stop
// within a group either.
const (
	tripleGroup = 24
	byteGroup   = 8
)

// groups returns a function that gives the next n bytes of an XOF's output, taken
// from it in groups of size bytes. n divides size.
func groups(state xof.State, size int) func(n int) []byte {
	buf := make([]byte, size)
	var left []byte
	return func(n int) []byte {
		if len(left) == 0 {
			left = buf
			state.Squeeze(left)
		}
		out := left[:n]
		left = left[n:]
		return out
	}
}

// h is H(str, size) of a message in parts.
func (s *Scheme) h(size int, parts ...[]byte) []byte {
	out := make([]byte, size)
	state := s.hashes.Message(xof.XOF256)
	for _, part := range parts {
		state.Absorb(part)
	}
	state.Squeeze(out)
	return out
}

// sampleInBall is SampleInBall (FIPS 204, Algorithm 29).
func (s *Scheme) sampleInBall(ρ []byte) (c ringElement) {
	state := s.hashes.Message(xof.XOF256)
	state.Absorb(ρ)
	next := groups(state, byteGroup)
	signs := uint64(0)
	for i, b := range next(8) {
		signs |= uint64(b) << (8 * i)
	}
	for i := n - s.Tau; i < n; i++ {
		j := int(next(1)[0])
		for j > i {
			j = int(next(1)[0])
		}
		c[i] = c[j]
		c[j] = element(1 - 2*int32(signs&1))
		signs >>= 1
	}
	return c
}

// rejNTTPoly is RejNTTPoly (FIPS 204, Algorithm 30), with CoeffFromThreeBytes
// (Algorithm 14) in the loop.
func (s *Scheme) rejNTTPoly(ρ []byte, column, row int) (a nttElement) {
	state := s.hashes.Message(xof.XOF128)
	state.Absorb(ρ)
	state.Absorb([]byte{byte(column), byte(row)})
	next := groups(state, tripleGroup)
	for j := 0; j < n; {
		b := next(3)
		if z := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2]&0x7f)<<16; z < q {
			a[j] = z
			j++
		}
	}
	return a
}

// rejBoundedPoly is RejBoundedPoly (FIPS 204, Algorithm 31).
func (s *Scheme) rejBoundedPoly(ρ []byte, r int) (a ringElement) {
	state := s.hashes.Message(xof.XOF256)
	state.Absorb(ρ)
	state.Absorb([]byte{byte(r), byte(r >> 8)})
	next := groups(state, byteGroup)
	for j := 0; j < n; {
		z := next(1)[0]
		for _, b := range []byte{z & 15, z >> 4} {
			if c, ok := s.coeffFromHalfByte(b); ok && j < n {
				a[j] = element(c)
				j++
			}
		}
	}
	return a
}

// coeffFromHalfByte is CoeffFromHalfByte (FIPS 204, Algorithm 15).
func (s *Scheme) coeffFromHalfByte(b byte) (c int32, ok bool) {
	switch {
	case s.Eta == 2 && b < 15:
		return 2 - int32(b%5), true
	case s.Eta == 4 && b < 9:
		return 4 - int32(b), true
	}
	return 0, false
}

// expandA is ExpandA (FIPS 204, Algorithm 32).
func (s *Scheme) expandA(ρ []byte) [][]nttElement {
	a := make([][]nttElement, s.K)
	for r := range a {
		a[r] = make([]nttElement, s.L)
		for column := range a[r] {
			a[r][column] = s.rejNTTPoly(ρ, column, r)
		}
	}
	return a
}

// expandS is ExpandS (FIPS 204, Algorithm 33).
func (s *Scheme) expandS(ρ []byte) (s1, s2 []ringElement) {
	s1, s2 = make([]ringElement, s.L), make([]ringElement, s.K)
	for r := range s1 {
		s1[r] = s.rejBoundedPoly(ρ, r)
	}
	for r := range s2 {
		s2[r] = s.rejBoundedPoly(ρ, s.L+r)
	}
	return s1, s2
}

// expandMask is ExpandMask (FIPS 204, Algorithm 34).
func (s *Scheme) expandMask(ρ []byte, μ int) []ringElement {
	y := make([]ringElement, s.L)
	for r := range y {
		nonce := μ + r
		v := s.h(s.zSize(), ρ, []byte{byte(nonce), byte(nonce >> 8)})
		y[r] = bitUnpack(v, s.zBits(), s.Gamma1)
	}
	return y
}
