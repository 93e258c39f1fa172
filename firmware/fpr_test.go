package firmware_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The floating-point routines of falcon.elf, called in the simulator, against the host's
// arithmetic. What fpr.h leaves out is left out here: infinities, NaNs, subnormal numbers
// and results too large. A result below 2^-1022, before it is rounded, is zero with its
// sign.

// fprCase is a call of fpr_... and what must come back.
type fprCase struct {
	function string
	x, y     uint64
	want     uint64
}

// flushed returns an exact number rounded to binary64; below 2^-1022 it is zero.
func flushed(exact *big.Float, sign uint64) uint64 {
	if exact.Sign() == 0 || exact.MantExp(nil) < -1021 {
		return sign << 63
	}
	f, _ := exact.Float64()
	return math.Float64bits(f)
}

func exact(x float64) *big.Float { return new(big.Float).SetPrec(3000).SetFloat64(x) }

// normal reports whether a host's result has been rounded as ours: it is neither too large
// nor where the two begin to differ.
func normal(x float64) bool { return math.Abs(x) < math.Inf(1) && math.Abs(x) > 0x1p-1021 }

func fprSum(x, y float64) (uint64, bool) {
	r := x + y
	switch {
	case math.IsInf(r, 0):
		return 0, false
	case normal(r) || r == 0:
		return math.Float64bits(r), true
	}
	sum := exact(x)
	sum.Add(sum, exact(y))
	return flushed(sum, math.Float64bits(r)>>63), true
}

func fprProduct(x, y float64) (uint64, bool) {
	r := x * y
	switch {
	case math.IsInf(r, 0):
		return 0, false
	case normal(r):
		return math.Float64bits(r), true
	}
	product := exact(x)
	return flushed(product.Mul(product, exact(y)), math.Float64bits(r)>>63), true
}

func fprQuotient(x, y float64) (uint64, bool) {
	r := x / y
	switch {
	case y == 0 || math.IsInf(r, 0):
		return 0, false
	case normal(r):
		return math.Float64bits(r), true
	}
	q := exact(x) // so many bits that the last one decides nothing
	return flushed(q.Quo(q, exact(y)), math.Float64bits(r)>>63), true
}

// fprNumbers are numbers of every kind: mantissas of few ones, of long runs of ones, of
// the bits around every place; exponents far apart and close, the smallest and largest.
func fprNumbers(r *rand.Rand) func() float64 {
	return func() float64 {
		var mantissa uint64
		switch r.IntN(6) {
		case 0:
			mantissa = r.Uint64()
		case 1: // few ones
			for range r.IntN(4) {
				mantissa |= 1 << r.IntN(52)
			}
		case 2: // a run of ones
			mantissa = (1<<r.IntN(53) - 1) << r.IntN(52)
		case 3: // all ones but few
			mantissa = ^uint64(1 << r.IntN(52))
		case 4: // high half, or low half
			mantissa = uint64(r.Uint32()) << (r.IntN(2) * 32)
		}
		var exponent uint64
		switch r.IntN(4) {
		case 0:
			exponent = 1 + r.Uint64N(2046)
		case 1, 2:
			exponent = 1023 - 60 + r.Uint64N(120)
		case 3:
			exponent = []uint64{1, 2, 3, 53, 54, 55, 500, 511, 512, 513, 1021, 1022, 1023, 1024, 1534, 1535, 2045, 2046}[r.IntN(18)]
		}
		if r.IntN(40) == 0 {
			return math.Float64frombits(r.Uint64() & (1 << 63)) // a zero
		}
		return math.Float64frombits(r.Uint64()&(1<<63) | exponent<<52 | mantissa&(1<<52-1))
	}
}

// fprCases are n random cases for each function, and all special ones.
func fprCases(n int) (cases []fprCase) {
	r := rand.New(rand.NewPCG(2, 71))
	number := fprNumbers(r)
	sum := func(x, y float64) {
		if want, ok := fprSum(x, y); ok {
			cases = append(cases, fprCase{"fpr_add", math.Float64bits(x), math.Float64bits(y), want})
		}
	}
	product := func(x, y float64) {
		if want, ok := fprProduct(x, y); ok {
			cases = append(cases, fprCase{"fpr_mul", math.Float64bits(x), math.Float64bits(y), want})
		}
	}
	quotient := func(x, y float64) {
		if want, ok := fprQuotient(x, y); ok {
			cases = append(cases, fprCase{"fpr_div", math.Float64bits(x), math.Float64bits(y), want})
		}
	}
	root := func(x float64) {
		cases = append(cases, fprCase{"fpr_sqrt", math.Float64bits(x), 0, math.Float64bits(math.Sqrt(x))})
	}
	rounded := func(x float64) {
		bits := math.Float64bits(x)
		if math.Abs(x) < 1<<63 {
			cases = append(cases, fprCase{"fpr_rint", bits, 0, uint64(int64(math.RoundToEven(x)))})
		}
		if math.Abs(x) < 1<<31 {
			cases = append(cases, fprCase{"fpr_floor", bits, 0, uint64(uint32(int32(math.Floor(x))))})
		}
		if math.Abs(x) < 1 {
			cases = append(cases, fprCase{"fpr_scaled63", bits, 0, uint64(int64(x * 0x1p63))})
		}
	}
	integer := func(i int64) {
		cases = append(cases, fprCase{"fpr_of64", uint64(i), 0, math.Float64bits(float64(i))})
		cases = append(cases, fprCase{"fpr_of", uint64(uint32(i)), 0, math.Float64bits(float64(int32(i)))})
	}

	// Sums at every distance: ties, just beside them, cancellation to the last bit.
	for distance := range 70 {
		for _, x := range []float64{1, 1 + 0x1p-52, 2 - 0x1p-52, 1.5, 1.5 - 0x1p-52} {
			for _, m := range []float64{1, 1 + 0x1p-52, 2 - 0x1p-52, 1.5, 1.25} {
				y := math.Ldexp(m, -distance)
				sum(x, y)
				sum(y, -x)
				sum(-x, -y)
			}
		}
	}
	// Zeros, the smallest numbers, the largest.
	edges := []float64{0, math.Copysign(0, -1), 0x1p-1022, 0x1.8p-1022, 0x1.fffffffffffffp-1022, 0x1p-1021, 0x1p-970, 1, -1, 0x1p1022, 0x1.fffffffffffffp1023}
	for _, x := range edges {
		for _, y := range edges {
			for _, y := range []float64{y, -y} {
				sum(x, y)
				product(x, y)
				quotient(x, y)
			}
		}
		root(math.Abs(x))
	}
	// Products of few bits end in ties; those around 2^-1022 are zero or not.
	for i := range 53 {
		for j := range 53 {
			product(1+math.Ldexp(1, -i), 1+math.Ldexp(1, -j))
			product(math.Ldexp(1+math.Ldexp(1, -i), -511), -math.Ldexp(2-math.Ldexp(1, -j), -512))
		}
	}
	// Ties but for the lowest bits of a product.
	for a := range 16 {
		for b := range 16 {
			for _, m := range []float64{1, 1.25, 1.5, 1.75} {
				product(1.5+float64(a)*0x1p-52, m+float64(b)*0x1p-52)
			}
		}
	}
	for i := range 64 {
		for d := int64(-3); d <= 3; d++ {
			integer(1<<i + d)
			integer(-1<<i + d)
			x := math.Ldexp(1, i) + float64(d)/4
			rounded(x)
			rounded(-x)
			rounded(math.Ldexp(1+float64(d)*0x1p-52, -i))
			rounded(-math.Ldexp(1+float64(d)*0x1p-52, -i))
		}
	}
	for i := range n {
		x, y := number(), number()
		sum(x, y)
		product(x, y)
		if i%4 == 0 { // close ones cancel
			if near := math.Float64frombits(math.Float64bits(x) + r.Uint64N(5)); x != 0 && !math.IsInf(near, 0) && !math.IsNaN(near) {
				sum(x, -near)
			}
			quotient(x, y)
			root(math.Abs(x))
			rounded(y)
			integer(int64(r.Uint64() >> r.IntN(64)))
			// Half an integer and what is next to it.
			half := float64(r.Int64N(1<<r.IntN(51)+1)) + 0.5
			rounded(half)
			rounded(-math.Nextafter(half, half+float64(r.IntN(3)-1)))
		}
	}
	return cases
}

func TestFPR(t *testing.T) {
	n := 100000
	switch {
	case *long:
		n = 2000000
	case testing.Short():
		n = 1000
	}
	cases := fprCases(n)
	took := map[string]map[uint32]uint64{}
	for len(cases) > 0 {
		part := cases[:min(len(cases), callMost)]
		cases = cases[len(part):]
		calls := make([]guestCall, len(part))
		for i, c := range part {
			calls[i] = guestCall{c.function, [8]uint32{uint32(c.x), uint32(c.x >> 32), uint32(c.y), uint32(c.y >> 32)}}
		}
		results, _ := callAll(t, "falcon.elf", nil, calls, nil)
		for i, c := range part {
			r := results[i]
			got := uint64(r.a[1])<<32 | uint64(r.a[0])
			if c.function == "fpr_floor" {
				got = uint64(r.a[0])
			}
			if got != c.want {
				t.Errorf("%s(%#016x, %#016x) is %#016x, want %#016x: %v of %v and %v", c.function, c.x, c.y, got, c.want,
					math.Float64frombits(got), math.Float64frombits(c.x), math.Float64frombits(c.y))
			}
			if took[c.function] == nil {
				took[c.function] = map[uint32]uint64{}
			}
			took[c.function][r.cycles] = c.x
		}
	}
	// No branch, and no instruction, takes longer for some operands.
	for function, cycles := range took {
		if len(cycles) != 1 {
			t.Errorf("%s takes %v cycles, by an operand for each", function, cycles)
		}
	}
	if len(took) != 9 {
		t.Errorf("%d functions were called, want 9", len(took))
	}
}
