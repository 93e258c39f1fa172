package translate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"socsim/rv32"
)

// maxWalk is how far a candidate is looked for.
const maxWalk = 4000

// candidate finds a good entry on the way from where the interpreter is: the start of
// a loop or a function, seen by a branch back or a call.
func (e *Engine) candidate(h *rv32.Hart) (pc uint32, ok bool) {
	at, ra := h.PC(), h.X(1)
	for range maxWalk {
		s := h.Decoded(at)
		if s.Len == 0 || s.Instr == nil {
			break
		}
		target := at + uint32(s.Imm)
		switch {
		case s.Op == rv32.JAL && s.Rd != 0, s.Op == rv32.JAL && target <= at, s.Instr.Cost == rv32.CostBranch && target <= at:
			if enterable(h, target) {
				return target, true
			}
			at += uint32(s.Len)
		case s.Op == rv32.JAL:
			at = target
		case s.Op == rv32.JALR && s.Rd == 0:
			if s.Rs1 != 1 || ra == 0 {
				return h.PC(), enterable(h, h.PC())
			}
			at, ra = ra&^1, 0
		default:
			at += uint32(s.Len)
		}
	}
	return h.PC(), enterable(h, h.PC())
}

// translate makes a new module of the entries there are, those wanted, and what they
// call, if it is time for that.
func (e *Engine) translate(h *rv32.Hart) {
	regions := map[uint32]*region{}
	for _, r := range e.regions {
		regions[r.entry] = r
	}
	queue := append(slices.Sorted(maps.Keys(e.wanted)), slices.Sorted(maps.Keys(e.late))...)
	steps := uint64(0)
	for _, r := range regions {
		steps += uint64(r.steps)
	}
	fresh := 0
	for n := 0; n < len(queue) && steps < maxSteps; n++ {
		pc := queue[n]
		if regions[pc] != nil || !enterable(h, pc) {
			continue
		}
		r := discover(h, pc)
		if len(r.blocks) == 0 || len(r.blocks[0].steps) == 0 {
			continue
		}
		regions[pc] = r
		steps += uint64(r.steps)
		fresh++
		for _, b := range r.blocks {
			if b.end == endCall {
				queue = append(queue, b.other)
			}
		}
	}
	if fresh == 0 {
		clear(e.wanted)
		clear(e.late)
		e.needed, e.due = 0, 0
		return
	}
	if e.total+steps > maxTotal {
		return
	}
	if e.opt.Eager {
		e.needed = eagerCost * steps
	} else {
		e.needed = payback * steps * stepCost
		e.due = share * (e.total + steps) * stepCost
	}
	if e.interpreted < e.needed || h.Instret() < e.due {
		return
	}
	e.needed, e.due = 0, 0
	clear(e.wanted)
	clear(e.late)
	clear(e.hits)
	list := make([]*region, 0, len(regions))
	for _, pc := range slices.Sorted(maps.Keys(regions)) {
		list = append(list, regions[pc])
	}
	e.load(h, list, steps)
}

// load compiles a module of regions and lets it run.
func (e *Engine) load(h *rv32.Hart, list []*region, steps uint64) {
	callees := map[uint32]uint32{}
	e.classes = nil
	for i, r := range list {
		callees[r.entry] = firstRegion + uint32(i)
		if !slices.Contains(e.classes, r.class) {
			e.classes = append(e.classes, r.class)
		}
	}
	bodies := make([]code, len(list))
	for i, r := range list {
		bodies[i] = lower(h, r, e.layout, callees, len(e.classes) > 1)
	}
	binary := e.layout.module(uint64(len(e.memory)), bodies)
	if e.live {
		for _, n := range e.entries {
			h.Unmark(n.pc)
		}
		clear(e.memory[e.layout.targets : e.layout.targets+targetBytes<<targetBits])
		e.live = false
	}
	e.unload()
	if err := e.compile(binary); err != nil {
		e.broken = err
		e.regions, e.entries = nil, nil
		return
	}
	e.regions = list
	e.entries = make([]entry, len(list))
	e.worst = 0
	for _, r := range list {
		for _, b := range r.blocks {
			e.worst = max(e.worst, b.worst)
		}
	}
	for i, r := range list {
		e.entries[i] = entry{pc: r.entry, worst: r.blocks[0].worst}
	}
	e.total += steps
	e.interpreted = 0
	e.stats.Modules++
	e.stats.Translated += steps
	e.activate(h)
}

// ram gives a module its memory, which is there already.
type ram []byte

func (r ram) Allocate(_, _ uint64) experimental.LinearMemory { return r }
func (r ram) Reallocate(size uint64) []byte                  { return r[:size:size] }
func (r ram) Free()                                          {}

// compile makes a module of its binary form.
func (e *Engine) compile(binary []byte) (err error) {
	defer func() {
		if r := recover(); r != nil && e.runtime == nil { // no compiler after all
			err = fmt.Errorf("translate: %v", r)
		} else if r != nil {
			panic(r)
		}
	}()
	if e.runtime == nil {
		c := wazero.NewRuntimeConfigCompiler().WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall)
		if e.opt.Cache != nil {
			c = c.WithCompilationCache(e.opt.Cache.c)
		}
		e.runtime = wazero.NewRuntimeWithConfig(e.ctx, c)
	}
	// Workers look at the context between functions.
	compiled, err := e.runtime.CompileModule(experimental.WithCompilationWorkers(e.stop, workers), binary)
	e.compiled = compiled
	if err != nil {
		return fmt.Errorf("translate: %w", err)
	}
	e.mod, err = e.runtime.InstantiateModule(experimental.WithMemoryAllocator(e.ctx, ram(e.memory)), compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return fmt.Errorf("translate: %w", err)
	}
	e.run = e.mod.ExportedFunction("run")
	return nil
}
