package sdith

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"

	"socsim/pqc/xof"
	"socsim/sdith/field"
)

// ErrSignature is wrapped by the error for a signature that has the right form and does
// not belong to message and key.
var ErrSignature = errors.New("signature does not verify")

// Verify returns nil if sig is a signature of msg by the owner of the key (SPEC, section
// 10.3). Every error means that it is not, and says which check fails.
func (k *PublicKey) Verify(msg, sig []byte) error {
	s, err := ParseSignature(k.p, sig)
	if err != nil {
		return err
	}
	switch k.p.Lambda {
	case 128:
		err = verify[field.GF128](k, msg, s)
	case 192:
		err = verify[field.GF192](k, msg, s)
	default:
		err = verify[field.GF256](k, msg, s)
	}
	if err != nil {
		return fmt.Errorf("sdith %s: %w: %w", k.p.Name, ErrSignature, err)
	}
	return nil
}

func verify[E field.Element[E]](k *PublicKey, msg []byte, s *Signature) error {
	c, x := k.p.NewCipher(), k.p.NewXOF()
	istar, err := s.challenge(x)
	if err != nil {
		return err
	}
	leaves := s.reopen(c, x, istar)
	leaves.correct(istar, s.Correction)
	return verifyLines[E](k, msg, s, c, x, istar, leaves)
}

// challenge returns the hidden positions, if proof of work and path are what they have
// to be (SPEC, section 10.3, step 2). Step 1 is ParseSignature's.
func (s *Signature) challenge(x xof.State) (istar []int, err error) {
	p := s.Params
	d := make([]byte, p.PoWSize())
	p.PoW(x, d, s.HPIOP, s.Counter)
	istar, err = p.Challenge(d)
	if err != nil {
		return nil, fmt.Errorf("ctr: %d is no proof of work for h_piop: %w", s.Counter, err)
	}
	used := len(Revealed(p.HiddenNodes(istar))) * p.SeedSize()
	for i, b := range s.Path[used:] {
		if b != 0 {
			return nil, fmt.Errorf("path: byte %d is not zero, but only the first %d are of revealed seeds", used+i, used)
		}
	}
	return istar, nil
}

// reopen makes of all leaves but the hidden ones what a signer makes of all leaves
// (SPEC, section 10.3, step 4).
func (s *Signature) reopen(c *Cipher, x xof.State, istar []int) vole {
	p := s.Params
	nodes := p.HiddenNodes(istar)
	hidden := p.hiddenAncestors(nodes)
	t := newTree(p, s.Salt)
	for i, node := range Revealed(nodes) {
		copy(t.seed(node), s.Path[i*p.SeedSize():])
	}
	t.grow(c, hidden)
	return t.expandLeaves(c, x, hidden, s.HiddenCom)
}

// correct makes the rows of Q of those that lack the hidden leaves (SPEC, section 10.3,
// step 5). If bit j of gray(istar_e) is 0, row Bas_{e,j} is Q_{e,j}. If it is 1, Q_{e,j} is
// C_e and the sum of all leaves that are in A_e but not in Bas_{e,j}.
func (v *vole) correct(istar []int, corr []byte) {
	kappa := len(v.base) / len(v.acc)
	for e, i := range istar {
		complement := v.acc[e]
		if e > 0 {
			subtle.XORBytes(complement, complement, corr[(e-1)*len(complement):])
		}
		for j, row := range v.base[e*kappa : (e+1)*kappa] {
			if Gray(i)>>j&1 == 1 {
				subtle.XORBytes(row, row, complement)
			}
		}
	}
}

// verifyLines is the rest of the verification (SPEC, section 10.3, steps 3 and 6 to 10).
func verifyLines[E field.Element[E]](k *PublicKey, msg []byte, s *Signature, c *Cipher, x xof.State, istar []int, leaves vole) error {
	p, a := k.p, algebra[E]{k.p, new(uint64)}
	one := field.Bit[E](1)
	delta1 := one.Load(p.delta1(istar))
	delta := delta1.Inverse()
	q := a.lines(leaves.base)

	// Step 6.
	hAux := p.HashAux(x, leaves.hCom, s.Correction)
	aBase := a.baseResponse(p.ExpandM(x, hAux), q)
	for i := range aBase {
		if bit(s.APlain, i) == 1 {
			aBase[i] = aBase[i].Add(delta1)
		}
	}

	// Step 7.
	hLines := p.HashLines(x, hAux, s.APlain, field.Bytes(aBase...), s.DWit)
	if hPIOP := p.HashPIOP(x, k.seedPK, hLines, s.Alpha, msg); !bytes.Equal(hPIOP, s.HPIOP) {
		return errors.New("h_piop is not what key, message and signature hash to")
	}

	// Step 8.
	control := make([]E, p.WitnessBits())
	for i := range control {
		control[i] = a.mul(delta, q[p.WitnessAt()+i])
		if bit(s.DWit, i) == 1 {
			control[i] = control[i].Add(one)
		}
	}
	qs := a.maskSums(q)
	p0 := qs[0].Add(a.mul(delta1, qs[1].Add(a.mul(delta1, qs[2]))))
	for range levels - 1 {
		p0 = a.mul(delta, p0)
	}

	// Steps 9 and 10.
	gamma, gammaPrime := a.challenge(x, hLines)
	g, ybar := a.batch(gamma, NewStream(c, k.seedPK), k.y)
	var sum E
	for _, alpha := range slices.Backward(field.Parse[E](s.Alpha)) {
		sum = a.mul(delta, sum).Add(alpha)
	}
	if a.mul(delta, sum.Add(p0)) != a.evaluate(g, ybar, gammaPrime, control) {
		return errors.New("alpha is not what a witness of the key makes of the challenge")
	}
	return nil
}
