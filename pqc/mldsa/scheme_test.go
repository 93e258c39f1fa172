package mldsa

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha3"
	"encoding/hex"
	"errors"
	"flag"
	"strings"
	"testing"

	filippo "filippo.io/mldsa"
	"github.com/cloudflare/circl/sign"
	"github.com/cloudflare/circl/sign/dilithium/mode2"
	"github.com/cloudflare/circl/sign/dilithium/mode3"
	"github.com/cloudflare/circl/sign/dilithium/mode5"
	"github.com/cloudflare/circl/sign/mldsa/mldsa44"
	"github.com/cloudflare/circl/sign/mldsa/mldsa65"
	"github.com/cloudflare/circl/sign/mldsa/mldsa87"
	"pgregory.net/rapid"

	"socsim/pqc/xof"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// circlSchemes are circl's implementations. Their signatures are deterministic.
var circlSchemes = map[string]sign.Scheme{
	"fips204-44": mldsa44.Scheme(), "fips204-65": mldsa65.Scheme(), "fips204-87": mldsa87.Scheme(),
	"r3-44": mode2.Scheme(), "r3-65": mode3.Scheme(), "r3-87": mode5.Scheme(),
}

// Random runs against circl, with a changed signature.
func TestCircl(t *testing.T) {
	for _, v := range []Variant{FIPS204, R3} {
		for _, p := range Sets {
			t.Run(v.Name+"-"+p.Name, func(t *testing.T) {
				t.Parallel()
				c := circlSchemes[v.Name+"-"+p.Name]
				s := newScheme(t, p.Name, v, xof.SHAKE)
				rapid.Check(t, func(t *rapid.T) {
					seed := rapid.SliceOfN(rapid.Byte(), SeedSize, SeedSize).Draw(t, "seed")
					m := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "m")
					var ctx []byte
					var options *sign.SignatureOpts
					if v == FIPS204 {
						ctx = rapid.SliceOfN(rapid.Byte(), 0, 255).Draw(t, "ctx")
						options = &sign.SignatureOpts{Context: string(ctx)}
					}
					pk, sk, err := s.KeyGen(seed)
					if err != nil {
						t.Fatal(err)
					}
					pub, priv := c.DeriveKey(seed)
					if want, _ := pub.MarshalBinary(); !bytes.Equal(pk, want) {
						t.Fatal("another public key")
					}
					if want, _ := priv.MarshalBinary(); !bytes.Equal(sk, want) {
						t.Fatal("another secret key")
					}
					sig, err := s.Sign(m, ctx, sk, nil)
					if err != nil {
						t.Fatal(err)
					}
					if want := c.Sign(priv, m, options); !bytes.Equal(sig, want) {
						t.Fatal("another signature")
					}
					if err := s.Verify(m, sig, ctx, pk); err != nil {
						t.Fatal(err)
					}
					at := rapid.IntRange(0, 8*len(sig)-1).Draw(t, "bit")
					sig[at/8] ^= 1 << (at % 8)
					err = s.Verify(m, sig, ctx, pk)
					if !errors.Is(err, ErrSignature) {
						t.Fatalf("bit %d changed: %v, want ErrSignature", at, err)
					}
					if c.Verify(pub, m, sig, options) {
						t.Fatal("circl accepts it")
					}
				})
			})
		}
	}
}

// Filippo Valsorda's implementation, which is the Go standard library's.
func TestFilippo(t *testing.T) {
	for _, params := range []filippo.Parameters{filippo.MLDSA44(), filippo.MLDSA65(), filippo.MLDSA87()} {
		seed, m, ctx := bytes.Repeat([]byte{7}, SeedSize), []byte("message"), "context"
		s := newScheme(t, params.String(), FIPS204, xof.SHAKE)
		pk, sk, err := s.KeyGen(seed)
		if err != nil {
			t.Fatal(err)
		}
		priv, err := filippo.NewPrivateKey(params, seed)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(pk, priv.PublicKey().Bytes()) {
			t.Errorf("%s: another public key", s.Name())
		}
		sig, err := s.Sign(m, []byte(ctx), sk, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := priv.SignDeterministic(m, &filippo.Options{Context: ctx}); err != nil || !bytes.Equal(sig, want) {
			t.Errorf("%s: another signature, %v", s.Name(), err)
		}
		hedged, err := s.Sign(m, []byte(ctx), sk, bytes.Repeat([]byte{1}, RandomSize))
		if err != nil || bytes.Equal(hedged, sig) {
			t.Errorf("%s: rnd changes nothing, %v", s.Name(), err)
		}
		if err := filippo.Verify(priv.PublicKey(), m, hedged, &filippo.Options{Context: ctx}); err != nil {
			t.Errorf("%s: %v", s.Name(), err)
		}
	}
}

// The C2SP vectors of many runs: seeds come from SHAKE128 of nothing; public keys
// and signatures of the empty message go to another SHAKE128.
func TestAccumulated(t *testing.T) {
	if testing.Short() && !*long {
		t.Skip("takes a second")
	}
	runs := 100
	sums := map[string]string{
		"44": "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4",
		"65": "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199",
		"87": "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b",
	}
	if *long {
		runs = 10000
		sums = map[string]string{
			"44": "e7fd21f6a59bcba60d65adc44404bb29a7c00e5d8d3ec06a732c00a306a7d143",
			"65": "5ff5e196f0b830c3b10a9eb5358e7c98a3a20136cb677f3ae3b90175c3ace329",
			"87": "80a8cf39317f7d0be0e24972c51ac152bd2a3e09bc0c32ce29dd82c4e7385e60",
		}
	}
	for _, p := range Sets {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			s := newScheme(t, p.Name, FIPS204, xof.SHAKE)
			in, out := sha3.NewSHAKE128(), sha3.NewSHAKE128()
			seed := make([]byte, SeedSize)
			for range runs {
				in.Read(seed)
				pk, sk, err := s.KeyGen(seed)
				if err != nil {
					t.Fatal(err)
				}
				sig, err := s.Sign(nil, nil, sk, nil)
				if err != nil {
					t.Fatal(err)
				}
				out.Write(pk)
				out.Write(sig)
			}
			sum := make([]byte, 32)
			out.Read(sum)
			if got := hex.EncodeToString(sum); got != sums[p.Name] {
				t.Errorf("%d runs: %s, want %s", runs, got, sums[p.Name])
			}
		})
	}
}

// Instances that have no published answers fold into digests, whose worth is that
// they do not change.
func TestOwnInstances(t *testing.T) {
	for _, test := range []struct {
		name, set string
		variant   Variant
		family    xof.Family
		sum       string // SHA-256 of pk, sk, signature
	}{
		{"ML-DSA-65 over shake12 (own instance)", "65", FIPS204, xof.SHAKE12,
			"c19735ab9c514e2e79b03c3e951bc2749e3f298d10b31b8cba8ff64b1b6727e0"},
		{"ML-DSA-44 over ascon (own instance)", "44", FIPS204, xof.ASCON,
			"2fb3b395aafb6233a4a8dd1a23331adb29d9df5a76fb3107d1a4ac477e79f675"},
		{"ML-DSA-65 over ascon8 (own instance)", "65", FIPS204, xof.ASCON8,
			"b9d9b9c590d79849826b9496c2b3b8c201ca875a05dc608171d1355ad2b2a4e5"},
		{"ML-DSA-87 over ascon128 (own instance)", "87", FIPS204, xof.ASCON128,
			"984bef6c52de144f179d718e21a22e4e085b06a81bc6432ba71ad2e0a64cd13a"},
		{"Dilithium3 (round 3.1) over ascon (own instance)", "65", R3, xof.ASCON,
			"fbd2e30a7fd7dde8c1310511678dd83ea64637d53cf70cc634187aa06fce8e13"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScheme(t, test.set, test.variant, test.family)
			if s.Name() != test.name {
				t.Errorf("name %q, want %q", s.Name(), test.name)
			}
			pk, sk, err := s.KeyGen(sha3.SumSHAKE256([]byte("seed"), SeedSize))
			if err != nil {
				t.Fatal(err)
			}
			if initial := s.Initial(); (initial > 0) != test.family.OneSponge() {
				t.Errorf("%d initial permutations of %d", initial, s.Permutations())
			}
			m := []byte("message")
			sig, err := s.Sign(m, nil, sk, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Verify(m, sig, nil, pk); err != nil {
				t.Error(err)
			}
			if err := s.Verify(m[1:], sig, nil, pk); !errors.Is(err, ErrSignature) {
				t.Errorf("another message: %v, want ErrSignature", err)
			}
			h := sha256.New()
			for _, b := range [][]byte{pk, sk, sig} {
				h.Write(b)
			}
			if sum := hex.EncodeToString(h.Sum(nil)); sum != test.sum {
				t.Errorf("SHA-256 %s, want %s", sum, test.sum)
			}
		})
	}
}

// The check that hardly ever rejects: a key whose first polynomial of t₀ is as large as
// it can be, and a message of which one attempt fails for ct₀ alone.
func TestLargeT0(t *testing.T) {
	s := newScheme(t, "44", FIPS204, xof.SHAKE)
	_, sk, err := s.KeyGen(make([]byte, SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	t0 := sk[:len(sk)-s.K*t0PolySize]
	for i := range s.K {
		var f ringElement
		if i == 0 {
			for j := range f {
				f[j] = 1 << (d - 1)
			}
		}
		t0 = bitPack(t0, f, d, 1<<(d-1))
	}
	m := []byte("message 876")
	sig, err := s.Sign(m, nil, sk, nil)
	if err != nil {
		t.Fatal(err)
	}
	priv, err := circlSchemes["fips204-44"].UnmarshalBinaryPrivateKey(sk)
	if err != nil {
		t.Fatal(err)
	}
	if want := circlSchemes["fips204-44"].Sign(priv, m, nil); !bytes.Equal(sig, want) {
		t.Error("another signature than circl's")
	}
	if s.Attempts() != 10 {
		t.Errorf("%d attempts, want 10", s.Attempts())
	}
}

// The three interfaces are one: M' is 0 ‖ |ctx| ‖ ctx ‖ M, and μ is a hash of tr and it.
func TestInterfaces(t *testing.T) {
	s := newScheme(t, "44", FIPS204, xof.SHAKE)
	pk, sk, err := s.KeyGen(make([]byte, SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	external, err := s.Sign([]byte("m"), []byte("ctx"), sk, nil)
	if err != nil {
		t.Fatal(err)
	}
	mPrime := []byte("\x00\x03ctxm")
	internal, err := s.SignInternal(mPrime, sk, nil)
	if err != nil {
		t.Fatal(err)
	}
	μ := sha3.SumSHAKE256(append(sha3.SumSHAKE256(pk, 64), mPrime...), MuSize)
	byMu, err := s.SignMu(μ, sk, make([]byte, RandomSize))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(external, internal) || !bytes.Equal(external, byMu) {
		t.Error("interfaces give different signatures")
	}
	if err := errors.Join(s.Verify([]byte("m"), external, []byte("ctx"), pk),
		s.VerifyInternal(mPrime, external, pk), s.VerifyMu(μ, external, pk)); err != nil {
		t.Error(err)
	}
	for _, err := range []error{s.Verify([]byte("m"), external, []byte("ctY"), pk), s.VerifyInternal([]byte("m"), external, pk)} {
		if !errors.Is(err, ErrSignature) {
			t.Errorf("%v, want ErrSignature", err)
		}
	}
}

func TestErrors(t *testing.T) {
	s, r3 := newScheme(t, "65", FIPS204, xof.SHAKE), newScheme(t, "65", R3, xof.SHAKE)
	pk, sk, err := s.KeyGen(make([]byte, SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	sig, err := s.Sign(nil, nil, sk, nil)
	if err != nil {
		t.Fatal(err)
	}
	// change returns the error for a signature with some bytes changed.
	change := func(change func(sig []byte)) error {
		sig := bytes.Clone(sig)
		change(sig)
		return s.Verify(nil, sig, nil, pk)
	}
	hints := len(sig) - 61 // ω = 55, k = 6
	for _, test := range []struct {
		want string
		err  error
	}{
		{"ML-DSA-65: seed of 31 bytes, want 32", second(s.KeyGen(make([]byte, 31)))},
		{"ML-DSA-65: secret key of 4031 bytes, want 4032", first(s.Sign(nil, nil, sk[1:], nil))},
		{"ML-DSA-65: secret key of 0 bytes, want 4032", first(s.SignInternal(nil, nil, nil))},
		{"ML-DSA-65: rnd of 0 bytes, want 32", first(s.Sign(nil, nil, sk, []byte{}))},
		{"ML-DSA-65: rnd of 33 bytes, want 32", first(s.SignMu(make([]byte, 64), sk, make([]byte, 33)))},
		{"ML-DSA-65: message representative μ of 63 bytes, want 64", first(s.SignMu(make([]byte, 63), sk, nil))},
		{"ML-DSA-65: message representative μ of 0 bytes, want 64", s.VerifyMu(nil, sig, pk)},
		{"ML-DSA-65: context of 256 bytes, at most 255", first(s.Sign(nil, make([]byte, 256), sk, nil))},
		{"ML-DSA-65: context of 256 bytes, at most 255", s.Verify(nil, sig, make([]byte, 256), pk)},
		{"ML-DSA-65: public key of 1951 bytes, want 1952", s.Verify(nil, sig, nil, pk[1:])},
		{"ML-DSA-65: signature of 3310 bytes, want 3309", s.VerifyInternal(nil, append(sig, 0), pk)},
		{"ML-DSA-65: signature of 0 bytes, want 3309", s.VerifyMu(make([]byte, 64), nil, pk)},
		{"it leads to another c̃", change(func(sig []byte) { sig[0] ^= 1 })},
		{"z[0] has a coefficient of 524288, want less than 524092", change(func(sig []byte) { copy(sig[48:], []byte{0, 0, sig[50] &^ 15}) })},
		{"hints of h[5] end at 56, after", change(func(sig []byte) { sig[len(sig)-1] = 56 })},
		{"hints of h[0] are not in ascending order", change(func(sig []byte) { sig[hints+1] = sig[hints] })},
		{"hints of h[1] end at 0, after", change(func(sig []byte) { sig[hints+55+1] = 0 })},
		{"bytes behind the last hint are not zero", change(func(sig []byte) { sig[hints+54] = 1 })},
		{"Dilithium3 (round 3.1): context of 1 bytes, this variant has none", first(r3.Sign(nil, []byte{1}, sk[32:], nil))},
		{"Dilithium3 (round 3.1): rnd of 32 bytes, this variant is deterministic", first(r3.SignInternal(nil, sk[32:], make([]byte, 32)))},
		{`no parameter set "66" (known: 44, 65, 87)`, first(SetByName("66"))},
		{"empty variant", first(New(Sets[0], Variant{}, xof.SHAKE))},
		{"empty hash family", first(New(Sets[0], R3, xof.Family{}))},
		{`parameter set "": k = 0, want 1 to 8`, first(New(Params{}, R3, xof.SHAKE))},
		{"ℓ = 8", Params{K: 1, L: 8}.Check()},
		{"η = 3", Params{K: 1, L: 1, Eta: 3}.Check()},
		{"τ = 65", Params{K: 1, L: 1, Eta: 2, Tau: 65}.Check()},
		{"γ₁ = 1", Params{K: 1, L: 1, Eta: 2, Tau: 1, Gamma1: 1}.Check()},
		{"γ₂ = 1", Params{K: 1, L: 1, Eta: 2, Tau: 1, Gamma1: 1 << 17, Gamma2: 1}.Check()},
		{"ω = 256", Params{K: 1, L: 1, Eta: 2, Tau: 1, Gamma1: 1 << 17, Gamma2: (q - 1) / 88, Omega: 256}.Check()},
		{"λ = 1", Params{K: 1, L: 1, Eta: 2, Tau: 1, Gamma1: 1 << 17, Gamma2: (q - 1) / 88, Omega: 1, Lambda: 1}.Check()},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("error %v, want %q", test.err, test.want)
		}
	}
}

func first[T any](_ T, err error) error { return err }

func second[T, U any](_ T, _ U, err error) error { return err }

func TestParts(t *testing.T) {
	s := newScheme(t, "65", FIPS204, xof.SHAKE)
	for _, test := range []struct {
		of   func(int) string
		at   int
		want string
	}{
		{s.PublicKeyPart, 31, "ρ"},
		{s.PublicKeyPart, 32, "t₁[0]"},
		{s.PublicKeyPart, 1951, "t₁[5]"},
		{s.PublicKeyPart, 1952, "outside the public key"},
		{s.SecretKeyPart, 0, "ρ"},
		{s.SecretKeyPart, 63, "K"},
		{s.SecretKeyPart, 127, "tr"},
		{s.SecretKeyPart, 128, "s₁[0]"},
		{s.SecretKeyPart, 128 + 5*128, "s₂[0]"},
		{s.SecretKeyPart, 128 + 11*128, "t₀[0]"},
		{s.SecretKeyPart, 4031, "t₀[5]"},
		{s.SecretKeyPart, 4032, "outside the secret key"},
		{s.SignaturePart, 47, "c̃"},
		{s.SignaturePart, 48, "z[0]"},
		{s.SignaturePart, 3247, "z[4]"},
		{s.SignaturePart, 3248, "h"},
		{s.SignaturePart, 3309, "outside the signature"},
		{s.SignaturePart, -1, "outside the signature"},
	} {
		if got := test.of(test.at); got != test.want {
			t.Errorf("byte %d: %q, want %q", test.at, got, test.want)
		}
	}
}
