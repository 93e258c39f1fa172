package falcon

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"socsim/pqc/xof"
)

// hexBytes is bytes in a JSON file.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	*h = b
	return err
}

// readVectors reads a file of the shared test vectors.
func readVectors(t *testing.T, into any, name string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "vectors", "falcon", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no test vectors: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func newScheme(t testing.TB, p Params, family xof.Family) *Scheme {
	t.Helper()
	s, err := New(p, family)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// signedMessage is the form of the submission's KAT: length of what follows the
// message, nonce, message, header and s₂. Its header differs from that of a
// signature by itself.
func signedMessage(sig, m []byte) []byte {
	esig := append([]byte{sig[0] - 0x10}, sig[1+NonceSize:]...)
	sm := append([]byte{byte(len(esig) >> 8), byte(len(esig))}, sig[1:1+NonceSize]...)
	return append(append(sm, m...), esig...)
}

func TestSubmissionKAT(t *testing.T) {
	for _, test := range []struct {
		p     Params
		tests int
		short int // so many under -short
	}{{Sets[0], 20, 2}, {Sets[1], 10, 1}} {
		t.Run(test.p.Name, func(t *testing.T) {
			var file struct {
				Tests []struct {
					Count                       int
					Msg, PK, SK, SM             hexBytes
					KeygenSeed, Nonce, SignSeed hexBytes
				}
			}
			readVectors(t, &file, "falcon"+test.p.Name+"-kat.json")
			if len(file.Tests) != test.tests {
				t.Errorf("%d tests, want %d", len(file.Tests), test.tests)
			}
			t.Parallel()
			for i, v := range file.Tests {
				if testing.Short() && i >= test.short {
					break
				}
				s := newScheme(t, test.p, xof.SHAKE)
				sk, pk, err := s.KeyGen(v.KeygenSeed)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(sk, v.SK) || !bytes.Equal(pk, v.PK) {
					t.Errorf("count %d: sk %x pk %x, want %x %x", v.Count, sk, pk, v.SK, v.PK)
				}
				sig, err := s.Sign(v.Msg, v.SK, v.Nonce, v.SignSeed, Compressed)
				if err != nil {
					t.Fatal(err)
				}
				if sm := signedMessage(sig, v.Msg); !bytes.Equal(sm, v.SM) {
					t.Errorf("count %d: sm %x, want %x", v.Count, sm, v.SM)
				}
				if err := s.Verify(v.Msg, sig, v.PK); err != nil {
					t.Errorf("count %d: %v", v.Count, err)
				}
			}
		})
	}
}

// Signatures of degrees 2 to 64, and of the two sets, from given keys and the bytes
// that ChaCha20 is keyed with.
func TestGivenKeys(t *testing.T) {
	var file struct {
		Tests []struct {
			N      int
			SmallF []int8 `json:"f"`
			SmallG []int8 `json:"g"`
			BigF   []int8 `json:"F"`
			BigG   []int8 `json:"G"`
			Nonce  hexBytes
			Seed   hexBytes `json:"prng_seed"`
			S2     []int16
			Sig    hexBytes
		}
	}
	readVectors(t, &file, "sign-small-degree-kat.json")
	if len(file.Tests) != 20 {
		t.Errorf("%d tests, want 20", len(file.Tests))
	}
	for i, v := range file.Tests {
		s := newScheme(t, Params{"test", bits.Len(uint(v.N)) - 1}, xof.SHAKE)
		c := s.hashToPoint(v.Nonce, []byte("data1"))
		k := &key{v.SmallF, v.SmallG, v.BigF, v.BigG}
		if bigG, ok := completeKey(k.f, k.g, k.F); !ok || !slices.Equal(bigG, k.G) {
			t.Errorf("test %d, n = %d: G is %v, want %v", i, v.N, bigG, k.G)
		}
		read := func(b []byte) {
			if len(v.Seed) == 0 {
				t.Fatalf("test %d, n = %d: the first vector is not short", i, v.N)
			}
			copy(b, v.Seed)
			v.Seed = nil
		}
		sig, err := s.sign(k, c, v.Nonce, Padded, read)
		if err != nil || !bytes.Equal(sig, v.Sig) {
			t.Errorf("test %d, n = %d: signature %x, %v, want %x", i, v.N, sig, err, v.Sig)
		}
		if s2, err := s.decodeSignature(v.Sig); err != nil || !slices.Equal(s2, v.S2) {
			t.Errorf("test %d, n = %d: s2 %v, %v, want %v", i, v.N, s2, err, v.S2)
		}
		h, _ := publicKey(k.f, k.g)
		if err := s.Verify([]byte("data1"), v.Sig, s.encodePublic(h)); err != nil {
			t.Errorf("test %d: %v", i, err)
		}
	}
}
