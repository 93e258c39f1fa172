package claims

import (
	"fmt"
	"slices"
	"strings"

	"socsim/accel"
)

// border searches where the bound of a use-case changes. It is part of C1: the cases
// that the claim does not hold for have their reason here.
var border = claim{
	name:      "border",
	statement: "Where does a FIFO turn from bound by the permutation to bound by the transfer?",
	measure: "128f keygen over fifo: cycles a round takes (columns) against wait states of the bus (rows: grant/load/store). " +
		"What decides is measured as in C1 (" + letters + "); the percentage is what permutations in no time would save. The border is the " +
		"number of cycles a round at which permuting takes as long as moving words.",
	points: func(s Scope) (list []Point) {
		for _, hash := range swept {
			for _, wait := range sweptWaits {
				list = append(list, sweepPoint(hash, wait, 0))
				for n := range sweptRounds {
					list = append(list, sweepPoint(hash, wait, n+1))
				}
			}
		}
		return list
	},
	judge: judgeBorder,
}

// What is swept: hashes, wait states of answers, cycles a round.
var (
	swept       = []string{accel.Ascon.Name, accel.SHAKE.Name}
	sweptWaits  = []int{0, 1, 2, 3, 4, 5}
	sweptRounds = []string{"1/12", "1/6", "1/4", "1/3", "1/2", oneCycle, "2", "4"}
)

const (
	oneCycle       = "1"
	sweepOperation = "keygen" // the cheapest
)

// sweepPoint is the run with these waits and entry n-1 of sweptRounds, 0 for
// permutations in no time.
func sweepPoint(hash string, wait, n int) Point {
	bus := fmt.Sprintf("accel.bus=0/%d/%d ", wait, wait)
	p := Scope{Operations: []string{sweepOperation}}.on(hash, reference, "128f")
	if n == 0 {
		return p.with(bus + idealPermutation)
	}
	return p.with(bus + "accel.cycles_per_round=" + sweptRounds[n-1])
}

func judgeBorder(_ Scope, r *reader) (Outcome, string, []Table) {
	var tables []Table
	var reason []string
	outcome := Found
	for _, hash := range swept {
		t := Table{Title: hash + " over " + reference, Columns: append(slices.Clone(sweptRounds), "border")}
		var borders []float64
		changes := false // some row has both the transfer and the permutation in it
		for _, wait := range sweptWaits {
			row, seen, at := sweepRow(r, hash, wait)
			t.Rows = append(t.Rows, row)
			changes = changes || slices.Contains(seen, byTransfer) && slices.Contains(seen, byPermutation)
			if at != nil {
				borders = append(borders, *at)
			}
		}
		tables = append(tables, t)
		switch n := len(borders); {
		case n < len(sweptWaits): // runs are missing
		case !changes:
			outcome = NotFound
			reason = append(reason, hash+": the same decides everywhere in the range swept.")
		default:
			reason = append(reason, fmt.Sprintf("%s: the border is at %.2f cycles a round without wait states and at %.2f with %d.",
				hash, borders[0], borders[n-1], sweptWaits[n-1]))
		}
	}
	if outcome == Found && len(reason) > 0 {
		reason = append(reason, "With fewer cycles a round than that the transfer decides, with more the permutation.")
	}
	return outcome, strings.Join(reason, " "), tables
}

// sweepRow is the row for one number of wait states, what decides in its runs, and where
// its border is; nil if a run is missing.
func sweepRow(r *reader, hash string, wait int) (row Row, seen []string, at *float64) {
	row.Name = fmt.Sprintf("0/%d/%d", wait, wait)
	ideal := r.operation(sweepPoint(hash, wait, 0), sweepOperation)
	last := noCell
	for n, rounds := range sweptRounds {
		given := r.operation(sweepPoint(hash, wait, n+1), sweepOperation)
		if given == nil || ideal == nil {
			row.Cells = append(row.Cells, noCell)
			continue
		}
		w, gain := workOf(given, ideal), saved(float64(given.Cycles), float64(ideal.Cycles))
		seen = append(seen, w.decides())
		row.Cells = append(row.Cells, cell(gain, "%s %.0f%%", w.decides(), 100*gain))
		if rounds == oneCycle { // so the cycles that are permuted in are rounds
			last = cell(w.quotient(), "%.2f", w.quotient())
			at = last.Value
		}
	}
	row.Cells = append(row.Cells, last)
	return row, seen, at
}
