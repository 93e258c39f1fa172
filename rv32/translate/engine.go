// Package translate is the fast engine of the core: it translates RV32 code that runs
// often into WebAssembly, which wazero compiles to code of the host, with exactly the
// cycles of the interpreter in rv32.
//
// A region is the code that can be reached from an entry without calls (region.go); it
// becomes one function of WebAssembly (lower.go, terminate.go, instr.go) in a module with a
// dispatcher (module.go); build.go says when. Guest RAM is a part of the module's memory. What is static of
// the cycles comes from rv32.Hart.Step, so both engines have it from one table. What
// hangs on more than registers is left to the interpreter, one instruction at a time:
// devices, misaligned addresses, CSRs, traps, instructions from outside, hidden jumps.
//
// Left out: f registers, and regions over more than one ledger class.
package translate

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"socsim/clock"
	"socsim/rv32"
)

// Options change what an engine does; no result changes with them.
type Options struct {
	// Eager translates whatever was seen once, whether it pays or not.
	Eager bool
	// Cache keeps compiled code for other engines; nil: none.
	Cache *Cache
}

// Cache is compiled code that engines share. It may be used by several at a time.
type Cache struct{ c wazero.CompilationCache }

// NewCache returns an empty cache in memory.
func NewCache() *Cache { return &Cache{wazero.NewCompilationCache()} }

// Close frees the code. No engine may use it any more.
func (c *Cache) Close() error { return c.c.Close(context.Background()) }

// Supported tells whether this host can run translated code.
func Supported() bool {
	switch runtime.GOOS {
	case "linux", "darwin", "windows", "freebsd", "netbsd":
		return runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"
	}
	return false
}

// When to translate. Costs are in instructions that the interpreter does in the time.
const (
	stepCost    = 2000 // to translate one instruction
	payback     = 3    // interpreted since the last time, in costs of this one
	share       = 20   // executed in the whole run, in costs of all translations
	hotSamples  = 3
	eagerCost   = 20 // interpreted cycles for each instruction translated, with Eager
	period      = 200_000
	eagerPeriod = 500
	manyMisses  = 20
	maxSteps    = 40_000  // instructions in one module
	maxTotal    = 600_000 // instructions translated in a run: a bound for its memory and time

	// An entry has to pay: after so many times it must have executed so many
	// instructions each time, or it is not entered from the interpreter any more.
	trialEntries = 256
	trialGain    = 60
)

// Engine is the translator of one hart. It is not safe for concurrent use.
type Engine struct {
	opt    Options
	layout layout
	memory []byte
	ctx    context.Context // of the run
	stop   context.Context // translating ends with it

	runtime  wazero.Runtime
	broken   error // the host cannot do it after all
	mod      api.Module
	compiled wazero.CompiledModule
	run      api.Function
	regions  []*region
	entries  []entry
	classes  []uint8 // ledger classes of the regions
	worst    uint64  // cycles between two checkpoints, at most
	live     bool    // marks are set
	changed  bool    // code was dropped since the last sample
	quiet    int     // samples until code that was dropped is looked at again
	backoff  int

	hits   map[uint32]int
	misses map[uint32]int  // by target
	wanted map[uint32]bool // entries of the next module ...
	late   map[uint32]bool // ... and those that may join it until it is made

	total       uint64 // instructions translated so far
	interpreted uint64 // cycles since the last translation, by samples
	needed, due uint64 // so many interpreted cycles, and executed instructions, the next one waits for

	stats Stats
	stack [1]uint64
}

// entry is where a region begins.
type entry struct {
	pc       uint32
	worst    uint64
	times    uint32
	executed uint64
}

// New returns an engine for a hart with such RAM; Config.RAM must be RAM().
func New(ramBase, ramSize uint32, o Options) (*Engine, error) {
	if !Supported() {
		return nil, fmt.Errorf("translate: wazero has no compiler for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	if !sameDivision() {
		panic("BUG: translate: a division takes other cycles than rv32 has")
	}
	l, bytes := arrange(ramBase, ramSize)
	if bytes >= 1<<32 {
		return nil, fmt.Errorf("translate: RAM of 0x%x bytes and the translator's state do not fit 4 GiB", ramSize)
	}
	words := make([]uint64, bytes/8)
	e := &Engine{opt: o, layout: l, ctx: context.Background(), stop: context.Background(), hits: map[uint32]int{}, misses: map[uint32]int{}, wanted: map[uint32]bool{}, late: map[uint32]bool{}, backoff: 1}
	e.memory = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), bytes)
	return e, nil
}

// RAM returns guest memory.
func (e *Engine) RAM() []byte { return e.memory[e.layout.ram:] }

// Until lets translating end with ctx. What was translated goes on running.
func (e *Engine) Until(ctx context.Context) { e.stop = ctx }

// Stats returns what was done up to now.
func (e *Engine) Stats() Stats { return e.stats }

// Err tells why the host refused to run translated code, nil if it did not.
func (e *Engine) Err() error { return e.broken }

// Close frees what was compiled; RAM stays.
func (e *Engine) Close() error {
	if e.runtime == nil {
		return nil
	}
	return e.runtime.Close(e.ctx)
}

// Period is that of rv32.Engine.
func (e *Engine) Period() clock.Cycle {
	if e.opt.Eager {
		return eagerPeriod
	}
	return period
}

// Dropped is that of rv32.Engine.
func (e *Engine) Dropped() {
	if !e.live {
		e.changed = true
		return
	}
	e.stats.Dropped++
	e.live, e.changed = false, true
	clear(e.memory[e.layout.targets : e.layout.targets+targetBytes<<targetBits])
}

// Sample is that of rv32.Engine.
func (e *Engine) Sample(h *rv32.Hart) {
	if e.broken != nil || e.stop.Err() != nil {
		return
	}
	e.interpreted += uint64(e.Period())
	if e.changed { // wait until it is quiet
		e.changed = false
		e.quiet = e.backoff
		e.backoff = min(2*e.backoff, 64)
	}
	if !e.live && len(e.regions) > 0 {
		if e.quiet--; e.quiet > 0 {
			return
		}
		if e.valid(h) {
			e.activate(h)
			return
		}
		e.discard(h)
	}
	if pc, ok := e.candidate(h); ok && !slices.ContainsFunc(e.entries, func(n entry) bool { return n.pc == pc }) {
		if e.hits[pc]++; e.hits[pc] >= hotSamples || e.opt.Eager {
			e.want(pc)
		}
	}
	if len(e.wanted)+len(e.late) > 0 && e.interpreted >= e.needed && h.Instret() >= e.due {
		e.translate(h)
	}
}

// want makes pc an entry of the next module, unless one is waited for that has been
// reckoned.
func (e *Engine) want(pc uint32) {
	if e.needed == 0 {
		e.wanted[pc] = true
	}
}

// miss is called when a jump led to pc, where no region begins. Where many do, as from a
// table of targets, one shall.
func (e *Engine) miss(h *rv32.Hart, pc uint32) {
	if e.misses[pc]++; e.misses[pc] == manyMisses || e.opt.Eager && e.misses[pc] == 1 {
		if enterable(h, pc) {
			e.late[pc] = true
		}
	}
}

// valid tells whether the code is still what was translated.
func (e *Engine) valid(h *rv32.Hart) bool {
	for _, r := range e.regions {
		for _, b := range r.blocks {
			for i := range b.steps {
				if h.Step(b.steps[i].PC) != b.steps[i] {
					return false
				}
			}
		}
	}
	return true
}

// discard forgets a module. Its entries are wanted again.
func (e *Engine) discard(h *rv32.Hart) {
	for _, n := range e.entries {
		if enterable(h, n.pc) {
			e.wanted[n.pc] = true
		}
	}
	e.regions, e.entries = nil, nil
	e.unload()
}

func (e *Engine) unload() {
	if e.mod != nil {
		e.mod.Close(e.ctx)
		if e.opt.Cache == nil {
			e.compiled.Close(e.ctx)
		}
		e.mod, e.run = nil, nil
	}
}

// activate lets the hart enter the module.
func (e *Engine) activate(h *rv32.Hart) {
	for i, r := range e.regions {
		for _, b := range r.blocks {
			h.Keep(b.pc)
			for _, pc := range b.targets() {
				h.Keep(pc)
			}
			if b.end == endCall {
				h.Keep(b.other)
			}
		}
		slot := e.memory[e.layout.slot(r.entry):]
		binary.LittleEndian.PutUint32(slot, r.entry|1)
		binary.LittleEndian.PutUint32(slot[4:], uint32(i)<<1|uint32(h.Step(r.entry).Mis32))
	}
	for i, r := range e.regions {
		h.Mark(r.entry, uint32(i))
	}
	e.live = true
}

// leastWindow is more than the offsets of one base register span.
const leastWindow = 8192

// workers compile functions side by side.
const workers = 2

// maxRun is how far translated code runs at a time: c has 31 bits for it.
const maxRun = 1 << 30

// Enter is that of rv32.Engine.
func (e *Engine) Enter(h *rv32.Hart, n uint32, until clock.Cycle) bool {
	in := &e.entries[n]
	room := min(uint64(until-h.Now()), maxRun)
	window, size := h.StoreWindow()
	if room <= in.worst || size < leastWindow {
		return false
	}
	state := e.memory[:stateBytes]
	le := binary.LittleEndian
	x := h.Registers()
	regs := (*[32]uint32)(unsafe.Pointer(&state[0]))
	*regs = *x
	le.PutUint32(state[stateEntry:], n)
	le.PutUint64(state[stateDeadline:], room<<32)
	le.PutUint32(state[stateWindow:], window)
	le.PutUint32(state[stateRoom:], size)
	le.PutUint32(state[stateLoad:], 0)
	if len(e.classes) > 1 {
		trapped := uint32(0)
		if h.Trapped() {
			trapped = 1
		}
		le.PutUint32(state[stateClass:], uint32(e.regions[n].class))
		le.PutUint32(state[stateTrapped:], trapped)
		le.PutUint64(state[stateMark:], 0)
	}
	if err := e.run.CallWithStack(e.ctx, e.stack[:0]); err != nil {
		panic("BUG: translate: translated code failed: " + err.Error())
	}
	c := le.Uint64(state[stateC:])
	e.stats.Entries++
	in.times++
	executed := c & 0xffff_ffff
	in.executed += executed
	pc := le.Uint32(state[statePC:])
	e.stats.Instructions += executed
	if in.times == trialEntries {
		if in.executed < trialEntries*trialGain && !e.opt.Eager {
			h.Unmark(in.pc)
			for pc := range e.misses { // it may pay with these in the next module
				if enterable(h, pc) {
					e.late[pc] = true
				}
			}
		}
		in.times, in.executed = 0, 0
	}
	e.stats.Exits[e.cause(h, pc, room-c>>32)]++
	if executed == 0 {
		return false
	}
	*x = *regs
	if pc&1 == 0 {
		e.miss(h, pc)
	}
	if len(e.classes) > 1 {
		e.book(h)
	}
	h.Leave(pc&^1, h.Now()+clock.Cycle(c>>32), executed, uint8(le.Uint32(state[stateLoad:])), pc&1 == 0)
	return true
}

// book hands on what was booked while the module ran.
func (e *Engine) book(h *rv32.Hart) {
	le, state := binary.LittleEndian, e.memory[:stateBytes]
	mark := le.Uint64(state[stateMark:])
	if mark == 0 {
		return
	}
	spent := map[uint8]clock.Cycle{}
	for _, c := range e.classes {
		at := state[stateSpent+8*uint32(c):]
		spent[c] = clock.Cycle(le.Uint64(at))
		le.PutUint64(at, 0)
	}
	h.Booked(uint8(le.Uint32(state[stateClass:])), h.Now()+clock.Cycle(mark), spent)
}
