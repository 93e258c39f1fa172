package sdith

import (
	"slices"

	"socsim/pqc/xof"
	"socsim/sdith/field"
)

// algebra is what is computed in GF(2^λ), whose elements are the E.
type algebra[E field.Element[E]] struct {
	p        *Params
	products *uint64 // counts products of two elements, but not those with powers of z
}

// mul returns x·y.
func (a algebra[E]) mul(x, y E) E {
	*a.products++
	return x.Mul(y)
}

// lines returns V_0 to V_{L-1} of base rows (SPEC, section 8).
func (a algebra[E]) lines(base [][]byte) []E {
	return field.Parse[E](transpose(base, a.p.SeedSize()))
}

// baseResponse returns a_base, n_c elements (SPEC, section 8): V_i + Σ_j M[i][j] V_{n_c+j}.
func (a algebra[E]) baseResponse(m []byte, v []E) []E {
	checked := field.NewSums(v[a.p.CheckBits():])
	rowSize := a.p.CheckedBits() / 8
	aBase := make([]E, a.p.CheckBits())
	for i := range aBase {
		aBase[i] = v[i].Add(checked.Of(m[i*rowSize : (i+1)*rowSize]))
	}
	return aBase
}

// mask returns P0 (SPEC, section 9), the mask polynomial: coefficients of degree 0 to 3.
func (a algebra[E]) mask(u []byte, v []E) [4]E {
	as := a.maskSums(v)
	us := field.Parse[E](u[a.p.CheckBits()/8 : a.p.WitnessAt()/8])
	return [4]E{us[2], as[2].Add(us[1]), as[1].Add(us[0]), as[0]}
}

// maskSums returns A_0 to A_2 (SPEC, section 9): A_s = Σ z^i V_{n_c+λs+i}.
func (a algebra[E]) maskSums(v []E) (as [levels - 1]E) {
	for s := range as {
		from := a.p.CheckBits() + a.p.Lambda*s
		as[s] = field.Horner(v[from : from+a.p.Lambda])
	}
	return as
}

// batch returns g_0 to g_{n-1} and ybar (SPEC, section 9). columns is STREAM(seed_pk).
//
// As g is linear in the column, only those of the unit vectors are products, with
// powers of z; every other one is the sum of some of them.
func (a algebra[E]) batch(gamma []E, columns *Stream, y []byte) (g []E, ybar E) {
	p := a.p
	g = make([]E, p.CodeLength())
	for x := range p.Codim {
		if x%p.Lambda == 0 {
			g[x] = gamma[x/p.Lambda]
		} else {
			g[x] = g[x-1].Shift(1)
		}
	}
	units := field.NewSums(g[:p.Codim])
	column := make([]byte, p.Codim/8)
	for x := p.Codim; x < len(g); x++ {
		p.Column(column, columns, x)
		g[x] = units.Of(column)
	}
	return g, units.Of(y)
}

// challenge returns γ_0 to γ_3 and γ'_0 to γ'_{w-1} (SPEC, section 4.4).
func (a algebra[E]) challenge(x xof.State, hLines []byte) (gamma, gammaPrime []E) {
	c, cPrime := a.p.ExpandGammas(x, hLines)
	return field.Parse[E](c), field.Parse[E](cPrime)
}

// poly is a polynomial in X; its coefficients are by degree.
type poly[E field.Element[E]] [levels + 1]E

// prove returns S (SPEC, section 9), whose constant term is 0 if wit belongs to g and
// ybar. v is V_0 to V_{L-1}.
func (a algebra[E]) prove(g []E, ybar E, gammaPrime []E, wit []byte, v []E) poly[E] {
	sum := poly[E]{ybar}
	scratch := make([]poly[E], a.p.BlockLength)
	for b := range a.p.Weight {
		for i, c := range a.proveBlock(b, g, gammaPrime[b], wit, v, scratch) {
			sum[i] = sum[i].Add(c)
		}
	}
	return sum
}

// proveBlock returns what block b adds to S (SPEC, section 9): T_b + γ'_b Σ_j z^(32j) D_{b,j}.
func (a algebra[E]) proveBlock(b int, g []E, gammaPrime E, wit []byte, v []E, scratch []poly[E]) poly[E] {
	p := a.p
	first := b * p.ControlBits()
	bits := make([]byte, p.ControlBits())
	for k := range bits {
		bits[k] = bit(wit, first+k)
	}
	slopes := v[p.WitnessAt()+first:][:len(bits)]

	sum := a.muxPoly(g[b*p.BlockLength:(b+1)*p.BlockLength], bits, slopes, scratch)
	d1, d2 := a.unitaryPoly(bits, slopes)
	sum[1] = sum[1].Add(a.mul(gammaPrime, d1))
	sum[2] = sum[2].Add(a.mul(gammaPrime, d2))
	return sum
}

// muxPoly is the multiplexer tree of a block (SPEC, section 9) over the lines
// bits_k + slopes_k X. What level j makes has degree j+1. scratch has room for m
// polynomials.
func (a algebra[E]) muxPoly(g []E, bits []byte, slopes []E, scratch []poly[E]) poly[E] {
	list := scratch[:len(g)]
	for i := range g {
		list[i] = poly[E]{g[i]}
	}
	for j, mu := range a.p.Mu {
		n := 0
		for run := range slices.Chunk(list, mu) {
			sum := run[0]
			for k, x := range run[1:] {
				for i := range j + 1 {
					d := x[i].Add(run[0][i])
					if bits[k] == 1 {
						sum[i] = sum[i].Add(d)
					}
					sum[i+1] = sum[i+1].Add(a.mul(slopes[k], d))
				}
			}
			list[n] = sum
			n++
		}
		list = list[:n]
		bits, slopes = bits[mu-1:], slopes[mu-1:]
	}
	return list[0]
}

// unitaryPoly returns the coefficients of degree 1 and 2 of Σ_j z^(32j) D_{b,j}(X)
// (SPEC, section 9), over the lines bits_k + slopes_k X of a block. That of degree 0 is
// 0, as at most one control bit of a level is set.
func (a algebra[E]) unitaryPoly(bits []byte, slopes []E) (d1, d2 E) {
	for _, mu := range slices.Backward(a.p.Mu[:]) {
		rest := len(bits) - (mu - 1)
		b1, b2, b3 := a.unitarySums(slopes[rest:])
		e1 := b3
		for k, set := range bits[rest:] {
			// The constant terms of s1 and s2 are powers of z, if not 0.
			if set == 1 {
				e1 = e1.Add(b2.Shift(k))
				if k < mu-2 {
					e1 = e1.Add(b1.Shift((mu - 1) * k))
				}
			}
		}
		d1 = d1.Shift(32).Add(e1)
		d2 = d2.Shift(32).Add(a.mul(b1, b2))
		bits, slopes = bits[:rest], slopes[:rest]
	}
	return d1, d2
}

// unitarySums returns s1, s2 and s3 of the unitary check of a level (SPEC, section 9),
// over its μ - 1 control lines c. They are linear in them.
func (a algebra[E]) unitarySums(c []E) (s1, s2, s3 E) {
	mu := len(c) + 1
	for k, ck := range c {
		s1 = s1.Add(ck.Shift(k))
		if k < mu-2 {
			s2 = s2.Add(ck.Shift((mu - 1) * k))
			s3 = s3.Add(ck.Shift(mu * k))
		}
	}
	return s1, s2, s3
}

// evaluate returns S at a point (SPEC, section 10.3, step 9), where the lines of the
// witness have the values control.
func (a algebra[E]) evaluate(g []E, ybar E, gammaPrime, control []E) E {
	sum := ybar
	for b := range a.p.Weight {
		c := control[b*a.p.ControlBits():][:a.p.ControlBits()]
		sum = sum.Add(a.mux(g[b*a.p.BlockLength:(b+1)*a.p.BlockLength], c))
		sum = sum.Add(a.mul(gammaPrime[b], a.unitary(c)))
	}
	return sum
}

// mux is muxPoly on values.
func (a algebra[E]) mux(g, control []E) E {
	list := slices.Clone(g)
	for _, mu := range a.p.Mu {
		n := 0
		for run := range slices.Chunk(list, mu) {
			sum := run[0]
			for k, x := range run[1:] {
				sum = sum.Add(a.mul(control[k], x.Add(run[0])))
			}
			list[n] = sum
			n++
		}
		list = list[:n]
		control = control[mu-1:]
	}
	return list[0]
}

// unitary is unitaryPoly on values.
func (a algebra[E]) unitary(control []E) E {
	var d E
	for _, mu := range slices.Backward(a.p.Mu[:]) {
		rest := len(control) - (mu - 1)
		s1, s2, s3 := a.unitarySums(control[rest:])
		d = d.Shift(32).Add(a.mul(s1, s2)).Add(s3)
		control = control[:rest]
	}
	return d
}
