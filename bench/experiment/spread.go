package experiment

import (
	"slices"
	"strings"

	"socsim/bench/store"
)

// Spread is of n values. Quartiles lie between two values in proportion, as R's type 7
// and NumPy's default have it.
type Spread struct {
	N                        int
	Min, Q1, Median, Q3, Max float64
}

// SpreadOf is that of at least one value.
func SpreadOf(values []float64) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	v := slices.Sorted(slices.Values(values))
	at := func(part float64) float64 {
		place := part * float64(len(v)-1)
		low := int(place)
		high := min(low+1, len(v)-1)
		return v[low] + (place-float64(low))*(v[high]-v[low])
	}
	return Spread{len(v), v[0], at(0.25), at(0.5), at(0.75), v[len(v)-1]}
}

// Group is rows that differ in their seed alone.
type Group struct {
	Point store.Point // without seed
	Rows  []*store.Row
}

// Groups takes rows together, in the order of the first row of each group. Rows without a
// result, which were refused, are in groups, too.
func Groups(rows []store.Row) (groups []Group) {
	place := map[string]int{}
	for i := range rows {
		p := rows[i].Point
		p.Seed = ""
		key := p.Key(rows[i].ModelVersion, rows[i].ELFSHA256)
		at, ok := place[key]
		if !ok {
			at = len(groups)
			place[key] = at
			groups = append(groups, Group{Point: p})
		}
		groups[at].Rows = append(groups[at].Rows, &rows[i])
	}
	return groups
}

// Measures are what is measured in a row, with the cycles: the regions of a program, or
// the whole of a signature.
func Measures(r *store.Row) (names []string, cycles []uint64) {
	switch {
	case r.Result != nil:
		for _, g := range r.Result.Regions {
			names, cycles = append(names, g.Name), append(cycles, g.Cycles)
		}
	case r.SDitH != nil:
		names, cycles = []string{"sign"}, []uint64{uint64(r.SDitH.Cycles)}
	}
	return names, cycles
}

// Spreads are those of the cycles of each measure of a group.
func (g *Group) Spreads() (names []string, spreads []Spread) {
	values := map[string][]float64{}
	for _, r := range g.Rows {
		n, c := Measures(r)
		for i, name := range n {
			if values[name] == nil {
				names = append(names, name)
			}
			values[name] = append(values[name], float64(c[i]))
		}
	}
	for _, name := range names {
		spreads = append(spreads, SpreadOf(values[name]))
	}
	return names, spreads
}

// Refused is why the rows have no result; empty: they have.
func (g *Group) Refused() string { return g.Rows[0].Refused }

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
