package firmware

import (
	"math/big"
	"testing"
)

const q8380417 = 8380417

// shoup is dilithium/ntt.S's multiplication.
func shoup(x int32, z, quotient uint32) int32 {
	t := int32(int64(x) * int64(int32(quotient)) >> 32)
	return int32(uint32(x)*z - uint32(t)*q8380417)
}

// root1753 is 1753^BitRev8(i) modulo q.
func root1753(i int) int64 {
	power := big.NewInt(0)
	for bit := range 8 {
		power.SetBit(power, 7-bit, uint(i>>bit&1))
	}
	return power.Exp(big.NewInt(1753), power, big.NewInt(q8380417)).Int64()
}

// Every constant of the transform and its inverse multiplies as it should, any number,
// and results are in the range that the derivation gives.
func TestShoup(t *testing.T) {
	var want []int64 // what each constant stands for, in the order of the tables
	add := func(first, n, step int) {
		for i := range n {
			want = append(want, root1753(first+i*step))
		}
	}
	add(1, 15, 1)
	for block := range 16 {
		add(16+block, 1, 1)
		add(32+2*block, 2, 1)
		add(64+4*block, 4, 1)
		add(128+8*block, 8, 1)
	}
	forward := len(want)
	for block := range 16 {
		add(255-8*block, 8, -1)
		add(127-4*block, 4, -1)
		add(63-2*block, 2, -1)
		add(31-block, 1, 1)
	}
	add(15, 8, -1)
	add(7, 4, -1)
	add(3, 2, -1)
	undo := (1 << 32 % q8380417) * new(big.Int).ModInverse(big.NewInt(256), big.NewInt(q8380417)).Int64() % q8380417
	want = append(want, root1753(1)*undo%q8380417, undo)

	tables := words(t, "dilithium.elf", "roots", 2*forward)
	tables = append(tables, words(t, "dilithium.elf", "inverse_roots", 2*(len(want)-forward))...)
	for i := range want {
		z, quotient := tables[2*i], tables[2*i+1]
		for _, x := range []int32{-1 << 31, -2000000000, -8380417, -4190209, -1, 0, 1, 2, 4190208, 8380416, 8380417, 77777777, 1<<31 - 1} {
			r := int64(shoup(x, z, quotient))
			if (r-int64(x)*want[i])%q8380417 != 0 {
				t.Fatalf("constant %d: %d times %d gives %d", i, x, want[i], r)
			}
			slack := max(int64(x), -int64(x))*q8380417>>33 + 1
			if r < -slack || r > q8380417+slack {
				t.Fatalf("constant %d: %d times %d gives %d, which is too large", i, x, want[i], r)
			}
		}
	}
}

// The bounds that ntt.h promises, in units of q.
func TestNTT8380417Bounds(t *testing.T) {
	const most = float64(1<<31) / q8380417 // of 32 bits
	forward := 2.0                         // coefficients of y, z, t₁·2^d are below q
	for range 8 {
		forward += 1 + forward/(most*4) // r < q·(1 + |x|/2^33)
	}
	if forward > 10.2 {
		t.Errorf("forward: %.2f q, want 10.2", forward)
	}
	// Sums of products over 2^32, and what Montgomery's reduction adds.
	product := 150*q8380417/float64(1<<32) + 0.5
	if sum := 8*8.2 + 8.2*10.2; sum > 150 || product > 0.8 {
		t.Errorf("products: sums of %.1f q², results of %.2f q", sum, product)
	}
	added, multiplied := 0.8, 0.0
	for range 8 {
		multiplied = max(2*multiplied, 1+2*added/(most*4))
		added *= 2
	}
	if added > most || multiplied > most {
		t.Errorf("inverse: sums of %.1f q and %.1f q, want at most %.1f", added, multiplied, most)
	}
	if last := added / (most * 4); last > 0.2 {
		t.Errorf("inverse: results are from -%.2f q to %.2f q", last, 1+last)
	}
}

// Rounding as dilithium/pack.c does it, for the numbers after the shift that there are.
func TestHighBits(t *testing.T) {
	for v := range uint32(1 << 15) {
		if v*65601>>26 != v/1023 || v < 1<<13 && v*45101>>22 != v/93 {
			t.Fatalf("the quotient of %d is wrong", v)
		}
	}
	for b := range uint32(15) {
		if b-(b*13>>6)*5 != b%5 {
			t.Errorf("%d modulo 5 is wrong", b)
		}
	}
}
