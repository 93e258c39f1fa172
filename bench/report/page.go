package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
)

// The page. Its texts are in the report, its form is here.
var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	styleText string
	//go:embed page.js
	scriptText string
)

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"draw": func(f *Figure, i int) *drawing { return drawPanel(f, &f.Panels[i]) },
	"mark": keyDrawing,
	"value": func(c Cell) string {
		if c.Value == nil {
			return ""
		}
		return fmt.Sprintf("%.10g", *c.Value) // enough to sort by
	},
	"path":    path,
	"class":   class,
	"at":      coordinate,
	"lines":   func(t *Table) string { return plural(len(t.Rows), "line") },
	"columns": func(t *Table, r []Cell) []shown { return zip(t, r) },
}).Parse(pageText))

// shown is a cell and its column.
type shown struct {
	Cell   Cell
	Column Column
	Head   bool // it names the line
}

func zip(t *Table, r []Cell) (list []shown) {
	for i, c := range r {
		list = append(list, shown{c, t.Columns[i], i == 0})
	}
	return list
}

// HTML writes the report as one page that needs nothing else.
func (r *Report) HTML(w io.Writer) error {
	style, script := colors()+styleText, scriptText
	sum := func(s string) string {
		d := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(d[:]) + "'"
	}
	var b bytes.Buffer
	err := page.Execute(&b, map[string]any{
		"Report": r,
		"Style":  template.CSS(style), "Script": template.JS(script), // ours, not of rows
		// Whatever a row has in it, no other style and no other script has an effect.
		"Policy": "default-src 'none'; style-src " + sum(style) + "; script-src " + sum(script) + "; base-uri 'none'; form-action 'none'",
	})
	if err != nil {
		return fmt.Errorf("BUG: report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// colors are the style sheet's variables and classes for the palette.
func colors() string {
	var light, dark, classes strings.Builder
	for i, c := range palette {
		fmt.Fprintf(&light, "--c%d:#%06x;", i, c.light)
		fmt.Fprintf(&dark, "--c%d:#%06x;", i, c.dark)
		fmt.Fprintf(&classes, ".c%d{fill:var(--c%d)}.l%d{stroke:var(--c%d)}\n", i, i, i, i)
	}
	return ":root{" + light.String() + "}\n@media screen and (prefers-color-scheme:dark){:root{" + dark.String() + "}}\n" + classes.String()
}

// coordinate writes one for the page.
func coordinate(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// path is a shape as the attribute d of a path.
func path(s dShape) string {
	var b strings.Builder
	if len(s.Points) == 1 {
		at, r, d := s.Points[0], coordinate(s.Radius), coordinate(2*s.Radius)
		fmt.Fprintf(&b, "M%s %sa%s %s 0 1 0 %s 0a%s %s 0 1 0 -%s 0z", coordinate(at.X-s.Radius), coordinate(at.Y), r, r, d, r, r, d)
		return b.String()
	}
	for i, p := range s.Points {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(coordinate(p.X) + " " + coordinate(p.Y))
	}
	if !s.Open {
		b.WriteByte('z')
	}
	return b.String()
}

// class is the class of a shape in the style sheet.
func class(s dShape) string {
	switch {
	case s.Color < 0:
		return "band"
	case s.Open:
		return "curve l" + itoa(s.Color)
	case s.Bar:
		return "bar c" + itoa(s.Color)
	}
	return "c" + itoa(s.Color)
}
