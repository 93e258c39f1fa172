// Package export writes rows of a store for other tools: JSON Lines with all of a row, and
// tables (CSV, Parquet) with a line for the whole run of a point and one for each region.
package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"socsim/bench/store"
	"socsim/soc"
)

// Formats are the names of [Write].
var Formats = []string{"csv", "jsonl", "parquet"}

// Write writes rows in a format.
func Write(w io.Writer, format string, rows []store.Row) error {
	switch format {
	case "csv":
		return writeCSV(w, rows)
	case "jsonl":
		return writeJSONLines(w, rows)
	case "parquet":
		return writeParquet(w, rows)
	}
	return fmt.Errorf("no format %q; there are %s", format, strings.Join(Formats, ", "))
}

func writeJSONLines(w io.Writer, rows []store.Row) error {
	for i := range rows {
		text, err := rows[i].Encode()
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// Line is a line of a table. Counts are in cycles where their names do not say what else.
// Of SDitH a region is a phase, and there are cycles alone.
type Line struct {
	Key          string `parquet:"key"` // of the row
	ModelVersion string `parquet:"model_version"`
	Kind         string `parquet:"kind,dict"`
	Program      string `parquet:"program,dict"`
	Set          string `parquet:"set,dict"`
	Operations   string `parquet:"operations,dict"` // with commas between, as are settings
	Args         string `parquet:"args,dict"`       // with spaces between
	Seed         string `parquet:"seed"`
	Accel        string `parquet:"accel,dict"`
	Hash         string `parquet:"hash,dict"`
	Settings     string `parquet:"settings,dict"`
	Config       string `parquet:"config,dict"`
	Refused      string `parquet:"refused,dict"`
	Region       string `parquet:"region,dict"` // "run": the whole run
	Calls        uint64 `parquet:"calls"`
	Cycles       uint64 `parquet:"cycles"`
	Instret      uint64 `parquet:"instret"` // instructions
	Compute      uint64 `parquet:"compute"`
	MoveIn       uint64 `parquet:"move_in"`
	WaitIn       uint64 `parquet:"wait_in"`
	Wait         uint64 `parquet:"wait"`
	MoveOut      uint64 `parquet:"move_out"`
	WaitOut      uint64 `parquet:"wait_out"`
	Control      uint64 `parquet:"control"`
	Trap         uint64 `parquet:"trap"`
	Sleep        uint64 `parquet:"sleep"`
	WordsIn      uint64 `parquet:"words_in"` // words, of the accelerator, as what follows
	WordsOut     uint64 `parquet:"words_out"`
	Messages     uint64 `parquet:"messages"`     // messages
	Permutations uint64 `parquet:"permutations"` // permutations
	Busy         uint64 `parquet:"busy_cycles"`
	Overlap      uint64 `parquet:"overlap_cycles"`
	ClockHz      uint64 `parquet:"clock_hz"` // Hz
}

// Lines returns the lines of rows.
func Lines(rows []store.Row) (lines []Line) {
	for i := range rows {
		lines = append(lines, rowLines(&rows[i])...)
	}
	return lines
}

func rowLines(r *store.Row) (lines []Line) {
	p := r.Point
	base := Line{
		Key: r.Key(), ModelVersion: r.ModelVersion, Kind: p.Kind, Program: p.Program, Set: p.Set,
		Operations: strings.Join(p.Operations, ","), Args: strings.Join(p.Args, " "), Seed: p.Seed, Accel: p.Accel, Hash: p.Hash,
		Settings: strings.Join(p.Settings, ","), Config: p.Config, Refused: r.Refused, Region: "run",
	}
	switch {
	case r.Result != nil:
		base.ClockHz = r.Result.Config.ClockHz
		if p.Hash == "" {
			base.Hash = r.Result.Config.Hash
		}
		lines = append(lines, base.counted("run", 1, r.Result.Cycles, r.Result.Instret, r.Result.Ledger, wholeAccel(r.Result)))
		for _, g := range r.Result.Regions {
			lines = append(lines, base.counted(g.Name, g.Calls, g.Cycles, g.Instret, g.Ledger, g.Accel))
		}
	case r.SDitH != nil:
		lines = append(lines, base.counted("run", 1, uint64(r.SDitH.Cycles), 0, soc.Ledger{}, nil))
		for _, phase := range r.SDitH.Phases {
			lines = append(lines, base.counted(phase.Phase.String(), 1, uint64(phase.Cycles), 0, soc.Ledger{}, nil))
		}
	default:
		lines = []Line{base}
	}
	return lines
}

// wholeAccel is what the accelerator did in the whole run.
func wholeAccel(r *soc.Result) *soc.AccelStats {
	for _, d := range r.Devices {
		if s := d.Accel; s != nil {
			return &soc.AccelStats{WordsIn: s.WordsIn, WordsOut: s.WordsOut, Messages: s.Messages, Permutations: s.Permutations,
				BusyCycles: uint64(s.BusyCycles), OverlapCycles: uint64(s.OverlapCycles)}
		}
	}
	return nil
}

func (l Line) counted(region string, calls, cycles, instret uint64, g soc.Ledger, a *soc.AccelStats) Line {
	l.Region, l.Calls, l.Cycles, l.Instret = region, calls, cycles, instret
	l.Compute, l.MoveIn, l.WaitIn, l.Wait, l.MoveOut = g.Compute, g.MoveIn, g.WaitIn, g.Wait, g.MoveOut
	l.WaitOut, l.Control, l.Trap, l.Sleep = g.WaitOut, g.Control, g.Trap, g.Sleep
	if a != nil {
		l.WordsIn, l.WordsOut, l.Messages, l.Permutations = a.WordsIn, a.WordsOut, a.Messages, a.Permutations
		l.Busy, l.Overlap = a.BusyCycles, a.OverlapCycles
	}
	return l
}

// Columns are the names of a table's columns.
func Columns() (names []string) {
	t := reflect.TypeFor[Line]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("parquet"), ",")
		names = append(names, name)
	}
	return names
}

func writeCSV(w io.Writer, rows []store.Row) error {
	var b bytes.Buffer
	c := csv.NewWriter(&b)
	c.Write(Columns())
	for _, l := range Lines(rows) {
		v := reflect.ValueOf(l)
		cells := make([]string, v.NumField())
		for i := range cells {
			cells[i] = fmt.Sprint(v.Field(i).Interface())
		}
		c.Write(cells)
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Known tells whether there is a format of that name.
func Known(format string) bool { return slices.Contains(Formats, format) }
