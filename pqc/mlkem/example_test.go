package mlkem_test

import (
	"bytes"
	"fmt"

	"socsim/pqc/mlkem"
	"socsim/pqc/xof"
)

func Example() {
	set, err := mlkem.SetByName("768")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := mlkem.New(set, mlkem.FIPS203, xof.SHAKE)
	if err != nil {
		fmt.Println(err)
		return
	}
	ek, dk, err := s.KeyGen(make([]byte, mlkem.SeedSize))
	fmt.Println(s.Name(), "keygen:", s.Permutations(), "permutations,", err)
	key, c, err := s.Encaps(ek, make([]byte, mlkem.MessageSize))
	fmt.Println("ciphertext of", len(c), "bytes:", s.Permutations(), "permutations,", err)
	again, err := s.Decaps(dk, c)
	fmt.Println("the same secret:", bytes.Equal(again, key), err)
	c[0] ^= 1
	again, err = s.Decaps(dk, c)
	fmt.Println("of another ciphertext:", bytes.Equal(again, key), err)
	// Output:
	// ML-KEM-768 keygen: 43 permutations, <nil>
	// ciphertext of 1088 bytes: 44 permutations, <nil>
	// the same secret: true <nil>
	// of another ciphertext: false <nil>
}
