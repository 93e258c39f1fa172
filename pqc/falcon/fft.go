package falcon

import (
	"math"
	"math/big"
	"sync"
)

// Arithmetic in R[x]/(xⁿ+1) by the fast Fourier transform in binary64. Each
// function rounds where the submission's does, in the same order; a product that
// goes into a sum is rounded first, float64(a*b), so that no compiler fuses them.

// complx is a complex number. Go's complex128 would not do: the compiler may fuse
// within its products.
type complx struct{ re, im float64 }

func (a complx) add(b complx) complx    { return complx{a.re + b.re, a.im + b.im} }
func (a complx) sub(b complx) complx    { return complx{a.re - b.re, a.im - b.im} }
func (a complx) conj() complx           { return complx{a.re, -a.im} }
func (a complx) neg() complx            { return complx{-a.re, -a.im} }
func (a complx) scale(x float64) complx { return complx{float64(a.re * x), float64(a.im * x)} }

func (a complx) mul(b complx) complx {
	return complx{
		float64(a.re*b.re) - float64(a.im*b.im),
		float64(a.re*b.im) + float64(a.im*b.re),
	}
}

// norm returns |a|².
func (a complx) norm() float64 { return float64(a.re*a.re) + float64(a.im*a.im) }

// div multiplies by the inverse of b, which is rounded first.
func (a complx) div(b complx) complx { return a.mul(b.conj().scale(1 / b.norm())) }

// poly is a polynomial of degree below n in Fourier form: its values at the n/2
// roots of xⁿ+1 in one half of the plane, the others being their conjugates. The
// order is that in which the transform leaves them.
type poly []complx

// fftRoots are the powers of exp(iπ/1024) in bit-reversed order, each part
// rounded to nearest: entry m + i belongs to block i of the layer with m blocks.
var fftRoots = sync.OnceValue(func() []complx {
	const n, fine = 1 << maxLogN, 160
	// The root of unity of order 2n from that of order 4, i, by square roots:
	// cos(x/2) = √((1+cos x)/2), and sin likewise.
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(fine).SetFloat64(x) }
	half := func(x *big.Float) *big.Float { return x.Sqrt(x.Mul(x, number(0.5))) }
	cos, sin := number(0), number(1)
	for range maxLogN - 1 {
		one := number(1)
		cos, sin = half(number(0).Add(one, cos)), half(number(0).Sub(one, cos))
	}
	mul := func(a, b *big.Float) *big.Float { return number(0).Mul(a, b) }
	r := make([]complx, n)
	re, im := number(1), number(0)
	for i := range r {
		at := &r[bitReverse(i, maxLogN)]
		at.re, _ = re.Float64()
		at.im, _ = im.Float64()
		re, im = number(0).Sub(mul(re, cos), mul(im, sin)), number(0).Add(mul(re, sin), mul(im, cos))
	}
	return r
})

// fft takes n coefficients to Fourier form.
func fft(f []float64) poly {
	n := len(f)
	a := make(poly, n/2)
	for j := range a {
		a[j] = complx{f[j], f[j+n/2]} // f modulo x^(n/2) - i
	}
	roots := fftRoots()
	for m, t := 2, n/4; t > 0; m, t = 2*m, t/2 {
		for i := range m / 2 {
			w := roots[m+i]
			for j := 2 * i * t; j < 2*i*t+t; j++ {
				x, y := a[j], a[j+t].mul(w)
				a[j], a[j+t] = x.add(y), x.sub(y)
			}
		}
	}
	return a
}

// ifft takes Fourier form back to coefficients.
func (p poly) ifft() []float64 {
	a := append(poly(nil), p...)
	roots := fftRoots()
	for m, t := len(a), 1; t < len(a); m, t = m/2, 2*t {
		for i := range m / 2 {
			w := roots[m+i].conj()
			for j := 2 * i * t; j < 2*i*t+t; j++ {
				x, y := a[j], a[j+t]
				a[j], a[j+t] = x.add(y), x.sub(y).mul(w)
			}
		}
	}
	f := make([]float64, 2*len(a))
	scale := 1 / float64(len(a)) // exact: a power of two
	for j, c := range a {
		c = c.scale(scale)
		f[j], f[j+len(a)] = c.re, c.im
	}
	return f
}

// fftOf transforms small integers.
func fftOf[T int8 | uint16 | int32](f []T) poly {
	r := make([]float64, len(f))
	for i, c := range f {
		r[i] = float64(c)
	}
	return fft(r)
}

// each returns the polynomial of op(p[j], r[j]).
func (p poly) each(r poly, op func(a, b complx) complx) poly {
	out := make(poly, len(p))
	for j := range p {
		out[j] = op(p[j], r[j])
	}
	return out
}

func (p poly) add(r poly) poly { return p.each(r, complx.add) }
func (p poly) sub(r poly) poly { return p.each(r, complx.sub) }
func (p poly) mul(r poly) poly { return p.each(r, complx.mul) }

// mulAdj is p·r*, r* being the adjoint: conjugate values.
func (p poly) mulAdj(r poly) poly {
	return p.each(r, func(a, b complx) complx { return a.mul(b.conj()) })
}

// selfAdj is p·p*, which is real.
func (p poly) selfAdj() poly {
	out := make(poly, len(p))
	for j, c := range p {
		out[j].re = c.norm()
	}
	return out
}

func (p poly) neg() poly {
	out := make(poly, len(p))
	for j, c := range p {
		out[j] = c.neg()
	}
	return out
}

// scale multiplies with one number.
func (p poly) scale(x float64) poly {
	out := make(poly, len(p))
	for j, c := range p {
		out[j] = c.scale(x)
	}
	return out
}

// scaleBy multiplies value j with the real number x[j].
func (p poly) scaleBy(x []float64) poly {
	out := make(poly, len(p))
	for j, c := range p {
		out[j] = c.scale(x[j])
	}
	return out
}

// invNorm2 returns 1/(ff* + gg*), which is real.
func invNorm2(f, g poly) []float64 {
	out := make([]float64, len(f))
	for j := range f {
		out[j] = 1 / (f[j].norm() + g[j].norm())
	}
	return out
}

// split is splitfft (Algorithm 1): f(x) = f₀(x²) + x f₁(x²). It takes at least two
// values.
func (p poly) split() (f0, f1 poly) {
	n := len(p) / 2
	f0, f1 = make(poly, n), make(poly, n)
	roots := fftRoots()
	for j := range n {
		a, b := p[2*j], p[2*j+1]
		f0[j] = a.add(b).scale(0.5)
		f1[j] = a.sub(b).mul(roots[j+2*n].conj()).scale(0.5)
	}
	return f0, f1
}

// merge is mergefft (Algorithm 2), the inverse of split.
func merge(f0, f1 poly) poly {
	n := len(f0)
	p := make(poly, 2*n)
	roots := fftRoots()
	for j := range n {
		a, b := f0[j], f1[j].mul(roots[j+2*n])
		p[2*j], p[2*j+1] = a.add(b), a.sub(b)
	}
	return p
}

// rint rounds to the nearest integer, to the even one in the middle.
func rint(x float64) int64 { return int64(math.RoundToEven(x)) }
