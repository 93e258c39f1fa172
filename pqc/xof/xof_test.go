package xof

import (
	"bytes"
	"crypto/sha3"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"socsim/pqc/keccak"
)

func Example() {
	f := SHAKE.Functions[XOF256]
	s := f.New()
	s.Absorb([]byte("abc"))
	out := make([]byte, 16)
	s.Squeeze(out)
	fmt.Printf("%s %x, %d permutation\n", f.Name, out, s.Permutations())
	// Output: SHAKE256 483366601360a8771c6863080cc4114d, 1 permutation
}

// A family's functions are what its modes say.
func TestFamilies(t *testing.T) {
	m := []byte("a message of which only the functions matter")
	sha256, sha512 := sha3.Sum256(m), sha3.Sum512(m)
	for _, test := range []struct {
		family Family
		mode   Mode
		name   string
		want   []byte
	}{
		{SHAKE, XOF128, "SHAKE128", sha3.SumSHAKE128(m, 40)},
		{SHAKE, XOF256, "SHAKE256", sha3.SumSHAKE256(m, 40)},
		{SHAKE, Hash256, "SHA3-256", sha256[:]},
		{SHAKE, Hash512, "SHA3-512", sha512[:]},
		{SHAKE12, XOF128, "SHAKE128/12", reduced(keccak.SHAKE128, m)},
		{SHAKE12, XOF256, "SHAKE256/12", reduced(keccak.SHAKE256, m)},
		{SHAKE12, Hash256, "SHA3-256/12", reduced(keccak.SHA3_256, m)},
		{SHAKE12, Hash512, "SHA3-512/12", reduced(keccak.SHA3_512, m)},
	} {
		f, err := test.family.Function(test.mode)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(test.want))
		if n := f.Sum(got, m); n != 1 {
			t.Errorf("%s: %d permutations, want 1", f.Name, n)
		}
		if f.Name != test.name || !bytes.Equal(got, test.want) {
			t.Errorf("%s mode %d: %s %x, want %s %x", test.family.Name, test.mode, f.Name, got, test.name, test.want)
		}
	}
	if _, err := SHAKE.Function(Modes); err == nil || !strings.Contains(err.Error(), "no mode 4") {
		t.Errorf("mode 4: %v", err)
	}
}

func reduced(spec keccak.Spec, m []byte) []byte {
	spec.Rounds = 12
	s := keccak.New(spec)
	s.Absorb(m)
	out := make([]byte, 40)
	s.Squeeze(out)
	return out
}

func TestFamilyByNumber(t *testing.T) {
	for i, want := range Families {
		if i > 0 && want.Number <= Families[i-1].Number {
			t.Errorf("family %s has number %d after %d", want.Name, want.Number, Families[i-1].Number)
		}
		got, err := FamilyByNumber(want.Number)
		if err != nil || got.Name != want.Name {
			t.Errorf("number %d: %s, %v, want %s", want.Number, got.Name, err, want.Name)
		}
	}
	if _, err := FamilyByNumber(0); err == nil || !strings.Contains(err.Error(), "1 shake, 2 shake12") {
		t.Errorf("number 0: %v, want an error that lists the families", err)
	}
}

// The first values of RFC 9861, section 5: TurboSHAKE of the empty message, D = 1F.
func TestSHAKE12IsTurboSHAKE(t *testing.T) {
	for mode, want := range map[Mode]string{
		XOF128: "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c",
		XOF256: "367a329dafea871c7802ec67f905ae13c57695dc2c6663c61035f59a18f8e7db",
	} {
		got := make([]byte, 32)
		SHAKE12.Functions[mode].Sum(got, nil)
		if hex.EncodeToString(got) != want {
			t.Errorf("mode %d: %x, want %s", mode, got, want)
		}
	}
}

// An Ascon family has the same function in every mode. The outputs are those of the
// messages 00 in the test vectors of the Ascon team and of NIST's standard; 1 byte in
// and 32 out are an initial permutation, one at the end and three between blocks.
func TestAsconFamilies(t *testing.T) {
	for _, test := range []struct {
		family     Family
		number     uint32
		name, hash string
		want       string
	}{
		{ASCON, 3, "ascon", "Ascon-Xof", "b2edbb27ac8397a55bc83d137c151de9ede048338fe907f0d3629e717846fedc"},
		{ASCON8, 4, "ascon8", "Ascon-Xofa", "965445c46c8e9b948edfef7b5879e06ab5f023770ea892fa4b54525008467ea3"},
		{ASCON128, 5, "ascon128", "Ascon-XOF128", "51430e0438ecdf642b393630d977625f5f337656ba58ab1e960784ac32a16e0d"},
	} {
		if test.family.Number != test.number || test.family.Name != test.name {
			t.Errorf("family %d %s, want %d %s", test.family.Number, test.family.Name, test.number, test.name)
		}
		for mode, f := range test.family.Functions {
			got := make([]byte, 32)
			n := f.Sum(got, []byte{0})
			if f.Name != test.hash || hex.EncodeToString(got) != test.want || n != 5 {
				t.Errorf("%s mode %d: %s %x, %d permutations, want %s %s, 5", test.name, mode, f.Name, got, n, test.hash, test.want)
			}
		}
	}
}

// A kept State costs no allocation per hash, interface and all.
func TestNoAllocation(t *testing.T) {
	for _, family := range Families {
		for _, f := range family.Functions {
			s := f.New()
			in, out := make([]byte, 64), make([]byte, 16)
			if n := testing.AllocsPerRun(100, func() {
				s.Reset()
				s.Absorb(in)
				s.Squeeze(out)
			}); n != 0 {
				t.Errorf("%s: %v allocations per hash, want 0", f.Name, n)
			}
		}
	}
}
