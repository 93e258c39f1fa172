package field

import (
	"encoding/hex"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// The reduction polynomials without their highest term (SPEC, section 3), as the
// exponents of z.
var (
	low128 = []int{0, 1, 2, 7}
	low192 = []int{0, 1, 2, 7}
	low256 = []int{0, 2, 5, 10}
)

// each runs a test of all three fields.
func each(t *testing.T, run128 func(*testing.T, []int), run192 func(*testing.T, []int), run256 func(*testing.T, []int)) {
	t.Run("128", func(t *testing.T) { run128(t, low128) })
	t.Run("192", func(t *testing.T) { run192(t, low192) })
	t.Run("256", func(t *testing.T) { run256(t, low256) })
}

// pattern is what the checks of the SPEC call a and b: byte i is step·i + start.
func pattern[E Element[E]](step, start int) E {
	var zero E
	b := make([]byte, zero.Size())
	for i := range b {
		b[i] = byte(step*i + start)
	}
	return zero.Load(b)
}

func TestSpec(t *testing.T) {
	t.Run("128", func(t *testing.T) {
		testSpec[GF128](t, "a7576f6647e1d820070b6ab8128d7885", "f1b682673c306cd76494426bcaf0dd85")
	})
	t.Run("192", func(t *testing.T) {
		testSpec[GF192](t, "8819c7bf2dc81662abf3204af44275487bc603370a815321",
			"b9fe24a909a0e79c689e7efd93eb38d90cfe324552827516")
	})
	t.Run("256", func(t *testing.T) {
		testSpec[GF256](t, "00b6c882a81ed9d5863bc4ec0310301cedbb78495692e28d93ccb3bd38765a33",
			"7736fdc0c1e0774cd27ced3425695fdb7811420933e1bdce167d4154235fd20e")
	})
}

func testSpec[E Element[E]](t *testing.T, product, inverse string) {
	a, b := pattern[E](37, 11), pattern[E](91, 200)
	if got := hex.EncodeToString(a.Mul(b).Bytes()); got != product {
		t.Errorf("a·b = %s, want %s", got, product)
	}
	if got := hex.EncodeToString(a.Inverse().Bytes()); got != inverse {
		t.Errorf("1/a = %s, want %s", got, inverse)
	}
}

// byTheBook is x·y on single bits: shift, reduce, add.
func byTheBook(x, y []byte, low []int) []byte {
	n := 8 * len(x)
	product := make([]byte, len(x))
	power := append([]byte(nil), x...) // z^i·x
	for i := range n {
		if y[i/8]>>(i%8)&1 == 1 {
			for j := range product {
				product[j] ^= power[j]
			}
		}
		carry := power[len(power)-1] >> 7
		for j := len(power) - 1; j > 0; j-- {
			power[j] = power[j]<<1 | power[j-1]>>7
		}
		power[0] <<= 1
		for _, e := range low {
			power[e/8] ^= carry << (e % 8)
		}
	}
	return product
}

// element draws elements of which words, bytes and ends are often all zeros or all
// ones: there carries run the furthest.
func element[E Element[E]]() *rapid.Generator[E] {
	return rapid.Custom(func(t *rapid.T) E {
		var zero E
		b := make([]byte, zero.Size())
		for i := 0; i < len(b); i += 4 {
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0: // zeros
			case 1:
				copy(b[i:], "\xff\xff\xff\xff")
			default:
				for j := range 4 {
					b[i+j] = rapid.Byte().Draw(t, "byte")
				}
			}
		}
		return zero.Load(b)
	})
}

func TestMul(t *testing.T) { each(t, testMul[GF128], testMul[GF192], testMul[GF256]) }

func testMul[E Element[E]](t *testing.T, low []int) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := element[E]().Draw(t, "x"), element[E]().Draw(t, "y")
		var zero E
		if got, want := x.Mul(y), zero.Load(byTheBook(x.Bytes(), y.Bytes(), low)); got != want {
			t.Fatalf("%x · %x = %x, want %x", x.Bytes(), y.Bytes(), got.Bytes(), want.Bytes())
		}
	})
}

// Products of all pairs of powers of z, against one chain of shifts.
func TestPowers(t *testing.T) { each(t, testPowers[GF128], testPowers[GF192], testPowers[GF256]) }

func testPowers[E Element[E]](t *testing.T, low []int) {
	var zero E
	n := 8 * zero.Size()
	z := make([]byte, zero.Size())
	z[0] = 2
	powers := []E{Bit[E](1)} // z^0, z^1, …
	for i := 1; i < 2*n; i++ {
		next := zero.Load(byTheBook(z, powers[i-1].Bytes(), low))
		powers = append(powers, next)
	}
	for i := range n {
		for j := range n {
			if got := powers[i].Mul(powers[j]); got != powers[i+j] {
				t.Fatalf("z^%d · z^%d = %x, want %x", i, j, got.Bytes(), powers[i+j].Bytes())
			}
		}
		for k := range 64 {
			if got := powers[i].Shift(k); got != powers[i+k] {
				t.Fatalf("z^%d shifted by %d is %x, want %x", i, k, got.Bytes(), powers[i+k].Bytes())
			}
		}
	}
}

func TestLaws(t *testing.T) { each(t, testLaws[GF128], testLaws[GF192], testLaws[GF256]) }

func testLaws[E Element[E]](t *testing.T, _ []int) {
	var zero E
	one := Bit[E](1)
	if one == zero || Bit[E](2) != zero {
		t.Fatalf("Bit(1) = %x and Bit(2) = %x, want 1 and 0", one.Bytes(), Bit[E](2).Bytes())
	}
	if zero.Inverse() != zero {
		t.Errorf("1/0 = %x, want 0", zero.Inverse().Bytes())
	}
	rapid.Check(t, func(t *rapid.T) {
		x, y, u := element[E]().Draw(t, "x"), element[E]().Draw(t, "y"), element[E]().Draw(t, "u")
		k := rapid.IntRange(0, 63).Draw(t, "k")
		if got := x.Add(y).Mul(u); got != x.Mul(u).Add(y.Mul(u)) {
			t.Errorf("(x + y)·u = %x is not x·u + y·u", got.Bytes())
		}
		if got := x.Shift(k).Mul(y); got != x.Mul(y).Shift(k) {
			t.Errorf("z^%d·x·y = %x depends on the order", k, got.Bytes())
		}
		if got := x.Mul(x.Inverse()); x != zero && got != one {
			t.Errorf("x/x = %x, want 1", got.Bytes())
		}
		if got := Parse[E](Bytes(x, y, u)); len(got) != 3 || got[0] != x || got[1] != y || got[2] != u {
			t.Errorf("%d elements parsed from the bytes of x, y, u, or other ones", len(got))
		}
	})
}

func TestSums(t *testing.T) { each(t, testSums[GF128], testSums[GF192], testSums[GF256]) }

func testSums[E Element[E]](t *testing.T, _ []int) {
	rapid.Check(t, func(t *rapid.T) {
		chosen := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "chosen")
		terms := make([]E, 8*len(chosen))
		for i := range terms {
			terms[i] = pattern[E](2*i+1, 77*i)
		}
		var want, z E
		z = Bit[E](1).Shift(1)
		power, horner := Bit[E](1), z.Add(z)
		for i, x := range terms {
			if chosen[i/8]>>(i%8)&1 == 1 {
				want = want.Add(x)
			}
			horner = horner.Add(power.Mul(x))
			power = power.Mul(z)
		}
		if got := NewSums(terms).Of(chosen); got != want {
			t.Errorf("sum of the chosen terms %x, want %x", got.Bytes(), want.Bytes())
		}
		if got := Horner(terms); got != horner {
			t.Errorf("Σ z^i·x_i = %x, want %x", got.Bytes(), horner.Bytes())
		}
	})
}

// The product of two words, where every count is as large as it can be, and where
// one operand has a single bit.
func TestMultiply(t *testing.T) {
	for i := range 64 {
		for _, x := range []uint64{1, ^uint64(0), every4, every4 << 1, every4 << 2, every4 << 3, 1 << 63, 0x0123456789abcdef} {
			for _, y := range []uint64{1 << i, ^uint64(0) >> i, ^uint64(0) << i, every4 << (i % 4)} {
				var hi, lo uint64
				for j := range 64 {
					if y>>j&1 == 1 {
						lo ^= x << j
						hi ^= x >> (64 - j)
					}
				}
				if h, l := multiply(x, y); h != hi || l != lo {
					t.Errorf("%#x · %#x = %#x %016x, want %#x %016x", x, y, h, l, hi, lo)
				}
			}
		}
	}
}

func TestWrongLengths(t *testing.T) {
	for name, f := range map[string]func(){
		"Parse":   func() { Parse[GF192](make([]byte, 32)) },
		"NewSums": func() { NewSums(make([]GF192, 4)) },
		"Of":      func() { NewSums(make([]GF192, 16)).Of(make([]byte, 1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkMul(b *testing.B) {
	b.Run("128", benchmarkMul[GF128])
	b.Run("192", benchmarkMul[GF192])
	b.Run("256", benchmarkMul[GF256])
}

func benchmarkMul[E Element[E]](b *testing.B) {
	x, y := pattern[E](37, 11), pattern[E](91, 200)
	for b.Loop() {
		y = x.Mul(y)
	}
}

// BenchmarkSum sums a choice of 4λ terms, one column of a parity-check matrix.
func BenchmarkSum(b *testing.B) {
	b.Run("128", benchmarkSum[GF128])
	b.Run("192", benchmarkSum[GF192])
	b.Run("256", benchmarkSum[GF256])
}

func benchmarkSum[E Element[E]](b *testing.B) {
	var zero E
	terms := make([]E, 4*8*zero.Size())
	for i := range terms {
		terms[i] = pattern[E](2*i+1, 77*i)
	}
	sums := NewSums(terms)
	chosen := make([]byte, len(terms)/8)
	for i := range chosen {
		chosen[i] = byte(bits.Reverse8(byte(i)) * 31)
	}
	for b.Loop() {
		sums.Of(chosen)
	}
}
