package sdith

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"socsim/sdith/field"
)

// hiddenLeaves draws a set and a challenge: one hidden position in each repetition.
func hiddenLeaves(t *rapid.T) (*Params, []int) {
	p := &Params{Kappa: rapid.IntRange(1, 6).Draw(t, "κ"), Tau: rapid.IntRange(1, 40).Draw(t, "τ")}
	istar := make([]int, p.Tau)
	for e := range istar {
		istar[e] = rapid.IntRange(0, p.Positions()-1).Draw(t, "i*")
	}
	return p, istar
}

// The streaming form of the opening against the definition (SPEC, section 10.2).
func TestRevealed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, istar := hiddenLeaves(t)
		hidden := p.HiddenNodes(istar)
		ancestors := map[int]bool{}
		for e, i := range istar {
			for x := p.Leaves() + i*p.Tau + e; x > 0; x /= 2 {
				ancestors[x] = true
			}
		}
		var want []int
		inner := 0
		for x := 2*p.Leaves() - 1; x > 0; x-- {
			if x > 1 && !ancestors[x] && ancestors[x/2] {
				want = append(want, x)
			}
			if ancestors[x] && x < p.Leaves() {
				inner++
			}
		}
		if diff := cmp.Diff(want, Revealed(hidden)); diff != "" {
			t.Errorf("κ = %d, hidden %v (-want +got):\n%s", p.Kappa, istar, diff)
		}
		if got := len(Revealed(hidden)); got != inner-p.Tau+1 { // SPEC, section 12.5
			t.Errorf("%d nodes revealed, want %d", got, inner-p.Tau+1)
		}
		for x, got := range p.hiddenAncestors(hidden) {
			if got != ancestors[x] {
				t.Errorf("node %d: hidden %v, want %v", x, got, ancestors[x])
			}
		}
	})
}

// The running form of the VOLE against its definition, and what a verifier has of it
// against what it is for: Q_t = V_t + u_t δ₁ (SPEC, sections 8 and 10.3).
func TestVOLE(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := smallSet().Draw(t, "set")
		c, x := p.NewCipher(), p.NewXOF()
		tree := newTree(p, drawn(t, p.SeedSize(), "salt"))
		copy(tree.seed(1), drawn(t, p.SeedSize(), "root"))
		tree.grow(c, nil)
		got := tree.expandLeaves(c, x, nil, nil)

		want := vole{hCom: got.hCom, acc: makeRows(p.Tau, p.VOLESize()), base: makeRows(p.Tau*p.Kappa, p.VOLESize())}
		for e := range p.Tau {
			for i := range p.Positions() {
				r := make([]byte, p.VOLESize())
				NewStream(c, tree.seed(p.LeafNode(e, i))).Read(r)
				xorInto(want.acc[e], r)
				for j := range p.Kappa {
					if (i^i/2)>>j&1 == 1 {
						xorInto(want.base[e*p.Kappa+j], r)
					}
				}
			}
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(vole{})); diff != "" {
			t.Fatalf("%+v (-want +got):\n%s", p, diff)
		}

		istar := make([]int, p.Tau)
		for e := range istar {
			istar[e] = rapid.IntRange(0, p.Positions()-1).Draw(t, "i*")
		}
		switch p.Lambda {
		case 128:
			checkQ[field.GF128](t, p, tree, got, istar)
		case 192:
			checkQ[field.GF192](t, p, tree, got, istar)
		case 256:
			checkQ[field.GF256](t, p, tree, got, istar)
		}
	})
}

func xorInto(dst, src []byte) {
	for i := range dst {
		dst[i] ^= src[i]
	}
}

func checkQ[E field.Element[E]](t *rapid.T, p *Params, tree *tree, signer vole, istar []int) {
	c, x, a := p.NewCipher(), p.NewXOF(), algebra[E]{p, new(uint64)}
	sig := &Signature{Params: p, Salt: tree.salt, Correction: signer.corrections()}
	hidden := p.HiddenNodes(istar)
	for _, node := range Revealed(hidden) {
		sig.Path = append(sig.Path, tree.seed(node)...)
	}
	for _, node := range slices.Backward(hidden) {
		com := make([]byte, p.HashSize())
		tree.commit(c, com, node)
		sig.HiddenCom = append(sig.HiddenCom, com...)
	}
	verifier := sig.reopen(c, x, istar)
	verifier.correct(istar, sig.Correction)
	if diff := cmp.Diff(signer.hCom, verifier.hCom); diff != "" {
		t.Fatalf("%+v: h_com (-signer +verifier):\n%s", p, diff)
	}
	u, v, q := signer.acc[0], a.lines(signer.base), a.lines(verifier.base)
	var zero E
	delta1 := zero.Load(p.delta1(istar))
	for i := range q {
		want := v[i]
		if u[i/8]>>(i%8)&1 == 1 {
			want = want.Add(delta1)
		}
		if q[i] != want {
			t.Fatalf("%+v: Q_%d = %x, want V + u·δ₁ = %x", p, i, q[i].Bytes(), want.Bytes())
		}
	}
}

func TestTranspose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := makeRows(rapid.IntRange(1, 40).Draw(t, "rows"), rapid.IntRange(1, 20).Draw(t, "bytes"))
		size := (len(rows)+7)/8 + rapid.IntRange(0, 8).Draw(t, "more")
		for _, row := range rows {
			copy(row, drawn(t, len(row), "row"))
		}
		got := transpose(rows, size)
		if len(got) != 8*len(rows[0])*size {
			t.Fatalf("%d bytes, want %d", len(got), 8*len(rows[0])*size)
		}
		for column := range 8 * len(rows[0]) {
			for r := range 8 * size {
				want := byte(0)
				if r < len(rows) {
					want = bit(rows[r], column)
				}
				if bit(got[column*size:], r) != want {
					t.Fatalf("column %d, bit %d is not %d", column, r, want)
				}
			}
		}
	})
}
