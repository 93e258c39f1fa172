package falcon

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"
	"pgregory.net/rapid"

	"socsim/pqc/xof"
)

// derived is n bytes that differ.
func derived(n, from int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(from + i)
	}
	return b
}

func sha3Hex(b []byte) string {
	sum := sha3.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Our own instances have no published answers: a key pair signs, its public key
// accepts that signature and no other. The signatures fold into digests, whose worth is
// that they do not change.
func TestInstances(t *testing.T) {
	type permutations struct{ keyGen, sign, verify uint64 }
	for _, test := range []struct {
		p            Params
		family       xof.Family
		name         string
		pk, sig      string // SHA3-256
		permutations permutations
	}{
		{Sets[0], xof.SHAKE, "Falcon-512",
			"4b5d958ae2ade659f87215c74cce082a0b6e74cf4b251a22ef12adb1fbdd9652",
			"e34f9425caa7b102a0f1aa784f6e867a8e8332a563993e7d91f93055d6a696c2", permutations{483, 10, 9}},
		{Sets[1], xof.SHAKE, "Falcon-1024",
			"ac85e17ccd655add831957dba6dab93b467022b2827b5e5a72e97f23dc30f3bd",
			"78d619513252db6f6e2f711b95fcf9f1e00236a42172fbbd48b213b8a4b1a549", permutations{9892, 18, 17}},
		{Sets[0], xof.SHAKE12, "Falcon-512 over SHAKE256/12 (own instance)",
			"da56ceeb37a5728321c1c0d07801a22d5fb4aa01af385ab75c666a20cdbcb8de",
			"67c35e18c1cfb38a77c007fc4b47db0be4b0352b227a8f9603c4b68f498d2300", permutations{966, 9, 8}},
		{Sets[0], xof.ASCON, "Falcon-512 over Ascon-Xof (own instance)",
			"86a266b7cc3bed1e60c7a5bbe21a2d3a032323883e13ef8ae2b8b7b675858e88",
			"42bc45d5e1f776a569a5bcdd5283ad4d87205a885dda6aba17c5121bb3aeb952", permutations{24635, 157, 143}},
		{Sets[0], xof.ASCON8, "Falcon-512 over Ascon-Xofa (own instance)",
			"d12ecddb8e671788382936ff0db11a89269685bc4ecca308552e5c94e5a649a2",
			"3a762c7458f8a40d16e00432b7eae863bf0e4f0018ae3b8001c85fd4c9198b6c", permutations{4103, 157, 143}},
		{Sets[0], xof.ASCON128, "Falcon-512 over Ascon-XOF128 (own instance)",
			"d400ce8e59b67fa7e541ae2cfaabe526302ab99fdb9fbe7f40d9e5aa69eb925f",
			"35606014f5555c78d6947e7bddb5592d09bda47b5abcd5d95b069e62abdc5217", permutations{110835, 156, 142}},
		{Sets[1], xof.ASCON128, "Falcon-1024 over Ascon-XOF128 (own instance)",
			"3445fb662093ef76b056afd824836d5ba7b421421833691ad9bbbf947d113109",
			"a4d2d605c314da7a5043bb8a357140e6d780df72086a74d40cd93f420f2fcc9c", permutations{143515, 294, 280}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && (test.p != Sets[0] || test.family.Number != xof.SHAKE.Number && test.family.Number != xof.ASCON8.Number) {
				t.Skip("takes half a second")
			}
			t.Parallel()
			s := newScheme(t, test.p, test.family)
			if s.Name() != test.name {
				t.Errorf("name %q, want %q", s.Name(), test.name)
			}
			if s.Permutations() != 0 {
				t.Errorf("%d permutations before the first operation", s.Permutations())
			}
			var got permutations
			sk, pk, err := s.KeyGen(derived(SeedSize, 0))
			if err != nil {
				t.Fatal(err)
			}
			got.keyGen = s.Permutations()
			if len(sk) != s.SecretKeySize() || len(pk) != s.PublicKeySize() {
				t.Errorf("keys of %d and %d bytes, want %d and %d", len(sk), len(pk), s.SecretKeySize(), s.PublicKeySize())
			}
			m := []byte("message")
			sig, err := s.Sign(m, sk, derived(NonceSize, 0), derived(SeedSize, 9), Compressed)
			if err != nil {
				t.Fatal(err)
			}
			got.sign = s.Permutations()
			if err := s.Verify(m, sig, pk); err != nil {
				t.Error(err)
			}
			got.verify = s.Permutations()
			if a, b := sha3Hex(pk), sha3Hex(sig); a != test.pk || b != test.sig || got != test.permutations {
				t.Errorf("got\n%q, %q, permutations{%d, %d, %d}\nwant\n%q, %q, %v", a, b, got.keyGen, got.sign, got.verify, test.pk, test.sig, test.permutations)
			}
			if err := s.Verify(m[1:], sig, pk); !errors.Is(err, ErrSignature) {
				t.Errorf("message cut: %v, want ErrSignature", err)
			}
			for at := range sig {
				sig[at] ^= 1 << (at % 8)
				if err := s.Verify(m, sig, pk); err == nil {
					t.Errorf("accepted with byte %d changed", at)
				}
				sig[at] ^= 1 << (at % 8)
			}
		})
	}
}

// The byte behind a message is all that separates the three hashes of an Ascon
// instance.
func TestSeparation(t *testing.T) {
	for _, family := range xof.Families {
		s := newScheme(t, Sets[0], family)
		var out [3][16]byte
		for what := range out {
			s.message(byte(what), []byte("input"))
			s.xof.Squeeze(out[what][:])
		}
		if want := strings.HasPrefix(family.Name, "ascon"); out[0] == out[1] == want || out[1] == out[2] == want || out[0] == out[2] == want {
			t.Errorf("%s: the three hashes of one input are %x", family.Name, out)
		}
		var plain [16]byte
		f, m := family.Functions[xof.XOF256], []byte("input")
		if s.separate {
			m = append(m, 1)
		}
		if f.Sum(plain[:], m); plain != out[forPoint] {
			t.Errorf("%s: the hash to a point is of %x, not of %x", family.Name, out[forPoint], plain)
		}
	}
}

// A key pair and signatures that the tests below spoil.
func goodSignature(t *testing.T, format Format) (s *Scheme, sk, pk, m, sig []byte) {
	t.Helper()
	s = newScheme(t, Sets[0], xof.SHAKE)
	sk, pk, err := s.KeyGen(derived(SeedSize, 0))
	if err != nil {
		t.Fatal(err)
	}
	m = []byte("message")
	if sig, err = s.Sign(m, sk, derived(NonceSize, 0), derived(SeedSize, 9), format); err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(m, sig, pk); err != nil {
		t.Fatal(err)
	}
	return s, sk, pk, m, sig
}

// Both formats hold the same s₂ unless it is too long for the padded one.
func TestPadded(t *testing.T) {
	_, _, _, _, short := goodSignature(t, Compressed)
	s, _, pk, m, sig := goodSignature(t, Padded)
	if len(sig) != 666 || !bytes.HasPrefix(sig, short) || len(short) == len(sig) {
		t.Fatalf("%d bytes padded, %d compressed: %x, %x", len(sig), len(short), sig, short)
	}
	for _, test := range []struct {
		name string
		sig  []byte
		want string // empty: accepted
	}{
		{"padded", sig, ""},
		{"compressed", short, ""},
		{"one zero", append(append([]byte{}, short...), 0), "bytes follow the last coefficient"},
		{"one zero less", sig[:665], "bytes follow the last coefficient"},
		{"one zero more", append(append([]byte{}, sig...), 0), "bytes follow the last coefficient"},
		{"not zero", append(append([]byte{}, sig[:665]...), 1), "its padding is not zero"},
		{"cut", short[:len(short)-1], "it ends in coefficient 511"},
		{"nonce alone", short[:41], "41 bytes, want more than 41"},
		{"nothing", nil, "0 bytes, want more than 41"},
		{"other set", append([]byte{0x3a}, short[1:]...), "begins with 0x3a, want 0x39"},
		{"constant length", append([]byte{0x59}, short[1:]...), "begins with 0x59, want 0x39"},
	} {
		err := s.Verify(m, test.sig, pk)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// Encodings of s₂ that are not the one there is.
func TestDecompress(t *testing.T) {
	s := newScheme(t, Params{"test", 1}, xof.SHAKE)
	for _, test := range []struct {
		bits, want string // empty: accepted
	}{
		{"0 0000101 1  1 0000001 01  00000", ""},
		{"0 0000101 1  1 0000001 01  00001", "its last bits are not zero"},
		{"0 0000101 1  1 0000000 1  000000", "coefficient 1 is minus zero"},
		{"0 0000101 1  1 0000000 01  00000", ""},
		{"0 0000101 1  1 1111111 0000000000000001  0000000", ""},
		{"0 0000101 1  1 0000000 00000000000000001  000000", "coefficient 1 is above 2047"},
		{"0 0000101 1  1 0000001", "it ends in coefficient 1 of 2"},
		{"0 0000101 0", "it ends in coefficient 0 of 2"},
	} {
		w := bitWriter{out: append([]byte{0x31}, make([]byte, NonceSize)...)}
		for _, b := range strings.ReplaceAll(test.bits, " ", "") {
			w.put(uint32(b-'0'), 1)
		}
		if test.want == "it ends in coefficient 1 of 2" || test.want == "it ends in coefficient 0 of 2" {
			w.bits = 0 // no zeros of ours behind
		}
		_, err := s.decodeSignature(w.end())
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.bits, err, test.want)
		}
	}
}

func TestBadInputs(t *testing.T) {
	s, sk, pk, m, sig := goodSignature(t, Compressed)
	change := func(b []byte, at int, to byte) []byte {
		b = append([]byte{}, b...)
		b[at] = to
		return b
	}
	nonce, seed := derived(NonceSize, 0), derived(SeedSize, 0)
	for _, test := range []struct {
		name string
		err  func() error
		want string
	}{
		{"keygen seed", func() error { _, _, err := s.KeyGen(seed[1:]); return err }, "Falcon-512: seed of 47 bytes, want 48"},
		{"seed", func() error { _, err := s.Sign(m, sk, nonce, nil, Padded); return err }, "seed of 0 bytes, want 48"},
		{"nonce", func() error { _, err := s.Sign(m, sk, seed, seed, Padded); return err }, "nonce of 48 bytes, want 40"},
		{"secret key", func() error { _, err := s.Sign(m, sk[1:], nonce, seed, Padded); return err }, "secret key of 1280 bytes, want 1281"},
		{"its header", func() error { _, err := s.Sign(m, change(sk, 0, 0x5a), nonce, seed, Padded); return err }, "begins with 0x5a, want 0x59"},
		{"its f", func() error { _, err := s.Sign(m, change(sk, 1, 0x80), nonce, seed, Padded); return err }, "coefficient 0 of f is -32, which is no value"},
		{"its F", func() error { _, err := s.Sign(m, change(sk, 1280, 0x80), nonce, seed, Padded); return err }, "coefficient 511 of F is -128"},
		{"its G", func() error { _, err := s.Sign(m, change(sk, 1280, sk[1280]^1), nonce, seed, Padded); return err }, "no G belongs to its f, g and F"},
		{"public key", func() error { return s.Verify(m, sig, pk[1:]) }, "public key of 896 bytes, want 897"},
		{"its header", func() error { return s.Verify(m, sig, change(pk, 0, 0x0a)) }, "begins with 0x0a, want 0x09"},
		{"its h", func() error { return s.Verify(m, sig, change(pk, 1, 0xff)) }, "coefficient 0 is 163"},
	} {
		if err := test.err(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if s.Permutations() != 0 {
			t.Errorf("%s: %d permutations", test.name, s.Permutations())
		}
	}
	for _, p := range []Params{{"0", 0}, {"2048", 11}} {
		if _, err := New(p, xof.SHAKE); err == nil {
			t.Errorf("degree 2^%d has no error", p.LogN)
		}
	}
	if _, err := New(Sets[0], xof.Family{}); err == nil {
		t.Error("no family has no error")
	}
	if _, err := SetByName("256"); err == nil {
		t.Error("set 256 has no error")
	}
	if p, err := SetByName("1024"); err != nil || p != Sets[1] {
		t.Errorf("set 1024: %v, %v", p, err)
	}
}

func TestSizes(t *testing.T) {
	for i, want := range [][4]int{{897, 1281, 752, 666}, {1793, 2305, 1462, 1280}} {
		p := Sets[i]
		if got := [4]int{p.PublicKeySize(), p.SecretKeySize(), p.SignatureSize(), p.PaddedSize()}; got != want {
			t.Errorf("%s: %v, want %v", p.Name, got, want)
		}
	}
}

// What goes into an encoding comes out again, and an encoding is the only one.
func TestEncodings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := New(Params{"test", rapid.IntRange(1, 6).Draw(t, "log n")}, xof.SHAKE)
		s2 := rapid.SliceOfN(rapid.Int16Range(-2047, 2047), s.N(), s.N()).Draw(t, "s2")
		sig, ok := compress(append([]byte{headerSignature + byte(s.LogN)}, make([]byte, NonceSize)...), s2, 1<<20)
		if !ok {
			t.Fatalf("%v has no encoding", s2)
		}
		got, err := s.decodeSignature(sig)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s2 {
			if got[i] != s2[i] {
				t.Fatalf("%v comes back as %v", s2, got)
			}
		}
		if _, ok := compress(nil, s2, len(sig)-42); ok {
			t.Fatal("one byte less is enough")
		}
		h := rapid.SliceOfN(rapid.Uint16Range(0, q-1), s.N(), s.N()).Draw(t, "h")
		back, err := s.decodePublic(s.encodePublic(h))
		if err != nil {
			t.Fatal(err)
		}
		for i := range h {
			if back[i] != h[i] {
				t.Fatalf("%v comes back as %v", h, back)
			}
		}
	})
	if _, ok := compress(nil, []int16{0, 2048}, 100); ok {
		t.Error("2048 has an encoding")
	}
	if _, ok := compress(nil, []int16{-2048, 0}, 100); ok {
		t.Error("-2048 has an encoding")
	}
}
