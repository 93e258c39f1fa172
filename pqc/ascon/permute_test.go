package ascon

import (
	"crypto/sha3"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// hexBytes is a hexadecimal string in a vector file.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

// word is a word of the state in a vector file, an integer in hexadecimal.
type word uint64

func (w *word) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(text), 16, 64)
	*w = word(v)
	return err
}

// readVectors fills v from a file of the shared vectors, which are not part of
// this repository.
func readVectors(t *testing.T, name string, v any) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "vectors", "ascon", name)
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

func TestPermuteVectors(t *testing.T) {
	var file struct {
		Tests []struct {
			Rounds  int
			In, Out [5]word
		}
	}
	readVectors(t, "ascon-p.json", &file)
	if len(file.Tests) != 24 {
		t.Errorf("%d tests, want 24", len(file.Tests))
	}
	for i, test := range file.Tests {
		var x [5]uint64
		for j, w := range test.In {
			x[j] = uint64(w)
		}
		Permute(&x, test.Rounds)
		for j, w := range test.Out {
			if x[j] != uint64(w) {
				t.Errorf("test %d, %d rounds: x%d is %016x, want %016x", i, test.Rounds, j, x[j], w)
			}
		}
	}
}

// A chain of permutations of every length folds into one digest. The same chain
// by the tables of the document gives it too.
func TestPermuteDigest(t *testing.T) {
	const want = "eb95ec55062c471d32b399f3ca4e5a8cd136151358111c0f8cf2fed79000e6c1"
	for _, test := range []struct {
		name    string
		permute func(*[5]uint64, int)
	}{{"Permute", Permute}, {"v1.2 by its tables", permuteByTheBook}} {
		var x [5]uint64
		h := sha3.New256()
		for n := range 4 * (MaxRounds + 1) {
			test.permute(&x, n%(MaxRounds+1))
			for _, w := range x {
				h.Write(binary.BigEndian.AppendUint64(nil, w))
			}
			x[n%5] += uint64(n)
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("%s: digest %s, want %s", test.name, got, want)
		}
	}
}

func TestPermuteProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got [5]uint64
		for i := range got {
			got[i] = rapid.Uint64().Draw(t, "word")
		}
		rounds := rapid.IntRange(0, MaxRounds).Draw(t, "rounds")
		want := got
		Permute(&got, rounds)
		permuteByTheBook(&want, rounds)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%d rounds (-by the book +Permute):\n%s", rounds, diff)
		}
	})
}

// permuteByTheBook is p^a or p^b by the tables and figures of v1.2, section 2.6,
// on single bits. Bit i of a word is the one of weight 2^i.
func permuteByTheBook(x *[5]uint64, rounds int) {
	sbox := [32]uint64{ // table 5; x0 is the most significant bit
		0x04, 0x0b, 0x1f, 0x14, 0x1a, 0x15, 0x09, 0x02, 0x1b, 0x05, 0x08, 0x12, 0x1d, 0x03, 0x06, 0x1c,
		0x1e, 0x13, 0x07, 0x0e, 0x00, 0x0d, 0x11, 0x18, 0x10, 0x0c, 0x01, 0x19, 0x16, 0x0a, 0x0f, 0x17,
	}
	rotations := [5][2]int{{19, 28}, {61, 39}, {1, 6}, {10, 17}, {7, 41}} // figure 4b, to the right
	for r := 12 - rounds; r < 12; r++ {
		x[2] ^= 0xf0 - 0x0f*uint64(r) // table 4
		var s [5]uint64
		for i := range 64 {
			column := uint64(0)
			for j := range x {
				column = column<<1 | x[j]>>i&1
			}
			column = sbox[column]
			for j := range s {
				s[j] |= column >> (4 - j) & 1 << i
			}
		}
		for j := range x {
			x[j] = 0
			for i := range 64 {
				from := func(rotation int) uint64 { return s[j] >> ((i + rotation) % 64) & 1 }
				x[j] |= (from(0) ^ from(rotations[j][0]) ^ from(rotations[j][1])) << i
			}
		}
	}
}

func TestTooManyRounds(t *testing.T) {
	for _, rounds := range []int{-1, 13} {
		mustPanic(t, "Permute", func() { Permute(new([5]uint64), rounds) })
	}
}

func BenchmarkPermute(b *testing.B) {
	var x [5]uint64
	for b.Loop() {
		Permute(&x, MaxRounds)
	}
}
