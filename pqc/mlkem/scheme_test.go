package mlkem

import (
	"bytes"
	"crypto/mlkem"
	"crypto/mlkem/mlkemtest"
	"crypto/sha256"
	"crypto/sha3"
	"encoding/hex"
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/cloudflare/circl/kem"
	"github.com/cloudflare/circl/kem/kyber/kyber1024"
	"github.com/cloudflare/circl/kem/kyber/kyber512"
	"github.com/cloudflare/circl/kem/kyber/kyber768"
	circl1024 "github.com/cloudflare/circl/kem/mlkem/mlkem1024"
	circl512 "github.com/cloudflare/circl/kem/mlkem/mlkem512"
	circl768 "github.com/cloudflare/circl/kem/mlkem/mlkem768"
	"pgregory.net/rapid"

	"socsim/pqc/xof"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// circlSchemes are circl's implementations.
var circlSchemes = map[string]kem.Scheme{
	"fips203-512": circl512.Scheme(), "fips203-768": circl768.Scheme(), "fips203-1024": circl1024.Scheme(),
	"r3-512": kyber512.Scheme(), "r3-768": kyber768.Scheme(), "r3-1024": kyber1024.Scheme(),
}

// Random runs against circl, with a changed ciphertext for implicit rejection.
func TestCircl(t *testing.T) {
	for _, v := range []Variant{FIPS203, R3} {
		for _, p := range Sets {
			t.Run(v.Name+"-"+p.Name, func(t *testing.T) {
				t.Parallel()
				c := circlSchemes[v.Name+"-"+p.Name]
				s := newScheme(t, p.Name, v, xof.SHAKE)
				rapid.Check(t, func(t *rapid.T) {
					seed := rapid.SliceOfN(rapid.Byte(), SeedSize, SeedSize).Draw(t, "seed")
					m := rapid.SliceOfN(rapid.Byte(), MessageSize, MessageSize).Draw(t, "m")
					ek, dk, err := s.KeyGen(seed)
					if err != nil {
						t.Fatal(err)
					}
					pub, priv := c.DeriveKeyPair(seed)
					if want, _ := pub.MarshalBinary(); !bytes.Equal(ek, want) {
						t.Fatal("another encapsulation key")
					}
					if want, _ := priv.MarshalBinary(); !bytes.Equal(dk, want) {
						t.Fatal("another decapsulation key")
					}
					key, ct, err := s.Encaps(ek, m)
					if err != nil {
						t.Fatal(err)
					}
					if wantCT, want, err := c.EncapsulateDeterministically(pub, m); err != nil || !bytes.Equal(key, want) || !bytes.Equal(ct, wantCT) {
						t.Fatalf("another secret or ciphertext, %v", err)
					}
					if again, err := s.Decaps(dk, ct); err != nil || !bytes.Equal(again, key) {
						t.Fatalf("decapsulated another secret, %v", err)
					}
					at := rapid.IntRange(0, 8*len(ct)-1).Draw(t, "bit")
					ct[at/8] ^= 1 << (at % 8)
					again, err := s.Decaps(dk, ct)
					if err != nil || bytes.Equal(again, key) {
						t.Fatalf("bit %d changed: the same secret, %v", at, err)
					}
					if want, err := c.Decapsulate(priv, ct); err != nil || !bytes.Equal(again, want) {
						t.Fatalf("bit %d changed: another secret, %v", at, err)
					}
				})
			})
		}
	}
}

// The standard library.
func TestStandardLibrary(t *testing.T) {
	seed, m := bytes.Repeat([]byte{7}, SeedSize), bytes.Repeat([]byte{9}, MessageSize)
	check := func(set string, wantEK, wantKey, wantC []byte, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		s := newScheme(t, set, FIPS203, xof.SHAKE)
		ek, _, err := s.KeyGen(seed)
		if err != nil || !bytes.Equal(ek, wantEK) {
			t.Errorf("%s: another encapsulation key, %v", set, err)
		}
		if key, c, err := s.Encaps(ek, m); err != nil || !bytes.Equal(key, wantKey) || !bytes.Equal(c, wantC) {
			t.Errorf("%s: another secret or ciphertext, %v", set, err)
		}
	}
	dk768, err := mlkem.NewDecapsulationKey768(seed)
	if err != nil {
		t.Fatal(err)
	}
	key, c, err := mlkemtest.Encapsulate768(dk768.EncapsulationKey(), m)
	check("768", dk768.EncapsulationKey().Bytes(), key, c, err)
	dk1024, err := mlkem.NewDecapsulationKey1024(seed)
	if err != nil {
		t.Fatal(err)
	}
	key, c, err = mlkemtest.Encapsulate1024(dk1024.EncapsulationKey(), m)
	check("1024", dk1024.EncapsulationKey().Bytes(), key, c, err)
}

// The C2SP vectors of many runs: d, z, m and a random ciphertext come from
// SHAKE128 of nothing; ek, dk, c, K and the rejected K go to another SHAKE128. They
// are of the time when key generation did not hash k yet: see TestIntermediate.
func TestAccumulated(t *testing.T) {
	if testing.Short() && !*long {
		t.Skip("takes half a second")
	}
	runs := 100
	sums := map[string]string{ // of 100 runs, made by this package after the 10,000 agreed
		"512":  "d4b6b7b2548ebba0a547c73948b732771633632a39ce8ea7b93ddc862295ee6e",
		"768":  "8d0c478ead6037897a0da6be21e5399545babf5fc6dd10c061c99b7dee2bf0dc",
		"1024": "745f4c5895851d576e77943891a2b7528e32c5268a227914d4b509e2c9903bc9",
	}
	if *long {
		runs = 10000
		sums = map[string]string{
			"512":  "845913ea5a308b803c764a9ed8e9d814ca1fd9c82ba43c7b1e64b79c7a6ec8e4",
			"768":  "f7db260e1137a742e05fe0db9525012812b004d29040a5b606aad3d134b548d3",
			"1024": "47ac888fe61544efc0518f46094b4f8a600965fc89822acb06dc7169d24f3543",
		}
	}
	for _, p := range Sets {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			r3, s := newScheme(t, p.Name, R3, xof.SHAKE), newScheme(t, p.Name, FIPS203, xof.SHAKE)
			in, out := sha3.NewSHAKE128(), sha3.NewSHAKE128()
			read := func(n int) []byte {
				b := make([]byte, n)
				in.Read(b)
				return b
			}
			for range runs {
				ek, dk, err := r3.KeyGen(read(SeedSize))
				if err != nil {
					t.Fatal(err)
				}
				key, c, err := s.Encaps(ek, read(MessageSize))
				if err != nil {
					t.Fatal(err)
				}
				if again, err := s.Decaps(dk, c); err != nil || !bytes.Equal(again, key) {
					t.Fatalf("decapsulated another secret, %v", err)
				}
				rejected, err := s.Decaps(dk, read(s.CiphertextSize()))
				if err != nil {
					t.Fatal(err)
				}
				for _, b := range [][]byte{ek, dk, c, key, rejected} {
					out.Write(b)
				}
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
		sum       string // SHA-256 of ek, dk, c, K, rejected K
	}{
		{"ML-KEM-768 over shake12 (own instance)", "768", FIPS203, xof.SHAKE12,
			"b20a162c720e41441b5b7fe41b69ffb0e4714534d74ab7fe21ec9b90a4e51381"},
		{"ML-KEM-512 over ascon (own instance)", "512", FIPS203, xof.ASCON,
			"94ca6eaa2bebd2c6c69963ee43e6140e0d17f73bce18ed4db9666a6d13a99982"},
		{"ML-KEM-768 over ascon8 (own instance)", "768", FIPS203, xof.ASCON8,
			"6e03aad04eb73d4885cb12f49ce271ca585debfc2ce53ea39228647df966fd6e"},
		{"ML-KEM-1024 over ascon128 (own instance)", "1024", FIPS203, xof.ASCON128,
			"4e320089f8f5e3dd0dc86e360bf685faf66a5851a959881171a7801518054171"},
		{"Kyber768 (round 3) over ascon (own instance)", "768", R3, xof.ASCON,
			"30272309fd8cb26a587c25f810d53f0640db0fb3a4d006b31dd880b167732604"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScheme(t, test.set, test.variant, test.family)
			if s.Name() != test.name {
				t.Errorf("name %q, want %q", s.Name(), test.name)
			}
			ek, dk, err := s.KeyGen(sha3.SumSHAKE256([]byte("seed"), SeedSize))
			if err != nil {
				t.Fatal(err)
			}
			if initial := s.Initial(); (initial > 0) != test.family.OneSponge() {
				t.Errorf("%d initial permutations of %d", initial, s.Permutations())
			}
			key, c, err := s.Encaps(ek, sha3.SumSHAKE256([]byte("m"), MessageSize))
			if err != nil {
				t.Fatal(err)
			}
			if again, err := s.Decaps(dk, c); err != nil || !bytes.Equal(again, key) {
				t.Fatalf("decapsulated another secret, %v", err)
			}
			c[0] ^= 1
			rejected, err := s.Decaps(dk, c)
			if err != nil || bytes.Equal(rejected, key) {
				t.Errorf("a changed ciphertext is accepted, %v", err)
			}
			h := sha256.New()
			for _, b := range [][]byte{ek, dk, c, key, rejected} {
				h.Write(b)
			}
			if sum := hex.EncodeToString(h.Sum(nil)); sum != test.sum {
				t.Errorf("SHA-256 %s, want %s", sum, test.sum)
			}
		})
	}
}

// The modes of one sponge are apart: what G and J make of the same bytes differs.
func TestSeparation(t *testing.T) {
	for _, family := range xof.Families {
		s := newScheme(t, "768", FIPS203, family)
		m := make([]byte, 64)
		g, _ := s.g(m[:32], m[32:])
		h, j, prf := s.h(m), s.j(m, nil), s.prf(2, m[:63], 0)
		x := s.hashes.Message(xof.XOF128)
		x.Absorb(m)
		stream := make([]byte, 32)
		x.Squeeze(stream)
		seen := map[string]bool{}
		for _, b := range [][]byte{g, h, j, stream} {
			seen[string(b)] = true
		}
		if len(seen) != 4 {
			t.Errorf("%s: %d different hashes of the same bytes, want 4", family.Name, len(seen))
		}
		if !bytes.Equal(j, prf[:32]) {
			t.Errorf("%s: J and PRF are different functions, where both are mode %d", family.Name, xof.XOF256)
		}
	}
}

func TestErrors(t *testing.T) {
	s := newScheme(t, "768", FIPS203, xof.SHAKE)
	ek, dk, err := s.KeyGen(make([]byte, SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(dk)
	bad[1152] ^= 1 // in ek
	for _, test := range []struct {
		want string
		err  error
	}{
		{"ML-KEM-768: seed of 63 bytes, want 64", second(s.KeyGen(make([]byte, 63)))},
		{"ML-KEM-768: encapsulation key of 1183 bytes, want 1184", second(s.Encaps(ek[1:], make([]byte, 32)))},
		{"ML-KEM-768: randomness m of 0 bytes, want 32", second(s.Encaps(ek, nil))},
		{"ML-KEM-768: decapsulation key of 2399 bytes, want 2400", first(s.Decaps(dk[1:], make([]byte, 1088)))},
		{"ML-KEM-768: ciphertext of 1089 bytes, want 1088", first(s.Decaps(dk, make([]byte, 1089)))},
		{"ML-KEM-768: encapsulation key of 1185 bytes, want 1184", s.CheckEncapsulationKey(append(ek, 0))},
		{"ML-KEM-768: decapsulation key of 0 bytes, want 2400", s.CheckDecapsulationKey(nil)},
		{"not a key: it holds another hash", s.CheckDecapsulationKey(bad)},
		{"not a key: coefficient 1 of t̂[0] is 4095, not below 3329", s.CheckEncapsulationKey(append([]byte{0, 0xf0, 0xff}, ek[3:]...))},
		{`no parameter set "1025" (known: 512, 768, 1024)`, first(SetByName("1025"))},
		{"empty variant", first(New(Sets[0], Variant{}, xof.SHAKE))},
		{"empty hash family", first(New(Sets[0], R3, xof.Family{}))},
		{`parameter set "": k = 5, want 1 to 4`, first(New(Params{K: 5, Eta1: 2, Eta2: 2, Du: 10, Dv: 4}, R3, xof.SHAKE))},
		{"η₁ = 0", Params{K: 1}.Check()},
		{"η₂ = 4", Params{K: 1, Eta1: 1, Eta2: 4}.Check()},
		{"d_u = 12", Params{K: 1, Eta1: 1, Eta2: 1, Du: 12}.Check()},
		{"d_v = 0", Params{K: 1, Eta1: 1, Eta2: 1, Du: 1}.Check()},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("error %v, want %q", test.err, test.want)
		}
	}
	if err := s.CheckDecapsulationKey(bad); !errors.Is(err, ErrKey) {
		t.Errorf("%v is not ErrKey", err)
	}
}

func first[T any](_ T, err error) error { return err }

func second[T, U any](_ T, _ U, err error) error { return err }

func TestParts(t *testing.T) {
	p := Sets[1]
	for _, test := range []struct {
		of   func(int) string
		at   int
		want string
	}{
		{p.EncapsulationKeyPart, 0, "t̂[0]"},
		{p.EncapsulationKeyPart, 1151, "t̂[2]"},
		{p.EncapsulationKeyPart, 1152, "ρ"},
		{p.EncapsulationKeyPart, 1184, "outside the encapsulation key"},
		{p.DecapsulationKeyPart, 384, "ŝ[1]"},
		{p.DecapsulationKeyPart, 1152, "ek, t̂[0]"},
		{p.DecapsulationKeyPart, 2335, "ek, ρ"},
		{p.DecapsulationKeyPart, 2336, "H(ek)"},
		{p.DecapsulationKeyPart, 2399, "z"},
		{p.DecapsulationKeyPart, 2400, "outside the decapsulation key"},
		{p.CiphertextPart, 959, "u[2]"},
		{p.CiphertextPart, 960, "v"},
		{p.CiphertextPart, 1088, "outside the ciphertext"},
		{p.CiphertextPart, -1, "outside the ciphertext"},
	} {
		if got := test.of(test.at); got != test.want {
			t.Errorf("byte %d: %q, want %q", test.at, got, test.want)
		}
	}
}
