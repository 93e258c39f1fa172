package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"socsim/accel"
	"socsim/bus"
)

// axis is a setting that curves are drawn over.
type axis struct {
	id, title, label, key string
	of                    string // before a value
	lead                  string
	value                 func(string) (float64, bool)
}

// The settings that are swept. Waits of a bus are the mean of a load and a store.
var (
	waitAxis = axis{
		"waits", "Wait states", "wait states of an access", "accel.bus", "bus",
		"What the bus between core and accelerator costs. Wait states are those of the grant and of the answer, for an access: the mean of loads and stores, where they differ.", waitsOf}
	depthAxis = axis{
		"depth", "FIFO depth", "words in each FIFO", "accel.fifo_depth", "FIFO depth",
		"What a deeper FIFO brings. Where curves are flat, the core or the permutation sets the pace, not the FIFO.", number64}
	roundAxis = axis{
		"rounds", "Cycles a round", "cycles a round of the permutation", "accel.cycles_per_round", "cycles a round",
		"What a faster permutation brings. Where a curve is flat, the transfer sets the pace; where it is straight through the origin, the permutation does.", ratioOf}
)

var swept = []*axis{&waitAxis, &depthAxis, &roundAxis}

func waitsOf(s string) (float64, bool) {
	h, err := bus.ParseHop(s)
	if err != nil {
		return 0, false
	}
	return float64(h.Grant) + (float64(h.ResponseLoad)+float64(h.ResponseStore))/2, true
}

func number64(s string) (float64, bool) {
	n, err := strconv.ParseUint(s, 10, 32)
	return float64(n), err == nil
}

func ratioOf(s string) (float64, bool) {
	r, err := accel.ParseRatio(s)
	if err != nil || r.Den == 0 {
		return 0, false
	}
	return float64(r.Num) / float64(r.Den), true
}

// settingsOf splits settings into keys with a known axis, and the rest.
func settingsOf(m *measure) (values map[string]string, rest string) {
	values = map[string]string{}
	var other []string
	for _, s := range strings.Fields(m.Settings) {
		key, value, _ := strings.Cut(s, "=")
		if slices.ContainsFunc(swept, func(a *axis) bool { return a.key == key }) {
			values[key] = value
		} else {
			other = append(other, s)
		}
	}
	return values, strings.Join(other, " ")
}

// place on a curve.
type onCurve struct {
	m      *measure
	x      float64
	values map[string]string
}

// curves shows what a setting changes: a panel for each accelerator and three values of a
// second setting at most, and in it a curve for each value of a third.
func (e *sorted) curves(a *axis) *Section {
	s := &Section{ID: a.id, Title: a.title, Lead: []string{a.lead}}
	type group struct {
		key  string
		list []onCurve
	}
	var groups []*group
	for _, m := range e.measures {
		values, rest := settingsOf(m)
		x, ok := a.value(values[a.key])
		if !ok {
			continue
		}
		key := strings.Join([]string{m.workload(), m.Operation, m.system(), rest}, "\x00")
		i := slices.IndexFunc(groups, func(g *group) bool { return g.key == key })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{key: key})
		}
		groups[i].list = append(groups[i].list, onCurve{m, x, values})
	}
	figures := map[string]*Figure{}
	var order []string
	for _, g := range groups {
		m := g.list[0].m
		_, rest := settingsOf(m)
		panels, drawn := a.panels(g.list, rest)
		if len(panels) == 0 {
			continue
		}
		title := strings.TrimSpace(m.workload() + " " + omit(m.Operation, m.Program))
		f := figures[title]
		if f == nil {
			f = &Figure{Name: a.id + " " + title, Title: title}
			f.Table = &Table{Name: f.Name, Caption: a.title + ", " + title, Large: true, Columns: choices("accelerator")}
			for _, o := range append([]*axis{a}, a.others()...) {
				f.Table.Columns = append(f.Table.Columns, Column{Name: o.label, Number: true, Filter: o != a})
			}
			f.Table.Columns = columns(f.Table.Columns, words("other settings"), numbers("n", "cycles"))
			figures[title] = f
			order = append(order, title)
		}
		f.Panels = append(f.Panels, panels...)
		f.Caption = samples(append(drawn, m))
		for _, c := range g.list {
			cells := []Cell{text(c.m.system()), number(c.x, significant(c.x))}
			for _, o := range a.others() {
				if v, ok := o.value(c.values[o.key]); ok {
					cells = append(cells, number(v, clean(c.values[o.key])))
				} else {
					cells = append(cells, text("default"))
				}
			}
			_, rest := settingsOf(c.m)
			f.Table.row(append(cells, text(rest), number(float64(c.m.n()), c.m.nText()), number(c.m.cycles(), cyclesText(c.m.cycles())))...)
		}
	}
	var fold folding
	for _, title := range order {
		f := figures[title]
		a.color(f)
		dropEmpty(f.Table)
		program, _, _ := strings.Cut(title, " ")
		s.figure(f, fold.title(program, title))
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

// color gives a curve of one name the same colour in all panels, and makes the legend.
func (a *axis) color(f *Figure) {
	value := func(name string) float64 {
		for _, o := range a.others() {
			if v, ok := o.value(strings.TrimPrefix(name, o.of+" ")); ok {
				return v
			}
		}
		return -1 // as given
	}
	var names []string
	for _, p := range f.Panels {
		names = append(names, distinct(p.Series, func(s Series) string { return s.Key.Name })...)
	}
	names = distinct(names, func(s string) string { return s })
	slices.SortStableFunc(names, func(x, y string) int { return cmp.Or(cmp.Compare(value(x), value(y)), natural(x, y)) })
	for _, p := range f.Panels {
		for i := range p.Series {
			p.Series[i].Key = seriesKey(slices.Index(names, p.Series[i].Key.Name), p.Series[i].Key.Name)
		}
	}
	f.legend(names)
}

func omit(s, same string) string {
	if s == same {
		return ""
	}
	return s
}

// others are the axes that a is not.
func (a *axis) others() (list []*axis) {
	for _, o := range swept {
		if o != a {
			list = append(list, o)
		}
	}
	return list
}

// A panel has so many curves at most, and an accelerator so many panels; of more values
// they are spread evenly.
const (
	mostCurves = 6
	mostPanels = 3
)

// panels draws the points of one accelerator, unless they have fewer than three places.
func (a *axis) panels(list []onCurve, rest string) (panels []Panel, drawn []*measure) {
	if len(distinct(list, func(c onCurve) string { return significant(c.x) })) < 3 {
		return nil, nil
	}
	// The axis with more values to tell apart makes the curves.
	second, third := a.others()[0], a.others()[1]
	if a != &roundAxis {
		second, third = third, second // rounds make the curves
	}
	curve, panel := second, third
	lines := a.valuesOf(list, curve, mostCurves)
	for _, in := range a.valuesOf(list, panel, mostPanels) {
		p := Panel{Title: list[0].m.system(), Kind: Lines}
		if in != "" {
			p.Title += ", " + panel.of + " " + clean(in)
		}
		if rest != "" {
			p.Title += ", " + rest
		}
		low, most, right := 0.0, 0.0, 0.0
		for n, line := range lines {
			name := "as given"
			if line != "" {
				name = curve.of + " " + clean(line)
			}
			for _, c := range list {
				if c.values[panel.key] != in || c.values[curve.key] != line {
					continue
				}
				p.add(seriesKey(n, name), Point{X: c.x, Y: c.m.cycles(),
					Text: fmt.Sprintf("%s %s, %s: %s cycles, n = %s", significant(c.x), a.label, name, cyclesText(c.m.cycles()), c.m.nText())})
				drawn = append(drawn, c.m)
				most, right = max(most, c.m.cycles()), max(right, c.x)
				if low == 0 || c.x < low {
					low = c.x
				}
			}
		}
		p.Series = slices.DeleteFunc(p.Series, func(s Series) bool { return len(s.Points) < 2 })
		if len(p.Series) == 0 {
			continue
		}
		for i := range p.Series {
			slices.SortFunc(p.Series[i].Points, func(x, y Point) int { return cmp.Or(cmp.Compare(x.X, y.X), cmp.Compare(x.Y, y.Y)) })
		}
		p.X, p.Y = linear(a.label, right, plain), linear("cycles", most, plain)
		if a == &depthAxis && low > 0 {
			p.X = logarithmic(a.label, low, right, plain)
		}
		panels = append(panels, p)
	}
	return panels, drawn
}

// valuesOf are the values that a setting has, at most so many, in their order.
func (a *axis) valuesOf(list []onCurve, o *axis, most int) []string {
	all := distinct(list, func(c onCurve) string { return c.values[o.key] })
	slices.SortFunc(all, func(x, y string) int {
		vx, _ := o.value(x)
		vy, _ := o.value(y)
		return cmp.Or(cmp.Compare(vx, vy), natural(x, y))
	})
	if len(all) <= most {
		return all
	}
	var some []string
	for i := range most {
		some = append(some, all[i*(len(all)-1)/(most-1)])
	}
	return some
}

func distinct[T any](list []T, of func(T) string) (all []string) {
	for _, v := range list {
		if s := of(v); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

func (e *sorted) waits() *Section  { return e.curves(&waitAxis) }
func (e *sorted) depths() *Section { return e.curves(&depthAxis) }
func (e *sorted) rounds() *Section { return e.curves(&roundAxis) }
