package slhdsa

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"socsim/pqc/xof"
)

func TestParams(t *testing.T) {
	// FIPS 205, section 11, table 2.
	for name, want := range map[string]struct{ m, pk, sig int }{
		"128s": {30, 32, 7856}, "128f": {34, 32, 17088},
		"192s": {39, 48, 16224}, "192f": {42, 48, 35664},
		"256s": {47, 64, 29792}, "256f": {49, 64, 49856},
	} {
		p, err := SetByName(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		if p.m() != want.m || p.PublicKeySize() != want.pk || p.SignatureSize() != want.sig {
			t.Errorf("%s: m %d, pk %d, sig %d, want %v", name, p.m(), p.PublicKeySize(), p.SignatureSize(), want)
		}
	}
	if _, err := SetByName("128"); err == nil || !strings.Contains(err.Error(), "128f") {
		t.Errorf("set 128: %v, want an error that lists the sets", err)
	}
}

func TestLen2(t *testing.T) {
	for n := 9; n <= maxN; n++ {
		// gen_len2(n, lg_w) (FIPS 205, Algorithm 1).
		len1 := (8*n + lgw - 1) / lgw
		maxChecksum := len1 * (w - 1)
		len2, capacity := 1, w
		for capacity <= maxChecksum {
			len2++
			capacity *= w
		}
		if len2 != 3 {
			t.Errorf("n = %d: len2 = %d, the constant is 3", n, len2)
		}
	}
}

func TestParamsOutOfRange(t *testing.T) {
	good := Params{"tiny", 16, 4, 2, 3, 4}
	for _, test := range []struct {
		change func(*Params)
		want   string
	}{
		{func(p *Params) { p.N = 8 }, "n = 8"},
		{func(p *Params) { p.N = 33 }, "n = 33"},
		{func(p *Params) { p.D = 0 }, "d = 0"},
		{func(p *Params) { p.H = 5 }, "h = 5"},
		{func(p *Params) { p.H = -2 }, "h = -2"},
		{func(p *Params) { p.H, p.D = 25, 1 }, "h/d = 25"},
		{func(p *Params) { p.H, p.D = 66, 66 }, "h - h/d = 65"},
		{func(p *Params) { p.A = 0 }, "a = 0"},
		{func(p *Params) { p.A = 25 }, "a = 25"},
		{func(p *Params) { p.K = 0 }, "k = 0"},
		{func(p *Params) { p.K = 65 }, "k = 65"},
	} {
		p := good
		test.change(&p)
		if _, err := New(p, FIPS205, shake256); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want an error with %q", p, err, test.want)
		}
	}
	if _, err := New(good, Variant{}, shake256); err == nil {
		t.Error("no error for an empty variant")
	}
	if _, err := New(good, R3, xof.Function{}); err == nil {
		t.Error("no error for an empty function")
	}
}

func TestComponent(t *testing.T) {
	p := Params{"tiny", 16, 4, 2, 2, 2}
	want := []string{
		"R",
		"FORS tree 0, secret value", "FORS tree 0, path node 0", "FORS tree 0, path node 1",
		"FORS tree 1, secret value", "FORS tree 1, path node 0", "FORS tree 1, path node 1",
	}
	for layer := range 2 {
		for i := range 35 {
			want = append(want, fmt.Sprintf("layer %d, chain %d", layer, i))
		}
		for i := range 2 {
			want = append(want, fmt.Sprintf("layer %d, path node %d", layer, i))
		}
	}
	if len(want)*p.N != p.SignatureSize() {
		t.Fatalf("%d components of %d bytes, a signature has %d", len(want), p.N, p.SignatureSize())
	}
	for at := range p.SignatureSize() {
		if got := p.Component(at); got != want[at/p.N] {
			t.Errorf("byte %d: %q, want %q", at, got, want[at/p.N])
		}
	}
	for _, at := range []int{-1, p.SignatureSize()} {
		if got := p.Component(at); got != "outside the signature" {
			t.Errorf("byte %d: %q", at, got)
		}
	}
}

// Every component of a signature matters, and so do message, context and key.
func TestChangedSignature(t *testing.T) {
	s := newScheme(t, "128f", FIPS205)
	seed, m, ctx, _ := inputs(s.Params)
	sk, pk, err := s.KeyGen(seed)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := s.Sign(m, ctx, sk, nil)
	if err != nil {
		t.Fatal(err)
	}

	for i := range len(sig) / s.N {
		if testing.Short() && i%16 != 0 {
			continue
		}
		at := i*s.N + i%s.N
		sig[at] ^= 1 << (i % 8)
		if err := s.Verify(m, sig, ctx, pk); !errors.Is(err, ErrSignature) {
			t.Errorf("%s, byte %d changed: %v, want ErrSignature", s.Component(at), at, err)
		}
		sig[at] ^= 1 << (i % 8)
	}

	changed := func(b []byte, at int) []byte {
		b = slices.Clone(b)
		b[at] ^= 0x10
		return b
	}
	for _, test := range []struct {
		what           string
		m, sig, cx, pk []byte
		err            error // nil: any error
	}{
		{"message changed", changed(m, 3), sig, ctx, pk, ErrSignature},
		{"message cut", m[:len(m)-1], sig, ctx, pk, ErrSignature},
		{"context changed", m, sig, changed(ctx, 0), pk, ErrSignature},
		{"context moved into the message", slices.Concat(ctx, m), sig, nil, pk, ErrSignature},
		{"PK.seed changed", m, sig, ctx, changed(pk, 0), ErrSignature},
		{"PK.root changed", m, sig, ctx, changed(pk, s.N), ErrSignature},
		{"signature cut", m, sig[:len(sig)-1], ctx, pk, nil},
		{"signature longer", m, append(slices.Clone(sig), 0), ctx, pk, nil},
		{"signature empty", m, nil, ctx, pk, nil},
		{"public key cut", m, sig, ctx, pk[:len(pk)-1], nil},
		{"public key longer", m, sig, ctx, append(slices.Clone(pk), 0), nil},
		{"context of 256 bytes", m, sig, make([]byte, 256), pk, nil},
	} {
		err := s.Verify(test.m, test.sig, test.cx, test.pk)
		if err == nil || test.err != nil && !errors.Is(err, test.err) || test.err == nil && errors.Is(err, ErrSignature) {
			t.Errorf("%s: %v", test.what, err)
		}
	}
	if err := s.VerifyInternal(m, sig, pk); !errors.Is(err, ErrSignature) {
		t.Errorf("external signature at the internal interface: %v, want ErrSignature", err)
	}
	if err := s.Verify(m, sig, ctx, pk); err != nil {
		t.Errorf("unchanged in the end: %v", err)
	}
}

func TestWrongLengths(t *testing.T) {
	s := newScheme(t, "128f", FIPS205)
	r3 := newScheme(t, "128f", R3)
	sk := make([]byte, 64)
	sign := func(s *Scheme, ctx, sk, addrnd []byte) error {
		_, err := s.Sign([]byte("m"), ctx, sk, addrnd)
		return err
	}
	keyGen := func(n int) error {
		_, _, err := s.KeyGen(make([]byte, n))
		return err
	}
	for _, test := range []struct {
		err  error
		want string
	}{
		{keyGen(47), "seed of 47 bytes, want 48"},
		{keyGen(49), "seed of 49 bytes, want 48"},
		{sign(s, nil, sk[:63], nil), "secret key of 63 bytes, want 64"},
		{sign(s, nil, append(sk, 0), nil), "secret key of 65 bytes, want 64"},
		{sign(s, nil, sk, sk[:15]), "addrnd of 15 bytes, want 16"},
		{sign(s, nil, sk, []byte{}), "addrnd of 0 bytes, want 16"},
		{sign(s, make([]byte, 256), sk, nil), "context of 256 bytes, at most 255"},
		{sign(r3, []byte("c"), sk, nil), "context of 1 bytes, this variant has none"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("error %v, want one with %q", test.err, test.want)
		}
	}
	if err := sign(s, make([]byte, 255), sk, nil); err != nil {
		t.Errorf("context of 255 bytes: %v", err)
	}
}

// Whatever the parameters, variant and hash: a signature verifies, and hedged
// signing differs from deterministic signing only in randomness.
func TestSignVerifyProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 3).Draw(t, "d")
		p := Params{
			Name: "random", N: rapid.IntRange(9, 32).Draw(t, "n"),
			H: d * rapid.IntRange(1, 3).Draw(t, "h'"), D: d,
			A: rapid.IntRange(1, 5).Draw(t, "a"), K: rapid.IntRange(1, 9).Draw(t, "k"),
		}
		v := rapid.SampledFrom([]Variant{FIPS205, R3}).Draw(t, "variant")
		mode := rapid.SampledFrom([]xof.Mode{xof.XOF128, xof.XOF256, xof.Hash512}).Draw(t, "mode")
		s, err := New(p, v, xof.SHAKE12.Functions[mode])
		if err != nil {
			t.Fatal(err)
		}
		bytes := func(name string, n int) []byte { return rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, name) }
		sk, pk, err := s.KeyGen(bytes("seed", p.SeedSize()))
		if err != nil {
			t.Fatal(err)
		}
		m := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "m")
		sig, err := s.Sign(m, nil, sk, bytes("addrnd", p.N))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Verify(m, sig, nil, pk); err != nil {
			t.Fatal(err)
		}
		pkSeedAsRandom, err := s.Sign(m, nil, sk, pk[:p.N])
		if err != nil {
			t.Fatal(err)
		}
		deterministic, err := s.Sign(m, nil, sk, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(pkSeedAsRandom, deterministic) {
			t.Fatal("deterministic signing does not use PK.seed for opt_rand")
		}
		// Behind R: sets as small as these have few digests, so that another R can
		// lead to the same leaves.
		at := rapid.IntRange(p.N, len(sig)-1).Draw(t, "at")
		sig[at] ^= 0x80
		if err := s.Verify(m, sig, nil, pk); !errors.Is(err, ErrSignature) {
			t.Fatalf("byte %d of %d changed: %v", at, len(sig), err)
		}
	})
}

// Both orders of bits against integers of any size.
func TestDigitsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.IntRange(1, maxHeight).Draw(t, "a")
		out := make([]uint32, rapid.IntRange(1, maxK).Draw(t, "k"))
		size := (a*len(out) + 7) / 8
		md := rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "md")
		mask := big.NewInt(1<<a - 1)

		base2b(out, md, a)
		x := new(big.Int).SetBytes(md)
		x.Rsh(x, uint(8*size-a*len(out)))
		for i := range out {
			digit := new(big.Int).Rsh(x, uint(a*(len(out)-1-i)))
			if want := digit.And(digit, mask).Uint64(); uint64(out[i]) != want {
				t.Fatalf("base2b: digit %d is %d, want %d", i, out[i], want)
			}
		}

		messageToIndices(out, md, a)
		slices.Reverse(md)
		x.SetBytes(md)
		for i := range out {
			digit := new(big.Int).Rsh(x, uint(a*i))
			if want := digit.And(digit, mask).Uint64(); uint64(out[i]) != want {
				t.Fatalf("messageToIndices: number %d is %d, want %d", i, out[i], want)
			}
		}
	})
}
