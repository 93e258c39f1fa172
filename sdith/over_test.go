package sdith

import (
	"bytes"
	"testing"

	"socsim/pqc/xof"
)

// Over SHAKE128 from elsewhere a set is the same; over another XOF its signatures are
// others, and belong to it alone. All hashing goes through the XOF.
func TestOver(t *testing.T) {
	k, sk := katKey(t, Cat1Fast, 0)
	var made []xof.State
	over := func(f xof.Family) *Params {
		return Cat1Fast.Over(func() xof.State {
			made = append(made, f.Suite().Message(xof.XOF128))
			return made[len(made)-1]
		})
	}
	sign := func(p *Params) []byte {
		other, err := ParseSecretKey(p, sk.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		sig, err := other.Sign(k.Msg, k.SignEntropy)
		if err != nil {
			t.Fatal(err)
		}
		if err := other.PublicKey.Verify(k.Msg, sig); err != nil {
			t.Error(err)
		}
		return sig
	}
	want := sign(Cat1Fast)
	if !bytes.Equal(sign(over(xof.SHAKE)), want) {
		t.Error("over SHAKE128 it is another signature")
	}
	// Signing takes 291 attempts at a proof of work, verifying one.
	if len(made) != 2 || made[0].Permutations() != 924+291 || made[1].Permutations() != 924+1 {
		t.Errorf("%d XOFs, the first with %d permutations", len(made), made[0].Permutations())
	}
	other := sign(over(xof.ASCON))
	if bytes.Equal(other, want) || sk.PublicKey.Verify(k.Msg, other) == nil {
		t.Error("over Ascon it is the same scheme")
	}
	if Cat1Fast.newXOF != nil {
		t.Error("the set itself was changed")
	}
}
