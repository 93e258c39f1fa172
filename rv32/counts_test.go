package rv32

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bus"
	"socsim/clock"
)

// Counts of random programs are those of the instructions that retired, counted here
// by name.
func TestCounts(t *testing.T) {
	programs := uint64(60)
	if testing.Short() {
		programs = 15
	}
	classes := map[string]func(*Counts) *uint64{}
	for names, at := range map[string]func(*Counts) *uint64{
		"mul":                     func(c *Counts) *uint64 { return &c.Mul },
		"mulh mulhsu mulhu":       func(c *Counts) *uint64 { return &c.MulHigh },
		"div divu rem remu":       func(c *Counts) *uint64 { return &c.Div },
		"lb lh lw lbu lhu flw":    func(c *Counts) *uint64 { return &c.Load },
		"sb sh sw fsw":            func(c *Counts) *uint64 { return &c.Store },
		"beq bne blt bge bltu":    func(c *Counts) *uint64 { return &c.Branch },
		"bgeu beqz bnez bltz":     func(c *Counts) *uint64 { return &c.Branch },
		"blez bgtz bgez":          func(c *Counts) *uint64 { return &c.Branch },
		"jal jalr j jr ret":       func(c *Counts) *uint64 { return &c.Jump },
		"fence.i ecall wfi mret":  func(c *Counts) *uint64 { return &c.System },
		"csrr csrrs csrrw csrw":   func(c *Counts) *uint64 { return &c.CSR },
		"rdcycle rdinstret csrrc": func(c *Counts) *uint64 { return &c.CSR },
	} {
		for _, name := range strings.Fields(names) {
			classes[name] = at
		}
	}
	var all Counts
	for seed := range programs {
		seed = 6*seed + 2 // none with instructions from outside; all count
		fast, observed := lockstepHart(t, seed, false), lockstepHart(t, seed, true)
		var want Counts
		observed.Observe(func(h *Hart, r Retired) {
			if r.Trap {
				return
			}
			if at := classes[name(h, r)]; at != nil {
				*at(&want)++
			}
			if r.Len == 2 {
				want.Compressed++
			}
		})
		limits := Limits{Cycles: 3000}
		fast.Run(limits)
		observed.Run(limits)
		got := fast.Counts()
		// What the log does not say, and the other loop does.
		want.DivCycles, want.RAMLoads, want.RAMStores = observed.Counts().DivCycles, observed.Counts().RAMLoads, observed.Counts().RAMStores
		want.Taken = observed.Counts().Taken
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		all.Mul += got.Mul
		all.Div += got.Div
		all.Taken += got.Taken
		all.System += got.System
	}
	if min(all.Mul, all.Div, all.Taken, all.System) == 0 {
		t.Errorf("%+v: the programs are too dull", all)
	}
}

// name returns the name of an instruction, in 16 bits or 32.
func name(h *Hart, r Retired) string {
	return strings.TrimPrefix(strings.Fields(h.Disassemble(r.PC, r.Word))[0], "c.")
}

// Counts by hand, in both loops, and without being asked for.
func TestCountsByHand(t *testing.T) {
	program := []uint32{
		addi(5, 0, 3),              // turns
		encI(0, 10, 2, 6, 3),       // lw
		encI(2, 10, 2, 7, 3),       // lw across a word: two transactions
		encS(1, 6, 10, 0),          // sb
		encR(1, 6, 6, 0, 8, 0x33),  // mul
		encR(1, 6, 6, 3, 8, 0x33),  // mulhu
		encR(1, 5, 6, 5, 8, 0x33),  // divu by 3, 2, 1
		addi(5, 5, -1),             //
		encB(-28, 0, 5, 1),         // bnez: taken twice
		encJ(8, 1),                 // jal over
		addi(5, 5, 1),              // ... this
		csrrs(9, csrMscratch, 0),   //
		fenceI,                     //
		0x0001_0001 | 1<<7 | 1<<18, // two 16-bit instructions: c.addi
		encS(0x20, 6, 11, 2),       // sw to the slow device: granted at once, answered 4 cycles later
		encI(0x20, 11, 2, 6, 3),    // lw from it
		selfLoop,
	}
	for _, exact := range []bool{false, true} {
		for _, count := range []bool{true, false} {
			h := testHart(t, Config{Port: slowPort{0, 3}, ExactOnly: exact, Count: count}, program...)
			h.SetX(10, testBase+0x1000)
			h.SetX(11, 0x1000_0000)
			if stop := h.Run(Limits{}); stop.Reason != StopSelfLoop {
				t.Fatalf("%+v", stop)
			}
			want := Counts{
				Mul: 3, MulHigh: 3, Div: 3, Load: 7, Store: 4, Branch: 3, Jump: 1, CSR: 1, System: 1,
				Taken: 2, Compressed: 2, DivCycles: 3 + 30 + 3 + 30 + 3 + 31, RAMLoads: 9, RAMStores: 3,
			}
			if !count {
				want = Counts{}
			}
			if diff := cmp.Diff(want, h.Counts()); diff != "" {
				t.Errorf("exact %v, count %v: %s", exact, count, diff)
			}
			if got, want := h.Stalled(), clock.Cycle(3+1); got != want {
				t.Errorf("exact %v: stalled for %d cycles, by hand %d: the store is answered 4 cycles after its request, the load a cycle later", exact, got, want)
			}
		}
	}
}

// Stalls by hand where a unit holds its instruction, or someone else has the port of RAM.
func TestStalledByUnit(t *testing.T) {
	hold := func(extra clock.Cycle, cost Cost, cause bus.Cause) []Instr {
		return []Instr{{"held", 0x0000_000b, 0x0000_707f, FormatI, "imm(rs1)", cost, CUSTOM, &Custom{
			Execute: func(_ *State, _ Decoded, at clock.Cycle) Outcome {
				o := Outcome{Last: at + extra, Cause: cause}
				if cause != bus.NotHeld {
					o.HeldFrom, o.HeldTo = at, at+extra
				}
				return o
			},
			Loaded: func(uint32, clock.Cycle) {},
		}}}
	}
	const held = 9
	program := []uint32{addi(5, 5, 1), encI(0, 10, 0, 0, opCustom), addi(5, 5, 1), selfLoop}
	for _, c := range []struct {
		what   string
		config Config
		want   clock.Cycle
		moves  uint64
	}{
		{"a permute instruction is in EX for ten cycles, of which it has the first", Config{Custom: hold(held, CostCustom, bus.Permuting)}, held, 0},
		{"likewise, whoever is to blame", Config{Custom: hold(held, CostCustom, bus.NotHeld)}, held, 0},
		{"a load waits nine cycles before its request, whose cycle is its own", Config{Custom: hold(held, CostLoad, bus.InputFull)}, held, 1},
		{"a load and a grant that comes two cycles late", Config{Custom: hold(0, CostLoad, bus.NotHeld),
			Grant: func(at clock.Cycle) clock.Cycle { return at + 2 }}, 2, 1},
		{"nothing to wait for", Config{Custom: hold(0, CostLoad, bus.NotHeld)}, 0, 1},
	} {
		c.config.Count = true
		h := testHart(t, c.config, program...)
		h.SetX(10, testBase+0x1000)
		if stop := h.Run(Limits{}); stop.Reason != StopSelfLoop {
			t.Fatalf("%s: %+v", c.what, stop)
		}
		n := h.Counts()
		if h.Stalled() != c.want || n.UnitMoves != c.moves || n.Load != c.moves || n.RAMLoads != c.moves || n.Custom != 1-c.moves {
			t.Errorf("%s: stalled for %d cycles, want %d; %+v", c.what, h.Stalled(), c.want, n)
		}
	}
}

// A loop that does nothing but what is counted, longer than a field of the tally.
func TestCountsOfLongLoop(t *testing.T) {
	const turns = 30_000
	h := testHart(t, Config{Count: true}, 0x0085_0085, // c.addi x1, 1, twice
		encI(0, 10, 2, 6, 3), encI(0, 10, 2, 7, 3), encB(-12, 5, 1, 4), selfLoop)
	h.SetX(5, 2*turns)
	h.SetX(10, testBase+0x1000)
	if stop := h.Run(Limits{}); stop.Reason != StopSelfLoop {
		t.Fatalf("%+v", stop)
	}
	want := Counts{Load: 2 * turns, RAMLoads: 2 * turns, Branch: turns, Taken: turns - 1, Compressed: 2 * turns}
	if diff := cmp.Diff(want, h.Counts()); diff != "" {
		t.Error(diff)
	}
}
