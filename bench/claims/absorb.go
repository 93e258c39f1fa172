package claims

import (
	"fmt"
	"math"

	"socsim/accel"
)

// absorbInstruction is C4.
var absorbInstruction = claim{
	name:      "C4",
	statement: "One more instruction makes absorption faster in one of the accelerators: the register-coupled SHAKE.",
	measure: "Absorption is row move_in, which has the spilling of registers in it; regx has the instruction, reg has not. " +
		"Expected is faster absorption for shake and shake12, whose registers the ALU does not reach, and no difference for the Ascons. " +
		"The drivers load the first block of a message straight into the state and XOR only later ones, and nearly all messages of " +
		"SPHINCS+ are one block: socsim hash --accel shake-reg --in 1000, and the same with shake-regx, shows long messages.",
	thresholds: []int{fasterAbsorption, sameAbsorption},
	points: func(s Scope) (list []Point) {
		for _, set := range s.Sets {
			for _, hash := range hashes {
				list = append(list, s.on(hash, without, set), s.on(hash, with, set), s.on(hash, reference, set))
			}
		}
		return list
	},
	judge: judgeAbsorption,
}

// The couplings without and with the instruction.
var without, with = accel.Reg.String(), accel.RegX.String()

// helped tells whether the instruction is expected to help a hash.
func helped(hash string) bool { return hash == accel.SHAKE.Name || hash == accel.SHAKE12.Name }

func judgeAbsorption(s Scope, r *reader) (Outcome, string, []Table) {
	var cases []useCase
	var tables []Table
	anyFaster := false
	for _, set := range s.Sets {
		t := Table{
			Title:   set + ": absorption without and with the instruction, and what it saves",
			Columns: []string{"reg, cycles a word", "regx, cycles a word", "saves of move_in", "of all cycles"},
		}
		for _, hash := range hashes {
			for _, operation := range s.Operations {
				row := Row{Name: hash + " " + operation, Cells: []Cell{noCell, noCell, noCell, noCell}}
				a, b := r.operation(s.on(hash, without, set), operation), r.operation(s.on(hash, with, set), operation)
				words := r.operation(s.on(hash, reference, set), operation)
				if a != nil && b != nil && words != nil {
					moves, fewer, n := float64(a.Ledger.MoveIn), float64(b.Ledger.MoveIn), float64(max(words.Accel.WordsIn, 1))
					gain := saved(moves, fewer)
					row.Cells = []Cell{
						cell(moves/n, "%.2f", moves/n), cell(fewer/n, "%.2f", fewer/n),
						percentCell(gain), percentCell(saved(float64(a.Cycles), float64(b.Cycles))),
					}
					expected := math.Abs(gain) < threshold(sameAbsorption)
					if helped(hash) {
						expected = gain >= threshold(fasterAbsorption)
						anyFaster = anyFaster || expected
					}
					cases = append(cases, useCase{hash, with, set, operation, expected})
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
	groups := grouped(cases, func(u useCase) string { return u.hash })
	reason := fmt.Sprintf("As expected in %d of %d use-cases.", holds, all)
	switch {
	case holds == all:
		return Supported, reason, tables
	case !anyFaster:
		return Refuted, reason + " Absorption is faster in no use-case of shake or shake12.", tables
	}
	return Depends, reason + " By hash: " + counts(groups) + ".", tables
}
