package falcon

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// Tables returns the text of firmware/falcon/tables.c: what this package computes when
// it is first needed, for firmware to be linked with.
func Tables() string {
	var b strings.Builder
	b.WriteString("/* Code generated from pqc/falcon/tables.go. DO NOT EDIT. */\n#include \"tables.h\"\n\nconst struct complex fft_roots[1024] = {\n")
	for i, w := range fftRoots() {
		if i < 2 {
			w = complx{} // not used
		}
		fmt.Fprintf(&b, "\t{%#018x, %#018x},\n", math.Float64bits(w.re), math.Float64bits(w.im))
	}
	for _, inverse := range []bool{false, true} {
		name := map[bool]string{false: "q_roots", true: "q_inverse_roots"}[inverse]
		fmt.Fprintf(&b, "};\n\nconst uint32_t %s[1024] = {\n", name)
		for i, w := range qRoots() {
			if inverse {
				w = invQ(w)
			}
			fmt.Fprintf(&b, "%s%#010x,%s", map[bool]string{true: "\t"}[i%8 == 0], plantard(w), map[bool]string{true: "\n", false: " "}[i%8 == 7])
		}
	}
	fmt.Fprintf(&b, "};\n\nconst struct prime primes[%d] = {\n", maxWords)
	for i := range maxWords {
		before, next := primeProducts()[i], primeProducts()[i+1]
		p := new(big.Int).Quo(next, before)
		inverse := new(big.Int).ModInverse(before, p)
		inverse.Mod(inverse.Lsh(inverse, 32), p)
		fmt.Fprintf(&b, "\t{%d, %d, %d, %d},\n", p, inverse32(uint32(p.Uint64())), rootOf(p), inverse)
	}
	b.WriteString("};\n")
	return b.String()
}

// plantard returns the form in which firmware multiplies with w modulo q: w·(-2³²)
// modulo q, and that over q modulo 2³².
func plantard(w uint32) uint32 {
	const r = q - (1<<32)%q
	return w * r % q * inverse32(q)
}

// inverse32 returns the inverse of an odd number modulo 2³².
func inverse32(x uint32) uint32 {
	y := x // right modulo 8
	for range 4 {
		y *= 2 - x*y
	}
	return y
}

// rootOf returns a root of order 2048 modulo a prime that is 1 modulo 2048, times 2³²:
// the first of 2^k, 3^k, ... for k = (p-1)/2048 that is one.
func rootOf(p *big.Int) *big.Int {
	k := new(big.Int).Rsh(p, 11)
	minusOne := new(big.Int).Sub(p, big.NewInt(1))
	for x := big.NewInt(2); ; x.Add(x, big.NewInt(1)) {
		root := new(big.Int).Exp(x, k, p)
		if new(big.Int).Exp(root, big.NewInt(1024), p).Cmp(minusOne) == 0 {
			return root.Mod(root.Lsh(root, 32), p)
		}
	}
}
