package rv32

import "encoding/binary"

// op is a pre-decoded instruction, 16 bytes. Operands are array indices (rd of
// x0 is the sink), constants are folded: auipc and the link of a jump are
// values, a data offset has the RAM base taken off.
type op struct {
	code     uint8 // an Op, or one of the codes below
	rd       uint8
	rs1, rs2 uint8
	imm      uint32
	target   uint32 // index of the static target; for jalr the link value
	cost     uint8  // cycles to the next instruction's first in EX; division adds its slot
	taken    uint8  // the same for a taken branch
	class    uint8  // ledger class
	mis32    uint8  // 1: costs a cycle more as a jump target
}

const (
	codeExact    uint8 = iota + uint8(CUSTOM) + 1 // only the exact loop gets this one right
	codeGoto                                      // not an instruction: the code goes on at target
	codeLoadJump                                  // lw of the base register of the jalr after the next instruction
)

// origin is what an op was made of.
type origin struct {
	pc         uint32
	dec        Decoded
	use        operandUse
	stall      uint8 // the part of op.cost that is a wait of the next instruction
	regular    uint8 // op.code once the static target is known
	unresolved bool  // the static target is not known yet
	watched    bool  // Config.Watch wants to know when it executes
}

// Two places in the cache are no code: index 0 means "not decoded" and is the
// scratch place for single instructions, index 1 is a fetch outside RAM.
const (
	notDecoded = 0
	fetchFault = 1
	firstOp    = 2
)

// codeCache holds decoded code as runs: instructions in address order up to an
// unconditional jump, so that the fast loop goes on by counting. A run that
// meets decoded code ends with a goto.
type codeCache struct {
	ops    []op
	marked []op // beside an engine: ops with the entries into its code
	from   []origin
	sums   []uint64 // weights of all ops before each one, and of all
	edges  []uint64 // what is to be added where the op does not go on by counting, but for jalr
	entry  []uint32 // per halfword of RAM: index of the op, or notDecoded
	lo, hi uint32   // decoded bytes lie in RAM offsets lo <= off < hi
	stale  bool     // decoded code was written from outside: the next issue drops it
}

func (h *Hart) flush() {
	c := &h.code
	if c.entry == nil {
		c.entry = make([]uint32, h.cfg.RAMSize/2)
	}
	if c.lo < c.hi {
		clear(c.entry[c.lo/2 : min(c.hi/2+1, uint32(len(c.entry)))])
	}
	c.ops, c.marked, c.from, c.sums, c.edges = c.ops[:0], c.marked[:0], c.from[:0], c.sums[:0], c.edges[:0]
	h.add(op{code: codeExact}, origin{})
	h.add(op{code: codeExact}, origin{})
	c.lo, c.hi, c.stale = h.cfg.RAMSize, 0, false
	h.openStores()
	if h.engine != nil {
		h.engine.Dropped()
	}
}

// wroteCode drops decoded code if any of the n bytes at RAM offset off belongs
// to a decoded instruction.
func (h *Hart) wroteCode(off, n uint32) {
	if h.decoded(off, n) {
		h.flush()
	}
}

// decoded tells whether any of the n bytes at RAM offset off belongs to a decoded
// instruction.
func (h *Hart) decoded(off, n uint32) bool {
	c := &h.code
	if off >= c.hi || off+n <= c.lo && off+n > off {
		return false
	}
	for w := off / 2; w < min((off+n+1)/2, uint32(len(c.entry))); w++ {
		if c.entry[w] != notDecoded || w > 0 && c.entry[w-1] != notDecoded && c.from[c.entry[w-1]].dec.Len == 4 {
			return true
		}
	}
	return false
}

// lookup returns the index of the op at pc and decodes it if need be.
func (h *Hart) lookup(pc uint32) uint32 {
	w := (pc - h.cfg.RAMBase) / 2
	if pc < h.cfg.RAMBase || w >= uint32(len(h.code.entry)) {
		return fetchFault
	}
	if i := h.code.entry[w]; i != notDecoded {
		return i
	}
	if h.decodeAt(pc).Len == 0 {
		return fetchFault
	}
	h.decodeRun(pc)
	h.openStores()
	return h.code.entry[w]
}

// decodeAt decodes the instruction at pc; its Len is 0 where RAM ends.
func (h *Hart) decodeAt(pc uint32) Decoded {
	off := pc - h.cfg.RAMBase
	switch {
	case pc < h.cfg.RAMBase || off >= h.cfg.RAMSize:
		return Decoded{}
	case off+4 <= h.cfg.RAMSize:
		return h.table.Decode(binary.LittleEndian.Uint32(h.ram[off:]))
	}
	d := h.table.Decode(uint32(binary.LittleEndian.Uint16(h.ram[off:])))
	if d.Len != 2 {
		return Decoded{}
	}
	return d
}

// falls tells whether the instruction after d in memory can be the next.
func falls(d *Decoded) bool {
	switch d.Op {
	case ILLEGAL, JAL, JALR, ECALL, EBREAK, MRET:
		return false
	}
	return true
}

// decodeRun decodes from pc on, which is inside RAM and not decoded, to the end
// of the run. A failed fetch ends the run too: it is met when it is reached.
func (h *Hart) decodeRun(pc uint32) {
	c := &h.code
	for {
		d := h.decodeAt(pc)
		off := pc - h.cfg.RAMBase
		if d.Len == 0 {
			h.add(op{code: codeGoto, target: fetchFault}, origin{pc: pc})
			return
		}
		if i := c.entry[off/2]; i != notDecoded {
			h.add(op{code: codeGoto, target: i}, origin{pc: pc})
			return
		}
		o, from := h.predecode(pc, d)
		if n := len(c.ops) - 1; n >= firstOp && c.from[n].pc+uint32(c.from[n].dec.Len) == pc && c.ops[n].code != codeGoto && c.ops[n].class != o.class {
			// The border of a ledger class is an edge, as a taken jump is.
			h.add(op{code: codeGoto, target: uint32(len(c.ops) + 1)}, origin{pc: pc})
		}
		c.entry[off/2] = uint32(len(c.ops))
		h.add(o, from)
		c.lo, c.hi = min(c.lo, off), max(c.hi, off+uint32(d.Len))
		if !falls(&d) {
			return
		}
		pc += uint32(d.Len)
	}
}

// predecode works out the op for d at pc: static costs from the pair with the
// instruction behind it (CV32E40P.md section 5).
func (h *Hart) predecode(pc uint32, d Decoded) (op, origin) {
	o := op{code: uint8(d.Op), rd: d.Rd, rs1: d.Rs1, rs2: d.Rs2, imm: uint32(d.Imm), cost: slotALU}
	from := origin{pc: pc, dec: d, use: useOf(&d)}
	if d.Rd == 0 {
		o.rd = sink
	}
	if d.Len == 4 && pc&2 != 0 {
		o.mis32 = misaligned32
	}
	if h.cfg.Class != nil {
		o.class = h.cfg.Class(pc)
	}
	link := pc + uint32(d.Len)
	switch d.Op {
	case AUIPC:
		o.code, o.imm = uint8(LUI), pc+o.imm
	case JAL:
		from.unresolved, o.imm = true, link
	case JALR:
		o.target, o.cost = link, slotJump
		if d.Rd == d.Rs1 && d.Rd != 0 {
			o.cost += ownLink
		}
	case BEQ, BNE, BLT, BGE, BLTU, BGEU:
		from.unresolved = true
	case LB, LH, LW, LBU, LHU, SB, SH, SW:
		o.imm -= h.cfg.RAMBase
	case MULH, MULHSU, MULHU:
		o.cost = slotMulH
	case DIV, DIVU, REM, REMU:
		o.cost = 0
	case ILLEGAL, FENCE, FENCEI, ECALL, EBREAK, MRET, WFI,
		CSRRW, CSRRS, CSRRC, CSRRWI, CSRRSI, CSRRCI, CUSTOM:
		o.code = codeExact
	}
	if falls(&d) && d.Instr.Cost != CostBranch {
		if next := h.decodeAt(link); next.Len != 0 {
			stall, irregular := hazard(&d, &next)
			from.stall = uint8(stall)
			o.cost += from.stall
			if irregular {
				o.code = codeExact
			}
		}
	}
	if from.use.isLoad && o.code != codeExact && h.jalrAfterNext(&d, link) {
		o.code = codeExact
		if d.Op == LW {
			o.code = codeLoadJump
		}
	}
	if _, from.watched = h.cfg.Watch[pc]; from.watched {
		o.code, from.unresolved = codeExact, false
	}
	from.regular = o.code
	if from.unresolved {
		o.code = codeExact
	}
	return o, from
}

// jalrAfterNext tells whether the instruction after the one at next is a jalr
// on the register that load d writes.
func (h *Hart) jalrAfterNext(d *Decoded, next uint32) bool {
	n := h.decodeAt(next)
	if d.Rd == 0 || n.Len == 0 || !falls(&n) {
		return false
	}
	j := h.decodeAt(next + uint32(n.Len))
	return j.Len != 0 && j.Op == JALR && j.Rs1 == d.Rd
}

// resolve finds the static target of the branch or jump at index i, so that
// the fast loop can take it from now on.
func (h *Hart) resolve(i uint32) {
	from := &h.code.from[i]
	target := from.pc + uint32(from.dec.Imm)
	t := h.lookup(target) // may move the cache
	from = &h.code.from[i]
	from.unresolved = false
	o := &h.code.ops[i]
	if t == fetchFault || target == from.pc || h.code.ops[t].class != o.class {
		return // stays exact: the run ends there, may be a self-loop, or changes ledger class
	}
	mis := h.code.ops[t].mis32
	o.target, o.code = t, from.regular
	h.code.edges[i] = h.code.sums[i+1] - h.code.sums[t]
	if from.dec.Op == JAL {
		o.cost = slotJump + mis
	} else {
		o.taken = slotBranchTaken + mis
		h.code.edges[i] += weightTaken
	}
	if h.engine != nil && h.code.marked[i].code != codeEntry {
		h.code.marked[i] = *o
	}
}
