package cli

import (
	"fmt"
	"math"
	"strings"

	"socsim/bench/experiment"
	"socsim/bench/store"
)

// cyclesText has a table for each program, parameter set and arguments: a row for each
// system, with the cycles of each operation, or their spread over the seeds.
func cyclesText(b *strings.Builder, rows []store.Row) {
	var sections ordered[[]experiment.Group]
	for _, g := range experiment.Groups(rows) {
		title := sectionTitle(g.Point)
		if sections.find(title) == nil {
			sections.add(title, nil)
		}
		at := sections.find(title)
		*at = append(*at, g)
	}
	for _, s := range sections {
		fmt.Fprintf(b, "\n%s, cycles\n", s.key)
		single := true
		for _, g := range s.value {
			single = single && len(g.Rows) == 1
		}
		var t table
		if single {
			singleTable(&t, s.value)
		} else {
			spreadTable(&t, s.value)
		}
		t.write(b)
	}
}

func sectionTitle(p store.Point) string {
	p.Accel, p.Hash, p.Settings = "", "", nil
	if p.Kind == store.SDitH {
		return "sdith"
	}
	return p.String()
}

// systemName says what a point runs on.
func systemName(p store.Point) string {
	name := p.Accel
	switch {
	case p.Kind == store.SDitH:
		name = p.Config
	case p.Accel == "none":
		name = p.Hash + " in software"
	}
	return strings.Join(append([]string{name}, p.Settings...), " ")
}

// singleTable is of groups of one row each.
func singleTable(t *table, groups []experiment.Group) {
	var columns []string
	for _, g := range groups {
		names, _ := g.Spreads()
		columns = unique(append(columns, names...))
	}
	t.row(append([]string{"n = 1"}, columns...)...)
	for _, g := range groups {
		cells := []string{systemName(g.Point)}
		if why := g.Refused(); why != "" {
			t.row(cells[0] + ": refused: " + why)
			continue
		}
		names, spreads := g.Spreads()
		for _, c := range columns {
			cell := "-"
			for i, name := range names {
				if name == c {
					cell = count(uint64(spreads[i].Median))
				}
			}
			cells = append(cells, cell)
		}
		t.row(cells...)
	}
}

func spreadTable(t *table, groups []experiment.Group) {
	t.row("", "", "n", "min", "quartile", "median", "quartile", "max")
	for _, g := range groups {
		if why := g.Refused(); why != "" {
			t.row(systemName(g.Point) + ": refused: " + why)
			continue
		}
		names, spreads := g.Spreads()
		for i, s := range spreads {
			name := ""
			if i == 0 {
				name = systemName(g.Point)
			}
			cells := []string{name, names[i], count(s.N)}
			for _, v := range []float64{s.Min, s.Q1, s.Median, s.Q3, s.Max} {
				cells = append(cells, count(uint64(math.Round(v))))
			}
			t.row(cells...)
		}
	}
}

// How many lines of differences, and names of points without a partner, are printed.
const (
	mostDifferences = 40
	mostNames       = 3
)

// checkText says how results compare with a reference.
func checkText(b *strings.Builder, name string, c experiment.Comparison) {
	fmt.Fprintf(b, "\nAgainst %s\n", name)
	for i, d := range c.Differences {
		if i == mostDifferences {
			fmt.Fprintf(b, "  and %s more\n", plural(len(c.Differences)-i, "difference"))
			break
		}
		fmt.Fprintf(b, "  %s\n", d)
	}
	if len(c.Differences) == 0 {
		fmt.Fprintf(b, "  %s: the same\n", plural(c.Compared, "point"))
	} else {
		fmt.Fprintf(b, "  %s compared\n", plural(c.Compared, "point"))
		for _, line := range c.Made {
			fmt.Fprintf(b, "  it is of another build: %s\n", line)
		}
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"not in it", c.Unknown}, {"only in it", c.Left}} {
		if n := len(list.names); n > 0 {
			more := ""
			if n > mostNames {
				more = ", ..."
			}
			fmt.Fprintf(b, "  %s %s: %s%s\n", plural(n, "point"), list.what, strings.Join(list.names[:min(n, mostNames)], "; "), more)
		}
	}
}
