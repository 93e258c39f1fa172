package rv32

import "socsim/clock"

// Events mhpmcounter3 can count: bits of mhpmevent3 (CV32E40P user manual,
// performance counters). Several selected events in one instruction count once,
// as they do in one cycle of the RTL. Bits 2, 3, 4 and 11 are stall cycles; no
// RTL count of ours decides in which cycle they are seen, so they count
// nothing. The others are counted when the instruction retires, which for a
// read right behind it may differ from the RTL by that instruction.
const (
	eventCycles = 1 << 0
	eventInstr  = 1 << 1
	eventLoad   = 1 << 5
	eventStore  = 1 << 6
	eventJump   = 1 << 7
	eventBranch = 1 << 8
	eventTaken  = 1 << 9
	eventRVC    = 1 << 10
	eventMask   = 0xffff // four more bits belong to an FPU
)

// awake returns the cycles up to t in which the clock of the counters ran.
func (h *Hart) awake(t clock.Cycle) clock.Cycle { return t - h.asleep }

// watchEvents decides whether mhpmcounter3 counts after cycle t; while it does,
// the exact loop runs.
func (h *Hart) watchEvents(t clock.Cycle) {
	h.counting = h.mhpmevent3 != 0 && h.inhibit&inhibitHPM3 == 0
	h.countedTo = h.awake(t + 1)
}

// countCycles brings mhpmcounter3 up to cycle t if it counts cycles.
func (h *Hart) countCycles(t clock.Cycle) {
	if h.counting && h.mhpmevent3&eventCycles != 0 {
		h.hpm3 += uint64(h.awake(t) - h.countedTo)
		h.countedTo = h.awake(t)
	}
}

// countEvents counts the instruction d, which has just retired.
func (h *Hart) countEvents(d *Decoded) {
	events := uint32(eventInstr)
	switch d.Instr.Cost {
	case CostLoad:
		events |= eventLoad
	case CostStore:
		events |= eventStore
	case CostJump:
		events |= eventJump
	case CostBranch:
		events |= eventBranch
		if h.pipe.id != h.pipe.ex {
			events |= eventTaken
		}
	}
	if d.Len == 2 {
		events |= eventRVC
	}
	if h.mhpmevent3&eventCycles == 0 && h.mhpmevent3&events != 0 {
		h.hpm3++
	}
}
