package translate

import (
	"slices"

	"socsim/rv32"
)

// Caps of one region. wazero's compile time grows faster than the number of blocks:
// 1,300 take more than half a second, 5,000 more than twenty.
const (
	maxBlocks      = 250
	maxRegionSteps = 5000
)

// ends says how a block ends.
type ends uint8

const (
	endFall   ends = iota // goes on in the next block
	endBranch             // conditional: next or other
	endGoto               // jal x0 to other
	endCall               // jal with a link: other is the callee, next where it returns to
	endCallI              // jalr with a link
	endJump               // jalr without one: a return, or a jump through a table
	endExit               // the instruction at exit is for the interpreter
)

// block is a stretch of code that is entered at its start and left at its end.
type block struct {
	pc    uint32
	steps []rv32.Step // without the one that the interpreter is to do
	end   ends
	next  uint32 // address of the block behind
	other uint32 // address of the target
	exit  uint32 // of the instruction for the interpreter

	succ  []*block // those in the region, in the order next, other
	cuts  []uint32 // targets in the region that are left for all that
	preds int      // edges that go forward
	rpo   int
	idom  *block
	kids  []*block // dominated by it, by rpo
	loop  bool     // some edge goes back to it
	seen  bool     // it can be reached

	check  bool   // it is a checkpoint: the deadline is looked at here
	worst  uint64 // cycles to the next checkpoint at most, from here on
	weight int    // how often it runs, roughly: by loops around it
}

// region is the code that can be reached from an entry without call or return, as far
// as the caps let it: one function of WebAssembly.
type region struct {
	entry  uint32
	class  uint8
	blocks []*block // in reverse postorder; the first is the entry
	at     map[uint32]*block
	steps  int
}

// source is where the instructions come from.
type source interface{ Step(pc uint32) rv32.Step }

// jalr tells whether s jumps through a register.
func jalr(s *rv32.Step) bool { return s.Op == rv32.JALR && s.Rs1 != 0 }

// enterable tells whether code can be entered at pc from outside: no wait of a jalr
// for what was loaded before may be open then.
func enterable(h source, pc uint32) bool {
	s := h.Step(pc)
	if s.Len == 0 || s.Exact || jalr(&s) {
		return false
	}
	t := h.Step(pc + uint32(s.Len))
	return !(t.Len != 0 && jalr(&t))
}

// register tells whether the translator knows register r: it leaves the f registers to
// the interpreter.
func register(r uint8) bool { return r < 32 }

// ordinary tells whether s can be translated.
func ordinary(s *rv32.Step) bool {
	return s.Len != 0 && !s.Exact && register(s.Rd) && register(s.Rs1) && register(s.Rs2)
}

// discover finds the region of an entry.
func discover(h source, entry uint32) *region {
	r := &region{entry: entry, class: h.Step(entry).Class}
	leaders := map[uint32]bool{entry: true}
	steps := map[uint32]rv32.Step{}
	queue := []uint32{entry}
	lead := func(pc uint32) {
		if !leaders[pc] && len(leaders) < maxBlocks {
			leaders[pc] = true
			queue = append(queue, pc)
		}
	}
	for n := 0; n < len(queue); n++ {
		for pc := queue[n]; ; {
			if _, ok := steps[pc]; ok || len(steps) >= maxRegionSteps {
				break
			}
			s := h.Step(pc)
			if !ordinary(&s) || s.Class != r.class {
				break
			}
			steps[pc] = s
			next := pc + uint32(s.Len)
			if s.Instr.Cost == rv32.CostBranch {
				lead(next)
				lead(pc + uint32(s.Imm))
				break
			}
			if s.Op == rv32.JAL || s.Op == rv32.JALR {
				if s.Rd != 0 {
					lead(next)
				} else if s.Op == rv32.JAL {
					lead(pc + uint32(s.Imm))
				}
				break
			}
			pc = next
		}
	}
	r.cut(h, leaders, steps)
	r.order()
	r.measure()
	return r
}

// cut makes the blocks.
func (r *region) cut(h source, leaders map[uint32]bool, steps map[uint32]rv32.Step) {
	r.at = map[uint32]*block{}
	for pc := range leaders {
		if _, ok := steps[pc]; !ok {
			continue
		}
		b := &block{pc: pc}
		for at := pc; ; {
			s, ok := steps[at]
			if !ok {
				b.end, b.exit = endExit, at
				break
			}
			b.steps = append(b.steps, s)
			b.next = at + uint32(s.Len)
			if s.Instr.Cost == rv32.CostBranch {
				b.end, b.other = endBranch, at+uint32(s.Imm)
				break
			}
			if s.Op == rv32.JAL {
				b.end, b.other = endCall, at+uint32(s.Imm)
				if s.Rd == 0 {
					b.end = endGoto
				}
				break
			}
			if s.Op == rv32.JALR {
				b.end = endCallI
				if s.Rd == 0 {
					b.end = endJump
				}
				break
			}
			at = b.next
			if leaders[at] {
				b.end = endFall
				break
			}
		}
		// A lw whose jalr is the second instruction of the next block: its wait
		// would hang on the way there.
		if n := len(b.steps) - 1; b.end == endFall && b.steps[n].LoadJump {
			b.end, b.exit = endExit, b.steps[n].PC
			b.steps = b.steps[:n]
		}
		r.at[pc] = b
	}
}

// order finds the edges within the region, the order of the blocks, dominators and
// loops. An edge back to a block that does not dominate its start (irreducible code)
// leaves the region instead.
func (r *region) order() {
	entry := r.at[r.entry]
	if entry == nil {
		return
	}
	for {
		r.blocks = nil
		for _, b := range r.at {
			b.succ, b.seen, b.kids, b.preds, b.loop, b.idom = nil, false, nil, 0, false, nil
		}
		r.walk(entry)
		slices.Reverse(r.blocks)
		for i, b := range r.blocks {
			b.rpo = i
		}
		r.dominate()
		if r.reducible() {
			break
		}
	}
	for _, b := range r.blocks {
		for _, pc := range b.targets() { // a branch to the next instruction has two edges there
			if s := r.target(b, pc); s != nil && s.rpo <= b.rpo {
				s.loop = true
			} else if s != nil {
				s.preds++
			}
		}
		if b.idom != nil {
			b.idom.kids = append(b.idom.kids, b)
		}
	}
	for pc, b := range r.at {
		if !b.seen {
			delete(r.at, pc)
		}
	}
}

// target returns the block of an edge that stays in the region, nil for one that
// leaves it.
func (r *region) target(b *block, pc uint32) *block {
	for _, s := range b.succ {
		if s.pc == pc {
			return s
		}
	}
	return nil
}

func (b *block) targets() []uint32 {
	switch b.end {
	case endFall, endCall, endCallI:
		return []uint32{b.next}
	case endBranch:
		return []uint32{b.next, b.other}
	case endGoto:
		return []uint32{b.other}
	}
	return nil
}

// walk lists the blocks in postorder, without recursion: a region may be a long chain.
func (r *region) walk(entry *block) {
	type frame struct {
		b *block
		n int
	}
	open := func(b *block) frame {
		b.seen = true
		for _, pc := range b.targets() {
			if t := r.at[pc]; t != nil && !slices.Contains(b.succ, t) && !slices.Contains(b.cuts, pc) {
				b.succ = append(b.succ, t)
			}
		}
		return frame{b, 0}
	}
	stack := []frame{open(entry)}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.n == len(f.b.succ) {
			r.blocks = append(r.blocks, f.b)
			stack = stack[:len(stack)-1]
			continue
		}
		t := f.b.succ[f.n]
		f.n++
		if !t.seen {
			stack = append(stack, open(t))
		}
	}
}

// dominate finds immediate dominators (Cooper, Harvey and Kennedy, "A Simple, Fast
// Dominance Algorithm").
func (r *region) dominate() {
	preds := make([][]*block, len(r.blocks))
	for _, b := range r.blocks {
		for _, s := range b.succ {
			preds[s.rpo] = append(preds[s.rpo], b)
		}
	}
	entry := r.blocks[0]
	entry.idom = entry
	for changed := true; changed; {
		changed = false
		for _, b := range r.blocks[1:] {
			var d *block
			for _, p := range preds[b.rpo] {
				if p.idom == nil {
					continue
				}
				for q := p; d != nil && d != q; {
					if d.rpo > q.rpo {
						d = d.idom
					} else {
						q = q.idom
					}
				}
				if d == nil {
					d = p
				}
			}
			if b.idom != d {
				b.idom, changed = d, true
			}
		}
	}
	entry.idom = nil
}

// dominates tells whether every path to c leads through b.
func (b *block) dominates(c *block) bool {
	for c != nil && c.rpo > b.rpo {
		c = c.idom
	}
	return c == b
}

// reducible tells whether every loop is entered at one block. Where not, it cuts an
// edge.
func (r *region) reducible() bool {
	for _, b := range r.blocks {
		for _, s := range b.succ {
			if s.rpo <= b.rpo && !s.dominates(b) {
				b.cuts = append(b.cuts, s.pc)
				return false
			}
		}
	}
	return true
}

// Cycles that are not static, at most.
const (
	worstDivision = 35
	worstMis32    = 1
)

// measure finds checkpoints, the cycles between them, and what runs often.
func (r *region) measure() {
	for i := range r.blocks {
		b := r.blocks[i]
		b.check = b.check || i == 0 || b.loop
		b.weight = 1
		if b.end == endCall || b.end == endCallI {
			if t := r.target(b, b.next); t != nil {
				t.check = true
			}
		}
	}
	for i := len(r.blocks) - 1; i >= 0; i-- {
		b := r.blocks[i]
		rest := uint64(0)
		for _, s := range b.succ {
			if s.rpo > b.rpo && !s.check {
				rest = max(rest, s.worst)
			}
		}
		b.worst = rest + 2*rv32.JumpWait
		for j := range b.steps {
			s := &b.steps[j]
			b.worst += uint64(max(s.Cost, s.Taken)) + worstMis32
			if s.Instr.Cost == rv32.CostDiv {
				b.worst += worstDivision
			}
		}
		r.steps += len(b.steps)
	}
	r.weigh()
}

const loopWeight = 8

// weigh estimates how often blocks run: so many times more for each loop around
// them. A loop with calls in it does not count, as registers are spilled there.
func (r *region) weigh() {
	preds := make([][]*block, len(r.blocks))
	for _, b := range r.blocks {
		for _, s := range b.succ {
			preds[s.rpo] = append(preds[s.rpo], b)
		}
	}
	in := make([]int, len(r.blocks)) // the header it was last seen for, + 1
	for _, h := range r.blocks {
		if !h.loop {
			continue
		}
		body := []*block{h}
		in[h.rpo] = h.rpo + 1
		calls := false
		for n := 0; n < len(body); n++ {
			calls = calls || body[n].end == endCall || body[n].end == endCallI
			for _, p := range preds[body[n].rpo] {
				if body[n] == h && p.rpo < h.rpo { // the way in
					continue
				}
				if in[p.rpo] != h.rpo+1 {
					in[p.rpo] = h.rpo + 1
					body = append(body, p)
				}
			}
		}
		if calls {
			continue
		}
		for _, b := range body {
			b.weight = min(b.weight*loopWeight, 1<<20)
		}
	}
}
