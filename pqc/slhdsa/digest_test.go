package slhdsa

import (
	"bytes"
	"crypto/sha3"
	"encoding/hex"
	"testing"

	"github.com/cloudflare/circl/sign/slhdsa"
	"github.com/google/go-cmp/cmp"

	"socsim/pqc/keccak"
	"socsim/pqc/xof"
)

// fromName returns n bytes that depend on a name only.
func fromName(n int, name string) []byte { return sha3.SumSHAKE256([]byte(name), n) }

// inputs are what the digests of this file are derived from, by set name alone.
func inputs(p Params) (seed, m, ctx, addrnd []byte) {
	return fromName(p.SeedSize(), p.Name+" seed"), fromName(59, p.Name+" message"),
		fromName(17, p.Name+" context"), fromName(p.N, p.Name+" addrnd")
}

// circlIDs names the sets as circl does.
var circlIDs = map[string]slhdsa.ID{
	"128s": slhdsa.SHAKE_128s, "128f": slhdsa.SHAKE_128f,
	"192s": slhdsa.SHAKE_192s, "192f": slhdsa.SHAKE_192f,
	"256s": slhdsa.SHAKE_256s, "256f": slhdsa.SHAKE_256f,
}

// result is one key pair and deterministic signature under a context, as
// digests and permutation counts.
type result struct {
	PK, Signature        string // SHA3-256
	KeyGen, Sign, Verify uint64
}

// Each row was compared with circl v1.6.5 when it was written, and is again in
// every run. Counts have no outside source; keygen and sign equal closed forms.
var results = map[string]result{
	"128s": {
		PK:        "38041341b4066a4fe4a827d0437d9315f052f1382d7860d4f728e66fa975c1f4",
		Signature: "e3ce24fdcfe590d287ec9aab6c6da396853f1daceaed48738c544efd73dfa3d1",
		KeyGen:    289791, Sign: 2200574, Verify: 2204,
	},
	"128f": {
		PK:        "54c0342899e996509bac8bd43ce19d5502e909eff1e358e1976ae03f590a9114",
		Signature: "ac53e22991126ddc87463ae67792349a3dcfce431d374a8be264ecbfed50c508",
		KeyGen:    4527, Sign: 105937, Verify: 6413,
	},
	"192s": {
		PK:        "0ed53f0938a96b754d40a584debfda431984dfc953755935cc382ae40197a002",
		Signature: "4fbe701863feb1a0368db994ba89cac0d36377f462d52fa8d45c7a8c7bd75058",
		KeyGen:    423423, Sign: 3799552, Verify: 3154,
	},
	"192f": {
		PK:        "51ccccccc730309dde37fba4bd21c8e35aebe4526cfcd71da4790105c130e733",
		Signature: "88d150d5d8bc556d07d9b5209f064c3300eee99939b516b527bf42d06dc2865a",
		KeyGen:    6615, Sign: 170884, Verify: 9172,
	},
	"256s": {
		PK:        "09098eecb3c74449257e7bda84b982eaeabcf184758a33abb8b7d53bd2965f58",
		Signature: "0e704f190c56c51481efe33cbad1e969ab0c898a4478464317b6096bca41dfb2",
		KeyGen:    279039, Sign: 3313666, Verify: 4558,
	},
	"256f": {
		PK:        "9a3734268cf7eb2dc1621fd29f1ded6fbe086b375e564504b24d79f51592ccd8",
		Signature: "691280a9e823723baa2b5470ddc71b4410fb11774c35ee5589b2ac52eb23547a",
		KeyGen:    17439, Sign: 350236, Verify: 9298,
	},
}

func TestAllSets(t *testing.T) {
	for _, p := range Sets {
		t.Run(p.Name, func(t *testing.T) {
			if testing.Short() && slow(p.Name) {
				t.Skip("a slow set")
			}
			t.Parallel()
			seed, m, ctx, _ := inputs(p)
			s := newScheme(t, p.Name, FIPS205)

			sk, pk, err := s.KeyGen(seed)
			if err != nil {
				t.Fatal(err)
			}
			var got result
			got.PK, got.KeyGen = sha3Hex(pk), s.Permutations()
			if want := keyGenPermutations(p, shakeCost); got.KeyGen != want {
				t.Errorf("keygen took %d permutations, the closed form is %d", got.KeyGen, want)
			}

			sig, err := s.Sign(m, ctx, sk, nil)
			if err != nil {
				t.Fatal(err)
			}
			got.Signature, got.Sign = sha3Hex(sig), s.Permutations()
			if want := signPermutations(p, 2+len(ctx)+len(m), shakeCost); got.Sign != want {
				t.Errorf("sign took %d permutations, the closed form is %d", got.Sign, want)
			}

			if err := s.Verify(m, sig, ctx, pk); err != nil {
				t.Error(err)
			}
			got.Verify = s.Permutations()
			if diff := cmp.Diff(results[p.Name], got); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}

			compareWithCircl(t, p, seed, m, ctx, sk, pk, sig)
		})
	}
}

// compareWithCircl checks a key pair and deterministic signature against the
// implementation of circl.
func compareWithCircl(t *testing.T, p Params, seed, m, ctx, sk, pk, sig []byte) {
	t.Helper()
	circlPK, circlSK, err := slhdsa.GenerateKey(bytes.NewReader(seed), circlIDs[p.Name])
	if err != nil {
		t.Fatal(err)
	}
	want, err := circlSK.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(sk, want) {
		t.Errorf("sk %x, circl has %x", sk, want)
	}
	if want, err = circlPK.MarshalBinary(); err != nil || !bytes.Equal(pk, want) {
		t.Errorf("pk %x, circl has %x, %v", pk, want, err)
	}
	if want, err = slhdsa.SignDeterministic(&circlSK, slhdsa.NewMessage(m), ctx); err != nil {
		t.Fatal(err)
	}
	if at := firstDifference(sig, want); at >= 0 {
		t.Errorf("signature differs from circl's from byte %d on", at)
	}
	if !slhdsa.Verify(&circlPK, slhdsa.NewMessage(m), sig, ctx) {
		t.Error("circl does not accept the signature")
	}
	sig[len(sig)-1] ^= 1
	if slhdsa.Verify(&circlPK, slhdsa.NewMessage(m), sig, ctx) {
		t.Error("circl accepts a changed signature: the check above proves nothing")
	}
}

// Digests of what has no published vectors for the fast sets: hedged signing,
// round 3.1 and another hash.
func TestInstances(t *testing.T) {
	shake12 := xof.SHAKE12.Functions[xof.XOF256]
	for _, test := range []struct {
		name, set string
		variant   Variant
		hash      xof.Function
		hedged    bool
		sig       string
	}{
		{"SLH-DSA-SHAKE-128f", "128f", FIPS205, shake256, true,
			"97fc1b1795664ae919f3be0df6b5daefd0f2d77ca015db015df365f8c28c137d"},
		{"SLH-DSA-SHAKE-192f", "192f", FIPS205, shake256, true,
			"3f05ca835e4a69dfdf82343eaaeb5c401ae05e2c21ee96b33775b7eb0c8224a6"},
		{"SPHINCS+-SHAKE-128f-simple (round 3.1)", "128f", R3, shake256, false,
			"94527926baaadfe2b0a01762f1ad1fd82b9462e8a81d531af6dbbb918617e553"},
		{"SPHINCS+-SHAKE-192f-simple (round 3.1)", "192f", R3, shake256, true,
			"b30f3eb05db2ead64784e144b450b698774dbd8603f4c0aa6e8b3d9436abd21f"},
		{"SLH-DSA 128f over SHAKE256/12 (own instance)", "128f", FIPS205, shake12, false,
			"08b426ad159930aad0ff48788196bf700c70c59bc633ab3f7d1e03459eb0a862"},
		{"SPHINCS+ 256f simple (round 3.1) over SHAKE256/12 (own instance)", "256f", R3, shake12, false,
			"fb3ea78db099279b425e5ee03643259ad1fc69e8cc38beec3708d42e775bac98"},
		{"SLH-DSA 192f over SHAKE256/10 (own instance)", "192f", FIPS205, xof.Sponge(keccak.SHAKE256.Reduced(10)), false,
			"76c801030fddd563479f4998e98fb9d4b6e506a664897384d0a9453ad06973cd"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, err := SetByName(test.set)
			if err != nil {
				t.Fatal(err)
			}
			s, err := New(p, test.variant, test.hash)
			if err != nil {
				t.Fatal(err)
			}
			if s.Name() != test.name {
				t.Errorf("name %q, want %q", s.Name(), test.name)
			}
			seed, m, _, addrnd := inputs(p)
			if !test.hedged {
				addrnd = nil
			}
			sk, pk, err := s.KeyGen(seed)
			if err != nil {
				t.Fatal(err)
			}
			sig, err := s.Sign(m, nil, sk, addrnd)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Verify(m, sig, nil, pk); err != nil {
				t.Error(err)
			}
			if test.hedged && test.variant.Name == FIPS205.Name {
				_, circlSK, err := slhdsa.GenerateKey(bytes.NewReader(seed), circlIDs[p.Name])
				if err != nil {
					t.Fatal(err)
				}
				want, err := slhdsa.SignRandomized(&circlSK, bytes.NewReader(addrnd), slhdsa.NewMessage(m), nil)
				if at := firstDifference(sig, want); err != nil || at >= 0 {
					t.Errorf("signature differs from circl's from byte %d on, %v", at, err)
				}
			}
			if got := sha3Hex(sig); got != test.sig {
				t.Errorf("signature has SHA3-256 %s, want %s", got, test.sig)
			}
		})
	}
}

func sha3Hex(b []byte) string {
	sum := sha3.Sum256(b)
	return hex.EncodeToString(sum[:])
}
