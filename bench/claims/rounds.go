package claims

import (
	"fmt"

	"socsim/accel"
)

// fewerRounds is C2.
var fewerRounds = claim{
	name:      "C2",
	statement: "With hardware, fewer rounds of the permutation bring little.",
	measure: "What the hash with fewer rounds saves, shake12 against shake and ascon8 against ascon, in cycles for each " +
		"permutation: a signature's hash decides how many hashes its verification takes, so two hashes do not need " +
		"the same number. Software stands beside it, and is no use-case.",
	thresholds: []int{littleSaved},
	points: func(s Scope) (list []Point) {
		for _, set := range s.Sets {
			for _, pair := range reduced {
				for _, coupling := range couplings {
					list = append(list, s.on(pair.full, coupling, set), s.on(pair.fewer, coupling, set))
				}
			}
		}
		return list
	},
	beside: func(s Scope) (list []Point) {
		for _, set := range s.Sets {
			for _, pair := range reduced {
				list = append(list, s.inSoftware(pair.full, set), s.inSoftware(pair.fewer, set))
			}
		}
		return list
	},
	judge: judgeRounds,
}

// reduced are the hashes that another one is with fewer rounds.
var reduced = []struct{ full, fewer string }{
	{accel.SHAKE.Name, accel.SHAKE12.Name},
	{accel.Ascon.Name, accel.Ascon8.Name},
}

func judgeRounds(s Scope, r *reader) (Outcome, string, []Table) {
	var cases []useCase
	var tables []Table
	for _, set := range s.Sets {
		t := Table{Title: set + ": cycles saved by fewer rounds", Columns: s.Operations}
		for _, pair := range reduced {
			t.Rows = append(t.Rows, s.softwareRounds(r, pair.full, pair.fewer, set))
			for _, coupling := range couplings {
				row := Row{Name: fmt.Sprintf("%s to %s, %s", pair.full, pair.fewer, coupling)}
				for _, operation := range s.Operations {
					full := r.operation(s.on(pair.full, coupling, set), operation)
					fewer := r.operation(s.on(pair.fewer, coupling, set), operation)
					if full == nil || fewer == nil {
						row.Cells = append(row.Cells, noCell)
						continue
					}
					gain := saved(perPermutation(full.Cycles, full.Accel.Permutations), perPermutation(fewer.Cycles, fewer.Accel.Permutations))
					row.Cells = append(row.Cells, percentCell(gain))
					cases = append(cases, useCase{pair.full, coupling, set, operation, gain < threshold(littleSaved)})
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
	reason := fmt.Sprintf("Fewer rounds save less than %.0f%% in %d of %d use-cases.", 100*threshold(littleSaved), holds, all)
	if outcome := unanimous(holds, all); outcome != Depends {
		return outcome, reason, tables
	}
	little, mixed, much := split(grouped(cases, func(u useCase) string { return u.hash + "-" + u.coupling }))
	for _, part := range []struct {
		names []string
		text  string
	}{
		{little, "They bring little with %s."},
		{mixed, "It depends on the operation with %s."},
		{much, "They bring more with %s."},
	} {
		if len(part.names) > 0 {
			reason += " " + fmt.Sprintf(part.text, and(part.names))
		}
	}
	return Depends, reason, tables
}

// softwareRounds is the row for software. How many permutations it makes is what any
// accelerator makes for the same messages.
func (s Scope) softwareRounds(r *reader, full, fewer, set string) Row {
	row := Row{Name: fmt.Sprintf("%s to %s, %s", full, fewer, software)}
	for _, operation := range s.Operations {
		var cycles [2]float64
		for i, hash := range []string{full, fewer} {
			soft := r.find(s.inSoftware(hash, set), operation)
			for _, coupling := range couplings {
				if hard := r.find(s.on(hash, coupling, set), operation); soft != nil && hard != nil {
					cycles[i] = perPermutation(soft.Cycles, hard.Accel.Permutations)
					break
				}
			}
		}
		if cycles[0] == 0 || cycles[1] == 0 {
			row.Cells = append(row.Cells, noCell)
			continue
		}
		row.Cells = append(row.Cells, percentCell(saved(cycles[0], cycles[1])))
	}
	return row
}

func perPermutation(cycles, permutations uint64) float64 {
	return float64(cycles) / float64(permutations)
}
