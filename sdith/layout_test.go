package sdith

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestWrongLengths(t *testing.T) {
	for _, p := range Sets {
		sk, err := p.GenerateKey(make([]byte, 2*p.SeedSize()))
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			what string
			size int
			use  func(b []byte) error
		}{
			{"public key", p.PublicKeySize(), func(b []byte) error { _, err := ParsePublicKey(p, b); return err }},
			{"secret key", p.SecretKeySize(), func(b []byte) error { _, err := ParseSecretKey(p, b); return err }},
			{"signature", p.SignatureSize(), func(b []byte) error { _, err := ParseSignature(p, b); return err }},
			{"signature", p.SignatureSize(), func(b []byte) error { return sk.PublicKey.Verify(nil, b) }},
			{"entropy", 2 * p.SeedSize(), func(b []byte) error { _, err := p.GenerateKey(b); return err }},
			{"entropy", 2 * p.SeedSize(), func(b []byte) error { _, err := sk.Sign(nil, b); return err }},
		} {
			for _, size := range []int{0, test.size - 1, test.size + 1} {
				err := test.use(make([]byte, size))
				want := fmt.Sprintf("want %d", test.size)
				if err == nil || !strings.Contains(err.Error(), p.Name) || !strings.Contains(err.Error(), test.what) || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %s of %d bytes: error %v", p.Name, test.what, size, err)
				}
			}
		}
	}
}

func TestMalformedSecretKeys(t *testing.T) {
	for _, test := range []struct {
		p      *Params
		set    []int // bits of wit, all others are 0
		reason string
	}{
		{Cat1Fast, nil, ""},
		{Cat1Fast, []int{0, 3, 6, 9}, ""}, // position 1 + 4 + 16 + 64
		{Cat1Fast, []int{3, 7, 10}, ""},   // position 4 + 2·16 + 2·64 = 164
		{Cat1Fast, []int{5, 7, 10}, ""},   // position 3·4 + 32 + 128 = 172
		{Cat1Fast, []int{4, 8, 10}, ""},   // position 2·4 + 3·16 + 2·64 = 184, the last one
		{Cat1Fast, []int{0, 4, 8, 10}, "block 0 has position 185"},
		{Cat1Fast, []int{2, 5, 8, 10}, "block 0 has position 191"},
		{Cat1Fast, []int{11, 15, 19, 21}, "block 1 has position 185"},
		{Cat1Fast, []int{0, 1}, "block 0, level 0: bits 0 and 1 are set"},
		{Cat1Fast, []int{0, 2}, "block 0, level 0: bits 0 and 2 are set"},
		{Cat1Fast, []int{9, 10}, "block 0, level 3: bits 9 and 10 are set"},
		{Cat1Fast, []int{614, 615}, "block 55, level 3: bits 614 and 615 are set"},
		{Cat3Fast, []int{869, 872, 875}, "block 72 has position 252"},
		{Cat3Fast, []int{876}, "bit 876 is set"},
		{Cat3Short, []int{879}, "bit 879 is set"},
		{Cat5Fast, []int{2, 5, 8, 10}, "block 0 has position 191"},
	} {
		b := make([]byte, test.p.SecretKeySize())
		for _, i := range test.set {
			b[2*test.p.SeedSize()+i/8] |= 1 << (i % 8)
		}
		k, err := ParseSecretKey(test.p, b)
		switch {
		case test.reason == "" && (err != nil || !bytes.Equal(k.Bytes(), b)):
			t.Errorf("%s, bits %v: %v", test.p.Name, test.set, err)
		case test.reason != "" && (err == nil || !strings.Contains(err.Error(), test.reason)):
			t.Errorf("%s, bits %v: error %v, want one with %q", test.p.Name, test.set, err, test.reason)
		}
	}
}

// A parsed key keeps no hold of what it was parsed from.
func TestKeysAreCopies(t *testing.T) {
	p := Cat1Fast
	k, sk := katKey(t, p, 0)
	skBytes, pkBytes := sk.Bytes(), sk.PublicKey.Bytes()
	parsedSK, err := ParseSecretKey(p, skBytes)
	if err != nil {
		t.Fatal(err)
	}
	parsedPK, err := ParsePublicKey(p, pkBytes)
	if err != nil {
		t.Fatal(err)
	}
	made, err := p.GenerateKey(k.KeyEntropy)
	if err != nil {
		t.Fatal(err)
	}
	clear(skBytes)
	clear(pkBytes)
	clear(k.KeyEntropy)
	if !bytes.Equal(parsedSK.Bytes(), sk.Bytes()) || !bytes.Equal(parsedPK.Bytes(), sk.PublicKey.Bytes()) || !bytes.Equal(made.Bytes(), sk.Bytes()) {
		t.Error("a key changed with the bytes it was made from")
	}
}

func TestSignatureFields(t *testing.T) {
	for _, p := range Sets {
		end := 0
		for _, f := range p.SignatureFields() {
			if f.Offset != end || f.Size <= 0 {
				t.Errorf("%s: %s is %d bytes from %d on, the field before ends at %d", p.Name, f.Name, f.Size, f.Offset, end)
			}
			end += f.Size
		}
		if end != p.SignatureSize() {
			t.Errorf("%s: fields end at %d of %d bytes", p.Name, end, p.SignatureSize())
		}
	}
}

func TestUnusedBit(t *testing.T) {
	for _, test := range []struct {
		b       []byte
		n, want int
	}{
		{[]byte{0xff, 0x0f}, 12, -1},
		{[]byte{0xff, 0x1f}, 12, 12},
		{[]byte{0xff, 0x80}, 12, 15},
		{[]byte{0xff, 0xff}, 16, -1},
		{[]byte{0xff, 0x00, 0x02}, 8, 17},
	} {
		if got := unusedBit(test.b, test.n); got != test.want {
			t.Errorf("%x, %d bits: got %d, want %d", test.b, test.n, got, test.want)
		}
	}
}
