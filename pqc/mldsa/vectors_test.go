package mldsa

import (
	"bytes"
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

// readVectors fills v from a file of the shared vectors, which are not part of this
// repository.
func readVectors(t *testing.T, v any, elem ...string) {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "shared", "vectors"}, elem...)...)
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skipf("no vectors at %s", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// newScheme returns a scheme for a set by the end of its name.
func newScheme(t testing.TB, set string, v Variant, f xof.Family) *Scheme {
	t.Helper()
	p, err := SetByName(strings.TrimPrefix(set, "ML-DSA-"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(p, v, f)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// acvpTest is one test of NIST's files.
type acvpTest struct {
	ParameterSet                                       string
	TCID                                               int
	Deterministic, TestPassed                          bool
	Seed, PK, SK, Message, Context, Mu, Rnd, Signature hexBytes
}

func acvpTests(t *testing.T, name string, want int) []acvpTest {
	t.Helper()
	var file struct{ Tests []acvpTest }
	readVectors(t, &file, "mldsa", name)
	if len(file.Tests) != want {
		t.Errorf("%s: %d tests, want %d", name, len(file.Tests), want)
	}
	return file.Tests
}

func TestACVPKeyGen(t *testing.T) {
	for _, test := range acvpTests(t, "keygen.json", 12) {
		s := newScheme(t, test.ParameterSet, FIPS204, xof.SHAKE)
		pk, sk, err := s.KeyGen(test.Seed)
		if err != nil || !bytes.Equal(pk, test.PK) || !bytes.Equal(sk, test.SK) {
			t.Errorf("tcId %d: %v, pk %x sk %x, want %x %x", test.TCID, err, pk, sk, test.PK, test.SK)
		}
	}
}

func TestACVPSign(t *testing.T) {
	for name, tests := range map[string]int{"siggen-internal.json": 15, "siggen-external.json": 4, "siggen-externalmu.json": 4} {
		t.Run(name, func(t *testing.T) {
			for _, test := range acvpTests(t, name, tests) {
				if test.Deterministic != (test.Rnd == nil) {
					t.Fatalf("tcId %d: deterministic %v with rnd %x", test.TCID, test.Deterministic, test.Rnd)
				}
				s := newScheme(t, test.ParameterSet, FIPS204, xof.SHAKE)
				var sig []byte
				var err error
				switch name {
				case "siggen-internal.json":
					sig, err = s.SignInternal(test.Message, test.SK, test.Rnd)
				case "siggen-external.json":
					sig, err = s.Sign(test.Message, test.Context, test.SK, test.Rnd)
				default:
					sig, err = s.SignMu(test.Mu, test.SK, test.Rnd)
				}
				if err != nil || !bytes.Equal(sig, test.Signature) {
					t.Errorf("tcId %d: another signature, %v", test.TCID, err)
				}
			}
		})
	}
}

// 19 of these 25 signatures are bad.
func TestACVPVerify(t *testing.T) {
	for name, tests := range map[string]int{"sigver-internal.json": 21, "sigver-external.json": 4} {
		for _, test := range acvpTests(t, name, tests) {
			s := newScheme(t, test.ParameterSet, FIPS204, xof.SHAKE)
			var err error
			switch {
			case name == "sigver-internal.json":
				err = s.VerifyInternal(test.Message, test.Signature, test.PK)
			case test.Mu != nil:
				err = s.VerifyMu(test.Mu, test.Signature, test.PK)
			default:
				err = s.Verify(test.Message, test.Signature, test.Context, test.PK)
			}
			if (err == nil) != test.TestPassed || err != nil && !errors.Is(err, ErrSignature) {
				t.Errorf("%s, tcId %d: %v, want passed = %v", name, test.TCID, err, test.TestPassed)
			}
		}
	}
}

func TestRound3(t *testing.T) {
	for _, p := range Sets {
		var file struct {
			Tests []struct {
				Count                       int
				Msg, PK, SK, SM, KeygenSeed hexBytes
			}
		}
		s := newScheme(t, p.Name, R3, xof.SHAKE)
		readVectors(t, &file, "dilithium-r3", strings.ToLower(s.Name()[:len("Dilithium2")])+".json")
		if len(file.Tests) != 3 {
			t.Errorf("%d tests, want 3", len(file.Tests))
		}
		for _, test := range file.Tests {
			pk, sk, err := s.KeyGen(test.KeygenSeed)
			if err != nil || !bytes.Equal(pk, test.PK) || !bytes.Equal(sk, test.SK) {
				t.Errorf("%s, count %d: another key pair, %v", s.Name(), test.Count, err)
			}
			sig, err := s.Sign(test.Msg, nil, sk, nil)
			if err != nil || !bytes.Equal(append(sig, test.Msg...), test.SM) {
				t.Errorf("%s, count %d: another signature, %v", s.Name(), test.Count, err)
			}
			if err := s.Verify(test.Msg, test.SM[:s.SignatureSize()], nil, pk); err != nil {
				t.Errorf("count %d: %v", test.Count, err)
			}
		}
	}
}
