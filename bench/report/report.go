// Package report turns stored rows into something to read: one HTML file that needs
// nothing else, the same figures as SVG and PDF files, the same tables as Markdown and
// LaTeX.
//
// A row is one run. Rows that differ in nothing but their seed are samples of one
// measure; what is shown of it is the median, with n, the number of samples, beside it.
// The median is the lower of the two in the middle if n is even, quartiles are by nearest rank:
// so every number shown is one that a run gave, and the ledger of a measure, which has to
// add up, is that of the very run. Rows that cannot be used are listed with the reason,
// never dropped.
//
// Rows come from files and may hold anything. Numbers are shown only where they can be
// computed, all text is escaped and cut to a length, and the page forbids every script but its own.
// The same rows give the same bytes.
//
// measure.go sorts rows, figure.go and table.go are what a report is made of, and the
// files named after sections make them; page.go, plot.go and export.go write. Verdicts
// are those of bench/claims.
//
// Left out: anything that needs another run; charts that move.
package report

import (
	"slices"

	"socsim/bench/store"
	"socsim/soc"
)

// Options say what a report is to have.
type Options struct {
	Title string // default "socsim report"

	// Energy estimates what the regions of a run took, by name; nil: no section on energy,
	// and what C5 says of energy is not decided.
	Energy func(*soc.Result) (map[string]Energy, error)
	// EnergySource says in a sentence which coefficients these are.
	EnergySource string
}

// Energy is an estimate with its interval, in nanojoules.
type Energy struct {
	Value, Low, High float64
	Parts            []EnergyPart
	Assumed          bool // a coefficient without a source is in it
}

// EnergyPart is what a component takes of it.
type EnergyPart struct {
	Component string
	Value     float64
}

// Report is what is written.
type Report struct {
	Title    string
	Facts    []Fact
	Verdicts []Verdict
	Sections []*Section
}

// Fact is a line about the rows.
type Fact struct{ Name, Text string }

// Section is a part of a report.
type Section struct {
	ID, Title string
	Lead      []string // paragraphs
	Blocks    []Block
}

// Block is a figure, or a table without one, and whether it stands open.
type Block struct {
	Figure *Figure
	Table  *Table
	Folded string // what a reader opens it by; empty: it is open
}

func (s *Section) figure(f *Figure, folded string) {
	s.Blocks = append(s.Blocks, Block{Figure: f, Folded: folded})
}

func (s *Section) table(t *Table, folded string) {
	s.Blocks = append(s.Blocks, Block{Table: t, Folded: folded})
}

// New makes a report of rows, in whatever order.
func New(rows []store.Row, o Options) *Report {
	e := sortRows(rows)
	e.estimate(o.Energy)
	r := &Report{Title: clean(o.Title), Facts: e.facts()}
	if r.Title == "" {
		r.Title = "socsim report"
	}
	r.Verdicts = e.verdicts()
	for _, s := range []*Section{
		e.summary(), e.speedup(), e.ledgers(), e.transfer(), e.waits(), e.depths(), e.rounds(),
		e.energySection(cut(printable(o.EnergySource), 20*longest)), e.spread(), e.sdith(), e.unusedSection(),
	} {
		if s != nil {
			r.Sections = append(r.Sections, s)
		}
	}
	r.nameAll()
	return r
}

// Figures returns all figures in their order.
func (r *Report) Figures() (list []*Figure) {
	for _, s := range r.Sections {
		for _, b := range s.Blocks {
			if b.Figure != nil {
				list = append(list, b.Figure)
			}
		}
	}
	return list
}

// Tables returns all tables in their order, those behind figures and verdicts included.
func (r *Report) Tables() (list []*Table) {
	for i := range r.Verdicts {
		list = append(list, r.Verdicts[i].Tables...)
	}
	for _, s := range r.Sections {
		for _, b := range s.Blocks {
			if b.Figure != nil {
				list = append(list, b.Figure.Table)
			} else {
				list = append(list, b.Table)
			}
		}
	}
	return list
}

// nameAll gives figures and tables names that are file names and fragments of
// addresses, each once.
func (r *Report) nameAll() {
	var used []string
	name := func(s *string) {
		base := slug(*s)
		*s = base
		for n := 2; slices.Contains(used, *s); n++ {
			*s = base + "-" + itoa(n)
		}
		used = append(used, *s)
	}
	for _, f := range r.Figures() {
		name(&f.Name)
	}
	used = nil
	for _, t := range r.Tables() {
		name(&t.Name)
	}
}
