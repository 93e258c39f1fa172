package sdith

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"socsim/sdith/field"
)

// smallSet draws a parameter set that is no one's, with trees of a few leaves and codes
// of a few columns: every shape the six sets have, and more, in microseconds.
func smallSet() *rapid.Generator[*Params] {
	return rapid.Custom(func(t *rapid.T) *Params {
		p := &Params{
			Name:   "small",
			Lambda: rapid.SampledFrom([]int{128, 192, 256}).Draw(t, "λ"),
			Kappa:  rapid.IntRange(1, 4).Draw(t, "κ"),
			Tau:    rapid.IntRange(1, 7).Draw(t, "τ"),
			Weight: rapid.IntRange(1, 4).Draw(t, "w"),
		}
		choices := 1
		for j := range p.Mu {
			p.Mu[j] = rapid.IntRange(3, 4).Draw(t, "μ")
			choices *= p.Mu[j]
		}
		p.BlockLength = rapid.IntRange(8, choices).Draw(t, "m")
		p.Codim = 8 * rapid.IntRange(1, min(p.CodeLength(), 4*p.Lambda)/8).Draw(t, "c")
		p.Open = min(p.Leaves()-1, p.Tau*(p.Kappa+3)) // more are never revealed
		p.PoWBits = rapid.IntRange(0, 3).Draw(t, "w_pow")
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		return p
	})
}

// drawn returns n bytes that were drawn.
func drawn(t *rapid.T, n int, what string) []byte {
	return rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, what)
}

// signSmall draws a key and a message and signs.
func signSmall(t *rapid.T, p *Params) (sk *SecretKey, msg, sig []byte) {
	sk, err := p.GenerateKey(drawn(t, 2*p.SeedSize(), "key entropy"))
	if err != nil {
		t.Fatal(err)
	}
	msg = rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "message")
	sig, err = sk.Sign(msg, drawn(t, 2*p.SeedSize(), "entropy"))
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	return sk, msg, sig
}

func TestSmallSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := smallSet().Draw(t, "set")
		sk, msg, sig := signSmall(t, p)

		// Keys and signature survive the journey through bytes.
		parsedSK, err := ParseSecretKey(p, sk.Bytes())
		if err != nil || !bytes.Equal(parsedSK.Bytes(), sk.Bytes()) {
			t.Fatalf("secret key parsed again: %v", err)
		}
		pk, err := ParsePublicKey(p, parsedSK.PublicKey.Bytes())
		if err != nil || !bytes.Equal(pk.Bytes(), sk.PublicKey.Bytes()) {
			t.Fatalf("public key parsed again: %v", err)
		}
		s, err := ParseSignature(p, sig)
		if err != nil || !bytes.Equal(s.Bytes(), sig) {
			t.Fatalf("signature parsed again: %v", err)
		}

		if err := pk.Verify(msg, sig); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		if err := pk.Verify(append(msg, 0), sig); !errors.Is(err, ErrSignature) {
			t.Fatalf("%+v: a longer message: error %v, want %v", p, err, ErrSignature)
		}
		// Not of ctr: with so few positions another counter often has the same challenge.
		at := rapid.IntRange(0, 8*(len(sig)-4)-1).Draw(t, "bit")
		sig[at/8] ^= 1 << (at % 8)
		if err := pk.Verify(msg, sig); err == nil {
			t.Fatalf("%+v: accepted with bit %d changed", p, at)
		}
	})
}

// Someone who has no witness can do all that a signer does, so that every hash is right.
// Then the last equation is what fails.
func TestCheating(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := smallSet().Draw(t, "set")
		sk, err := p.GenerateKey(drawn(t, 2*p.SeedSize(), "key entropy"))
		if err != nil {
			t.Fatal(err)
		}
		how := rapid.SampledFrom([]string{"y", "position", "two bits"}).Draw(t, "how")
		switch how {
		case "y":
			at := rapid.IntRange(0, p.Codim-1).Draw(t, "bit")
			sk.y = bytes.Clone(sk.y)
			sk.y[at/8] ^= 1 << (at % 8)
		case "position":
			positions, err := p.WitnessPositions(sk.wit)
			if err != nil {
				t.Fatal(err)
			}
			// The other column of a small block can be the same, but not of a block whose
			// columns are different unit vectors.
			if p.Codim < p.BlockLength {
				t.Skip("columns may be equal")
			}
			positions[0] = (positions[0] + 1) % p.BlockLength
			sk.wit = p.Witness(positions)
		case "two bits":
			sk.wit = bytes.Clone(sk.wit)
			sk.wit[0] |= 3
		}
		if _, err := ParseSecretKey(p, sk.Bytes()); (err != nil) != (how == "two bits") {
			t.Fatalf("%s: ParseSecretKey: error %v", how, err)
		}

		msg, entropy := drawn(t, 10, "message"), drawn(t, 2*p.SeedSize(), "entropy")
		if _, err := sk.Sign(msg, entropy); how != "two bits" && (err == nil || !strings.Contains(err.Error(), "wit is no witness")) {
			t.Fatalf("%s: Sign: error %v, want that wit is no witness", how, err)
		}
		var sig []byte
		switch p.Lambda {
		case 128:
			sig, err = cheat[field.GF128](sk, msg, entropy)
		case 192:
			sig, err = cheat[field.GF192](sk, msg, entropy)
		case 256:
			sig, err = cheat[field.GF256](sk, msg, entropy)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := sk.PublicKey.Verify(msg, sig); err == nil || !strings.Contains(err.Error(), "alpha is not") {
			t.Fatalf("%s: error %v, want one about alpha", how, err)
		}
	})
}

// cheat signs without looking whether there is a witness.
func cheat[E field.Element[E]](k *SecretKey, msg, entropy []byte) ([]byte, error) {
	s := newSigning[E](k, msg, entropy)
	s.expand()
	s.respond()
	s.prove()
	if err := s.open(); err != nil {
		return nil, err
	}
	return s.signature().Bytes(), nil
}

// A bit of every byte of a signature of one small set of each field, but of ctr.
func TestEveryByteOfSmallSets(t *testing.T) {
	for _, lambda := range []int{128, 192, 256} {
		t.Run(fmt.Sprint(lambda), func(t *testing.T) {
			p := &Params{"small", lambda, 2, 3, 6, 1, 2, 50, [levels]int{3, 4, 4, 3}, 64, nil}
			sk, err := p.GenerateKey(make([]byte, 2*p.SeedSize()))
			if err != nil {
				t.Fatal(err)
			}
			sig, err := sk.Sign(nil, make([]byte, 2*p.SeedSize()))
			if err != nil {
				t.Fatal(err)
			}
			if err := sk.PublicKey.Verify(nil, sig); err != nil {
				t.Fatal(err)
			}
			for at := range len(sig) - 4 {
				sig[at] ^= 1 << (at % 8)
				if err := sk.PublicKey.Verify(nil, sig); err == nil {
					t.Errorf("accepted with bit %d of byte %d changed", at%8, at)
				}
				sig[at] ^= 1 << (at % 8)
			}
		})
	}
}
