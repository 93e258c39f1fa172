package accel

import (
	"fmt"
	"slices"
	"strings"

	"socsim/pqc/ascon"
	"socsim/pqc/keccak"
)

// State is the state of a permutation as 64-bit lanes. Permutations of fewer
// lanes use the first ones: Ascon-p, whose words x0 to x4 are lanes 0 to 4.
type State [25]uint64

// XOF is a hash that a unit can be built for: a permutation, and the sponges
// over it that the MODE register chooses from. Everything a coupling needs to
// know of a hash is here, so one more hash is one more value.
type XOF struct {
	Name   string // as in the names of accelerators
	Number uint8  // as in the ID register, the SoC-info device and the firmware's record
	Text   string // what it is, in a few words

	Modes []Mode // the sponges, by value of the MODE register
	Reset uint32 // value of the MODE register out of reset

	// BigEndian says that the first byte of a lane is its most significant one.
	// The unit swaps, so that words are bytes in memory order everywhere.
	BigEndian bool

	// Lanes is the size of the state. A permutation over lanes of 32 bits has two of
	// them in each.
	Lanes int

	// Permute applies that many rounds, the last ones of the full permutation.
	Permute func(s *State, rounds int)
}

// Check returns an error that says which value of a hash makes no sense.
func (x *XOF) Check() error {
	wrong := func(format string, a ...any) error {
		return fmt.Errorf("hash %q: "+format, append([]any{x.Name}, a...)...)
	}
	other := slices.IndexFunc(XOFs, func(o *XOF) bool { return o != x && (o.Number == x.Number || o.Name == x.Name) })
	switch {
	case x.Name == "":
		return wrong("it needs a Name")
	case x.Number == 0:
		return wrong("its Number is 0, which stands for none")
	case other >= 0:
		return wrong("name or Number %d is that of %s, as which firmware would use it; from %d on numbers are free", x.Number, XOFs[other].Name, len(XOFs)+1)
	case x.Lanes < 1 || x.Lanes > len(State{}):
		return wrong("%d Lanes of state: there must be 1 to %d", x.Lanes, len(State{}))
	case x.Permute == nil:
		return wrong("it has no Permute")
	case x.Reset >= uint32(len(x.Modes)):
		return wrong("MODE is %d out of reset, but there are %d Modes", x.Reset, len(x.Modes))
	}
	for i, m := range x.Modes {
		switch r := m.Rounds; {
		case m.Rate < wordBytes || m.Rate%wordBytes != 0 || m.Rate > 2*wordBytes*x.Lanes:
			return wrong("Modes[%d] has a Rate of %d bytes: it must be whole words of %d bytes of a state of %d", i, m.Rate, wordBytes, 2*wordBytes*x.Lanes)
		case len(m.Start) > x.Lanes:
			return wrong("Modes[%d] has a Start of %d lanes, the state has %d", i, len(m.Start), x.Lanes)
		case min(r.Block, r.Last, r.Squeeze) < 1:
			return wrong("Modes[%d] has Rounds %+v: each must be at least 1", i, r)
		}
	}
	return nil
}

// Mode is one sponge.
type Mode struct {
	Name   string
	Rate   int      // bytes a block, a multiple of 4
	Suffix byte     // XORed in behind the last message byte
	Final  byte     // XORed into the last byte of the rate
	Start  []uint64 // state at the start of a message, zero where it is short
	Rounds Rounds

	// Stored is the number of permutations at the start of every message that
	// the unit does not run, because it holds their result, which is the same
	// for every message: that is Start. The host reference counts them.
	Stored uint64
}

// Counted returns how many permutations the host reference counts for so many
// messages, if a unit ran so many: those whose result the unit holds come on top.
func (x *XOF) Counted(permutations, messages uint64) uint64 {
	return permutations + messages*x.Modes[x.Reset].Stored
}

// Rounds are the rounds of a sponge's permutations, by where they stand.
type Rounds struct {
	Block   int // after a full message block
	Last    int // after the padded block
	Squeeze int // between output blocks
}

// always is the same number of rounds everywhere.
func always(rounds int) Rounds { return Rounds{rounds, rounds, rounds} }

// The hashes. SHAKE12, over the last 12 rounds, computes
// TurboSHAKE128 and TurboSHAKE256 of RFC 9861 with D = 1F in modes 0 and 1; its
// other two modes are our own. An Ascon unit has one sponge: all of its modes
// are that one, so that a program written for the four of SHAKE runs on it, but
// its hashes are not told apart from its XOFs. That, too, is our own.
var (
	SHAKE = &XOF{Name: "shake", Number: 1, Text: "Keccak-p[1600,24]: SHAKE128, SHAKE256, SHA3-256, SHA3-512",
		Modes: keccakModes(keccak.SHAKE128, keccak.SHAKE256, keccak.SHA3_256, keccak.SHA3_512), Reset: 1, Lanes: 25, Permute: permuteKeccak}
	SHAKE12 = &XOF{Name: "shake12", Number: 2, Text: "Keccak-p[1600,12]: the same sponges over the last 12 rounds",
		Modes: keccakModes(keccak.SHAKE128x12, keccak.SHAKE256x12, keccak.SHA3_256x12, keccak.SHA3_512x12), Reset: 1, Lanes: 25, Permute: permuteKeccak}
	Ascon    = asconXOF("ascon", 3, "Ascon-Xof v1.2: 12 rounds", ascon.Xof)
	Ascon8   = asconXOF("ascon8", 4, "Ascon-Xofa v1.2: 12 rounds at both ends, 8 between blocks", ascon.Xofa)
	Ascon128 = asconXOF("ascon128", 5, "Ascon-XOF128 of NIST SP 800-232: 12 rounds", ascon.XOF128)
)

// XOFs lists all hashes that have a name, by number.
var XOFs = []*XOF{SHAKE, SHAKE12, Ascon, Ascon8, Ascon128}

func permuteKeccak(s *State, rounds int) { keccak.Permute((*[25]uint64)(s), rounds) }

// keccakModes returns the modes of a Keccak unit. The padding pad10*1
// (FIPS 202, section 5.1) begins in the suffix and ends in the last bit of the
// rate.
func keccakModes(specs ...keccak.Spec) []Mode {
	const finalBit = 0x80
	var modes []Mode
	for _, s := range specs {
		modes = append(modes, Mode{Name: s.Name, Rate: s.Rate, Suffix: s.Suffix, Final: finalBit, Rounds: always(s.Rounds)})
	}
	return modes
}

func permuteAscon(s *State, rounds int) { ascon.Permute((*[5]uint64)(s[:5]), rounds) }

// asconXOF returns a hash over Ascon-p (v1.2, Algorithm 2; SP 800-232, section
// 5). A unit holds the state after the initial permutation, as both
// documents allow. The padding is a one, which is the suffix, and zeros.
func asconXOF(name string, number uint8, text string, s ascon.Spec) *XOF {
	start := s.Start()
	m := Mode{
		Name: s.Name, Rate: ascon.Rate, Suffix: s.Suffix(), Start: start[:], Stored: 1,
		Rounds: Rounds{Block: s.B, Last: s.A, Squeeze: s.B},
	}
	return &XOF{Name: name, Number: number, Text: text, Modes: slices.Repeat([]Mode{m}, len(SHAKE.Modes)), Reset: SHAKE.Reset,
		BigEndian: s.BigEndian, Lanes: 5, Permute: permuteAscon}
}

// block returns the words of the longest block of any mode.
func (x *XOF) block() int {
	longest := 0
	for _, m := range x.Modes {
		longest = max(longest, m.Rate/wordBytes)
	}
	return longest
}

// stateWords returns the size of the state in words.
func (x *XOF) stateWords() int { return 2 * x.Lanes }

// rounds returns the rounds of the full permutation: the most any mode runs.
func (x *XOF) rounds() int {
	most := 0
	for _, m := range x.Modes {
		most = max(most, m.Rounds.Block, m.Rounds.Last, m.Rounds.Squeeze)
	}
	return most
}

// modeList returns the modes for a message: 0 SHAKE128, 1 SHAKE256 and so on.
func (x *XOF) modeList() string {
	if last := len(x.Modes) - 1; last > 0 && x.Modes[0].Name == x.Modes[last].Name {
		return fmt.Sprintf("0 to %d, all of them %s", last, x.Modes[0].Name)
	}
	var s []string
	for i, m := range x.Modes {
		s = append(s, fmt.Sprintf("%d %s", i, m.Name))
	}
	return strings.Join(s, ", ")
}
