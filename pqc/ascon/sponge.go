package ascon

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Rate is the number of message bytes a permutation takes in: one word, in every
// hash of both documents.
const Rate = 8

// Spec describes a hash or XOF over Ascon-p: X of v1.2 (section 2.5, Algorithm 2)
// or one of SP 800-232, section 5.
type Spec struct {
	Name string

	// IV is x0 before the initial permutation; the other words are zero.
	IV uint64

	// BigEndian says that the first byte of a word is its most significant one, as
	// in v1.2 (section 2.3). SP 800-232 has it the other way round.
	BigEndian bool

	// A is the number of rounds of p^a: the initial permutation, and the one after
	// the padded block.
	A int

	// B is the number of rounds of p^b: between message blocks, and between output
	// blocks.
	B int
}

// The XOFs and hashes. Each hash is here as an XOF: its document cuts it off after
// 32 bytes, and only its initial value tells it from the XOF of that document.
var (
	Xof  = Spec{Name: "Ascon-Xof", IV: 0x00400c0000000000, BigEndian: true, A: 12, B: 12}
	Xofa = Spec{Name: "Ascon-Xofa", IV: 0x00400c0400000000, BigEndian: true, A: 12, B: 8}
	Hash = Spec{Name: "Ascon-Hash", IV: 0x00400c0000000100, BigEndian: true, A: 12, B: 12}

	XOF128  = Spec{Name: "Ascon-XOF128", IV: 0x0000080000cc0003, A: 12, B: 12}
	Hash256 = Spec{Name: "Ascon-Hash256", IV: 0x0000080100cc0002, A: 12, B: 12}
)

// Check returns an error that says what is wrong with the description.
func (s Spec) Check() error {
	for _, rounds := range []int{s.A, s.B} {
		if rounds < 0 || rounds > MaxRounds {
			return fmt.Errorf("sponge %s: %d rounds, want 0 to %d", s.Name, rounds, MaxRounds)
		}
	}
	return nil
}

// Start returns the state in which a message starts, after the initial
// permutation. It is the same for every message, so that a program or a circuit
// can keep it as a constant and permutes once less per message.
func (s Spec) Start() [5]uint64 {
	x := [5]uint64{s.IV}
	Permute(&x, s.A)
	return x
}

// Suffix returns the byte that follows the message. The padding is a one and zeros
// up to the rate, and the one goes into that bit of the byte that comes first.
func (s Spec) Suffix() byte {
	if s.BigEndian {
		return 0x80
	}
	return 0x01
}

// Sponge is the computation of a Spec taken apart: any number of Absorb calls, then
// any number of Squeeze calls. It permutes when a block is full, when the message
// ends, and when output beyond the current block is wanted. With the initial
// permutation n bytes in and m out cost 1 + n/8 + max(1, ⌈m/8⌉) permutations.
//
// The initial permutation is counted, as a plain implementation makes it for every
// message; this one computes it once, in New. Not counted, because not made, is
// the one that Algorithm 2 of v1.2 has after the last output block, of which
// nothing is ever seen.
//
// Make one with [New]. Nothing of it allocates.
type Sponge struct {
	x            [5]uint64
	pos          int // bytes of the current block that are filled, or handed out
	squeezing    bool
	uncounted    uint64 // initial permutations to be counted yet: 1 until the message's next one
	start        [5]uint64
	spec         Spec
	permutations uint64
	initial      uint64 // of these
}

// New returns a sponge with an open, empty message. A Spec that does not pass
// its Check is a bug of the caller.
func New(spec Spec) *Sponge {
	if err := spec.Check(); err != nil {
		panic("BUG: " + err.Error())
	}
	s := &Sponge{spec: spec, start: spec.Start()}
	s.Reset()
	return s
}

// Spec returns what the sponge was made from.
func (s *Sponge) Spec() Spec { return s.spec }

// Permutations counts the permutations since New; Reset does not clear it. The
// initial permutation comes into the count together with the next one, so that it
// makes no difference whether a new sponge is reset before it is used.
func (s *Sponge) Permutations() uint64 { return s.permutations }

// Initial returns how many of the permutations counted are initial ones.
func (s *Sponge) Initial() uint64 { return s.initial }

// Reset drops everything and starts a new message.
func (s *Sponge) Reset() {
	s.x = s.start
	s.pos = 0
	s.squeezing = false
	s.uncounted = 1
}

// Absorb appends p to the message. Absorbing after Squeeze is a bug of the
// caller: the message is over.
func (s *Sponge) Absorb(p []byte) {
	if s.squeezing {
		panic("BUG: " + s.spec.Name + ": Absorb after Squeeze without Reset")
	}
	for len(p) > 0 {
		n := 1
		if s.pos == 0 && len(p) >= Rate {
			n = Rate
			s.x[0] ^= s.swap(binary.LittleEndian.Uint64(p))
		} else {
			s.x[0] ^= s.swap(uint64(p[0]) << (8 * s.pos))
		}
		s.pos += n
		p = p[n:]
		if s.pos == Rate {
			s.permute(s.spec.B)
		}
	}
}

// Squeeze fills p with the next bytes of output. The first call ends the
// message, even when p is empty.
func (s *Sponge) Squeeze(p []byte) {
	if !s.squeezing {
		s.x[0] ^= s.swap(uint64(s.spec.Suffix()) << (8 * s.pos))
		s.permute(s.spec.A)
		s.squeezing = true
	}
	for len(p) > 0 {
		if s.pos == Rate {
			s.permute(s.spec.B)
		}
		n := 1
		if s.pos == 0 && len(p) >= Rate {
			n = Rate
			binary.LittleEndian.PutUint64(p, s.swap(s.x[0]))
		} else {
			p[0] = byte(s.swap(s.x[0]) >> (8 * s.pos))
		}
		s.pos += n
		p = p[n:]
	}
}

// swap makes a word of the state of 8 bytes read little endian, and the other way
// round.
func (s *Sponge) swap(word uint64) uint64 {
	if s.spec.BigEndian {
		return bits.ReverseBytes64(word)
	}
	return word
}

// permute turns the current block over and starts the next.
func (s *Sponge) permute(rounds int) {
	Permute(&s.x, rounds)
	s.permutations += 1 + s.uncounted
	s.initial += s.uncounted
	s.uncounted = 0
	s.pos = 0
}
