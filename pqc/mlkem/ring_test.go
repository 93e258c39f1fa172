package mlkem

import (
	"testing"

	"pgregory.net/rapid"
)

func drawRing(t *rapid.T, label string) (f ringElement) {
	for i, c := range rapid.SliceOfN(rapid.Uint16Range(0, q-1), n, n).Draw(t, label) {
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
		if got := inverseNTT(multiplyNTTs(ntt(f), ntt(g))); got != want {
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

// Compression of every number, against the definition in exact arithmetic, and
// every number of bits there and back.
func TestCompress(t *testing.T) {
	for d := 1; d <= 11; d++ {
		for x := range uint16(q) {
			// 2^d·x/q to the nearest integer: below y + 1/2, not below y - 1/2.
			y := int(compress(ringElement{x}, d)[0])
			if y == 0 && int(x) > q/2 {
				y = 1 << d
			}
			if twice := int(x) << (d + 1); twice >= (2*y+1)*q || twice < (2*y-1)*q {
				t.Fatalf("d = %d: %d is compressed to %d", d, x, y)
			}
		}
		for y := range uint16(1) << d {
			if got := compress(decompress([n]uint16{y}, d), d)[0]; got != y {
				t.Fatalf("d = %d: %d comes back as %d", d, y, got)
			}
		}
	}
}

func TestByteEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 12).Draw(t, "d")
		var f [n]uint16
		for i, c := range rapid.SliceOfN(rapid.Uint16Range(0, 1<<d-1), n, n).Draw(t, "f") {
			f[i] = c
		}
		b := byteEncode([]byte{1}, f, d)
		if len(b) != 1+32*d {
			t.Fatalf("%d bytes, want %d", len(b), 1+32*d)
		}
		for i := range f {
			for bit := range d {
				at := 8 + i*d + bit
				if b[at/8]>>(at%8)&1 != byte(f[i]>>bit&1) {
					t.Fatalf("bit %d of number %d is wrong", bit, i)
				}
			}
		}
		if got := byteDecode(b[1:], d); got != f {
			t.Errorf("decoded %v, want %v", got, f)
		}
	})
}

// Centered binomial: bits of ones are counted against bits of minus ones.
func TestSamplePolyCBD(t *testing.T) {
	for _, test := range []struct {
		eta   int
		first byte
		want  uint16
	}{
		{2, 0b0000_0011, 2}, {2, 0b0000_1100, q - 2}, {2, 0b0000_0101, 0}, {2, 0b0000_1000, q - 1},
		{3, 0b00_000_111, 3}, {3, 0b00_111_000, q - 3}, {3, 0b00_001_001, 0}, {3, 0b00_000_010, 1},
	} {
		b := make([]byte, 64*test.eta)
		b[0] = test.first
		if got := samplePolyCBD(b, test.eta); got[0] != test.want {
			t.Errorf("η = %d, bits %06b: %d, want %d", test.eta, test.first, got[0], test.want)
		}
	}
}
