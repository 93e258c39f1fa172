package translate

import "socsim/rv32"

// jumpWait is what the jalr behind the last of steps waits for its base: LoadJump.
func jumpWait(steps []rv32.Step) uint64 {
	n := len(steps)
	if n < 2 || !steps[n-2].LoadJump {
		return 0
	}
	if spent := int(steps[n-2].Cost) + int(steps[n-1].Cost); spent < rv32.JumpWait {
		return uint64(rv32.JumpWait - spent)
	}
	return 0
}

var branchOps = map[rv32.Op]byte{
	rv32.BEQ: opI32Eq, rv32.BNE: opI32Ne, rv32.BLT: opI32LtS, rv32.BGE: opI32GeS, rv32.BLTU: opI32LtU, rv32.BGEU: opI32GeU,
}

// terminate translates the end of b.
func (w *lowerer) terminate(b *block) {
	n := len(b.steps) - 1
	switch b.end {
	case endExit:
		w.pend += cycles(jumpWait(b.steps))
		w.exit(b, n+1)
		return
	case endFall:
		w.settle()
		w.add(w.pend + cycles(jumpWait(b.steps)))
		w.edge(b, b.next, false)
		return
	}
	s := &b.steps[n]
	pend := w.pend
	switch b.end {
	case endBranch:
		w.read(s.Rs1)
		w.read(s.Rs2)
		w.op(branchOps[s.Op])
		w.settle()
		w.op(opIf, blockEmpty)
		w.labels = append(w.labels, label{})
		w.add(pend + step(uint64(s.Taken)))
		w.edge(b, b.other, true)
		w.op(opElse)
		w.add(pend + step(uint64(s.Cost)) + cycles(jumpWait(b.steps)))
		w.edge(b, b.next, false)
		w.labels = w.labels[:len(w.labels)-1]
		w.op(opEnd, opUnreachable)
	case endGoto:
		w.settle()
		w.add(pend + step(uint64(s.Cost)))
		w.edge(b, b.other, true)
	case endCall:
		w.writeKnown(s.Rd, b.next)
		w.settle()
		w.spillHot()
		f, known := w.callees[b.other]
		mis := cycles(uint64(w.h.Step(b.other).Mis32))
		w.add(pend + step(uint64(s.Cost)) - mis)
		if !known {
			w.i32(b.other)
			w.get(localC)
			w.op(opReturn)
			return
		}
		w.get(localDepth)
		w.op(opI32Eqz, opIf, blockEmpty)
		w.i32(b.other)
		w.get(localC)
		w.op(opReturn, opEnd)
		w.add(mis)
		w.get(localC)
		w.get(localDepth)
		w.i32(1)
		w.op(opI32Sub)
		w.call(f)
		w.returned(b)
	case endCallI, endJump:
		w.pend += cycles(jumpWait(b.steps[:n]))
		pend = w.pend
		w.read(s.Rs1)
		if s.Imm != 0 {
			w.i32(uint32(s.Imm))
			w.op(opI32Add)
		}
		w.i32(^uint32(1))
		w.op(opI32And)
		w.tee(localT)
		w.i32(s.PC) // a jump to itself may be the end
		w.op(opI32Eq)
		w.exitIf(b, n)
		if s.Rd != 0 {
			w.writeKnown(s.Rd, b.next)
		}
		w.settle()
		w.spillHot()
		w.get(localT)
		w.get(localC)
		w.i64(pend + step(uint64(s.Cost)))
		w.op(opI64Add)
		if b.end == endJump {
			if s.Rs1 == 1 || s.Rs1 == 5 { // a return
				w.op(opReturn)
				return
			}
			w.get(localDepth)
			w.op(opReturnCall)
			w.u(funcGoto)
			return
		}
		w.get(localDepth)
		w.i32(1)
		w.op(opI32Sub)
		w.call(funcGoto)
		w.returned(b)
	}
}

// returned goes on behind a call, whose results were pushed, if it came back there.
func (w *lowerer) returned(b *block) {
	w.set(localC)
	w.tee(localT)
	w.i32(b.next)
	w.op(opI32Ne, opIf, blockEmpty)
	w.get(localT)
	w.get(localC)
	w.op(opReturn, opEnd)
	mis := cycles(uint64(w.h.Step(b.next).Mis32))
	if w.r.target(b, b.next) == nil { // as if the callee had jumped there from here
		w.i32(b.next)
		w.get(localC)
		w.op(opReturn)
		return
	}
	w.add(mis)
	w.cross()
	for r := uint8(1); r < 32; r++ {
		if w.hot[r] {
			w.gget(globalOf(r))
			w.set(localOf(r))
		}
	}
	w.edge(b, b.next, true)
}
