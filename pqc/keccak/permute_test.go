package keccak

import (
	"crypto/sha3"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
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

// readVectors fills v from a file of the shared vectors, which are not part of
// this repository.
func readVectors(t *testing.T, name string, v any) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "vectors", "keccak", name)
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

func fromBytes(b []byte) (a [25]uint64) {
	for i := range a {
		a[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return a
}

func toBytes(a [25]uint64) (b []byte) {
	for _, lane := range a {
		b = binary.LittleEndian.AppendUint64(b, lane)
	}
	return b
}

func TestPermuteVectors(t *testing.T) {
	var file struct {
		Tests []struct {
			Rounds  int
			In, Out hexBytes
		}
	}
	readVectors(t, "keccak-p1600.json", &file)
	if len(file.Tests) != 20 {
		t.Errorf("%d tests, want 20", len(file.Tests))
	}
	for i, test := range file.Tests {
		a := fromBytes(test.In)
		Permute(&a, test.Rounds)
		if got := hex.EncodeToString(toBytes(a)); got != hex.EncodeToString(test.Out) {
			t.Errorf("test %d, %d rounds: %s, want %x", i, test.Rounds, got, test.Out)
		}
	}
}

// A chain of permutations of every length folds into one digest. The same
// chain with the constants recomputed below gives it too.
func TestPermuteDigest(t *testing.T) {
	const want = "d92344c0ba13e11d98c5d093fb1e9bf5e5b17ef7c45f8f514032c3cc101302e3"
	for _, test := range []struct {
		name    string
		permute func(*[25]uint64, int)
	}{{"Permute", Permute}, {"FIPS 202 step by step", permuteByTheBook}} {
		var a [25]uint64
		h := sha3.New256()
		for n := range 2 * (MaxRounds + 1) {
			test.permute(&a, n%(MaxRounds+1))
			h.Write(toBytes(a))
			a[n%25] += uint64(n)
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("%s: digest %s, want %s", test.name, got, want)
		}
	}
}

func TestUnrolledEqualsRound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got [25]uint64
		for i := range got {
			got[i] = rapid.Uint64().Draw(t, "lane")
		}
		rounds := rapid.IntRange(0, MaxRounds).Draw(t, "rounds")
		want := got
		Permute(&got, rounds)
		for i := MaxRounds - rounds; i < MaxRounds; i++ {
			round(&want, roundConstants[i])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%d rounds (-round +Permute):\n%s", rounds, diff)
		}
	})
}

func TestConstants(t *testing.T) {
	for i, got := range roundConstants {
		if want := roundConstantByTheBook(i); got != want {
			t.Errorf("round constant %d is %#016x, want %#016x", i, got, want)
		}
	}
	if diff := cmp.Diff(rotationsByTheBook(), rotations); diff != "" {
		t.Errorf("rotations (-want +got):\n%s", diff)
	}
}

// permuteByTheBook is Keccak-p[1600, nr] by FIPS 202, Algorithms 1 to 7, on
// single bits and with constants computed as the standard defines them.
func permuteByTheBook(a *[25]uint64, nr int) {
	type bits [5][5][64]bool
	var s bits
	for i := range a {
		for z := range 64 {
			s[i%5][i/5][z] = a[i]>>z&1 == 1
		}
	}
	offsets := rotationsByTheBook()
	for ir := 24 - nr; ir < 24; ir++ {
		var c [5][64]bool
		for x := range 5 {
			for z := range 64 {
				c[x][z] = s[x][0][z] != s[x][1][z] != s[x][2][z] != s[x][3][z] != s[x][4][z]
			}
		}
		var theta, rho, pi bits
		for x := range 5 {
			for y := range 5 {
				for z := range 64 {
					d := c[(x+4)%5][z] != c[(x+1)%5][(z+63)%64]
					theta[x][y][z] = s[x][y][z] != d
				}
			}
		}
		for x := range 5 {
			for y := range 5 {
				for z := range 64 {
					rho[x][y][(z+offsets[x+5*y])%64] = theta[x][y][z]
				}
			}
		}
		for x := range 5 {
			for y := range 5 {
				pi[x][y] = rho[(x+3*y)%5][x]
			}
		}
		rc := roundConstantByTheBook(ir)
		for x := range 5 {
			for y := range 5 {
				for z := range 64 {
					s[x][y][z] = pi[x][y][z] != (!pi[(x+1)%5][y][z] && pi[(x+2)%5][y][z])
					if x == 0 && y == 0 && rc>>z&1 == 1 {
						s[x][y][z] = !s[x][y][z]
					}
				}
			}
		}
	}
	*a = [25]uint64{}
	for i := range a {
		for z := range 64 {
			if s[i%5][i/5][z] {
				a[i] |= 1 << z
			}
		}
	}
}

// rotationsByTheBook walks (x, y) as ρ does (FIPS 202, Algorithm 2).
func rotationsByTheBook() (offsets [25]int) {
	x, y := 1, 0
	for t := range 24 {
		offsets[x+5*y] = (t + 1) * (t + 2) / 2 % 64
		x, y = y, (2*x+3*y)%5
	}
	return offsets
}

// roundConstantByTheBook clocks the shift register of rc (FIPS 202,
// Algorithms 5 and 6).
func roundConstantByTheBook(ir int) (constant uint64) {
	rc := func(t int) uint64 {
		r := uint(1) // bit i of r is R[i]
		for range t % 255 {
			r <<= 1
			if r>>8&1 == 1 {
				r ^= 0b1_0111_0001
			}
		}
		return uint64(r & 1)
	}
	for j := range 7 {
		constant |= rc(j+7*ir) << (1<<j - 1)
	}
	return constant
}

func TestTooManyRounds(t *testing.T) {
	for _, rounds := range []int{-1, 25} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d rounds: no panic", rounds)
				}
			}()
			Permute(new([25]uint64), rounds)
		}()
	}
}

func BenchmarkPermute(b *testing.B) {
	var a [25]uint64
	for b.Loop() {
		Permute(&a, MaxRounds)
	}
}
