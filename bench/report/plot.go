package report

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"regexp"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	style "gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A figure for papers has its panels in rows of three; sizes are in units of drawings, of
// which each is unit wide. So a figure of three panels is 30 cm wide, in letters of 8
// points, and is made smaller where it is set.
const (
	unit       = 0.7 * vg.Length(1) // points
	acrossMost = 3
	between    = 24.0
	margin     = 8.0
)

// WriteFigures writes every figure into a folder, as SVG and as PDF. It returns the names
// of the files.
func (r *Report) WriteFigures(dir string) (names []string, err error) {
	for _, f := range r.Figures() {
		for _, form := range []struct {
			extension string
			write     func() ([]byte, error)
		}{{".svg", f.SVG}, {".pdf", f.PDF}} {
			data, err := form.write()
			if err != nil {
				return names, err
			}
			name := f.Name + form.extension
			if err := WriteFile(filepath.Join(dir, name), data); err != nil {
				return names, err
			}
			names = append(names, name)
		}
	}
	return names, nil
}

// SVG returns the figure as a file of that form, in the colours of paper.
func (f *Figure) SVG() ([]byte, error) {
	l := f.layout()
	c := vgsvg.New(vg.Length(l.w)*unit, vg.Length(l.h)*unit)
	l.paint(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	// Where the font is not there, one of its kind will do.
	return bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")), nil
}

// created is when a PDF file says it was made: which day is no part of a figure.
var created = regexp.MustCompile(`/(CreationDate|ModDate) \(D:[0-9]{14}`)

// PDF returns the figure as a file of that form.
func (f *Figure) PDF() ([]byte, error) {
	l := f.layout()
	c := vgpdf.New(vg.Length(l.w)*unit, vg.Length(l.h)*unit)
	l.paint(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	return created.ReplaceAll(b.Bytes(), []byte("/$1 (D:20000101000000")), nil // of the same length: offsets stay true
}

// sheet is a figure with the places of its panels.
type sheet struct {
	f      *Figure
	w, h   float64
	panels []placed
	keys   []dPoint
}

type placed struct {
	d    *drawing
	x, y float64 // of the upper left corner, below the title
}

func (f *Figure) layout() *sheet {
	l := &sheet{f: f}
	across := min(acrossMost, max(1, len(f.Panels)))
	l.w = 2*margin + float64(across)*width + float64(across-1)*between
	x, y := margin, margin+26
	for _, k := range f.Legend {
		w := 22 + digit*float64(utf8.RuneCountInString(k.Name)) + 14
		if x+w > l.w && x > margin {
			x, y = margin, y+16
		}
		l.keys = append(l.keys, dPoint{x, y})
		x += w
	}
	if len(f.Legend) > 0 {
		y += 24
	}
	for i := 0; i < len(f.Panels); i += across {
		tallest := 0.0
		for n := range min(across, len(f.Panels)-i) {
			d := drawPanel(f, &f.Panels[i+n])
			l.panels = append(l.panels, placed{d, margin + float64(n)*(width+between), y + 20})
			tallest = max(tallest, d.H)
		}
		y += 20 + tallest + 10
	}
	l.h = y + margin
	return l
}

// The font is part of the program. A bold one is not used: vgpdf embeds it under a name
// under which it does not find it again.
var (
	regular = font.Font{Typeface: "Liberation", Variant: "Sans"}
	fonts   = font.NewCache(liberation.Collection())
)

// painter draws on a canvas, whose origin is the lower left corner.
type painter struct {
	draw.Canvas
	h    float64
	x, y float64 // of what is drawn now
}

func (p *painter) at(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(p.x+x) * unit, Y: vg.Length(p.h-p.y-y) * unit}
}

// Colours of paper that are not in the palette: ink, softer ink, lines, bands.
const (
	ink  = 0x1a1d23
	soft = 0x5a6270
	rule = 0xd5d9e0
	wash = 0xf2f4f8
)

// strokes are the lines of drawings.
var strokes = map[string]struct {
	color uint32
	width float64
}{"grid": {rule, 0.8}, "axis": {soft, 1}, "whisker": {ink, 1.1}, "median": {ink, 2}}

func rgb(c uint32) color.Color {
	return color.NRGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 0xff}
}

// paint draws the sheet.
func (l *sheet) paint(c draw.Canvas) {
	p := &painter{Canvas: c, h: l.h}
	p.SetColor(color.White)
	p.Fill(p.outline(dShape{Points: rect(0, 0, l.w, l.h)}))
	p.write(margin, margin+12, "start", 15, ink, l.f.Title)
	for i, k := range l.f.Legend {
		p.x, p.y = l.keys[i].X, l.keys[i].Y
		for _, s := range keyDrawing(k).Shapes {
			p.shape(s)
		}
		p.write(17, 10, "start", 11, ink, k.Name)
	}
	for i, d := range l.panels {
		p.x, p.y = d.x, d.y
		p.write(0, -6, "start", 12, ink, l.f.Panels[i].Title)
		p.drawing(d.d)
	}
}

func (p *painter) drawing(d *drawing) {
	for _, s := range d.Shapes {
		if s.Color < 0 {
			p.shape(s)
		}
	}
	for _, behind := range []bool{true, false} {
		for _, l := range d.Lines {
			if l.Behind() == behind {
				s := strokes[l.Class]
				p.SetColor(rgb(s.color))
				p.SetLineWidth(vg.Length(s.width) * unit)
				p.Stroke(p.outline(dShape{Points: []dPoint{{l.X1, l.Y1}, {l.X2, l.Y2}}, Open: true}))
			}
		}
		for _, s := range d.Shapes {
			if s.Color >= 0 && behind {
				p.shape(s)
			}
		}
	}
	for _, t := range d.Texts {
		c := uint32(soft)
		if t.Class == "row" {
			c = ink
		}
		p.write(t.X, t.Y, t.Anchor, 11, c, t.Text)
	}
}

func (p *painter) shape(s dShape) {
	switch {
	case s.Color < 0:
		p.SetColor(rgb(wash))
	default:
		p.SetColor(rgb(palette[s.Color].light))
	}
	o := p.outline(s)
	if s.Open {
		p.SetLineWidth(1.7 * unit)
		p.Stroke(o)
		return
	}
	p.Fill(o)
	if s.Bar {
		p.SetColor(color.White)
		p.SetLineWidth(0.7 * unit)
		p.Stroke(o)
	}
}

func (p *painter) outline(s dShape) vg.Path {
	var o vg.Path
	if len(s.Points) == 1 {
		center, r := p.at(s.Points[0].X, s.Points[0].Y), vg.Length(s.Radius)*unit
		o.Move(vg.Point{X: center.X + r, Y: center.Y})
		o.Arc(center, r, 0, 2*math.Pi)
		o.Close()
		return o
	}
	for i, pt := range s.Points {
		if i == 0 {
			o.Move(p.at(pt.X, pt.Y))
		} else {
			o.Line(p.at(pt.X, pt.Y))
		}
	}
	if !s.Open {
		o.Close()
	}
	return o
}

// write sets a line of text; y is its baseline.
func (p *painter) write(x, y float64, anchor string, size float64, c uint32, s string) {
	f := regular
	f.Size = vg.Length(size) * unit
	set := style.Style{Color: rgb(c), Font: f, Handler: style.Plain{Fonts: fonts}, YAlign: style.YBottom}
	switch anchor {
	case "middle":
		set.XAlign = style.XCenter
	case "end":
		set.XAlign = style.XRight
	}
	p.FillText(set, p.at(x, y+2), latin(s))
}

// latin replaces what the fonts have no letters for.
func latin(s string) string {
	out := []rune(s)
	for i, r := range out {
		if r > unicode.MaxLatin1 && r != '…' && r != '×' {
			out[i] = '?'
		}
	}
	return string(out)
}
