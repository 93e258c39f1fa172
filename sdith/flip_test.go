package sdith

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"socsim/sdith/field"
)

// flips returns the bytes of a field to be changed: first, last and eight others, or all
// of them if there are no more than ten.
func flips(f Field, random *rand.Rand) []int {
	at := []int{f.Offset, f.Offset + f.Size - 1}
	if f.Size <= 10 {
		for i := 1; i < f.Size-1; i++ {
			at = append(at, f.Offset+i)
		}
		return at
	}
	for range 8 {
		at = append(at, f.Offset+1+random.IntN(f.Size-2))
	}
	return at
}

// A signature with any byte of any field changed is no signature.
func TestFlippedBytes(t *testing.T) {
	for i, p := range Sets {
		t.Run(p.Name, func(t *testing.T) {
			if testing.Short() && p != Cat1Fast {
				t.Skip("a slow set")
			}
			switch p.Lambda {
			case 128:
				testFlippedBytes[field.GF128](t, p, uint64(i))
			case 192:
				testFlippedBytes[field.GF192](t, p, uint64(i))
			case 256:
				testFlippedBytes[field.GF256](t, p, uint64(i))
			}
		})
	}
}

func testFlippedBytes[E field.Element[E]](t *testing.T, p *Params, seed uint64) {
	k, sk, sig := signKAT(t, p, 0)
	good, err := ParseSignature(p, sig)
	if err != nil {
		t.Fatal(err)
	}
	c, x := p.NewCipher(), p.NewXOF()
	istar, err := good.challenge(x)
	if err != nil {
		t.Fatal(err)
	}
	leaves := good.reopen(c, x, istar)

	random := rand.New(rand.NewPCG(seed, 0))
	changed := bytes.Clone(sig)
	for _, f := range p.SignatureFields() {
		for _, at := range flips(f, random) {
			change := byte(1 + random.IntN(255))
			changed[at] ^= change
			switch f.Name {
			case "corr", "a_plain", "dwit", "alpha":
				// The leaves, which take nearly all of the time, do not depend on these.
				s, err := ParseSignature(p, changed)
				if err == nil {
					v := leaves.clone()
					v.correct(istar, s.Correction)
					err = verifyLines[E](&sk.PublicKey, k.Msg, s, c, x, istar, v)
				}
				if err == nil {
					t.Errorf("%s: byte %d changed by %#02x is accepted", f.Name, at, change)
				}
			default:
				if err := sk.PublicKey.Verify(k.Msg, changed); !errors.Is(err, ErrSignature) {
					t.Errorf("%s: byte %d changed by %#02x: error %v, want %v", f.Name, at, change, err, ErrSignature)
				}
			}
			changed[at] ^= change
		}
	}
}

func (v *vole) clone() vole {
	c := vole{hCom: v.hCom, acc: makeRows(len(v.acc), len(v.acc[0])), base: makeRows(len(v.base), len(v.base[0]))}
	for i := range v.acc {
		copy(c.acc[i], v.acc[i])
	}
	for i := range v.base {
		copy(c.base[i], v.base[i])
	}
	return c
}

// Every byte of a signature, of a message and of a public key.
func TestEveryByte(t *testing.T) {
	if !*long {
		t.Skip("only with -long")
	}
	p := Cat1Fast
	k, sk, sig := signKAT(t, p, 1)
	pk := sk.PublicKey.Bytes()
	for name, b := range map[string][]byte{"signature": sig, "message": k.Msg, "public key": pk} {
		for at := range b {
			b[at] ^= 1 << (at % 8)
			changed, err := ParsePublicKey(p, pk)
			if err != nil {
				t.Fatal(err)
			}
			if err := changed.Verify(k.Msg, sig); !errors.Is(err, ErrSignature) {
				t.Errorf("%s: byte %d changed: error %v, want %v", name, at, err, ErrSignature)
			}
			b[at] ^= 1 << (at % 8)
		}
	}
}

// What the checks of a signature say. A signature is changed so that a certain one is
// the first to fail.
func TestReasons(t *testing.T) {
	p := Cat3Fast // the only category with unused bits in dwit
	k, sk, sig := signKAT(t, p, 0)
	fields := map[string]Field{}
	for _, f := range p.SignatureFields() {
		fields[f.Name] = f
	}
	at := func(name string, offset int) int {
		if offset < 0 {
			offset += fields[name].Size
		}
		return fields[name].Offset + offset
	}
	for _, test := range []struct {
		at     int
		reason string
	}{
		{at("dwit", -1), "dwit: bit 879 is set"},
		{at("ctr", 0), "ctr: 52 is no proof of work"},
		{at("h_piop", 0), "ctr: 180 is no proof of work"},
		{at("path", -1), "path: byte 3671 is not zero"},
		{at("path", 0), "h_piop is not"},
		{at("alpha", 0), "h_piop is not"},
	} {
		sig[test.at] ^= 0x80
		err := sk.PublicKey.Verify(k.Msg, sig)
		if err == nil || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("byte %d: error %v, want one with %q", test.at, err, test.reason)
		}
		sig[test.at] ^= 0x80
	}
	if err := sk.PublicKey.Verify(k.Msg, sig); err != nil {
		t.Errorf("after all changes were undone: %v", err)
	}
}
