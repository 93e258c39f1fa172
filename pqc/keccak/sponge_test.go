package keccak

import (
	"bytes"
	stdsha3 "crypto/sha3"
	"encoding/hex"
	"io"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"
	"pgregory.net/rapid"
)

// sum hashes m in one piece.
func sum(spec Spec, m []byte, n int) []byte {
	s := New(spec)
	s.Absorb(m)
	out := make([]byte, n)
	s.Squeeze(out)
	return out
}

func TestHashVectors(t *testing.T) {
	for name, spec := range map[string]Spec{
		"sha3-256": SHA3_256, "sha3-512": SHA3_512, "shake128": SHAKE128, "shake256": SHAKE256,
	} {
		t.Run(name, func(t *testing.T) {
			var file struct{ Tests []struct{ Msg, Out hexBytes } }
			readVectors(t, name+".json", &file)
			if len(file.Tests) != 14 {
				t.Errorf("%d tests, want 14", len(file.Tests))
			}
			for _, test := range file.Tests {
				if got := sum(spec, test.Msg, len(test.Out)); !bytes.Equal(got, test.Out) {
					t.Errorf("%d bytes: %x, want %x", len(test.Msg), got, []byte(test.Out))
				}
			}
		})
	}
}

func TestReducedVectors(t *testing.T) {
	var file struct {
		Tests []struct {
			Rounds   int
			Msg, Out hexBytes
		}
	}
	readVectors(t, "shake256-reduced.json", &file)
	if len(file.Tests) != 14 {
		t.Errorf("%d tests, want 14", len(file.Tests))
	}
	for _, test := range file.Tests {
		if got := sum(SHAKE256.Reduced(test.Rounds), test.Msg, len(test.Out)); !bytes.Equal(got, test.Out) {
			t.Errorf("%d rounds, %d bytes: %x, want %x", test.Rounds, len(test.Msg), got, []byte(test.Out))
		}
	}
}

func TestTurboSHAKEVectors(t *testing.T) {
	var file struct {
		Tests []struct {
			Alg, Msg string
			D        byte
			OutLen   int
			Out      hexBytes
		}
	}
	readVectors(t, "turboshake.json", &file)
	if len(file.Tests) != 17 {
		t.Errorf("%d tests, want 17", len(file.Tests))
	}
	for _, test := range file.Tests {
		spec := map[string]Spec{"TurboSHAKE128": SHAKE128x12, "TurboSHAKE256": SHAKE256x12}[test.Alg]
		spec.Suffix = test.D
		if got := sum(spec, message(t, test.Msg), test.OutLen); !bytes.Equal(got, test.Out) {
			t.Errorf("%s of %s, D = %#02x: %x, want %x", test.Alg, test.Msg, test.D, got, []byte(test.Out))
		}
	}
}

// message reads a message of the TurboSHAKE file: "ptnN" or hexadecimal.
func message(t *testing.T, text string) []byte {
	t.Helper()
	if n, ok := strings.CutPrefix(text, "ptn"); ok {
		size, err := strconv.Atoi(n)
		if err != nil {
			t.Fatal(err)
		}
		m := make([]byte, size)
		for i := range m {
			m[i] = byte(i % 251)
		}
		return m
	}
	m, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// specs are all named sponges.
var specs = []Spec{
	SHAKE128, SHAKE256, SHA3_256, SHA3_512,
	SHAKE128x12, SHAKE256x12, SHA3_256x12, SHA3_512x12,
}

// Message lengths around the rate of every named sponge fold into one digest.
func TestSpongeDigest(t *testing.T) {
	const want = "9da2ea0f17df77ae1f496e0881ebcccfafbee938835d0db9716b8f431bdbc1c6"
	h := stdsha3.New256()
	m := make([]byte, 2*SHAKE128.Rate+2)
	for i := range m {
		m[i] = byte(7*i + i/256)
	}
	for _, spec := range specs {
		for _, n := range []int{0, 1, 7, 8, 9, spec.Rate - 1, spec.Rate, spec.Rate + 1, 2*spec.Rate - 1, 2 * spec.Rate} {
			h.Write(sum(spec, m[:n], 3*spec.Rate+5))
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// Every message length up to two blocks, against x/crypto/sha3.
func TestAgainstXCrypto(t *testing.T) {
	theirs := map[string]func(out, m []byte){
		"SHAKE128": sha3.ShakeSum128,
		"SHAKE256": sha3.ShakeSum256,
		"SHA3-256": func(out, m []byte) { d := sha3.Sum256(m); copy(out, d[:]) },
		"SHA3-512": func(out, m []byte) { d := sha3.Sum512(m); copy(out, d[:]) },
	}
	m := make([]byte, 2*SHAKE128.Rate+1)
	for i := range m {
		m[i] = byte(11*i + 3)
	}
	for _, test := range []struct {
		spec Spec
		size int
	}{{SHAKE128, 400}, {SHAKE256, 400}, {SHA3_256, 32}, {SHA3_512, 64}} {
		for n := range m {
			want := make([]byte, test.size)
			theirs[test.spec.Name](want, m[:n])
			if got := sum(test.spec, m[:n], test.size); !bytes.Equal(got, want) {
				t.Fatalf("%s of %d bytes: %x, want %x", test.spec.Name, n, got, want)
			}
		}
	}
}

// How a message and an output are cut makes no difference, to the bytes or to
// the count; a used sponge is as good as a new one after Reset.
func TestSplitProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(specs).Draw(t, "spec")
		in := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 200), 0, 5).Draw(t, "in")
		out := rapid.SliceOfN(rapid.IntRange(0, 200), 1, 5).Draw(t, "out")

		s := New(spec)
		if rapid.Bool().Draw(t, "used") {
			s.Absorb(make([]byte, 100))
			s.Squeeze(make([]byte, 300))
			s.Reset()
		}
		before := s.Permutations()
		var m, got []byte
		for _, p := range in {
			s.Absorb(p)
			m = append(m, p...)
		}
		for _, n := range out {
			p := make([]byte, n)
			s.Squeeze(p)
			got = append(got, p...)
		}
		if want := sum(spec, m, len(got)); !bytes.Equal(got, want) {
			t.Fatalf("%x in pieces, %x at once", got, want)
		}
		want := uint64(len(m)/spec.Rate + max(1, (len(got)+spec.Rate-1)/spec.Rate))
		if n := s.Permutations() - before; n != want {
			t.Fatalf("%d permutations for %d bytes in and %d out, want %d", n, len(m), len(got), want)
		}

		if spec.Name == "SHAKE256" {
			h := sha3.NewShake256()
			h.Write(m)
			want := make([]byte, len(got))
			io.ReadFull(h, want)
			if !bytes.Equal(got, want) {
				t.Fatalf("%x, x/crypto has %x", got, want)
			}
		}
	})
}

func TestSpecCheck(t *testing.T) {
	for _, spec := range specs {
		if err := spec.Check(); err != nil {
			t.Error(err)
		}
	}
	for _, test := range []struct {
		spec Spec
		want string
	}{
		{Spec{"x", 0, 0x1f, 24}, "rate of 0"},
		{Spec{"x", -8, 0x1f, 24}, "rate of -8"},
		{Spec{"x", 200, 0x1f, 24}, "rate of 200"},
		{Spec{"x", 132, 0x1f, 24}, "rate of 132"},
		{Spec{"x", 136, 0, 24}, "suffix 0x00"},
		{Spec{"x", 136, 0x80, 24}, "suffix 0x80"},
		{Spec{"x", 136, 0x1f, 25}, "25 rounds"},
		{Spec{"x", 136, 0x1f, -1}, "-1 rounds"},
	} {
		if err := test.spec.Check(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want an error with %q", test.spec, err, test.want)
		}
	}
	mustPanic(t, "New of a bad Spec", func() { New(Spec{}) })
}

func TestAbsorbAfterSqueeze(t *testing.T) {
	s := New(SHAKE128)
	s.Squeeze(nil)
	if s.Permutations() != 1 {
		t.Errorf("%d permutations when the message ends, want 1", s.Permutations())
	}
	mustPanic(t, "Absorb after Squeeze", func() { s.Absorb([]byte{1}) })
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "BUG: ") {
			t.Errorf("%s: no panic that begins with BUG", what)
		}
	}()
	f()
}

func TestNoAllocation(t *testing.T) {
	s := New(SHAKE256)
	var in [64]byte
	var out [16]byte
	if n := testing.AllocsPerRun(100, func() {
		s.Reset()
		s.Absorb(in[:])
		s.Squeeze(out[:])
	}); n != 0 {
		t.Errorf("%v allocations per hash, want 0", n)
	}
}

// BenchmarkShort is the hash call SPHINCS+ consists of: 64 bytes in, 16 out.
func BenchmarkShort(b *testing.B) {
	s := New(SHAKE256)
	var in [64]byte
	var out [16]byte
	for b.Loop() {
		s.Reset()
		s.Absorb(in[:])
		s.Squeeze(out[:])
	}
}
