package sdith

import (
	"errors"
	"math"

	"socsim/pqc/xof"
)

// Why a proof of work is not accepted. They are values, because signing meets one for
// every attempt that fails.
var (
	errPoWBits = errors.New("the w_pow bits behind the challenge are not all zero")
	errPoWZero = errors.New("the challenge is all zero")
	errPoWOpen = errors.New("the challenge reveals more than T_open seeds")
)

// Challenge reads D, PB bytes, a proof of work (SPEC, section 10.1). It returns the
// hidden position of each repetition, or an error that says why D is not accepted.
// That depends on the number of nodes to reveal, but on no seed.
func (p *Params) Challenge(d []byte) (istar []int, err error) {
	challengeBits := p.Kappa * p.Tau
	for at := challengeBits; at < challengeBits+p.PoWBits; at++ {
		if bit(d, at) != 0 {
			return nil, errPoWBits
		}
	}
	istar = make([]int, p.Tau)
	zero := true
	for e := range istar {
		for j := range p.Kappa {
			istar[e] |= int(bit(d, e*p.Kappa+j)) << j
		}
		zero = zero && istar[e] == 0
	}
	if zero {
		return nil, errPoWZero
	}
	if len(Revealed(p.HiddenNodes(istar))) > p.Open {
		return nil, errPoWOpen
	}
	return istar, nil
}

// proofOfWork returns the first counter that is accepted (SPEC, section 10.1), and its
// challenge.
func (p *Params) proofOfWork(x xof.State, hPIOP []byte) (counter uint32, istar []int, err error) {
	d := make([]byte, p.PoWSize())
	for i := range uint64(math.MaxUint32) + 1 {
		p.PoW(x, d, hPIOP, uint32(i))
		if istar, err := p.Challenge(d); err == nil {
			return uint32(i), istar, nil
		}
	}
	return 0, nil, p.errorf("no counter makes a proof of work")
}

// delta1 returns δ₁ as bytes (SPEC, section 10.3): bit e·κ + j is bit j of gray(istar_e).
func (p *Params) delta1(istar []int) []byte {
	delta := make([]byte, p.SeedSize())
	for e, i := range istar {
		for j := range p.Kappa {
			at := e*p.Kappa + j
			delta[at/8] |= byte(Gray(i)>>j&1) << (at % 8)
		}
	}
	return delta
}
