package accel

import (
	"fmt"
	"math/bits"

	"socsim/bus"
	"socsim/clock"
	"socsim/rv32"
)

// Encodings of the instructions: custom-0, whose other values of funct3 are not
// this unit's.
const (
	custom0 = 0x0b

	absorbMatch = 0<<12 | custom0 // absorb rs1, imm
	permMatch   = 1<<12 | custom0 // kperm imm
	asconMatch  = 3<<12 | custom0 // asconp imm

	absorbMask = 0x0000_7fff // rd = x0; the immediate comes on top
	permMask   = 0x000f_ffff // rd = rs1 = x0
	immShift   = 20
	immValues  = 1 << 12

	// Fields of asconp's immediate.
	asconConstant  = 0xff
	asconRounds    = 8 // shift; the field is the number less one
	asconRoundsMax = 7
	asconBigEndian = 1 << 11
)

// Constants of the last round of Ascon-p; from one round to the next the constant
// goes down by asconStep (v1.2, table 4).
const (
	asconLast = 0x4b
	asconStep = 0x0f
)

// RegisterUnit is a permutation unit in the core's execute stage. It has no state
// of its own: that is in registers of the core, and instructions work on it. The
// package comment has its semantics. New is the only way to make one.
type RegisterUnit struct {
	core
	config    Config
	rounds    int     // of the full permutation
	registers []uint8 // of each word of the state, numbered as in rv32.Decoded

	began   clock.Cycle // of the permutation at hand
	partial bool        // rounds of it are still to come
}

// newRegisterUnit makes a unit over Keccak or Ascon, which it tells by the lanes.
func newRegisterUnit(c Config) *RegisterUnit {
	u := &RegisterUnit{config: c.WithDefaults(), rounds: c.XOF.rounds()}
	u.xof = c.XOF
	if u.overAscon() {
		u.registers = registers(12, 17, 28, 31) // a2-a7, t3-t6
	} else {
		u.registers = registers(rv32.FReg, rv32.FReg+31, 10, 27) // f0-f31, a0-a7, s2-s11
	}
	return u
}

// registers returns those from a to b and from c to d.
func registers(a, b, c, d uint8) (list []uint8) {
	for ; a <= b; a++ {
		list = append(list, a)
	}
	for ; c <= d; c++ {
		list = append(list, c)
	}
	return list
}

func (u *RegisterUnit) overAscon() bool { return u.xof.Lanes == 5 }

// Target returns none.
func (u *RegisterUnit) Target() bus.Target { return nil }

// DMA returns none.
func (u *RegisterUnit) DMA() *DMAEngine { return nil }

// Connect does nothing: there is no interrupt.
func (u *RegisterUnit) Connect(bus.Line) {}

// Config returns what was built, defaults written out.
func (u *RegisterUnit) Config() Config { return u.config }

// Statistics returns what the unit did in the cycles before at. It sees no message
// begin or end and no output word, and of input words only those that the absorb
// instruction takes: Messages and WordsOut stay 0, and WordsIn without that
// instruction, too. A permutation counts with its last round.
func (u *RegisterUnit) Statistics(at clock.Cycle) Statistics { return u.statistics(at) }

// Instructions returns what the unit adds to the core: a permute instruction, over
// Keccak those that reach the f registers, and for coupling regx absorb.
func (u *RegisterUnit) Instructions() []rv32.Instr {
	permute := u.instruction("kperm", permMatch, permMask, "imm", u.kperm, u.registers)
	if u.overAscon() {
		permute = u.instruction("asconp", asconMatch, permMask, "uimm", u.asconp, u.registers)
	}
	list := []rv32.Instr{permute}
	if !u.overAscon() {
		list = append(list, rv32.Float...)
	}
	if u.config.Coupling == RegX {
		list = append(list, u.absorbs()...)
	}
	return list
}

// absorbs returns absorb as one entry for each word of the state, because an entry
// says which registers it uses, and others for what is beyond the state.
func (u *RegisterUnit) absorbs() (list []rv32.Instr) {
	entry := func(index, size int, uses []uint8) {
		match, mask := uint32(index)<<immShift|absorbMatch, uint32(immValues-size)<<immShift|absorbMask
		list = append(list, u.instruction("absorb", match, mask, "rs1,imm", u.absorb, uses))
	}
	for i := range u.registers {
		entry(i, 1, u.registers[i:i+1])
	}
	for index := len(u.registers); index < immValues; { // in aligned ranges, which a mask can tell
		size := index & -index
		entry(index, size, nil)
		index += size
	}
	return list
}

// instruction returns a table entry.
func (u *RegisterUnit) instruction(name string, match, mask uint32, text string,
	execute func(*rv32.State, rv32.Decoded, clock.Cycle) rv32.Outcome, uses []uint8) rv32.Instr {
	return rv32.Instr{
		Name: name, Match: match, Mask: mask, Format: rv32.FormatI, Text: text, Cost: rv32.CostCustom, Op: rv32.CUSTOM,
		Custom: &rv32.Custom{Execute: execute, Uses: set(uses)},
	}
}

// set returns registers as a set.
func set(list []uint8) (s rv32.RegSet) {
	for _, r := range list {
		if r >= rv32.FReg {
			r -= rv32.FReg - 32
		}
		s |= 1 << r
	}
	return s
}

// get returns word i of the state, bytes in memory order.
func (u *RegisterUnit) get(s *rv32.State, i int) uint32 {
	if r := u.registers[i]; r >= rv32.FReg {
		return s.F(r - rv32.FReg)
	}
	return s.X(u.registers[i])
}

func (u *RegisterUnit) put(s *rv32.State, i int, v uint32) {
	if r := u.registers[i]; r >= rv32.FReg {
		s.SetF(r-rv32.FReg, v)
		return
	}
	s.SetX(u.registers[i], v)
}

// absorb XORs rs1 into a word of the state.
func (u *RegisterUnit) absorb(s *rv32.State, in rv32.Decoded, at clock.Cycle) rv32.Outcome {
	index := int(in.Imm) & (immValues - 1)
	if index >= len(u.registers) {
		return misused(fmt.Sprintf("absorb into word %d: the state of %s has %d words", index, u.xof.Name, len(u.registers)),
			fmt.Sprintf("use words 0 to %d", len(u.registers)-1))
	}
	u.put(s, index, u.get(s, index)^s.X(in.Rs1))
	u.stats.WordsIn++
	u.report(Step{Kind: Absorbed, At: at})
	return rv32.Outcome{Last: at, Role: bus.RoleIn}
}

// kperm makes the last rounds of Keccak-p.
func (u *RegisterUnit) kperm(s *rv32.State, in rv32.Decoded, at clock.Cycle) rv32.Outcome {
	rounds := int(in.Imm)
	if rounds < 1 || rounds > u.rounds {
		return misused(fmt.Sprintf("kperm of %d rounds: the permutation of %s has %d", rounds, u.xof.Name, u.rounds),
			fmt.Sprintf("use 1 to %d rounds", u.rounds))
	}
	u.fetch(s, false)
	u.xof.Permute(&u.state, rounds)
	u.store(s, false)
	return u.occupy(at, u.config.Permutation(rounds), rounds, true)
}

// asconp makes rounds of Ascon-p, from that with the constant in the instruction on.
func (u *RegisterUnit) asconp(s *rv32.State, in rv32.Decoded, at clock.Cycle) rv32.Outcome {
	constant, rounds := uint64(in.Imm&asconConstant), int(in.Imm>>asconRounds&asconRoundsMax)+1
	left := int(constant-asconLast)/asconStep + 1 // rounds from that constant to the last one
	switch {
	case constant < asconLast || (constant-asconLast)%asconStep != 0 || left > u.rounds:
		return misused(fmt.Sprintf("asconp from round constant 0x%02x, which no round of %s has", constant, u.xof.Name),
			fmt.Sprintf("the first of n rounds that end the permutation has 0x%02x + (n-1) * 0x%02x, n being 1 to %d", asconLast, asconStep, u.rounds))
	case rounds > left:
		return misused(fmt.Sprintf("asconp of %d rounds from round constant 0x%02x: there are %d from there to the last round", rounds, constant, left),
			"begin earlier, or make fewer rounds")
	}
	big := in.Imm&asconBigEndian != 0
	u.fetch(s, big)
	for range rounds {
		// A round begins by adding its constant to x2: so the last one becomes any
		// other, and the permutation needs no other form here.
		u.state[2] ^= constant ^ asconLast
		u.xof.Permute(&u.state, 1)
		constant -= asconStep
	}
	u.store(s, big)
	cycles := u.config.CyclesPerRound.Times(rounds)
	if rounds == left {
		cycles += u.config.Startup
	}
	return u.occupy(at, cycles, rounds, rounds == left)
}

// fetch reads the state from the registers. Words are message bytes in memory order;
// with big the first byte of a lane is its most significant one.
func (u *RegisterUnit) fetch(s *rv32.State, big bool) {
	for i := range u.xof.Lanes {
		first, second := u.get(s, 2*i), u.get(s, 2*i+1)
		if big {
			first, second = bits.ReverseBytes32(second), bits.ReverseBytes32(first)
		}
		u.state[i] = uint64(second)<<32 | uint64(first)
	}
}

// store writes it back.
func (u *RegisterUnit) store(s *rv32.State, big bool) {
	for i := range u.xof.Lanes {
		first, second := uint32(u.state[i]), uint32(u.state[i]>>32)
		if big {
			first, second = bits.ReverseBytes32(second), bits.ReverseBytes32(first)
		}
		u.put(s, 2*i, first)
		u.put(s, 2*i+1, second)
	}
}

// occupy keeps a permute instruction in EX from cycle at on, one cycle at least even
// if rounds take no time. All of that is withheld. With last it makes the last
// rounds of a permutation.
func (u *RegisterUnit) occupy(at, cycles clock.Cycle, rounds int, last bool) rv32.Outcome {
	u.permFrom, u.permTo = at, at+cycles
	u.stats.BusyCycles += cycles
	u.stats.Rounds += uint64(rounds)
	if !u.partial {
		u.began = at
	}
	if u.partial = !last; last {
		u.stats.Permutations++
		u.report(Step{Kind: Permuted, At: u.began, To: u.permTo})
	}
	to := at + max(cycles, 1)
	u.stats.Withheld[bus.Permuting] += to - at
	return rv32.Outcome{Last: to - 1, HeldFrom: at, HeldTo: to, Cause: bus.Permuting}
}

// misused ends the run at an instruction that makes no sense.
func misused(what, hint string) rv32.Outcome {
	return rv32.Outcome{Fault: &bus.Fault{Kind: bus.DeviceError, What: what, Hint: hint}}
}
