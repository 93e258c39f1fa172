package report

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bench/claims"
	"socsim/bench/store"
	"socsim/soc"
)

func judge(rows []store.Row, o Options) []Verdict {
	e := sortRows(rows)
	e.estimate(o.Energy)
	return e.verdicts()
}

func judged(t *testing.T, rows []store.Row, o Options, claim string) Verdict {
	t.Helper()
	return verdictOn(t, judge(rows, o), claim)
}

func verdictOn(t *testing.T, list []Verdict, claim string) Verdict {
	t.Helper()
	for _, v := range list {
		if v.Claim == claim {
			return v
		}
	}
	t.Fatalf("no verdict on %s", claim)
	return Verdict{}
}

// Rows decide: every verdict is another one in another world.
func TestVerdicts(t *testing.T) {
	asClaimed := judge(world(nil), Options{})
	for _, tt := range []struct {
		claim, why string
		change     func(*fake)
		energy     func(*soc.Result) (map[string]Energy, error)
		want       claims.Outcome
	}{
		{"C1", "900 cycles of words, 120 of permutations", nil, nil, claims.Supported},
		{"C1", "permuting takes longer", func(f *fake) { f.busy = 5000 }, nil, claims.Refuted},
		{"C2", "half of the rounds save 5%", nil, nil, claims.Supported},
		{"C2", "half of the rounds save a third", func(f *fake) {
			if f.hash() == "shake12" || f.hash() == "ascon8" {
				f.MoveIn = 500
			}
		}, nil, claims.Refuted},
		{"C3", "50 of 10,000 cycles are not hashing", nil, nil, claims.Supported},
		{"C3", "6,000 of 10,000 are not", func(f *fake) {
			if f.point.Accel != "none" {
				f.Compute = 6000
			}
		}, nil, claims.Refuted},
		{"C4", "600 for 800 cycles with the instruction", nil, nil, claims.Supported},
		{"C4", "as many", func(f *fake) {
			if f.coupling() == "regx" {
				f.MoveIn = 800
			}
		}, nil, claims.Refuted},
		{"C5", "all as SPHINCS+", nil, proportional, claims.Supported},
		{"C5", "nothing as SPHINCS+", func(f *fake) {
			if f.point.Accel != "none" {
				f.Compute = 8000
			}
			if f.hash() == "shake12" || f.hash() == "ascon8" {
				f.Compute = 4000
			}
			if f.point.Accel == "none" {
				f.Compute = 4100
			}
		}, func(r *soc.Result) (map[string]Energy, error) {
			all, _ := proportional(r)
			for name, e := range all {
				e.Value = 1e6 - e.Value
				all[name] = e
			}
			return all, nil
		}, claims.Refuted},
		{"C5", "Kyber's own work decides", func(f *fake) {
			if f.point.Program == "kyber" && f.point.Accel != "none" {
				f.Compute = 4000
			}
		}, proportional, claims.Depends},
		{"C5", "no coefficients", nil, nil, claims.Undecided},
		{"C5", "coefficients that fail", nil, func(*soc.Result) (map[string]Energy, error) { return nil, errors.New("no row for DMA") }, claims.Undecided},
		{"border", "", nil, nil, claims.Found},
	} {
		list := asClaimed
		if tt.change != nil || tt.energy != nil {
			list = judge(world(tt.change), Options{Energy: tt.energy})
		}
		v := verdictOn(t, list, tt.claim)
		if v.Outcome != string(tt.want) {
			t.Errorf("%s, %s: %s, want %s: %s", tt.claim, tt.why, v.Outcome, tt.want, v.Reason)
		}
		if tt.want != claims.Undecided && len(v.Tables) == 0 {
			t.Errorf("%s, %s: no evidence", tt.claim, tt.why)
		}
	}
}

// A verdict is about the sets that have all runs, and says which have not.
func TestVerdictsSets(t *testing.T) {
	rows := world(nil)
	p := rows[0].Point
	p.Set = "192f"
	rows = append(rows, row(p, nil))
	v := judged(t, rows, Options{}, "C3")
	if v.Outcome != string(claims.Supported) || !strings.Contains(v.Judged, "SPHINCS+ 128f: ") || !strings.Contains(v.Judged, "192f (9 runs)") {
		t.Errorf("%s: %s", v.Outcome, v.Judged)
	}
	rows = slices.DeleteFunc(rows, func(r store.Row) bool { return r.Point.Set == "128f" && r.Point.Accel == "none" })
	v = judged(t, rows, Options{}, "C3")
	if v.Outcome != string(claims.Undecided) || len(v.Missing) == 0 {
		t.Errorf("without software: %s, %d missing", v.Outcome, len(v.Missing))
	}
	if v = judged(t, nil, Options{}, "C1"); v.Outcome != string(claims.Undecided) {
		t.Errorf("without rows: %s", v.Outcome)
	}
}

// Of several seeds the first decides, and runs with other arguments do not.
func TestVerdictsWhich(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: thousands of rows")
	}
	for _, change := range []func(*store.Point){
		func(p *store.Point) { p.Seed = "7" },
		func(p *store.Point) { p.Args = append(slices.Clone(p.Args), "-variant", "r3") },
		func(p *store.Point) { p.Args = append(slices.Clone(p.Args), "-ram", "copy") },
	} {
		rows := world(nil)
		for _, r := range world(nil) {
			if r.Point.Kind == store.Program {
				change(&r.Point)
				rows = append(rows, row(r.Point, func(f *fake) { f.busy = 5000 }))
			}
		}
		if v := judged(t, rows, Options{}, "C1"); v.Outcome != string(claims.Supported) {
			t.Errorf("%v: %s", rows[len(rows)-1].Point, v.Outcome)
		}
	}
}

// Operations that were run one by one decide as well as those of one run.
func TestVerdictsApart(t *testing.T) {
	var rows []store.Row
	for _, r := range world(nil) {
		if r.Point.Program != "sphincs" {
			rows = append(rows, r)
			continue
		}
		for _, o := range r.Point.Operations {
			p := r.Point
			p.Operations = []string{o}
			rows = append(rows, row(p, nil))
		}
	}
	for _, v := range New(rows, Options{Energy: proportional}).Verdicts {
		if v.Outcome == string(claims.Undecided) {
			t.Errorf("%s: %s", v.Claim, v.Reason)
		}
	}
}

// point is one of dilithium.
func point(accelerator, seed string) store.Point {
	p := store.Point{Kind: store.Program, Program: "dilithium", Set: "44", Operations: []string{"sign"}, Accel: accelerator, Seed: seed}
	if accelerator == "none" {
		p.Hash = "shake"
	}
	return p
}

// Medians, quartiles, n; one seed counts once, and speed-ups are over common seeds.
func TestMeasures(t *testing.T) {
	cycles := func(n uint64) func(*fake) {
		return func(f *fake) { f.Ledger = soc.Ledger{Compute: n - 30, MoveIn: 20, WaitOut: 10} }
	}
	rows := []store.Row{
		row(point("shake-fifo", "1"), cycles(500)), row(point("shake-fifo", "2"), cycles(100)),
		row(point("shake-fifo", "3"), cycles(300)), row(point("shake-fifo", "10"), cycles(200)),
		row(point("none", "1"), cycles(5000)), row(point("none", "2"), cycles(3000)), row(point("none", "7"), cycles(100)),
	}
	again := point("shake-fifo", "3")
	again.Args = []string{"-nodigest"}
	rows = append(rows, row(again, cycles(300)))
	for range 3 {
		rows = append(rows[1:], rows[0])
		e := sortRows(rows)
		if len(e.measures) != 2 {
			t.Fatalf("%d measures", len(e.measures))
		}
		m := e.measures[1]
		if m.n() != 4 || m.cycles() != 200 || m.quantile(0.25) != 100 || m.quantile(0.75) != 300 || m.moving() != 0.15 {
			t.Errorf("n = %d, median %v, quartiles %v and %v, moving %v", m.n(), m.cycles(), m.quantile(0.25), m.quantile(0.75), m.moving())
		}
		if x, n, ok := e.speed(m); x != 30 || n != 2 || !ok {
			t.Errorf("speed-up %v of n = %d", x, n)
		}
		if ms, ok := m.ms(m.cycles()); ms != 0.002 || !ok {
			t.Errorf("%v ms", ms)
		}
	}
	// Software has no bus to an accelerator, but it has a clock.
	for setting, want := range map[string]bool{"accel.bus=obi": true, "clock_hz=5": false} {
		changed := point("shake-fifo", "1")
		changed.Settings = []string{setting}
		e := sortRows(append(slices.Clone(rows), row(changed, cycles(500))))
		if _, _, ok := e.speed(e.measures[2]); ok != want || e.measures[2].Settings != setting {
			t.Errorf("%s: a speed-up %v", setting, ok)
		}
	}
	many := row(point("shake-fifo", "1"), cycles(500))
	many.Result.Regions[0].Calls = 4
	if m := sortRows([]store.Row{many}).measures[0]; m.cycles() != 125 || m.nText() != "1, means of 4" {
		t.Errorf("4 calls: %v of n = %s", m.cycles(), m.nText())
	}
}

// What is no evidence is listed with the reason, and is in no number.
func TestUnused(t *testing.T) {
	for _, tt := range []struct {
		why    string
		change func(*store.Row)
	}{
		{"its format is version 2", func(r *store.Row) { r.Version = 2 }},
		{"of model version 0.0.1", func(r *store.Row) { r.ModelVersion = "0.0.1" }},
		{"of another build of dilithium", func(r *store.Row) { r.ELFSHA256 = "00" }},
		{"there is no driver", func(r *store.Row) { r.Result, r.Refused = nil, "there is no driver" }},
		{"it has no result", func(r *store.Row) { r.Result = nil }},
		{"it has no result", func(r *store.Row) { r.Point.Kind = store.SDitH }},
		{"of kind \"\"", func(r *store.Row) { r.Point.Kind = "" }},
		{"ended with max-cycles", func(r *store.Row) { r.Result.Exit.Reason = soc.MaxCycles }},
		{"exit code 3", func(r *store.Row) { r.Result.Exit.Code = 3 }},
		{"computed something else", func(r *store.Row) { *r.Result.Verified = false }},
		{"its ledger does not add up", func(r *store.Row) { r.Result.Ledger.Trap++ }},
		{"the point says shake-fifo", func(r *store.Row) { r.Result.Config.Accel = "shake-lsu" }},
		{"nothing was measured", func(r *store.Row) { r.Result.Regions = nil }},
		{"region sign is not complete", func(r *store.Row) { r.Result.Regions[0].Open = true }},
		{"region sign is not complete", func(r *store.Row) { r.Result.Regions[0].Ledger.Trap++ }},
	} {
		good, also, bad := row(point("shake-fifo", "1"), nil), row(point("shake-fifo", "2"), nil), row(point("shake-fifo", "3"), nil)
		tt.change(&bad)
		e := sortRows([]store.Row{bad, good, also})
		if len(e.unused) != 1 || !strings.Contains(e.unused[0].why, tt.why) || len(e.measures) != 1 || e.measures[0].n() != 2 {
			t.Errorf("%s: %v", tt.why, e.unused)
		}
		if s := e.unusedSection(); s == nil || len(s.Blocks[0].Table.Rows) != 1 {
			t.Errorf("%s: not shown", tt.why)
		}
	}
}

// The parts of every bar are the cycles of its ledger.
func TestLedgerBars(t *testing.T) {
	e := sortRows(world(nil))
	s := e.ledgers()
	bars := 0
	for _, b := range s.Blocks {
		for _, p := range b.Figure.Panels {
			sums := make([]float64, len(p.Rows))
			for _, series := range p.Series {
				for _, pt := range series.Points {
					sums[pt.Row] += pt.X
				}
			}
			for i, name := range p.Rows {
				n := slices.IndexFunc(e.measures, func(m *measure) bool {
					return m.workload() == b.Figure.Title && m.Operation == p.Title && m.system() == name && m.Settings == ""
				})
				if n < 0 || e.measures[n].cycles() != sums[i] || short(sums[i]) != p.Ends[i] {
					t.Errorf("%s %s %s: %v", b.Figure.Title, p.Title, name, sums[i])
				}
				bars++
			}
		}
	}
	if bars < 3*35+3*35 {
		t.Errorf("%d bars", bars)
	}
}

// Curves have a point for every run of the sweep.
func TestCurves(t *testing.T) {
	e := sortRows(world(nil))
	for _, tt := range []struct {
		s      *Section
		title  string
		panels []string
		lines  []string
		xs     []float64
	}{
		{e.waits(), "hash -in 408", []string{"shake-fifo, FIFO depth 1", "shake-fifo, FIFO depth 2", "shake-fifo, FIFO depth 10"},
			[]string{"cycles a round 1/2", "cycles a round 1", "cycles a round 2"}, []float64{0, 1, 2.5}},
		{e.depths(), "hash -in 408", []string{"shake-fifo, bus 0/0/0", "shake-fifo, bus 0/1/1", "shake-fifo, bus 0/2/3"},
			[]string{"cycles a round 1/2", "cycles a round 1", "cycles a round 2"}, []float64{1, 2, 10}},
		{e.rounds(), "hash -in 408", []string{"shake-fifo, FIFO depth 1", "shake-fifo, FIFO depth 2", "shake-fifo, FIFO depth 10"},
			[]string{"bus 0/0/0", "bus 0/1/1", "bus 0/2/3"}, []float64{0.5, 1, 2}},
	} {
		n := slices.IndexFunc(tt.s.Blocks, func(b Block) bool { return b.Figure.Title == tt.title })
		if n < 0 {
			t.Errorf("%s: no figure %s", tt.s.ID, tt.title)
			continue
		}
		f := tt.s.Blocks[n].Figure
		var panels []string
		for _, p := range f.Panels {
			panels = append(panels, p.Title)
			var lines []string
			for _, s := range p.Series {
				lines = append(lines, s.Key.Name)
				var xs []float64
				for _, pt := range s.Points {
					xs = append(xs, pt.X)
				}
				if diff := cmp.Diff(tt.xs, xs); diff != "" {
					t.Errorf("%s, %s, %s: %s", tt.s.ID, p.Title, s.Key.Name, diff)
				}
			}
			if diff := cmp.Diff(tt.lines, lines); diff != "" {
				t.Errorf("%s, %s: %s", tt.s.ID, p.Title, diff)
			}
		}
		if diff := cmp.Diff(tt.panels, panels); diff != "" {
			t.Errorf("%s: %s", tt.s.ID, diff)
		}
		if len(f.Table.Rows) != 27 {
			t.Errorf("%s: %d lines", tt.s.ID, len(f.Table.Rows))
		}
	}
}

// Every figure has a table behind it, says of what n its numbers are, and all of a report
// is on the page.
func TestWhole(t *testing.T) {
	r := New(world(nil), Options{Energy: proportional})
	var ids []string
	for _, s := range r.Sections {
		ids = append(ids, s.ID)
	}
	want := []string{"summary", "speedup", "ledger", "transfer", "waits", "depth", "rounds", "energy", "sdith"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Error(diff)
	}
	text := written(t, r)
	for _, f := range r.Figures() {
		if f.Table == nil || len(f.Table.Rows) == 0 {
			t.Errorf("%s: no table behind it", f.Name)
		}
		if !strings.Contains(f.Caption, "n = ") && !strings.Contains(f.Caption, "has n") && !strings.Contains(f.Caption, "n of") {
			t.Errorf("%s: nothing about n: %s", f.Name, f.Caption)
		}
		if !strings.Contains(text, `id="figure-`+f.Name+`"`) {
			t.Errorf("%s: not on the page", f.Name)
		}
	}
	for _, table := range r.Tables() {
		checkTable(t, table)
		if !strings.Contains(text, `id="table-`+table.Name+`"`) {
			t.Errorf("%s: not on the page", table.Name)
		}
	}
	for _, outside := range []string{"http:", "https:", "src=", "url(", "@import", "<link"} {
		if strings.Contains(text, outside) {
			t.Errorf("the page has %s in it", outside)
		}
	}
	if got := strings.Count(text, "<svg viewBox") - strings.Count(text, `aria-hidden="true"`); got != strings.Count(text, `role="img" aria-label="`) {
		t.Errorf("%d pictures, not all with a label", got)
	}
	if notNumbers.MatchString(text) {
		t.Error("a number that is none")
	}
}

// The same rows give the same bytes, in whatever order.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: four pages and files")
	}
	rows := world(nil)
	a := New(rows, Options{})
	slices.Reverse(rows)
	b := New(rows, Options{})
	if written(t, a) != written(t, b) {
		t.Error("the page depends on the order of rows")
	}
	f, g := a.Figures()[0], b.Figures()[0]
	for _, form := range []func(*Figure) ([]byte, error){(*Figure).SVG, (*Figure).PDF} {
		x, err := form(f)
		if err != nil {
			t.Fatal(err)
		}
		if y, _ := form(g); !bytes.Equal(x, y) {
			t.Error("two files of one figure differ")
		}
		if bytes.Contains(x, []byte("CreationDate")) && !bytes.Contains(x, []byte("CreationDate (D:20000101000000")) {
			t.Error("a file has the day on which it was made")
		}
	}
}

// Of many components the small ones are drawn as one, and all are in the table.
func TestEnergyParts(t *testing.T) {
	of := func(r *soc.Result) (map[string]Energy, error) {
		all := map[string]Energy{}
		for _, g := range r.Regions {
			e := Energy{Assumed: true}
			for i := range 12 {
				x := float64((i*5)%12+1) * float64(g.Cycles)
				e.Parts = append(e.Parts, EnergyPart{fmt.Sprintf("part%02d", i), x})
				e.Value += x
			}
			e.Low, e.High = e.Value/2, e.Value*2
			all[g.Name] = e
		}
		return all, nil
	}
	many := row(point("shake-lsu", "1"), nil)
	many.Result.Regions[0].Calls = 2
	e := sortRows([]store.Row{row(point("shake-fifo", "1"), nil), many, row(point("none", "1"), nil)})
	e.estimate(of)
	f := e.energySection("").Blocks[0].Figure
	if len(f.Legend) != mostParts+1 || f.Legend[mostParts].Name != "all others" {
		t.Errorf("%v", f.Legend)
	}
	sums, ranges := make([]float64, 2), 0
	for _, s := range f.Panels[0].Series {
		for _, p := range s.Points {
			if p.Range {
				ranges++
				if p.Low != p.X/2 || p.High != p.X*2 {
					t.Errorf("interval of %v: %v to %v", p.X, p.Low, p.High)
				}
				continue
			}
			sums[p.Row] += p.X
		}
	}
	// 1 to 12 times the cycles are 78 times, in nanojoules; of two calls half.
	cycles := float64(many.Result.Regions[0].Cycles)
	if math.Abs(sums[0]-78*cycles/1000) > 1e-9 || math.Abs(sums[1]-78*cycles/2000) > 1e-9 || ranges != 2 {
		t.Errorf("%v µJ, %d intervals, %v cycles", sums, ranges, cycles)
	}
	head := f.Table.Columns
	if len(f.Table.Rows) != 3 || len(head) != 8+12+1 {
		t.Errorf("%d lines of %d columns", len(f.Table.Rows), len(head))
	}
	// 78 nJ a cycle of 10 ns are 7.8 W.
	if c := f.Table.Rows[1][7]; c.Text != "7,800.000" {
		t.Errorf("%s mW", c.Text)
	}
}
