package sdith_test

import (
	"fmt"

	"socsim/sdith"
)

// A known answer of the submission, made again.
func Example() {
	p := sdith.Cat1Fast
	k, err := p.KAT(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	sk, err := p.GenerateKey(k.KeyEntropy)
	if err != nil {
		fmt.Println(err)
		return
	}
	sig, err := sk.Sign(k.Msg, k.SignEntropy)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d bytes: %x ... %x\n", len(sig), sig[:8], sig[len(sig)-8:])

	pk, err := sdith.ParsePublicKey(p, sk.PublicKey.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pk.Verify(k.Msg, sig))
	sig[0] ^= 1
	fmt.Println(pk.Verify(k.Msg, sig))

	// Output:
	// 4484 bytes: 8626ed79d4511408 ... fd11b1d122010000
	// <nil>
	// sdith cat1_fast: signature does not verify: h_piop is not what key, message and signature hash to
}
