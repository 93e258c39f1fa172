package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/soc"
)

// squeezed are the lines of a text with one space for many.
func squeezed(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

func TestCompare(t *testing.T) {
	a, _ := synthetic()
	b, _ := synthetic()
	a.ModelVersion, b.ModelVersion = soc.ModelVersion, soc.ModelVersion
	same := newComparison("a", "b", a, b)
	// Both ended at a limit and were not verified.
	if len(same.Config) != 0 || len(same.Notes) != 4 {
		t.Errorf("of one and the same: %+v, %+v", same.Config, same.Notes)
	}
	for _, s := range same.Sections {
		for _, r := range s.Rows {
			if *r.Difference != 0 || r.Ratio != nil && *r.Ratio != 1 {
				t.Errorf("%s %s: %+v", s.Name, r.Name, r)
			}
		}
	}

	b.ModelVersion = "9.9"
	b.ELFSHA256 = strings.Repeat("f", 64)
	b.Exit = soc.Exit{Reason: soc.ToHost, Code: 3}
	b.Verified = nil
	b.Config.Accel, b.Config.Args = "shake-lsu", []string{"-p", "192s"}
	b.Config.AccelParameters.Startup = 0
	b.Devices[0].Bus = soc.NoBus
	b.Devices[0].Loads.Withheld = 77
	b.Cycles, b.Ledger.Compute = 900, 500
	b.Ledger.Trap = 4
	b.Regions = append(b.Regions, b.Regions[0], soc.Region{Name: "verify", Calls: 2, Cycles: 5, Ledger: soc.Ledger{Sleep: 5}})
	b.Regions[1].Cycles = 1500
	a.Dumps, b.Dumps = map[string]string{"x": "00", "y": "11", "z": "22"}, map[string]string{"x": "00", "y": "12"}
	c := newComparison("a", "b", a, b)
	if diff := cmp.Diff([]setting{
		{"args", "", "-p 192s"}, {"accel", "shake-fifo", "shake-lsu"}, {"startup", "2", "0"}, {"bus", "obi", "lsu"},
	}, c.Config); diff != "" {
		t.Error(diff)
	}
	text := c.text()
	lines := squeezed(text)
	for _, want := range []string{
		"NOTE: A is of model version " + soc.ModelVersion + ", B of 9.9: the same program may take other cycles.",
		"NOTE: A did not end by itself (max-cycles): it counts up to there.",
		"NOTE: the program of B ended with exit code 3.",
		"NOTE: A is not verified: the host reference computed something else.",
		"NOTE: the memory at y is not the same.",
		"args (nothing) -p 192s",
		"cycles 1,000 900 -100 0.900",
		"trap 3 4 +1 1.333",
		"loads.withheld 0 77 +77 -",
		"sign (2)",
		"cycles - 1,500 - -",
		"sleep - 5 - -",
		"words_in 10 10 0 1.000",
		"input_high_water 3 3 0 1.000",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("the comparison lacks %q", want)
		}
	}
	if !strings.Contains(text, "different programs: A is ") || strings.Contains(text, "memory at x") {
		t.Error("notes")
	}
	if t.Failed() {
		t.Log("\n" + text)
	}
	for _, line := range strings.Split(text, "\n") {
		if len(line) > helpWidth+10 {
			t.Errorf("%d characters: %s", len(line), line)
		}
	}

	// A result without an accelerator has no words, not zero words.
	b.Devices, b.Config.AccelParameters = nil, nil
	c = newComparison("a", "b", a, b)
	if row := c.Sections[0].Rows; !slices.ContainsFunc(row, func(r comparedCount) bool { return r.Name == "words_in" && r.B == nil && r.Ratio == nil }) {
		t.Errorf("%+v", row)
	}
	if !slices.Contains(squeezed(c.text()), "input_depth 8 -") {
		t.Error("the depth of no FIFO is shown")
	}
}

// A result from elsewhere must not write to the terminal as it likes.
func TestPrintable(t *testing.T) {
	if got, want := printable("a\x1b[31mb\nc\u009bd\r"), "a\ufffd[31mb\nc\ufffdd\ufffd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
