package mlkem

// ringElement is a polynomial of R_q, nttElement the representation of one in T_q
// (FIPS 203, section 2.4.4). Coefficients are below q.
type (
	ringElement [n]uint16
	nttElement  [n]uint16
)

func add[T ~[n]uint16](a, b T) (sum T) {
	for i := range sum {
		sum[i] = (a[i] + b[i]) % q
	}
	return sum
}

func sub[T ~[n]uint16](a, b T) (difference T) {
	for i := range difference {
		difference[i] = (a[i] + q - b[i]) % q
	}
	return difference
}

// product is a·b modulo q.
func product(a, b uint16) uint16 { return uint16(uint32(a) * uint32(b) % q) }

// zetas are ζ^BitRev₇(i) for ζ = 17 (FIPS 203, Appendix A), and gammas
// ζ^(2·BitRev₇(i)+1).
var zetas, gammas = powers()

func powers() (zetas, gammas [128]uint16) {
	var power [256]uint16
	power[0] = 1
	for i := range 255 {
		power[i+1] = product(power[i], 17)
	}
	for i := range 128 {
		rev := 0 // BitRev₇(i)
		for bit := range 7 {
			rev |= i >> bit & 1 << (6 - bit)
		}
		zetas[i], gammas[i] = power[rev], power[2*rev+1]
	}
	return zetas, gammas
}

// ntt is NTT (FIPS 203, Algorithm 9).
func ntt(f ringElement) nttElement {
	i := 1
	for length := 128; length >= 2; length /= 2 {
		for start := 0; start < n; start += 2 * length {
			zeta := zetas[i]
			i++
			for j := start; j < start+length; j++ {
				t := product(zeta, f[j+length])
				f[j+length] = (f[j] + q - t) % q
				f[j] = (f[j] + t) % q
			}
		}
	}
	return nttElement(f)
}

// inverseNTT is NTT⁻¹ (FIPS 203, Algorithm 10).
func inverseNTT(f nttElement) ringElement {
	i := 127
	for length := 2; length <= 128; length *= 2 {
		for start := 0; start < n; start += 2 * length {
			zeta := zetas[i]
			i--
			for j := start; j < start+length; j++ {
				t := f[j]
				f[j] = (t + f[j+length]) % q
				f[j+length] = product(zeta, f[j+length]+q-t)
			}
		}
	}
	for j := range f {
		f[j] = product(f[j], 3303) // 128⁻¹ modulo q
	}
	return ringElement(f)
}

// multiplyNTTs is MultiplyNTTs (FIPS 203, Algorithm 11), with BaseCaseMultiply
// (Algorithm 12) in the loop.
func multiplyNTTs(f, g nttElement) (h nttElement) {
	for i := range n / 2 {
		a0, a1, b0, b1 := f[2*i], f[2*i+1], g[2*i], g[2*i+1]
		h[2*i] = (product(a0, b0) + product(product(a1, b1), gammas[i])) % q
		h[2*i+1] = (product(a0, b1) + product(a1, b0)) % q
	}
	return h
}
