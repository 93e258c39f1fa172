package claims

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"socsim/accel"
	"socsim/soc"
)

// absorbInstruction is C4.
var absorbInstruction = claim{
	name:      "C4",
	statement: "One more instruction makes absorption faster in one of the accelerators: the register-coupled SHAKE.",
	measure: "Absorption is row move_in, which has the spilling of registers in it; regx has the instruction, reg has not. " +
		"A use-case is an operation, or one hash of a message: " + and(messages) + " bytes, which for shake are a block, 5 and 11. Expected " +
		"is faster absorption for shake and shake12, whose registers the ALU does not reach, and no difference for the Ascons. " +
		"What meets an empty state needs no XOR, so the first block of a message can be moved as fast without the instruction.",
	thresholds: []int{fasterAbsorption, sameAbsorption},
	points: func(s Scope) (list []Point) {
		for _, set := range s.Sets {
			for _, hash := range hashes {
				list = append(list, s.on(hash, without, set), s.on(hash, with, set), s.on(hash, reference, set))
			}
		}
		for _, bytes := range messages {
			for _, hash := range hashes {
				list = append(list, hashOf(hash, without, bytes), hashOf(hash, with, bytes))
			}
		}
		return list
	},
	judge: judgeAbsorption,
}

// The couplings without and with the instruction.
var without, with = accel.Reg.String(), accel.RegX.String()

// messages are the lengths hashed, in bytes: that of F and PRF of the 128 sets, that of T
// over the ends of all chains, and ten whole blocks of SHAKE256.
var messages = []string{"64", "608", "1360"}

// helped tells whether the instruction is expected to help a hash.
func helped(hash string) bool { return hash == accel.SHAKE.Name || hash == accel.SHAKE12.Name }

func judgeAbsorption(s Scope, r *reader) (Outcome, string, []Table) {
	var a absorption
	for _, set := range s.Sets {
		t := absorptionTable(set)
		for _, hash := range hashes {
			for _, operation := range s.Operations {
				words := r.operation(s.on(hash, reference, set), operation)
				before, after := r.operation(s.on(hash, without, set), operation), r.operation(s.on(hash, with, set), operation)
				row := Row{Name: hash + " " + operation, Cells: slices.Repeat([]Cell{noCell}, len(t.Columns))}
				if words != nil && before != nil && after != nil {
					row.Cells = a.compare(useCase{hash: hash, set: set, operation: operation}, before, after, words.Accel.WordsIn)
				}
				t.Rows = append(t.Rows, row)
			}
		}
		a.tables = append(a.tables, t)
	}
	t := absorptionTable("one hash")
	for _, hash := range hashes {
		for _, bytes := range messages {
			before, after := r.operation(hashOf(hash, without, bytes), hashRegion), r.operation(hashOf(hash, with, bytes), hashRegion)
			row := Row{Name: hash + " " + bytes + " bytes", Cells: slices.Repeat([]Cell{noCell}, len(t.Columns))}
			if before != nil && after != nil {
				n, _ := strconv.ParseUint(bytes, 10, 32)
				row.Cells = a.compare(useCase{hash: hash, operation: bytes + " bytes"}, before, after, n/4)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	a.tables = append(a.tables, t)
	return a.verdict()
}

// hashRegion is the function of OneHash that is measured.
const hashRegion = "hash"

func absorptionTable(what string) Table {
	return Table{
		Title:   what + ": absorption without and with the instruction, and what it saves",
		Columns: []string{"reg, cycles a word", "regx, cycles a word", "saves of move_in", "of all cycles"},
	}
}

// absorption collects what the verdict on C4 is made of.
type absorption struct {
	cases  []useCase
	faster []string // use-cases of the hashes that are helped
	tables []Table
}

// compare takes in a use-case of so many message words, and returns the cells of its row.
func (a *absorption) compare(u useCase, before, after *soc.Region, words uint64) []Cell {
	n := float64(max(words, 1))
	moves, fewer := float64(before.Ledger.MoveIn), float64(after.Ledger.MoveIn)
	gain := saved(moves, fewer)
	if helped(u.hash) {
		u.holds = gain >= threshold(fasterAbsorption)
		if u.holds {
			a.faster = append(a.faster, u.operation)
		}
	} else {
		u.holds = math.Abs(gain) < threshold(sameAbsorption)
	}
	a.cases = append(a.cases, u)
	return []Cell{
		cell(moves/n, "%.2f", moves/n), cell(fewer/n, "%.2f", fewer/n),
		percentCell(gain), percentCell(saved(float64(before.Cycles), float64(after.Cycles))),
	}
}

func (a *absorption) verdict() (Outcome, string, []Table) {
	if len(a.cases) == 0 {
		return Undecided, "", a.tables
	}
	holds, all := share(a.cases, every)
	reason := fmt.Sprintf("As expected in %d of %d use-cases.", holds, all)
	switch {
	case holds == all:
		return Supported, reason, a.tables
	case len(a.faster) == 0:
		return Refuted, reason + " Absorption is faster in no use-case of shake or shake12.", a.tables
	}
	for _, of := range []struct {
		keccak bool
		text   string
	}{{true, "Faster for shake and shake12"}, {false, "No difference for the Ascons"}} {
		var list []useCase
		for _, u := range a.cases {
			if helped(u.hash) == of.keccak {
				list = append(list, u)
			}
		}
		if holds, all := share(list, every); holds == all {
			reason += fmt.Sprintf(" %s, in all %d.", of.text, all)
			continue
		}
		reason += fmt.Sprintf(" %s: %s.", of.text, counts(grouped(list, func(u useCase) string { return u.operation })))
	}
	return Depends, reason, a.tables
}
