package accel

import (
	"socsim/bus"
	"socsim/clock"
	"socsim/rv32"
)

// ramAnswer is the time from the grant of a load from RAM to its answer, in cycles.
// It is the core's and no assumption: CV32E40P.md, section 1.
const ramAnswer = 1

// Instructions returns those of coupling lsux, and none for the others.
func (e *Engine) Instructions() []rv32.Instr {
	if e.config.Coupling != LSUX {
		return nil
	}
	return []rv32.Instr{
		// funct3 2, rd = x0
		{Name: "ldfifo", Match: 0x0000200b, Mask: 0x00007fff, Format: rv32.FormatI, Text: "imm(rs1)", Cost: rv32.CostLoad, Op: rv32.CUSTOM,
			Custom: &rv32.Custom{Execute: e.loadToFIFO, Loaded: e.loaded}},
		// funct3 6, rs2 = x0
		{Name: "stfifo", Match: 0x0000600b, Mask: 0x01f0707f, Format: rv32.FormatS, Text: "imm(rs1)", Cost: rv32.CostStore, Op: rv32.CUSTOM,
			Custom: &rv32.Custom{Execute: e.storeFromFIFO}},
	}
}

// loadToFIFO is ldfifo, in EX from cycle at on: it requests its load when the FIFO
// can take the word in the cycle in which RAM answers.
func (e *Engine) loadToFIFO(_ *rv32.State, _ rv32.Decoded, at clock.Cycle) rv32.Outcome {
	if e.phase != absorbing {
		return refusal(afterLast("ldfifo"))
	}
	first := max(at, e.turn)
	e.advance(first)
	var a bus.Response
	g := max(first+ramAnswer, e.roomFrom()) - ramAnswer
	if g > first {
		e.hold(&a, first, g, bus.InputFull)
	}
	return outcome(g, bus.RoleIn, a)
}

// loaded takes the word of an ldfifo in the cycle of its answer. The register port
// waits for it: it is as far in the order of accesses as the word.
func (e *Engine) loaded(word uint32, at clock.Cycle) {
	e.advance(at)
	e.note(at)
	e.push(word, at)
	e.next, e.turn = max(e.next, at), at
}

// storeFromFIFO is stfifo, in EX from cycle at on: it requests its store when there
// is a word.
func (e *Engine) storeFromFIFO(_ *rv32.State, _ rv32.Decoded, at clock.Cycle) rv32.Outcome {
	if what, hint := e.nothingToLoad("stfifo"); what != "" {
		return refusal(what, hint)
	}
	var a bus.Response
	p := e.await(at)
	if p > at {
		e.hold(&a, at, p, e.waiting)
	}
	out := outcome(p, bus.RoleOut, a)
	out.Data = e.take(p)
	e.next = e.turn
	return out
}

// outcome returns that of an instruction whose access is requested in cycle last.
func outcome(last clock.Cycle, role bus.Role, a bus.Response) rv32.Outcome {
	return rv32.Outcome{Last: last, HeldFrom: a.HeldFrom, HeldTo: a.HeldTo, Cause: a.Cause, Role: role}
}

// refusal returns the outcome of bad use.
func refusal(what, hint string) rv32.Outcome {
	return rv32.Outcome{Fault: &bus.Fault{Kind: bus.DeviceError, What: what, Hint: hint}}
}
