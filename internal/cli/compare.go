package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"socsim/bench/energy"
	"socsim/soc"
)

// compareFlags are those of socsim compare.
type compareFlags struct {
	json bool
}

// stdinName is the name that stands for standard input.
const stdinName = "-"

func (a *app) compareCommand() *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare A B [flags]",
		Short: "two results side by side, with the difference in every row",
		Long: "Reads two results of socsim run --json and prints them side by side: what differs in\n" +
			"the configuration, and every count of the whole run, of each operation and of each\n" +
			"device, with difference and ratio. One of the two may be -, standard input.",
		Example: "  socsim run sphincs --accel shake-fifo --json >fifo.json\n" +
			"  socsim run sphincs --accel shake-lsu --json | socsim compare fifo.json -",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("compare takes two results of socsim run --json, not %d", len(args))
			}
			if args[0] == stdinName && args[1] == stdinName {
				return usage("compare - -: only one of the two can be standard input")
			}
			return a.compare(&f, args[0], args[1])
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, "print the comparison as one JSON object")
	return c
}

// printable replaces control characters, which a file from elsewhere may bring
// along, so that they do not reach the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

func (a *app) compare(f *compareFlags, nameA, nameB string) error {
	var results [2]*soc.Result
	for i, name := range []string{nameA, nameB} {
		r, err := a.readResult(name)
		if err != nil {
			return input(err)
		}
		if _, err := energy.Read(r); err != nil {
			return input(fmt.Errorf("%s is no result of socsim run --json: %w", name, err))
		}
		results[i] = r
	}
	c := newComparison(nameA, nameB, results[0], results[1])
	if !f.json {
		io.WriteString(a.stdout, printable(c.text()))
		return nil
	}
	for _, n := range c.Notes {
		fmt.Fprintf(a.stderr, "socsim: warning: %s\n", n)
	}
	b, err := indented(c)
	if err != nil {
		return fail(exitInternal, err)
	}
	a.stdout.Write(b)
	return nil
}

// indented is v as JSON as results are written: for reading, too.
func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// maxResult is what a result file may have at most: one that dumps all of RAM
// stays below it.
const maxResult = 64 << 20

func (a *app) readResult(name string) (*soc.Result, error) {
	var in io.Reader = a.stdin
	shown := name
	if name == stdinName {
		shown = "standard input"
	} else {
		file, err := os.Open(name)
		if err != nil {
			var p *os.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			return nil, fmt.Errorf("result %s: %w", shown, err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, maxResult+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("result %s: %w", shown, err)
	case len(text) > maxResult:
		return nil, fmt.Errorf("%s is no result of socsim run --json: it has more than %s", shown, size(maxResult))
	}
	r, err := soc.ParseResult(text)
	if err != nil {
		return nil, fmt.Errorf("%s is no result of socsim run --json: %w", shown, err)
	}
	return r, nil
}

// comparison is two results side by side.
type comparison struct {
	A        side       `json:"a"`
	B        side       `json:"b"`
	Notes    []string   `json:"notes"` // what to know before believing a difference
	Config   []setting  `json:"config"`
	Sections []compared `json:"sections"`
}

// side says which result it is.
type side struct {
	File         string `json:"file"`
	ELF          string `json:"elf"`
	ELFSHA256    string `json:"elf_sha256"`
	ModelVersion string `json:"model_version"`
}

// setting is a value of the configuration that differs.
type setting struct {
	Key string `json:"key"`
	A   string `json:"a"`
	B   string `json:"b"`
}

// compared is the part of a comparison about one thing.
type compared struct {
	Kind string          `json:"kind"` // run, region or device
	Name string          `json:"name"`
	Rows []comparedCount `json:"rows"`
}

// comparedCount is one count in both results; nil where a result has none.
type comparedCount struct {
	Name       string   `json:"name"`
	A          *uint64  `json:"a"`
	B          *uint64  `json:"b"`
	Difference *int64   `json:"difference"` // B - A
	Ratio      *float64 `json:"ratio"`      // B / A
}

func newComparison(nameA, nameB string, a, b *soc.Result) *comparison {
	c := &comparison{
		A: side{nameA, a.Config.ELF, a.ELFSHA256, a.ModelVersion}, B: side{nameB, b.Config.ELF, b.ELFSHA256, b.ModelVersion},
		Notes: comparisonNotes(a, b), Config: []setting{},
	}
	configA, configB := settings(a), settings(b)
	for _, key := range keysOf(configA, configB) {
		if x, y := configA.value(key, "-"), configB.value(key, "-"); x != y {
			c.Config = append(c.Config, setting{key, x, y})
		}
	}
	c.section("run", "whole run", wholeRunCounts(a), wholeRunCounts(b))
	regionsA, regionsB := regionCounts(a), regionCounts(b)
	for _, name := range keysOf(regionsA, regionsB) {
		c.section("region", name, regionsA.value(name, nil), regionsB.value(name, nil))
	}
	devicesA, devicesB := deviceCounts(a), deviceCounts(b)
	for _, name := range keysOf(devicesA, devicesB) {
		c.section("device", name, devicesA.value(name, nil), devicesB.value(name, nil))
	}
	return c
}

// comparisonNotes are what makes the two results no plain pair.
func comparisonNotes(a, b *soc.Result) []string {
	notes := []string{}
	note := func(format string, v ...any) { notes = append(notes, fmt.Sprintf(format, v...)) }
	if a.ModelVersion != b.ModelVersion {
		note("A is of model version %s, B of %s: the same program may take other cycles", a.ModelVersion, b.ModelVersion)
	} else if a.ModelVersion != soc.ModelVersion {
		note("both are of model version %s, this is %s", a.ModelVersion, soc.ModelVersion)
	}
	if a.ELFSHA256 != b.ELFSHA256 {
		note("different programs: A is %s, sha256 %.16s, B is %s, sha256 %.16s", a.Config.ELF, a.ELFSHA256, b.Config.ELF, b.ELFSHA256)
	}
	for i, r := range []*soc.Result{a, b} {
		name := string(rune('A' + i))
		if !r.Exit.Guest() {
			note("%s did not end by itself (%s): it counts up to there", name, r.Exit.Reason)
		} else if r.Exit.Code != 0 {
			note("the program of %s ended with exit code %d", name, r.Exit.Code)
		}
		if r.Verified != nil && !*r.Verified {
			note("%s is not verified: the host reference computed something else", name)
		}
	}
	if x, y := estimateOf(a), estimateOf(b); x != nil && y != nil && (x.Table != y.Table || x.Counted != y.Counted) {
		note("the energies are not by the same table, or only in one the instructions were counted by class")
	}
	for _, symbol := range keysOf(dumpsOf(a), dumpsOf(b)) {
		x, inA := a.Dumps[symbol]
		if y, inB := b.Dumps[symbol]; inA && inB && x != y {
			note("the memory at %s is not the same", symbol)
		}
	}
	return notes
}

func (c *comparison) section(kind, name string, a, b ordered[uint64]) {
	s := compared{Kind: kind, Name: name, Rows: []comparedCount{}}
	for _, key := range keysOf(a, b) {
		row := comparedCount{Name: key, A: a.find(key), B: b.find(key)}
		if row.A != nil && row.B != nil {
			d := int64(*row.B - *row.A)
			row.Difference = &d
			if *row.A != 0 {
				q := float64(*row.B) / float64(*row.A)
				row.Ratio = &q
			}
		}
		s.Rows = append(s.Rows, row)
	}
	c.Sections = append(c.Sections, s)
}

// ordered is a map that keeps the order in which it was made.
type ordered[T any] []struct {
	key   string
	value T
}

func (o *ordered[T]) add(key string, value T) {
	*o = append(*o, struct {
		key   string
		value T
	}{key, value})
}

func (o ordered[T]) find(key string) *T {
	for i := range o {
		if o[i].key == key {
			return &o[i].value
		}
	}
	return nil
}

func (o ordered[T]) value(key string, missing T) T {
	if v := o.find(key); v != nil {
		return *v
	}
	return missing
}

// keysOf returns the keys of both, those of a first.
func keysOf[T any](a, b ordered[T]) (keys []string) {
	for _, e := range append(slices.Clone(a), b...) {
		keys = append(keys, e.key)
	}
	return unique(keys)
}

// settings returns the configuration with the names it has in the result. What
// a key was set to with --set shows in set.
func settings(r *soc.Result) (list ordered[string]) {
	var add func(prefix string, v reflect.Value)
	add = func(prefix string, v reflect.Value) {
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			name = prefix + name
			f := v.Field(i)
			if f.Kind() == reflect.Pointer {
				switch {
				case !f.IsNil():
					f = f.Elem()
				case f.Type().Elem().Kind() == reflect.Struct: // what its fields are is not known
					continue
				default:
					list.add(name, "none")
					continue
				}
			}
			switch f.Kind() {
			case reflect.Struct:
				add("", f)
			case reflect.Slice:
				text := []string{}
				for j := range f.Len() {
					text = append(text, fmt.Sprint(f.Index(j)))
				}
				list.add(name, strings.Join(text, " "))
			default:
				list.add(name, fmt.Sprint(f))
			}
		}
	}
	add("", reflect.ValueOf(r.Config))
	if d := accelerator(r); d != nil {
		list.add("bus", d.Bus)
	}
	if d := coprocessor(r); d != nil {
		list.add("sdith_bus", d.Bus)
	}
	return list
}

// accelerator returns the device of a result that is the hash accelerator; nil
// without one.
func accelerator(r *soc.Result) *soc.Device {
	for i := range r.Devices {
		if r.Devices[i].Accel != nil {
			return &r.Devices[i]
		}
	}
	return nil
}

func dumpsOf(r *soc.Result) (list ordered[string]) {
	for symbol, v := range r.Dumps {
		list.add(symbol, v)
	}
	slices.SortFunc(list, func(x, y struct{ key, value string }) int { return strings.Compare(x.key, y.key) })
	return list
}

// text is the comparison for reading. Rows that are zero on both sides are
// left out.
func (c *comparison) text() string {
	var b strings.Builder
	b.WriteString("Two results\n")
	describe := func(s side) string {
		return fmt.Sprintf("%s: %s, sha256 %.16s, socsim %s", s.File, s.ELF, s.ELFSHA256, s.ModelVersion)
	}
	pairs(&b, [][2]string{{"A", describe(c.A)}, {"B", describe(c.B)}})
	for _, n := range c.Notes {
		b.WriteString("\n" + wrap("NOTE: "+n+".", helpWidth, "  "))
	}
	if len(c.Notes) > 0 {
		b.WriteString("\n")
	}
	if len(c.Config) == 0 {
		b.WriteString("\nThe configuration is the same.\n")
	} else {
		b.WriteString("\nWhat differs in the configuration\n")
		var t table
		t.row("", "A", "B")
		for _, s := range c.Config {
			t.row(s.Key, clip(orNothing(s.A), 40), clip(orNothing(s.B), 40))
		}
		t.write(&b)
	}
	b.WriteString("\n")
	var t table
	t.row("", "A", "B", "B - A", "B / A")
	for _, s := range c.Sections {
		s.text(&t)
	}
	t.write(&b)
	b.WriteString("\nRows that are zero in both are left out; - is what a result does not have. Waits of devices (bus_wait,\n" +
		"withheld) are summed over accesses, of which two may wait at once; the rows of the ledger are not.\n")
	return b.String()
}

func (s *compared) text(t *table) {
	rows := slices.DeleteFunc(slices.Clone(s.Rows), func(r comparedCount) bool {
		return (r.A == nil || *r.A == 0) && (r.B == nil || *r.B == 0)
	})
	if len(rows) == 0 {
		return
	}
	heading := s.Name
	if s.Kind == "device" {
		heading += ", loads and stores"
	}
	t.row("")
	t.row(heading)
	number := func(n *uint64) string {
		if n == nil {
			return "-"
		}
		return count(*n)
	}
	for _, r := range rows {
		difference, quotient := "-", "-"
		if r.Difference != nil {
			difference = count(*r.Difference)
			if *r.Difference > 0 {
				difference = "+" + difference
			}
		}
		if r.Ratio != nil {
			quotient = fmt.Sprintf("%.3f", *r.Ratio)
		}
		t.row("  "+r.Name, number(r.A), number(r.B), difference, quotient)
	}
}

func orNothing(s string) string {
	if s == "" {
		return "(nothing)"
	}
	return s
}
