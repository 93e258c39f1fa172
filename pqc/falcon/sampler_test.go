package falcon

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"testing"

	"golang.org/x/crypto/chacha20"
)

// octets is randomness from a file: 72 bits are nine octets, the highest first.
type octets struct {
	t  *testing.T
	in []byte
}

func (o *octets) byte() byte {
	if len(o.in) == 0 {
		o.t.Fatal("more randomness was drawn than there is")
	}
	b := o.in[0]
	o.in = o.in[1:]
	return b
}

func (o *octets) wide() (hi byte, lo uint64) {
	hi = o.byte()
	for range 8 {
		lo = lo<<8 | uint64(o.byte())
	}
	return hi, lo
}

func TestSamplerZ(t *testing.T) {
	var file struct {
		Tests []struct {
			Mu, Sigma, SigMin float64
			Octets            hexBytes
			Z                 int64
		}
	}
	readVectors(t, &file, "samplerz-kat.json")
	if len(file.Tests) != 300 {
		t.Errorf("%d tests, want 300", len(file.Tests))
	}
	for i, v := range file.Tests {
		o := &octets{t, v.Octets}
		if z := samplerZ(o, v.Mu, 1/v.Sigma, v.SigMin); z != v.Z || len(o.in) != 0 {
			t.Errorf("test %d: %d with %d octets left, want %d with none", i, z, len(o.in), v.Z)
		}
	}
}

// A few of the same cases, for where the folder is not.
func TestSamplerZCases(t *testing.T) {
	const sigMin = 1.2778336969128337
	for _, test := range []struct {
		mu, sigma float64
		octets    string
		z         int64
		reason    string
	}{
		{-91.90471153063714, 1.7037990414754918, "\x0f\xc5\x44\x2f\xf0\x43\xd6\x6e\x91\xd1\xea\xca\xc6\x4e\xa5\x45\x0a\x22\x94\x1e\xdc\x6c", -92, "one rejection"},
		{-8.322564895434937, 1.7037990414754918, "\xf4\xda\x0f\x8d\x84\x44\xd1\xa7\x72\x65\xc2\xef\x6f\x98\xbb\xbb\x4b\xee\x7d\xb8\xd9\xb3", -8, "one rejection"},
		{-28.990850086867255, 1.6984647769450156, "\x73\x7e\x9d\x68\xa5\x0a\x06\xdb\xbc\x64\x77", -30, "accepted at once"},
	} {
		o := &octets{t, []byte(test.octets)}
		if z := samplerZ(o, test.mu, 1/test.sigma, sigMin); z != test.z || len(o.in) != 0 {
			t.Errorf("%s: %d with %d octets left, want %d with none", test.reason, z, len(o.in), test.z)
		}
	}
}

// The tables are the Gaussians they say they are, as far as floating point can
// tell. That of the base sampler is rounded down probability by probability, so it is
// off by a few units.
func TestTables(t *testing.T) {
	before := new(big.Int).Lsh(big.NewInt(1), 72)
	for i, e := range rcdt {
		v := new(big.Int).SetUint64(uint64(e.hi))
		v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(e.lo))
		if v.Cmp(before) >= 0 {
			t.Errorf("entry %d is not less than the one before", i)
		}
		want := math.Ldexp(tail(float64(i+1), 1.8205)/tail(0, 1.8205), 72)
		got, _ := new(big.Float).SetInt(v).Float64()
		if math.Abs(got-want) > 8+want*1e-12 {
			t.Errorf("entry %d is %g, the half Gaussian has %g", i, got, want)
		}
		before = v
	}
	sigma := 1.17 * math.Sqrt(q/2048.0)
	for k, e := range gaussianTable {
		want := 1 / (2*tail(1, sigma) + 1)
		if k > 0 {
			want = tail(float64(k+1), sigma) / tail(1, sigma)
		}
		if want = math.Ldexp(want, 63); math.Abs(float64(e)-want) > 1+want*1e-12 {
			t.Errorf("Gaussian entry %d is %d, want %g", k, e, want)
		}
	}
}

// tail is the sum of exp(-x²/2σ²) over the integers from x on.
func tail(x, sigma float64) (sum float64) {
	for y := x + 60; y >= x; y-- {
		sum += math.Exp(-y * y / (2 * sigma * sigma))
	}
	return sum
}

// Each root is the number nearest to cosine and sine. math knows these to a few
// units in the last place; the digest is that of the submission's table.
func TestFFTRoots(t *testing.T) {
	const want = "8e7afabb6cef25f617ed85f2ef21b6ca45b5843b31aa52a85fec5eb0f7ce52b0"
	h := sha256.New()
	for i, w := range fftRoots() {
		sin, cos := math.Sincos(math.Pi * float64(bitReverse(i, maxLogN)) / (1 << maxLogN))
		if math.Abs(w.re-cos) > 5e-16 || math.Abs(w.im-sin) > 5e-16 {
			t.Errorf("root %d is %v, want about %g %g", i, w, cos, sin)
		}
		if i > 1 { // the first two are never used
			binary.Write(h, binary.LittleEndian, []float64{w.re, w.im})
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("the roots have SHA-256 %s, want %s", got, want)
	}
}

// The generator is ChaCha20: words of eight blocks, interleaved, with the counter
// in the nonce.
func TestChaCha(t *testing.T) {
	seed := make([]byte, chachaSeed)
	for i := range seed {
		seed[i] = byte(3*i + 1)
	}
	copy(seed[48:], "\xfe\xff\xff\xff\x00\x00\x00\x00") // a carry within the first buffer
	c := newChaCha(seed)
	for buffer := range 3 {
		for block := range 8 {
			counter := binary.LittleEndian.Uint64(seed[48:]) + uint64(8*buffer+block)
			nonce := append([]byte{}, seed[36:48]...)
			binary.LittleEndian.PutUint64(nonce[4:], binary.LittleEndian.Uint64(nonce[4:])^counter)
			s, err := chacha20.NewUnauthenticatedCipher(seed[:32], nonce)
			if err != nil {
				t.Fatal(err)
			}
			s.SetCounter(binary.LittleEndian.Uint32(seed[32:]))
			want := make([]byte, 64)
			s.XORKeyStream(want, want)
			for i := range 16 {
				if got := c.buf[32*i+4*block:][:4]; !bytes.Equal(got, want[4*i:4*i+4]) {
					t.Fatalf("buffer %d, block %d, word %d: %x, want %x", buffer, block, i, got, want[4*i:4*i+4])
				}
			}
		}
		c.refill()
	}
}

// Numbers of 72 bits are not taken from the last nine bytes of a buffer; single
// bytes are.
func TestChaChaEnd(t *testing.T) {
	for _, test := range []struct{ left, from, to int }{
		{11, 501, 510}, {10, 502, 511}, {9, 0, 9}, {1, 0, 9},
	} {
		c := newChaCha(make([]byte, chachaSeed))
		next := *c
		if c.at = len(c.buf) - test.left; test.from == 0 {
			next.refill()
		}
		hi, lo := c.wide()
		if want := next.buf[test.from:]; lo != binary.LittleEndian.Uint64(want) || hi != want[8] || c.at != test.to {
			t.Errorf("%d bytes left: %x %016x and then at byte %d, want %x from byte %d on", test.left, hi, lo, c.at, want[:9], test.from)
		}
	}
	c := newChaCha(make([]byte, chachaSeed))
	c.at = len(c.buf) - 1
	last := c.buf[c.at]
	if b := c.byte(); b != last || c.at != 0 {
		t.Errorf("the last byte is %x and then at byte %d, want %x and a new buffer", b, c.at, last)
	}
}
