package report

import (
	"math"
	"slices"
	"strings"

	"socsim/soc"
)

// Figure is one picture of several panels, with the numbers behind it as a table.
type Figure struct {
	Name    string // of its files
	Title   string
	Caption string // how to read it, and n
	Legend  []Key  // what colours, and marks of dots, stand for
	Panels  []Panel
	Table   *Table
}

// Key is an entry of a legend.
type Key struct {
	Name  string
	Color int // a place in palette
	Mark  int // of dots: a place in marks; else -1
}

// Kind is how a panel shows numbers.
type Kind int

const (
	Bars  Kind = iota // one below the other, parts of one side by side
	Dots              // on a line for each row, series apart
	Spans             // least, quartiles, median, most on a line for each row
	Lines             // a curve for each series
)

// Panel is a part of a figure with axes of its own.
type Panel struct {
	Title  string
	Kind   Kind
	Rows   []string // of all kinds but Lines, from above
	Groups []int    // rows before which there is a gap
	X, Y   Axis     // Y of Lines only
	Series []Series
	Ends   []string // of Bars: what is written behind each row
}

// Series is what has one colour.
type Series struct {
	Key    Key
	Points []Point
}

// Point is a number with what it is of.
type Point struct {
	Row       int     // of all kinds but Lines
	X         float64 // the number; of Lines the place
	Y         float64 // of Lines
	Low, High float64 // of Bars and Spans, where Range says so
	Q1, Q3    float64 // of Spans
	Range     bool
	Text      string
}

// Axis is where numbers are.
type Axis struct {
	Label    string
	Min, Max float64
	Log      bool
	Ticks    []Tick
}

// Tick is a place on an axis.
type Tick struct {
	Value float64
	Text  string
}

// at is how far from the beginning of the axis a number is, as a part of its length,
// kept to what is drawn.
func (a *Axis) at(x float64) float64 {
	low, high := a.Min, a.Max
	if a.Log {
		x, low, high = math.Log(max(x, math.SmallestNonzeroFloat64)), math.Log(low), math.Log(high)
	}
	return min(1, max(0, (x-low)/(high-low)))
}

// linear makes an axis from zero on.
func linear(label string, most float64, format func(float64) string) Axis {
	if most <= 0 {
		most = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(most)))
	switch n := most / step; {
	case n <= 1.5:
		step /= 4
	case n <= 3:
		step /= 2
	case n > 6:
		step *= 2
	}
	a := Axis{Label: label, Max: step * math.Ceil(most/step-1e-9)}
	for i := 0; float64(i)*step <= a.Max*(1+1e-9); i++ {
		a.Ticks = append(a.Ticks, Tick{float64(i) * step, format(float64(i) * step)})
	}
	return a
}

// logarithmic makes an axis that has all of low to high, both above zero.
func logarithmic(label string, low, high float64, format func(float64) string) Axis {
	a := Axis{Label: label, Log: true}
	var all []float64
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high)+1; e++ {
		for _, d := range []float64{1, 2, 5} {
			all = append(all, d*math.Pow(10, e))
		}
	}
	i, j := 0, len(all)-1
	for i+1 < len(all) && all[i+1] <= low*(1+1e-9) {
		i++
	}
	for j-1 > i && all[j-1] >= high*(1-1e-9) {
		j--
	}
	if j == i {
		j = min(i+1, len(all)-1)
	}
	a.Min, a.Max = all[i], all[j]
	decades := j-i > 9
	for n, v := range all[i : j+1] {
		if !decades || (n+i)%3 == 0 {
			a.Ticks = append(a.Ticks, Tick{v, format(v)})
		}
	}
	return a
}

// plain writes a number of an axis.
func plain(x float64) string {
	number, unit, _ := strings.Cut(short(x), " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return strings.TrimSpace(number + " " + unit)
}

func times(x float64) string { return significant(x) + "×" }

func parts(x float64) string { return significant(100*x) + "%" }

// tint is a colour on paper and on a dark screen. All are at least three times as bright
// or dark as what is behind them (WCAG 2.2, 1.4.11), which a test computes.
type tint struct {
	name        string
	light, dark uint32 // RGB
}

// The first colours are those of the ledger's rows, in their order; from firstSeries on
// they are for series.
var palette = []tint{
	{"compute", 0x767d8a, 0x8f97a6},
	{"move_in", 0x1d5fbf, 0x5b9bf5},
	{"wait_in", 0x5088dc, 0xa9c8fb},
	{"wait", 0xb8620b, 0xf0a03c},
	{"move_out", 0x0f766e, 0x2ec4b0},
	{"wait_out", 0x2f9a90, 0x9be8dc},
	{"control", 0x7c3aed, 0xb18cf8},
	{"trap", 0xbe123c, 0xf7708a},
	{"sleep", 0x857a6a, 0xa89b86},
	{"s0", 0x1d5fbf, 0x6ea8fe},
	{"s1", 0xb8620b, 0xf0a03c},
	{"s2", 0x0f766e, 0x2ec4b0},
	{"s3", 0x7c3aed, 0xb18cf8},
	{"s4", 0xbe123c, 0xf7708a},
	{"s5", 0x4d7c0f, 0xa3d14a},
	{"s6", 0x0e7490, 0x4cc9e0},
	{"s7", 0xa21caf, 0xe879f9},
	{"s8", 0x6b7280, 0x9aa3b2},
	{"s9", 0x854d0e, 0xd6a77a},
}

const firstSeries = 9

// marks are the forms of dots; colour is never all that tells series apart.
var marks = []string{"circle", "square", "diamond", "triangle", "cross"}

// seriesKey is the n-th of the keys of dots or lines.
func seriesKey(n int, name string) Key {
	return Key{name, firstSeries + n%(len(palette)-firstSeries), n % len(marks)}
}

// partKey is the n-th of the keys of bars that have parts.
func partKey(n int, name string) Key {
	k := seriesKey(n, name)
	k.Mark = -1
	return k
}

// ledgerKey is the key of a row of the ledger.
func ledgerKey(name string) Key {
	n := slices.IndexFunc(palette, func(c tint) bool { return c.name == name })
	return Key{name, max(n, 0), -1}
}

// ledgerNames are the rows, in their order.
func ledgerNames() (list []string) {
	for _, r := range (soc.Ledger{}).Rows() {
		list = append(list, r.Name)
	}
	return list
}

// add puts a point into the series of a key.
func (p *Panel) add(k Key, pt Point) {
	for i := range p.Series {
		if p.Series[i].Key == k {
			p.Series[i].Points = append(p.Series[i].Points, pt)
			return
		}
	}
	p.Series = append(p.Series, Series{k, []Point{pt}})
}

// legend is the keys of all panels, in the order of names.
func (f *Figure) legend(names []string) {
	for _, p := range f.Panels {
		for _, s := range p.Series {
			if !slices.Contains(f.Legend, s.Key) {
				f.Legend = append(f.Legend, s.Key)
			}
		}
	}
	slices.SortStableFunc(f.Legend, func(a, b Key) int { return place(names, a.Name) - place(names, b.Name) })
}

// samples says of what n the numbers of a figure are medians.
func samples(list []*measure) string {
	low, high := math.MaxInt, 0
	for _, m := range list {
		low, high = min(low, m.n()), max(high, m.n())
	}
	switch {
	case high == 0:
		return ""
	case high == 1:
		return "Each number is of one run (n = 1)."
	case low == high:
		return "Each number is the median of n = " + itoa(low) + " runs."
	}
	return "Each number is a median of n = " + itoa(low) + " to " + itoa(high) + " runs; the table has n for each."
}

// sentences joins what is not empty.
func sentences(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), " ")
}
