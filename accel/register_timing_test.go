package accel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bus"
	"socsim/clock"
	"socsim/rv32"
)

// Encoders of what the programs below are made of (unprivileged manual, section 2).

func xori(rd, rs1 uint32, imm int32) uint32       { return iType(imm, rs1, 4, rd, 0x13) }
func xor(rd, rs1, rs2 uint32) uint32              { return rs2<<20 | rs1<<15 | 4<<12 | rd<<7 | 0x33 }
func lui(rd, upper uint32) uint32                 { return upper<<12 | rd<<7 | 0x37 }
func flw(rd uint32, imm int32, rs1 uint32) uint32 { return iType(imm, rs1, 2, rd, 0x07) }
func fsw(rs2 uint32, imm int32, rs1 uint32) uint32 {
	return sType(imm, rs2, rs1, 2, 0x27)
}
func fmvXW(rd, rs1 uint32) uint32   { return 0xe000_0053 | rs1<<15 | rd<<7 }
func fmvWX(rd, rs1 uint32) uint32   { return 0xf000_0053 | rs1<<15 | rd<<7 }
func jr(rs1 uint32) uint32          { return iType(0, rs1, 0, 0, 0x67) }
func csrw(csr, rs1 uint32) uint32   { return csr<<20 | rs1<<15 | 1<<12 | 0x73 }
func csrsi(csr, bits uint32) uint32 { return csr<<20 | bits<<15 | 6<<12 | 0x73 }

const (
	mret     = 0x3020_0073
	selfLoop = 0x0000_006f

	csrMstatus, csrMIE, csrMTVEC, csrMEPC, csrMCause = 0x300, 0x304, 0x305, 0x341, 0x342

	data = 0x2000 // offset of what programs work on
	slow = 0x1000_0000

	t0, t1, t2, s0, s1 = 5, 6, 7, 8, 9
	a0, a2, t5         = 10, 12, 30
)

// slowTarget answers an access late.
type slowTarget struct{ response clock.Cycle }

func (s slowTarget) Access(r bus.Request) bus.Response {
	return bus.Response{Grant: r.At, Valid: r.At + s.response, Data: 0x5107}
}

// machine is a core with a unit, and a program at the start of its RAM. t0 points to
// data, t1 to the slow target.
type machine struct {
	*rv32.Hart
	unit   *RegisterUnit
	events *clock.Queue
}

func newMachine(t testing.TB, c Config, more rv32.Config, program ...uint32) *machine {
	t.Helper()
	u, err := New(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{unit: u.(*RegisterUnit), events: clock.NewQueue()}
	if more.RAMBase == 0 {
		more.RAMBase = ramBase
	}
	more.RAMSize, more.Port, more.Events = 1<<16, slowTarget{20}, m.events
	more.Custom = append(more.Custom, u.Instructions()...)
	more.TrapClass, more.SleepClass = 254, 255
	if m.Hart, err = rv32.New(more); err != nil {
		t.Fatal(err)
	}
	for i, w := range program {
		binary.LittleEndian.PutUint32(m.RAM()[4*i:], w)
	}
	for i := range 256 {
		binary.LittleEndian.PutUint32(m.RAM()[data+4*i:], 0x9e37_79b9*uint32(i+1))
	}
	m.Reset(more.RAMBase)
	m.SetX(t0, more.RAMBase+data)
	m.SetX(t1, slow)
	return m
}

// traced is what happened to a program: cycles are counted from the first one of its
// first instruction in EX.
type traced struct {
	*machine
	registers rv32.State       // before it
	before    []byte           // RAM before it
	cycles    []clock.Cycle    // first ones of the instructions in EX
	runs      [][2]clock.Cycle // permutations: first and last cycle, parts joined
	absorbed  []clock.Cycle
}

// traceWith runs a program to its end, a jump to itself that is appended.
func traceWith(t testing.TB, c Config, prepare func(*machine), program []uint32) *traced {
	t.Helper()
	l := &traced{}
	watch := map[uint32]func(*rv32.Hart){}
	for i := range len(program) + 1 {
		watch[ramBase+uint32(4*i)] = func(h *rv32.Hart) { l.cycles = append(l.cycles, h.Now()) }
	}
	l.machine = newMachine(t, c, rv32.Config{Watch: watch}, append(program, selfLoop)...)
	prepare(l.machine)
	l.registers, l.before = l.State, bytes.Clone(l.RAM())
	var steps []Step
	l.unit.Observe(func(s Step) { steps = append(steps, s) })
	if stop := l.Run(rv32.Limits{Cycles: 100_000}); stop.Reason != rv32.StopSelfLoop {
		t.Fatalf("stopped with %+v", stop)
	}
	zero := l.cycles[0]
	for i := range l.cycles {
		l.cycles[i] -= zero
	}
	for _, s := range steps {
		from, to := s.At-zero, s.To-zero-1
		switch n := len(l.runs); {
		case s.Kind == Absorbed:
			l.absorbed = append(l.absorbed, from)
		case n > 0 && l.runs[n-1][1]+1 == from:
			l.runs[n-1][1] = to
		default:
			l.runs = append(l.runs, [2]clock.Cycle{from, to})
		}
	}
	return l
}

// In which cycles instructions around those of the unit are first in EX, by hand from
// CV32E40P.md: a load's word can be used two cycles after the load, a jump on what the
// instruction before computes comes two cycles after that.
func TestRegisterTiming(t *testing.T) {
	shake, ascon128 := Config{XOF: SHAKE, Coupling: RegX}, Config{XOF: Ascon128, Coupling: RegX}
	half := Config{XOF: SHAKE, Coupling: Reg, CyclesPerRound: Ratio{1, 2}, Startup: 3}
	free := Config{XOF: SHAKE, Coupling: Reg, CyclesPerRound: Ratio{0, 1}}
	asconHalf := Config{XOF: Ascon, Coupling: Reg, CyclesPerRound: Ratio{1, 3}, Startup: 5}
	next := addi(t2, 0, 1)
	to := func(i int32) uint32 { return addi(s0, s1, 4*i) } // s1 is where the program starts
	auipc := uint32(s1<<7 | 0x17)                           // ... by this, in its first instruction
	tests := []struct {
		name    string
		config  Config
		program []uint32
		want    []clock.Cycle // the last one is of what is behind the program
	}{
		{"kperm takes its rounds", shake, []uint32{next, kperm(24), next, kperm(5), next}, []clock.Cycle{0, 1, 25, 26, 31, 32}},
		{"two in a row", shake, []uint32{kperm(24), kperm(1), kperm(12)}, []clock.Cycle{0, 24, 25, 37}},
		{"half a cycle a round and start-up", half, []uint32{kperm(24), kperm(5), next}, []clock.Cycle{0, 15, 21, 22}},
		{"free rounds take the cycle of an instruction", free, []uint32{kperm(24), kperm(1), next}, []clock.Cycle{0, 1, 2, 3}},
		{"asconp takes its rounds", ascon128, []uint32{asconp(0xf0, 8, false), asconp(0x78, 4, false), next}, []clock.Cycle{0, 8, 12, 13}},
		{"start-up comes with the last round", asconHalf, []uint32{asconp(0xf0, 8, true), asconp(0x78, 4, true), next}, []clock.Cycle{0, 3, 10, 11}},
		{"absorb is one cycle", shake, []uint32{absorb(t2, 0), absorb(t2, 33), next}, []clock.Cycle{0, 1, 2, 3}},

		{"kperm waits for a load to an f register", shake, []uint32{flw(31, 0, t0), kperm(24), next}, []clock.Cycle{0, 2, 26, 27}},
		{"... to an x register", shake, []uint32{lw(27, 0, t0), kperm(24), next}, []clock.Cycle{0, 2, 26, 27}},
		{"... but for no other", shake, []uint32{lw(28, 0, t0), kperm(24), next}, []clock.Cycle{0, 1, 25, 26}},
		{"... however late it is answered", shake, []uint32{lw(10, 0, t1), kperm(24), next}, []clock.Cycle{0, 21, 45, 46}},
		{"permuting hides a late answer to another", shake, []uint32{lw(s0, 0, t1), kperm(24), addi(s0, s0, 1)}, []clock.Cycle{0, 1, 25, 26}},
		{"asconp waits for its registers", ascon128, []uint32{lw(31, 0, t0), asconp(0x4b, 1, false), lw(11, 0, t0), asconp(0x4b, 1, false)}, []clock.Cycle{0, 2, 3, 4, 5}},
		{"absorb waits for what it adds", shake, []uint32{lw(t2, 0, t0), absorb(t2, 3)}, []clock.Cycle{0, 2, 3}},
		{"... for the word it adds to", shake, []uint32{flw(3, 0, t0), absorb(t2, 3), lw(11, 0, t0), absorb(t2, 33)}, []clock.Cycle{0, 2, 3, 5, 6}},
		{"... and for no other", shake, []uint32{flw(4, 0, t0), absorb(t2, 3), lw(10, 0, t0), absorb(t2, 33)}, []clock.Cycle{0, 1, 2, 3, 4}},
		{"a use of what is permuted waits for nothing", shake, []uint32{kperm(24), fmvXW(t2, 0), addi(t2, 27, 0)}, []clock.Cycle{0, 24, 25, 26}},

		{"a jump on another register hides behind kperm", shake, []uint32{auipc, to(5), kperm(24), jr(s0), next, next}, []clock.Cycle{0, 1, 2, 26, 27, 28}},
		{"absorb hides nothing of a jump", shake, []uint32{auipc, to(5), absorb(t2, 3), jr(s0), next, next}, []clock.Cycle{0, 1, 2, 3, 5, 6}},
		{"a jump on the word absorbed waits for it", shake, []uint32{auipc, addi(a0, s1, 4*5), absorb(0, 32), jr(a0), next, next}, []clock.Cycle{0, 1, 2, 4, 6, 7}},
		{"... and on no other word", shake, []uint32{auipc, addi(a0, s1, 4*5), absorb(0, 33), jr(a0), next, next}, []clock.Cycle{0, 1, 2, 3, 5, 6}},

		{"the load-use rule holds within the f registers", shake, []uint32{flw(7, 0, t0), fmvXW(t2, 7), flw(7, 0, t0), fsw(7, 4, t0)}, []clock.Cycle{0, 2, 3, 5, 6}},
		{"... and for a word that is loaded and set", shake, []uint32{flw(7, 0, t0), fmvWX(7, 0)}, []clock.Cycle{0, 2, 3}},
		{"equal numbers of x and f do not clash", shake, []uint32{flw(7, 0, t0), addi(s0, 7, 0), lw(7, 0, t0), fmvXW(s0, 7), flw(7, 0, t0), sw(7, 4, t0)}, []clock.Cycle{0, 1, 2, 3, 4, 5, 6}},
		{"a misaligned flw takes two accesses", shake, []uint32{flw(7, 1, t0), next, fsw(7, 2, t0), next}, []clock.Cycle{0, 2, 3, 5, 6}},
	}
	for _, tt := range tests {
		got := traceWith(t, tt.config, func(*machine) {}, tt.program)
		if d := cmp.Diff(tt.want, got.cycles); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// A jump on a register of the state right behind kperm waits until that is permuted. What
// is there by then is made an address by where RAM is.
func TestJumpOnPermuted(t *testing.T) {
	c := Config{XOF: SHAKE, Coupling: Reg}
	d := newRegisterDriver(t, c)
	var target uint32
	for i := uint32(1); target == 0 || target%4 != 0 || target < 0x10000; i++ {
		d.state = rv32.State{}
		d.state.SetF(0, i)
		d.do(kperm(24))
		target = d.state.X(a0)
		d.state = rv32.State{}
		d.state.SetF(0, i)
	}
	var cycles []clock.Cycle
	base := target&^0xfff - 0x1000 // code and target lie apart
	watch := map[uint32]func(*rv32.Hart){}
	for _, pc := range []uint32{base, base + 4, target} {
		watch[pc] = func(h *rv32.Hart) { cycles = append(cycles, h.Now()) }
	}
	m := newMachine(t, c, rv32.Config{RAMBase: base, Watch: watch}, kperm(24), jr(a0))
	binary.LittleEndian.PutUint32(m.RAM()[target-base:], selfLoop)
	m.State = d.state
	if stop := m.Run(rv32.Limits{Cycles: 1000}); stop.Reason != rv32.StopSelfLoop || stop.PC != target {
		t.Fatalf("stopped with %+v, want a loop at %#x", stop, target)
	}
	// kperm is in EX up to first + 23, and the jump on its result goes one cycle later
	// than one on another register would at the earliest; its target needs two more.
	first := cycles[0]
	if d := cmp.Diff([]clock.Cycle{first, first + 25, first + 27}, cycles); d != "" {
		t.Errorf("kperm, jump, target (-want +got):\n%s", d)
	}
}

// An interrupt that comes while a permutation runs is taken behind it: the core sees the
// line one cycle late, takes it while the instruction behind kperm is in ID, and its
// handler is first in EX two cycles after that.
func TestInterruptDuringPermutation(t *testing.T) {
	const (
		handler = 0x100
		number  = 7  // of kperm
		start   = 14 // ... and its first cycle in EX
	)
	program := []uint32{
		lui(t2, ramBase>>12), addi(t2, t2, handler), csrw(csrMTVEC, t2), lui(t2, 1<<20>>12), csrw(csrMIE, t2), csrsi(csrMstatus, 8),
		addi(s0, 0, 1), kperm(24), addi(s0, s0, 1), addi(s0, s0, 1), selfLoop,
	}
	for late := clock.Cycle(0); late <= 23; late++ {
		pc, enters := uint32(ramBase+4*(number+1)), clock.Cycle(start+25)
		switch late {
		case 22:
			enters++
		case 23: // one instruction later
			pc, enters = pc+4, enters+2
		}
		for _, exact := range []bool{false, true} {
			var entered clock.Cycle
			c := Config{XOF: SHAKE, Coupling: Reg}
			m := newMachine(t, c, rv32.Config{ExactOnly: exact, Watch: map[uint32]func(*rv32.Hart){
				ramBase + handler: func(h *rv32.Hart) {
					entered = h.Now()
					h.Halt()
				},
			}}, program...)
			var ran Step
			m.unit.Observe(func(s Step) { ran = s })
			line := m.Line(20)
			m.events.Source(func(at clock.Cycle) { line(true, at) }).At(start + late)
			d := newRegisterDriver(t, c)
			d.state = m.State
			d.do(kperm(24))
			m.Run(rv32.Limits{Cycles: 1000})
			if want := (Step{Kind: Permuted, At: start, To: start + 24}); ran != want {
				t.Fatalf("exact %v: %+v, want %+v", exact, ran, want)
			}
			if mepc, _ := m.CSR(csrMEPC); entered != enters || mepc != pc {
				t.Errorf("exact %v, line high %d cycles after the first of kperm: handler entered in %d from %#x, want %d from %#x", exact, late, entered, mepc, enters, pc)
			}
			if m.F(0) != d.state.F(0) || m.X(27) != d.state.X(27) {
				t.Errorf("exact %v, line high after %d cycles: the state is not the permuted one", exact, late)
			}
		}
	}
}

// Without the unit its instructions trap, as any other that does not exist.
func TestNoUnitNoInstruction(t *testing.T) {
	const handler = 0x100
	keccak := map[string]uint32{"kperm": kperm(24), "flw": flw(3, 0, t0), "fsw": fsw(3, 0, t0), "fmv.x.w": fmvXW(t2, 3), "fmv.w.x": fmvWX(3, t2)}
	tests := []struct {
		config Config
		words  map[string]uint32
	}{
		{Config{XOF: SHAKE, Coupling: LSU}, keccak},
		{Config{XOF: Ascon, Coupling: RegX}, keccak},
		{Config{XOF: SHAKE, Coupling: RegX}, map[string]uint32{"asconp": asconp(0xf0, 8, true)}},
		{Config{XOF: SHAKE, Coupling: Reg}, map[string]uint32{"absorb": absorb(t2, 3)}},
		{Config{XOF: Ascon, Coupling: Reg}, map[string]uint32{"absorb": absorb(t2, 3)}},
	}
	for _, tt := range tests {
		u, err := New(tt.config, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, word := range tt.words {
			h, err := rv32.New(rv32.Config{RAMBase: ramBase, RAMSize: 1 << 16, Custom: u.Instructions()})
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range []uint32{lui(t2, ramBase>>12), addi(t2, t2, handler), csrw(csrMTVEC, t2), word} {
				binary.LittleEndian.PutUint32(h.RAM()[4*i:], w)
			}
			binary.LittleEndian.PutUint32(h.RAM()[handler:], selfLoop)
			h.Reset(ramBase)
			stop := h.Run(rv32.Limits{Cycles: 1000})
			cause, _ := h.CSR(csrMCause)
			pc, _ := h.CSR(csrMEPC)
			if stop.Reason != rv32.StopSelfLoop || stop.PC != ramBase+handler || cause != 2 || pc != ramBase+12 {
				t.Errorf("%s on %s: stopped with %+v, mcause %d, mepc %#x; want an illegal instruction at %#x", name, tt.config.Name(), stop, cause, pc, ramBase+12)
			}
		}
	}
}

// Bad use ends the run at the instruction.
func TestRegisterFault(t *testing.T) {
	m := newMachine(t, Config{XOF: SHAKE12, Coupling: Reg}, rv32.Config{}, addi(s0, 0, 1), kperm(24), selfLoop)
	stop := m.Run(rv32.Limits{Cycles: 1000})
	if stop.Reason != rv32.StopFault || stop.PC != ramBase+4 || stop.Fault == nil || stop.Fault.Kind != bus.DeviceError {
		t.Errorf("stopped with %+v, want a fault at %#x", stop, ramBase+4)
	}
}

// Cycles of permute instructions are withheld, all of them, and nothing else is.
func TestRegisterLedger(t *testing.T) {
	for _, tt := range []struct {
		config Config
		held   clock.Cycle
		busy   clock.Cycle
		count  uint64
	}{
		{Config{XOF: SHAKE, Coupling: RegX}, 36, 36, 2},
		{Config{XOF: SHAKE, Coupling: RegX, CyclesPerRound: Ratio{0, 1}}, 2, 0, 2},
		{Config{XOF: SHAKE, Coupling: RegX, Startup: 7}, 50, 50, 2},
		{Config{XOF: Ascon8, Coupling: RegX}, 20, 20, 2}, // 12 in two parts, and 8
		{Config{XOF: Ascon8, Coupling: RegX, CyclesPerRound: Ratio{1, 5}, Startup: 1}, 2 + 1 + 1 + 2 + 1, 7, 2},
		{Config{XOF: Ascon8, Coupling: RegX, CyclesPerRound: Ratio{0, 1}}, 3, 0, 2},
	} {
		program := []uint32{flw(3, 0, t0), kperm(24), absorb(t0, 7), fsw(3, 4, t0), kperm(12), selfLoop}
		if tt.config.XOF.Lanes == 5 {
			program = []uint32{asconp(0xf0, 8, true), asconp(0x78, 4, true), absorb(t0, 7), asconp(0xb4, 8, true), selfLoop}
		}
		for _, exact := range []bool{false, true} {
			m := newMachine(t, tt.config, rv32.Config{ExactOnly: exact, RoleClass: func(class uint8, role bus.Role) uint8 { return uint8(role) }}, program...)
			m.Run(rv32.Limits{Cycles: 1000})
			sum := m.HeldCycles(bus.Permuting)
			for class := range 256 {
				sum += m.ClassCycles(uint8(class))
			}
			s := m.unit.Statistics(m.Now())
			if held := m.HeldCycles(bus.Permuting); held != tt.held || s.Withheld[bus.Permuting] != tt.held || sum != m.Cycle() {
				t.Errorf("%s: %d cycles withheld, the unit says %d, want %d; %d booked of %d", tt.config.Name(), held, s.Withheld[bus.Permuting], tt.held, sum, m.Cycle())
			}
			if s.BusyCycles != tt.busy || s.Permutations != tt.count || s.WordsIn != 1 || s.Messages != 0 {
				t.Errorf("%s: %+v, want %d cycles busy in %d permutations", tt.config.Name(), s, tt.busy, tt.count)
			}
			if in := m.ClassCycles(uint8(bus.RoleIn)); in != 1 {
				t.Errorf("%s: %d cycles for input words, want that of absorb", tt.config.Name(), in)
			}
		}
	}
}

// Random programs of all that touches the unit: the fast loop and the exact one end in
// the same cycle with the same registers, and the unit did the same.
func TestRegisterLoopsAgree(t *testing.T) {
	units := inCore()
	for seed := range uint64(200) {
		c := units[seed%uint64(len(units))]
		r := rand.New(rand.NewPCG(seed, 6))
		c.CyclesPerRound = []Ratio{{1, 1}, {0, 1}, {1, 3}, {2, 1}}[r.IntN(4)]
		c.Startup = clock.Cycle(r.IntN(3))
		program := randomRegisterProgram(r, c, 300)
		var got [2]string
		for i, exact := range []bool{false, true} {
			m := newMachine(t, c, rv32.Config{ExactOnly: exact}, program...)
			line := m.Line(20)
			m.events.Source(func(at clock.Cycle) { line(true, at) }).At(500)
			stop := m.Run(rv32.Limits{Cycles: 100_000})
			if stop.Reason != rv32.StopSelfLoop {
				t.Fatalf("seed %d: stopped with %+v", seed, stop)
			}
			got[i] = fmt.Sprintf("%+v cycle %d instret %d %+v %v", stop, m.Cycle(), m.Instret(), m.unit.Statistics(m.Now()), m.RAM()[data:data+1024])
			for n := range uint8(32) {
				got[i] += fmt.Sprintf(" %x %x", m.X(n), m.F(n))
			}
			got[i] += fmt.Sprint(" ", m.ClassCycles(0), m.HeldCycles(bus.Permuting))
		}
		if got[0] != got[1] {
			t.Fatalf("seed %d, %s: fast and exact loop differ\n%s\n%s", seed, c.Name(), got[0], got[1])
		}
	}
}

// randomRegisterProgram returns n instructions that run one after the other, and an end.
func randomRegisterProgram(r *rand.Rand, c Config, n int) (program []uint32) {
	x := func() uint32 { return uint32(r.IntN(32)) }
	free := func() uint32 { // not a pointer
		for {
			if v := x(); v != t0 && v != t1 {
				return v
			}
		}
	}
	offset := func() int32 { return int32(r.IntN(1000)) }
	keccak := c.XOF.Lanes == 25
	for len(program) < n {
		switch k := r.IntN(20); {
		case k < 3 && keccak:
			program = append(program, kperm(uint32(1+r.IntN(c.XOF.rounds()))))
		case k < 3:
			rounds := uint32(1 + r.IntN(8))
			last := uint32(r.IntN(13 - int(rounds)))
			program = append(program, asconp(0x4b+0x0f*(rounds-1+last), rounds, r.IntN(2) == 0))
		case k < 6 && c.Coupling == RegX:
			program = append(program, absorb(x(), uint32(r.IntN(2*c.XOF.Lanes))))
		case k < 12 && keccak:
			program = append(program, []uint32{flw(x(), offset(), t0), fsw(x(), offset(), t0), fmvXW(free(), x()), fmvWX(x(), x())}[r.IntN(4)])
		case k < 15:
			program = append(program, lw(free(), offset(), t0))
		case k < 16:
			program = append(program, lw(free(), 4*int32(r.IntN(9)), t1)) // slow
		case k < 17:
			program = append(program, sw(x(), offset(), t0))
		default:
			program = append(program, xor(free(), x(), x()), addi(free(), x(), offset()))
		}
	}
	return append(program, selfLoop)
}
