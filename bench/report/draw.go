package report

import (
	"slices"
	"unicode/utf8"
)

// drawing is a panel laid out: coordinates from the upper left, in units that are about a
// pixel each on the page. The page and the files for papers have the same ones.
type drawing struct {
	W, H   float64
	Label  string // for who does not see it
	Lines  []dLine
	Shapes []dShape
	Texts  []dText
}

// dLine is a line; Class is one of strokes.
type dLine struct {
	X1, Y1, X2, Y2 float64
	Class          string
}

// Behind tells whether it is drawn before the shapes.
func (l dLine) Behind() bool { return l.Class == "grid" || l.Class == "axis" }

// dShape is an area, or the line of a curve, in a colour of the palette; with what it says
// to a pointer.
type dShape struct {
	Points []dPoint // one: a circle around it
	Radius float64
	Open   bool // it is a line
	Color  int  // -1: a band behind a row
	Bar    bool // with an edge, to tell neighbours apart
	Text   string
}

type dPoint struct{ X, Y float64 }

// dText is a line of text; Anchor is "start", "middle" or "end".
type dText struct {
	X, Y                float64
	Anchor, Class, Text string
}

// Sizes of drawings.
const (
	width     = 400.0 // of a panel
	barHeight = 11.0
	barRow    = 15.0
	laneDots  = 7.0 // of a series within a row
	gap       = 6.0 // before a group of rows
	digit     = 5.9 // about the width of a character
	labelMost = 30  // characters of a row's name
	curves    = 230.0
)

func (d *drawing) line(x1, y1, x2, y2 float64, class string) {
	d.Lines = append(d.Lines, dLine{x1, y1, x2, y2, class})
}

func (d *drawing) text(x, y float64, anchor, class, s string) {
	d.Texts = append(d.Texts, dText{x, y, anchor, class, s})
}

func rect(x, y, w, h float64) []dPoint {
	return []dPoint{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}
}

// mark is a form around a place, all of about the same size.
func mark(k Key, x, y, r float64, text string) dShape {
	s := dShape{Color: k.Color, Text: text}
	switch marks[max(0, k.Mark)%len(marks)] {
	case "square":
		s.Points = rect(x-0.86*r, y-0.86*r, 1.72*r, 1.72*r)
	case "diamond":
		r *= 1.2
		s.Points = []dPoint{{x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}}
	case "triangle":
		r *= 1.12
		s.Points = []dPoint{{x, y - r}, {x + r, y + 0.8*r}, {x - r, y + 0.8*r}}
	case "cross":
		e, t := 1.05*r, 0.4*r
		s.Points = []dPoint{{x - t, y - e}, {x + t, y - e}, {x + t, y - t}, {x + e, y - t}, {x + e, y + t}, {x + t, y + t},
			{x + t, y + e}, {x - t, y + e}, {x - t, y + t}, {x - e, y + t}, {x - e, y - t}, {x - t, y - t}}
	default:
		s.Points, s.Radius = []dPoint{{x, y}}, r
	}
	return s
}

// keyDrawing is the sign of a legend.
func keyDrawing(k Key) *drawing {
	if k.Mark < 0 {
		return &drawing{W: 12, H: 12, Shapes: []dShape{{Points: rect(1, 1, 10, 10), Color: k.Color}}}
	}
	return &drawing{W: 12, H: 12, Shapes: []dShape{mark(k, 6, 6, 4.2, "")}}
}

// drawPanel lays a panel out.
func drawPanel(f *Figure, p *Panel) *drawing {
	d := &drawing{W: width, Label: sentences(f.Title+",", p.Title+":", p.X.Label+". The numbers are in the table below.")}
	if p.Kind == Lines {
		d.curves(p)
		return d
	}
	left := 0.0
	for _, r := range p.Rows {
		left = max(left, digit*float64(min(labelMost, utf8.RuneCountInString(r))))
	}
	left += 10
	right := 16.0
	for _, e := range p.Ends {
		right = max(right, 8+digit*float64(utf8.RuneCountInString(e)))
	}
	span := width - left - right
	x := func(v float64) float64 { return left + span*p.X.at(v) }
	row := barRow
	if p.Kind == Dots {
		row = laneDots*float64(max(2, len(p.Series))) + 5
	}
	var top []float64
	y := 4.0
	for i := range p.Rows {
		if slices.Contains(p.Groups, i) {
			y += gap
		}
		top = append(top, y)
		y += row
	}
	bottom := y + 2
	if p.Kind == Dots {
		for i := range p.Rows {
			if i%2 == 0 {
				d.Shapes = append(d.Shapes, dShape{Points: rect(0, top[i], width, row), Color: -1})
			}
		}
	}
	d.ticks(p, x, bottom)
	for i, r := range p.Rows {
		d.text(left-6, top[i]+row/2+3.8, "end", "row", cut(r, labelMost))
	}
	ends := make([]float64, len(p.Rows)) // of bars so far
	for n, s := range p.Series {
		for _, pt := range s.Points {
			if pt.Row < 0 || pt.Row >= len(top) {
				continue
			}
			middle := top[pt.Row] + row/2
			switch {
			case p.Kind == Dots:
				lane := top[pt.Row] + 2.5 + laneDots*(float64(n)+0.5)
				d.Shapes = append(d.Shapes, mark(s.Key, x(pt.X), lane, 3.6, pt.Text))
			case p.Kind == Spans:
				ends[pt.Row] = pt.High
				d.line(x(pt.Low), middle, x(pt.High), middle, "whisker")
				d.Shapes = append(d.Shapes, dShape{Points: rect(x(pt.Q1), middle-4, max(1, x(pt.Q3)-x(pt.Q1)), 8), Color: s.Key.Color, Text: pt.Text})
				d.line(x(pt.X), middle-5, x(pt.X), middle+5, "median")
			case pt.Range:
				d.line(x(pt.Low), middle, x(pt.High), middle, "whisker")
				d.line(x(pt.Low), middle-3, x(pt.Low), middle+3, "whisker")
				d.line(x(pt.High), middle-3, x(pt.High), middle+3, "whisker")
			default:
				from := x(ends[pt.Row])
				ends[pt.Row] += pt.X
				if w := x(ends[pt.Row]) - from; w > 0.05 {
					d.Shapes = append(d.Shapes, dShape{Points: rect(from, middle-barHeight/2, w, barHeight), Color: s.Key.Color, Bar: true, Text: pt.Text})
				}
			}
		}
	}
	for i, e := range p.Ends {
		d.text(x(ends[i])+4, top[i]+row/2+3.8, "start", "end", e)
	}
	d.H = bottom + 32
	return d
}

// ticks draws the axis below, with lines up from it.
func (d *drawing) ticks(p *Panel, x func(float64) float64, bottom float64) {
	last := -1e9
	for i, t := range p.X.Ticks {
		at := x(t.Value)
		d.line(at, 2, at, bottom, "grid")
		if w := digit * float64(len(t.Text)); at-w/2 > last+4 {
			anchor := "middle"
			if i == len(p.X.Ticks)-1 && at+w/2 > width {
				anchor = "end"
			}
			d.text(at, bottom+13, anchor, "tick", t.Text)
			last = at + w/2
		}
	}
	first, end := x(p.X.Min), x(p.X.Max)
	d.line(first, bottom, end, bottom, "axis")
	d.text((first+end)/2, bottom+27, "middle", "label", p.X.Label)
}

// curves draws lines with their points.
func (d *drawing) curves(p *Panel) {
	left := 14.0
	for _, t := range p.Y.Ticks {
		left = max(left, 12+digit*float64(len(t.Text)))
	}
	const top, right = 18.0, 14.0
	bottom := top + curves
	x := func(v float64) float64 { return left + (width-left-right)*p.X.at(v) }
	y := func(v float64) float64 { return bottom - curves*p.Y.at(v) }
	for _, t := range p.Y.Ticks {
		d.line(left, y(t.Value), width-right, y(t.Value), "grid")
		d.text(left-6, y(t.Value)+3.8, "end", "tick", t.Text)
	}
	d.text(0, 9, "start", "label", p.Y.Label)
	d.ticks(p, x, bottom)
	for _, s := range p.Series {
		path := dShape{Color: s.Key.Color, Open: true}
		for _, pt := range s.Points {
			path.Points = append(path.Points, dPoint{x(pt.X), y(pt.Y)})
		}
		d.Shapes = append(d.Shapes, path)
	}
	for _, s := range p.Series {
		for _, pt := range s.Points {
			d.Shapes = append(d.Shapes, mark(s.Key, x(pt.X), y(pt.Y), 3.4, pt.Text))
		}
	}
	d.H = bottom + 32
}
