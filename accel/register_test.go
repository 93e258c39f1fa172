package accel

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/clock"
	"socsim/pqc/ascon"
	"socsim/rv32"
)

// Encodings of the unit's instructions, written out once more.
func kperm(rounds uint32) uint32      { return rounds<<20 | 1<<12 | 0x0b }
func absorb(rs1, index uint32) uint32 { return index<<20 | rs1<<15 | 0x0b }
func asconp(constant, rounds uint32, big bool) uint32 {
	w := constant<<20 | (rounds-1)<<28 | 3<<12 | 0x0b
	if big {
		w |= 1 << 31
	}
	return w
}

// registerDriver is a sponge in Go with the state in the registers of a core: what
// a driver in firmware does, instruction by instruction where the unit has one.
type registerDriver struct {
	t     testing.TB
	unit  *RegisterUnit
	table *rv32.Table
	state rv32.State
	at    clock.Cycle
}

func newRegisterDriver(t testing.TB, c Config) *registerDriver {
	t.Helper()
	u, err := New(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := rv32.NewTable(u.Instructions())
	if err != nil {
		t.Fatal(err)
	}
	return &registerDriver{t: t, unit: u.(*RegisterUnit), table: table}
}

// execute runs one instruction of the unit and returns what became of it.
func (d *registerDriver) execute(word uint32) rv32.Outcome {
	in := d.table.Decode(word)
	if in.Instr == nil || in.Op != rv32.CUSTOM {
		d.t.Helper()
		d.t.Fatalf("%#08x is no instruction of %s", word, d.unit.Config().Name())
	}
	out := in.Instr.Custom.Execute(&d.state, in, d.at)
	if out.Fault == nil {
		d.at = out.Last + 1
	}
	return out
}

// do runs an instruction that makes sense.
func (d *registerDriver) do(word uint32) {
	if out := d.execute(word); out.Fault != nil {
		d.t.Helper()
		d.t.Fatalf("%#08x: %v", word, out.Fault)
	}
}

// word and put reach word i of the state.
func (d *registerDriver) word(i int) uint32 {
	switch {
	case d.unit.xof.Lanes == 5 && i < 6:
		return d.state.X(uint8(12 + i))
	case d.unit.xof.Lanes == 5:
		return d.state.X(uint8(28 + i - 6))
	case i < 32:
		return d.state.F(uint8(i))
	default:
		return d.state.X(uint8(10 + i - 32))
	}
}

func (d *registerDriver) put(i int, v uint32) {
	switch {
	case d.unit.xof.Lanes == 5 && i < 6:
		d.state.SetX(uint8(12+i), v)
	case d.unit.xof.Lanes == 5:
		d.state.SetX(uint8(28+i-6), v)
	case i < 32:
		d.state.SetF(uint8(i), v)
	default:
		d.state.SetX(uint8(10+i-32), v)
	}
}

// mix XORs a word in, by the instruction if there is one, through a register that is
// no part of the state.
func (d *registerDriver) mix(i int, v uint32) {
	const t0 = 5
	if d.unit.Config().Coupling == RegX {
		d.state.SetX(t0, v)
		d.do(absorb(t0, uint32(i)))
		return
	}
	d.put(i, d.word(i)^v)
}

// permute makes the last rounds of the permutation.
func (d *registerDriver) permute(rounds int) {
	if d.unit.xof.Lanes == 25 {
		d.do(kperm(uint32(rounds)))
		return
	}
	constant := uint32(0x4b + 0x0f*(rounds-1))
	for rounds > 0 {
		n := min(rounds, 8)
		d.do(asconp(constant, uint32(n), d.unit.xof.BigEndian))
		constant -= uint32(0x0f * n)
		rounds -= n
	}
}

// hash computes n bytes of a message's hash.
func (d *registerDriver) hash(mode int, message []byte, n int) []byte {
	x := d.unit.xof
	m := x.Modes[mode]
	for i := range 2 * x.Lanes {
		d.put(i, 0)
	}
	for i, lane := range m.Start { // numbers: bytes of them come in the order of the unit
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], lane)
		if x.BigEndian {
			binary.BigEndian.PutUint64(b[:], lane)
		}
		d.put(2*i, binary.LittleEndian.Uint32(b[:]))
		d.put(2*i+1, binary.LittleEndian.Uint32(b[4:]))
	}
	block := func(b []byte) {
		for i := 0; i < m.Rate; i += 4 {
			d.mix(i/4, binary.LittleEndian.Uint32(b[i:]))
		}
	}
	for ; len(message) >= m.Rate; message = message[m.Rate:] {
		block(message)
		d.permute(m.Rounds.Block)
	}
	last := append(bytes.Clone(message), m.Suffix)
	last = append(last, make([]byte, m.Rate-len(last))...)
	last[m.Rate-1] ^= m.Final
	block(last)
	d.permute(m.Rounds.Last)
	var out []byte
	for {
		for i := 0; i < m.Rate; i += 4 {
			out = binary.LittleEndian.AppendUint32(out, d.word(i/4))
		}
		if len(out) >= n {
			return out[:n]
		}
		d.permute(m.Rounds.Squeeze)
	}
}

// inCore lists the units with their state in registers.
func inCore() (list []Config) {
	for _, x := range XOFs {
		for _, c := range []Coupling{Reg, RegX} {
			list = append(list, Config{XOF: x, Coupling: c})
		}
	}
	return list
}

// Every mode, every message length up to two blocks and a bit, and around the rate
// every output length around it, as the host reference has it; with as many
// permutations as it counts, less those whose result is the start state.
func TestRegisterFunction(t *testing.T) {
	message := make([]byte, 2*168+5)
	r := rand.New(rand.NewPCG(9, 9))
	for i := range message {
		message[i] = byte(r.Uint32())
	}
	for _, c := range inCore() {
		t.Run(c.Name(), func(t *testing.T) {
			d := newRegisterDriver(t, c)
			f := family(t, c.XOF)
			var permutations, words uint64
			check := func(mode, n, size int) {
				t.Helper()
				want := make([]byte, size)
				m := c.XOF.Modes[mode]
				permutations += f.Functions[mode].Sum(want, message[:n]) - m.Stored
				words += uint64((n/m.Rate + 1) * m.Rate / 4)
				if got := d.hash(mode, message[:n], size); !bytes.Equal(got, want) {
					t.Fatalf("mode %d, %d bytes in, %d out:\ngot  %x\nwant %x", mode, n, size, got, want)
				}
			}
			for mode, m := range c.XOF.Modes {
				if mode > 0 && c.XOF.Lanes == 5 {
					continue // all modes are the same sponge
				}
				for n := range 2*m.Rate + 6 {
					check(mode, n, 1+n%(m.Rate+5))
				}
				for n := m.Rate - 5; n < m.Rate+5; n++ {
					for size := m.Rate - 5; size < m.Rate+6; size++ {
						check(mode, n, size)
					}
				}
				check(mode, 3, 3*m.Rate)
			}
			if c.Coupling == Reg {
				words = 0
			}
			busy := d.at
			if c.Coupling == RegX {
				busy -= clock.Cycle(words)
			}
			want := Statistics{Permutations: permutations, WordsIn: words, BusyCycles: busy, IdleCycles: d.at - busy, Rounds: uint64(busy)} // one a cycle
			want.Withheld = d.unit.stats.Withheld
			if diff := cmp.Diff(want, d.unit.Statistics(d.at)); diff != "" {
				t.Errorf("statistics (-want +got):\n%s", diff)
			}
		})
	}
}

// The hash functions of FIPS 202 and the published vectors of the Ascons do not go
// through the host reference.
func TestRegisterVectors(t *testing.T) {
	d := newRegisterDriver(t, Config{XOF: SHAKE, Coupling: RegX})
	for mode := range SHAKE.Modes {
		n := []int{400, 300, 32, 64}[mode]
		message := bytes.Repeat([]byte{byte(mode), 1, 2}, 100)
		if got, want := d.hash(mode, message, n), reference(uint32(mode), message, n); !bytes.Equal(got, want) {
			t.Errorf("mode %d:\ngot  %x\nwant %x", mode, got, want)
		}
	}
	for name, x := range map[string]*XOF{"ascon-xof-v12": Ascon, "ascon-xofa-v12": Ascon8, "ascon-xof128-sp800-232": Ascon128} {
		text, err := os.ReadFile("../../shared/vectors/ascon/" + name + ".json")
		if err != nil {
			t.Skipf("shared vectors are not there: %v", err)
		}
		var file struct{ Tests []struct{ Msg, Out string } }
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		d := newRegisterDriver(t, Config{XOF: x, Coupling: Reg})
		for i, v := range file.Tests {
			message, err := hex.DecodeString(v.Msg)
			if err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(d.hash(0, message, len(v.Out)/2)); got != v.Out {
				t.Errorf("%s, vector %d:\ngot  %s\nwant %s", name, i, got, v.Out)
			}
		}
	}
}

// Any rounds in a row are a part of the permutation, in either byte order, whatever
// the order of the hash.
func TestASCONPParts(t *testing.T) {
	d := newRegisterDriver(t, Config{XOF: Ascon128, Coupling: Reg})
	r := rand.New(rand.NewPCG(3, 4))
	for first := range 12 {
		for n := 1; n <= min(8, 12-first); n++ {
			for _, big := range []bool{false, true} {
				var want [5]uint64
				for i := range want {
					want[i] = r.Uint64()
					var b [8]byte
					binary.LittleEndian.PutUint64(b[:], want[i])
					if big {
						binary.BigEndian.PutUint64(b[:], want[i])
					}
					d.put(2*i, binary.LittleEndian.Uint32(b[:]))
					d.put(2*i+1, binary.LittleEndian.Uint32(b[4:]))
				}
				d.do(asconp(0xf0-0x0f*uint32(first), uint32(n), big))
				for rest := 12 - first - n; rest > 0; rest-- {
					d.do(asconp(0x4b+0x0f*uint32(rest-1), 1, big))
				}
				ascon.Permute(&want, 12-first)
				for i := range want {
					var b [8]byte
					binary.LittleEndian.PutUint32(b[:], d.word(2*i))
					binary.LittleEndian.PutUint32(b[4:], d.word(2*i+1))
					got := binary.LittleEndian.Uint64(b[:])
					if big {
						got = binary.BigEndian.Uint64(b[:])
					}
					if got != want[i] {
						t.Fatalf("%d rounds from %d on, big %v: x%d is %016x, want %016x", n, first, big, i, got, want[i])
					}
				}
			}
		}
	}
}

// absorb reaches each word of the state and nothing else.
func TestAbsorb(t *testing.T) {
	for _, c := range inCore() {
		if c.Coupling == Reg {
			continue
		}
		d := newRegisterDriver(t, c)
		for i := range 2 * c.XOF.Lanes {
			d.state = rv32.State{}
			for j := range uint8(32) {
				d.state.SetX(j, 0x1111*uint32(j))
				d.state.SetF(j, 0x101_0101*uint32(j))
			}
			want := d.state
			w := newRegisterDriver(t, c)
			w.state = want
			const rs1 = 9
			w.put(i, w.word(i)^0x1111*rs1)
			out := d.execute(absorb(rs1, uint32(i)))
			if out.Fault != nil || d.state != w.state {
				t.Errorf("%s: absorb into word %d: %v; other registers than wanted", c.Name(), i, out.Fault)
			}
		}
	}
}

// What belongs to which unit; everything else stays illegal.
func TestRegisterInstructions(t *testing.T) {
	const flw, fsw, fmvxw, fmvwx = 0x0000_2007, 0x0000_2027, 0xe000_0053, 0xf000_0053
	words := map[string]uint32{
		"kperm": kperm(12), "asconp": asconp(0xf0, 8, true), "absorb": absorb(5, 3), "absorb beyond": absorb(5, 4095),
		"flw": flw, "fsw": fsw, "fmv.x.w": fmvxw, "fmv.w.x": fmvwx,
	}
	never := map[string]uint32{
		"kperm with rd": kperm(12) | 1<<7, "kperm with rs1": kperm(12) | 1<<15, "asconp with rd": asconp(0xf0, 8, true) | 1<<7,
		"asconp with rs1": asconp(0xf0, 8, true) | 31<<15, "absorb with rd": absorb(5, 3) | 1<<7,
		"funct3 2": 2<<12 | 0x0b, "funct3 4": 4<<12 | 0x0b, "funct3 6": 6<<12 | 0x0b, "custom-1": 0x2b, "fld": 3<<12 | 0x07, "fadd.s": 0x53,
	}
	for _, c := range append(inCore(), Config{XOF: SHAKE, Coupling: RAM}) {
		u, err := New(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		table, err := rv32.NewTable(u.Instructions())
		if err != nil {
			t.Fatal(err)
		}
		keccak := c.XOF.Lanes == 25
		for name, w := range words {
			want := keccak
			switch {
			case !c.InCore():
				want = false
			case name == "asconp":
				want = !keccak
			case strings.HasPrefix(name, "absorb"):
				want = c.Coupling == RegX
			}
			in := table.Decode(w)
			if got := in.Instr != nil; got != want {
				t.Errorf("%s: %s exists: %v, want %v", c.Name(), name, got, want)
			}
			if own, _, _ := strings.Cut(name, " "); want && in.Instr.Name != own {
				t.Errorf("%s: %s is called %s", c.Name(), name, in.Instr.Name)
			}
		}
		for name, w := range never {
			if in := table.Decode(w); in.Instr != nil {
				t.Errorf("%s: %s is %s, want it illegal", c.Name(), name, in.Instr.Name)
			}
		}
	}
}

// Bad use says what is wrong and what to do, and counts as nothing done.
func TestRegisterMisuse(t *testing.T) {
	tests := []struct {
		config     Config
		word       uint32
		what, hint string
	}{
		{Config{XOF: SHAKE, Coupling: Reg}, kperm(0), "kperm of 0 rounds: the permutation of shake has 24", "use 1 to 24 rounds"},
		{Config{XOF: SHAKE, Coupling: RegX}, kperm(25), "kperm of 25 rounds", "use 1 to 24 rounds"},
		{Config{XOF: SHAKE12, Coupling: Reg}, kperm(24), "kperm of 24 rounds: the permutation of shake12 has 12", "use 1 to 12 rounds"},
		{Config{XOF: SHAKE, Coupling: Reg}, kperm(4095), "kperm of -1 rounds", "use 1 to 24 rounds"},
		{Config{XOF: SHAKE, Coupling: RegX}, absorb(5, 50), "absorb into word 50: the state of shake has 50 words", "use words 0 to 49"},
		{Config{XOF: SHAKE, Coupling: RegX}, absorb(5, 4095), "absorb into word 4095", "use words 0 to 49"},
		{Config{XOF: Ascon128, Coupling: RegX}, absorb(5, 10), "absorb into word 10: the state of ascon128 has 10 words", "use words 0 to 9"},
		{Config{XOF: Ascon, Coupling: Reg}, asconp(0x4a, 1, true), "asconp from round constant 0x4a, which no round of ascon has", "0x4b + (n-1) * 0x0f"},
		{Config{XOF: Ascon, Coupling: Reg}, asconp(0x3c, 1, true), "asconp from round constant 0x3c", "n being 1 to 12"},
		{Config{XOF: Ascon, Coupling: Reg}, asconp(0xff, 1, true), "asconp from round constant 0xff", "n being 1 to 12"},
		{Config{XOF: Ascon8, Coupling: RegX}, asconp(0x00, 8, true), "asconp from round constant 0x00", "n being 1 to 12"},
		{Config{XOF: Ascon8, Coupling: Reg}, asconp(0x4b, 2, true), "asconp of 2 rounds from round constant 0x4b: there are 1 from there", "begin earlier"},
		{Config{XOF: Ascon128, Coupling: Reg}, asconp(0x78, 8, false), "asconp of 8 rounds from round constant 0x78: there are 4 from there", "fewer rounds"},
	}
	for _, tt := range tests {
		d := newRegisterDriver(t, tt.config)
		before := d.state
		out := d.execute(tt.word)
		switch {
		case out.Fault == nil:
			t.Errorf("%s: %#08x is taken, want %q", tt.config.Name(), tt.word, tt.what)
		case !strings.Contains(out.Fault.What, tt.what) || !strings.Contains(out.Fault.Hint, tt.hint):
			t.Errorf("%s: %#08x: %v, want %q, %q", tt.config.Name(), tt.word, out.Fault, tt.what, tt.hint)
		case d.state != before || d.unit.Statistics(0) != (Statistics{}):
			t.Errorf("%s: %#08x did something: %+v", tt.config.Name(), tt.word, d.unit.Statistics(0))
		}
	}
	// A neighbour of each that makes sense.
	for _, c := range inCore() {
		d := newRegisterDriver(t, c)
		if c.XOF.Lanes == 25 {
			d.do(kperm(uint32(c.XOF.rounds())))
			d.do(kperm(1))
		} else {
			d.do(asconp(0x4b, 1, true))
			d.do(asconp(0xf0, 8, false))
			d.do(asconp(0x78, 4, false))
		}
		if c.Coupling == RegX {
			d.do(absorb(0, uint32(2*c.XOF.Lanes-1)))
		}
	}
}

// The unit has no registers, no interrupt, and nothing to set but the permutation.
func TestRegisterUnit(t *testing.T) {
	for _, c := range inCore() {
		u, err := New(c, clock.NewQueue())
		if err != nil {
			t.Fatal(err)
		}
		u.Connect(func(bool, clock.Cycle) { t.Error("an interrupt") })
		if u.Target() != nil || u.DMA() != nil || len(c.Registers()) != 0 || u.Config() != c.WithDefaults() || u.Config().HasFIFOs() {
			t.Errorf("%s: target %v, DMA %v, registers %v, configuration %+v", c.Name(), u.Target(), u.DMA(), c.Registers(), u.Config())
		}
		c.InputDepth = 4
		if _, err := New(c, nil); err == nil || !strings.Contains(err.Error(), "it has no FIFOs") {
			t.Errorf("%s with a FIFO: %v", c.Name(), err)
		}
	}
	if got := fmt.Sprint(set([]uint8{10, 27, rv32.FReg, rv32.FReg + 31})); got != fmt.Sprint(uint64(1<<10|1<<27|1<<32|1<<63)) {
		t.Errorf("set: %s", got)
	}
}
