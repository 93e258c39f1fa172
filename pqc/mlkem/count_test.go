package mlkem

import (
	"testing"

	"socsim/pqc/xof"
)

// shakePermutations is how many a message of that many bytes takes in all, with out
// bytes of output.
func shakePermutations(rate, in, out int) uint64 { return uint64(in/rate + (out+rate-1)/rate) }

// matrixPermutations is for a matrix no polynomial of which needs a fourth block.
func (p Params) matrixPermutations() uint64 { return uint64(3 * p.K * p.K) }

// keyGenPermutations, encapsPermutations and decapsPermutations are closed forms for
// such matrices.
func keyGenPermutations(p Params) uint64 {
	return shakePermutations(72, 33, 64) + p.matrixPermutations() + 2*uint64(p.K)*shakePermutations(136, 33, 64*p.Eta1) +
		shakePermutations(136, p.EncapsulationKeySize(), 32)
}

func (p Params) encryptPermutations() uint64 {
	return p.matrixPermutations() + uint64(p.K)*shakePermutations(136, 33, 64*p.Eta1) +
		uint64(p.K+1)*shakePermutations(136, 33, 64*p.Eta2)
}

func encapsPermutations(p Params) uint64 {
	return shakePermutations(136, p.EncapsulationKeySize(), 32) + shakePermutations(72, 64, 64) + p.encryptPermutations()
}

func decapsPermutations(p Params) uint64 {
	return shakePermutations(72, 64, 64) + shakePermutations(136, 32+p.CiphertextSize(), 32) + p.encryptPermutations()
}

// The numbers known for implementations without input checks.
func TestPermutations(t *testing.T) {
	for i, want := range [][3]uint64{{27, 26, 26}, {43, 44, 44}, {69, 70, 70}} {
		p := Sets[i]
		if got := [3]uint64{keyGenPermutations(p), encapsPermutations(p), decapsPermutations(p)}; got != want {
			t.Errorf("%s: closed forms give %d, want %d", p.Name, got, want)
		}
		s := newScheme(t, p.Name, FIPS203, xof.SHAKE)
		if s.Permutations() != 0 {
			t.Errorf("%d permutations before the first operation", s.Permutations())
		}
		usual := 0 // seeds without a fourth block
		for seed := range byte(8) {
			ek, dk, err := s.KeyGen(append([]byte{seed}, make([]byte, 63)...))
			if err != nil {
				t.Fatal(err)
			}
			var got [3]uint64
			got[0] = s.Permutations()
			_, c, err := s.Encaps(ek, make([]byte, 32))
			if err != nil {
				t.Fatal(err)
			}
			got[1] = s.Permutations()
			if _, err := s.Decaps(dk, c); err != nil {
				t.Fatal(err)
			}
			got[2] = s.Permutations()
			more := got[0] - want[0] // the same matrix, so the same in all three
			if got[0] < want[0] || got[1] != want[1]+more || got[2] != want[2]+more {
				t.Errorf("%s, seed %d: %d permutations, want %d and as many more each", p.Name, seed, got, want)
			}
			if more == 0 {
				usual++
			}
			if err := s.CheckDecapsulationKey(dk); err != nil || s.Permutations() != shakePermutations(136, len(ek), 32) {
				t.Errorf("%s: the check took %d permutations, %v", p.Name, s.Permutations(), err)
			}
			if err := s.CheckEncapsulationKey(ek); err != nil || s.Permutations() != 0 {
				t.Errorf("%s: the check took %d permutations, %v", p.Name, s.Permutations(), err)
			}
		}
		if usual == 0 {
			t.Errorf("%s: every matrix needs a fourth block", p.Name)
		}
		if _, _, err := s.KeyGen(nil); err == nil || s.Permutations() != 0 {
			t.Errorf("failed keygen: error %v, %d permutations", err, s.Permutations())
		}
	}
}

func BenchmarkEncaps768(b *testing.B) {
	s := newScheme(b, "768", FIPS203, xof.SHAKE)
	ek, _, err := s.KeyGen(make([]byte, SeedSize))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := s.Encaps(ek, make([]byte, 32)); err != nil {
			b.Fatal(err)
		}
	}
}
