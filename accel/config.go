package accel

import (
	"fmt"
	"strconv"
	"strings"

	"socsim/clock"
	"socsim/fifo"
)

// Coupling is how a hash unit is connected to the core.
type Coupling uint8

// The couplings, with their numbers in the ID register and
// the SoC-info device.
const (
	None Coupling = iota // no unit: hashing is software
	RAM                  // memory-mapped state RAM
	FIFO                 // memory-mapped FIFOs
	LSU                  // the FIFOs in a window of the load/store unit
	LSUX                 // as LSU, with load-to-FIFO and store-from-FIFO instructions
	Reg                  // state in core registers, an instruction permutes
	RegX                 // as Reg, with an absorb instruction
	DMA                  // the FIFOs, fed by a DMA engine
	couplings
)

// couplingText holds name and meaning of the couplings.
var couplingText = [couplings]struct{ name, text string }{
	None: {"none", "software hashing"},
	RAM:  {"ram", "memory-mapped state RAM; software pads, starts and waits"},
	FIFO: {"fifo", "memory-mapped FIFOs; the unit absorbs, pads and permutes by itself"},
	LSU:  {"lsu", "the same FIFOs at the load/store unit: no bus crossing"},
	LSUX: {"lsux", "as lsu, with one instruction for each word between memory and FIFO"},
	Reg:  {"reg", "state in core registers, an instruction permutes"},
	RegX: {"regx", "as reg, with an absorb instruction"},
	DMA:  {"dma", "as fifo, with a DMA engine that moves words between RAM and the FIFOs"},
}

// String returns the coupling's name.
func (c Coupling) String() string {
	if c >= couplings {
		return "coupling " + strconv.Itoa(int(c))
	}
	return couplingText[c].name
}

// Text says in a line what the coupling is.
func (c Coupling) Text() string { return couplingText[c].text }

// Couplings lists those with a unit.
var Couplings = []Coupling{RAM, FIFO, LSU, LSUX, Reg, RegX, DMA}

// Addresses of the windows on the default platform and their size.
const (
	Base    = 0x1100_0000 // memory-mapped couplings
	LSUBase = 0x1200_0000 // couplings at the load/store unit
	Size    = 0x1000
)

// Line is the fast interrupt line of the hash unit.
const Line = 16

// Config describes an accelerator. The zero value of every field but XOF and
// Coupling means its default. None of the defaults is a published figure of the
// study this simulator follows.
type Config struct {
	XOF      *XOF // nil for None
	Coupling Coupling

	// CyclesPerRound of the permutation unit: N, or 1/N for N rounds a cycle.
	// Default 1. Zero cycles (0/1) is the what-if of an infinitely fast unit.
	CyclesPerRound Ratio
	// Startup is what each permutation takes on top of its rounds, in cycles.
	// Default 0.
	Startup clock.Cycle
	// InputDepth and OutputDepth are the FIFOs' depths in words. Default (an
	// assumption) is one block of the mode with the longest one: 42 for shake, 2
	// for ascon.
	InputDepth, OutputDepth int
}

// Name returns the accelerator's name: none, or xof-coupling.
func (c Config) Name() string {
	if c.Coupling == None || c.XOF == nil {
		return None.String()
	}
	return c.XOF.Name + "-" + c.Coupling.String()
}

// WithDefaults returns c with every default written out, for reports.
func (c Config) WithDefaults() Config {
	if c.XOF == nil {
		return c
	}
	if c.CyclesPerRound == (Ratio{}) {
		c.CyclesPerRound = Ratio{1, 1}
	}
	if !c.HasFIFOs() {
		return c
	}
	if c.InputDepth == 0 {
		c.InputDepth = c.XOF.block()
	}
	if c.OutputDepth == 0 {
		c.OutputDepth = c.XOF.block()
	}
	return c
}

// HasFIFOs tells whether words go through FIFOs on their way.
func (c Config) HasFIFOs() bool {
	return c.Coupling == FIFO || c.Coupling == LSU || c.Coupling == LSUX || c.Coupling == DMA
}

// InCore tells whether the unit is in the core's execute stage, with no window
// anywhere.
func (c Config) InCore() bool { return c.Coupling == Reg || c.Coupling == RegX }

// AtLSU tells whether the unit is decoded at the load/store unit, with no bus
// before it.
func (c Config) AtLSU() bool { return c.Coupling == LSU || c.Coupling == LSUX }

// Check returns an error that says which value makes no sense.
func (c Config) Check() error {
	if c.Coupling == None {
		return nil
	}
	if c.XOF == nil {
		return fmt.Errorf("coupling %s without a hash: say which, as in Config{XOF: SHAKE, Coupling: FIFO}", c.Coupling)
	}
	if c.Coupling >= couplings {
		return fmt.Errorf("accelerator %s does not exist; there are %s", c.Name(), allNames())
	}
	if err := c.XOF.Check(); err != nil {
		return err
	}
	d := c.WithDefaults()
	if err := d.CyclesPerRound.Check(); err != nil {
		return fmt.Errorf("accelerator %s: cycles per round: %w", c.Name(), err)
	}
	if d.Startup > MaxStartup {
		return fmt.Errorf("accelerator %s: start-up of %d cycles: it must be 0 to %d", c.Name(), d.Startup, clock.Cycle(MaxStartup))
	}
	if !c.HasFIFOs() {
		if c.InputDepth != 0 || c.OutputDepth != 0 {
			return fmt.Errorf("accelerator %s: it has no FIFOs, so there is no depth to set", c.Name())
		}
		return nil
	}
	for _, f := range []struct {
		name  string
		depth int
	}{{"input", d.InputDepth}, {"output", d.OutputDepth}} {
		if f.depth < 1 || f.depth > fifo.MaxDepth {
			return fmt.Errorf("accelerator %s: %s FIFO depth of %d words: it must be 1 to %d", c.Name(), f.name, f.depth, fifo.MaxDepth)
		}
	}
	return nil
}

// MaxStartup and MaxRatio bound what a user can ask for: more is a slip of the
// keyboard, and products of them stay far from the range of a Cycle.
const (
	MaxStartup = 1_000_000
	MaxRatio   = 1_000_000
)

// Permutation returns the cycles a permutation of that many rounds takes.
func (c Config) Permutation(rounds int) clock.Cycle {
	return c.WithDefaults().CyclesPerRound.Times(rounds) + c.Startup
}

// Ratio is a rational number of cycles, Num/Den.
type Ratio struct{ Num, Den uint32 }

// ParseRatio reads N or N/M.
func ParseRatio(text string) (Ratio, error) {
	num, den, fraction := strings.Cut(text, "/")
	if !fraction {
		den = "1"
	}
	n, err := strconv.ParseUint(num, 10, 32)
	m, err2 := strconv.ParseUint(den, 10, 32)
	r := Ratio{uint32(n), uint32(m)}
	if err != nil || err2 != nil || r.Check() != nil {
		return Ratio{}, fmt.Errorf("%q is not a number of cycles: want N or N/M with numbers up to %d, e.g. 2 or 1/4", text, MaxRatio)
	}
	return r, nil
}

// Check returns an error if r is not a number in range.
func (r Ratio) Check() error {
	if r.Den == 0 || r.Den > MaxRatio || r.Num > MaxRatio {
		return fmt.Errorf("%d/%d: both must be at most %d, and the second at least 1", r.Num, r.Den, MaxRatio)
	}
	return nil
}

// String returns N or N/M.
func (r Ratio) String() string {
	if r.Den == 1 {
		return strconv.Itoa(int(r.Num))
	}
	return fmt.Sprintf("%d/%d", r.Num, r.Den)
}

// Times returns n times r, rounded up.
func (r Ratio) Times(n int) clock.Cycle {
	den := uint64(r.Den)
	return clock.Cycle((uint64(n)*uint64(r.Num) + den - 1) / den)
}
