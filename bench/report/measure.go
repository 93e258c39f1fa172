package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"socsim/accel"
	"socsim/bench/store"
	"socsim/soc"
)

// measure is an operation of a program on a system, with a sample of each seed.
type measure struct {
	Program, Set, Operation string
	Accel, Hash, Coupling   string // Coupling is "software" without an accelerator
	Args                    string // of the program, but those that are the driver's
	Driver                  string // arguments of the driver: "-ram copy"
	Settings                string // key=value, and a platform that is not the default one
	ClockHz                 uint64

	samples []sample
	energy  *Energy // of the median's sample
}

// sample is a run of it.
type sample struct {
	seed   string
	region *soc.Region
	result *soc.Result
}

func (s *sample) cycles() float64 { return float64(s.region.Cycles) / float64(s.region.Calls) }

const software = "software"

// Order in which things are shown; what is not in a list comes behind it.
var (
	programs   = []string{"sphincs", "kyber", "dilithium", "falcon", "hash"}
	operations = []string{"keygen", "encaps", "decaps", "sign", "verify", "hash"}
	hashes     = hashNames()
	couplings  = couplingNames()
)

func hashNames() (list []string) {
	for _, x := range accel.XOFs {
		list = append(list, x.Name)
	}
	return list
}

func couplingNames() []string {
	list := []string{software}
	for c := accel.RAM; c <= accel.DMA; c++ {
		list = append(list, c.String())
	}
	return list
}

// compare orders measures.
func (m *measure) compare(o *measure) int {
	return cmp.Or(
		cmp.Compare(place(programs, m.Program), place(programs, o.Program)), cmp.Compare(m.Program, o.Program),
		natural(m.Set, o.Set), natural(m.Args, o.Args),
		cmp.Compare(place(operations, m.Operation), place(operations, o.Operation)), cmp.Compare(m.Operation, o.Operation),
		cmp.Compare(place(hashes, m.Hash), place(hashes, o.Hash)), cmp.Compare(m.Hash, o.Hash),
		cmp.Compare(place(couplings, m.Coupling), place(couplings, o.Coupling)), cmp.Compare(m.Accel, o.Accel),
		cmp.Compare(m.Driver, o.Driver), natural(m.Settings, o.Settings),
	)
}

// workload is program, set and arguments: what is the same for all systems.
func (m *measure) workload() string {
	return strings.Join(strings.Fields(m.Program+" "+m.Set+" "+m.Args), " ")
}

// system names the accelerator with what is not as usual in its driver.
func (m *measure) system() string {
	if m.Coupling == software {
		return strings.TrimSpace(m.Hash + " in software " + m.Driver)
	}
	return strings.TrimSpace(m.Accel + " " + m.Driver)
}

func (m *measure) n() int { return len(m.samples) }

// nText is n, with how many calls of the operation a sample is the mean of.
func (m *measure) nText() string {
	if calls := m.median().region.Calls; calls > 1 {
		return fmt.Sprintf("%d, means of %s", m.n(), count(calls))
	}
	return itoa(m.n())
}

// median is the sample in the middle; samples are sorted by cycles.
func (m *measure) median() *sample { return &m.samples[(len(m.samples)-1)/2] }

func (m *measure) cycles() float64 { return m.median().cycles() }

// quantile is the least sample that q of all are not above.
func (m *measure) quantile(q float64) float64 {
	return m.samples[max(0, int(math.Ceil(q*float64(m.n())))-1)].cycles()
}

// ms is the time of so many cycles; false if the clock is not known.
func (m *measure) ms(cycles float64) (float64, bool) {
	return ratio(1000*cycles, float64(m.ClockHz))
}

// moving is the share of the rows that move words, waits for FIFOs included.
func (m *measure) moving() float64 {
	l, all := m.median().region.Ledger, m.median().region.Cycles
	q, _ := ratio(float64(l.MoveIn)+float64(l.MoveOut)+float64(l.WaitIn)+float64(l.WaitOut), float64(all))
	return min(q, 1)
}

// evidence is what the rows are, sorted.
type sorted struct {
	rows     int
	model    string            // version that the report is of
	elf      map[string]string // digest of each program that it is of
	runs     []store.Row       // of programs, that can be used
	measures []*measure
	signing  []store.Row // of SDitH
	unused   []unused
	failed   string // why there is no energy
	costed   bool   // there is a function for energy
}

// unused is a row that is not shown, and why.
type unused struct{ what, why string }

// sortRows finds what can be used.
func sortRows(rows []store.Row) *sorted {
	rows = byKey(rows)
	e := &sorted{rows: len(rows), elf: map[string]string{}}
	e.model = mostly(rows, func(r store.Row) string { return r.ModelVersion }, soc.ModelVersion)
	for _, r := range rows {
		if r.Point.Kind == store.Program && r.Result != nil && e.elf[r.Point.Program] == "" {
			e.elf[r.Point.Program] = mostly(rows, func(o store.Row) string {
				if o.Point.Program != r.Point.Program || o.ModelVersion != e.model {
					return ""
				}
				return o.ELFSHA256
			}, "")
		}
	}
	measures := map[string]*measure{}
	for _, r := range rows {
		if why := e.wrong(&r); why != "" {
			e.unused = append(e.unused, unused{describe(r.Point), clean(why)})
			continue
		}
		if r.Point.Kind == store.SDitH {
			e.signing = append(e.signing, r)
			continue
		}
		e.runs = append(e.runs, r)
		e.take(measures, r)
	}
	for _, key := range slices.Sorted(maps.Keys(measures)) {
		m := measures[key]
		slices.SortStableFunc(m.samples, func(a, b sample) int {
			return cmp.Or(cmp.Compare(a.cycles(), b.cycles()), natural(a.seed, b.seed))
		})
		e.measures = append(e.measures, m)
	}
	slices.SortStableFunc(e.measures, func(a, b *measure) int { return a.compare(b) })
	slices.SortStableFunc(e.unused, func(a, b unused) int { return cmp.Or(cmp.Compare(a.why, b.why), natural(a.what, b.what)) })
	return e
}

// byKey returns the rows in the order of their keys.
func byKey(rows []store.Row) []store.Row {
	keys := make([]string, len(rows))
	order := make([]int, len(rows))
	for i := range rows {
		keys[i], order[i] = rows[i].Key(), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	out := make([]store.Row, len(rows))
	for i, n := range order {
		out[i] = rows[n]
	}
	return out
}

// mostly is what most rows have; or first, if any has it. Of equals it is the least.
func mostly(rows []store.Row, of func(store.Row) string, first string) (most string) {
	counts := map[string]int{}
	for _, r := range rows {
		if v := of(r); v != "" {
			counts[v]++
		}
	}
	if counts[first] > 0 {
		return first
	}
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		if counts[v] > counts[most] {
			most = v
		}
	}
	return most
}

// wrong says why a row is not used; empty: it is.
func (e *sorted) wrong(r *store.Row) string {
	res := r.Result
	switch {
	case r.Version != 1:
		return fmt.Sprintf("its format is version %d, this reads 1", r.Version)
	case r.Refused != "":
		return r.Refused
	case r.ModelVersion != e.model:
		return fmt.Sprintf("of model version %s; the report is of %s", r.ModelVersion, e.model)
	case r.Point.Kind == store.SDitH && (r.SDitH == nil || r.SDitH.Result == nil || r.SDitH.Cycles <= 0):
		return "it has no result"
	case r.Point.Kind == store.SDitH:
		return ""
	case r.Point.Kind != store.Program:
		return fmt.Sprintf("of kind %q, which is not known", r.Point.Kind)
	case res == nil || res.Cycles == 0:
		return "it has no result"
	case r.ELFSHA256 != e.elf[r.Point.Program]:
		return fmt.Sprintf("of another build of %s than most rows", r.Point.Program)
	case !res.Exit.Guest():
		return "the run ended with " + string(res.Exit.Reason)
	case res.Exit.Code != 0:
		return fmt.Sprintf("the program ended with exit code %d", res.Exit.Code)
	case res.Verified != nil && !*res.Verified:
		return "the host reference computed something else"
	case res.Ledger.Sum() != res.Cycles:
		return "its ledger does not add up"
	case r.Point.Accel != "" && r.Point.Accel != res.Config.Accel:
		return fmt.Sprintf("the point says %s, the result %s", r.Point.Accel, res.Config.Accel)
	case len(res.Regions) == 0:
		return "nothing was measured in it"
	}
	for i := range res.Regions {
		if g := &res.Regions[i]; g.Ledger.Sum() != g.Cycles || g.Cycles == 0 || g.Calls == 0 || g.Open {
			return "region " + g.Name + " is not complete, or does not add up"
		}
	}
	return ""
}

// driverArgs are arguments of programs that say how the driver works, each with a value.
var driverArgs = []string{"-ram", "-wait"}

// split sorts arguments of a program. That digests are not made changes nothing that
// is measured.
func split(args []string) (own, driver string) {
	var o, d []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-nodigest":
		case slices.Contains(driverArgs, args[i]) && i+1 < len(args):
			d = append(d, args[i], args[i+1])
			i++
		default:
			o = append(o, args[i])
		}
	}
	return clean(strings.Join(o, " ")), clean(strings.Join(d, " "))
}

// take adds the regions of a row to their measures.
func (e *sorted) take(measures map[string]*measure, r store.Row) {
	c := &r.Result.Config
	settings := slices.Clone(c.Set)
	slices.Sort(settings)
	if p := r.Point.Platform; p != "" && p != "default" {
		settings = append(settings, "platform="+p)
	}
	m := measure{
		Program: clean(r.Point.Program), Set: clean(r.Point.Set), Accel: clean(c.Accel), Hash: clean(c.Hash),
		Settings: clean(strings.Join(settings, " ")), ClockHz: c.ClockHz,
	}
	m.Args, m.Driver = split(r.Point.Args)
	m.Coupling = software
	if c.Accel != accel.None.String() {
		m.Coupling = strings.TrimPrefix(m.Accel, m.Hash+"-")
	}
	for i := range r.Result.Regions {
		g := &r.Result.Regions[i]
		one := m
		one.Operation = clean(g.Name)
		key := strings.Join([]string{one.Program, one.Set, one.Operation, one.Accel, one.Hash, one.Args, one.Driver, one.Settings}, "\x00")
		if measures[key] == nil {
			measures[key] = &one
		}
		to := measures[key]
		// An operation that was run in two rows of a seed is one sample.
		if !slices.ContainsFunc(to.samples, func(s sample) bool { return s.seed == r.Point.Seed }) {
			to.samples = append(to.samples, sample{r.Point.Seed, g, r.Result})
		}
	}
}

// describe says which point it is, in a line.
func describe(p store.Point) string {
	parts := []string{p.Program, p.Set, strings.Join(p.Operations, ","), p.Config, p.Accel}
	if p.Accel == accel.None.String() {
		parts = append(parts, p.Hash)
	}
	parts = append(append(parts, p.Args...), p.Settings...)
	if p.Seed != "" {
		parts = append(parts, "seed "+p.Seed)
	}
	return clean(strings.Join(strings.Fields(strings.Join(parts, " ")), " "))
}

// usual are the measures on systems as they come, without settings.
func (e *sorted) usual() (list []*measure) {
	for _, m := range e.measures {
		if m.Settings == "" {
			list = append(list, m)
		}
	}
	return list
}

// byWorkload splits measures, in their order, by program, set and arguments.
func byWorkload(list []*measure) (parts [][]*measure) {
	for i, m := range list {
		if i == 0 || m.workload() != list[i-1].workload() {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], m)
	}
	return parts
}

// byOperation splits measures by operation.
func byOperation(list []*measure) (parts [][]*measure) {
	for i, m := range list {
		if i == 0 || m.Operation != list[i-1].Operation {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], m)
	}
	return parts
}

// softwareOf finds what a measure takes without an accelerator, on an otherwise equal
// system; nil if nobody ran that.
func (e *sorted) softwareOf(m *measure) *measure {
	var settings []string
	for _, s := range strings.Fields(m.Settings) {
		if !strings.HasPrefix(s, "accel.") {
			settings = append(settings, s)
		}
	}
	want := strings.Join(settings, " ")
	for _, o := range e.measures {
		if o.Coupling == software && o.Program == m.Program && o.Set == m.Set && o.Operation == m.Operation &&
			o.Hash == m.Hash && o.Args == m.Args && o.Settings == want {
			return o
		}
	}
	return nil
}

// speed is by how much a measure is faster than software, with the number of seeds that both have.
func (e *sorted) speed(m *measure) (speed float64, n int, ok bool) {
	soft := e.softwareOf(m)
	if soft == nil {
		return 0, 0, false
	}
	common := func(of, with *measure) *measure {
		c := &measure{}
		for _, s := range of.samples {
			if slices.ContainsFunc(with.samples, func(o sample) bool { return o.seed == s.seed }) {
				c.samples = append(c.samples, s)
			}
		}
		return c
	}
	a, b := common(soft, m), common(m, soft)
	if a.n() == 0 {
		return 0, 0, false
	}
	speed, ok = ratio(a.cycles(), b.cycles())
	return speed, a.n(), ok
}

// facts are lines about the rows as a whole.
func (e *sorted) facts() []Fact {
	list := []Fact{{"model", "socsim " + clean(e.model)}}
	var builds []string
	for _, p := range slices.Sorted(maps.Keys(e.elf)) {
		builds = append(builds, fmt.Sprintf("%s %.12s", clean(p), clean(e.elf[p])))
	}
	if len(builds) > 0 {
		list = append(list, Fact{"programs, by SHA-256", strings.Join(builds, ", ")})
	}
	checked := 0
	for _, r := range e.runs {
		if r.Result.Verified != nil {
			checked++
		}
	}
	list = append(list, Fact{"rows", fmt.Sprintf("%s: %s of programs, %s of them checked by the host reference; %s of SDitH; %s not used",
		count(e.rows), count(len(e.runs)), count(checked), count(len(e.signing)), count(len(e.unused)))})
	var clocks []string
	for _, r := range e.runs {
		c := &r.Result.Config
		text := short(float64(c.ClockHz)) + "Hz"
		if c.ClockAssumed {
			text += " (assumed)"
		}
		if !slices.Contains(clocks, text) {
			clocks = append(clocks, text)
		}
	}
	if len(clocks) > 0 {
		slices.SortFunc(clocks, natural)
		list = append(list, Fact{"clock", cut(strings.Join(clocks, ", "), longest)})
	}
	return list
}
