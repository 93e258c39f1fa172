package cli

import (
	"fmt"
	"strings"

	"socsim/sdith/device"
	"socsim/sdith/pipeline"
	"socsim/soc"
	"socsim/soc/platform"
)

// coprocessor returns the device of a result that is the SDitH coprocessor; nil
// without one.
func coprocessor(r *soc.Result) *soc.Device {
	for i := range r.Devices {
		if r.Devices[i].SDitH != nil {
			return &r.Devices[i]
		}
	}
	return nil
}

// idle tells whether a program left the coprocessor alone.
func idle(s *device.Statistics) bool {
	return s.Signatures == 0 && s.Refused == 0 && s.BusyCycles == 0 && s.WordsIn == 0
}

// coprocessor says in a line what it is.
func (r *report) coprocessor() string {
	c := r.result.Config.SDitH
	text := fmt.Sprintf("%s: cache of %s", c.Configuration, plural(c.CacheDepth, "level"))
	if c.Path != pipeline.PathSingle.String() {
		text += ", path registers " + c.Path
	}
	if c.HComInPhase12 {
		text += ", HCOM_IN_PHASE12"
	}
	switch c.ClockRatio {
	case "1":
	case "0":
		text += "; it takes no time"
	default:
		text += fmt.Sprintf("; %s cycles of the core for one of its own", c.ClockRatio)
	}
	return text + "; " + way(r.sdith.Bus)
}

// coprocessorRows are what the table of numbers has of it.
func (r *report) coprocessorRows(t *table, line func(string, func(*column) string),
	number, share func(string, func(*column) uint64)) {
	t.row("")
	t.row("coprocessor")
	number("  words in", func(c *column) uint64 { return c.SDitH.WordsIn })
	number("  words out", func(c *column) uint64 { return c.SDitH.WordsOut })
	line("  cycles/byte in", func(c *column) string {
		if c.Accel != nil && c.Accel.WordsIn > 0 {
			return "-" // the rows of the ledger are of both
		}
		return ratio(c.Ledger.MoveIn, wordBytes*c.SDitH.WordsIn)
	})
	line("  cycles/byte out", func(c *column) string {
		if c.Accel != nil && c.Accel.WordsOut > 0 {
			return "-"
		}
		return ratio(c.Ledger.MoveOut, wordBytes*c.SDitH.WordsOut)
	})
	number("  signatures", func(c *column) uint64 { return c.SDitH.Signatures })
	share("  busy", func(c *column) uint64 { return c.SDitH.BusyCycles })
	share("  idle", func(c *column) uint64 { return c.Cycles - c.SDitH.BusyCycles })
}

// phases says where the coprocessor's cycles went, and what it refused.
func (r *report) phases() string {
	s := r.sdith.SDitH
	if idle(s) {
		return "The program did not use the coprocessor: it loaded nothing and started nothing there.\n"
	}
	var b strings.Builder
	if s.BusyCycles > 0 {
		var parts []string
		for _, p := range s.Phases {
			if p.Cycles > 0 {
				parts = append(parts, fmt.Sprintf("%s %s (%s)", p.Phase, count(p.Cycles), percent(uint64(p.Cycles), uint64(s.BusyCycles))))
			}
		}
		b.WriteString(wrap("Phases of the coprocessor, in cycles of the core: "+strings.Join(parts, ", ")+".", helpWidth, "  ") + "\n")
	}
	if s.Signatures > 0 {
		fmt.Fprintf(&b, "Proofs of work: %s for %s.\n", plural(s.Attempts, "attempt"), plural(s.Signatures, "signature"))
	}
	if s.Refused > 0 || s.Abandoned > 0 {
		fmt.Fprintf(&b, "The coprocessor refused %s and abandoned %s.\n", plural(s.Refused, "start"), plural(s.Abandoned, "signature"))
	}
	return b.String()
}

// sdithParameters are what --set takes for a coprocessor, with text.
var sdithParameters = map[string]string{
	"sdith.config":          "configuration; none: no coprocessor. --sdith sets it",
	"sdith.cache_depth":     "levels of the tree that are cached, at most the depth of the leaves; 0 stands for the hardware's default, 8 at level 1 and 7 at levels 3 and 5",
	"sdith.hcom_in_phase12": "1: commitments are hashed in W1, which saves G; the signatures are not valid ones",
	"sdith.path":            "path registers: single, none, both",
	"sdith.clock_ratio":     "cycles of the core for one of the coprocessor: N, or N/M; 0: it takes no time",
	"sdith.base":            "address of the window",
	"sdith.size":            "bytes of the window",
	"sdith.bus":             "way from the core, as accel.bus",
	"sdith.line":            "interrupt line, 16 to 31; the built-in program sleeps for 18",
}

func listSDitH(b *strings.Builder) error {
	b.WriteString("SDitH coprocessors (--sdith NAME)\n")
	rows := [][2]string{{platform.NoSDitH, "nothing"}}
	for _, c := range pipeline.Configs() {
		passes := "HP0: three passes over the leaves"
		if c.HalfPoly {
			passes = "HP1: two passes, and a memory for the lines of the witness"
		}
		rows = append(rows, [2]string{c.Name(), fmt.Sprintf("%s; signatures of %s bytes", passes, count(c.Set.SignatureSize()))})
	}
	pairs(b, rows)

	p, err := platform.Load("default")
	if err != nil {
		return err
	}
	b.WriteString("\nParameters of a coprocessor (--set KEY=VALUE; shown are the defaults)\n")
	rows = nil
	add := func(key, value, text string) { rows = append(rows, [2]string{key + "=" + value, text}) }
	s := p.SDitH
	for _, x := range [][2]string{
		{"sdith.config", s.Config}, {"sdith.cache_depth", fmt.Sprint(s.CacheDepth)}, {"sdith.hcom_in_phase12", fmt.Sprint(s.HComInPhase12)},
		{"sdith.path", s.Path}, {"sdith.clock_ratio", s.ClockRatio},
	} {
		add(x[0], x[1], sdithParameters[x[0]])
	}
	for _, c := range pipeline.DefaultCosts().Table() {
		add("sdith."+c.Name, fmt.Sprint(c.Value), c.Unit+"; "+c.Source)
	}
	for _, x := range [][2]string{
		{"sdith.base", fmt.Sprintf("0x%08x", s.Base)}, {"sdith.size", fmt.Sprintf("0x%x", s.Size)}, {"sdith.bus", s.Bus}, {"sdith.line", fmt.Sprint(s.Line)},
	} {
		add(x[0], x[1], sdithParameters[x[0]])
	}
	pairs(b, rows)
	return nil
}
