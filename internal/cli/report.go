package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"socsim/accel"
	"socsim/bench/energy"
	"socsim/clock"
	"socsim/firmware"
	"socsim/soc"
)

// report is a result laid out for reading.
type report struct {
	program elfFile
	result  *soc.Result
	check   *check
	columns []column
	device  *soc.Device // the accelerator's; nil without one
	sdith   *soc.Device // the coprocessor's; nil without one

	energy *energy.Estimate // nil: not asked for

	// disjoint: no operation is measured inside another, as functions named by
	// the user may be.
	disjoint bool
}

// column is what one operation cost, or the whole run.
type column struct {
	soc.Region
	checked  int    // operations of this name that the reference did again
	expected uint64 // permutations it needed for them
	initial  uint64 // of these, those whose result a unit holds
	wrong    bool   // it got something else
	wholeRun bool
	energy   energy.Operation
}

func newReport(p elfFile, r *soc.Result, c *check, disjoint bool) *report {
	rep := &report{program: p, result: r, check: c, disjoint: disjoint}
	for i := range r.Devices {
		if r.Devices[i].Accel != nil {
			rep.device = &r.Devices[i]
		}
	}
	rep.sdith = coprocessor(r)
	for _, region := range r.Regions {
		rep.columns = append(rep.columns, newColumn(region, c))
	}
	whole := column{wholeRun: true, Region: soc.Region{Name: "whole run", Cycles: r.Cycles, Instret: r.Instret, Ledger: r.Ledger}}
	if d := rep.device; d != nil {
		whole.Accel = &soc.AccelStats{
			WordsIn: d.Accel.WordsIn, WordsOut: d.Accel.WordsOut, Messages: d.Accel.Messages, Permutations: d.Accel.Permutations,
			BusyCycles: uint64(d.Accel.BusyCycles), OverlapCycles: uint64(d.Accel.OverlapCycles),
		}
	}
	if d := rep.sdith; d != nil {
		whole.SDitH = &soc.SDitHStats{WordsIn: d.SDitH.WordsIn, WordsOut: d.SDitH.WordsOut, Signatures: d.SDitH.Signatures, BusyCycles: uint64(d.SDitH.BusyCycles)}
	}
	rep.columns = append(rep.columns, whole)
	return rep
}

// newColumn finds the recorded operations that a region did: those whose name
// begins with its own, as sign in "sign SLH-DSA-SHAKE-128f".
func newColumn(r soc.Region, c *check) column {
	col := column{Region: r}
	for _, o := range c.outcomes {
		if word, _, _ := strings.Cut(o.Name, " "); word == r.Name {
			col.checked++
			col.expected += o.Permutations
			col.initial += o.Initial
			col.wrong = col.wrong || o.Mismatch != ""
		}
	}
	if col.checked == 1 { // one record stands for the repetitions of one operation
		col.expected *= r.Calls
		col.initial *= r.Calls
	}
	return col
}

// perTable is how many columns fit beside each other in a terminal of 100.
const perTable = 4

func (r *report) text(verbose bool) string {
	var b strings.Builder
	r.head(&b)
	if e := r.energy; e != nil {
		for i, o := range append(slices.Clone(e.Regions), e.Run) {
			r.columns[i].energy = o
		}
	}
	for group := range slices.Chunk(r.columns, perTable) {
		b.WriteString("\n")
		r.costs(&b, group)
	}
	r.legend(&b)
	r.summary(&b)
	if r.energy != nil {
		b.WriteString(energyNotes(r.energy))
	}
	r.dumps(&b)
	if verbose {
		r.details(&b)
	}
	if h := r.result.Host; h != nil {
		fmt.Fprintf(&b, "\nSimulated in %.2f s: %.0f million instructions a second.\n", h.Seconds, h.MIPS)
	}
	return b.String()
}

// head says what ran on what and how it ended.
func (r *report) head(b *strings.Builder) {
	c := r.result.Config
	program := r.program.name
	if r.program.builtin {
		program += " (built in)"
	}
	fmt.Fprintf(b, "socsim %s: one run\n", r.result.ModelVersion)
	rows := [][2]string{{"program", program + ", sha256 " + r.result.ELFSHA256[:16]}}
	if len(c.Args) > 0 {
		rows = append(rows, [2]string{"arguments", clip(strings.Join(c.Args, " "), 80)})
	}
	clockText := frequency(c.ClockHz)
	if c.ClockAssumed {
		clockText += " (assumed)"
	}
	rows = append(rows,
		[2]string{"core", fmt.Sprintf("RV32IMC with the cycles of the CV32E40P, %s; %s of RAM", clockText, size(c.RAMSize))},
		[2]string{"platform", strings.Join(append([]string{c.Platform}, c.Set...), ", ")},
		[2]string{"accelerator", r.accelerator()},
	)
	if r.sdith != nil {
		rows = append(rows, [2]string{"coprocessor", r.coprocessor()})
	}
	rows = append(rows, [2]string{"ended", r.ending()})
	pairs(b, rows)
}

func (r *report) accelerator() string {
	c := r.result.Config
	a, d := c.AccelParameters, r.device
	if a == nil || d == nil {
		return "none: " + c.Hash + " in software"
	}
	text := c.Accel
	if x, err := accel.Parse(c.Accel); err == nil && x.XOF != nil {
		if x.CyclesPerRound, err = accel.ParseRatio(a.CyclesPerRound); err == nil {
			x.Startup = clock.Cycle(a.Startup)
			rounds := x.XOF.Modes[x.XOF.Reset].Rounds
			text += fmt.Sprintf(": %d rounds, %s a permutation", rounds.Block, plural(x.Permutation(rounds.Block), "cycle"))
			if rounds.Last != rounds.Block {
				text += fmt.Sprintf(" (%d, %s behind the padding)", rounds.Last, plural(x.Permutation(rounds.Last), "cycle"))
			}
		}
	}
	switch {
	case a.InputDepth == 0: // no FIFOs
	case a.InputDepth == a.OutputDepth:
		text += ", FIFOs of " + plural(a.InputDepth, "word")
	default:
		text += fmt.Sprintf(", FIFOs of %s in, %d out", plural(a.InputDepth, "word"), a.OutputDepth)
	}
	return text + "; " + way(d.Bus)
}

// way says how the core reaches a device.
func way(bus string) string {
	switch bus {
	case soc.NoBus:
		return "at the load/store unit"
	case soc.InCore:
		return "in the core"
	}
	return "over " + bus
}

func (r *report) ending() string {
	e := r.result.Exit
	if e.Guest() {
		return fmt.Sprintf("by itself (%s), exit code %d", e.Reason, e.Code)
	}
	return fmt.Sprintf("by the simulator (%s), exit code %d", e.Reason, e.Code)
}

// costs is the table of numbers: a column for each operation.
func (r *report) costs(b *strings.Builder, columns []column) {
	hz := r.result.Config.ClockHz
	var t table
	line := func(name string, cell func(c *column) string) {
		cells := []string{name}
		for i := range columns {
			cells = append(cells, cell(&columns[i])+noPercent)
		}
		t.row(cells...)
	}
	number := func(name string, value func(c *column) uint64) {
		line(name, func(c *column) string { return count(value(c)) })
	}
	share := func(name string, value func(c *column) uint64) {
		cells := []string{name}
		for i := range columns {
			n := value(&columns[i])
			cells = append(cells, fmt.Sprintf("%s %*s", count(n), len(noPercent)-1, percent(n, columns[i].Cycles)))
		}
		t.row(cells...)
	}

	line("", func(c *column) string { return c.Name })
	if slices.ContainsFunc(columns, func(c column) bool { return c.Calls > 1 }) {
		line("calls", func(c *column) string {
			if c.wholeRun {
				return "-"
			}
			return count(c.Calls)
		})
	}
	number("cycles", func(c *column) uint64 { return c.Cycles })
	line("ms at "+frequency(hz), func(c *column) string { return milliseconds(c.Cycles, hz) })
	number("instructions", func(c *column) uint64 { return c.Instret })
	line("cycles per instr.", func(c *column) string { return ratio(c.Cycles, c.Instret) })

	t.row("")
	t.row("where every cycle went")
	for n, row := range r.result.Ledger.Rows() {
		if row.Cycles > 0 {
			share("  "+row.Name, func(c *column) uint64 { return c.Ledger.Rows()[n].Cycles })
		}
	}
	share("  sum", func(c *column) uint64 { return c.Ledger.Sum() })

	if r.device != nil {
		t.row("")
		t.row("accelerator")
		number("  words in", func(c *column) uint64 { return c.Accel.WordsIn })
		number("  words out", func(c *column) uint64 { return c.Accel.WordsOut })
		dma := strings.HasSuffix(r.result.Config.Accel, "-"+accel.DMA.String()) // the core does not move them
		line("  cycles/byte in", func(c *column) string {
			if dma {
				return "-"
			}
			return ratio(c.Ledger.MoveIn+c.Ledger.WaitIn, wordBytes*c.Accel.WordsIn)
		})
		line("  cycles/byte out", func(c *column) string {
			if dma {
				return "-"
			}
			return ratio(c.Ledger.MoveOut+c.Ledger.WaitOut, wordBytes*c.Accel.WordsOut)
		})
		number("  permutations", func(c *column) uint64 { return c.Accel.Permutations })
		share("  busy", func(c *column) uint64 { return c.Accel.BusyCycles })
		share("  idle", func(c *column) uint64 { return c.Cycles - c.Accel.BusyCycles })
	}
	if r.sdith != nil {
		r.coprocessorRows(&t, line, number, share)
	}
	if r.energy != nil {
		var operations []energy.Operation
		for i := range columns {
			operations = append(operations, columns[i].energy)
		}
		t.row("")
		energyRows(&t, r.energy.Table, operations)
	}
	if len(r.check.outcomes) > 0 {
		t.row("")
		t.row("host reference")
		line("  permutations", func(c *column) string {
			if c.checked == 0 {
				return "-"
			}
			return count(c.expected)
		})
		line("  same result", func(c *column) string {
			switch {
			case c.wrong:
				return "NO"
			case c.checked > 0:
				return "yes"
			}
			return "-"
		})
	}
	t.write(b)
}

// noPercent takes the place of a percentage, so that numbers stand under each other.
const noPercent = "      "

// wordBytes is the width of what the accelerator moves.
const wordBytes = 4

// legend explains the rows that are not empty.
func (r *report) legend(b *strings.Builder) {
	var rows [][2]string
	var empty []string
	for _, row := range r.result.Ledger.Rows() {
		if row.Cycles > 0 {
			rows = append(rows, [2]string{row.Name, row.Text})
		} else {
			empty = append(empty, row.Name)
		}
	}
	b.WriteString("\nThe rows: every cycle is in exactly one")
	if len(empty) > 0 {
		b.WriteString("; none was " + strings.Join(empty, ", "))
	}
	b.WriteString("\n")
	pairs(b, rows)
}

// summary says in sentences what the numbers do not.
func (r *report) summary(b *strings.Builder) {
	b.WriteString("\n")
	if n := len(r.columns) - 1; n > 0 && r.disjoint {
		outside := r.result.Cycles
		for _, c := range r.columns[:n] {
			outside -= min(outside, c.Cycles)
		}
		fmt.Fprintf(b, "Outside of what is measured: %s, for start-up, arguments, digests and printing.\n", plural(outside, "cycle"))
	}
	if d := r.device; d != nil && r.unused() {
		b.WriteString("The program did not use the accelerator: it started no message there.\n")
	} else if d != nil {
		a := r.result.Config.AccelParameters
		if a.InputDepth > 0 {
			fmt.Fprintf(b, "FIFOs at their fullest: input %d of %s, output %d of %d.\n",
				d.Accel.InputHighWater, plural(a.InputDepth, "word"), d.Accel.OutputHighWater, a.OutputDepth)
		}
		b.WriteString(r.permutations())
	}
	if r.sdith != nil {
		b.WriteString(r.phases())
	}
	switch v := r.result.Verified; {
	case v == nil && r.check.cut != "":
		fmt.Fprintf(b, "Not verified: %s.\n", r.check.cut)
	case v == nil:
		b.WriteString("Not verified: the program left no record of what it computed.\n")
	case *v:
		b.WriteString(wrap(fmt.Sprintf("Verified: the host reference did %s again, from the recorded inputs, and got the same.",
			strings.Join(names(r.check.outcomes), ", ")), helpWidth, "  ") + "\n")
	default:
		b.WriteString("NOT VERIFIED: the host reference did it again, from the recorded inputs, and got something else.\n")
		for _, f := range r.result.Findings {
			fmt.Fprintf(b, "  %s\n", f)
		}
	}
	if r.device != nil && !r.unused() {
		b.WriteString("The timing of the accelerator is assumed; it is not a published design's.\n")
	}
	if r.sdith != nil && !idle(r.sdith.SDitH) {
		b.WriteString("The timing of the coprocessor's units is assumed; SPEC has the phases, not their cycles.\n")
	}
}

// names are those of operations, each once, with how often it was done.
func names(outcomes []firmware.Outcome) (list []string) {
	times := map[string]int{}
	for _, o := range outcomes {
		if times[o.Name]++; times[o.Name] == 1 {
			list = append(list, o.Name)
		}
	}
	for i, name := range list {
		if n := times[name]; n > 1 {
			list[i] = fmt.Sprintf("%s %s times", name, count(n))
		}
	}
	return list
}

// unused tells whether the program left the accelerator alone.
func (r *report) unused() bool {
	a := r.device.Accel
	return a.Messages == 0 && a.Permutations == 0 && a.WordsIn == 0 && a.WordsOut == 0
}

// permutations compares what the accelerator ran with what the reference needs.
func (r *report) permutations() string {
	compared, initial := 0, uint64(0)
	for _, c := range r.columns {
		if c.checked == 0 || c.expected == 0 || c.SDitH != nil && c.SDitH.Signatures > 0 { // not the accelerator's
			continue
		}
		compared++
		initial += c.initial
		if n := c.expected - c.initial; n != c.Accel.Permutations {
			return fmt.Sprintf("Permutations: %s ran %s where the host reference needs %s.\n", c.Name, count(c.Accel.Permutations), count(n))
		}
	}
	switch {
	case compared == 0:
		return ""
	case initial > 0:
		return "Permutations: exactly as many as the host reference needs, less the first of every message:\n" +
			"  its result is always the same, and the unit holds it.\n"
	}
	return "Permutations: exactly as many as the host reference needs.\n"
}

// dumps shows the start of the memory asked for; --json has all of it.
func (r *report) dumps(b *strings.Builder) {
	if len(r.result.Dumps) == 0 {
		return
	}
	b.WriteString("\nMemory after the run\n")
	var rows [][2]string
	for _, symbol := range slices.Sorted(maps.Keys(r.result.Dumps)) {
		rows = append(rows, [2]string{symbol, clip(r.result.Dumps[symbol], 72)})
	}
	pairs(b, rows)
}

// details are what -v adds.
func (r *report) details(b *strings.Builder) {
	b.WriteString("\nDevices (bus wait: on the way; withheld: by the device)\n")
	var t table
	t.row("", "at", "bus", "loads", "stores", "bytes", "bus wait", "withheld")
	for _, d := range r.result.Devices {
		at := fmt.Sprintf("0x%08x", d.Base)
		if d.Bus == soc.InCore {
			at = "-"
		}
		t.row(d.Name, at, d.Bus, count(d.Loads.Count), count(d.Stores.Count),
			count(d.Loads.Bytes+d.Stores.Bytes), count(d.Loads.BusWait+d.Stores.BusWait), count(d.Loads.Withheld+d.Stores.Withheld))
	}
	t.write(b)
	c := r.result.Config
	limit := func(n *uint64) string {
		if n == nil {
			return "none"
		}
		return count(*n)
	}
	b.WriteString("\nConfiguration\n")
	pairs(b, [][2]string{
		{"RAM", fmt.Sprintf("%s at 0x%08x, at first %s", size(c.RAMSize), c.RAMBase, c.RAMInit)},
		{"limits", fmt.Sprintf("%s instructions, %s cycles", limit(c.MaxInstructions), limit(c.MaxCycles))},
		{"asleep", count(r.result.Asleep) + " cycles in wfi"},
		{"mcycle held", count(r.result.Inhibited) + " cycles by mcountinhibit"},
	})
	r.engine(b)
}

// engine says how much ran where, and why translated code was left.
func (r *report) engine(b *strings.Builder) {
	use := r.result.Engine
	fmt.Fprintf(b, "\nEngine %s\n", use.Name)
	rows := [][2]string{
		{"interpreted", plural(r.result.Instret-use.Translated, "instruction")},
		{"translated", plural(use.Translated, "instruction")},
	}
	if use.Refused != nil {
		rows = append(rows, [2]string{"refused", use.Refused.Error()})
	}
	if use.Modules > 0 {
		rows = append(rows,
			[2]string{"translations", fmt.Sprintf("%s, %s in all; dropped %s because code changed",
				plural(use.Modules, "module"), plural(use.Code, "instruction"), plural(use.Dropped, "time"))},
			[2]string{"entered", plural(use.Entries, "time")})
	}
	for _, l := range use.Left {
		rows = append(rows, [2]string{"left", plural(l.Times, "time") + ": " + l.Cause})
	}
	pairs(b, rows)
}

// clip shortens a text that would fill the screen.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s... (%s characters)", s[:most], count(len(s)))
}
