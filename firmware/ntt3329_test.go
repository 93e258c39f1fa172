package firmware

import (
	"debug/elf"
	"encoding/binary"
	"math/big"
	"testing"
)

// words returns the table of n words that a program has at a symbol.
func words(t *testing.T, name, symbol string, n int) []uint32 {
	t.Helper()
	f := program(t, name)
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		if s.Name != symbol || s.Section >= elf.SHN_LORESERVE {
			continue
		}
		section := f.Sections[s.Section]
		b, err := section.Data()
		if err != nil {
			t.Fatal(err)
		}
		out := make([]uint32, n)
		for i := range out {
			out[i] = binary.LittleEndian.Uint32(b[s.Value-section.Addr+4*uint64(i):])
		}
		return out
	}
	t.Fatalf("%s: no symbol %s", name, symbol)
	return nil
}

// plantard is lattice/ntt3329.S's multiplication.
func plantard(x int32, constant uint32) int32 {
	p := int32(uint32(x)*constant) >> 16
	return ((p + 8) * 3329) >> 16
}

// reduced is c modulo q.
func reduced(c int64) int64 { return ((c % 3329) + 3329) % 3329 }

// root17 is 17^BitRev7(i) modulo q.
func root17(i int) int64 {
	power := int64(1)
	for bit := range 7 {
		if i>>bit&1 != 0 {
			power = power * new(big.Int).Exp(big.NewInt(17), big.NewInt(1<<(6-bit)), big.NewInt(3329)).Int64() % 3329
		}
	}
	return power
}

// Every constant of the transform and its inverse multiplies as it should, for factors
// as large as the derivation allows, and the result is as small.
func TestPlantard(t *testing.T) {
	const most = 917000
	var want []int64 // what each constant stands for, in the order of the tables
	add := func(first, n, step int) {
		for i := range n {
			want = append(want, root17(first+i*step))
		}
	}
	add(1, 7, 1)
	for block := range 8 {
		add(8+block, 1, 1)
		add(16+2*block, 2, 1)
		add(32+4*block, 4, 1)
		add(64+8*block, 8, 1)
	}
	forward := len(want)
	for block := range 8 {
		add(127-8*block, 8, -1)
		add(63-4*block, 4, -1)
		add(31-2*block, 2, -1)
		add(15-block, 1, 1)
	}
	add(7, 4, -1)
	add(3, 2, -1)
	// The product's factor is -2^-32 and the layers' 2^7.
	undo := reduced(-(1 << 32 % 3329) * new(big.Int).ModInverse(big.NewInt(128), big.NewInt(3329)).Int64())
	want = append(want, reduced(root17(1)*undo), undo)
	backward := len(want) - forward
	add(64, 64, 1)

	tables := append(words(t, "kyber.elf", "roots3329", forward), words(t, "kyber.elf", "inverse_roots3329", backward)...)
	tables = append(tables, words(t, "kyber.elf", "pair_roots3329", 64)...)
	for i, constant := range tables {
		for x := int32(-most); x <= most; x += 1009 {
			got := plantard(x, constant)
			if got < -1665 || got > 1665 || reduced(int64(got)) != reduced(int64(x)*want[i]) {
				t.Fatalf("constant %d: %d times %d gives %d", i, x, want[i], got)
			}
		}
	}

	// Sums of products: constant 1/q, result times -2^32 is the sum.
	for _, x := range []int32{-1500000000, -491000000, -3329, -1, 0, 1, 3328, 3329, 491000000, 1500000000} {
		got := plantard(x, 1806234369)
		if got < -1665 || got > 1665 || reduced(-int64(got)*(1<<32%3329)) != reduced(int64(x)) {
			t.Errorf("the sum %d gives %d", x, got)
		}
	}
}

// The transforms' bounds, with the largest coefficients there may be: nothing leaves 16
// bits between layers that store, or the range of a multiplication.
func TestNTTBounds(t *testing.T) {
	const small = 1665 // what a product is at most
	if out := 21000 + 7*small; out > 1<<15-1 {
		t.Errorf("forward: %d does not fit 16 bits", out)
	}
	if sum := 4 * 2 * 4095 * (3329 + 7*small); sum > 1500000000 {
		t.Errorf("products of four polynomials: %d", sum)
	}
	if stored, factor := 16*small, 128*small; stored > 1<<15-1 || factor > 917000 {
		t.Errorf("inverse: %d is stored, %d multiplied", stored, factor)
	}
}

// Compression as kyber/poly.c does it, for every number it may get, and canonical
// numbers as lattice/ntt3329.h makes them.
func TestCompression(t *testing.T) {
	for d, most := range map[uint]int32{1: 6000, 4: 6000, 5: 6000, 10: 2000, 11: 2000} {
		for c := -most; c <= most; c++ {
			got := (uint32(c)*1290167 + 1<<(31-d)) >> (32 - d)
			if want := uint32((reduced(int64(c))<<d + 3329/2) / 3329 & (1<<d - 1)); got != want {
				t.Fatalf("d = %d: %d is compressed to %d, want %d", d, c, got, want)
			}
		}
	}
	for x := int32(-16645); x <= 16645; x++ {
		v := uint32(x + 5*3329)
		if got := v - (v*20159>>26)*3329; int64(got) != reduced(int64(x)) {
			t.Fatalf("%d is reduced to %d", x, got)
		}
	}
}
