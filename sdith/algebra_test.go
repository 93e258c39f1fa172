package sdith

import (
	"testing"

	"pgregory.net/rapid"

	"socsim/sdith/field"
)

// The polynomials of a prover, at any point, are the values a verifier computes there.
func TestPolynomialsAreValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := smallSet().Draw(t, "set")
		switch p.Lambda {
		case 128:
			testPolynomials[field.GF128](t, p)
		case 192:
			testPolynomials[field.GF192](t, p)
		case 256:
			testPolynomials[field.GF256](t, p)
		}
	})
}

func testPolynomials[E field.Element[E]](t *rapid.T, p *Params) {
	a := algebra[E]{p, new(uint64)}
	elements := func(n int, what string) []E { return field.Parse[E](drawn(t, n*p.SeedSize(), what)) }
	g, ybar, gammaPrime := elements(p.CodeLength(), "g"), elements(1, "ybar")[0], elements(p.Weight, "gamma'")
	v, point := elements(p.VOLEBits(), "V"), elements(1, "X")[0]
	positions := make([]int, p.Weight)
	for b := range positions {
		positions[b] = rapid.IntRange(0, p.BlockLength-1).Draw(t, "position")
	}
	wit := p.Witness(positions)

	s := a.prove(g, ybar, gammaPrime, wit, v)
	constant := ybar
	for b, pos := range positions {
		constant = constant.Add(g[b*p.BlockLength+pos])
	}
	if s[0] != constant {
		t.Fatalf("%+v: S(0) = %x, want ybar and the chosen g, %x", p, s[0].Bytes(), constant.Bytes())
	}

	control := make([]E, p.WitnessBits())
	for k := range control {
		control[k] = field.Bit[E](bit(wit, k)).Add(point.Mul(v[p.WitnessAt()+k]))
	}
	var at E
	for i := len(s) - 1; i >= 0; i-- {
		at = at.Mul(point).Add(s[i])
	}
	if want := a.evaluate(g, ybar, gammaPrime, control); at != want {
		t.Fatalf("%+v: S at %x is %x, want %x", p, point.Bytes(), at.Bytes(), want.Bytes())
	}
}

// The unitary check by the formulas of SPEC, section 9, written out for both arities.
func TestUnitary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := *Cat1Fast
		for j := range p.Mu {
			p.Mu[j] = rapid.IntRange(3, 4).Draw(t, "μ")
		}
		a := algebra[field.GF128]{&p, new(uint64)}
		control := field.Parse[field.GF128](drawn(t, 16*p.ControlBits(), "control"))
		z := func(n int) field.GF128 {
			power := field.Bit[field.GF128](1)
			for range n {
				power = power.Shift(1)
			}
			return power
		}
		var want field.GF128
		c := control
		for j, mu := range p.Mu {
			d := c[0].Mul(c[0].Add(z(1).Mul(c[1]))).Add(c[0])
			if mu == 4 {
				d = c[0].Add(z(1).Mul(c[1])).Add(z(2).Mul(c[2])).Mul(c[0].Add(z(3).Mul(c[1]))).Add(c[0]).Add(z(4).Mul(c[1]))
			}
			want = want.Add(z(32 * j).Mul(d))
			c = c[mu-1:]
		}
		if got := a.unitary(control); got != want {
			t.Fatalf("μ = %v: %x, want %x", p.Mu, got.Bytes(), want.Bytes())
		}
	})
}

// g is linear in the columns: here by limbs, as SPEC, section 9 has it.
func TestBatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := smallSet().Draw(t, "set")
		switch p.Lambda {
		case 128:
			testBatch[field.GF128](t, p)
		case 192:
			testBatch[field.GF192](t, p)
		case 256:
			testBatch[field.GF256](t, p)
		}
	})
}

func testBatch[E field.Element[E]](t *rapid.T, p *Params) {
	a := algebra[E]{p, new(uint64)}
	gamma := field.Parse[E](drawn(t, limbs*p.SeedSize(), "gamma"))
	seedPK, y := drawn(t, p.SeedSize(), "seed_pk"), drawn(t, p.Codim/8, "y")
	byLimbs := func(column []byte) (sum E) {
		padded := append(append([]byte(nil), column...), make([]byte, limbs*p.SeedSize()-len(column))...)
		for k, limb := range field.Parse[E](padded) {
			sum = sum.Add(gamma[k].Mul(limb))
		}
		return sum
	}
	g, ybar := a.batch(gamma, NewStream(p.NewCipher(), seedPK), y)
	if want := byLimbs(y); ybar != want {
		t.Fatalf("%+v: ybar = %x, want %x", p, ybar.Bytes(), want.Bytes())
	}
	random := make([]byte, (p.CodeLength()-p.Codim)*p.Codim/8)
	NewStream(p.NewCipher(), seedPK).Read(random)
	for x := range g {
		column := make([]byte, p.Codim/8)
		if x < p.Codim {
			column[x/8] = 1 << (x % 8)
		} else {
			copy(column, random[(x-p.Codim)*len(column):])
		}
		if want := byLimbs(column); g[x] != want {
			t.Fatalf("%+v: g_%d = %x, want %x", p, x, g[x].Bytes(), want.Bytes())
		}
	}
}
