package mldsa

// ringElement is a polynomial of R_q, nttElement the representation of one in T_q
// (FIPS 204, section 2.3). Coefficients are below q.
type (
	ringElement [n]uint32
	nttElement  [n]uint32
)

func add[T ~[n]uint32](a, b T) (sum T) {
	for i := range sum {
		sum[i] = (a[i] + b[i]) % q
	}
	return sum
}

func sub[T ~[n]uint32](a, b T) (difference T) {
	for i := range difference {
		difference[i] = (a[i] + q - b[i]) % q
	}
	return difference
}

// product is a·b modulo q.
func product(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) % q) }

// element is the coefficient that c, above -q and below q, is modulo q.
func element(c int32) uint32 { return uint32(c+q) % q }

// centered is c mod± q (FIPS 204, section 2.3).
func centered(c uint32) int32 {
	if c > (q-1)/2 {
		return int32(c) - q
	}
	return int32(c)
}

// norm is ‖f‖∞.
func (f ringElement) norm() (worst uint32) {
	for _, c := range f {
		worst = max(worst, min(c, q-c))
	}
	return worst
}

// zetas are ζ^BitRev₈(i) for ζ = 1753 (FIPS 204, Appendix B).
var zetas = powers()

func powers() (zetas [n]uint32) {
	var power [n]uint32
	power[0] = 1
	for i := range n - 1 {
		power[i+1] = product(power[i], 1753)
	}
	for i := range zetas {
		rev := 0 // BitRev₈(i)
		for bit := range 8 {
			rev |= i >> bit & 1 << (7 - bit)
		}
		zetas[i] = power[rev]
	}
	return zetas
}

// ntt is NTT (FIPS 204, Algorithm 41).
func ntt(w ringElement) nttElement {
	m := 0
	for length := 128; length >= 1; length /= 2 {
		for start := 0; start < n; start += 2 * length {
			m++
			z := zetas[m]
			for j := start; j < start+length; j++ {
				t := product(z, w[j+length])
				w[j+length] = (w[j] + q - t) % q
				w[j] = (w[j] + t) % q
			}
		}
	}
	return nttElement(w)
}

// inverseNTT is NTT⁻¹ (FIPS 204, Algorithm 42).
func inverseNTT(w nttElement) ringElement {
	m := n
	for length := 1; length < n; length *= 2 {
		for start := 0; start < n; start += 2 * length {
			m--
			z := q - zetas[m]
			for j := start; j < start+length; j++ {
				t := w[j]
				w[j] = (t + w[j+length]) % q
				w[j+length] = product(z, t+q-w[j+length])
			}
		}
	}
	for j := range w {
		w[j] = product(w[j], 8347681) // 256⁻¹ modulo q
	}
	return ringElement(w)
}

// multiply is MultiplyNTT (FIPS 204, Algorithm 45).
func multiply(a, b nttElement) (c nttElement) {
	for i := range c {
		c[i] = product(a[i], b[i])
	}
	return c
}

// dot is the product of a row of a matrix with a vector, of the same length
// (FIPS 204, Algorithm 48).
func dot(a, v []nttElement) (w nttElement) {
	for i := range a {
		w = add(w, multiply(a[i], v[i]))
	}
	return w
}

func nttAll(v []ringElement) []nttElement {
	out := make([]nttElement, len(v))
	for i := range v {
		out[i] = ntt(v[i])
	}
	return out
}

// shift is t₁·2^d.
func shift(t1 ringElement) ringElement {
	for i := range t1 {
		t1[i] <<= d // below q: t₁ has 10 bits
	}
	return t1
}
