package mldsa

import (
	"testing"

	"pgregory.net/rapid"

	"socsim/pqc/xof"
)

func drawRing(t *rapid.T, label string) (f ringElement) {
	for i, c := range rapid.SliceOfN(rapid.Uint32Range(0, q-1), n, n).Draw(t, label) {
		f[i] = c
	}
	return f
}

// The transform is one of rings: products in T_q are products modulo X^256 + 1.
func TestProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, g := drawRing(t, "f"), drawRing(t, "g")
		var want ringElement
		for i := range n {
			for j := range n {
				p := product(f[i], g[j])
				if i+j >= n {
					p = (q - p) % q
				}
				want[(i+j)%n] = (want[(i+j)%n] + p) % q
			}
		}
		if got := inverseNTT(multiply(ntt(f), ntt(g))); got != want {
			t.Errorf("product %v, want %v", got, want)
		}
		if got := inverseNTT(ntt(f)); got != f {
			t.Errorf("there and back %v, want %v", got, f)
		}
		if got := sub(add(f, g), g); got != f {
			t.Errorf("f + g - g = %v, want %v", got, f)
		}
	})
}

// Rounding, at the borders of every interval and everywhere else in steps: the parts
// make the number, low parts are as small as they must be, and a hint repairs what
// adding a small number breaks.
func TestRounding(t *testing.T) {
	for _, name := range []string{"44", "65"} {
		s := newScheme(t, name, FIPS204, xof.SHAKE)
		γ2 := int32(s.Gamma2)
		m := int32(s.w1Values())
		check := func(r uint32) {
			r1, r0 := s.decompose(r)
			low := r0 > -γ2 && r0 <= γ2
			if r1 == 0 && r0 < 0 {
				low = r0 >= -γ2 // the interval that wraps around
			}
			if r1 < 0 || r1 >= m || !low || element((r1*2*γ2+r0)%q) != r {
				t.Fatalf("γ₂ = %d: %d is %d, %d", γ2, r, r1, r0)
			}
			for _, z := range []int32{-γ2, -1, 0, 1, γ2 - 1, γ2} {
				a := ringElement{r}
				b := add(a, ringElement{element(z)})
				h, ones := s.makeHint(a, b)
				if got := s.useHint(h, a); got[0] != s.highBits(b)[0] || ones != int(h[0]) {
					t.Fatalf("γ₂ = %d: %d + %d: the hint %d makes the high bits %d, want %d", γ2, r, z, h[0], got[0], s.highBits(b)[0])
				}
			}
			t1, t0 := power2Round(ringElement{r})
			if c := centered(t0[0]); c <= -4096 || c > 4096 || t1[0] > 1023 || int32(t1[0])<<d+c != int32(r) {
				t.Fatalf("%d is %d·2^d + %d", r, t1[0], c)
			}
		}
		for k := int32(0); k <= m; k++ {
			for _, at := range []int32{0, γ2} {
				for off := int32(-2); off <= 2; off++ {
					if r := k*2*γ2 + at + off; r >= 0 && r < q {
						check(uint32(r))
					}
				}
			}
		}
		step := uint32(1009)
		if testing.Short() {
			step = 20011
		}
		for r := uint32(0); r < q; r += step {
			check(r)
		}
	}
}

func TestBitPack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(3, 20).Draw(t, "bits")
		var w ringElement
		for i, c := range rapid.SliceOfN(rapid.Uint32Range(0, 1<<size-1), n, n).Draw(t, "w") {
			w[i] = c
		}
		b := simpleBitPack([]byte{1}, w, size)
		if len(b) != 1+32*size {
			t.Fatalf("%d bytes, want %d", len(b), 1+32*size)
		}
		for i := range w {
			for bit := range size {
				at := 8 + i*size + bit
				if b[at/8]>>(at%8)&1 != byte(w[i]>>bit&1) {
					t.Fatalf("bit %d of number %d is wrong", bit, i)
				}
			}
		}
		if got := simpleBitUnpack(b[1:], size); got != w {
			t.Errorf("unpacked %v, want %v", got, w)
		}
		top := 1 << (size - 1)
		if got := bitPack(nil, bitUnpack(b[1:], size, top), size, top); string(got) != string(b[1:]) {
			t.Errorf("there and back %x, want %x", got, b[1:])
		}
	})
}

// A challenge has τ coefficients of 1 or -1, for every set.
func TestSampleInBall(t *testing.T) {
	for _, p := range Sets {
		s := newScheme(t, p.Name, FIPS204, xof.SHAKE)
		for i := range byte(50) {
			ones := 0
			for _, c := range s.sampleInBall([]byte{i}) {
				if c == 1 || c == q-1 {
					ones++
				} else if c != 0 {
					t.Fatalf("a coefficient %d", c)
				}
			}
			if ones != p.Tau {
				t.Errorf("%s: %d coefficients, want %d", p.Name, ones, p.Tau)
			}
		}
	}
}
