package experiment

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"socsim/bench/store"
	"socsim/soc"
)

var long = flag.Bool("long", false, "run the whole of interfaces and sdith against their references")

// small is an experiment of milliseconds, with everything in it.
const small = `
[[block]]
firmware = ["hash"]
accelerators = ["shake-fifo", "ascon-lsu", "shake-ram"]
software = ["ascon"]
settings."accel.cycles_per_round" = ["", "2"]
[[block]]
firmware = ["kyber"]
sets = ["512"]
accelerators = ["shake-fifo"]
seeds = 3
[[block]]
configurations = ["sec1_fast_hp1"]
settings.cache_depth = [8]
`

func folder(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// files are the contents of a store.
func files(t *testing.T, s *store.Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(s.Dir(), e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}

// A run that was interrupted goes on; shards in several stores, merged, are the very bytes
// of one run; nothing is run twice.
func TestResumeAndShards(t *testing.T) {
	points := parse(t, small).Points()
	whole := folder(t)
	var last Progress
	var parts []float64
	summary, err := Run(t.Context(), points, whole, 2, func(p Progress) { last = p; parts = append(parts, p.Part) })
	if err != nil || len(summary.Failures) > 0 || summary.Ran != len(points) || len(summary.Rows) != len(points) {
		t.Fatalf("%v: %+v", err, summary.Failures)
	}
	if last.Done != len(points) || last.All != len(points) || last.Part != 1 || last.Cycles == 0 || last.Instret == 0 {
		t.Errorf("progress at the end: %+v", last)
	}
	for i, p := range points {
		if diff := cmp.Diff(p, summary.Rows[i].Point); diff != "" {
			t.Errorf("row %d is of another point:\n%s", i, diff)
		}
	}
	want := files(t, whole)

	// Interrupted after two runs, and once more after two.
	resumed := folder(t)
	for range 2 {
		ctx, stop := context.WithCancel(t.Context())
		_, err := Run(ctx, points, resumed, 1, func(p Progress) {
			if p.Done == 2 {
				stop()
			}
		})
		stop()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
	if n := len(files(t, resumed)); n != 4 {
		t.Errorf("%d rows after two times two runs", n)
	}
	summary, err = Run(t.Context(), points, resumed, 1, nil)
	if err != nil || summary.Reused != 4 || summary.Ran != len(points)-4 {
		t.Errorf("%d reused, %d run, %v", summary.Reused, summary.Ran, err)
	}
	if diff := cmp.Diff(want, files(t, resumed)); diff != "" {
		t.Error(diff)
	}

	merged := folder(t)
	for _, shard := range Shards(points, 3) {
		s := folder(t)
		if _, err := Run(t.Context(), shard, s, 1, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := merged.Merge(s); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, files(t, merged)); diff != "" {
		t.Error(diff)
	}
	summary, err = Run(t.Context(), points, merged, 2, func(Progress) { t.Error("something is run") })
	if err != nil || summary.Ran != 0 || summary.Reused != len(points) {
		t.Errorf("%d reused, %d run, %v", summary.Reused, summary.Ran, err)
	}
}

// What goes wrong is a failure, and the others are run; a row that is refused says why.
func TestFailures(t *testing.T) {
	s := folder(t)
	points := parse(t, `
[[block]]
firmware = ["hash"]
accelerators = ["shake-fifo"]
arguments = ["-k 0", "-in 8", "-in 16"]
`).Points()
	points = append(points, store.Point{Kind: store.SDitH, Config: "sec1_fast_hp0", Settings: []string{"cache_depth=13"}, Seed: "0"})
	summary, err := Run(t.Context(), points, s, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(summary.Failures) != 1 || !strings.Contains(summary.Failures[0].Err.Error(), "exit code 2: hash: -k") {
		t.Errorf("failures: %+v", summary.Failures)
	}
	if len(summary.Rows) != 3 || !strings.Contains(summary.Rows[2].Refused, "want 0 to 12") {
		t.Errorf("rows: %+v", summary.Rows)
	}

	// Another machine has another result of the second point before this one puts its own.
	changed := summary.Rows[1]
	bare := *changed.Result
	bare.Instret--
	changed.Result = &bare
	s = folder(t)
	summary, err = Run(t.Context(), points[1:3], s, 1, func(p Progress) {
		if p.Done == 1 {
			if err := s.Put(changed); err != nil {
				t.Error(err)
			}
		}
	})
	var conflict *store.ConflictError
	if err != nil || len(summary.Failures) != 1 || !errors.As(summary.Failures[0].Err, &conflict) || len(summary.Rows) != 1 {
		t.Errorf("%v: %+v", err, summary)
	}

	// A store of another version ends it before anything is run.
	old := folder(t)
	if err := os.WriteFile(filepath.Join(old.Dir(), "00.json"), []byte(`{"version":1,"model_version":"0.0.1"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), points, old, 1, nil); err == nil || !strings.Contains(err.Error(), "model version 0.0.1") {
		t.Errorf("%v", err)
	}
}

// Shards are a partition, in order, whatever the number.
func TestShards(t *testing.T) {
	e, err := Load("interfaces")
	if err != nil {
		t.Fatal(err)
	}
	all := e.Points()
	rapid.Check(t, func(t *rapid.T) {
		points := all[:rapid.IntRange(0, 40).Draw(t, "points")]
		n := rapid.IntRange(1, 50).Draw(t, "shards")
		shards := Shards(points, n)
		if len(shards) != n {
			t.Fatalf("%d shards", len(shards))
		}
		place := map[string]int{}
		for i, p := range points {
			place[p.String()] = i
		}
		total := 0
		for _, s := range shards {
			last := -1
			for _, p := range s {
				if place[p.String()] <= last {
					t.Fatalf("out of order, or twice: %s", p)
				}
				last = place[p.String()]
			}
			total += len(s)
		}
		if total != len(points) {
			t.Fatalf("%d points in all shards of %d", total, len(points))
		}
	})
	// Parts of equal work: of the points of quick none has twice what another one has.
	quick, err := Load("quick")
	if err != nil {
		t.Fatal(err)
	}
	estimator := NewEstimator()
	var least, most float64
	for i, s := range Shards(quick.Points(), 2) {
		sum := 0.0
		for _, p := range s {
			sum += estimator.Of(p).Nanoseconds
		}
		if i == 0 || sum < least {
			least = sum
		}
		most = max(most, sum)
	}
	if most > 1.1*least {
		t.Errorf("shards of %.2g and %.2g s", least/1e9, most/1e9)
	}
}

// Long points come first, by what was run of the same or of the like.
func TestEstimates(t *testing.T) {
	e := &Estimator{sums: map[string]sum{}}
	p := func(set, accel string, settings ...string) store.Point {
		return store.Point{Kind: store.Program, Program: "kyber", Set: set, Accel: accel, Settings: settings}
	}
	learn := func(point store.Point, cycles uint64) {
		e.Learn(&store.Row{Point: point, Result: &soc.Result{Cycles: cycles, Ledger: soc.Ledger{Compute: cycles}}})
	}
	if got := e.Of(p("512", "shake-fifo")); got != unknown {
		t.Errorf("of nothing: %+v", got)
	}
	learn(p("512", "shake-fifo"), 100)
	learn(p("512", "shake-fifo", "accel.bus=obi"), 300)
	learn(p("768", "ascon-ram"), 5000)
	for _, c := range []struct {
		point store.Point
		want  float64
	}{
		{p("512", "shake-fifo"), 100},                      // itself
		{p("512", "shake-fifo", "accel.x=1"), 200},         // its system
		{p("512", "ascon-fifo"), 200},                      // its coupling
		{p("1024", "shake-ram"), 5000},                     // any with its coupling
		{p("1024", "shake-lsu"), (100 + 300 + 5000) / 3.0}, // its program
	} {
		if got := e.Of(c.point).Cycles; got != c.want {
			t.Errorf("%v: %v cycles, want %v", c.point, got, c.want)
		}
	}
	points := []store.Point{p("512", "shake-fifo"), p("768", "ascon-ram"), p("512", "shake-lsu")}
	if diff := cmp.Diff([]int{1, 2, 0}, e.Longest(points)); diff != "" {
		t.Error(diff)
	}
}

func TestReference(t *testing.T) {
	s := folder(t)
	summary, err := Run(t.Context(), parse(t, small).Points(), s, 2, nil)
	if err != nil || len(summary.Failures) > 0 {
		t.Fatal(err, summary.Failures)
	}
	have := ReferenceOf(append(summary.Rows, store.Row{Point: store.Point{Kind: store.SDitH, Config: "c"}, Refused: "no"}))
	var text bytes.Buffer
	if err := have.Write(&text); err != nil {
		t.Fatal(err)
	}
	want, err := ParseReference("r.csv", text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(have, want); diff != "" {
		t.Fatal(diff)
	}
	if c := have.Compare(want); c.Compared != len(have.Points) || len(c.Differences)+len(c.Unknown)+len(c.Left)+len(c.Made) > 0 {
		t.Errorf("with itself: %+v", c)
	}
	want.Made[0] = "model version 0"
	p := &want.Points[1]
	p.Regions[0].Cycles += 10
	p.Regions[1].Ledger.MoveIn--
	p.Regions[1].Name += "x"
	p.Regions = append(p.Regions, ReferenceRegion{Name: "more", Cycles: 1})
	want.Points[0].Regions[1].Ledger.Compute += 7
	want.Points[2].Point = "gone"
	c := have.Compare(want)
	var got []string
	for _, d := range c.Differences {
		got = append(got, d.String())
	}
	cycles := have.Points[1].Regions[0].Cycles
	compute := have.Points[0].Regions[1].Ledger.Compute
	lines := []string{
		fmt.Sprintf("hash, ascon in software: hash, compute: %d, not %d: -7 (%+.2f%%)", compute, compute+7, 100*(float64(compute)/float64(compute+7)-1)),
		fmt.Sprintf("hash, shake-fifo: run, cycles: %d, not %d: -10 (%+.2f%%)", cycles, cycles+10, 100*(float64(cycles)/float64(cycles+10)-1)),
		"hash, shake-fifo: it has hash, which the reference has not",
		"hash, shake-fifo: it lacks hashx, which the reference has",
		"hash, shake-fifo: it lacks more, which the reference has",
	}
	if diff := cmp.Diff(lines, got); diff != "" {
		t.Error(diff)
	}
	if c.Compared != len(have.Points)-1 || len(c.Unknown) != 1 || !cmp.Equal(c.Left, []string{"gone"}) || !cmp.Equal(c.Made, []string{"model version 0"}) {
		t.Errorf("%+v", c)
	}
	for _, broken := range []struct{ text, want string }{
		{"", "no reference results"}, {"# x\na,b\n", "r.csv: "}, {strings.Join(header(), ",") + "\n,run" + strings.Repeat(",0", 11), "r.csv:2: a region without a point"},
		{strings.Join(header(), ",") + "\na,run" + strings.Repeat(",x", 11), `r.csv:2: cycles: "x" is no number`},
		{"key,a,b,c,d,e,f,g,h,i,j,k,l\n", "not that of reference results"},
	} {
		if _, err := ParseReference("r.csv", []byte(broken.text)); err == nil || !strings.Contains(err.Error(), broken.want) {
			t.Errorf("%q: %v, want %q", broken.text, err, broken.want)
		}
	}
}

// Cycles are what they were: of a few points of each kind, or with -long of all
// of interfaces and sdith.
func TestAgainstReferences(t *testing.T) {
	for _, name := range []string{"quick", "interfaces", "sdith"} {
		e, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		ref, err := LoadReference(name)
		if err != nil {
			t.Fatal(err)
		}
		points := e.Points()
		if !*long || name == "quick" { // that, whole, is socsim bench quick --check reference
			var few []store.Point
			for i, p := range points {
				cheap := p.Program == "hash" && i%7 == 0 || p.Config == "sec1_fast_hp1"
				if cheap && (i%3 == 0 || !testing.Short()) || p.Program == "kyber" && p.Seed == "1" && !testing.Short() {
					few = append(few, p)
				}
			}
			points = few
		}
		summary, err := Run(t.Context(), points, folder(t), 2, nil)
		if err != nil || len(summary.Failures) > 0 {
			t.Fatal(err, summary.Failures)
		}
		c := ReferenceOf(summary.Rows).Compare(ref)
		if len(points) == 0 || c.Compared != len(points) || len(c.Differences) > 0 {
			t.Errorf("%s: %d of %d points compared: %v", name, c.Compared, len(points), c.Differences)
		}
	}
}

// Against R: quantile(x, type = 7).
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Spread
	}{
		{nil, Spread{}},
		{[]float64{3}, Spread{1, 3, 3, 3, 3, 3}},
		{[]float64{4, 1}, Spread{2, 1, 1.75, 2.5, 3.25, 4}},
		{[]float64{5, 1, 2, 4, 3}, Spread{5, 1, 2, 3, 4, 5}},
		{[]float64{10, 20, 30, 45}, Spread{4, 10, 17.5, 25, 33.75, 45}},
	} {
		if diff := cmp.Diff(c.want, SpreadOf(c.values)); diff != "" {
			t.Errorf("%v: %s", c.values, diff)
		}
	}
	row := func(seed string, cycles uint64) store.Row {
		return store.Row{Point: store.Point{Kind: store.Program, Program: "kyber", Seed: seed}, Result: &soc.Result{Regions: []soc.Region{{Name: "a", Cycles: cycles}, {Name: "b", Cycles: 1}}}}
	}
	groups := Groups([]store.Row{row("0", 5), {Point: store.Point{Kind: store.SDitH}, Refused: "no"}, row("1", 7)})
	if len(groups) != 2 || groups[1].Refused() != "no" {
		t.Fatalf("%d groups", len(groups))
	}
	measures, spreads := groups[0].Spreads()
	if !cmp.Equal(measures, []string{"a", "b"}) || spreads[0] != (Spread{2, 5, 5.5, 6, 6.5, 7}) || spreads[1].N != 2 {
		t.Errorf("%v, %v", measures, spreads)
	}
}
