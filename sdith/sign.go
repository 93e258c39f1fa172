package sdith

import (
	"crypto/subtle"

	"socsim/pqc/xof"
	"socsim/sdith/field"
)

// Sign signs msg (SPEC, sections 7 to 10). entropy is salt ‖ root_seed, 2B random bytes
// that no other signature has. It returns an error if the secret key's witness does not
// belong to its public key.
func (k *SecretKey) Sign(msg, entropy []byte) ([]byte, error) {
	if len(entropy) != 2*k.p.SeedSize() {
		return nil, k.p.errorf("entropy of %d bytes for a signature, want %d", len(entropy), 2*k.p.SeedSize())
	}
	switch k.p.Lambda {
	case 128:
		return newSigning[field.GF128](k, msg, entropy).sign()
	case 192:
		return newSigning[field.GF192](k, msg, entropy).sign()
	default:
		return newSigning[field.GF256](k, msg, entropy).sign()
	}
}

// signing is a signature in the making, with all that goes into it and comes up on the
// way. Its methods are the steps, to be called in the order they stand here.
type signing[E field.Element[E]] struct {
	p          *Params
	key        *SecretKey
	msg        []byte
	salt, root []byte

	c *Cipher
	x xof.State
	a algebra[E]

	// After expand.
	tree *tree
	vole vole
	corr []byte
	v    []E

	// After respond.
	hAux, m []byte
	aPlain  []byte
	aBase   []E

	// After prove.
	dwit, hLines      []byte
	gamma, gammaPrime []E
	g                 []E
	ybar              E
	mask              [4]E
	sum               poly[E]
	alpha             []E
	hPIOP             []byte

	// After open.
	counter         uint32
	istar           []int
	path, hiddenCom []byte
}

func newSigning[E field.Element[E]](k *SecretKey, msg, entropy []byte) *signing[E] {
	p := k.p
	return &signing[E]{
		p: p, key: k, msg: msg, salt: entropy[:p.SeedSize()], root: entropy[p.SeedSize():],
		c: p.NewCipher(), x: p.NewXOF(), a: algebra[E]{p, new(uint64)},
	}
}

func (s *signing[E]) sign() ([]byte, error) {
	s.expand()
	s.respond()
	s.prove()
	if err := s.checkWitness(); err != nil {
		return nil, err
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s.signature().Bytes(), nil
}

// expand makes the tree and the VOLE (SPEC, sections 7 and 8).
func (s *signing[E]) expand() {
	s.tree = newTree(s.p, s.salt)
	copy(s.tree.seed(1), s.root)
	s.tree.grow(s.c, nil)
	s.vole = s.tree.expandLeaves(s.c, s.x, nil, nil)
	s.corr = s.vole.corrections()
	s.v = s.a.lines(s.vole.base)
}

// u returns the bits that V belongs to (SPEC, section 8).
func (s *signing[E]) u() []byte { return s.vole.acc[0] }

// respond makes the consistency response (SPEC, section 8).
func (s *signing[E]) respond() {
	s.hAux = s.p.HashAux(s.x, s.vole.hCom, s.corr)
	s.m = s.p.ExpandM(s.x, s.hAux)
	s.aPlain = s.p.plainResponse(s.m, s.u())
	s.aBase = s.a.baseResponse(s.m, s.v)
}

// prove makes the polynomials (SPEC, section 9).
func (s *signing[E]) prove() {
	s.dwit = s.p.maskWitness(s.key.wit, s.u())
	s.hLines = s.p.HashLines(s.x, s.hAux, s.aPlain, field.Bytes(s.aBase...), s.dwit)
	s.gamma, s.gammaPrime = s.a.challenge(s.x, s.hLines)
	s.g, s.ybar = s.a.batch(s.gamma, NewStream(s.c, s.key.seedPK), s.key.y)
	s.sum = s.a.prove(s.g, s.ybar, s.gammaPrime, s.key.wit, s.v)
	s.mask = s.a.mask(s.u(), s.v)
	for i, c := range s.mask {
		s.alpha = append(s.alpha, c.Add(s.sum[i+1]))
	}
	s.hPIOP = s.p.HashPIOP(s.x, s.key.seedPK, s.hLines, field.Bytes(s.alpha...), s.msg)
}

// checkWitness returns an error if the witness does not belong to the public key: S
// would have a constant term, which no signature has room for.
func (s *signing[E]) checkWitness() error {
	var zero E
	if s.sum[0] != zero {
		return s.p.errorf("secret key: wit is no witness for seed_pk and y")
	}
	return nil
}

// open makes the proof of work and opens what it challenges to (SPEC, sections 10.1 and
// 10.2).
func (s *signing[E]) open() (err error) {
	s.counter, s.istar, err = s.p.proofOfWork(s.x, s.hPIOP)
	if err != nil {
		return err
	}
	hidden := s.p.HiddenNodes(s.istar)
	s.path = make([]byte, s.p.Open*s.p.SeedSize())
	for i, x := range Revealed(hidden) {
		copy(s.path[i*s.p.SeedSize():], s.tree.seed(x))
	}
	size := s.p.HashSize()
	s.hiddenCom = make([]byte, s.p.Tau*size)
	for i, x := range hidden {
		at := (len(hidden) - 1 - i) * size // hidden decreases, hcom_hidden increases
		s.tree.commit(s.c, s.hiddenCom[at:at+size], x)
	}
	return nil
}

func (s *signing[E]) signature() *Signature {
	return &Signature{s.p, s.salt, s.path, s.hiddenCom, s.corr, s.aPlain, s.dwit, field.Bytes(s.alpha...), s.hPIOP, s.counter}
}

// maskWitness returns dwit (SPEC, section 9): the n_in bits of wit under those of u from
// z0 on.
func (p *Params) maskWitness(wit, u []byte) []byte {
	dwit := make([]byte, p.witnessSize())
	subtle.XORBytes(dwit, wit, u[p.WitnessAt()/8:])
	if used := p.WitnessBits() % 8; used != 0 {
		dwit[len(dwit)-1] &= 1<<used - 1
	}
	return dwit
}
