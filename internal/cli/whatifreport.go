package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"socsim/bus"
	"socsim/soc"
)

// boundPercent is the gain, in percent of the cycles as given, below which
// something does not bound a run: less than what a change of compiler does.
const boundPercent = 2

// whatIf is what socsim whatif found.
type whatIf struct {
	ELF              string          `json:"elf"`
	ELFSHA256        string          `json:"elf_sha256"`
	Accel            string          `json:"accel"`
	SDitH            string          `json:"sdith,omitempty"`
	ModelVersion     string          `json:"model_version"`
	ThresholdPercent float64         `json:"threshold_percent"`
	Bound            *string         `json:"bound"` // the variant whose gain is largest; null: none reaches the threshold
	Sentence         string          `json:"sentence"`
	Variants         []whatIfVariant `json:"variants"`

	program elfFile
}

// whatIfVariant is a variant and what it gains against the run as given.
type whatIfVariant struct {
	Name        string       `json:"name"`
	Set         []string     `json:"set"`            // what is changed
	Note        string       `json:"note,omitempty"` // why it is not run, or changes nothing
	GainPercent *float64     `json:"gain_percent"`
	Regions     []regionGain `json:"regions"`
	Result      *soc.Result  `json:"result"` // null: not run
}

// regionGain is what a variant gains in one operation.
type regionGain struct {
	Name        string  `json:"name"`
	Cycles      uint64  `json:"cycles"`
	GainPercent float64 `json:"gain_percent"`
}

func newWhatif(p elfFile, runs []*rerun) *whatIf {
	given := runs[0].result
	w := &whatIf{
		ELF: given.Config.ELF, ELFSHA256: given.ELFSHA256, Accel: given.Config.Accel, ModelVersion: given.ModelVersion,
		ThresholdPercent: boundPercent, program: p,
	}
	if c := given.Config.SDitH; c != nil {
		w.SDitH = c.Configuration
	}
	for _, r := range runs {
		v := whatIfVariant{Name: r.name, Set: append([]string{}, r.set...), Note: r.missing, Regions: []regionGain{}, Result: r.result}
		if r.result != nil {
			g := gain(given.Cycles, r.result.Cycles)
			v.GainPercent = &g
			if v.Note == "" {
				v.Note = r.unchanged(given)
			}
			for i, region := range r.result.Regions {
				if i == len(given.Regions) || given.Regions[i].Name != region.Name {
					break // the program did other things in another time
				}
				v.Regions = append(v.Regions, regionGain{region.Name, region.Cycles, gain(given.Regions[i].Cycles, region.Cycles)})
			}
		}
		w.Variants = append(w.Variants, v)
	}
	w.Bound, w.Sentence = verdict(w.Variants)
	return w
}

// unchanged says why a variant is the system as given; empty if it is not.
func (v *variant) unchanged(given *soc.Result) string {
	p, c := given.Config.AccelParameters, given.Config.SDitH
	switch {
	case v.name == idealTransfer:
		reason := ""
		for _, d := range []*soc.Device{accelerator(given), coprocessor(given)} {
			if d == nil {
				continue
			}
			if reason = free(d); reason == "" {
				return ""
			}
		}
		return "nothing changes: " + reason
	case c != nil && c.ClockRatio == "0" && (v.name == idealCoprocessor || v.name == fasterCoprocessor):
		return "nothing changes: the coprocessor takes no time already"
	case c != nil && v.name == wholeTree && slices.Equal(v.set, []string{fmt.Sprintf("sdith.cache_depth=%d", c.CacheDepth)}):
		return "nothing changes: the whole tree is cached already"
	case p == nil:
	case v.name == idealPermutation && p.CyclesPerRound == "0" && p.Startup == 0, v.name == fasterRounds && p.CyclesPerRound == "0":
		return "nothing changes: rounds take no time already"
	case v.name == deeperFIFOs && slices.Equal(v.set, []string{
		fmt.Sprintf("accel.input_depth=%d", p.InputDepth), fmt.Sprintf("accel.output_depth=%d", p.OutputDepth),
	}):
		return "nothing changes: they are as deep already"
	}
	return ""
}

// free says why accesses to a device cost no more than those to RAM; empty if they do.
func free(d *soc.Device) string {
	switch d.Bus {
	case soc.NoBus:
		return "at the load/store unit an access takes one cycle"
	case soc.InCore:
		return "the state is in registers of the core"
	}
	if h, err := bus.ParseHop(d.Bus); err == nil && !h.Serial && h.Grant == 0 && h.ResponseLoad == 0 && h.ResponseStore == 0 {
		return "over " + d.Bus + " an access takes one cycle"
	}
	return ""
}

// gain is how much less than given a number of cycles is, in percent to four
// decimals.
func gain(given, cycles uint64) float64 {
	if given == 0 || given == cycles {
		return 0
	}
	return math.Round(1e6*(float64(given)-float64(cycles))/float64(given)) / 1e4
}

// gainText writes a gain with one decimal.
func gainText(g float64) string {
	s := fmt.Sprintf("%.1f%%", g)
	if s == "-0.0%" {
		return "0.0%"
	}
	return s
}

// suspects are what can bound a run, each with the variant that takes it away.
// The other variants are no suspects: rounds in half the time are a part of
// the ideal permutation, and both together are no single thing.
var suspects = []suspect{
	{idealPermutation, "the permutation", "the permutation", "permutations in no time"},
	{idealCoprocessor, "the coprocessor", "the coprocessor", "signatures in no time"},
	{idealTransfer, "the transfer", "the transfer", "accesses in one cycle"},
	{deeperFIFOs, "the depth of the FIFOs", "the FIFOs", fmt.Sprintf("FIFOs of %d blocks", deeperBlocks)},
}

type suspect struct{ variant, name, short, without string }

// verdict says which suspect bounds the run: the one without which it gains
// most. Gains are compared in cycles, as given is a whole number of them.
func verdict(list []whatIfVariant) (bound *string, sentence string) {
	given := list[0].Result
	gained := func(name string) (cycles int64, enough bool) {
		for _, v := range list {
			if v.Name == name && v.Result != nil {
				n := int64(given.Cycles) - int64(v.Result.Cycles)
				return n, float64(n)*100 >= boundPercent*float64(given.Cycles) && n > 0
			}
		}
		return math.MinInt64, false
	}
	share := func(name string) string {
		n, _ := gained(name)
		return gainText(gain(given.Cycles, uint64(int64(given.Cycles)-n)))
	}
	unit, other := accelerator(given), coprocessor(given)
	used := unit != nil && (unit.Accel.Messages > 0 || unit.Accel.Permutations > 0)
	switch {
	case used || other != nil && !idle(other.SDitH):
	case other == nil:
		return nil, "The program did not use the accelerator, so nothing there bounds this run."
	case unit == nil:
		return nil, "The program did not use the coprocessor, so nothing there bounds this run."
	default:
		return nil, "The program used neither the accelerator nor the coprocessor, so nothing there bounds this run."
	}
	order := slices.DeleteFunc(slices.Clone(suspects), func(s suspect) bool {
		return !slices.ContainsFunc(list, func(v whatIfVariant) bool { return v.Name == s.variant })
	})
	var names, both []string
	for _, s := range order {
		names = append(names, s.short)
		if s.variant != deeperFIFOs {
			both = append(both, strings.TrimPrefix(s.short, "the "))
		}
	}
	orList, andList := listed(names, "or"), listed(both, "and")
	slices.SortStableFunc(order, func(x, y suspect) int {
		nx, _ := gained(x.variant)
		ny, _ := gained(y.variant)
		return cmp.Compare(ny, nx)
	})
	first, second := order[0], order[1]
	if _, enough := gained(first.variant); enough {
		sentence = fmt.Sprintf("%s%s bounds this run: %s would save %s of its cycles",
			strings.ToUpper(first.name[:1]), first.name[1:], first.without, share(first.variant))
		if _, enough := gained(second.variant); enough {
			sentence += fmt.Sprintf("; next is %s with %s.", second.name, share(second.variant))
		} else {
			sentence += fmt.Sprintf("; nothing else gains %d%%.", boundPercent)
		}
		return &first.variant, sentence
	}
	sentence = fmt.Sprintf("Neither bounds it: not %s gains %d%% alone", orList, boundPercent)
	if _, enough := gained(idealBoth); enough {
		return nil, sentence + fmt.Sprintf("; %s together gain %s.", andList, share(idealBoth))
	}
	largest := slices.MaxFunc(given.Ledger.Rows(), func(x, y soc.Row) int { return cmp.Compare(x.Cycles, y.Cycles) })
	return nil, sentence + fmt.Sprintf("; the largest row of the ledger is %s, %s.", largest.Name, percent(largest.Cycles, given.Cycles))
}

// listed joins words with commas, and the last one with and, or or.
func listed(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}

// text is the table for reading.
func (w *whatIf) text() string {
	var b strings.Builder
	given := w.Variants[0].Result
	name := w.program.name
	if w.program.builtin {
		name += " (built in)"
	}
	fmt.Fprintf(&b, "socsim %s: what if?\n", w.ModelVersion)
	rows := [][2]string{{"program", fmt.Sprintf("%s, sha256 %.16s", name, w.ELFSHA256)}}
	if len(given.Config.Args) > 0 {
		rows = append(rows, [2]string{"arguments", clip(strings.Join(given.Config.Args, " "), 80)})
	}
	rows = append(rows,
		[2]string{"platform", strings.Join(append([]string{given.Config.Platform}, given.Config.Set...), ", ")},
		[2]string{"accelerator", (&report{result: given, device: accelerator(given)}).accelerator()},
	)
	if d := coprocessor(given); d != nil {
		rows = append(rows, [2]string{"coprocessor", (&report{result: given, sdith: d}).coprocessor()})
	}
	pairs(&b, rows)

	columns := len(given.Regions) + 1
	for from := 0; from < columns; from += perTable {
		b.WriteString("\n")
		w.cycles(&b, from, min(from+perTable, columns))
	}

	b.WriteString("\nWhat is changed\n")
	rows = nil
	for _, v := range w.Variants[1:] {
		text := strings.Join(v.Set, ", ")
		switch {
		case v.Result == nil:
			text = "not run: " + v.Note
		case v.Note != "":
			text += "; " + v.Note
		}
		rows = append(rows, [2]string{v.Name, text})
	}
	pairs(&b, rows)

	b.WriteString("\n" + wrap(w.Sentence, helpWidth, "  ") + "\n")
	switch {
	case given.Verified != nil:
		b.WriteString("Verified: all runs have the same output, and the host reference has it, too.\n")
	case len(given.Dumps) > 0:
		b.WriteString("Not verified: the program left no record; exit codes and dumped memory are the same in all runs.\n")
	default:
		b.WriteString("Not verified: the program left no record; exit codes are the same in all runs. --dump compares memory.\n")
	}
	return b.String()
}

// cycles is the table of the columns from up to, not with, to: the regions, and
// then the whole run.
func (w *whatIf) cycles(b *strings.Builder, from, to int) {
	given := w.Variants[0].Result
	var t table
	head := []string{"cycles"}
	for i := from; i < to; i++ {
		switch {
		case i == len(given.Regions):
			head = append(head, "whole run", "gain")
		case given.Regions[i].Calls > 1:
			head = append(head, fmt.Sprintf("%s (%s calls)", given.Regions[i].Name, count(given.Regions[i].Calls)), "gain")
		default:
			head = append(head, given.Regions[i].Name, "gain")
		}
	}
	t.row(head...)
	for n, v := range w.Variants {
		cells := []string{v.Name}
		for i := from; i < to; i++ {
			cycles, change := "-", "-"
			switch {
			case v.Result == nil:
			case i == len(given.Regions):
				cycles, change = count(v.Result.Cycles), gainText(*v.GainPercent)
			case i < len(v.Regions):
				cycles, change = count(v.Regions[i].Cycles), gainText(v.Regions[i].GainPercent)
			}
			if n == 0 {
				change = ""
			}
			cells = append(cells, cycles, change)
		}
		t.row(cells...)
	}
	t.write(b)
}
