package slhdsa

import "testing"

// cost is how many permutations a hash takes for in bytes of message and out bytes
// of output.
type cost func(in, out int) uint64

// shakeCost is that of SHAKE256: 136 bytes a block, and no output exceeds one.
func shakeCost(in, _ int) uint64 { return uint64(in)/136 + 1 }

// treePermutations is the work of one XMSS tree: 2^h' leaves of len secret
// values, 15 len chain steps and one T_len, and 2^h' - 1 inner nodes.
func treePermutations(p Params, c cost) uint64 {
	prf, f, h, tLen := c(2*p.N+32, p.N), c(2*p.N+32, p.N), c(3*p.N+32, p.N), c(p.N+32+p.len()*p.N, p.N)
	leaf := uint64(p.len())*(prf+15*f) + tLen
	leaves := uint64(1) << p.hPrime()
	return leaves*leaf + (leaves-1)*h
}

func keyGenPermutations(p Params, c cost) uint64 { return treePermutations(p, c) }

// signPermutations is the work of signing m bytes (context included): PRF_msg
// and H_msg; k FORS trees with two calls a leaf, and each signed secret once
// more; T_k; d XMSS trees.
func signPermutations(p Params, m int, c cost) uint64 {
	prf, f, h, tK := c(2*p.N+32, p.N), c(2*p.N+32, p.N), c(3*p.N+32, p.N), c(p.N+32+p.K*p.N, p.N)
	leaves := uint64(1) << p.A
	fors := uint64(p.K)*(leaves*(prf+f)+(leaves-1)*h+prf) + tK
	return c(2*p.N+m, p.N) + c(3*p.N+m, p.m()) + fors + uint64(p.D)*treePermutations(p, c)
}

// The numbers are known for the published code of round 3.1.
func TestPublishedCounts(t *testing.T) {
	s := newScheme(t, "128f", R3)
	if s.Permutations() != 0 {
		t.Errorf("%d permutations before the first operation", s.Permutations())
	}
	sk, pk, err := s.KeyGen(make([]byte, s.SeedSize()))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Permutations(); got != 4527 {
		t.Errorf("keygen took %d permutations, want 4527", got)
	}
	m := make([]byte, 33)
	sig, err := s.Sign(m, nil, sk, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Permutations(); got != 105937 {
		t.Errorf("sign took %d permutations, want 105937", got)
	}
	if err := s.Verify(m, sig, nil, pk); err != nil {
		t.Error(err)
	}

	// Verifying depends on the digits signed: each of the d·len chains takes 0
	// to 15 steps. Everything else is fixed.
	p := s.Params
	fixed := shakeCost(3*p.N+len(m), p.m()) + uint64(p.K*(1+p.A)) + shakeCost(p.N+32+p.K*p.N, p.N) +
		uint64(p.D)*(shakeCost(p.N+32+p.len()*p.N, p.N)+uint64(p.hPrime()))
	if got, most := s.Permutations(), fixed+uint64(p.D*p.len()*15); got <= fixed || got >= most {
		t.Errorf("verify took %d permutations, want between %d and %d", got, fixed, most)
	}

	// A call that fails before it hashes counts nothing.
	if _, _, err := s.KeyGen(nil); err == nil || s.Permutations() != 0 {
		t.Errorf("failed keygen: error %v, %d permutations", err, s.Permutations())
	}
}

// The closed forms give the published numbers too, so they can be trusted for
// the other sets.
func TestClosedForms(t *testing.T) {
	for _, p := range Sets {
		if p.Name != "128f" {
			continue
		}
		if got := keyGenPermutations(p, shakeCost); got != 4527 {
			t.Errorf("keygen %d, want 4527", got)
		}
		if got := signPermutations(p, 33, shakeCost); got != 105937 {
			t.Errorf("sign %d, want 105937", got)
		}
	}
}

func BenchmarkSign128f(b *testing.B) {
	s := newScheme(b, "128f", FIPS205)
	sk, _, err := s.KeyGen(make([]byte, s.SeedSize()))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Sign(nil, nil, sk, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Permutations()), "ns/permutation")
}
