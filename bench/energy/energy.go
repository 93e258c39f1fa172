// Package energy estimates what a run costs in joules: how often each thing happened,
// times what it costs. It is a pure function of a result and a table of
// coefficients; Load reads tables, and 65nm is built in.
//
// Every coefficient has an interval, and so has every estimate: its low end is the
// estimate with all coefficients at their low ends, its high end that with all at their high ends,
// for errors of technology, voltage and activity move many of them together. So intervals of
// two systems overlap although one of them may be the better one at every choice: Rank compares
// under one choice at a time.
//
// Left out: glitches, the clock tree of an idle unit, voltage and frequency scaling, and
// what is not in the model (pads, clock generation). Estimates serve to compare
// couplings; as absolute joules they are no better than their intervals.
package energy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"socsim/accel"
	"socsim/soc"
)

// Interval is a value and the interval in which it is thought to be.
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func (i Interval) plus(j Interval) Interval {
	return Interval{i.Value + j.Value, i.Low + j.Low, i.High + j.High}
}

func (i Interval) times(f float64) Interval { return Interval{i.Value * f, i.Low * f, i.High * f} }

// Estimate is what a run costs, and each of its regions.
type Estimate struct {
	Table string `json:"table"`
	Node  string `json:"node"`
	// Counted tells whether instructions were counted by class; if not, a usual mix of
	// them is assumed, and the interval is the wider.
	Counted bool `json:"counted"`
	// Assumed are the coefficients that matter to the run and have no source, or not for
	// all of their derivation.
	Assumed []string    `json:"assumed"`
	Run     Operation   `json:"run"`
	Regions []Operation `json:"regions"`
}

// Operation is what a region, or the whole run, costs.
type Operation struct {
	Name         string      `json:"name"`
	Cycles       uint64      `json:"cycles"`
	Milliseconds float64     `json:"ms"`
	Nanojoules   Interval    `json:"nanojoules"`
	Milliwatts   Interval    `json:"milliwatts"` // on average
	Components   []Component `json:"components"` // all of Components; they add up to Nanojoules
}

// Component is a part of the energy of an operation.
type Component struct {
	Name string `json:"name"`
	Interval
}

// Of estimates a result. It fails if there is no coefficient for the accelerator's
// permutation, or the clock is 0.
func Of(r *soc.Result, c Coefficients) (Estimate, error) {
	s, err := systemOf(r)
	if err != nil {
		return Estimate{}, err
	}
	e := Estimate{Table: c.Name, Node: c.Node, Counted: r.Events.Instructions != nil, Assumed: []string{}, Regions: []Operation{}}
	whole := run(r)
	e.Run = s.operation("", whole, c)
	for _, key := range keys {
		if c.Values[key].Assumed != "" && s.matters(key, whole, c) {
			e.Assumed = append(e.Assumed, key)
		}
	}
	for i := range r.Regions {
		e.Regions = append(e.Regions, s.operation(r.Regions[i].Name, &r.Regions[i], c))
	}
	return e, nil
}

// matters tells whether a coefficient has a part in what a region costs.
func (s *system) matters(key string, g *soc.Region, c Coefficients) bool {
	value := func(k string) float64 { return c.Values[k].Value }
	other := func(k string) float64 {
		if k == key {
			return 2*value(k) + 1
		}
		return value(k)
	}
	return !slices.Equal(s.components(g, value), s.components(g, other))
}

// run is the whole run as one region.
func run(r *soc.Result) *soc.Region {
	g := &soc.Region{Cycles: r.Cycles, Instret: r.Instret, Ledger: r.Ledger, Events: r.Events}
	for _, d := range r.Devices {
		if d.Accel != nil {
			a := soc.Accelerated(*d.Accel)
			g.Accel = &a
		}
	}
	return g
}

// JSON returns the estimate as it stands in a result.
func (e Estimate) JSON() (json.RawMessage, error) { return json.Marshal(e) }

// Read returns the estimate that a result has, nil if it has none.
func Read(r *soc.Result) (*Estimate, error) {
	if r.Energy == nil {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(r.Energy))
	d.DisallowUnknownFields()
	e := &Estimate{}
	if err := d.Decode(e); err != nil {
		return nil, fmt.Errorf("energy: %w", err)
	}
	for _, o := range append([]Operation{e.Run}, e.Regions...) {
		var sum float64
		for _, c := range o.Components {
			sum += c.Value
		}
		if n := o.Nanojoules; math.Abs(sum-n.Value) > 1e-6*n.Value || n.Low > n.Value || n.Value > n.High {
			return nil, fmt.Errorf("energy: the components of %q add up to %v, not to %v, or that is not in its interval", o.Name, sum, n.Value)
		}
	}
	return e, nil
}

// operation evaluates the terms of a region thrice: with all coefficients at their
// values, at their low and at their high ends.
func (s *system) operation(name string, g *soc.Region, c Coefficients) Operation {
	value := s.components(g, func(key string) float64 { return c.Values[key].Value })
	low := s.components(g, func(key string) float64 { return c.Values[key].Low })
	high := s.components(g, func(key string) float64 { return c.Values[key].High })
	seconds := float64(g.Cycles) / s.hz
	o := Operation{Name: name, Cycles: g.Cycles, Milliseconds: 1000 * seconds}
	for i, about := range Components {
		const nano = 1e-3 // of a picojoule
		part := Interval{value[i], low[i], high[i]}.times(nano)
		o.Components = append(o.Components, Component{about.Name, part})
		o.Nanojoules = o.Nanojoules.plus(part)
	}
	if seconds > 0 {
		o.Milliwatts = o.Nanojoules.times(1e-6 / seconds)
	}
	return o
}

// system is what of a configuration decides about energy.
type system struct {
	hz             float64
	permutation    string  // keccak or ascon; empty without a unit
	inCore         bool    // the unit keeps its state in registers of the core
	dma            bool    // it has a DMA engine
	roundsPerCycle float64 // of the hardware there is
	fifoWords      float64 // of both FIFOs
}

func systemOf(r *soc.Result) (*system, error) {
	c := r.Config
	s := &system{hz: float64(c.ClockHz)}
	if c.ClockHz == 0 {
		return nil, fmt.Errorf("energy: clock_hz is 0, so cycles take no time")
	}
	if c.AccelParameters == nil {
		return s, nil
	}
	a, err := accel.Parse(c.Accel)
	if err != nil || a.XOF == nil {
		return nil, fmt.Errorf("energy: there are no coefficients for the permutation of %s", c.Accel)
	}
	s.permutation = "keccak"
	if a.XOF.Lanes == asconLanes {
		s.permutation = "ascon"
	}
	s.inCore, s.dma = a.InCore(), a.Coupling == accel.DMA
	s.fifoWords = float64(c.AccelParameters.InputDepth + c.AccelParameters.OutputDepth)
	ratio, err := accel.ParseRatio(c.AccelParameters.CyclesPerRound)
	if err != nil {
		return nil, fmt.Errorf("energy: %w", err)
	}
	s.roundsPerCycle = 1 // slower ones, too, have hardware for a round; so has the ideal one
	if 0 < ratio.Num && ratio.Num < ratio.Den {
		s.roundsPerCycle = float64(ratio.Den) / float64(ratio.Num)
	}
	return s, nil
}

// asconLanes is the size of the state of Ascon, in words of 64 bits.
const asconLanes = 5

// About says what a component is.
type About struct{ Name, Text string }

// Components are what energy is split into, in this order.
var Components = []About{
	{"core", "active cycles of the core, whatever the instruction"},
	{"multiply", "products, on top of their cycles"},
	{"divide", "divisions, on top of their cycles"},
	{"load_store", "loads and stores, on top of their cycles"},
	{"absorb", "absorb instructions, on top of their cycles"},
	{"stall", "cycles in which the core waits for devices"},
	{"sleep", "cycles asleep"},
	{"fetch", "words of code read from RAM"},
	{"ram", "words of data read from RAM and written, the DMA engine's included"},
	{"bus", "transactions, RAM's included"},
	{"dma", "words moved by the DMA engine"},
	{"fifo", "words pushed and popped"},
	{"state", "words written to the state of the unit"},
	{"permutation", "rounds and busy cycles"},
	{"leak_logic", "leakage of core, bus and unit"},
	{"leak_ram", "leakage of RAM"},
}

// term is a part of the energy: so many picojoules of a component.
type term struct {
	component string
	pj        float64
}

// keys are all that terms asks for; a test holds that it asks for each.
var keys = []string{
	"area.ascon", "area.ascon_round", "area.bus", "area.core", "area.dma", "area.fifo_word", "area.keccak", "area.keccak_round",
	"ascon.cycle", "ascon.round", "bus.bridge", "bus.lsu", "bus.obi",
	"core.absorb", "core.active", "core.div", "core.ldst", "core.mul", "core.sleep", "core.stall",
	"dma.beat", "fetch.flushed", "fifo.pop", "fifo.push", "keccak.cycle", "keccak.round", "leak.logic", "leak.ram",
	"mix.div", "mix.halfwords", "mix.jumps", "mix.loads", "mix.mul", "mix.stores",
	"ram.bank_kib", "ram.leak_kib", "ram.read", "ram.write", "reg.bit",
}

// components returns the picojoules of a region, by component.
func (s *system) components(g *soc.Region, k func(string) float64) []float64 {
	sums := make([]float64, len(Components))
	for _, t := range s.terms(g, k) {
		i := slices.IndexFunc(Components, func(a About) bool { return a.Name == t.component })
		sums[i] += t.pj
	}
	return sums
}

// work is what instructions did, counted or by the usual mix.
type work struct{ loads, stores, moves, muls, divCycles, halfwords, jumps, ldst float64 }

func (s *system) work(g *soc.Region, k func(string) float64) work {
	n := float64(g.Instret)
	if i := g.Events.Instructions; i != nil {
		return work{
			loads: float64(i.RAMLoads), stores: float64(i.RAMStores), moves: float64(i.UnitMoves), muls: float64(i.Mul + i.MulHigh),
			divCycles: float64(i.DivCycles), halfwords: 2*n - float64(i.Compressed), jumps: float64(i.Taken + i.Jump),
			ldst: float64(i.Load + i.Store),
		}
	}
	w := work{
		loads: n * k("mix.loads"), stores: n * k("mix.stores"), muls: n * k("mix.mul"), divCycles: n * k("mix.div"),
		halfwords: n * k("mix.halfwords"), jumps: n * k("mix.jumps"),
	}
	w.ldst = w.loads + w.stores + float64(g.Events.Crossbar+g.Events.Local)
	return w
}

// terms returns everything that costs energy. Every term grows with every coefficient, so that all of
// them at their low ends give the low end.
func (s *system) terms(g *soc.Region, k func(string) float64) []term {
	const (
		micro     = 1e6 // picojoules
		wordBits  = 32
		halfwords = 2 // of a word
	)
	w, e := s.work(g, k), g.Events
	var a soc.AccelStats
	if g.Accel != nil {
		a = *g.Accel
	}
	beats := float64(a.DMALoads + a.DMAStores)
	bank := math.Sqrt(k("ram.bank_kib"))
	active := float64(g.Cycles - g.Ledger.Sleep - e.Stall)
	absorbed, absorbs := float64(a.WordsIn), 0.0
	if s.inCore { // into registers of the core, by an instruction
		absorbed, absorbs = 0, absorbed
	}
	kge := k("area.core") + k("area.bus")
	list := []term{
		{"core", k("core.active") * active},
		{"multiply", k("core.mul") * w.muls},
		{"divide", k("core.div") * w.divCycles},
		{"load_store", k("core.ldst") * w.ldst},
		{"absorb", k("core.absorb") * absorbs},
		{"stall", k("core.stall") * float64(e.Stall)},
		{"sleep", k("core.sleep") * float64(g.Ledger.Sleep)},
		{"fetch", k("ram.read") * bank * (w.halfwords/halfwords + k("fetch.flushed")*w.jumps)},
		{"ram", k("ram.read") * bank * (w.loads + float64(a.DMALoads))},
		{"ram", k("ram.write") * bank * (w.stores + float64(a.DMAStores))},
		{"bus", k("bus.obi") * (w.loads + w.stores + float64(e.Crossbar) + beats)},
		{"bus", k("bus.bridge") * float64(e.Bridge)},
		{"bus", k("bus.lsu") * (float64(e.Local) + w.moves)},
		{"leak_ram", k("leak.ram") * k("ram.leak_kib") * micro * float64(g.Cycles) / s.hz},
	}
	if p := s.permutation; p != "" {
		list = append(list,
			term{"permutation", k(p+".cycle") * float64(a.BusyCycles)},
			term{"permutation", k(p+".round") * float64(a.Rounds)},
			term{"fifo", k("fifo.push") * float64(a.FIFOPushes)},
			term{"fifo", k("fifo.pop") * float64(a.FIFOPops)},
			term{"state", k("reg.bit") * wordBits * absorbed},
		)
		kge += k("area."+p) + k("area."+p+"_round")*s.roundsPerCycle + k("area.fifo_word")*s.fifoWords
	}
	if s.dma {
		list = append(list, term{"dma", k("dma.beat") * beats})
		kge += k("area.dma")
	}
	return append(list, term{"leak_logic", k("leak.logic") * kge * micro * float64(g.Cycles) / s.hz})
}
