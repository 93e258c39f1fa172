package cli

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"socsim/bus"
	"socsim/clock"
	"socsim/soc"
)

// timeline is one hash, in cycles relative to the grant of INIT, or where nothing
// begins a message to the first instruction of the driver.
type timeline struct {
	Accel        string                `json:"accel"`
	Parameters   *soc.AccelConfig      `json:"accel_parameters"`
	Platform     string                `json:"platform"`
	Set          []string              `json:"set"`
	Bus          string                `json:"bus"`
	Mode         string                `json:"mode"`
	Sponge       string                `json:"sponge"` // what the unit has as that mode
	In           uint32                `json:"in"`
	Out          uint32                `json:"out"`
	Cycles       int64                 `json:"cycles"` // from the first request or instruction to the last answer or end of one
	Accesses     []timelineAccess      `json:"accesses"`
	Instructions []timelineInstruction `json:"instructions"`
	Beats        []timelineBeat        `json:"beats"`
	Permutations []timelinePermutation `json:"permutations"`
	Verified     *bool                 `json:"verified"`

	zero   clock.Cycle
	origin string // what happens in cycle 0
}

// rel returns a cycle as the timeline counts them.
func (tl *timeline) rel(c clock.Cycle) int64 { return int64(c - tl.zero) }

// measure works out the cycles in all.
func (tl *timeline) measure() {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, x := range tl.Accesses {
		first, last = min(first, x.Request), max(last, x.Valid)
	}
	for _, x := range tl.Instructions {
		first, last = min(first, x.First), max(last, x.Last+1)
	}
	if last > first {
		tl.Cycles = last - first
	}
}

// timelineAccess is one access as the core sees it, and when the word was
// absorbed into the state (stores to DIN) or moved out of it (loads from DOUT).
type timelineAccess struct {
	Register string `json:"register"`
	Write    bool   `json:"write"`
	Word     *int   `json:"word"` // number of the message or output word
	Data     string `json:"data"` // hexadecimal, as the core's register holds it
	Request  int64  `json:"request"`
	Grant    int64  `json:"grant"`
	Valid    int64  `json:"valid"`
	Withheld int64  `json:"withheld"` // cycles grant or answer were held back by the unit ...
	Cause    string `json:"cause"`    // ... and why
	Unit     *int64 `json:"unit"`     // cycle in which the word passed between FIFO and state
}

// timelineInstruction is an instruction of the driver that reaches the unit without
// a window: one of the unit's own, or any where the state is in registers.
type timelineInstruction struct {
	Text  string `json:"text"`
	Row   string `json:"row"`  // of the ledger, by its section; the cycles of a permutation are in wait
	Word  *int   `json:"word"` // number of the message or output word
	First int64  `json:"first"`
	Last  int64  `json:"last"` // first and last cycle in EX
	Unit  *int64 `json:"unit"` // cycle in which the word passed between FIFO and state
}

// timelineBeat is an access of the DMA engine to RAM.
type timelineBeat struct {
	Write bool   `json:"write"` // an output word was written; else a message word was read
	Word  int    `json:"word"`
	At    int64  `json:"at"`
	Unit  *int64 `json:"unit"`
}

// timelinePermutation ran in the cycles From <= c < To.
type timelinePermutation struct {
	Padding *int64 `json:"padding"` // the padding cycle before it
	From    int64  `json:"from"`
	To      int64  `json:"to"`
}

// causes words why a unit held an access back.
var causes = [bus.Causes]string{
	bus.NotHeld: "", bus.InputFull: "input FIFO full", bus.Permuting: "permuting", bus.OutputEmpty: "output FIFO empty",
}

// text lays the timeline out: a line for each access, instruction and beat, and
// between them, by the cycle in which they begin, the permutations.
func (tl *timeline) text() string {
	type entry struct {
		at   int64
		line string
	}
	var entries []entry
	line := func(at int64, cells ...any) {
		text := fmt.Sprintf("  %7v %7v %7v %7v   %-*v %-8v %-10v  %v", append(cells[:4], append([]any{tl.width()}, cells[4:]...)...)...)
		entries = append(entries, entry{at, strings.TrimRight(text, " ")})
	}
	word := func(n *int) string {
		if n == nil {
			return ""
		}
		return fmt.Sprintf("word %d", *n)
	}
	cycle := func(c *int64) string {
		if c == nil {
			return ""
		}
		return fmt.Sprint(*c)
	}
	var held int64
	for _, x := range tl.Accesses {
		held += x.Withheld
		what, notes := "load "+x.Register, ""
		if x.Write {
			what = "store " + x.Register
		}
		if x.Withheld > 0 {
			notes = fmt.Sprintf("%d withheld: %s", x.Withheld, x.Cause)
		}
		line(x.Request, x.Request, x.Grant, x.Valid, cycle(x.Unit), what, word(x.Word), x.Data, notes)
	}
	for _, x := range tl.Instructions {
		line(x.First, x.First, x.Last, "", cycle(x.Unit), strings.ReplaceAll(x.Text, "\t", " "), word(x.Word), x.Row, "")
	}
	for n, x := range tl.Beats {
		what := "DMA reads RAM"
		if x.Write {
			what = "DMA writes RAM"
		}
		line(x.At, x.At, x.At, "", cycle(x.Unit), what, word(&tl.Beats[n].Word), "", "")
	}
	for i, p := range tl.Permutations {
		text := fmt.Sprintf("  -- permutation %d runs in %d .. %d", i+1, p.From, p.To-1)
		switch {
		case p.To == p.From:
			text = fmt.Sprintf("  -- permutation %d takes no time, in %d", i+1, p.From)
		case p.Padding != nil:
			text = fmt.Sprintf("  -- padding in %d, permutation %d runs in %d .. %d", *p.Padding, i+1, p.From, p.To-1)
		}
		entries = append(entries, entry{p.From, text})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return int(a.at - b.at) })

	var b strings.Builder
	platform := strings.Join(append([]string{tl.Platform}, tl.Set...), ", ")
	fmt.Fprintf(&b, "%s of %d bytes in, %d out, on %s %s (platform %s)\n\n", tl.Sponge, tl.In, tl.Out, tl.Accel, way(tl.Bus), platform)
	head := []any{"request", "grant", "valid", "unit", tl.width(), "access", "", "data"}
	if len(tl.Accesses) == 0 {
		head = []any{"first", "last", "", "unit", tl.width(), "instruction", "", "row"}
	}
	fmt.Fprintf(&b, "  %7v %7v %7v %7v   %-*v %-8v %v\n", head...)
	for _, e := range entries {
		b.WriteString(e.line + "\n")
	}
	verified := "not verified"
	switch v := tl.Verified; {
	case v != nil && *v:
		verified = "the host reference has the same output"
	case v != nil:
		verified = "THE HOST REFERENCE HAS ANOTHER OUTPUT"
	}
	all := plural(uint64(tl.Cycles), "cycle") + " in all"
	if len(tl.Accesses) > 0 {
		all += fmt.Sprintf(", %d of them withheld by the unit", held)
	}
	fmt.Fprintf(&b, "\n%s; %s; %s.\n", all, plural(len(tl.Permutations), "permutation"), verified)
	tl.legend(&b)
	return b.String()
}

// width is that of the column with what is done.
func (tl *timeline) width() int {
	width := len("store LENGTH  ")
	for _, x := range tl.Instructions {
		width = max(width, len(x.Text)+1)
	}
	return width
}

// legend explains the columns that there are.
func (tl *timeline) legend(b *strings.Builder) {
	if len(tl.Accesses) == 0 {
		fmt.Fprintf(b, "first, last: cycles in which the instruction is in EX; cycle 0 is %s.\n", tl.origin)
		return
	}
	fmt.Fprintf(b, "request, grant, valid: as the core sees them; cycle 0 is %s.\n", tl.origin)
	if len(tl.Instructions) > 0 {
		b.WriteString("Of an instruction of the unit: its first cycle in EX and its last.\n")
	}
	if len(tl.Beats) > 0 {
		b.WriteString("Of the DMA engine: the cycle in which it has the port of RAM.\n")
	}
	b.WriteString("unit: the cycle in which the word passes from the FIFO into the state, or out of it.\n")
}
