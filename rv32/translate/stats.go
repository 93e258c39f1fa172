package translate

import "socsim/rv32"

// Cause is why translated code left off.
type Cause uint8

const (
	Target   Cause = iota // a jump to where no region begins
	Deadline              // too near to the next event or the end of a slice
	Memory                // a load or store of a device, misaligned, or where code is
	System                // CSRs, traps, fences, wfi
	Unit                  // an instruction of an accelerator, or of an f register
	Border                // the code goes on outside of the region, or with a hidden jump
	Causes
)

var causeTexts = [Causes]string{
	Target: "target not translated", Deadline: "deadline", Memory: "device, misaligned or near code",
	System: "CSR, trap, fence", Unit: "instruction of a unit", Border: "edge of a region",
}

// String returns the cause in words.
func (c Cause) String() string { return causeTexts[c] }

// Stats say how much an engine did. They are the same for the same run.
type Stats struct {
	Instructions uint64         // executed in translated code
	Entries      uint64         // times it was entered from the interpreter
	Exits        [Causes]uint64 // times it left off, by cause
	Modules      uint64         // times code was translated
	Translated   uint64         // instructions translated, those translated again included
	Dropped      uint64         // times all of it was dropped because code changed
}

// cause tells why the module left off at pc with so many cycles to the deadline.
func (e *Engine) cause(h *rv32.Hart, pc uint32, left uint64) Cause {
	if pc&1 == 0 {
		return Target
	}
	d := h.Decoded(pc &^ 1)
	if d.Len == 0 || d.Instr == nil {
		return System
	}
	switch d.Instr.Cost {
	case rv32.CostLoad, rv32.CostStore:
		if !register(d.Rd) || !register(d.Rs2) || d.Op == rv32.CUSTOM {
			return Unit
		}
		return Memory
	case rv32.CostCustom:
		return Unit
	case rv32.CostCSR, rv32.CostFence, rv32.CostTrap, rv32.CostMRET, rv32.CostWFI:
		return System
	}
	if left <= e.worst {
		return Deadline
	}
	return Border
}
