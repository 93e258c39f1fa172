package soc

import (
	"fmt"

	"socsim/bus"
	"socsim/rv32"
)

// Events is how often things happened that cost energy, in a region or in the whole
// run; of the accelerator's AccelStats has more. All counts are exact.
type Events struct {
	// Stall are awake cycles in which the core waits for the grant or the answer of an
	// access, or for a unit that holds its instruction; the first cycle of an instruction is one only if
	// an earlier access still waits in it.
	Stall uint64 `json:"stall_cycles"`

	// Transactions of the core, other than with RAM: Crossbar those with devices on the bus,
	// Bridge those of them that go on behind a bridge (every bus but obi has one), Local
	// those with a window at the load/store unit.
	Crossbar uint64 `json:"crossbar"`
	Bridge   uint64 `json:"bridge"`
	Local    uint64 `json:"local"`

	// Instructions are counted with Options.Events only; nil else.
	Instructions *Instructions `json:"instructions"`
}

// Instructions are retired instructions by class, which add up to instret, and what
// they did besides.
type Instructions struct {
	ALU     uint64 `json:"alu"`
	Mul     uint64 `json:"mul"`
	MulHigh uint64 `json:"mul_high"` // mulh, mulhsu, mulhu
	Div     uint64 `json:"div"`      // rem, too
	Load    uint64 `json:"load"`
	Store   uint64 `json:"store"`
	Branch  uint64 `json:"branch"`
	Jump    uint64 `json:"jump"`
	CSR     uint64 `json:"csr"`
	Custom  uint64 `json:"custom"` // permute and absorb instructions
	System  uint64 `json:"system"` // fences, calls, mret, wfi

	Taken      uint64 `json:"branches_taken"`
	Compressed uint64 `json:"compressed"` // of 16 bits
	UnitMoves  uint64 `json:"unit_moves"` // loads and stores that are ldfifo and stfifo
	DivCycles  uint64 `json:"div_cycles"`
	RAMLoads   uint64 `json:"ram_loads"` // transactions; across a word boundary there are two
	RAMStores  uint64 `json:"ram_stores"`
}

// classes are the counts that add up to instret.
func (i *Instructions) classes() []uint64 {
	return []uint64{i.ALU, i.Mul, i.MulHigh, i.Div, i.Load, i.Store, i.Branch, i.Jump, i.CSR, i.Custom, i.System}
}

// all are all counts.
func (i *Instructions) all() []*uint64 {
	return []*uint64{&i.ALU, &i.Mul, &i.MulHigh, &i.Div, &i.Load, &i.Store, &i.Branch, &i.Jump, &i.CSR, &i.Custom, &i.System,
		&i.Taken, &i.Compressed, &i.UnitMoves, &i.DivCycles, &i.RAMLoads, &i.RAMStores}
}

// all are all counts but those of instructions.
func (e *Events) all() []*uint64 { return []*uint64{&e.Stall, &e.Crossbar, &e.Bridge, &e.Local} }

func instructions(n rv32.Counts, instret uint64) *Instructions {
	i := &Instructions{
		Mul: n.Mul, MulHigh: n.MulHigh, Div: n.Div, Load: n.Load, Store: n.Store, Branch: n.Branch, Jump: n.Jump, CSR: n.CSR,
		Custom: n.Custom, System: n.System, Taken: n.Taken, Compressed: n.Compressed, UnitMoves: n.UnitMoves,
		DivCycles: uint64(n.DivCycles), RAMLoads: n.RAMLoads, RAMStores: n.RAMStores,
	}
	i.ALU = instret
	for _, n := range i.classes()[1:] {
		i.ALU -= n
	}
	return i
}

// combine returns e with f applied to each count of it and of o.
func (e Events) combine(o Events, f func(a, b uint64) uint64) Events {
	other := o.all()
	for n, p := range e.all() {
		*p = f(*p, *other[n])
	}
	if o.Instructions == nil {
		return e
	}
	var i Instructions // e may be the zero value
	if e.Instructions != nil {
		i = *e.Instructions
	}
	other = o.Instructions.all()
	for n, p := range i.all() {
		*p = f(*p, *other[n])
	}
	e.Instructions = &i
	return e
}

func (e Events) plus(o Events) Events { return e.combine(o, func(a, b uint64) uint64 { return a + b }) }
func (e Events) minus(o Events) Events {
	return e.combine(o, func(a, b uint64) uint64 { return a - b })
}

// readEvents returns the events up to now.
func (s *System) readEvents() Events {
	e := Events{Stall: uint64(s.hart.Stalled())}
	s.port.Visit(func(w *bus.Window, transactions uint64) {
		switch {
		case len(w.Path) == 0:
			e.Local += transactions
		case w.Path[len(w.Path)-1].Name == obi:
			e.Crossbar += transactions
		default:
			e.Crossbar += transactions
			e.Bridge += transactions
		}
	})
	if s.opt.Events {
		e.Instructions = instructions(s.hart.Counts(), s.hart.Instret())
	}
	return e
}

// obi is the bus preset without a bridge.
const obi = "obi"

// consistent compares events with each other and with the cycles they happened in.
func (e *Events) consistent(cycles, sleep, instret uint64) error {
	if e.Stall > cycles-sleep || e.Bridge > e.Crossbar {
		return fmt.Errorf("%d of %d awake cycles stalled, %d of %d transactions over a bridge: a part is larger than the whole", e.Stall, cycles-sleep, e.Bridge, e.Crossbar)
	}
	i := e.Instructions
	if i == nil {
		return nil
	}
	var sum uint64
	for _, n := range i.classes() {
		sum += n
	}
	switch {
	case sum != instret:
		return fmt.Errorf("instructions: the classes add up to %d, not to %d instructions", sum, instret)
	case i.Taken > i.Branch || i.Compressed > instret || i.UnitMoves > i.Load+i.Store || i.DivCycles < i.Div:
		return fmt.Errorf("instructions: of %d branches %d were taken, of %d instructions %d compressed, %d divisions took %d cycles: a part is larger than the whole",
			i.Branch, i.Taken, instret, i.Compressed, i.Div, i.DivCycles)
	case i.RAMLoads+i.RAMStores+e.Crossbar+e.Local < i.Load+i.Store:
		return fmt.Errorf("instructions: %d loads and stores made no more than %d transactions", i.Load+i.Store, i.RAMLoads+i.RAMStores+e.Crossbar+e.Local)
	}
	return nil
}

// within returns an error if a count of a region is larger than that of the run.
func (e *Events) within(run *Events) error {
	if (e.Instructions == nil) != (run.Instructions == nil) {
		return fmt.Errorf("instructions: the run counts them by class, or none of its regions does")
	}
	parts, all := e.all(), run.all()
	if e.Instructions != nil {
		parts, all = append(parts, e.Instructions.all()...), append(all, run.Instructions.all()...)
	}
	for n, p := range parts {
		if *p > *all[n] {
			return fmt.Errorf("%d of something of which the whole run has %d", *p, *all[n])
		}
	}
	return nil
}
