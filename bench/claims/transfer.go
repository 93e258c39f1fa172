package claims

import (
	"fmt"

	"socsim/soc"
)

// transferDecides is C1.
var transferDecides = claim{
	name:      "C1",
	statement: "With accelerators that have FIFOs, data transfer decides performance in most use-cases.",
	measure: "A use-case is a hash over a coupling with FIFOs, a parameter set and an operation. What decides it is " +
		"the largest of: cycles moving words (all rows but compute, control and trap, in a run whose permutations take " +
		"no time), cycles permuting (in the run as given), control, and the program's own work. Letters: " + letters + ".",
	thresholds: []int{mostUseCases},
	points: func(s Scope) (list []Point) {
		for _, set := range s.Sets {
			for _, coupling := range withFIFOs {
				for _, hash := range hashes {
					p := s.on(hash, coupling, set)
					list = append(list, p, p.with(idealPermutation))
				}
			}
		}
		return list
	},
	judge: judgeTransfer,
}

// work is what a use-case consists of, in cycles. Moving and permuting may overlap, so
// the sum is no time.
type work struct {
	moving, permuting, control, own uint64
}

// workOf takes it from the run as given and the one with ideal permutations.
func workOf(given, ideal *soc.Region) work {
	l := ideal.Ledger
	w := work{permuting: given.Accel.BusyCycles, control: l.Control + l.Trap, own: l.Compute}
	w.moving = ideal.Cycles - w.control - w.own
	return w
}

// What can decide a use-case, as a letter in tables.
const (
	byTransfer    = "t"
	byPermutation = "p"
	byControl     = "c"
	byOwnWork     = "w"

	letters = "t transfer, p permutation, c control, w the program's own work"
)

// decides says what is largest. The transfer has to be larger than all others.
func (w work) decides() string {
	switch most := max(w.moving, w.permuting, w.control, w.own); most {
	case w.permuting:
		return byPermutation
	case w.control:
		return byControl
	case w.own:
		return byOwnWork
	}
	return byTransfer
}

// quotient is moving by permuting.
func (w work) quotient() float64 { return float64(w.moving) / float64(max(w.permuting, 1)) }

func judgeTransfer(s Scope, r *reader) (Outcome, string, []Table) {
	var cases []useCase
	var tables []Table
	for _, set := range s.Sets {
		t := Table{Title: set + ": cycles moving words for each cycle permuting, and what decides", Columns: s.Operations}
		for _, coupling := range withFIFOs {
			for _, hash := range hashes {
				p := s.on(hash, coupling, set)
				row := Row{Name: p.Accel}
				for _, operation := range s.Operations {
					given, ideal := r.operation(p, operation), r.operation(p.with(idealPermutation), operation)
					if given == nil || ideal == nil {
						row.Cells = append(row.Cells, noCell)
						continue
					}
					w := workOf(given, ideal)
					by := w.decides()
					row.Cells = append(row.Cells, cell(w.quotient(), "%.2f %s", w.quotient(), by))
					cases = append(cases, useCase{hash, coupling, set, operation, by == byTransfer})
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
	byHash := grouped(cases, func(u useCase) string { return u.hash })
	byCoupling := grouped(cases, func(u useCase) string { return u.coupling })
	reason := fmt.Sprintf("The transfer decides %d of %d use-cases. By hash: %s. By coupling: %s.", holds, all, counts(byHash), counts(byCoupling))
	outcome := Refuted
	if mostOf(holds, all) {
		outcome = Supported
	} else if majorities := most(append(byHash, byCoupling...)); len(majorities) > 0 {
		outcome = Depends
		reason += fmt.Sprintf(" So it is not most of all, but most of those with %s; border says where others turn.", and(majorities))
	}
	return outcome, reason, tables
}

// mostOf tells whether a number of use-cases is most of all.
func mostOf(holds, all int) bool { return float64(holds) > threshold(mostUseCases)*float64(all) }

// most names the groups of whose use-cases a claim holds for most.
func most(groups []group) (names []string) {
	for _, g := range groups {
		if mostOf(g.holds, g.all) {
			names = append(names, g.name)
		}
	}
	return names
}
