package falcon

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// random is where the sampler has its randomness from.
type random interface {
	wide() (hi byte, lo uint64) // a number of 72 bits
	byte() byte
}

// chacha is the submission's generator: ChaCha20 keyed with 56 bytes of a stream.
// Eight blocks make a buffer, in which words of the same place in their blocks
// are neighbours.
type chacha struct {
	key     [12]uint32 // key, then nonce
	counter uint64     // XORed into the last two words of the nonce
	buf     [512]byte
	at      int
}

// chachaSeed is how many bytes the generator is keyed with.
const chachaSeed = 56

func newChaCha(seed []byte) *chacha {
	var c chacha
	for i := range c.key {
		c.key[i] = binary.LittleEndian.Uint32(seed[4*i:])
	}
	c.counter = binary.LittleEndian.Uint64(seed[48:])
	c.refill()
	return &c
}

func (c *chacha) refill() {
	for block := range 8 {
		in := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574} // "expand 32-byte k"
		copy(in[4:], c.key[:])
		in[14] ^= uint32(c.counter)
		in[15] ^= uint32(c.counter >> 32)
		c.counter++
		x := in
		for range 10 {
			for i := range 4 {
				quarterRound(&x[i], &x[4+i], &x[8+i], &x[12+i])
			}
			for i := range 4 {
				quarterRound(&x[i], &x[4+(i+1)%4], &x[8+(i+2)%4], &x[12+(i+3)%4])
			}
		}
		for i := range x {
			binary.LittleEndian.PutUint32(c.buf[32*i+4*block:], x[i]+in[i])
		}
	}
	c.at = 0
}

func quarterRound(a, b, c, d *uint32) {
	*a += *b
	*d = bits.RotateLeft32(*d^*a, 16)
	*c += *d
	*b = bits.RotateLeft32(*b^*c, 12)
	*a += *b
	*d = bits.RotateLeft32(*d^*a, 8)
	*c += *d
	*b = bits.RotateLeft32(*b^*c, 7)
}

// byte returns the next byte; the buffer is never left empty.
func (c *chacha) byte() byte {
	b := c.buf[c.at]
	if c.at++; c.at == len(c.buf) {
		c.refill()
	}
	return b
}

// wide returns the next nine bytes, of which the first eight are taken from one
// buffer: up to nine at its end are dropped.
func (c *chacha) wide() (hi byte, lo uint64) {
	if c.at >= len(c.buf)-9 {
		c.refill()
	}
	lo = binary.LittleEndian.Uint64(c.buf[c.at:])
	c.at += 8
	return c.byte(), lo
}

// rcdt is the reverse cumulative distribution table of the half Gaussian with
// σ_max = 1.8205, in units of 2⁻⁷² (table 3.1): 8 bits and 64 bits.
var rcdt = [18]struct {
	hi uint32
	lo uint64
}{
	{163, 17866957108348000258}, {84, 15216282288489618306}, {34, 9065130955956142591}, {10, 15093043907930966756},
	{2, 10773855707238178671}, {0, 8595902006365044063}, {0, 1163297957344668388}, {0, 117656387352093658},
	{0, 8867391802663976}, {0, 496969357462633}, {0, 20680885154299}, {0, 638331848991},
	{0, 14602316184}, {0, 247426747}, {0, 3104126}, {0, 28824}, {0, 198}, {0, 1},
}

// baseSampler is BaseSampler (Algorithm 12).
func baseSampler(r random) int {
	hi, lo := r.wide()
	z := 0
	for _, e := range rcdt {
		if uint32(hi) < e.hi || uint32(hi) == e.hi && lo < e.lo {
			z++
		}
	}
	return z
}

// expCoefficients are C of Algorithm 13: exp(-x) is about the sum of
// ±C[12-i]·xⁱ/2⁶³.
var expCoefficients = [13]uint64{
	0x00000004741183A3, 0x00000036548CFC06, 0x0000024FDCBF140A, 0x0000171D939DE045, 0x0000D00CF58F6F84,
	0x000680681CF796E3, 0x002D82D8305B0FEA, 0x011111110E066FD0, 0x0555555555070F00, 0x155555555581FF00,
	0x400000000002B400, 0x7FFFFFFFFFFF4800, 0x8000000000000000,
}

// approxExp is ApproxExp (Algorithm 13): 2⁶³·ccs·exp(-x) for 0 ≤ x < ln 2. Rounding
// may leave x below zero by the last bit of what it was reduced from; the result
// is then what the submission computes, from a number modulo 2⁶⁴.
func approxExp(x, ccs float64) uint64 {
	scaled := func(x float64) uint64 { return uint64(int64(float64(x*(1<<63)))) << 1 }
	z, y := scaled(x), expCoefficients[0]
	for _, c := range expCoefficients[1:] {
		hi, _ := bits.Mul64(z, y)
		y = c - hi
	}
	hi, _ := bits.Mul64(scaled(ccs), y)
	return hi
}

// berExp is BerExp (Algorithm 14): true with probability ccs·exp(-x).
func berExp(r random, x, ccs float64) bool {
	const ln2, invLn2 = 0x1.62e42fefa39efp-1, 0x1.71547652b82fep+0
	s := int64(float64(x * invLn2))
	rest := x - float64(float64(s)*ln2)
	z := (approxExp(rest, ccs)<<1 - 1) >> min(uint64(s), 63)
	for i := 56; i >= 0; i -= 8 {
		if w := int(r.byte()) - int(z>>i&0xff); w != 0 {
			return w < 0
		}
	}
	return false
}

// samplerZ is SamplerZ (Algorithm 15), with 1/σ' in the place of σ': an integer
// with a Gaussian distribution of centre mu.
func samplerZ(r random, mu, invSigma, sigMin float64) int64 {
	const inv2SigmaMax2 = 0x1.34f8bc183bbc2p-3 // 1/(2σ_max²)
	floor := math.Floor(mu)
	fraction := mu - floor
	dss := float64(float64(invSigma*invSigma) * 0.5)
	ccs := float64(invSigma * sigMin)
	for {
		z0 := baseSampler(r)
		b := int(r.byte()) & 1
		z := b + (2*b-1)*z0
		d := float64(z) - fraction
		x := float64(float64(d*d)*dss) - float64(float64(z0*z0)*inv2SigmaMax2)
		if berExp(r, x, ccs) {
			return int64(floor) + int64(z)
		}
	}
}
