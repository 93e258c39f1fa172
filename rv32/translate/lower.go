package translate

import (
	"slices"

	"socsim/rv32"
)

// The state of a run in WebAssembly.
//
// x1 to x31 are globals; within a block they are kept in locals and written back at its
// end, and the few that loops use most stay in locals for the whole region. Counter c
// holds cycles since the entry in its high and executed instructions in its low half:
// one addition for both, on every edge. A region takes c and how deep it may still
// call, and returns c and the next address, the truth about which is never the host's
// stack: a caller that gets another address than the one behind its call hands it on.
//
// The low bit of a returned address says that the interpreter is to go on there, and
// that c is that instruction's first cycle in EX. Without it a jump leads there, and
// the cycle for a misaligned target is still to be added.
const (
	globalDeadline = 31 // i64, as c
	globalWindow   = 32 // i32: where stores may go, as an offset into RAM ...
	globalRoom     = 33 // i32: ... and how many bytes there are
	globalClass    = 34 // i32: ledger class of the region that runs
	globals        = 35

	localC     = 0
	localDepth = 1
	localX     = 1 // + register
	localT     = 33
	localWide  = 34 // i64
	firstGroup = 35 // and so on: addresses of groups of accesses

	funcRun     = 0
	funcGoto    = 1
	funcCross   = 2
	firstRegion = 3

	typeRun    = 0 // () -> ()
	typeRegion = 1 // (c i64, depth i32) -> (pc i32, c i64)
	typeGoto   = 2 // (pc i32, c i64, depth i32) -> (pc i32, c i64)
	typeCross  = 3 // (class i32, c i64) -> ()
)

func globalOf(r uint8) uint32 { return uint32(r) - 1 }
func localOf(r uint8) uint32  { return localX + uint32(r) }

// maxHot is how many registers stay in locals across blocks: more would not fit the
// host's.
const maxHot = 8

// value is what is known of a register within a block.
type value struct {
	local bool   // the local has it
	dirty bool   // the global has not
	known bool   // it is k, and the local need not have it
	k     uint32 //
}

// group is a number of accesses in a block over the same value of a base register: one
// check of range and alignment is enough for all of them.
type group struct {
	base   uint8
	ver    int
	steps  []int
	align  int32 // the widest access; all lie at a multiple of their size from it
	anchor int32 // its offset
	lo, hi int32 // offsets of the first byte, and behind the last one
	store  bool
	local  uint32
}

// lowerer makes a function of a region.
type lowerer struct {
	code
	r       *region
	h       source
	layout  layout
	callees map[uint32]uint32 // entry to function index
	classes bool              // regions are of several ledger classes

	x      [32]value
	hot    [32]bool
	dirt   [32]bool // hot registers that the region writes
	groups uint32   // locals for groups
	labels []label
	pend   uint64 // not yet in c
}

// label is a place that br can lead to.
type label struct {
	b    *block // nil: the arm of an if
	loop bool
}

// layout is where things are in linear memory and in the address space.
type layout struct {
	ramBase, ramSize uint32
	ram              uint32 // offset of RAM
	targets          uint32 // offset of the table of targets
	mask             uint32 // of a target's index in it, shifted by one
}

// lower returns the body of the function for region r.
func lower(h source, r *region, l layout, callees map[uint32]uint32, classes bool) code {
	w := &lowerer{r: r, h: h, layout: l, callees: callees, classes: classes}
	w.cross()
	w.pickHot()
	for i := range uint8(32) {
		if w.hot[i] {
			w.gget(globalOf(i))
			w.set(localOf(i))
		}
	}
	w.tree(r.blocks[0])
	w.op(opUnreachable)
	return function([]locals{{32, typeI32}, {1, typeI64}, {w.groups, typeI32}}, w.code)
}

// cross books the cycles up to now, if those before belong to another class.
func (w *lowerer) cross() {
	if !w.classes {
		return
	}
	w.gget(globalClass)
	w.i32(uint32(w.r.class))
	w.op(opI32Ne, opIf, blockEmpty)
	w.i32(uint32(w.r.class))
	w.get(localC)
	w.call(funcCross)
	w.op(opEnd)
}

// pickHot chooses the registers that loops use most.
func (w *lowerer) pickHot() {
	var use [32]int
	for _, b := range w.r.blocks {
		for i := range b.steps {
			s := &b.steps[i]
			if writes(s) {
				w.dirt[s.Rd] = true
			}
			if b.weight > 1 {
				use[s.Rd] += b.weight
				use[s.Rs1] += b.weight
				use[s.Rs2] += b.weight
			}
		}
	}
	order := []uint8{}
	for i := uint8(1); i < 32; i++ {
		if use[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b uint8) int { return use[b] - use[a] })
	for _, r := range order[:min(len(order), maxHot)] {
		w.hot[r] = true
	}
}

// writes tells whether s writes a register other than x0.
func writes(s *rv32.Step) bool {
	return s.Rd != 0 && s.Instr.Cost != rv32.CostBranch && s.Instr.Cost != rv32.CostStore
}

// cycles are as c counts them.
func cycles(n uint64) uint64 { return n << 32 }

// step is one instruction of so many cycles.
func step(n uint64) uint64 { return n<<32 | 1 }

// Structured control flow: Ramsey, "Beyond Relooper" (ICFP 2022). The blocks that a
// block dominates are translated inside it, those where paths meet behind a block of
// WebAssembly that paths to them leave.

func (w *lowerer) tree(b *block) {
	var merges []*block
	for _, k := range b.kids {
		if k.preds >= 2 {
			merges = append(merges, k)
		}
	}
	slices.SortFunc(merges, func(a, c *block) int { return c.rpo - a.rpo })
	if b.loop {
		w.op(opLoop, blockEmpty)
		w.labels = append(w.labels, label{b, true})
	}
	w.within(b, merges)
	if b.loop {
		w.labels = w.labels[:len(w.labels)-1]
		w.op(opEnd, opUnreachable)
	}
}

func (w *lowerer) within(b *block, merges []*block) {
	if len(merges) == 0 {
		w.block(b)
		return
	}
	w.op(opBlock, blockEmpty)
	w.labels = append(w.labels, label{merges[0], false})
	w.within(b, merges[1:])
	w.labels = w.labels[:len(w.labels)-1]
	w.op(opEnd)
	w.tree(merges[0])
}

// edge goes on at pc, with c up to date; jumped as in rv32.Hart.Leave.
func (w *lowerer) edge(b *block, pc uint32, jumped bool) {
	t := w.r.target(b, pc)
	switch {
	case t == nil && jumped:
		// c has the cycle for a misaligned target in it.
		if mis := w.h.Step(pc).Mis32; mis != 0 {
			w.add(-cycles(uint64(mis)))
		}
		w.spillHot()
		w.i32(pc)
		w.get(localC)
		w.get(localDepth)
		w.op(opReturnCall)
		w.u(funcGoto)
	case t == nil:
		w.spillHot()
		w.i32(pc | 1)
		w.get(localC)
		w.op(opReturn)
	case t.rpo <= b.rpo:
		w.br(label{t, true})
	case t.preds >= 2:
		w.br(label{t, false})
	default:
		w.tree(t)
	}
}

func (w *lowerer) br(to label) {
	i := slices.Index(w.labels, to)
	if i < 0 {
		panic("BUG: translate: a branch to a block that is not around it")
	}
	w.op(opBr)
	w.u(uint32(len(w.labels) - 1 - i))
}

// add adds a constant to c.
func (w *lowerer) add(n uint64) {
	if n != 0 {
		w.get(localC)
		w.i64(n)
		w.op(opI64Add)
		w.set(localC)
	}
}

// read pushes register r.
func (w *lowerer) read(r uint8) {
	v := &w.x[r]
	switch {
	case r == 0:
		w.i32(0)
	case v.known:
		w.i32(v.k)
	case v.local || w.hot[r]:
		w.get(localOf(r))
	default:
		w.gget(globalOf(r))
		w.tee(localOf(r))
		v.local = true
	}
}

// write pops register r.
func (w *lowerer) write(r uint8) {
	if r == 0 {
		w.op(opDrop)
		return
	}
	w.set(localOf(r))
	w.x[r] = value{local: true, dirty: true}
}

// writeKnown makes register r the constant k.
func (w *lowerer) writeKnown(r uint8, k uint32) {
	if r != 0 {
		w.x[r] = value{dirty: true, known: true, k: k}
	}
}

// spill writes back what blocks keep, and with hot also what the region keeps,
// leaving what is known as it is.
func (w *lowerer) spill(hot bool) {
	for r := uint8(1); r < 32; r++ {
		v := w.x[r]
		if w.hot[r] && (!hot || !w.dirt[r]) || !w.hot[r] && !v.dirty {
			continue
		}
		if v.known {
			w.i32(v.k)
		} else {
			w.get(localOf(r))
		}
		w.gset(globalOf(r))
	}
}

// settle ends a block: globals and hot locals have everything.
func (w *lowerer) settle() {
	w.spill(false)
	for r := uint8(1); r < 32; r++ {
		if w.hot[r] && w.x[r].known {
			w.i32(w.x[r].k)
			w.set(localOf(r))
		}
	}
	w.x = [32]value{}
}

// spillHot writes back the hot registers between blocks.
func (w *lowerer) spillHot() {
	for r := uint8(1); r < 32; r++ {
		if w.hot[r] && w.dirt[r] {
			w.get(localOf(r))
			w.gset(globalOf(r))
		}
	}
}

// exit leaves in front of step i of b, for the interpreter.
func (w *lowerer) exit(b *block, i int) {
	pc := b.exit
	if i < len(b.steps) {
		pc = b.steps[i].PC
	}
	w.spill(true)
	if i > 0 && b.steps[i-1].LoadJump && b.steps[i-1].Cost == 1 {
		w.i32(0)
		w.i32(uint32(b.steps[i-1].Rd))
		w.mem(opI32Store, stateLoad)
	}
	w.i32(pc | 1)
	w.get(localC)
	w.i64(w.pend)
	w.op(opI64Add, opReturn)
}

// exitIf does so if what was pushed last is not 0.
func (w *lowerer) exitIf(b *block, i int) {
	w.op(opIf, blockEmpty)
	w.exit(b, i)
	w.op(opEnd)
}

// block translates b and what follows it.
func (w *lowerer) block(b *block) {
	w.pend, w.x = 0, [32]value{}
	if b.check {
		w.get(localC)
		w.i64(cycles(b.worst))
		w.op(opI64Add)
		w.gget(globalDeadline)
		w.op(opI64GeU, opIf, blockEmpty)
		w.spillHot()
		w.i32(b.pc | 1)
		w.get(localC)
		w.op(opReturn, opEnd)
	}
	groups := w.plan(b)
	body := b.steps
	if b.end != endFall && b.end != endExit {
		body = body[:len(body)-1]
	}
	for i := range body {
		s := &body[i]
		switch s.Instr.Cost {
		case rv32.CostLoad, rv32.CostStore:
			w.access(b, i, groups[i])
		default:
			w.compute(s)
		}
		w.pend += step(uint64(s.Cost))
	}
	w.terminate(b)
}
