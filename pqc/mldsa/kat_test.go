package mldsa

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"socsim/internal/nistkat"
	"socsim/pqc/xof"
)

// katFiles are whole files of NIST's known answer tests as digests (SHA-256). Those
// of ML-DSA are liboqs' tests/KATs/sig/kats.json: hedged signatures under the empty
// context. Of Dilithium only the first entry was published as a digest (PQClean's
// META.yml); TestRound3 has the next two.
var katFiles = []struct {
	set        string
	variant    Variant
	first, all string
}{
	{"44", FIPS204, "9a196e7fb32fbc93757dc2d8dc1924460eab66303c0c08aeb8b798fb8d8f8cf3",
		"54322d25c05b96941aec73eb3ee27a975d38a34bfb53ef4cb9fd4a8e9cab554c"},
	{"65", FIPS204, "7cb96242eac9907a55b5c84c202f0ebd552419c50b2e986dc2e28f07ecebf072",
		"47e1ca6d4a45e9853e381954cf97206eca22993deade3cade45bd9d9457c93f9"},
	{"87", FIPS204, "4537905d2aabcf302fab2f242baed293459ecda7c230e6a67063b02c7e2840ed",
		"12382114979d5b64436aebfe6db02d61c07859429233105e936752cb77cc585a"},
	{"44", R3, "faa8998108fa541309c9df5044018c5d26cc23654594bef639dd64b838646cbd", ""},
	{"65", R3, "8439f580566c46b99449b2cbbd597ce59bcd5d184b90c1108b79a08f6bdbbcb1", ""},
	{"87", R3, "984ea5f06b13778292f60ecc07301af76e375f1bb9f4a39d676513439e1e83a2", ""},
}

func TestKATFiles(t *testing.T) {
	for _, file := range katFiles {
		t.Run(file.variant.Name+"-"+file.set, func(t *testing.T) {
			t.Parallel()
			s := newScheme(t, file.set, file.variant, xof.SHAKE)
			entries := 100
			if testing.Short() || file.all == "" {
				entries = 1
			}
			h := sha256.New()
			seeds := nistkat.File()
			for i := range entries {
				seed := seeds.Seed()
				m := seeds.Bytes(33 * (i + 1))
				drbg := nistkat.New(seed)
				pk, sk, err := s.KeyGen(drbg.Bytes(SeedSize))
				if err != nil {
					t.Fatal(err)
				}
				var rnd []byte
				if file.variant == FIPS204 {
					rnd = drbg.Bytes(RandomSize)
				}
				sig, err := s.Sign(m, nil, sk, rnd)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Verify(m, sig, nil, pk); err != nil {
					t.Fatalf("entry %d: %v", i, err)
				}
				sm := append(sig, m...)
				if i > 0 {
					h.Write([]byte("\n"))
				}
				h.Write([]byte(nistkat.Entry(nistkat.Field{Name: "count", Value: i}, nistkat.Field{Name: "seed", Value: seed[:]},
					nistkat.Field{Name: "mlen", Value: len(m)}, nistkat.Field{Name: "msg", Value: m},
					nistkat.Field{Name: "pk", Value: pk}, nistkat.Field{Name: "sk", Value: sk},
					nistkat.Field{Name: "smlen", Value: len(sm)}, nistkat.Field{Name: "sm", Value: sm})))
				if sum := hex.EncodeToString(h.Sum(nil)); i == 0 && sum != file.first {
					t.Errorf("first entry has SHA-256 %s, want %s", sum, file.first)
				}
			}
			if sum := hex.EncodeToString(h.Sum(nil)); entries == 100 && sum != file.all {
				t.Errorf("all entries have SHA-256 %s, want %s", sum, file.all)
			}
		})
	}
}
