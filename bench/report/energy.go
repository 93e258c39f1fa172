package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// finite tells whether an estimate can be shown.
func (e *Energy) finite() bool {
	all := []float64{e.Value, e.Low, e.High}
	for _, p := range e.Parts {
		all = append(all, p.Value)
	}
	return !slices.ContainsFunc(all, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) || x < 0 })
}

// microjoules writes nanojoules in a larger unit.
func microjoules(nj float64) string {
	if nj < 10_000 {
		return decimal(nj/1000, 4)
	}
	return decimal(nj/1000, 2)
}

// energySection shows what operations take, by component.
func (e *sorted) energySection(source string) *Section {
	s := &Section{ID: "energy", Title: "Energy"}
	switch {
	case !e.costed:
		s.Lead = []string{"No coefficients were given, so nothing is said about energy."}
		return s
	case e.failed != "":
		s.Lead = append(s.Lead, "For some runs there is no estimate: "+e.failed+".")
	}
	s.Lead = append(s.Lead, "Counts of events times coefficients. "+
		"The thin line is the interval from the uncertainties of the coefficients. Power is energy by the time at the clock of the run. Software is left out of the pictures; the tables have it.")
	if source != "" {
		s.Lead = append(s.Lead, source)
	}
	drawnNames, group := largest(e.usual()) // of all figures, so that colours mean the same
	var fold folding
	for _, list := range byWorkload(e.usual()) {
		title := list[0].workload()
		f := &Figure{Name: "energy " + title, Title: title}
		names := components(list)
		f.Table = &Table{Name: f.Name, Caption: "Energy in microjoules, " + title,
			Columns: columns(choices("operation", "hash", "coupling"), words("driver"), numbers("n", "µJ", "low", "high", "mW"), numbers(names...), words("coefficients"))}
		var drawn []*measure
		for _, part := range byOperation(list) {
			p := Panel{Title: part[0].Operation, Kind: Bars}
			most, last := 0.0, ""
			for _, m := range part {
				if m.energy == nil {
					continue
				}
				drawn = append(drawn, m)
				f.Table.row(energyRow(m, names)...)
				if m.Coupling == software {
					continue
				}
				if m.Hash != last && len(p.Rows) > 0 {
					p.Groups = append(p.Groups, len(p.Rows))
				}
				last = m.Hash
				sums := make([]float64, len(drawnNames))
				for _, c := range m.energy.Parts {
					if c.Value > 0 { // else it may be no component
						sums[group[c.Component]] += c.Value
					}
				}
				for i, name := range drawnNames {
					if sums[i] > 0 {
						p.add(partKey(i, name), Point{Row: len(p.Rows), X: sums[i] / 1000,
							Text: fmt.Sprintf("%s, %s: %s µJ of %s", m.system(), name, microjoules(sums[i]), microjoules(m.energy.Value))})
					}
				}
				p.add(Key{Name: "interval", Color: 0, Mark: -1}, Point{Row: len(p.Rows), X: m.energy.Value / 1000, Low: m.energy.Low / 1000, High: m.energy.High / 1000, Range: true,
					Text: fmt.Sprintf("%s: %s to %s µJ, n = %s", m.system(), microjoules(m.energy.Low), microjoules(m.energy.High), m.nText())})
				most = max(most, m.energy.High/1000, m.energy.Value/1000)
				p.Rows = append(p.Rows, m.system())
				p.Ends = append(p.Ends, "")
			}
			if len(p.Rows) > 0 {
				p.inOrder(drawnNames)
				p.X = linear("µJ", most, plain)
				f.Panels = append(f.Panels, p)
			}
		}
		if len(f.Table.Rows) == 0 {
			continue
		}
		f.Caption = samples(drawn)
		f.legend(append(drawnNames, "interval"))
		f.Legend = slices.DeleteFunc(f.Legend, func(k Key) bool { return k.Name == "interval" && !slices.Contains(drawnNames, k.Name) })
		dropEmpty(f.Table)
		if len(f.Panels) == 0 {
			s.table(f.Table, fold.title(list[0].Program, title))
			continue
		}
		s.figure(f, fold.title(list[0].Program, title))
	}
	return s
}

// components are those that take energy in some measure.
func components(list []*measure) (names []string) {
	takes := map[string]bool{}
	for _, m := range list {
		if m.energy == nil {
			continue
		}
		for _, p := range m.energy.Parts {
			takes[p.Component] = takes[p.Component] || p.Value > 0
			if !slices.Contains(names, p.Component) {
				names = append(names, p.Component)
			}
		}
	}
	return slices.DeleteFunc(names, func(s string) bool { return !takes[s] })
}

// mostParts is how many components a picture tells apart.
const mostParts = 8

// largest are the components that take most in all measures together, in their own
// order; behind them the others as one. group is the place of each.
func largest(list []*measure) (drawn []string, group map[string]int) {
	names := components(list)
	total := map[string]float64{}
	for _, m := range list {
		if m.energy != nil && m.Coupling != software {
			for _, p := range m.energy.Parts {
				q, _ := ratio(p.Value, m.energy.Value)
				total[p.Component] += q
			}
		}
	}
	bySize := slices.Clone(names)
	slices.SortStableFunc(bySize, func(a, b string) int { return cmp.Compare(total[b], total[a]) })
	group = map[string]int{}
	for _, name := range names {
		if slices.Index(bySize, name) < mostParts || len(names) <= mostParts+1 {
			group[name] = len(drawn)
			drawn = append(drawn, name)
		}
	}
	for _, name := range names {
		if _, ok := group[name]; !ok {
			group[name] = len(drawn)
		}
	}
	if len(drawn) < len(names) {
		drawn = append(drawn, "all others")
	}
	return drawn, group
}

func energyRow(m *measure, names []string) []Cell {
	en := m.energy
	power := none
	if ms, ok := m.ms(m.cycles()); ok {
		if mw, ok := ratio(en.Value/1000, ms); ok { // µJ a ms is mW
			power = number(mw, decimal(mw, 3))
		}
	}
	row := []Cell{text(m.Operation), text(m.Hash), text(m.Coupling), text(m.Driver), number(float64(m.n()), m.nText()),
		number(en.Value, microjoules(en.Value)), number(en.Low, microjoules(en.Low)), number(en.High, microjoules(en.High)), power}
	for _, name := range names {
		c := none
		for _, p := range en.Parts {
			if p.Component == name {
				c = number(p.Value, microjoules(p.Value))
			}
		}
		row = append(row, c)
	}
	with := "with sources"
	if en.Assumed {
		with = "some assumed"
	}
	return append(row, text(with))
}
