package accel

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bus"
	"socsim/clock"
)

// Where the programs below have their words, as offsets from t0.
const (
	messageAt = 0
	outputAt  = 512
	startAt   = 768
)

// keccakFCall is the F call of the package comment: 64 bytes in memory, 16 bytes out, with
// the suffix in t2.
func keccakFCall() (p []uint32) {
	for i := range uint32(16) {
		p = append(p, flw(i, messageAt+4*int32(i), t0))
	}
	p = append(p, fmvWX(16, t2))
	for i := uint32(17); i < 32; i++ {
		p = append(p, fmvWX(i, 0))
	}
	p = append(p, addi(10, 0, 0), lui(11, 0x80000))
	for i := uint32(12); i < 28; i++ {
		p = append(p, addi(i, 0, 0))
	}
	p = append(p, kperm(24))
	for i := range uint32(4) {
		p = append(p, fsw(i, outputAt+4*int32(i), t0))
	}
	return p
}

// laterBlock absorbs the 34 words of a block of SHAKE256 that is not the first, from the
// last word down, and permutes. t5 and t2 take the words.
func laterBlock(absorbs bool) (p []uint32) {
	take := func(i int) uint32 { return []uint32{t5, t2}[i%2] }
	p = append(p, lw(take(33), messageAt+4*33, t0))
	for i := 33; i >= 0; i-- {
		if i > 0 {
			p = append(p, lw(take(i-1), messageAt+4*int32(i-1), t0))
		}
		switch {
		case absorbs:
			p = append(p, absorb(take(i), uint32(i)))
		case i >= 32:
			x := uint32(10 + i - 32)
			p = append(p, xor(x, x, take(i)))
		default:
			f := uint32(i)
			p = append(p, fmvXW(s0, f), xor(s0, s0, take(i)), fmvWX(f, s0))
		}
	}
	return append(p, kperm(24))
}

// asconFCall is the F call over Ascon: the start state and the message are in memory.
func asconFCall(x *XOF) (p []uint32) {
	state := []uint32{12, 13, 14, 15, 16, 17, 28, 29, 30, 31}
	m := x.Modes[0]
	permute := func(rounds int) {
		if rounds == 12 {
			p = append(p, asconp(0xf0, 8, x.BigEndian), asconp(0x78, 4, x.BigEndian))
		} else {
			p = append(p, asconp(0xb4, 8, x.BigEndian))
		}
	}
	for i, r := range state {
		p = append(p, lw(r, startAt+4*int32(i), t0))
	}
	for i := range int32(8) {
		p = append(p, lw(t2, messageAt+8*i, t0), lw(s0, messageAt+8*i+4, t0), xor(12, 12, t2), xor(13, 13, s0))
		permute(m.Rounds.Block)
	}
	p = append(p, xori(12, 12, int32(m.Suffix)))
	permute(m.Rounds.Last)
	p = append(p, sw(12, outputAt, t0), sw(13, outputAt+4, t0))
	permute(m.Rounds.Squeeze)
	return append(p, sw(12, outputAt+8, t0), sw(13, outputAt+12, t0))
}

// place puts the start state of a hash and the suffix where the programs expect them.
func (m *machine) place(x *XOF) {
	m.SetX(t2, uint32(x.Modes[1].Suffix))
	for i, lane := range x.Modes[1].Start {
		b := m.RAM()[data+startAt+8*i:]
		binary.LittleEndian.PutUint64(b, lane)
		if x.BigEndian {
			binary.BigEndian.PutUint64(b, lane)
		}
	}
}

// from returns n cycles, the first one at, one every step.
func from(at, n, step clock.Cycle) (list []clock.Cycle) {
	for i := range n {
		list = append(list, at+i*step)
	}
	return list
}

// The timelines of the package comment: first cycles in EX and permutations, by hand,
// and what comes out.
func TestRegisterTimelines(t *testing.T) {
	join := func(lists ...[]clock.Cycle) (all []clock.Cycle) {
		for _, l := range lists {
			all = append(all, l...)
		}
		return all
	}
	ascon12 := join(from(0, 10, 1), []clock.Cycle{
		10, 11, 12, 13, 14, 22,
		26, 27, 28, 29, 30, 38,
		42, 43, 44, 45, 46, 54,
		58, 59, 60, 61, 62, 70,
		74, 75, 76, 77, 78, 86,
		90, 91, 92, 93, 94, 102,
		106, 107, 108, 109, 110, 118,
		122, 123, 124, 125, 126, 134,
		138, 139, 147,
		151, 152, 153, 161,
		165, 166, 167,
	})
	ascon12Runs := [][2]clock.Cycle{
		{14, 25}, {30, 41}, {46, 57}, {62, 73}, {78, 89}, {94, 105}, {110, 121}, {126, 137}, {139, 150}, {153, 164},
	}
	f := join(from(0, 51, 1), from(74, 5, 1)) // 50 words and kperm, 4 words and the end
	tests := []struct {
		name    string
		config  Config
		program []uint32
		want    []clock.Cycle
		runs    [][2]clock.Cycle // permutations, with parts joined: first and last cycle
	}{
		{"F", Config{XOF: SHAKE, Coupling: Reg}, keccakFCall(), f, [][2]clock.Cycle{{50, 73}}},
		{"F", Config{XOF: SHAKE, Coupling: RegX}, keccakFCall(), f, [][2]clock.Cycle{{50, 73}}},
		{"later block", Config{XOF: SHAKE, Coupling: Reg}, laterBlock(false), append(from(0, 133, 1), 156), [][2]clock.Cycle{{132, 155}}},
		{"later block", Config{XOF: SHAKE, Coupling: RegX}, laterBlock(true), append(from(0, 69, 1), 92), [][2]clock.Cycle{{68, 91}}},
		{"F", Config{XOF: Ascon, Coupling: Reg}, asconFCall(Ascon), ascon12, ascon12Runs},
		{"F", Config{XOF: Ascon128, Coupling: RegX}, asconFCall(Ascon128), ascon12, ascon12Runs},
		{"F", Config{XOF: Ascon8, Coupling: Reg}, asconFCall(Ascon8), join(from(0, 10, 1), []clock.Cycle{
			10, 11, 12, 13, 14,
			22, 23, 24, 25, 26,
			34, 35, 36, 37, 38,
			46, 47, 48, 49, 50,
			58, 59, 60, 61, 62,
			70, 71, 72, 73, 74,
			82, 83, 84, 85, 86,
			94, 95, 96, 97, 98,
			106, 107, 115,
			119, 120, 121,
			129, 130, 131,
		}), [][2]clock.Cycle{
			{14, 21}, {26, 33}, {38, 45}, {50, 57}, {62, 69}, {74, 81}, {86, 93}, {98, 105}, {107, 118}, {121, 128},
		}},
	}
	for _, tt := range tests {
		name := tt.name + " on " + tt.config.Name()
		l := traceWith(t, tt.config, func(m *machine) { m.place(tt.config.XOF) }, tt.program)
		if d := cmp.Diff(tt.want, l.cycles); d != "" {
			t.Errorf("%s: first cycles in EX (-want +got):\n%s", name, d)
		}
		if d := cmp.Diff(tt.runs, l.runs); d != "" {
			t.Errorf("%s: permutations (-want +got):\n%s", name, d)
		}
		message := l.before[data+messageAt:]
		switch tt.name {
		case "F":
			want := make([]byte, 16)
			family(t, tt.config.XOF).Functions[1].Sum(want, message[:64])
			if d := cmp.Diff(want, l.RAM()[data+outputAt:][:16]); d != "" {
				t.Errorf("%s (-want +got):\n%s", name, d)
			}
		default: // of a state that is zero but for the registers that programs begin with
			d := newRegisterDriver(t, tt.config)
			d.state = l.registers
			for i := range 34 {
				d.mix(i, binary.LittleEndian.Uint32(message[4*i:]))
			}
			d.permute(24)
			for i := range 50 {
				got := registerDriver{unit: d.unit, state: l.State}
				if got.word(i) != d.word(i) {
					t.Errorf("%s: word %d is %#x, want %#x", name, i, got.word(i), d.word(i))
				}
			}
		}
		if absorbed := clock.Cycle(len(l.absorbed)); tt.name == "F" && absorbed != 0 {
			t.Errorf("%s: %d words absorbed by the instruction", name, absorbed)
		} else if tt.name != "F" && tt.config.Coupling == RegX {
			want := append(from(2, 33, 2), 67)
			if d := cmp.Diff(want, l.absorbed); d != "" {
				t.Errorf("%s: words absorbed (-want +got):\n%s", name, d)
			}
		}
		if held := l.HeldCycles(bus.Permuting); held != l.unit.stats.BusyCycles {
			t.Errorf("%s: %d cycles withheld, busy for %d", name, held, l.unit.stats.BusyCycles)
		}
	}
}
