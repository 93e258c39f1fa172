package mldsa_test

import (
	"fmt"

	"socsim/pqc/mldsa"
	"socsim/pqc/xof"
)

func Example() {
	set, err := mldsa.SetByName("65")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := mldsa.New(set, mldsa.FIPS204, xof.SHAKE)
	if err != nil {
		fmt.Println(err)
		return
	}
	pk, sk, err := s.KeyGen(make([]byte, mldsa.SeedSize))
	fmt.Println(s.Name(), "keygen:", s.Permutations(), "permutations,", err)
	sig, err := s.Sign([]byte("message"), []byte("context"), sk, nil)
	fmt.Println("signature of", len(sig), "bytes:", s.Attempts(), "attempts,", s.Permutations(), "permutations,", err)
	fmt.Println("verify:", s.Verify([]byte("message"), sig, []byte("context"), pk))
	fmt.Println("verify:", s.Verify([]byte("massage"), sig, []byte("context"), pk))
	// Output:
	// ML-DSA-65 keygen: 188 permutations, <nil>
	// signature of 3309 bytes: 8 attempts, 416 permutations, <nil>
	// verify: <nil>
	// verify: ML-DSA-65: signature does not verify: it leads to another c̃
}
