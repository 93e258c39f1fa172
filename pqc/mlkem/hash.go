package mlkem

import "socsim/pqc/xof"

// The hash functions of FIPS 203, section 4.1, over the family of the scheme.

// h is H(s).
func (s *Scheme) h(message []byte) []byte {
	return s.sum(xof.Hash256, hashSize, message, nil)
}

// j is J(s), of s in two parts; round 3 calls it KDF.
func (s *Scheme) j(a, b []byte) []byte {
	return s.sum(xof.XOF256, SharedSecretSize, a, b)
}

// g is G(c), of c in two parts. Its result is two halves.
func (s *Scheme) g(a, b []byte) (first, second []byte) {
	out := s.sum(xof.Hash512, 2*hashSize, a, b)
	return out[:hashSize], out[hashSize:]
}

// prf is PRF_η(s, b), 64η bytes.
func (s *Scheme) prf(eta int, seed []byte, b int) []byte {
	return s.sum(xof.XOF256, 64*eta, seed, []byte{byte(b)})
}

func (s *Scheme) sum(m xof.Mode, size int, a, b []byte) []byte {
	out := make([]byte, size)
	state := s.hashes.Message(m)
	state.Absorb(a)
	state.Absorb(b)
	state.Squeeze(out)
	return out
}
