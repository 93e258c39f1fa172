package soc

import (
	"slices"

	"socsim/internal/nearest"
	"socsim/rv32"
	"socsim/soc/elf"
)

// roiSection holds the functions that are measured without being asked for.
const roiSection = ".text.roi"

// Region is what a function cost, everything it called included: from the
// first instruction of a call to the first one behind it.
type Region struct {
	Name    string `json:"name"`
	Calls   uint64 `json:"calls"`
	Cycles  uint64 `json:"cycles"`
	Instret uint64 `json:"instret"`
	Ledger  Ledger `json:"ledger"`
	Events  Events `json:"events"`
	// Accel is the accelerator's part; nil without one.
	Accel *AccelStats `json:"accel"`
	// SDitH is the coprocessor's part; nil without one.
	SDitH *SDitHStats `json:"sdith,omitempty"`
	// Open: a call had not returned when the run ended; it counts up to there.
	Open bool `json:"open"`
}

// reading is the state of all counters at one moment.
type reading struct {
	cycles, instret uint64
	ledger          Ledger
	events          Events
	accel           AccelStats
	sdith           SDitHStats
}

// region is a measured function. Of nested calls of itself only the outermost
// one counts.
type region struct {
	Region
	entry  uint32
	active bool
	ret    uint32 // where the outermost call returns to ...
	sp     uint32 // ... with this stack pointer, which an inner call has not
	start  reading
}

// regions measures functions by watching their entries and, once they are
// known, the addresses behind their calls.
type regions struct {
	list    []*region
	watch   map[uint32]func(*rv32.Hart)
	entries map[uint32][]*region
	returns map[uint32]bool
	unit    bool     // an accelerator is attached
	sdith   bool     // a coprocessor is
	fresh   []uint32 // return addresses not watched yet: the core must stop for them
	read    func() reading
}

// newRegions prepares the functions of roiSection and those named.
func newRegions(f *elf.File, names []string, unit, sdith bool, read func() reading) (*regions, error) {
	r := &regions{
		watch: map[uint32]func(*rv32.Hart){}, entries: map[uint32][]*region{}, returns: map[uint32]bool{}, unit: unit, sdith: sdith, read: read,
	}
	if s, ok := f.Section(roiSection); ok {
		for _, fn := range f.Functions(s) {
			r.add(fn.Name, fn.Addr)
		}
	}
	for _, name := range names {
		found := false
		all := f.All(name)
		for _, s := range all {
			if isCode(f, s) {
				r.add(name, s.Addr)
				found = true
			}
		}
		switch {
		case len(all) == 0:
			return nil, symbolError("Regions", "%s: no function %s to measure%s", f.Name, name, nearest.Hint(name, f.Names(elf.Function)))
		case !found:
			return nil, symbolError("Regions", "%s: %s is no function to measure: there is no code at that symbol", f.Name, name)
		}
	}
	return r, nil
}

// isCode tells whether a function may start at a symbol: a label of assembly
// code may be one, an end of a section or of a table is none.
func isCode(f *elf.File, s elf.Symbol) bool {
	if s.Kind != elf.Label {
		return s.Kind == elf.Function
	}
	return slices.ContainsFunc(f.Sections, func(in elf.Section) bool { return in.Exec && s.Addr-in.Addr < in.Size })
}

func (r *regions) add(name string, entry uint32) {
	same := func(g *region) bool { return g.Name == name && g.entry == entry }
	if slices.ContainsFunc(r.list, same) {
		return
	}
	g := &region{entry: entry}
	g.Name = name
	if r.unit {
		g.Accel = &AccelStats{}
	}
	if r.sdith {
		g.SDitH = &SDitHStats{}
	}
	r.list = append(r.list, g)
	r.entries[entry] = append(r.entries[entry], g)
	r.watch[entry] = r.reached
}

// reached is called when the instruction at a watched address is about to
// execute.
func (r *regions) reached(h *rv32.Hart) {
	pc, ra, sp := h.PC(), h.X(1), h.X(2)
	if r.returns[pc] {
		for _, g := range r.list {
			if g.active && g.ret == pc && g.sp == sp {
				g.stop(r.read())
			}
		}
	}
	for _, g := range r.entries[pc] {
		if g.active {
			continue
		}
		g.active, g.ret, g.sp, g.start = true, ra, sp, r.read()
		g.Calls++
		if !r.returns[ra] {
			r.returns[ra] = true
			r.fresh = append(r.fresh, ra)
			h.Halt()
		}
	}
}

// rearm makes the core watch the return addresses that have become known. It
// is called while the core stands still: the code there may be decoded already.
func (r *regions) rearm(h *rv32.Hart) {
	for _, pc := range r.fresh {
		r.watch[pc] = r.reached
		h.Wrote(pc, 2)
	}
	r.fresh = nil
}

func (g *region) stop(now reading) {
	g.active = false
	g.Cycles += now.cycles - g.start.cycles
	g.Instret += now.instret - g.start.instret
	g.Ledger = g.Ledger.plus(now.ledger.minus(g.start.ledger))
	g.Events = g.Events.plus(now.events.minus(g.start.events))
	if g.Accel != nil {
		*g.Accel = g.Accel.plus(now.accel.minus(g.start.accel))
	}
	if g.SDitH != nil {
		*g.SDitH = g.SDitH.plus(now.sdith.minus(g.start.sdith))
	}
}

// results returns the regions that were entered, in the order of the list.
func (r *regions) results() []Region {
	list := []Region{}
	for _, g := range r.list {
		if g.active {
			g.stop(r.read())
			g.Open = true
		}
		if g.Calls > 0 {
			list = append(list, g.Region)
		}
	}
	return list
}
