package falcon

import "sync"

// Arithmetic in Z_q[x]/(xⁿ+1) by the number theoretic transform. It multiplies
// and divides exactly, so how it is done shows in no result.

// qRoots are powers of 7, which has order 2048 modulo q, in bit-reversed order:
// entry m + i belongs to block i of the layer with m blocks.
var qRoots = sync.OnceValue(func() []uint32 {
	r := make([]uint32, 1<<maxLogN)
	w := uint32(1)
	for i := range r {
		r[bitReverse(i, maxLogN)] = w
		w = w * 7 % q
	}
	return r
})

// bitReverse reverses the low bits bits of i.
func bitReverse(i, bits int) int {
	r := 0
	for range bits {
		r = r<<1 | i&1
		i >>= 1
	}
	return r
}

// ntt transforms a in place; a has n values below q.
func ntt(a []uint32) {
	roots := qRoots()
	for m, t := 1, len(a)/2; t > 0; m, t = 2*m, t/2 {
		for i := range m {
			for j := 2 * i * t; j < 2*i*t+t; j++ {
				x, y := a[j], a[j+t]*roots[m+i]%q
				a[j], a[j+t] = (x+y)%q, (x+q-y)%q
			}
		}
	}
}

// invNTT is its inverse.
func invNTT(a []uint32) {
	roots := qRoots()
	for m, t := len(a)/2, 1; m > 0; m, t = m/2, 2*t {
		for i := range m {
			inv := invQ(roots[m+i])
			for j := 2 * i * t; j < 2*i*t+t; j++ {
				x, y := a[j], a[j+t]
				a[j], a[j+t] = (x+y)%q, (x+q-y)*inv%q
			}
		}
	}
	ni := invQ(uint32(len(a)))
	for i := range a {
		a[i] = a[i] * ni % q
	}
}

// invQ returns x^(q-2), the inverse of x modulo q.
func invQ(x uint32) uint32 {
	y := uint32(1)
	for e := q - 2; e > 0; e >>= 1 {
		if e&1 == 1 {
			y = y * x % q
		}
		x = x * x % q
	}
	return y
}

// modQ returns the coefficients modulo q.
func modQ[T int8 | int16 | uint16](a []T) []uint32 {
	r := make([]uint32, len(a))
	for i, c := range a {
		r[i] = uint32((int32(c) + 3*q) % q) // q exceeds every int8, and 3q every int16
	}
	return r
}

// centered returns the representative from -q/2 to q/2.
func centered(x uint32) int16 {
	if x > q/2 {
		return int16(x) - q
	}
	return int16(x)
}

// publicKey returns h = g/f mod q, and false if f has no inverse.
func publicKey(f, g []int8) ([]uint16, bool) {
	a, b := modQ(f), modQ(g)
	ntt(a)
	ntt(b)
	for i := range a {
		if a[i] == 0 {
			return nil, false
		}
		b[i] = b[i] * invQ(a[i]) % q
	}
	invNTT(b)
	h := make([]uint16, len(b))
	for i := range b {
		h[i] = uint16(b[i])
	}
	return h, true
}

// completeKey returns the G of fG - gF = q, which is gF/f mod q, and false if f has
// no inverse, G would be too large, or the equation holds modulo q alone.
func completeKey(f, g, bigF []int8) ([]int8, bool) {
	a, b, c := modQ(f), modQ(g), modQ(bigF)
	ntt(a)
	ntt(b)
	ntt(c)
	for i := range a {
		if a[i] == 0 {
			return nil, false
		}
		b[i] = b[i] * c[i] % q * invQ(a[i]) % q
	}
	invNTT(b)
	bigG := make([]int8, len(b))
	for i := range b {
		v := centered(b[i])
		if v < -127 || v > 127 {
			return nil, false
		}
		bigG[i] = int8(v)
	}
	return bigG, solves(f, g, bigF, bigG)
}

// solves reports whether fG - gF = q in Z[x]/(xⁿ+1).
func solves(f, g, bigF, bigG []int8) bool {
	n := len(f)
	sum := make([]int32, 2*n) // all below 2·1024·127²
	for i := range n {
		for j := range n {
			sum[i+j] += int32(f[i])*int32(bigG[j]) - int32(g[i])*int32(bigF[j])
		}
	}
	for i := range n {
		if c := sum[i] - sum[n+i]; i == 0 && c != q || i > 0 && c != 0 {
			return false
		}
	}
	return true
}

// otherHalf returns s₁ = c - s₂h mod q, centered: line 5 of Algorithm 16.
func (s *Scheme) otherHalf(c []uint16, s2 []int16, h []uint16) []int16 {
	a, b := modQ(s2), modQ(h)
	ntt(a)
	ntt(b)
	for i := range a {
		a[i] = a[i] * b[i] % q
	}
	invNTT(a)
	s1 := make([]int16, len(a))
	for i := range a {
		s1[i] = centered((uint32(c[i]) + q - a[i]) % q)
	}
	return s1
}

// squaredNorm returns ‖(s₁, s₂)‖², or the largest number if that is 2³¹ or more.
func squaredNorm(s1, s2 []int16) uint32 {
	var sum uint64
	for i := range s1 {
		sum += uint64(int32(s1[i])*int32(s1[i])) + uint64(int32(s2[i])*int32(s2[i]))
	}
	if sum >= 1<<31 {
		return 1<<32 - 1
	}
	return uint32(sum)
}
