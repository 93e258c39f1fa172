package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"socsim/accel"
	"socsim/bus"
	"socsim/clock"
	"socsim/soc"
)

// recorder keeps what happens around the accelerator during a run.
type recorder struct {
	requests  []bus.Request
	responses []bus.Response
	steps     []accel.Step
}

func (t *recorder) access(r bus.Request, a bus.Response) {
	t.requests, t.responses = append(t.requests, r), append(t.responses, a)
}

func (t *recorder) step(s accel.Step) { t.steps = append(t.steps, s) }

// timeline is one hash, in cycles relative to the grant of INIT.
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
	Cycles       int64                 `json:"cycles"` // from the request of the first access to the last answer
	Accesses     []timelineAccess      `json:"accesses"`
	Permutations []timelinePermutation `json:"permutations"`
	Verified     *bool                 `json:"verified"`
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

// timeline returns the last message the accelerator saw, or with first what
// happened from reset on.
func (t *recorder) timeline(r *soc.Result, first bool) (*timeline, error) {
	var device *soc.Device
	for i := range r.Devices {
		if r.Devices[i].Accel != nil {
			device = &r.Devices[i]
		}
	}
	started := t.of(accel.Started)
	if device == nil || len(started) == 0 {
		return nil, errors.New("the program started no message")
	}
	zero := started[len(started)-1].At
	from := zero
	if first {
		from = 0
	}
	rel := func(c clock.Cycle) int64 { return int64(c - zero) }
	tl := &timeline{
		Accel: r.Config.Accel, Parameters: r.Config.AccelParameters, Platform: r.Config.Platform, Set: r.Config.Set, Bus: device.Bus,
		Accesses: []timelineAccess{}, Permutations: []timelinePermutation{}, Verified: r.Verified,
	}

	unit, err := accel.Parse(r.Config.Accel)
	if err != nil {
		return nil, err
	}

	// Words pass in the order in which they are stored or loaded.
	absorbed, moved := t.from(accel.Absorbed, from), t.from(accel.Moved, from)
	words := map[string]int{}
	pass := func(name string, steps []accel.Step) (n int, at *int64) {
		n = words[name]
		words[name]++
		if n < len(steps) {
			c := rel(steps[n].At)
			at = &c
		}
		return n, at
	}
	for i, q := range t.requests {
		a := t.responses[i]
		if q.Addr-device.Base >= device.Size || a.Grant < from || a.Fault != nil {
			continue
		}
		x := timelineAccess{
			Register: registerName(unit, q.Addr-device.Base), Write: q.Write, Data: fmt.Sprintf("0x%08x", a.Data),
			Request: rel(q.At), Grant: rel(a.Grant), Valid: rel(a.Valid), Cause: causes[a.Cause],
		}
		if q.Write {
			x.Data = fmt.Sprintf("0x%08x", q.Data)
		}
		if a.Cause != bus.NotHeld {
			x.Withheld = int64(a.HeldTo - a.HeldFrom)
		}
		var n int
		switch a.Role {
		case bus.RoleIn:
			n, x.Unit = pass("in", absorbed)
			x.Word = &n
		case bus.RoleOut:
			n, x.Unit = pass("out", moved)
			x.Word = &n
		}
		tl.Accesses = append(tl.Accesses, x)
	}
	padded := t.from(accel.Padded, from)
	for _, s := range t.from(accel.Permuted, from) {
		p := timelinePermutation{From: rel(s.At), To: rel(s.To)}
		for _, pad := range padded {
			if c := rel(pad.At); pad.At+1 == s.At {
				p.Padding = &c
			}
		}
		tl.Permutations = append(tl.Permutations, p)
	}
	if n := len(tl.Accesses); n > 0 {
		tl.Cycles = tl.Accesses[n-1].Valid - tl.Accesses[0].Request
	}
	return tl, nil
}

// of returns the steps of a kind in order of time.
func (t *recorder) of(kind accel.StepKind) []accel.Step { return t.from(kind, 0) }

func (t *recorder) from(kind accel.StepKind, from clock.Cycle) []accel.Step {
	var list []accel.Step
	for _, s := range t.steps {
		if s.Kind == kind && s.At >= from {
			list = append(list, s)
		}
	}
	return list
}

// registerName returns the name of the register of a unit at an offset, its aliases
// included; a word of several with its number.
func registerName(unit accel.Config, offset uint32) string {
	for _, r := range unit.Registers() {
		if n := offset - r.Offset; r.Words > 0 && n < r.Words*wordBytes {
			return fmt.Sprintf("%s+%d", r.Name, n/wordBytes)
		}
		if offset == r.Offset || r.AliasWords > 0 && offset-r.Alias < r.AliasWords*wordBytes {
			return r.Name
		}
	}
	return fmt.Sprintf("+0x%02x", offset)
}

// text lays the timeline out: a line for each access, and between them, by the
// cycle in which they begin, the permutations.
func (tl *timeline) text() string {
	type entry struct {
		at   int64
		line []string
	}
	var entries []entry
	var held int64
	for _, x := range tl.Accesses {
		held += x.Withheld
		what := "load " + x.Register
		if x.Write {
			what = "store " + x.Register
		}
		word := ""
		if x.Word != nil {
			word = fmt.Sprintf("word %d", *x.Word)
		}
		notes := ""
		if x.Withheld > 0 {
			notes = fmt.Sprintf("%d withheld: %s", x.Withheld, x.Cause)
		}
		unit := ""
		if x.Unit != nil {
			unit = fmt.Sprint(*x.Unit)
		}
		entries = append(entries, entry{x.Request, []string{
			fmt.Sprint(x.Request), fmt.Sprint(x.Grant), fmt.Sprint(x.Valid), unit, what, word, x.Data, notes,
		}})
	}
	for i, p := range tl.Permutations {
		text := fmt.Sprintf("-- permutation %d runs in %d .. %d", i+1, p.From, p.To-1)
		if p.Padding != nil {
			text = fmt.Sprintf("-- padding in %d, permutation %d runs in %d .. %d", *p.Padding, i+1, p.From, p.To-1)
		}
		entries = append(entries, entry{p.From, []string{text}})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return int(a.at - b.at) })

	var b strings.Builder
	platform := strings.Join(append([]string{tl.Platform}, tl.Set...), ", ")
	fmt.Fprintf(&b, "%s of %d bytes in, %d out, on %s %s (platform %s)\n\n", tl.Sponge, tl.In, tl.Out, tl.Accel, way(tl.Bus), platform)
	fmt.Fprintf(&b, "  %7s %7s %7s %7s   %-14s %-8s %s\n", "request", "grant", "valid", "unit", "access", "", "data")
	for _, e := range entries {
		if len(e.line) == 1 {
			fmt.Fprintf(&b, "  %s\n", e.line[0])
			continue
		}
		l := e.line
		line := fmt.Sprintf("  %7s %7s %7s %7s   %-14s %-8s %-10s  %s", l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7])
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	verified := "not verified"
	switch v := tl.Verified; {
	case v != nil && *v:
		verified = "the host reference has the same output"
	case v != nil:
		verified = "THE HOST REFERENCE HAS ANOTHER OUTPUT"
	}
	fmt.Fprintf(&b, "\n%s in all, %d of them withheld by the unit; %s; %s.\n",
		plural(uint64(tl.Cycles), "cycle"), held, plural(len(tl.Permutations), "permutation"), verified)
	b.WriteString("request, grant, valid: as the core sees them; cycle 0 is the grant of INIT.\n" +
		"unit: the cycle in which the word passes from the FIFO into the state, or out of it.\n")
	return b.String()
}
