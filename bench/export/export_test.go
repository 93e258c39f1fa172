package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"socsim/bench/experiment"
	"socsim/bench/store"
)

// someRows are of firmware with and without an accelerator, of SDitH, and one refused.
func someRows(t *testing.T) []store.Row {
	t.Helper()
	e, err := experiment.Parse("x.toml", []byte(`
[[block]]
firmware = ["hash"]
accelerators = ["shake-fifo"]
software = ["ascon"]
arguments = ["-in 8"]
settings."accel.bus" = ["obi"]
[[block]]
configurations = ["sec1_fast_hp1"]
settings.cache_depth = [12]
`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	points := append(e.Points(), store.Point{Kind: store.SDitH, Config: "sec1_fast_hp1", Settings: []string{"cache_depth=13"}, Seed: "0"})
	summary, err := experiment.Run(t.Context(), points, s, 1, nil)
	if err != nil || len(summary.Rows) != 4 {
		t.Fatal(err, summary)
	}
	return summary.Rows
}

// Every format has every line, with the same values.
func TestFormats(t *testing.T) {
	rows := someRows(t)
	lines := Lines(rows)
	if want := 2 + 2 + 11 + 1; len(lines) != want {
		t.Fatalf("%d lines, want %d", len(lines), want)
	}
	for i, r := range []*store.Row{&rows[0], &rows[1]} {
		run, region := lines[2*i], lines[2*i+1]
		if run.Cycles != r.Result.Cycles || run.Region != "run" || region.Region != "hash" || region.MoveIn != r.Result.Regions[0].Ledger.MoveIn || run.ClockHz != 100_000_000 {
			t.Errorf("%+v\n%+v", run, region)
		}
		sum := region.Compute + region.MoveIn + region.WaitIn + region.Wait + region.MoveOut + region.WaitOut + region.Control + region.Trap + region.Sleep
		if sum != region.Cycles || region.Cycles == 0 {
			t.Errorf("rows of %d cycles add up to %d", region.Cycles, sum)
		}
	}
	if l := lines[3]; l.Accel != "shake-fifo" || l.Hash != "shake" || l.Settings != "accel.bus=obi" || l.Args != "-in 8" || l.Permutations != 1 || lines[2].Permutations < 1 {
		t.Errorf("%+v", l)
	}
	if l, a := lines[3], rows[1].Result.Regions[0].Accel; l.WordsIn != a.WordsIn || l.WordsOut != a.WordsOut || l.Messages != a.Messages || l.Busy != a.BusyCycles || l.Overlap != a.OverlapCycles || l.Busy == l.Overlap {
		t.Errorf("%+v, %+v", l, a)
	}
	if l := lines[15]; !strings.Contains(l.Refused, "want 0 to 12") || l.Cycles != 0 {
		t.Errorf("%+v", l)
	}

	var b bytes.Buffer
	if err := Write(&b, "csv", rows); err != nil {
		t.Fatal(err)
	}
	cells, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{Columns()}
	for _, l := range lines {
		var one []string
		for i := range reflect.TypeFor[Line]().NumField() {
			one = append(one, fmt.Sprint(reflect.ValueOf(l).Field(i)))
		}
		want = append(want, one)
	}
	if diff := cmp.Diff(want, cells); diff != "" {
		t.Error(diff)
	}

	b.Reset()
	if err := Write(&b, "jsonl", rows); err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range bytes.Lines(b.Bytes()) {
		r, err := store.Decode(line)
		if err != nil || r.Key() != rows[n].Key() {
			t.Errorf("line %d: %v", n, err)
		}
		n++
	}
	if n != len(rows) {
		t.Errorf("%d lines", n)
	}

	b.Reset()
	if err := Write(&b, "parquet", rows); err != nil {
		t.Fatal(err)
	}
	first := bytes.Clone(b.Bytes())
	got, err := parquet.Read[Line](bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(lines, got); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	if err := Write(&b, "parquet", rows); err != nil || !bytes.Equal(first, b.Bytes()) {
		t.Errorf("written again it has other bytes, or %v", err)
	}
	if err := Write(&b, "xls", rows); err == nil {
		t.Error("format xls")
	}
}
