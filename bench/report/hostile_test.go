package report

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"socsim/bench/store"
	"socsim/soc"
)

// hostile are rows as nobody makes them: texts that mean something to a browser, to LaTeX
// and to Markdown, numbers at their ends, fields that are not there.
func hostile() (rows []store.Row) {
	const evil = "</title></script><script>alert(1)</script>\" onload='x' {{.}} \\input{x} $x_1^2$ a|b*c & \u202e\x00\xff ]]>"
	for i, name := range []string{evil, strings.Repeat("long ", 5000), "", "../../x", "none", "\u4f60\u597d"} {
		for _, accelerator := range []string{"shake-fifo", evil, "none"} {
			for _, seed := range []string{"1", evil} {
				p := store.Point{Kind: store.Program, Program: name, Set: evil, Operations: []string{evil}, Args: []string{evil, "-ram"}, Accel: accelerator, Seed: seed,
					Settings: []string{"accel.bus=" + fmt.Sprint(i) + "/" + evil}}
				if i%2 == 0 {
					p.Settings = nil
				}
				r := row(p, func(f *fake) {
					f.Ledger = soc.Ledger{Compute: math.MaxUint64 / 2, Sleep: uint64(i)}
					f.in, f.out, f.permutations = math.MaxUint64, math.MaxUint64, 0
				})
				r.Result.Config.ClockHz = uint64(i) * math.MaxUint64 / 8
				if i%3 == 0 {
					r.Result.Regions[0].Accel = nil
				}
				rows = append(rows, r)
			}
		}
	}
	for _, bus := range []string{"0/0/0", "0/1000000/0", "x", "0/5/5", "0/7/7"} {
		p := store.Point{Kind: store.Program, Program: "hash", Accel: "shake-fifo", Settings: []string{"accel.bus=" + bus, "accel.fifo_depth=99999999999999999999"}}
		rows = append(rows, row(p, func(f *fake) { f.Ledger = soc.Ledger{Compute: 1} }))
	}
	rows = append(rows, store.Row{}, store.Row{Version: 1, Point: store.Point{Kind: evil}}, store.Row{Version: 1, ModelVersion: evil, Refused: evil})
	for _, r := range world(nil) {
		if r.SDitH != nil {
			r.Point.Config, r.Point.Settings = evil, []string{evil}
			r.SDitH.Cycles = math.MaxInt64
			rows = append(rows, r)
		}
	}
	return rows
}

func strange(r *soc.Result) (map[string]Energy, error) {
	all := map[string]Energy{}
	for i, g := range r.Regions {
		all[g.Name] = Energy{Value: 1, Low: 0, High: math.MaxFloat64, Parts: []EnergyPart{{"<b>", 1}}}
		if i%2 == 1 {
			all[g.Name] = Energy{Value: math.NaN()}
		}
	}
	return all, nil
}

var notNumbers = regexp.MustCompile(`\b(NaN|[+-]?Inf)\b`)

// Whatever rows say, pages, tables and figures are whole.
func TestHostile(t *testing.T) {
	r := New(hostile(), Options{Title: "<script>", Energy: strange, EnergySource: "<img src=x>"})
	text := written(t, r)
	if n := strings.Count(text, "<script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	for _, wrong := range []string{"ZgotmplZ", "<img", "<b>core", "\u202e", "\x00", "\xff", "onload='x'"} {
		if strings.Contains(text, wrong) {
			t.Errorf("the page has %q in it", wrong)
		}
	}
	if at := notNumbers.FindStringIndex(text); at != nil {
		t.Errorf("no number: %s", text[max(0, at[0]-200):at[1]])
	}
	if len(text) > 3<<20 {
		t.Errorf("%d bytes", len(text))
	}
	for _, table := range r.Tables() {
		if strings.Trim(table.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || table.Name == "" || len(table.Name) > 90 {
			t.Errorf("file name %q", table.Name)
		}
		checkTable(t, table)
	}
	for i, f := range r.Figures() {
		if testing.Short() && i > 1 {
			break // files take most of the time
		}
		svg, err := f.SVG()
		if err != nil || bytes.Contains(svg, []byte("<script")) || notNumbers.Match(svg) {
			t.Errorf("%s.svg: %v", f.Name, err)
		}
		if i > 3 {
			continue // those take longer
		}
		if _, err := f.PDF(); err != nil {
			t.Errorf("%s.pdf: %v", f.Name, err)
		}
	}
}

// checkTable holds the written forms of a table against its rows.
func checkTable(t *testing.T, table *Table) {
	t.Helper()
	for _, r := range table.Rows {
		if len(r) != len(table.Columns) {
			t.Fatalf("%s: %d cells for %d columns", table.Name, len(r), len(table.Columns))
		}
	}
	lines := strings.Split(strings.TrimSuffix(table.Markdown(), "\n"), "\n")
	if len(lines) != len(table.Rows)+4 {
		t.Errorf("%s.md: %d lines for %d rows", table.Name, len(lines), len(table.Rows))
	}
	for _, l := range lines[2:] {
		if n := strings.Count(strings.ReplaceAll(strings.ReplaceAll(l, `\\`, ""), `\|`, ""), "|"); n != len(table.Columns)+1 {
			t.Errorf("%s.md: %d cells: %s", table.Name, n-1, l)
		}
	}
	body := false
	for l := range strings.Lines(table.LaTeX()) {
		if body = body || strings.HasPrefix(l, `\endfoot`); !body || strings.HasPrefix(l, `\end`) {
			continue
		}
		bare := regexp.MustCompile(`\\[&%$#_{}]|\\text[a-z]+\{\}|\$\\times\$|\\ldots\{\}`).ReplaceAllString(strings.TrimSuffix(l, " \\\\\n"), "")
		if strings.Count(bare, "&") != len(table.Columns)-1 || strings.ContainsAny(bare, `\${}#%_^~`) {
			t.Errorf("%s.tex: %s", table.Name, l)
		}
	}
}
