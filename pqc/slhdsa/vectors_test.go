package slhdsa

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
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

// readVectors fills v from a file of the shared vectors, which are not part of
// this repository.
func readVectors(t *testing.T, v any, elem ...string) {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "shared", "vectors"}, elem...)...)
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skipf("no vectors at %s", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

var shake256 = xof.SHAKE.Functions[xof.XOF256]

// newScheme returns a scheme over SHAKE256 for a set by the end of its name.
func newScheme(t testing.TB, set string, v Variant) *Scheme {
	t.Helper()
	p, err := SetByName(strings.TrimPrefix(set, "SLH-DSA-SHAKE-"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(p, v, shake256)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// slow reports whether a signature or key pair of the set costs too much for
// go test -short.
func slow(set string) bool { return strings.HasSuffix(set, "s") }

func TestACVPKeyGen(t *testing.T) {
	var file struct {
		Tests []struct {
			ParameterSet          string
			TCID                  int
			SKSeed, SKPrf, PKSeed hexBytes
			SK, PK                hexBytes
		}
	}
	readVectors(t, &file, "slhdsa", "keygen.json")
	if len(file.Tests) != 30 {
		t.Errorf("%d tests, want 30", len(file.Tests))
	}
	for _, test := range file.Tests {
		t.Run(test.ParameterSet, func(t *testing.T) {
			if testing.Short() && slow(test.ParameterSet) {
				t.Skip("a slow set")
			}
			t.Parallel()
			s := newScheme(t, test.ParameterSet, FIPS205)
			sk, pk, err := s.KeyGen(bytes.Join([][]byte{test.SKSeed, test.SKPrf, test.PKSeed}, nil))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(sk, test.SK) || !bytes.Equal(pk, test.PK) {
				t.Errorf("tcId %d: sk %x pk %x, want %x %x", test.TCID, sk, pk, test.SK, test.PK)
			}
		})
	}
}

func TestACVPSigGen(t *testing.T) {
	var file struct {
		Tests []struct {
			ParameterSet         string
			TCID                 int
			SignatureInterface   string
			Deterministic        bool
			SK, Message, Context hexBytes
			AdditionalRandomness hexBytes
			Signature            hexBytes
		}
	}
	readVectors(t, &file, "slhdsa", "siggen.json")
	if len(file.Tests) != 14 {
		t.Errorf("%d tests, want 14", len(file.Tests))
	}
	for _, test := range file.Tests {
		t.Run(test.ParameterSet, func(t *testing.T) {
			if testing.Short() && slow(test.ParameterSet) {
				t.Skip("a slow set")
			}
			t.Parallel()
			s := newScheme(t, test.ParameterSet, FIPS205)
			if test.Deterministic != (test.AdditionalRandomness == nil) {
				t.Fatalf("tcId %d: deterministic %v with addrnd %x", test.TCID, test.Deterministic, test.AdditionalRandomness)
			}
			var sig []byte
			var err error
			if test.SignatureInterface == "internal" {
				sig, err = s.SignInternal(test.Message, test.SK, test.AdditionalRandomness)
			} else {
				sig, err = s.Sign(test.Message, test.Context, test.SK, test.AdditionalRandomness)
			}
			if err != nil {
				t.Fatal(err)
			}
			if at := firstDifference(sig, test.Signature); at >= 0 {
				t.Errorf("tcId %d: signature differs from byte %d on", test.TCID, at)
			}
		})
	}
}

func TestACVPSigVer(t *testing.T) {
	var file struct {
		Tests []struct {
			ParameterSet         string
			TCID                 int
			SignatureInterface   string
			PK, Message, Context hexBytes
			Signature            hexBytes
			TestPassed           bool
		}
	}
	readVectors(t, &file, "slhdsa", "sigver.json")
	if len(file.Tests) != 20 {
		t.Errorf("%d tests, want 20", len(file.Tests))
	}
	for _, test := range file.Tests {
		t.Run(test.ParameterSet, func(t *testing.T) {
			s := newScheme(t, test.ParameterSet, FIPS205)
			var err error
			if test.SignatureInterface == "internal" {
				err = s.VerifyInternal(test.Message, test.Signature, test.PK)
			} else {
				err = s.Verify(test.Message, test.Signature, test.Context, test.PK)
			}
			if (err == nil) != test.TestPassed {
				t.Errorf("tcId %d: %v, want passed = %v", test.TCID, err, test.TestPassed)
			}
		})
	}
}

// The round 3.1 key pair comes from the first 3n bytes the generator gave, the
// signed message from sm = signature ‖ message.
func TestRound3(t *testing.T) {
	for _, set := range []string{"128f", "128s"} {
		var file struct {
			Tests []struct {
				Count                                int
				Msg, PK, SK, OptRand, SM, KeygenSeed hexBytes
			}
		}
		t.Run(set, func(t *testing.T) {
			readVectors(t, &file, "sphincsplus-r3", "shake-"+set+"-simple.json")
			if testing.Short() && slow(set) {
				t.Skip("a slow set")
			}
			t.Parallel()
			if len(file.Tests) != 2 {
				t.Errorf("%d tests, want 2", len(file.Tests))
			}
			for _, test := range file.Tests {
				s := newScheme(t, set, R3)
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
				if at := firstDifference(append(sig, test.Msg...), test.SM); at >= 0 {
					t.Errorf("count %d: sm differs from byte %d on", test.Count, at)
				}
				if err := s.Verify(test.Msg, sig, nil, pk); err != nil {
					t.Errorf("count %d: %v", test.Count, err)
				}
			}
		})
	}
}

// firstDifference returns the first index at which a and b differ, -1 if none.
func firstDifference(a, b []byte) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}
