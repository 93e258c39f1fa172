package slhdsa

// The hash functions of FIPS 205, section 11.1, over the XOF of the scheme in
// the place of SHAKE256. PK.seed, an argument of nearly all of them there,
// stands at the head of s.block during an operation.

// setSeeds makes the seeds of an operation known: skSeed is nil to verify.
func (s *Scheme) setSeeds(pkSeed, skSeed []byte) {
	copy(s.block[:], pkSeed)
	s.skSeed = skSeed
}

// hMsg is H_msg(R, PK.seed, PK.root, M): the digest has m bytes.
func (s *Scheme) hMsg(digest, r, pkRoot, m []byte) {
	s.xof.Reset()
	s.xof.Absorb(r)
	s.xof.Absorb(s.block[:s.N])
	s.xof.Absorb(pkRoot)
	s.xof.Absorb(m)
	s.xof.Squeeze(digest)
}

// prfMsg is PRF_msg(SK.prf, opt_rand, M).
func (s *Scheme) prfMsg(r, skPrf, optRand, m []byte) {
	s.xof.Reset()
	s.xof.Absorb(skPrf)
	s.xof.Absorb(optRand)
	s.xof.Absorb(m)
	s.xof.Squeeze(r)
}

// prf is PRF(PK.seed, SK.seed, ADRS).
func (s *Scheme) prf(out []byte, adrs *address) { s.tweak(out, adrs, s.skSeed, nil) }

// f is F(PK.seed, ADRS, M₁).
func (s *Scheme) f(out []byte, adrs *address, m1 []byte) { s.tweak(out, adrs, m1, nil) }

// h is H(PK.seed, ADRS, M₂) with M₂ = left ‖ right.
func (s *Scheme) h(out []byte, adrs *address, left, right []byte) { s.tweak(out, adrs, left, right) }

// t is T_ℓ(PK.seed, ADRS, M_ℓ), for ℓ = len and ℓ = k.
func (s *Scheme) t(out []byte, adrs *address, m []byte) { s.tweak(out, adrs, m, nil) }

// tweak writes the first n bytes of XOF(PK.seed ‖ ADRS ‖ m ‖ m2) to out, which
// may overlap them. Everything is copied, so that no argument has to live on
// the heap because of the interface behind s.xof.
func (s *Scheme) tweak(out []byte, adrs *address, m, m2 []byte) {
	end := s.N + copy(s.block[s.N:], adrs[:])
	end += copy(s.block[end:], m)
	end += copy(s.block[end:], m2)
	s.xof.Reset()
	s.xof.Absorb(s.block[:end])
	s.xof.Squeeze(s.digest[:s.N])
	copy(out, s.digest[:s.N])
}
