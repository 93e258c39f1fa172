package ascon

import (
	"bytes"
	"crypto/sha3"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func Example() {
	s := New(XOF128)
	s.Absorb([]byte("abc"))
	out := make([]byte, 16)
	s.Squeeze(out)
	fmt.Printf("%s %x, %d permutations\n", s.Spec().Name, out, s.Permutations())
	// Output: Ascon-XOF128 b87198613d724232505baa68187f9257, 3 permutations
}

// sum hashes m in one piece.
func sum(spec Spec, m []byte, n int) []byte {
	s := New(spec)
	s.Absorb(m)
	out := make([]byte, n)
	s.Squeeze(out)
	return out
}

func TestVectors(t *testing.T) {
	for _, file := range []struct {
		name  string
		spec  Spec
		tests int
		size  int // bytes of output
	}{
		{"ascon-xof-v12", Xof, 73, 32},
		{"ascon-xof-v12-long", Xof, 13, 512},
		{"ascon-xofa-v12", Xofa, 73, 32},
		{"ascon-xofa-v12-long", Xofa, 13, 512},
		{"ascon-hash-v12", Hash, 11, 32},
		{"ascon-xof128-sp800-232", XOF128, 73, 32},
		{"ascon-xof128-sp800-232-512", XOF128, 73, 64},
		{"ascon-hash256-sp800-232", Hash256, 11, 32},
	} {
		t.Run(file.name, func(t *testing.T) {
			var v struct{ Tests []struct{ Msg, Out hexBytes } }
			readVectors(t, file.name+".json", &v)
			if len(v.Tests) != file.tests {
				t.Errorf("%d tests, want %d", len(v.Tests), file.tests)
			}
			for _, test := range v.Tests {
				if len(test.Out) != file.size {
					t.Errorf("%d bytes: %d bytes of output, want %d", len(test.Msg), len(test.Out), file.size)
				}
				if got := sum(file.spec, test.Msg, len(test.Out)); !bytes.Equal(got, test.Out) {
					t.Errorf("%d bytes: %x, want %x", len(test.Msg), got, []byte(test.Out))
				}
			}
		})
	}
}

// specs are all named sponges.
var specs = []Spec{Xof, Xofa, Hash, XOF128, Hash256}

// Every message length up to four blocks folds into one digest, and the same
// computed by the book gives it too.
func TestSpongeDigest(t *testing.T) {
	const want = "dbf203c5f0a040b752675cc74abdbe4b549489d9f362e6b21a75c839ada88e3c"
	for _, test := range []struct {
		name string
		sum  func(spec Spec, m []byte, n int) []byte
	}{{"Sponge", sum}, {"by the book", sumByTheBook}} {
		h := sha3.New256()
		for _, spec := range specs {
			for n := range 4*Rate + 1 {
				h.Write(test.sum(spec, sha3.SumSHAKE256([]byte(spec.Name), n), n+3*Rate))
			}
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("%s: digest %s, want %s", test.name, got, want)
		}
	}
}

// The initial values encode parameters, and the states after the initial
// permutation are printed in v1.2, section 2.5.1, and SP 800-232, appendix A.
func TestStart(t *testing.T) {
	v12 := func(h uint64, s Spec) uint64 { // 0 ‖ r ‖ a ‖ a-b ‖ h, of 8, 8, 8, 8 and 32 bits
		return 64<<48 | uint64(s.A)<<40 | uint64(s.A-s.B)<<32 | h
	}
	sp800232 := func(id, h uint64, s Spec) uint64 { // appendix B: number, a, b, h and r/8, from the lowest bits
		return id | uint64(s.A)<<16 | uint64(s.B)<<20 | h<<24 | Rate<<40
	}
	for _, test := range []struct {
		spec  Spec
		iv    uint64
		start [5]uint64
	}{
		{Xof, v12(0, Xof),
			[5]uint64{0xb57e273b814cd416, 0x2b51042562ae2420, 0x66a3a7768ddf2218, 0x5aad0a7a8153650c, 0x4f3e0e32539493b6}},
		{Xofa, v12(0, Xofa),
			[5]uint64{0x44906568b77b9832, 0xcd8d6cae53455532, 0xf7b5212756422129, 0x246885e1de0d225b, 0xa8cb5ce33449973f}},
		{Hash, v12(256, Hash),
			[5]uint64{0xee9398aadb67f03d, 0x8bb21831c60f1002, 0xb48a92db98d5da62, 0x43189921b8f8e3e8, 0x348fa5c9d525e140}},
		{XOF128, sp800232(3, 0, XOF128),
			[5]uint64{0xda82ce768d9447eb, 0xcc7ce6c75f1ef969, 0xe7508fd780085631, 0x0ee0ea53416b58cc, 0xe0547524db6f0bde}},
		{Hash256, sp800232(2, 256, Hash256),
			[5]uint64{0x9b1e5494e934d681, 0x4bc3a01e333751d2, 0xae65396c6b34b81a, 0x3c7fd4a4d56a4db3, 0x1a5c464906c5976d}},
	} {
		if test.spec.IV != test.iv {
			t.Errorf("%s: initial value %016x, its parameters make %016x", test.spec.Name, test.spec.IV, test.iv)
		}
		if diff := cmp.Diff(test.start, test.spec.Start()); diff != "" {
			t.Errorf("%s: start (-want +got):\n%s", test.spec.Name, diff)
		}
	}
}

// sumByTheBook is Algorithm 2 of v1.2 line by line, over the permutation of the
// tables: the state is a string of 40 bytes, padding is appended to the message.
func sumByTheBook(spec Spec, m []byte, n int) (out []byte) {
	order, one := binary.ByteOrder(binary.LittleEndian), byte(0x01)
	if spec.BigEndian {
		order, one = binary.BigEndian, 0x80
	}
	var s [40]byte
	order.PutUint64(s[:], spec.IV)
	p := func(rounds int) {
		var x [5]uint64
		for i := range x {
			x[i] = order.Uint64(s[8*i:])
		}
		permuteByTheBook(&x, rounds)
		for i := range x {
			order.PutUint64(s[8*i:], x[i])
		}
	}

	p(spec.A)
	padded := append(append([]byte{}, m...), one)
	for len(padded)%8 != 0 {
		padded = append(padded, 0)
	}
	for i := 0; i < len(padded); i += 8 {
		if i > 0 {
			p(spec.B)
		}
		for j := range 8 {
			s[j] ^= padded[i+j]
		}
	}
	p(spec.A)
	for len(out) < n {
		out = append(out, s[:8]...)
		p(spec.B)
	}
	return out[:n]
}

// How a message and an output are cut makes no difference, to the bytes or to
// the count; a used sponge is as good as a new one after Reset. The sponges are
// of all kinds, so that a permutation with the wrong number of rounds shows.
func TestSplitProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := Spec{
			Name: "random", IV: rapid.Uint64().Draw(t, "IV"), BigEndian: rapid.Bool().Draw(t, "big"),
			A: rapid.IntRange(0, MaxRounds).Draw(t, "a"), B: rapid.IntRange(0, MaxRounds).Draw(t, "b"),
		}
		in := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 20), 0, 5).Draw(t, "in")
		out := rapid.SliceOfN(rapid.IntRange(0, 20), 1, 5).Draw(t, "out")

		s := New(spec)
		if rapid.Bool().Draw(t, "used") {
			s.Absorb(make([]byte, rapid.IntRange(0, 20).Draw(t, "used in")))
			if rapid.Bool().Draw(t, "used squeezing") {
				s.Squeeze(make([]byte, rapid.IntRange(0, 20).Draw(t, "used out")))
			}
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
		if want := sumByTheBook(spec, m, len(got)); !bytes.Equal(got, want) {
			t.Fatalf("%x, by the book %x", got, want)
		}
		want := uint64(1 + len(m)/8 + max(1, (len(got)+7)/8))
		if n := s.Permutations() - before; n != want {
			t.Fatalf("%d permutations for %d bytes in and %d out, want %d", n, len(m), len(got), want)
		}
	})
}

// The count with the initial permutation, for the calls of SPHINCS+ with n = 16
// and for what begins no or two messages.
func TestPermutations(t *testing.T) {
	hash := func(in, out int) func(*Sponge) {
		return func(s *Sponge) {
			s.Reset()
			s.Absorb(make([]byte, in))
			s.Squeeze(make([]byte, out))
		}
	}
	for _, test := range []struct {
		name string
		do   func(*Sponge)
		want uint64
	}{
		{"new", func(*Sponge) {}, 0},
		{"reset", func(s *Sponge) { s.Reset(); s.Reset() }, 0},
		{"seven bytes, no end", func(s *Sponge) { s.Absorb(make([]byte, 7)) }, 0},
		{"eight bytes, no end", func(s *Sponge) { s.Absorb(make([]byte, 8)) }, 2},
		{"nothing in, nothing out", hash(0, 0), 2},
		{"nothing in, a block out", hash(0, 8), 2},
		{"nothing in, more than a block out", hash(0, 9), 3},
		{"F", hash(64, 16), 11},
		{"H", hash(80, 16), 13},
		{"F twice", func(s *Sponge) { hash(64, 16)(s); hash(64, 16)(s) }, 22},
	} {
		for _, spec := range specs {
			s := New(spec)
			if test.do(s); s.Permutations() != test.want {
				t.Errorf("%s, %s: %d permutations, want %d", spec.Name, test.name, s.Permutations(), test.want)
			}
		}
	}
}

func TestSpecCheck(t *testing.T) {
	for _, spec := range specs {
		if err := spec.Check(); err != nil {
			t.Error(err)
		}
		if got := New(spec).Spec(); got != spec {
			t.Errorf("made from %v, want %v", got, spec)
		}
	}
	for _, test := range []struct {
		a, b int
		want string
	}{
		{13, 12, "13 rounds"}, {-1, 12, "-1 rounds"}, {12, 13, "13 rounds"}, {12, -1, "-1 rounds"},
	} {
		spec := Spec{Name: "x", A: test.a, B: test.b}
		if err := spec.Check(); err == nil || !strings.Contains(err.Error(), "sponge x: "+test.want) {
			t.Errorf("%+v: %v, want an error with %q", spec, err, test.want)
		}
		mustPanic(t, "New of a bad Spec", func() { New(spec) })
	}
}

func TestAbsorbAfterSqueeze(t *testing.T) {
	s := New(Xof)
	s.Squeeze(nil)
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
	s := New(Xof)
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
	s := New(Xof)
	var in [64]byte
	var out [16]byte
	for b.Loop() {
		s.Reset()
		s.Absorb(in[:])
		s.Squeeze(out[:])
	}
}
