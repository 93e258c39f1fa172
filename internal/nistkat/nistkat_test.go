package nistkat

import (
	"bytes"
	"encoding/hex"
	"testing"
)

// The first seeds and messages of every file of signatures, and what the generator
// of the first entry gives (published with the Dilithium and Kyber submissions).
func TestKnownBytes(t *testing.T) {
	file := File()
	seed := file.Seed()
	message := file.Bytes(33)
	second := file.Seed()
	entry := New(seed)
	for _, test := range []struct {
		name, prefix string
		got          []byte
	}{
		{"seed of entry 0", "061550234d158c5ec95595fe04ef7a25", seed[:]},
		{"message of entry 0", "d81c4d8d734fcbfbeade3d3f8a039faa2a2c9957e835ad55b22e75bf57bb556ac8", message},
		{"seed of entry 1", "64335bf29e5de62842c941766ba129b0", second[:]},
		{"first read of entry 0", "7c9935a0b07694aa0c6d10e4db6b1add2fd81a25ccb148032dcd739936737f2d", entry.Bytes(32)},
	} {
		want, err := hex.DecodeString(test.prefix)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(test.got, want) {
			t.Errorf("%s: %x, want %x...", test.name, test.got, want)
		}
	}
}

// Two reads are not one read cut in two.
func TestReadsAreApart(t *testing.T) {
	one, two := File(), File()
	a := one.Bytes(64)
	b := append(two.Bytes(32), two.Bytes(32)...)
	if !bytes.Equal(a[:32], b[:32]) || bytes.Equal(a, b) {
		t.Errorf("%x\n%x: want the same first half only", a, b)
	}
}

func TestEntry(t *testing.T) {
	got := Entry(Field{"count", 0}, Field{"seed", []byte{0xab, 1}})
	if want := "count = 0\nseed = AB01\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
