package falcon

import (
	"math"
	"math/big"
)

// lengths has, for each depth of the recursion, the lengths in words that the
// submission gives its integers, and what it knows of their size: bits of the
// largest coefficient of f and g, average and standard deviation. They decide how
// reduction goes on, and so the result.
var lengths = [maxLogN + 1]struct {
	short, long int // of f, g and the reduced F, G; of F, G before reduction
	bits, dev   int
}{
	{1, 2, 4, 0}, {1, 2, 11, 1}, {2, 5, 24, 1}, {2, 7, 50, 1}, {4, 12, 102, 1}, {7, 21, 202, 2},
	{14, 40, 401, 4}, {27, 78, 794, 5}, {53, 157, 1577, 8}, {106, 308, 3138, 13}, {209, 0, 6308, 25},
}

const (
	maxWords   = 308 // the largest of lengths
	topWords   = 10  // so many of a long integer are converted to floating point
	gainBits   = 25  // that a step of the reduction is counted on to take off
	slackBits  = 10  // that its result may be longer than the size of f and g
	deviations = 6   // that f and g may be off their average size
	nttDepth   = 4   // down to which products k·f are residues, and beyond words
)

// ntruSolve is NTRUSolve (Algorithm 6): F and G with fG - gF = q, coefficients
// from -127 to 127. It reports false where the submission's solver fails.
func ntruSolve(f, g []int8) (bigF, bigG []int8, ok bool) {
	logN := 0
	for 1<<logN < len(f) {
		logN++
	}
	// f and g of every depth: norms of norms.
	fs, gs := []zpoly{zpolyOf(f)}, []zpoly{zpolyOf(g)}
	for d := 1; d <= logN; d++ {
		fs = append(fs, fs[d-1].fieldNorm().residues(lengths[d].short))
		gs = append(gs, gs[d-1].fieldNorm().residues(lengths[d].short))
	}
	pair, ok := solveDeepest(fs[logN][0], gs[logN][0], lengths[logN].short)
	if !ok {
		return nil, nil, false
	}
	for d := logN - 1; d >= 0; d-- {
		b := basis{fs[d], gs[d]}
		pair = vector{pair.F.lift(b.g), pair.G.lift(b.f)}
		switch {
		case d == 0 && logN > 2:
			pair = pair.reduceTop(b)
		case d == 1 && logN > 2:
			pair, ok = pair.reduceOnce(b)
		default:
			pair, ok = pair.reduce(b, d)
		}
		if !ok {
			return nil, nil, false
		}
	}
	return pair.small(basis{fs[0], gs[0]})
}

// basis is (f, g) of a depth, vector a pair (F, G) that belongs to it.
type (
	basis  struct{ f, g zpoly }
	vector struct{ F, G zpoly }
)

// solveDeepest solves fG - gF = q in the integers, which have so many words.
func solveDeepest(f, g *big.Int, words int) (v vector, ok bool) {
	// Resultants are not negative; residues takes large ones for negative.
	f, g = mod(f, primeProducts()[words]), mod(g, primeProducts()[words])
	u := new(big.Int)
	if g.IsInt64() && g.Int64() == 1 {
		u.SetInt64(1)
	} else if f.Bit(0)&g.Bit(0) == 0 || u.ModInverse(f, g) == nil {
		return vector{}, false
	}
	// fu - gw = 1
	w := new(big.Int).Mul(f, u)
	w.Quo(w.Sub(w, big.NewInt(1)), g)
	v = vector{zpoly{w}, zpoly{u}}
	for _, c := range []*big.Int{w, u} {
		if c.Mul(c, big.NewInt(q)).BitLen() > wordBits*words {
			return vector{}, false
		}
	}
	return v.words(words), true
}

func mod(x, m *big.Int) *big.Int { return new(big.Int).Mod(x, m) }

func (v vector) words(n int) vector    { return vector{v.F.words(n), v.G.words(n)} }
func (v vector) residues(n int) vector { return vector{v.F.residues(n), v.G.residues(n)} }

// quotient returns (Ff* + Gg*)/(ff* + gg*) for F and G in Fourier form, f* and g*
// and the inverse of the denominator.
func quotient(bigF, bigG, fAdj, gAdj poly, inv []float64) []float64 {
	return bigG.mul(gAdj).add(bigF.mul(fAdj)).scaleBy(inv).ifft()
}

// reduce is Reduce (Algorithm 7) as the submission does it: subtract k·(f, g)
// with a k of some 25 bits at a time, found from the leading words, on a schedule
// that depends on nothing secret.
func (v vector) reduce(b basis, depth int) (vector, bool) {
	l := lengths[depth]
	v = v.residues(l.long)
	drop := max(0, l.short-topWords)
	f, g := fft(b.f.floats(drop)), fft(b.g.floats(drop))
	inv := invNorm2(f, g)
	f, g = f.adjoint(), g.adjoint()
	scaleFG := wordBits * drop // of f and g

	length, size := l.long, wordBits*l.long // of F and G, in words and bits
	for scale := size - (l.bits - deviations*l.dev); ; scale = max(0, scale-gainBits) {
		drop := max(0, length-topWords)
		k := quotient(fft(v.F.floats(drop)), fft(v.G.floats(drop)), f, g, inv)
		k, ok := rounded(k, math.Ldexp(1, wordBits*drop-scaleFG-scale), 1<<31-1)
		if !ok {
			return vector{}, false
		}
		v = v.subtract(b, zpolyOf(toInt64(k)), scale, depth).words(length)
		if now := scale + l.bits + deviations*l.dev + slackBits; now < size {
			size = now
			if length*wordBits >= size+wordBits {
				length--
				v = v.words(length)
			}
		}
		if scale == 0 {
			return v.words(l.short), true
		}
	}
}

// subtract returns v - k·2^scale·(f, g).
func (v vector) subtract(b basis, k zpoly, scale, depth int) vector {
	times := func(f zpoly) zpoly {
		kf := k.mul(f)
		if depth <= nttDepth {
			kf.residues(lengths[depth].short + 1)
		}
		return kf.each(func(c *big.Int) { c.Lsh(c, uint(scale)) })
	}
	return vector{v.F.sub(times(b.f)), v.G.sub(times(b.g))}
}

// rounded scales k and rounds it to integers, all of them less than limit.
func rounded(k []float64, scale, limit float64) ([]float64, bool) {
	for i := range k {
		x := float64(k[i] * scale)
		if !(-limit < x && x < limit) {
			return nil, false
		}
		k[i] = math.RoundToEven(x)
	}
	return k, true
}

func toInt64(k []float64) []int64 {
	r := make([]int64, len(k))
	for i, x := range k {
		r[i] = int64(x)
	}
	return r
}

// reduceOnce is the reduction at depth 1, where F and G fit the precision of
// floating point: in one step, and in Fourier form.
func (v vector) reduceOnce(b basis) (vector, bool) {
	v = v.residues(lengths[1].long)
	bigF, bigG := fft(v.F.floats(0)), fft(v.G.floats(0))
	f, g := fft(b.f.floats(0)), fft(b.g.floats(0))
	t := bigF.mulAdj(f).add(bigG.mulAdj(g)).scaleBy(invNorm2(f, g)).ifft()
	t, ok := rounded(t, 1, 1<<63)
	if !ok {
		return vector{}, false
	}
	k := fft(t)
	back := func(p poly) zpoly {
		t := p.ifft()
		for i := range t {
			t[i] = math.RoundToEven(t[i])
		}
		return zpolyOf(toInt64(t)).words(1)
	}
	return vector{back(bigF.sub(f.mul(k))), back(bigG.sub(g.mul(k)))}, true
}

// reduceTop is the reduction at depth 0, where everything is less than the first
// prime: numerator and denominator are exact, and the quotient is rounded.
func (v vector) reduceTop(b basis) vector {
	v = v.residues(1)
	numerator := v.F.mul(b.f.adjoint()).add(v.G.mul(b.g.adjoint())).residues(1)
	denominator := b.f.mul(b.f.adjoint()).add(b.g.mul(b.g.adjoint())).residues(1)
	inv := make([]float64, len(b.f)/2)
	for j, c := range fft(denominator.floats(0)) {
		inv[j] = 1 / c.re
	}
	t := fft(numerator.floats(0)).scaleBy(inv).ifft()
	for i := range t {
		t[i] = math.RoundToEven(t[i])
	}
	k := zpolyOf(toInt64(t))
	return vector{v.F.sub(k.mul(b.f)), v.G.sub(k.mul(b.g))}.residues(1)
}

// small returns F and G as bytes if they fit and fG - gF is q.
func (v vector) small(b basis) (bigF, bigG []int8, ok bool) {
	for i := range v.F {
		for _, c := range []*big.Int{v.F[i], v.G[i]} {
			if !c.IsInt64() || c.Int64() < -127 || c.Int64() > 127 {
				return nil, nil, false
			}
		}
		bigF, bigG = append(bigF, int8(v.F[i].Int64())), append(bigG, int8(v.G[i].Int64()))
	}
	for i, c := range b.f.mul(v.G).sub(b.g.mul(v.F)).residues(1) {
		if i == 0 && c.Int64() != q || i > 0 && c.Sign() != 0 {
			return nil, nil, false
		}
	}
	return bigF, bigG, true
}
