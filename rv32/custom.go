package rv32

import (
	"socsim/bus"
	"socsim/clock"
)

// Float are the four instructions of the F extension that move data. They are
// no part of the core: a unit that keeps its state in the f registers brings them
// along. There is no fcsr, mstatus.FS stays 0 and misa says nothing of F. They are timed as lw, sw and
// addi, and the load-use rule holds within the f registers; assumed, as CV32E40P
// has them together with its FPU only.
var Float = []Instr{
	{"flw", 0x00002007, 0x0000707f, FormatFLoad, "frd,imm(rs1)", CostLoad, LW, nil},
	{"fsw", 0x00002027, 0x0000707f, FormatFStore, "frs2,imm(rs1)", CostStore, SW, nil},
	{"fmv.x.w", 0xe0000053, 0xfff0707f, FormatFToX, "rd,frs1", CostALU, ADDI, nil},
	{"fmv.w.x", 0xf0000053, 0xfff0707f, FormatXToF, "frd,rs1", CostALU, ADDI, nil},
}

// regOf returns the register of bit i of a RegSet.
func regOf(i int) uint8 {
	if i < 32 {
		return uint8(i)
	}
	return uint8(fReg + i - 32)
}

// execCustom runs an instruction from outside. What its unit withholds is
// booked as for an access outside RAM.
func (h *Hart) execCustom(d *Decoded) {
	p, c := &h.pipe, d.Instr.Custom
	out := c.Execute(&h.State, *d, h.now)
	if out.Fault != nil {
		h.stop = &Stop{Reason: StopFault, PC: h.pc, Fault: out.Fault}
		return
	}
	last := max(out.Last, h.now)
	if d.Instr.Cost == CostCustom {
		p.ex, p.x = h.now, max(last, p.rho)
		p.setWrote(d.Rd, p.x+1)
		p.wroteAll = c.Uses
		h.ledger.stall(h.now+1, last+1)
		h.bookCustom(&out, last+1)
		h.next(h.pc+uint32(d.Len), h.now)
		h.done(d)
		return
	}
	const bytes = 4
	addr, write := h.x[d.Rs1]+uint32(d.Imm), d.Instr.Cost == CostStore
	h.ledger.stall(h.now, last) // the access has its first cycle in last
	class, trapped := h.bookCustom(&out, last)
	h.role = out.Role // wherever the word lies
	data, ok := h.access(addr, bytes, write, out.Data, last)
	h.role = bus.NoRole
	if !ok {
		return
	}
	if class != h.ledger.class {
		h.ledger.access(class, last, p.x+1, &bus.Response{}, trapped)
	}
	if !write {
		c.Loaded(data, p.rho)
	}
	h.finish(d, addr, bytes, write, out.Data)
}

// bookCustom books the cycles of a custom instruction from its first in EX up to
// cycle to, and returns its class.
func (h *Hart) bookCustom(out *Outcome, to clock.Cycle) (class uint8, trapped bool) {
	class, trapped = h.ledger.class, h.trapDepth > 0
	if !trapped && h.cfg.RoleClass != nil {
		class = h.cfg.RoleClass(class, out.Role)
	}
	if class != h.ledger.class || out.Cause != bus.NotHeld {
		r := bus.Response{HeldFrom: out.HeldFrom, HeldTo: out.HeldTo, Cause: out.Cause}
		h.ledger.access(class, h.now, to, &r, trapped)
	}
	return class, trapped
}
