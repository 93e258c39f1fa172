package keccak

import (
	"encoding/binary"
	"fmt"
)

// stateBytes is the width of the permutation.
const stateBytes = 200

// Spec describes a sponge over Keccak-p[1600] with the padding pad10*1
// (FIPS 202, section 4).
type Spec struct {
	Name string

	// Rate is the number of message bytes a permutation takes in, a multiple of
	// 8 below 200: every sponge in use absorbs whole lanes.
	Rate int

	// Suffix holds the domain separation bits that follow the message, least
	// significant first, and after them the first bit of the padding. Its
	// highest bit is clear, as padding goes on in it.
	Suffix byte

	// Rounds is the number of rounds of the permutation, always the last ones.
	Rounds int
}

// The sponges of FIPS 202 (section 6), as XOFs: the standard cuts SHA3-256 off
// after 32 bytes and SHA3-512 after 64.
var (
	SHAKE128 = Spec{Name: "SHAKE128", Rate: 168, Suffix: 0x1f, Rounds: 24}
	SHAKE256 = Spec{Name: "SHAKE256", Rate: 136, Suffix: 0x1f, Rounds: 24}
	SHA3_256 = Spec{Name: "SHA3-256", Rate: 136, Suffix: 0x06, Rounds: 24}
	SHA3_512 = Spec{Name: "SHA3-512", Rate: 72, Suffix: 0x06, Rounds: 24}
)

// The same sponges over the last 12 rounds. The first two are TurboSHAKE128
// and TurboSHAKE256 of RFC 9861 with D = 1F, the other two are our own.
var (
	SHAKE128x12 = SHAKE128.Reduced(12)
	SHAKE256x12 = SHAKE256.Reduced(12)
	SHA3_256x12 = SHA3_256.Reduced(12)
	SHA3_512x12 = SHA3_512.Reduced(12)
)

// Reduced returns s over the last rounds rounds of its permutation.
func (s Spec) Reduced(rounds int) Spec {
	s.Name = fmt.Sprintf("%s/%d", s.Name, rounds)
	s.Rounds = rounds
	return s
}

// Check returns an error that says what is wrong with the description.
func (s Spec) Check() error {
	switch {
	case s.Rate < 8 || s.Rate >= stateBytes || s.Rate%8 != 0:
		return fmt.Errorf("sponge %s: rate of %d bytes, want a multiple of 8 from 8 to %d", s.Name, s.Rate, stateBytes-8)
	case s.Suffix == 0 || s.Suffix > 0x7f:
		return fmt.Errorf("sponge %s: suffix %#02x, want 0x01 to 0x7f", s.Name, s.Suffix)
	case s.Rounds < 0 || s.Rounds > MaxRounds:
		return fmt.Errorf("sponge %s: %d rounds, want 0 to %d", s.Name, s.Rounds, MaxRounds)
	}
	return nil
}

// Sponge is SPONGE (FIPS 202, Algorithm 8) taken apart: any number of Absorb
// calls, then any number of Squeeze calls. It permutes when a block is full,
// when the message ends, and when output beyond the current block is wanted:
// n bytes in and m out cost n/rate + max(1, ⌈m/rate⌉) permutations.
// Make one with [New]. Nothing of it allocates.
type Sponge struct {
	a            [25]uint64
	pos          int // bytes of the current block that are filled, or handed out
	squeezing    bool
	spec         Spec
	permutations uint64
}

// New returns a sponge with an open, empty message. A Spec that does not pass
// its Check is a bug of the caller.
func New(s Spec) *Sponge {
	if err := s.Check(); err != nil {
		panic("BUG: " + err.Error())
	}
	return &Sponge{spec: s}
}

// Spec returns what the sponge was made from.
func (s *Sponge) Spec() Spec { return s.spec }

// Permutations counts the permutations since New; Reset does not clear it.
func (s *Sponge) Permutations() uint64 { return s.permutations }

// Initial returns 0: the first permutation of a message already depends on it.
func (s *Sponge) Initial() uint64 { return 0 }

// Reset drops everything and starts a new message.
func (s *Sponge) Reset() {
	s.a = [25]uint64{}
	s.pos = 0
	s.squeezing = false
}

// Absorb appends p to the message. Absorbing after Squeeze is a bug of the
// caller: the message is over.
func (s *Sponge) Absorb(p []byte) {
	if s.squeezing {
		panic("BUG: " + s.spec.Name + ": Absorb after Squeeze without Reset")
	}
	for len(p) > 0 {
		if s.pos%8 == 0 && len(p) >= 8 {
			lanes := min(len(p), s.spec.Rate-s.pos) / 8
			for i := range lanes {
				s.a[s.pos/8+i] ^= binary.LittleEndian.Uint64(p[8*i:])
			}
			s.pos += 8 * lanes
			p = p[8*lanes:]
		} else {
			s.a[s.pos/8] ^= uint64(p[0]) << (8 * (s.pos % 8))
			s.pos++
			p = p[1:]
		}
		if s.pos == s.spec.Rate {
			s.permute()
		}
	}
}

// Squeeze fills p with the next bytes of output. The first call ends the
// message, even when p is empty.
func (s *Sponge) Squeeze(p []byte) {
	if !s.squeezing {
		s.a[s.pos/8] ^= uint64(s.spec.Suffix) << (8 * (s.pos % 8))
		last := s.spec.Rate - 1
		s.a[last/8] ^= 0x80 << (8 * (last % 8))
		s.permute()
		s.squeezing = true
	}
	for len(p) > 0 {
		if s.pos == s.spec.Rate {
			s.permute()
		}
		if s.pos%8 == 0 && len(p) >= 8 {
			lanes := min(len(p), s.spec.Rate-s.pos) / 8
			for i := range lanes {
				binary.LittleEndian.PutUint64(p[8*i:], s.a[s.pos/8+i])
			}
			s.pos += 8 * lanes
			p = p[8*lanes:]
		} else {
			p[0] = byte(s.a[s.pos/8] >> (8 * (s.pos % 8)))
			s.pos++
			p = p[1:]
		}
	}
}

// permute turns the current block over and starts the next.
func (s *Sponge) permute() {
	Permute(&s.a, s.spec.Rounds)
	s.permutations++
	s.pos = 0
}
