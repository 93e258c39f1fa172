package mldsa

import "fmt"

// PublicKeyPart says in words what byte number at of a public key belongs to, for
// messages about a key that is not as it should be.
func (s *Scheme) PublicKeyPart(at int) string {
	switch {
	case at < 0 || at >= s.PublicKeySize():
		return "outside the public key"
	case at < hashSize:
		return "ρ"
	}
	return fmt.Sprintf("t₁[%d]", (at-hashSize)/t1PolySize)
}

// SecretKeyPart is the same for a secret key.
func (s *Scheme) SecretKeyPart(at int) string {
	if at < 0 || at >= s.SecretKeySize() {
		return "outside the secret key"
	}
	for _, part := range []struct {
		name        string
		size, times int
	}{
		{"ρ", hashSize, 1}, {"K", hashSize, 1}, {"tr", s.trSize(), 1},
		{"s₁", s.etaSize(), s.L}, {"s₂", s.etaSize(), s.K}, {"t₀", t0PolySize, s.K},
	} {
		if at < part.size*part.times {
			if part.times == 1 {
				return part.name
			}
			return fmt.Sprintf("%s[%d]", part.name, at/part.size)
		}
		at -= part.size * part.times
	}
	panic("BUG: mldsa: a secret key has parts for all of its bytes")
}

// SignaturePart is the same for a signature.
func (s *Scheme) SignaturePart(at int) string {
	switch z := at - s.cSize(); {
	case at < 0 || at >= s.SignatureSize():
		return "outside the signature"
	case z < 0:
		return "c̃"
	case z < s.L*s.zSize():
		return fmt.Sprintf("z[%d]", z/s.zSize())
	}
	return "h"
}
