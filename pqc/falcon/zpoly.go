package falcon

import (
	"math/big"
	"math/bits"
	"sync"
)

// zpoly is a polynomial in Z[x]/(xⁿ+1), one integer a coefficient.
type zpoly []*big.Int

func newZPoly(n int) zpoly {
	p := make(zpoly, n)
	for i := range p {
		p[i] = new(big.Int)
	}
	return p
}

func zpolyOf[T int8 | int64](f []T) zpoly {
	p := newZPoly(len(f))
	for i, c := range f {
		p[i].SetInt64(int64(c))
	}
	return p
}

// each applies op to every coefficient, in place.
func (p zpoly) each(op func(*big.Int)) zpoly {
	for _, c := range p {
		op(c)
	}
	return p
}

// sub returns p - r.
func (p zpoly) sub(r zpoly) zpoly {
	out := newZPoly(len(p))
	for i := range p {
		out[i].Sub(p[i], r[i])
	}
	return out
}

// add returns p + r.
func (p zpoly) add(r zpoly) zpoly {
	out := newZPoly(len(p))
	for i := range p {
		out[i].Add(p[i], r[i])
	}
	return out
}

// halves returns p₀ and p₁ with p = p₀(x²) + x p₁(x²).
func (p zpoly) halves() (p0, p1 zpoly) {
	for i := 0; i < len(p); i += 2 {
		p0, p1 = append(p0, p[i]), append(p1, p[i+1])
	}
	return p0, p1
}

// fieldNorm is N(p): N(p)(x²) = p(x)·p(-x), so p₀² - x p₁².
func (p zpoly) fieldNorm() zpoly {
	p0, p1 := p.halves()
	a, b := p0.mul(p0), p1.mul(p1)
	n := len(b)
	b = append(zpoly{b[n-1].Neg(b[n-1])}, b[:n-1]...) // times x
	return a.sub(b)
}

// lift returns p(x²)·r(-x) for an r of twice the degree.
func (p zpoly) lift(r zpoly) zpoly {
	r0, r1 := r.halves()
	even, odd := p.mul(r0), p.mul(r1)
	out := make(zpoly, 0, len(r))
	for i := range p {
		out = append(out, even[i], odd[i].Neg(odd[i]))
	}
	return out
}

// adjoint is p* = p(1/x).
func (p zpoly) adjoint() zpoly {
	out := newZPoly(len(p))
	out[0].Set(p[0])
	for i := 1; i < len(p); i++ {
		out[len(p)-i].Neg(p[i])
	}
	return out
}

// mul returns p·r by one product of integers: coefficients become digits to a base
// of whole words that no coefficient of the product exceeds.
func (p zpoly) mul(r zpoly) zpoly {
	n := len(p)
	width := p.bitLen() + r.bitLen() + bits.Len(uint(n)) + 1
	digit := (width + bits.UintSize - 1) / bits.UintSize
	c := new(big.Int).Mul(p.pack(digit), r.pack(digit))

	out := newZPoly(n)
	words, negative := c.Bits(), c.Sign() < 0
	base := new(big.Int).Lsh(big.NewInt(1), uint(digit*bits.UintSize))
	carry := new(big.Int)
	for i := range 2*n - 1 {
		from, to := min(i*digit, len(words)), min((i+1)*digit, len(words))
		v := new(big.Int).SetBits(append([]big.Word(nil), words[from:to]...))
		v.Add(v, carry)
		carry.SetInt64(0)
		if v.BitLen() >= digit*bits.UintSize { // the upper half are negative digits
			v.Sub(v, base)
			carry.SetInt64(1)
		}
		if negative != (i >= n) { // xⁿ is -1
			v.Neg(v)
		}
		out[i%n].Add(out[i%n], v)
	}
	return out
}

// pack evaluates p at 2 to the power of so many words.
func (p zpoly) pack(digit int) *big.Int {
	plus, minus := make([]big.Word, len(p)*digit), make([]big.Word, len(p)*digit)
	for i, c := range p {
		to := plus
		if c.Sign() < 0 {
			to = minus
		}
		copy(to[i*digit:], c.Bits())
	}
	return new(big.Int).Sub(new(big.Int).SetBits(plus), new(big.Int).SetBits(minus))
}

func (p zpoly) bitLen() int {
	most := 0
	for _, c := range p {
		most = max(most, c.BitLen())
	}
	return most
}

// The submission's solver has integers as residues modulo primes of 31 bits and as
// words of 31 bits. Only how many there are of them shows here.
const wordBits = 31

// primeProducts returns the products of the first 0, 1, 2, ... of the submission's
// primes: those below 2³¹ that are 1 modulo 2048, from the largest on.
var primeProducts = sync.OnceValue(func() []*big.Int {
	list := []*big.Int{big.NewInt(1)}
	for p := int64(1<<31 - 2047); len(list) <= maxWords; p -= 2048 {
		if b := big.NewInt(p); b.ProbablyPrime(0) {
			list = append(list, b.Mul(b, list[len(list)-1]))
		}
	}
	return list
})

// residues reduces what so many residues stand for: to the representative
// around 0.
func (p zpoly) residues(primes int) zpoly {
	m := primeProducts()[primes]
	half := new(big.Int).Rsh(m, 1)
	return p.each(func(c *big.Int) {
		if c.Mod(c, m); c.Cmp(half) > 0 {
			c.Sub(c, m)
		}
	})
}

// words reduces to what so many words hold in two's complement.
func (p zpoly) words(n int) zpoly {
	bit := uint(wordBits * n)
	return p.each(func(c *big.Int) {
		if c.BitLen() < int(bit) {
			return
		}
		m := new(big.Int).Lsh(big.NewInt(1), bit)
		if c.Mod(c, m); c.Bit(int(bit)-1) == 1 {
			c.Sub(c, m)
		}
	})
}

// floats returns the coefficients without their lowest drop words. The words are
// added up from the lowest, which rounds where the submission does.
func (p zpoly) floats(drop int) []float64 {
	out := make([]float64, len(p))
	for i, c := range p {
		v := new(big.Int).Rsh(c, uint(wordBits*drop)) // rounds down
		sign := 1.0
		if v.Sign() < 0 {
			sign = -1
			v.Neg(v)
		}
		scale := sign
		low := new(big.Int)
		for v.Sign() != 0 {
			low.And(v, wordMask)
			out[i] += float64(float64(low.Int64()) * scale)
			scale = float64(scale * (1 << wordBits))
			v.Rsh(v, wordBits)
		}
	}
	return out
}

var wordMask = big.NewInt(1<<wordBits - 1)
