package experiment

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"socsim/bench/experiments"
	"socsim/bench/store"
	"socsim/soc"
)

// Reference is what points gave, without all that can be made from it anew: cycles and
// the ledger of the whole run and of every region. It is a CSV file in which a point's
// name stands on its first line alone.
type Reference struct {
	Made   []string // lines that say what it is of: model version, programs
	Points []ReferencePoint
}

// ReferencePoint is a point in it. The first region is the whole run.
type ReferencePoint struct {
	Point   string // as store.Point.String has it
	Regions []ReferenceRegion
}

// ReferenceRegion is a region, a phase of SDitH, or a refusal.
type ReferenceRegion struct {
	Name            string
	Cycles, Instret uint64
	Ledger          soc.Ledger
}

const (
	wholeRun = "run"
	refused  = "refused"
)

// ReferenceOf takes from rows what a reference has.
func ReferenceOf(rows []store.Row) *Reference {
	r := &Reference{Made: []string{"model version " + soc.ModelVersion}}
	for i := range rows {
		row := &rows[i]
		if row.ELFSHA256 != "" {
			line := fmt.Sprintf("%s.elf sha256 %s", row.Point.Program, row.ELFSHA256)
			if !slices.Contains(r.Made, line) {
				r.Made = append(r.Made, line)
			}
		}
		p := ReferencePoint{Point: row.Point.String()}
		switch {
		case row.Result != nil:
			p.Regions = append(p.Regions, ReferenceRegion{wholeRun, row.Result.Cycles, row.Result.Instret, row.Result.Ledger})
			for _, g := range row.Result.Regions {
				p.Regions = append(p.Regions, ReferenceRegion{g.Name, g.Cycles, g.Instret, g.Ledger})
			}
		case row.SDitH != nil:
			p.Regions = append(p.Regions, ReferenceRegion{Name: wholeRun, Cycles: uint64(row.SDitH.Cycles)})
			for _, phase := range row.SDitH.Phases {
				p.Regions = append(p.Regions, ReferenceRegion{Name: phase.Phase.String(), Cycles: uint64(phase.Cycles)})
			}
		default:
			p.Regions = []ReferenceRegion{{Name: refused}}
		}
		r.Points = append(r.Points, p)
	}
	return r
}

// columns of the file before those of the ledger.
var columns = []string{"point", "region", "cycles", "instret"}

func header() []string {
	list := slices.Clone(columns)
	for _, row := range (soc.Ledger{}).Rows() {
		list = append(list, row.Name)
	}
	return list
}

// Write writes the file.
func (r *Reference) Write(w io.Writer) error {
	var b bytes.Buffer
	for _, line := range r.Made {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	c := csv.NewWriter(&b)
	c.Write(header())
	for _, p := range r.Points {
		name := p.Point
		for _, g := range p.Regions {
			cells := []string{name, g.Name, fmt.Sprint(g.Cycles), fmt.Sprint(g.Instret)}
			for _, row := range g.Ledger.Rows() {
				cells = append(cells, fmt.Sprint(row.Cycles))
			}
			c.Write(cells)
			name = ""
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// LoadReference reads the one that is built in for an experiment.
func LoadReference(name string) (*Reference, error) {
	text, err := experiments.Files.ReadFile("reference/" + name + ".csv")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no reference results of %s are built in", name)
	}
	if err != nil {
		return nil, err
	}
	return ParseReference("reference/"+name+".csv", text)
}

// ParseReference reads a file. Errors name it and the line.
func ParseReference(file string, text []byte) (*Reference, error) {
	r := &Reference{}
	for line := range strings.Lines(string(text)) {
		made, ok := strings.CutPrefix(strings.TrimSpace(line), "# ")
		if !ok {
			break
		}
		r.Made = append(r.Made, made)
	}
	c := csv.NewReader(bytes.NewReader(text))
	c.Comment = '#'
	c.FieldsPerRecord = len(header())
	c.ReuseRecord = true
	first := true
	for {
		cells, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if first {
			if !slices.Equal(cells, header()) {
				return nil, fmt.Errorf("%s: its first line is not that of reference results: %s", file, strings.Join(header(), ","))
			}
			first = false
			continue
		}
		line, _ := c.FieldPos(0)
		g, err := referenceRegion(cells)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		switch {
		case cells[0] != "":
			r.Points = append(r.Points, ReferencePoint{Point: cells[0], Regions: []ReferenceRegion{g}})
		case len(r.Points) == 0:
			return nil, fmt.Errorf("%s:%d: a region without a point", file, line)
		default:
			p := &r.Points[len(r.Points)-1]
			p.Regions = append(p.Regions, g)
		}
	}
	if first {
		return nil, fmt.Errorf("%s: no reference results in it", file)
	}
	return r, nil
}

func referenceRegion(cells []string) (g ReferenceRegion, err error) {
	g.Name = cells[1]
	numbers := make([]uint64, len(cells))
	for i := 2; i < len(cells); i++ {
		if numbers[i], err = strconv.ParseUint(cells[i], 10, 64); err != nil {
			return g, fmt.Errorf("%s: %q is no number", header()[i], cells[i])
		}
	}
	g.Cycles, g.Instret = numbers[2], numbers[3]
	n := numbers[len(columns):]
	g.Ledger = soc.Ledger{Compute: n[0], MoveIn: n[1], WaitIn: n[2], Wait: n[3], MoveOut: n[4], WaitOut: n[5], Control: n[6], Trap: n[7], Sleep: n[8]}
	return g, nil
}

// Difference is where results are not those of a reference.
type Difference struct {
	Point, Region, Quantity string // Quantity: cycles, instret or a row of the ledger
	Have, Want              uint64
	Text                    string // of what is no number; then Quantity is empty
}

func (d Difference) String() string {
	if d.Quantity == "" {
		return fmt.Sprintf("%s: %s", d.Point, d.Text)
	}
	text := fmt.Sprintf("%s: %s, %s: %d, not %d: %+d", d.Point, d.Region, d.Quantity, d.Have, d.Want, int64(d.Have-d.Want))
	if percent := 100 * (float64(d.Have)/float64(d.Want) - 1); d.Want > 0 && math.Abs(percent) >= 0.01 {
		text += fmt.Sprintf(" (%+.2f%%)", percent)
	}
	return text
}

// Comparison is of results with a reference.
type Comparison struct {
	Compared    int      // points that both have
	Unknown     []string // points that only the results have
	Left        []string // points that only the reference has
	Differences []Difference
	Made        []string // what the reference is of and the results are not
}

// Compare compares results, as ReferenceOf gives them, with a reference.
func (r *Reference) Compare(want *Reference) Comparison {
	var c Comparison
	for _, line := range want.Made {
		if !slices.Contains(r.Made, line) {
			c.Made = append(c.Made, line)
		}
	}
	wanted := map[string]ReferencePoint{}
	for _, p := range want.Points {
		wanted[p.Point] = p
	}
	for _, p := range r.Points {
		w, ok := wanted[p.Point]
		if !ok {
			c.Unknown = append(c.Unknown, p.Point)
			continue
		}
		delete(wanted, p.Point)
		c.Compared++
		c.Differences = append(c.Differences, p.differences(w)...)
	}
	for _, p := range want.Points {
		if _, left := wanted[p.Point]; left {
			c.Left = append(c.Left, p.Point)
		}
	}
	return c
}

func (p ReferencePoint) differences(want ReferencePoint) (list []Difference) {
	for _, g := range p.Regions {
		i := slices.IndexFunc(want.Regions, func(w ReferenceRegion) bool { return w.Name == g.Name })
		if i < 0 {
			list = append(list, Difference{Point: p.Point, Text: fmt.Sprintf("it has %s, which the reference has not", g.Name)})
			continue
		}
		list = append(list, g.differences(p.Point, want.Regions[i])...)
	}
	for _, w := range want.Regions {
		if !slices.ContainsFunc(p.Regions, func(g ReferenceRegion) bool { return g.Name == w.Name }) {
			list = append(list, Difference{Point: p.Point, Text: fmt.Sprintf("it lacks %s, which the reference has", w.Name)})
		}
	}
	return list
}

func (g ReferenceRegion) differences(point string, want ReferenceRegion) (list []Difference) {
	add := func(quantity string, have, want uint64) {
		if have != want {
			list = append(list, Difference{Point: point, Region: g.Name, Quantity: quantity, Have: have, Want: want})
		}
	}
	add("cycles", g.Cycles, want.Cycles)
	add("instret", g.Instret, want.Instret)
	wanted := want.Ledger.Rows()
	for i, row := range g.Ledger.Rows() {
		add(row.Name, row.Cycles, wanted[i].Cycles)
	}
	return list
}
