package slhdsa_test

import (
	"fmt"

	"socsim/pqc/slhdsa"
	"socsim/pqc/xof"
)

func Example() {
	set, err := slhdsa.SetByName("128f")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := slhdsa.New(set, slhdsa.FIPS205, xof.SHAKE.Functions[xof.XOF256])
	if err != nil {
		fmt.Println(err)
		return
	}
	sk, pk, err := s.KeyGen(make([]byte, s.SeedSize()))
	fmt.Println(s.Name(), "keygen:", s.Permutations(), "permutations,", err)
	sig, err := s.Sign([]byte("message"), []byte("context"), sk, nil)
	fmt.Println("signature of", len(sig), "bytes:", s.Permutations(), "permutations,", err)
	fmt.Println("verify:", s.Verify([]byte("message"), sig, []byte("context"), pk))
	fmt.Println("verify:", s.Verify([]byte("massage"), sig, []byte("context"), pk))
	// Output:
	// SLH-DSA-SHAKE-128f keygen: 4527 permutations, <nil>
	// signature of 17088 bytes: 105937 permutations, <nil>
	// verify: <nil>
	// verify: SLH-DSA-SHAKE-128f: signature does not verify: it leads to another root than PK.root
}
