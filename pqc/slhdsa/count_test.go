package slhdsa

import "testing"

// Permutations of SHAKE256 (136 bytes a block) for a message of n bytes with
// less than a block of output.
func blocks(n int) uint64 { return uint64(n)/136 + 1 }

// treePermutations is the work of one XMSS tree: 2^h' leaves of len secret
// values, 15 len chain steps and one T_len, and 2^h' - 1 inner nodes.
func treePermutations(p Params) uint64 {
	leaf := 16*uint64(p.len()) + blocks(p.N+32+p.len()*p.N)
	leaves := uint64(1) << p.hPrime()
	return leaves*leaf + leaves - 1
}

func keyGenPermutations(p Params) uint64 { return treePermutations(p) }

// signPermutations is the work of signing m bytes (context included): PRF_msg
// and H_msg; k FORS trees with two calls a leaf, and each signed secret once
// more; T_k; d XMSS trees.
func signPermutations(p Params, m int) uint64 {
	leaves := uint64(1) << p.A
	fors := uint64(p.K) * (2*leaves + leaves - 1 + 1)
	return blocks(2*p.N+m) + blocks(3*p.N+m) + fors + blocks(p.N+32+p.K*p.N) + uint64(p.D)*treePermutations(p)
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
	fixed := blocks(3*p.N+len(m)) + uint64(p.K*(1+p.A)) + blocks(p.N+32+p.K*p.N) +
		uint64(p.D)*(blocks(p.N+32+p.len()*p.N)+uint64(p.hPrime()))
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
		if got := keyGenPermutations(p); got != 4527 {
			t.Errorf("keygen %d, want 4527", got)
		}
		if got := signPermutations(p, 33); got != 105937 {
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
