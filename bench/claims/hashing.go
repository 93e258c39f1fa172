package claims

import (
	"fmt"

	"socsim/accel"
)

// mostlyHashing is C3.
//
// What is not hashing is measured, not estimated: the compute row of a run with a FIFO
// accelerator. All of that driver is in sections of other rows, and the same hash gives
// the same values, so the scheme executes the same instructions as in software, and every
// cycle that is not its own is hashing. Regions around the functions of the software
// driver would not be exact: they are nested, and counted over all operations together.
var mostlyHashing = claim{
	name:      "C3",
	statement: "Most of the time of SPHINCS+ is hashing.",
	measure: "Hashing is every cycle but those of the scheme's own code, which are the row compute of the run of the same " +
		"program over " + reference + ": the same instructions. The loop along a chain is the driver's, so it is hashing. The " +
		"claim is about software; accelerators stand beside it.",
	thresholds: []int{mostCycles},
	points: func(s Scope) (list []Point) {
		for _, set := range s.Sets {
			for _, hash := range hashes {
				list = append(list, s.inSoftware(hash, set), s.on(hash, reference, set))
			}
		}
		return list
	},
	beside: func(s Scope) (list []Point) {
		for _, set := range s.Sets {
			for _, hash := range hashes {
				for _, coupling := range couplings {
					list = append(list, s.on(hash, coupling, set))
				}
			}
		}
		return list
	},
	judge: judgeHashing,
}

// reference is the coupling whose driver has nothing in row compute, and whose unit
// counts the words of messages.
var reference = accel.FIFO.String()

func judgeHashing(s Scope, r *reader) (Outcome, string, []Table) {
	var cases []useCase
	var tables []Table
	least, most := 1.0, 0.0
	for _, set := range s.Sets {
		t := Table{Title: set + ": share of hashing in software, and with accelerators", Columns: append([]string{software}, couplings...)}
		for _, hash := range hashes {
			for _, operation := range s.Operations {
				own := r.operation(s.on(hash, reference, set), operation)
				soft := r.operation(s.inSoftware(hash, set), operation)
				row := Row{Name: hash + " " + operation}
				for _, name := range t.Columns {
					run := soft
					if name != software {
						run = r.find(s.on(hash, name, set), operation)
					}
					if own == nil || run == nil {
						row.Cells = append(row.Cells, noCell)
						continue
					}
					hashing := saved(float64(run.Cycles), float64(own.Ledger.Compute))
					row.Cells = append(row.Cells, percentCell(hashing))
					if name == software {
						cases = append(cases, useCase{hash, software, set, operation, hashing > threshold(mostCycles)})
						least, most = min(least, hashing), max(most, hashing)
					}
				}
				t.Rows = append(t.Rows, row)
			}
		}
		tables = append(tables, t)
	}
	if len(cases) == 0 {
		return Undecided, "", tables
	}
	holds, all := share(cases, every)
	reason := fmt.Sprintf("In software hashing is most of the time in %d of %d use-cases; its share is %s to %s.",
		holds, all, percent(least), percent(most))
	outcome := unanimous(holds, all)
	if outcome == Depends {
		reason += " By hash: " + counts(grouped(cases, func(u useCase) string { return u.hash })) +
			". By operation: " + counts(grouped(cases, func(u useCase) string { return u.operation })) + "."
	}
	return outcome, reason, tables
}

// software is the coupling of a use-case without an accelerator.
const software = "software"
