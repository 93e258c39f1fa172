// Package claims decides what a study of hash accelerators for SPHINCS+ claims, from
// results of runs: Karl, Schupp and Sigl (COSADE 2024; ACM TECS 24(5), 2025). We know
// its claims, C1 to C5 here, not its figures; so a verdict says whether a claim holds on
// this model, by thresholds of our own choice, all in [Thresholds].
//
// A Scope says which claims, parameter sets and operations; Scope.Points which runs that
// takes; Judge turns their results into verdicts. Nothing is run here and nothing
// guessed: without a run that it needs a verdict is undecided and names the run.
//
// A use-case is an operation (keygen, sign, verify) of a parameter set over a hash and a
// coupling. What decides a use-case is the largest of four amounts of work, in cycles:
//
//   - moving words: all rows of the ledger but compute, control and trap, in the run
//     whose permutations take no time. Nothing is waited for there but words.
//   - permuting: the cycles in which a permutation runs, in the run as given.
//   - controlling the unit: control and trap.
//   - the program's own work: compute.
//
// These are amounts, not waits: where moving and permuting overlap the longer one sets
// the pace, and where they do not it costs more. The rows of the run as given would not
// do: over a bus a word of Ascon takes long, but behind a permutation that takes longer
// (ascon-fifo spends more cycles in move_in and move_out than waiting, and yet faster
// permutations would save five times what a faster bus would). Rerunning with accesses of
// one cycle would not do either: at the load/store unit accesses take one cycle already,
// and what is left there, instructions that move words, is still transfer.
//
// C5, on other schemes and energy, is [JudgeOthers]: it takes its cases from whoever ran
// them.
package claims

import (
	"fmt"
	"slices"
	"strings"
)

// Outcome is what a verdict comes to.
type Outcome string

// The outcomes. Found and NotFound are those of the search for the border.
const (
	Supported Outcome = "supported"
	Refuted   Outcome = "refuted"
	Depends   Outcome = "depends"   // on hash, coupling or operation: the reason says where it flips
	Undecided Outcome = "undecided" // runs are missing
	Found     Outcome = "found"
	NotFound  Outcome = "not found"
)

// Verdict is what came out for one claim, with the evidence.
type Verdict struct {
	Claim      string      `json:"claim"` // as in Names
	Statement  string      `json:"statement"`
	Outcome    Outcome     `json:"verdict"`
	Reason     string      `json:"reason"`     // sentences
	Measure    string      `json:"measure"`    // what was compared, in words
	Thresholds []Threshold `json:"thresholds"` // those it was decided by
	Missing    []Missing   `json:"missing"`    // runs it lacks
	Tables     []Table     `json:"tables"`
}

// Missing is a run that a verdict lacks.
type Missing struct {
	Point Point  `json:"point"`
	Why   string `json:"why"`
}

// claim is one of the claims: which runs it takes and how it is decided.
type claim struct {
	name, statement, measure string
	thresholds               []int // places in Thresholds
	points                   func(s Scope) []Point
	beside                   func(s Scope) []Point // runs that are shown, but decide nothing; may be nil
	// judge decides with what is there; its outcome counts if nothing was missing.
	judge func(s Scope, r *reader) (Outcome, string, []Table)
}

var claims = []claim{transferDecides, fewerRounds, mostlyHashing, absorbInstruction, border}

// Names returns the names of all claims, in the order in which they are judged.
func Names() (names []string) {
	for _, c := range claims {
		names = append(names, c.name)
	}
	return names
}

// Judge decides every claim of the scope.
func Judge(s Scope, results *Results) []Verdict {
	list := []Verdict{}
	for _, c := range claims {
		if !slices.Contains(s.Claims, c.name) {
			continue
		}
		v := Verdict{Claim: c.name, Statement: c.statement, Measure: c.measure, Missing: []Missing{}}
		for _, n := range c.thresholds {
			v.Thresholds = append(v.Thresholds, Thresholds[n])
		}
		r := &reader{results: results}
		v.Outcome, v.Reason, v.Tables = c.judge(s, r)
		if len(r.missing) > 0 {
			v.Outcome = Undecided
			found := v.Reason
			v.Reason = fmt.Sprintf("%d of the %d runs it takes are missing.", len(r.missing), len(unique(c.points(s))))
			if found != "" {
				v.Reason += " The others alone: " + found
			}
			for _, p := range r.missing {
				v.Missing = append(v.Missing, Missing{p, results.why(p)})
			}
		}
		list = append(list, v)
	}
	return list
}

// Threshold is a number that decides a verdict.
type Threshold struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"` // a fraction of what Text says
	Text  string  `json:"text"`
}

// Places in Thresholds.
const (
	mostUseCases = iota
	littleSaved
	mostCycles
	fasterAbsorption
	sameAbsorption
	sameOrder
)

// Thresholds are all numbers by which claims are decided. They are our reading of the
// study's words, which come without numbers.
var Thresholds = []Threshold{
	mostUseCases:     {"most use-cases", 0.50, "more than 50% of all use-cases, each counting the same"},
	littleSaved:      {"little", 0.10, "less than 10% of the cycles of a use-case are saved"},
	mostCycles:       {"most time", 0.50, "more than 50% of the cycles of a use-case"},
	fasterAbsorption: {"faster", 0.10, "absorption takes at least 10% fewer cycles"},
	sameAbsorption:   {"no difference", 0.01, "absorption differs by less than 1% of its cycles"},
	sameOrder:        {"same order", 0.90, "at least 90% of all pairs of accelerators of a use-case"},
}

// threshold returns the value of one of them.
func threshold(n int) float64 { return Thresholds[n].Value }

// percent writes a fraction with one decimal. A little less than all is 99.9%.
func percent(x float64) string {
	s := fmt.Sprintf("%.1f%%", 100*x)
	switch {
	case s == "-0.0%":
		return "0.0%"
	case s == "100.0%" && x < 1:
		return "99.9%"
	}
	return s
}

// saved is how much less than before a number is, as a fraction of before.
func saved(before, after float64) float64 {
	if before == 0 {
		return 0
	}
	return (before - after) / before
}

// and joins names for a sentence.
func and(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// unique drops what a list has already, and keeps its order.
func unique[T comparable](list []T) (out []T) {
	seen := map[T]bool{}
	for _, v := range list {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}
