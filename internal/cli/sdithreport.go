package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"socsim/bench"
	"socsim/sdith"
	"socsim/sdith/pipeline"
	"socsim/soc"
)

// sdithReport is what socsim sdith found.
type sdithReport struct {
	ModelVersion string          `json:"model_version"`
	Start        int             `json:"start"` // the first known answer
	Costs        []pipeline.Cost `json:"costs"`
	Configs      []sdithConfig   `json:"configurations"`
}

// sdithConfig is a configuration and its known answers.
type sdithConfig struct {
	Name          string `json:"name"`
	CacheDepth    int    `json:"cache_depth"`
	Path          string `json:"path_registers"`
	HComInPhase12 bool   `json:"hcom_in_phase12"`

	Count     int    `json:"count"`
	Known     int    `json:"known"`             // signatures that are the submission's, by digest
	File      string `json:"file,omitempty"`    // with --kat
	InFile    *int   `json:"in_file,omitempty"` // entries that are in it
	WholeFile *bool  `json:"is_file,omitempty"` // all of them are the file
	Expected  int    `json:"expected"`          // how many are to be: all, or none with hcom_in_phase12

	Cycles   spread `json:"cycles"`
	Attempts spread `json:"attempts"` // of the proof of work

	Runs []sdithRun `json:"runs"`

	set    *sdith.Params
	median *sdithRun // the run that has the median of cycles
}

// sdithRun is a known answer.
type sdithRun struct {
	Count  int    `json:"count"` // its number
	Digest string `json:"signature_sha256"`
	Known  bool   `json:"known"`
	*pipeline.Result
}

// spread is of n values; the median of an even number is the lower one of the two, so
// that some run has it.
type spread struct {
	Min    uint64 `json:"min"`
	Median uint64 `json:"median"`
	Max    uint64 `json:"max"`
}

func spreadOf(values []uint64) spread {
	sorted := slices.Sorted(slices.Values(values))
	return spread{sorted[0], sorted[(len(sorted)-1)/2], sorted[len(sorted)-1]}
}

// newSDitHReport takes the runs together, which are in the order of the configurations.
func newSDitHReport(f *sdithFlags, configs []pipeline.Config, runs []bench.SDitHRun) *sdithReport {
	r := &sdithReport{ModelVersion: soc.ModelVersion, Start: int(f.start), Costs: configs[0].Costs.Table()}
	for i, c := range configs {
		of := runs[i*int(f.count) : (i+1)*int(f.count)]
		s := sdithConfig{Name: c.Name(), CacheDepth: c.CacheDepth, Path: c.Path.String(), HComInPhase12: c.HComInPhase12,
			Count: len(of), Expected: len(of), set: c.Set}
		if c.HComInPhase12 {
			s.Expected = 0
		}
		var cycles, attempts []uint64
		for _, run := range of {
			if run.Known {
				s.Known++
			}
			cycles = append(cycles, uint64(run.Result.Cycles))
			attempts = append(attempts, run.Result.Attempts)
			s.Runs = append(s.Runs, sdithRun{run.Count, run.Digest, run.Known, run.Result})
		}
		s.Cycles, s.Attempts = spreadOf(cycles), spreadOf(attempts)
		for k := range s.Runs {
			if uint64(s.Runs[k].Cycles) == s.Cycles.Median {
				s.median = &s.Runs[k]
			}
		}
		r.Configs = append(r.Configs, s)
	}
	return r
}

// wrong is the number of signatures that are not as expected.
func (r *sdithReport) wrong() (n int) {
	for _, c := range r.Configs {
		bad := max(c.Known-c.Expected, c.Expected-c.Known)
		if c.InFile != nil {
			bad = max(bad, c.Count-*c.InFile)
		}
		if c.WholeFile != nil && !*c.WholeFile {
			bad = max(bad, 1)
		}
		n += bad
	}
	return n
}

func (r *sdithReport) print(w io.Writer, f *sdithFlags, runs []bench.SDitHRun) error {
	switch {
	case f.json:
		b, err := indented(r)
		if err != nil {
			return err
		}
		w.Write(b)
	case f.csv:
		io.WriteString(w, r.csv())
	default:
		io.WriteString(w, r.text(f))
	}
	return nil
}

// csv has a line for each known answer.
func (r *sdithReport) csv() string {
	var b strings.Builder
	b.WriteString("configuration,cache_depth,path_registers,hcom_in_phase12,known_answer,known,attempts,cycles")
	for p := range pipeline.NumPhases {
		fmt.Fprintf(&b, ",%v", pipeline.Phase(p))
	}
	b.WriteString(",signature_sha256\n")
	for _, c := range r.Configs {
		for _, run := range c.Runs {
			fmt.Fprintf(&b, "%s,%d,%s,%t,%d,%t,%d,%d", c.Name, c.CacheDepth, c.Path, c.HComInPhase12, run.Count, run.Known, run.Attempts, run.Cycles)
			for _, p := range run.Phases {
				fmt.Fprintf(&b, ",%d", p.Cycles)
			}
			fmt.Fprintf(&b, ",%s\n", run.Digest)
		}
	}
	return b.String()
}

func (r *sdithReport) text(f *sdithFlags) string {
	var b strings.Builder
	fmt.Fprintf(&b, "socsim %s: SDitH-v2 signing hardware\n", r.ModelVersion)
	if last := r.Start + r.Configs[0].Count - 1; last > r.Start {
		fmt.Fprintf(&b, "  known answers  %d to %d\n", r.Start, last)
	} else {
		fmt.Fprintf(&b, "  known answer   %d\n", r.Start)
	}
	var costs []string
	for _, c := range r.Costs {
		costs = append(costs, fmt.Sprintf("%s %d", c.Name, c.Value))
	}
	fmt.Fprintf(&b, "  costs          %s; assumed if not set, see RATIONALE.md\n", strings.Join(costs, ", "))
	for i := range r.Configs {
		b.WriteString("\n")
		r.Configs[i].text(&b)
	}
	if f.published {
		b.WriteString("\n")
		r.publishedTable(&b)
	}
	return b.String()
}

// checked says how many signatures are what they should be.
func (c *sdithConfig) checked() string {
	s := fmt.Sprintf("%d of %s", c.Known, plural(c.Count, "known answer"))
	switch {
	case c.HComInPhase12 && c.Known == 0:
		s += ", none as expected: commitments are hashed in another order"
	case c.HComInPhase12:
		s += ", NOT AS EXPECTED: commitments are hashed in another order"
	case c.Known < c.Count:
		s += ", NOT ALL"
	}
	if c.InFile != nil {
		s += fmt.Sprintf("; %d in %s", *c.InFile, c.File)
	}
	if c.WholeFile != nil {
		if *c.WholeFile {
			s += ", which they are to the byte"
		} else {
			s += ", BUT NOT THE WHOLE FILE"
		}
	}
	return s
}

// text is what is printed of a configuration.
func (c *sdithConfig) text(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %s\n  cache depth %d, path registers: %s\n", c.Name, c.checked(), c.CacheDepth, c.Path)
	var t table
	if c.Count > 1 {
		t.row("", "Mcycles", "attempts")
		for _, row := range []struct {
			name             string
			cycles, attempts uint64
		}{{"min", c.Cycles.Min, c.Attempts.Min}, {"median", c.Cycles.Median, c.Attempts.Median}, {"max", c.Cycles.Max, c.Attempts.Max}} {
			t.row(row.name, mega(row.cycles), count(row.attempts))
		}
		t.write(b)
		fmt.Fprintf(b, "  known answer %d, the median:\n", c.median.Count)
		t = table{}
	}
	units := []string{"cipher 0", "cipher 1", "shake", "multiplier", "leaf sums", "consistency", "challenge"}
	t.row(append([]string{"phase", "cycles", "share"}, append(units, "kbit read", "written")...)...)
	for _, p := range c.median.Phases {
		t.row(phaseRow(p, units, c.median.Cycles)...)
	}
	t.row("all", count(c.median.Cycles), "100%")
	t.write(b)
	if c.Count == 1 {
		fmt.Fprintf(b, "  %s Mcycles, %s\n", mega(c.Cycles.Median), plural(c.Attempts.Median, "attempt"))
	}
}

// phaseRow is a phase in the table: of a unit it has how much of the phase it is busy.
func phaseRow(p pipeline.PhaseResult, units []string, all int64) []string {
	row := []string{p.Phase.String(), count(p.Cycles), percent(uint64(p.Cycles), uint64(all))}
	for _, name := range units {
		cell := ""
		for _, u := range p.Units {
			if u.Name == name {
				cell = percent(uint64(u.Busy), uint64(p.End-p.Start))
			}
		}
		row = append(row, cell)
	}
	var read, written uint64
	for _, m := range p.Memories {
		read, written = read+m.Read, written+m.Written
	}
	return append(row, count((read+500)/1000), count((written+500)/1000))
}

// mega writes cycles in millions.
func mega(cycles uint64) string {
	return groupedDecimal(strconv.FormatFloat(float64(cycles)/1e6, 'f', 3, 64))
}

// publishedTable compares cycles with the minutes of RTL simulation. If both are of the
// same hardware, they are in the same proportion for all configurations of a level, whose
// simulation has the same size.
func (r *sdithReport) publishedTable(b *strings.Builder) {
	type sum struct{ cycles, minutes float64 }
	levels := map[int]sum{}
	for _, c := range r.Configs {
		s := levels[c.set.Lambda]
		levels[c.set.Lambda] = sum{s.cycles + float64(c.Cycles.Median), s.minutes + bench.SDitHMinutes[c.Name]}
	}
	b.WriteString("Against the published RTL simulation of one known answer\n")
	var t table
	t.row("configuration", "minutes", "Mcycles", "Mcycles a minute", "of its level", "deviation")
	for _, c := range r.Configs {
		minutes, level := bench.SDitHMinutes[c.Name], levels[c.set.Lambda]
		rate, mean := float64(c.Cycles.Median)/minutes/1e6, level.cycles/level.minutes/1e6
		t.row(c.Name, strconv.FormatFloat(minutes, 'f', -1, 64), mega(c.Cycles.Median),
			strconv.FormatFloat(rate, 'f', 3, 64), strconv.FormatFloat(mean, 'f', 3, 64), fmt.Sprintf("%+.1f%%", 100*(rate/mean-1)))
	}
	t.write(b)
	b.WriteString("  Minutes are to the minute, so 5 may be anything from 4.5 to 5.5. RATIONALE.md says what is inferred.\n")
}

// inventories prints what configurations are built of.
func (a *app) inventories(f *sdithFlags, configs []pipeline.Config) error {
	var all []pipeline.Inventory
	for _, c := range configs {
		m, err := pipeline.New(c)
		if err != nil {
			return fail(exitInternal, err)
		}
		all = append(all, m.Inventory())
	}
	if f.json {
		b, err := indented(all)
		if err != nil {
			return fail(exitInternal, err)
		}
		a.stdout.Write(b)
		return nil
	}
	var b strings.Builder
	for i, v := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s: %s bits of memory, %s bits of registers\n", v.Config, count(v.MemoryBits), count(v.RegisterBits))
		var t table
		t.row("memory", "words", "width", "bits", "port")
		for _, p := range v.Memories {
			if !p.Registers {
				t.row(p.Name, count(p.Words), count(p.Width), count(p.Bits), count(p.Port))
			}
		}
		t.row("registers", "words", "width", "bits", "")
		for _, p := range v.Memories {
			if p.Registers {
				t.row(p.Name, count(p.Words), count(p.Width), count(p.Bits), "")
			}
		}
		t.write(&b)
		for _, u := range v.Units {
			fmt.Fprintf(&b, "  %d x %s: %s\n", u.Number, u.Name, u.What)
		}
	}
	io.WriteString(a.stdout, b.String())
	return nil
}
