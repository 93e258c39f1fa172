package slhdsa

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"socsim/pqc/ascon"
	"socsim/pqc/xof"
)

var asconFamilies = []xof.Family{xof.ASCON, xof.ASCON8, xof.ASCON128}

// asconHash is the sponge of Ascon-Sign.
var asconHash = xof.AsconSponge(ascon.Hash)

// asconCost is the cost of every Ascon sponge: 8 bytes a block in and out, and the
// initial permutation.
func asconCost(in, out int) uint64 { return 1 + uint64(in)/8 + uint64(out+7)/8 }

func newOver(t *testing.T, set string, v Variant, f xof.Function) *Scheme {
	t.Helper()
	p, err := SetByName(set)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(p, v, f)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Our own instances have no published answers: a key pair signs, its public key
// accepts that signature and no other, and the counts are those of the closed forms.
// The signatures fold into digests, whose worth is that they do not change.
func TestOverAscon(t *testing.T) {
	for _, test := range []struct {
		hash xof.Function
		name string
		sig  string // SHA3-256
	}{
		{xof.ASCON.Functions[xof.XOF256], "SLH-DSA 128f over Ascon-Xof (own instance)",
			"06fa05a34de50e25d12ed477c780c0c238a1c26dd5446038051b4d1d75a85f79"},
		{xof.ASCON8.Functions[xof.XOF256], "SLH-DSA 128f over Ascon-Xofa (own instance)",
			"303001f7cbe34a3d68a42bc2c9f470584e7dce0b9a1fb5d84f310e8535e3a69b"},
		{xof.ASCON128.Functions[xof.XOF256], "SLH-DSA 128f over Ascon-XOF128 (own instance)",
			"e2ccc22e285aa2854b2236dce6441d0a02b068bbfa08da804ef58b7c1632ecdc"},
	} {
		t.Run(test.hash.Name, func(t *testing.T) {
			t.Parallel()
			s := newOver(t, "128f", FIPS205, test.hash)
			if s.Name() != test.name {
				t.Errorf("name %q, want %q", s.Name(), test.name)
			}
			if s.Permutations() != 0 {
				t.Errorf("%d permutations before the first operation", s.Permutations())
			}
			seed, m, ctx, _ := inputs(s.Params)
			sk, pk, err := s.KeyGen(seed)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := s.Permutations(), keyGenPermutations(s.Params, asconCost); got != want {
				t.Errorf("keygen took %d permutations, the closed form is %d", got, want)
			}
			sig, err := s.Sign(m, ctx, sk, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := s.Permutations(), signPermutations(s.Params, 2+len(ctx)+len(m), asconCost); got != want {
				t.Errorf("sign took %d permutations, the closed form is %d", got, want)
			}
			if got := sha3Hex(sig); got != test.sig {
				t.Errorf("signature has SHA3-256 %s, want %s", got, test.sig)
			}

			if err := s.Verify(m, sig, ctx, pk); err != nil {
				t.Error(err)
			}
			for at := 0; at < len(sig); at += len(sig) / 11 {
				sig[at] ^= 1
				if err := s.Verify(m, sig, ctx, pk); !errors.Is(err, ErrSignature) {
					t.Errorf("%s, byte %d changed: %v, want ErrSignature", s.Component(at), at, err)
				}
				sig[at] ^= 1
			}
			if err := s.Verify(m[1:], sig, ctx, pk); !errors.Is(err, ErrSignature) {
				t.Errorf("message cut: %v, want ErrSignature", err)
			}
		})
	}
}

// The calls that SPHINCS+ is made of, n = 16: F takes 64 bytes in and 16 out, H 80
// and 16. An Ascon sponge permutes 11 and 13 times, SHAKE256 once.
func TestAsconCallCounts(t *testing.T) {
	for _, test := range []struct {
		families []xof.Family
		f, h     uint64
	}{
		{[]xof.Family{xof.SHAKE, xof.SHAKE12}, 1, 1},
		{asconFamilies, 11, 13},
	} {
		for _, family := range test.families {
			s := newOver(t, "128f", FIPS205, family.Functions[xof.XOF256])
			var adrs address
			node := make([]byte, s.N)
			s.begin()
			if s.f(node, &adrs, node); s.Permutations() != test.f {
				t.Errorf("%s: F took %d permutations, want %d", family.Name, s.Permutations(), test.f)
			}
			s.begin()
			if s.h(node, &adrs, node, node); s.Permutations() != test.h {
				t.Errorf("%s: H took %d permutations, want %d", family.Name, s.Permutations(), test.h)
			}
		}
	}
}

// The machinery with a hash that is not Keccak, against answers that are not ours:
// those of the code of Ascon-Sign-simple, which is round 3.1 over Ascon-Hash.
func TestAsconSign(t *testing.T) {
	for set, tests := range map[string]int{"128f": 2, "128s": 1} {
		t.Run(set, func(t *testing.T) {
			var file struct {
				Tests []struct {
					Count                                 int
					Msg, PK, SK, OptRand, Sig, KeygenSeed hexBytes
				}
			}
			readVectors(t, &file, "ascon-sign", "ascon-sign-"+set+"-simple.json")
			if testing.Short() && slow(set) {
				t.Skip("a slow set")
			}
			t.Parallel()
			if len(file.Tests) != tests {
				t.Errorf("%d tests, want %d", len(file.Tests), tests)
			}
			for _, test := range file.Tests {
				s := newOver(t, set, R3, asconHash)
				sk, pk, err := s.KeyGen(test.KeygenSeed)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(sk, test.SK) || !bytes.Equal(pk, test.PK) {
					t.Errorf("count %d: sk %x pk %x, want %x %x", test.Count, sk, pk, test.SK, test.PK)
				}
				sig, err := s.Sign(test.Msg, nil, sk, test.OptRand)
				if err != nil {
					t.Fatal(err)
				}
				if at := firstDifference(sig, test.Sig); at >= 0 {
					t.Errorf("count %d: signature differs from byte %d on: %s", test.Count, at, s.Component(at))
				}
				if err := s.Verify(test.Msg, sig, nil, pk); err != nil {
					t.Errorf("count %d: %v", test.Count, err)
				}
			}
		})
	}
}

// The first of these answers as a digest, for where the vectors are not.
func TestAsconSignDigest(t *testing.T) {
	const (
		keygenSeed = "7c9935a0b07694aa0c6d10e4db6b1add2fd81a25ccb148032dcd739936737f2d" +
			"b505d7cfad1b497499323c8686325e47"
		msg     = "d81c4d8d734fcbfbeade3d3f8a039faa2a2c9957e835ad55b22e75bf57bb556ac8"
		optRand = "33b3c07507e4201748494d832b6ee2a6"
		pkRoot  = "d7af7fa8f83b8885f6eb8d09a2853fb3"
		sigSum  = "8c1d1e9021897a5d62517521afd6592d3ab38a44e01aa9595ccb4fc2b26f8f4e" // SHA3-256
	)
	s := newOver(t, "128f", R3, asconHash)
	sk, pk, err := s.KeyGen(unhex(t, keygenSeed))
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(pk[s.N:]); got != pkRoot {
		t.Errorf("PK.root %s, want %s", got, pkRoot)
	}
	sig, err := s.Sign(unhex(t, msg), nil, sk, unhex(t, optRand))
	if err != nil {
		t.Fatal(err)
	}
	if got := sha3Hex(sig); got != sigSum {
		t.Errorf("signature has SHA3-256 %s, want %s", got, sigSum)
	}
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
