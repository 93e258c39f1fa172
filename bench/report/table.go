package report

import "socsim/bench/claims"

// Table is a table, for every form in which it is written.
type Table struct {
	Name    string // of its file
	Caption string
	Columns []Column
	Rows    [][]Cell
	Note    string
	Large   bool // worth a filter
}

// Column is what a column has.
type Column struct {
	Name   string
	Number bool   // flush right
	Filter bool   // few different texts: a reader chooses among them
	Text   string // what it is, if the name does not say so
}

// Cell is what is shown, and the number to sort by.
type Cell struct {
	Text  string
	Value *float64
	Mark  string // a class of the page: a verdict, or what is wrong
}

func text(s string) Cell { return Cell{Text: s} }

func number(x float64, s string) Cell { return Cell{Text: s, Value: &x} }

// none stands for what there is not.
var none = Cell{Text: "-"}

// words and numbers make columns without more to say.
func words(names ...string) (list []Column) {
	for _, n := range names {
		list = append(list, Column{Name: n})
	}
	return list
}

func choices(names ...string) (list []Column) {
	for _, n := range names {
		list = append(list, Column{Name: n, Filter: true})
	}
	return list
}

func numbers(names ...string) (list []Column) {
	for _, n := range names {
		list = append(list, Column{Name: n, Number: true})
	}
	return list
}

func columns(lists ...[]Column) (all []Column) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func (t *Table) row(cells ...Cell) { t.Rows = append(t.Rows, cells) }

// evidence is a table of bench/claims.
func evidence(claim string, from claims.Table) *Table {
	t := &Table{Name: claim + " " + from.Title, Caption: clean(from.Title), Columns: append(words(""), numbers(from.Columns...)...)}
	for i := range t.Columns {
		t.Columns[i].Name = clean(t.Columns[i].Name)
	}
	for _, r := range from.Rows {
		cells := []Cell{text(clean(r.Name))}
		for _, c := range r.Cells {
			cells = append(cells, Cell{Text: clean(c.Text), Value: c.Value})
		}
		t.row(cells...)
	}
	return t
}
