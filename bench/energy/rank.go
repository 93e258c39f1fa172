package energy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"socsim/soc"
)

// Ranking compares what several systems need for the same.
type Ranking struct {
	Table string   `json:"table"`
	Names []string `json:"names"` // of the results, from the least energy to the most
	// Nanojoules are in the order of Names.
	Nanojoules []Interval `json:"nanojoules"`
	// Influences are all coefficients that matter to any of the results, those first
	// that change the order, and of the others those first that change a ratio most.
	Influences []Influence `json:"influences"`
	// Together is the influence of all coefficients moved at once, from their low ends to
	// their high ends.
	Together Influence `json:"together"`
}

// Influence is what a coefficient can do to a ranking when it moves within its
// interval, the others staying at their values.
type Influence struct {
	Key     string `json:"key"`
	Assumed bool   `json:"assumed"` // it, or a part of it, has no source
	// Swaps are the pairs of results whose order is another one at an end of the interval.
	Swaps [][2]string `json:"swaps"`
	// Swing is the factor by which the ratio of two results changes most from one end to
	// the other, 1 if no ratio changes.
	Swing float64 `json:"swing"`
}

// Rank orders results by the energy of a region, or of the whole run if region is
// empty, and coefficients by their influence on that order. Results have names, for
// messages and for Ranking.
func Rank(names []string, results []*soc.Result, region string, c Coefficients) (Ranking, error) {
	if len(results) < 2 {
		return Ranking{}, fmt.Errorf("a ranking needs two results at least")
	}
	systems, parts := make([]*system, len(results)), make([]*soc.Region, len(results))
	for i, r := range results {
		var err error
		if systems[i], err = systemOf(r); err != nil {
			return Ranking{}, fmt.Errorf("%s: %w", names[i], err)
		}
		if parts[i] = run(r); region != "" {
			at := slices.IndexFunc(r.Regions, func(g soc.Region) bool { return g.Name == region })
			if at < 0 {
				return Ranking{}, fmt.Errorf("%s: it has no region %s", names[i], region)
			}
			parts[i] = &r.Regions[at]
		}
		if parts[i].Cycles == 0 {
			return Ranking{}, fmt.Errorf("%s: no cycle went by, so it costs nothing", names[i])
		}
	}
	// picojoules of all results, each coefficient chosen by pick.
	energies := func(pick func(key string, v Coefficient) float64) []float64 {
		e := make([]float64, len(results))
		for i, s := range systems {
			for _, t := range s.terms(parts[i], func(key string) float64 { return pick(key, c.Values[key]) }) {
				e[i] += t.pj
			}
		}
		return e
	}
	value := func(_ string, v Coefficient) float64 { return v.Value }
	low := func(_ string, v Coefficient) float64 { return v.Low }
	high := func(_ string, v Coefficient) float64 { return v.High }
	only := func(moved string, pick func(string, Coefficient) float64) func(string, Coefficient) float64 {
		return func(key string, v Coefficient) float64 {
			if key == moved {
				return pick(key, v)
			}
			return v.Value
		}
	}

	at, atLow, atHigh := energies(value), energies(low), energies(high)
	order := make([]int, len(results))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(at[i], at[j]) })
	r := Ranking{Table: c.Name, Together: influence(names, order, at, atLow, atHigh)}
	r.Together.Key = "all together"
	for _, i := range order {
		r.Names = append(r.Names, names[i])
		r.Nanojoules = append(r.Nanojoules, Interval{at[i], atLow[i], atHigh[i]}.times(1e-3))
	}
	for _, key := range keys {
		down, up := energies(only(key, low)), energies(only(key, high))
		if slices.Equal(down, up) {
			continue
		}
		f := influence(names, order, at, down, up)
		f.Key, f.Assumed = key, c.Values[key].Assumed != ""
		r.Influences = append(r.Influences, f)
	}
	slices.SortStableFunc(r.Influences, func(a, b Influence) int {
		return cmp.Or(cmp.Compare(len(b.Swaps), len(a.Swaps)), cmp.Compare(b.Swing, a.Swing))
	})
	return r, nil
}

// influence compares the order of results at two ends with that at the values.
func influence(names []string, order []int, at, low, high []float64) Influence {
	f := Influence{Swaps: [][2]string{}, Swing: 1}
	for n, i := range order {
		for _, j := range order[n+1:] { // j needs no less than i
			if low[i] > low[j] || high[i] > high[j] {
				f.Swaps = append(f.Swaps, [2]string{names[i], names[j]})
			}
			swing := math.Log(high[j]/high[i]) - math.Log(low[j]/low[i])
			f.Swing = max(f.Swing, math.Exp(math.Abs(swing)))
		}
	}
	return f
}
