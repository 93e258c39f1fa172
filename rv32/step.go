package rv32

import (
	"encoding/binary"
	"math/bits"

	"socsim/bus"
	"socsim/clock"
)

// noReg is a register number that none has.
const noReg = 255

// pipeline is what the cycle rules remember of the instructions before the one
// at hand, Q. The letters are those of CV32E40P.md section 6; P is the last
// instruction that executed.
type pipeline struct {
	id  clock.Cycle // I(Q): Q is in ID from this cycle on
	ex  clock.Cycle // E(P): first cycle of P in EX
	x   clock.Cycle // X(P): last cycle of P in EX
	rho clock.Cycle // cycle in which the last access older than Q is answered

	lastLoad uint8                  // rd of that access if it is a load, else noReg
	loaded   [fReg + 32]clock.Cycle // per register: answer of the load that last wrote it
	wrote    uint8                  // register other than x0 that P wrote, P not being a load
	wroteAll RegSet                 // ... and those it wrote besides
	wroteAt  clock.Cycle            // B of section 4 step 4 for a jalr on it

	base     clock.Cycle // B of Q, if it is a jump
	redirect clock.Cycle // j of Q, if it is a jump
	quiet    bool        // nothing older is in flight and Q is no hidden jump
}

func (p *pipeline) setWrote(rd uint8, at clock.Cycle) {
	p.wroteNothing()
	p.wroteAt = at
	if rd != 0 {
		p.wrote = rd
	}
}

func (p *pipeline) wroteNothing() { p.wrote, p.wroteAll = noReg, 0 }

// issue decodes the instruction at pc and works out its first cycle in EX,
// steps 1 to 5 of section 6, into h.now. It returns the op's index.
func (h *Hart) issue() uint32 {
	if h.code.stale {
		h.flush()
	}
	i := h.lookup(h.pc)
	from := &h.code.from[i]
	d, p := &from.dec, &h.pipe
	ex := max(p.id+1, p.x+1) // step 2
	if from.use.reads1 && d.Rs1 != 0 {
		ex = max(ex, p.loaded[d.Rs1]+1) // step 3
	}
	if from.use.reads2 && d.Rs2 != 0 {
		ex = max(ex, p.loaded[d.Rs2]+1)
	}
	if from.use.writesALU && d.Rd == p.lastLoad {
		ex = max(ex, p.rho+1)
	}
	if d.Op == CUSTOM && p.rho >= ex {
		for uses := d.Instr.Custom.Uses; uses != 0; uses &= uses - 1 {
			ex = max(ex, p.loaded[regOf(bits.TrailingZeros64(uint64(uses)))]+1)
		}
	}
	jump := d.Op == JAL || d.Op == JALR
	if jump { // step 4
		p.base = 0
		if d.Op == JALR && d.Rs1 != 0 {
			p.base = p.loaded[d.Rs1] + 1
			if p.wrote == d.Rs1 || p.wroteAll.has(d.Rs1) {
				p.base = max(p.base, p.wroteAt)
			}
		}
		p.redirect = max(p.id, p.base)
		ex = max(ex, p.redirect+1)
	}
	if ex > p.x+1 { // step 5
		ex = max(ex, p.rho+1)
	}
	p.quiet = p.rho <= ex && !(jump && ex >= p.redirect+2)
	h.now = ex
	return i
}

// enter lets the cycles from now on belong to the class of the instruction at
// hand.
func (h *Hart) enter(class uint8) {
	if h.trapDepth > 0 {
		class = h.cfg.TrapClass
	}
	if class != h.ledger.class {
		h.switchTo(class, h.now)
	}
}

// execute runs the instruction of op i, which issue placed in EX at h.now:
// steps 6 and 7 of section 6.
func (h *Hart) execute(i uint32) {
	if h.preempted(i) {
		return
	}
	if i == fetchFault {
		h.stop = &Stop{Reason: StopFetch, PC: h.pc}
		return
	}
	h.enter(h.code.ops[i].class)
	from := &h.code.from[i]
	if from.watched {
		h.cfg.Watch[h.pc](h)
	}
	if from.unresolved {
		h.resolve(i)
		from = &h.code.from[i]
	}
	if h.cfg.Retired != nil {
		h.retire = Retired{PC: h.pc, Word: from.dec.Word, Len: from.dec.Len, At: h.now, Class: h.ledger.class}
	}
	d, counting, before := from.dec, h.counting, h.instret
	switch d.Op {
	case LB, LH, LW, LBU, LHU, SB, SH, SW:
		h.execAccess(&d)
	case JAL, JALR:
		h.execJump(i, &d)
	case BEQ, BNE, BLT, BGE, BLTU, BGEU:
		h.execBranch(i, &d)
	case CSRRW, CSRRS, CSRRC, CSRRWI, CSRRSI, CSRRCI:
		h.execCSR(&d)
	case FENCE, FENCEI:
		next := h.pc + uint32(d.Len)
		h.flushPipe(slotFence+h.mis32(next), next) // both refetch
		h.done(&d)
	case ECALL, EBREAK:
		h.execCall(&d)
	case ILLEGAL:
		slot := clock.Cycle(slotIllegal)
		if d.Word&0x707f == 0x4073 { // a CSR instruction but for its funct3
			slot = slotTrap
		}
		h.exception(causeIllegal, slot)
	case MRET:
		h.execMRET(&d)
	case WFI:
		h.execWFI()
	case CUSTOM:
		h.execCustom(&d)
	default:
		h.execALU(i, &d)
	}
	if counting && h.instret != before {
		h.countEvents(&d)
	}
	if h.cfg.Retired != nil && h.stop == nil {
		h.retire.Last = h.pipe.x
		h.cfg.Retired(h, h.retire)
	}
}

// next makes the instruction at pc follow, in ID from cycle id on.
func (h *Hart) next(pc uint32, id clock.Cycle) {
	h.pc = pc
	h.pipe.id = id
}

// mis32 returns the extra cycle of a jump to pc.
func (h *Hart) mis32(pc uint32) clock.Cycle {
	return clock.Cycle(h.code.ops[h.lookup(pc)].mis32)
}

// done counts the instruction as retired.
func (h *Hart) done(d *Decoded) {
	h.instret++
	if h.cfg.Count {
		h.counts.retired(d)
	}
	if h.cfg.Retired != nil && d.Rd != 0 {
		if use := useOf(d); use.writesALU || use.isLoad {
			h.retire.RdValid, h.retire.Rd, h.retire.RdValue = true, d.Rd, h.x[d.Rd]
		}
	}
}

func (h *Hart) execALU(i uint32, d *Decoded) {
	p := &h.pipe
	n := clock.Cycle(slotALU)
	switch d.Instr.Cost {
	case CostMulH:
		n = slotMulH
	case CostDiv:
		n = divSlot(d.Op, h.x[d.Rs2])
	}
	h.single(i)
	p.ex, p.x = h.now, max(h.now+n-1, p.rho)
	p.setWrote(d.Rd, p.x+1)
	h.next(h.pc+uint32(d.Len), h.now)
	h.done(d)
}

func (h *Hart) execJump(i uint32, d *Decoded) {
	p := &h.pipe
	target := h.pc + uint32(d.Imm)
	if d.Op == JALR {
		target = (h.x[d.Rs1] + uint32(d.Imm)) &^ 1
	}
	if target == h.pc && (d.Rd == 0 || h.x[d.Rd] == h.pc+uint32(d.Len)) && !h.interruptible() {
		h.stop = &Stop{Reason: StopSelfLoop, PC: h.pc}
		return
	}
	h.single(i)
	p.ex, p.x = h.now, max(h.now, p.rho)
	mis := h.mis32(target)
	t := mis
	if hidden := h.now >= p.redirect+2; !hidden {
		if d.Op == JALR && d.Rd == d.Rs1 && d.Rs1 != 0 {
			t += ownLink
		}
		h.next(target, max(p.redirect+jumpRefetch, p.x+1)+t)
	} else {
		if mis != 0 && d.Op == JALR && d.Rd == d.Rs1 && d.Rs1 != 0 {
			t += ownLink
		}
		if t == 0 {
			h.next(target, h.now)
		} else {
			h.next(target, p.x+t)
		}
	}
	p.setWrote(d.Rd, p.x+1)
	h.done(d)
}

func (h *Hart) execBranch(i uint32, d *Decoded) {
	p := &h.pipe
	fell := h.single(i)
	p.ex, p.x = h.now, h.now
	p.wroteNothing()
	if fell {
		h.next(h.pc+uint32(d.Len), h.now)
		h.done(d)
		return
	}
	target := h.pc + uint32(d.Imm)
	if target == h.pc && !h.interruptible() {
		h.stop = &Stop{Reason: StopSelfLoop, PC: h.pc}
		return
	}
	answered := p.rho + 1
	if p.lastLoad != noReg && p.rho > h.now {
		// The killed instruction behind the branch is a jalr that waits for the load.
		k := h.decodeAt(h.pc + uint32(d.Len))
		if k.Len != 0 && k.Op == JALR && k.Rs1 != 0 && k.Rs1 == p.lastLoad {
			answered++
		}
	}
	h.counts.Taken++
	h.next(target, max(h.now+branchRefetch, answered)+h.mis32(target))
	h.done(d)
}

// flushPipe ends an instruction that empties the pipe and goes on at pc, slot
// cycles after it was first in EX, older accesses permitting.
func (h *Hart) flushPipe(slot clock.Cycle, pc uint32) {
	p := &h.pipe
	p.ex, p.x = h.now, max(h.now, p.rho)
	p.wroteNothing()
	h.next(pc, p.x+slot-1)
}

// accessSize gives bytes and sign of a load or store.
func accessSize(op Op) (bytes uint8, write, signed bool) {
	switch op {
	case LB:
		return 1, false, true
	case LBU:
		return 1, false, false
	case LH:
		return 2, false, true
	case LHU:
		return 2, false, false
	case LW:
		return 4, false, false
	case SB:
		return 1, true, false
	case SH:
		return 2, true, false
	default:
		return 4, true, false
	}
}

// execAccess runs a load or store: one transaction, or two if it crosses a
// word boundary, low word first.
func (h *Hart) execAccess(d *Decoded) {
	p := &h.pipe
	bytes, write, signed := accessSize(d.Op)
	addr := h.x[d.Rs1] + uint32(d.Imm)
	value := h.x[d.Rs2]
	data, ok := h.access(addr, bytes, write, value, h.now)
	if !ok {
		return
	}
	if !write {
		if signed && bytes == 1 {
			data = uint32(int32(int8(data)))
		} else if signed {
			data = uint32(int32(int16(data)))
		}
		if d.Rd != 0 {
			h.x[d.Rd] = data
		}
		p.lastLoad = d.Rd
		p.loaded[d.Rd] = p.rho
	}
	h.finish(d, addr, bytes, write, value)
}

// access runs the transactions of a load or store that is in EX from h.now on and
// requests from cycle at on; ok is false if the run stops here.
func (h *Hart) access(addr uint32, bytes uint8, write bool, value uint32, at clock.Cycle) (data uint32, ok bool) {
	p := &h.pipe
	first := bytes
	if split(addr, bytes) {
		first = uint8(4 - addr&3)
	}
	data, x, rho, ok := h.transact(addr, first, write, value, at, p.rho)
	if !ok {
		return 0, false
	}
	if first != bytes {
		var high uint32
		high, x, rho, ok = h.transact(addr+uint32(first), bytes-first, write, value>>(8*first), x+1, rho)
		if !ok {
			return 0, false
		}
		data |= high << (8 * first)
	}
	p.ex, p.x, p.rho = h.now, x, rho
	p.wroteNothing()
	p.lastLoad = noReg
	return data, true
}

// finish retires a load or store.
func (h *Hart) finish(d *Decoded, addr uint32, bytes uint8, write bool, value uint32) {
	if h.cfg.Retired != nil {
		h.retire.MemValid, h.retire.MemWrite = true, write
		h.retire.MemAddr, h.retire.MemBytes = addr, bytes
		h.retire.MemData = value
	}
	h.next(h.pc+uint32(d.Len), h.now)
	h.done(d)
	if write && h.cfg.OnStore != nil && addr+uint32(bytes) > h.cfg.StoreWatch && addr < h.cfg.StoreWatch+4 {
		h.cfg.OnStore(h)
	}
}

// noPort is what a core without a bus talks to.
type noPort struct{}

func (noPort) Access(bus.Request) bus.Response {
	return bus.Response{Fault: &bus.Fault{Kind: bus.Unmapped, What: "nothing but RAM is attached to this core"}}
}

// transact performs one transaction requested in cycle at, with the access
// before answered in rho. It returns the data, the last cycle in EX and the
// cycle of the answer; ok is false if the run stops here.
func (h *Hart) transact(addr uint32, bytes uint8, write bool, value uint32, at, rho clock.Cycle) (data uint32, x, answer clock.Cycle, ok bool) {
	off := addr - h.cfg.RAMBase
	if off < h.cfg.RAMSize && uint32(bytes) <= h.cfg.RAMSize-off {
		if h.cfg.Grant != nil {
			from := at
			at = h.cfg.Grant(at)
			h.ledger.stall(from, at)
		}
		if write {
			h.counts.RAMStores++
		} else {
			h.counts.RAMLoads++
		}
		if !write && bytes == 4 {
			data = binary.LittleEndian.Uint32(h.ram[off:])
		} else if !write {
			for i := range uint32(bytes) {
				data |= uint32(h.ram[off+i]) << (8 * i)
			}
		} else {
			for i := range uint32(bytes) {
				h.ram[off+i] = byte(value >> (8 * i))
			}
			h.wroteCode(off, uint32(bytes))
		}
		return data, max(at, rho), max(at, rho) + 1, true
	}
	r := bus.Request{Addr: addr, Bytes: bytes, Write: write, At: at}
	if write {
		r.Data = value & (^uint32(0) >> (32 - 8*uint32(bytes)))
	}
	if h.cfg.Events.Next() <= at {
		h.cfg.Events.Advance(at)
	}
	resp := h.cfg.Port.Access(r)
	if resp.Fault != nil {
		h.stop = &Stop{Reason: StopFault, PC: h.pc, Fault: resp.Fault, Request: r}
		return 0, 0, 0, false
	}
	answer = max(resp.Valid, rho+1) // answers come in order, whoever gives them
	class := h.ledger.class
	trapped := h.trapDepth > 0
	if !trapped && h.cfg.RoleClass != nil {
		role := resp.Role
		if h.role != bus.NoRole {
			role = h.role
		}
		class = h.cfg.RoleClass(class, role)
	}
	if class != h.ledger.class || answer > at+1 {
		h.ledger.stall(at+1, answer)
		h.ledger.access(class, at, answer, &resp, trapped)
	}
	return resp.Data, max(resp.Grant, rho), answer, true
}
