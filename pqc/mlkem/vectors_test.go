package mlkem

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"socsim/pqc/xof"
)

// hexBytes is a hexadecimal string in a vector file.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

// readVectors returns a file of the shared vectors, which are not part of this
// repository.
func readVectors(t *testing.T, elem ...string) []byte {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "shared", "vectors"}, elem...)...)
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skipf("no vectors at %s", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// newScheme returns a scheme for a set by the end of its name.
func newScheme(t testing.TB, set string, v Variant, f xof.Family) *Scheme {
	t.Helper()
	p, err := SetByName(strings.TrimPrefix(set, "ML-KEM-"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(p, v, f)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// acvpTest is one test of NIST's three files.
type acvpTest struct {
	ParameterSet          string
	TCID                  int
	D, Z, EK, DK, M, C, K hexBytes
	ImplicitReject        bool
}

func acvpTests(t *testing.T, name string, want int) []acvpTest {
	t.Helper()
	var file struct{ Tests []acvpTest }
	if err := json.Unmarshal(readVectors(t, "mlkem", name), &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Tests) != want {
		t.Errorf("%s: %d tests, want %d", name, len(file.Tests), want)
	}
	return file.Tests
}

func TestACVPKeyGen(t *testing.T) {
	for _, test := range acvpTests(t, "keygen.json", 15) {
		s := newScheme(t, test.ParameterSet, FIPS203, xof.SHAKE)
		ek, dk, err := s.KeyGen(append(test.D, test.Z...))
		if err != nil || !bytes.Equal(ek, test.EK) || !bytes.Equal(dk, test.DK) {
			t.Errorf("tcId %d: %v, ek %x dk %x, want %x %x", test.TCID, err, ek, dk, test.EK, test.DK)
		}
		if err := s.CheckEncapsulationKey(ek); err != nil {
			t.Errorf("tcId %d: %v", test.TCID, err)
		}
		if err := s.CheckDecapsulationKey(dk); err != nil {
			t.Errorf("tcId %d: %v", test.TCID, err)
		}
	}
}

func TestACVPEncaps(t *testing.T) {
	for _, test := range acvpTests(t, "encaps.json", 12) {
		s := newScheme(t, test.ParameterSet, FIPS203, xof.SHAKE)
		key, c, err := s.Encaps(test.EK, test.M)
		if err != nil || !bytes.Equal(key, test.K) || !bytes.Equal(c, test.C) {
			t.Errorf("tcId %d: %v, K %x c %x, want %x %x", test.TCID, err, key, c, test.K, test.C)
		}
	}
}

// Of these 18 ciphertexts 10 were modified: the secret must be J(z ‖ c).
func TestACVPDecaps(t *testing.T) {
	rejected := 0
	for _, test := range acvpTests(t, "decaps.json", 18) {
		s := newScheme(t, test.ParameterSet, FIPS203, xof.SHAKE)
		key, err := s.Decaps(test.DK, test.C)
		if err != nil || !bytes.Equal(key, test.K) {
			t.Errorf("tcId %d: %v, K %x, want %x", test.TCID, err, key, test.K)
		}
		reject := s.j(test.DK[len(test.DK)-32:], test.C)
		if bytes.Equal(key, reject) != test.ImplicitReject {
			t.Errorf("tcId %d: rejected %v, want %v", test.TCID, !test.ImplicitReject, test.ImplicitReject)
		}
		if test.ImplicitReject {
			rejected++
		}
	}
	if rejected != 10 {
		t.Errorf("%d rejected ciphertexts, want 10", rejected)
	}
}

// values reads a file of lines "name = value"; of names that occur twice it keeps
// the last.
func values(t *testing.T, name string) map[string]hexBytes {
	t.Helper()
	v := map[string]hexBytes{}
	for line := range strings.Lines(string(readVectors(t, "mlkem", name))) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		if b, err := hex.DecodeString(value); err == nil {
			v[key] = b
		}
	}
	return v
}

// Intermediate values of the C2SP vectors: one run of everything, with what hashes
// and vectors hold on the way. They are of the time when key generation did not hash
// k yet, which is also how round 3 has it.
func TestIntermediate(t *testing.T) {
	for _, set := range []string{"512", "768"} {
		v := values(t, "cctv-intermediate-"+set+".txt")
		s := newScheme(t, set, FIPS203, xof.SHAKE)
		for name, want := range map[string]int{"d": 32, "ρ": 32, "σ": 32, "z": 32, "m": 32, "K": 32, "r": 384 * s.K} {
			if len(v[name]) != want {
				t.Fatalf("%s: %q has %d bytes, want %d", set, name, len(v[name]), want)
			}
		}
		check := func(name string, got []byte) {
			t.Helper()
			if !bytes.Equal(got, v[name]) {
				t.Errorf("%s: %s is %x, want %x", set, name, got, v[name])
			}
		}
		ρ, σ := s.g(v["d"], nil)
		check("ρ", ρ)
		check("σ", σ)
		var a, secret []byte
		for i := range s.K {
			for j := range s.K {
				a = byteEncode(a, s.sampleNTT(ρ, j, i), 12)
			}
			secret = byteEncode(secret, samplePolyCBD(s.prf(s.Eta1, σ, i), s.Eta1), 12)
		}
		check("A", a)
		check("s", secret)
		ek, dk, err := newScheme(t, set, R3, xof.SHAKE).KeyGen(append(v["d"], v["z"]...))
		if err != nil {
			t.Fatal(err)
		}
		check("ek", ek)
		check("dk", dk)
		check("H(ek)", s.h(ek))
		key, c, err := s.Encaps(ek, v["m"])
		if err != nil {
			t.Fatal(err)
		}
		check("K", key)
		check("c", c)
		if key, err = s.Decaps(dk, c); err != nil {
			t.Fatal(err)
		}
		check("K", key)
		check("KBar", s.j(v["z"], c))
	}
}

// A comparison of ciphertexts that ends at a zero byte accepts this one.
func TestStrcmp(t *testing.T) {
	for _, set := range []string{"512", "768"} {
		v := values(t, "cctv-strcmp-"+set+".txt")
		s := newScheme(t, set, FIPS203, xof.SHAKE)
		if key, err := s.Decaps(v["dk"], v["c"]); err != nil || len(key) != 32 || !bytes.Equal(key, v["K"]) {
			t.Errorf("%s: K %x, want %x, %v", set, key, v["K"], err)
		}
	}
}

// A polynomial of the matrix that needs an unusual number of candidates; key
// generation as in TestIntermediate.
func TestUnluckySample(t *testing.T) {
	for _, set := range []string{"512", "768"} {
		v := values(t, "cctv-unluckysample-"+set+".txt")
		r3, s := newScheme(t, set, R3, xof.SHAKE), newScheme(t, set, FIPS203, xof.SHAKE)
		ek, dk, err := r3.KeyGen(append(v["d"], v["z"]...))
		if err != nil || !bytes.Equal(ek, v["ek"]) || !bytes.Equal(dk, v["dk"]) {
			t.Errorf("%s: another key pair, %v", set, err)
		}
		if got, want := r3.Permutations(), keyGenPermutations(s.Params); got <= want {
			t.Errorf("%s: %d permutations, want more than %d: no polynomial took a fourth block", set, got, want)
		}
		key, c, err := s.Encaps(ek, v["m"])
		if err != nil || !bytes.Equal(key, v["K"]) || !bytes.Equal(c, v["c"]) {
			t.Errorf("%s: K %x, want %x, or another ciphertext, %v", set, key, v["K"], err)
		}
	}
}

// Encapsulation keys with one number of q or above each.
func TestModulus(t *testing.T) {
	for _, set := range []string{"512", "768"} {
		z, err := gzip.NewReader(bytes.NewReader(readVectors(t, "mlkem", "cctv-modulus-"+set+".txt.gz")))
		if err != nil {
			t.Fatal(err)
		}
		s := newScheme(t, set, FIPS203, xof.SHAKE)
		tests := 0
		for lines := bufio.NewScanner(z); lines.Scan(); tests++ {
			ek, err := hex.DecodeString(lines.Text())
			if err != nil {
				t.Fatal(err)
			}
			if err := s.CheckEncapsulationKey(ek); !errors.Is(err, ErrKey) {
				t.Errorf("%s, key %d: %v, want ErrKey", set, tests, err)
			}
		}
		if tests < 100 {
			t.Errorf("%s: %d keys, want some hundred", set, tests)
		}
	}
}

func TestRound3(t *testing.T) {
	for _, set := range []string{"512", "768", "1024"} {
		var file struct {
			Tests []struct {
				Count                             int
				KeygenCoins, Z, M, PK, SK, CT, SS hexBytes
			}
		}
		if err := json.Unmarshal(readVectors(t, "kyber-r3", "kyber"+set+".json"), &file); err != nil {
			t.Fatal(err)
		}
		if len(file.Tests) != 4 {
			t.Errorf("%d tests, want 4", len(file.Tests))
		}
		s := newScheme(t, set, R3, xof.SHAKE)
		for _, test := range file.Tests {
			ek, dk, err := s.KeyGen(append(test.KeygenCoins, test.Z...))
			if err != nil || !bytes.Equal(ek, test.PK) || !bytes.Equal(dk, test.SK) {
				t.Errorf("count %d: another key pair, %v", test.Count, err)
			}
			key, c, err := s.Encaps(ek, test.M)
			if err != nil || !bytes.Equal(key, test.SS) || !bytes.Equal(c, test.CT) {
				t.Errorf("count %d: key %x, want %x, or another ciphertext, %v", test.Count, key, test.SS, err)
			}
			if key, err = s.Decaps(dk, c); err != nil || !bytes.Equal(key, test.SS) {
				t.Errorf("count %d: decapsulated %x, want %x, %v", test.Count, key, test.SS, err)
			}
		}
	}
}
