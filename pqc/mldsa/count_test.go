package mldsa

import (
	"testing"

	"socsim/pqc/xof"
)

// shakePermutations is how many a message of that many bytes takes in all, with out
// bytes of output.
func shakePermutations(in, out int) uint64 { return uint64(in/136 + (out+135)/136) }

// leastPermutations are those of key generation, signing of m bytes (with M') that
// way, and verifying, when each sampler with rejection needs as few blocks as most
// do: 5 a polynomial of the matrix, 2 one of s₁ or s₂ (1 for η = 2 is about as
// frequent, and not assumed here), 1 for the challenge.
func (s *Scheme) leastPermutations(m, attempts int) (keyGen, sign, verify uint64) {
	matrix, short := uint64(5*s.K*s.L), uint64(s.K+s.L)
	if s.Eta == 4 {
		short *= 2
	}
	tr, mu := shakePermutations(s.PublicKeySize(), 64), shakePermutations(64+m, 64)
	challenge := shakePermutations(64+s.K*32*s.w1Bits(), s.cSize()) + 1
	keyGen = shakePermutations(34, 128) + matrix + short + tr
	sign = matrix + mu + shakePermutations(128, 64) + uint64(attempts)*(uint64(s.L)*shakePermutations(66, s.zSize())+challenge)
	return keyGen, sign, matrix + tr + mu + challenge
}

// Counts are the closed forms, and as many more as samplers took. What the matrix
// takes is the same in all three operations.
func TestPermutations(t *testing.T) {
	for _, p := range Sets {
		s := newScheme(t, p.Name, FIPS204, xof.SHAKE)
		if s.Permutations() != 0 {
			t.Errorf("%d permutations before the first operation", s.Permutations())
		}
		usual := 0 // seeds whose matrix needs no sixth block
		for seed := range byte(4) {
			pk, sk, err := s.KeyGen(append([]byte{seed}, make([]byte, 31)...))
			if err != nil {
				t.Fatal(err)
			}
			keyGen := s.Permutations()
			m := make([]byte, 33)
			sig, err := s.Sign(m, nil, sk, nil)
			if err != nil {
				t.Fatal(err)
			}
			sign, attempts := s.Permutations(), s.Attempts()
			if err := s.Verify(m, sig, nil, pk); err != nil || s.Attempts() != 0 {
				t.Error(err, s.Attempts())
			}
			leastKeyGen, leastSign, leastVerify := s.leastPermutations(2+len(m), attempts)
			more := s.Permutations() - leastVerify
			if more == 0 {
				usual++
			}
			if more > 3 || sign != leastSign+more || attempts < 1 {
				t.Errorf("%s, seed %d: signing took %d permutations, verifying %d, want %d and %d and as many more each",
					p.Name, seed, sign, s.Permutations(), leastSign, leastVerify)
			}
			if short := keyGen - leastKeyGen - more; short > uint64(s.K+s.L) {
				t.Errorf("%s, seed %d: key generation took %d permutations, %d more than the least", p.Name, seed, keyGen, short)
			}
		}
		if usual == 0 {
			t.Errorf("%s: every matrix needs a sixth block", p.Name)
		}
		if _, _, err := s.KeyGen(nil); err == nil || s.Permutations() != 0 {
			t.Errorf("failed keygen: error %v, %d permutations", err, s.Permutations())
		}
	}
}

// The representative messages of C2SP: over them the mean number of attempts is about
// the expected one of FIPS 204, table 1, which leaves out what the last two checks
// reject.
func TestAttempts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for name, want := range map[string]float64{"44": 4.25, "65": 5.1, "87": 3.85} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var messages []string
			readVectors(t, &messages, "mldsa", "cctv-benchmark-messages-"+name+".json")
			s := newScheme(t, name, FIPS204, xof.SHAKE)
			_, sk, err := s.KeyGen(make([]byte, SeedSize))
			if err != nil {
				t.Fatal(err)
			}
			attempts := 0
			for _, m := range messages {
				if _, err := s.Sign([]byte(m), nil, sk, nil); err != nil {
					t.Fatal(err)
				}
				attempts += s.Attempts()
			}
			if mean := float64(attempts) / float64(len(messages)); mean < 0.99*want || mean > 1.03*want {
				t.Errorf("%.3f attempts on average, want %.2f (FIPS 204, table 1)", mean, want)
			}
		})
	}
}

func BenchmarkSign65(b *testing.B) {
	s := newScheme(b, "65", FIPS204, xof.SHAKE)
	_, sk, err := s.KeyGen(make([]byte, SeedSize))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Sign(nil, nil, sk, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(s.Attempts()), "attempts")
}
