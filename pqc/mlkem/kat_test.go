package mlkem

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"socsim/internal/nistkat"
	"socsim/pqc/xof"
)

// katFiles are whole files of NIST's known answer tests as digests (SHA-256): the
// first entry and all 100 entries of liboqs' tests/KATs/kem/kats.json, and for
// Kyber the file as submitted, which has a header.
var katFiles = []struct {
	set            string
	variant        Variant
	header         string // digest of the whole is that of header and entries
	first, all     string
	seedInOneRead  bool // d and z come from one read of the generator
	blankAtTheEnds bool // a blank line after every entry, also the last
}{
	{"512", FIPS203, "",
		"c70041a761e01cd6426fa60e9fd6a4412c2be817386c8d0f3334898082512782",
		"74b470e797cbdbd589a31d387d36c72aad5033446ab5159bf4014c24652b1173", true, false},
	{"768", FIPS203, "",
		"5352539586b6c3df58be6158a6250aeff402bd73060b0a3de68850ac074c17c3",
		"e5d6911117c708d8342702db222f66bef5ac5b0314fb8bc36eb22a536c9b34fb", true, false},
	{"1024", FIPS203, "",
		"f580d851e5fb27e6876e5e203fa18be4cdbfd49e05d48fec3d3992c8f43a13e6",
		"81d1ae0468f62154885b6f2a293c0eb48f9339645357a88bbbc186c57ab0ace0", true, false},
	{"512", R3, "",
		"bb0481d3325d828817900b709d23917cefbc10026fc857f098979451f67bb0ca",
		"0435224d77cc89bf77b82aa82af254b62f25d24e18c44dcd0aa9473cde97217a", false, false},
	{"768", R3, "",
		"89e82a5bf2d4ddb2c6444e10409e6d9ca65dafbca67d1a0db2c9b54920a29172",
		"b3a12005fe1ce49f5df510aea6a56bfa4bdc2d3d706afb0361d70dc88188a2a6", false, false},
	{"1024", R3, "",
		"5afcf2a568ad32d49b55105b032af1850f03f3888ff9e2a72f4059c58e968f60",
		"b72b97eb9270d76f2c7a8a0b03022c81c879af9e247abff52405127d77dd3a46", false, false},
	{"512", R3, "# Kyber512\n\n", "",
		"e9c2bd37133fcb40772f81559f14b1f58dccd1c816701be9ba6214d43baf4547", false, true},
	{"768", R3, "# Kyber768\n\n", "",
		"a1e122cad3c24bc51622e4c242d8b8acbcd3f618fee4220400605ca8f9ea02c2", false, true},
	{"1024", R3, "# Kyber1024\n\n", "",
		"89248f2f33f7f4f7051729111f3049c409a933ec904aedadf035f30fa5646cd5", false, true},
}

func TestKATFiles(t *testing.T) {
	for _, file := range katFiles {
		name := file.variant.Name + "-" + file.set
		if file.header != "" {
			name += "-file"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScheme(t, file.set, file.variant, xof.SHAKE)
			entries := 100
			if testing.Short() {
				entries = 1
			}
			h := sha256.New()
			h.Write([]byte(file.header))
			seeds := nistkat.File()
			for i := range entries {
				seed := seeds.Seed()
				drbg := nistkat.New(seed)
				var keySeed []byte
				if file.seedInOneRead {
					keySeed = drbg.Bytes(64)
				} else {
					keySeed = append(drbg.Bytes(32), drbg.Bytes(32)...)
				}
				ek, dk, err := s.KeyGen(keySeed)
				if err != nil {
					t.Fatal(err)
				}
				key, c, err := s.Encaps(ek, drbg.Bytes(32))
				if err != nil {
					t.Fatal(err)
				}
				if again, err := s.Decaps(dk, c); err != nil || !bytes.Equal(again, key) {
					t.Fatalf("entry %d: decapsulated %x, want %x, %v", i, again, key, err)
				}
				entry := nistkat.Entry(nistkat.Field{Name: "count", Value: i}, nistkat.Field{Name: "seed", Value: seed[:]},
					nistkat.Field{Name: "pk", Value: ek}, nistkat.Field{Name: "sk", Value: dk},
					nistkat.Field{Name: "ct", Value: c}, nistkat.Field{Name: "ss", Value: key})
				if i > 0 {
					h.Write([]byte("\n"))
				}
				h.Write([]byte(entry))
				if sum := hex.EncodeToString(h.Sum(nil)); i == 0 && file.first != "" && sum != file.first {
					t.Errorf("first entry has SHA-256 %s, want %s", sum, file.first)
				}
			}
			if file.blankAtTheEnds {
				h.Write([]byte("\n"))
			}
			if sum := hex.EncodeToString(h.Sum(nil)); !testing.Short() && sum != file.all {
				t.Errorf("all entries have SHA-256 %s, want %s", sum, file.all)
			}
		})
	}
}
