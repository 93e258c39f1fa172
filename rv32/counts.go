package rv32

import "socsim/clock"

// Counts are the instructions that have retired since reset, by class, and what they did
// besides. Both loops count the same; Config.Count asks for it.
type Counts struct {
	// Mul is mul, MulHigh the three high products. System are fences, calls, mret and wfi;
	// Custom those of cost class CostCustom, others from outside count as loads and
	// stores. What is left of Instret is in none of these.
	Mul, MulHigh, Div, Load, Store, Branch, Jump, CSR, Custom, System uint64

	Taken      uint64      // branches that were taken
	Compressed uint64      // instructions of 16 bits
	UnitMoves  uint64      // loads and stores of operation CUSTOM
	DivCycles  clock.Cycle // of all divisions, from the first in EX to that of the next instruction
	RAMLoads   uint64      // transactions at the data port of RAM:
	RAMStores  uint64      // ... an access across a word boundary is two
}

// Counts returns the counts up to now, zero without Config.Count.
func (h *Hart) Counts() Counts {
	if !h.cfg.Count {
		return Counts{}
	}
	return h.counts
}

// The fast loop counts per edge instead of per instruction: sums[i] is the sum of the
// weights of all ops before i, and so a run of ops from a to b adds sums[b] - sums[a].
// Only where the code does not go on by counting is there something to add. A weight
// has a field for each class; no field can overflow in tallyCycles.
const (
	weightLoad       = 1
	weightStore      = 1 << tallyBits
	weightBranch     = 1 << (2 * tallyBits)
	weightCompressed = 1 << (3 * tallyBits)
	weightTaken      = 1 << (4 * tallyBits) // of the edge; the field is shorter, but a taken branch has slotBranchTaken cycles

	tallyBits   = 13
	tallyCycles = 1<<tallyBits - 1 // no instruction takes less than a cycle
)

// weight is what an execution of d adds. What the loop counts where it executes it is
// not in it: products, divisions, jumps.
func weight(d *Decoded) (w uint64) {
	if d.Instr == nil {
		return 0
	}
	switch d.Instr.Cost {
	case CostLoad:
		w = weightLoad
	case CostStore:
		w = weightStore
	case CostBranch:
		w = weightBranch
	}
	if d.Len == 2 {
		w += weightCompressed
	}
	return w
}

// add puts an op behind all others.
func (h *Hart) add(o op, from origin) {
	c := &h.code
	i := len(c.ops)
	c.ops, c.from = append(c.ops, o), append(c.from, from)
	if h.engine != nil {
		c.marked = append(c.marked, o)
	}
	if i == 0 {
		c.sums = append(c.sums, 0)
	}
	before, edge := c.sums[i], uint64(0)
	if o.code == codeGoto {
		c.sums = append(c.sums, before) // a border leads to what comes next
		edge = before - c.sums[o.target]
	} else {
		c.sums = append(c.sums, before+weight(&from.dec))
	}
	c.edges = append(c.edges, edge)
}

// tallied adds what the fast loop has counted.
func (n *Counts) tallied(tally uint64) {
	const field = 1<<tallyBits - 1
	n.Load += tally & field
	n.RAMLoads += tally & field // what is not there is for the exact loop
	n.Store += tally >> tallyBits & field
	n.RAMStores += tally >> tallyBits & field
	n.Branch += tally >> (2 * tallyBits) & field
	n.Compressed += tally >> (3 * tallyBits) & field
	n.Taken += tally >> (4 * tallyBits)
}

// retired counts an instruction of the exact loop, but for what single has counted.
func (n *Counts) retired(d *Decoded) {
	if d.Len == 2 {
		n.Compressed++
	}
	switch d.Instr.Cost {
	case CostLoad:
		n.Load++
	case CostStore:
		n.Store++
	case CostBranch:
		n.Branch++
	case CostCSR:
		n.CSR++
	case CostCustom:
		n.Custom++
	case CostFence, CostTrap, CostMRET, CostWFI:
		n.System++
	}
	if d.Op == CUSTOM && d.Instr.Cost != CostCustom {
		n.UnitMoves++
	}
}
