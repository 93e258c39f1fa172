package cli

import (
	"slices"
	"strings"
	"testing"

	"socsim/accel"
	"socsim/firmware"
	"socsim/soc"
)

// synthetic is a result with a number of its own in every place, which no run
// would give.
func synthetic() (*soc.Result, *check) {
	no := false
	ledger := soc.Ledger{Compute: 100, MoveIn: 40, WaitIn: 20, Wait: 300, MoveOut: 9, WaitOut: 7, Control: 5, Trap: 3, Sleep: 16}
	r := &soc.Result{
		Exit: soc.Exit{Reason: soc.MaxCycles, Code: 124}, Cycles: 1000, Instret: 400, Verified: &no,
		Ledger: soc.Ledger{Compute: 600, MoveIn: 40, WaitIn: 20, Wait: 300, MoveOut: 9, WaitOut: 7, Control: 5, Trap: 3, Sleep: 16},
		Regions: []soc.Region{{
			Name: "sign", Calls: 1, Cycles: 500, Instret: 250, Ledger: ledger,
			Accel: &soc.AccelStats{WordsIn: 10, WordsOut: 2, Permutations: 11, BusyCycles: 264},
		}},
		Devices: []soc.Device{{Name: "shake-fifo", Bus: "obi", Accel: &accel.Statistics{
			WordsIn: 10, WordsOut: 2, Permutations: 11, BusyCycles: 264, InputHighWater: 3, OutputHighWater: 4,
		}}},
		Config: soc.Config{
			Platform: "default", ClockHz: 1_000_000, Accel: "shake-fifo", RAMSize: 1 << 20,
			AccelParameters: &soc.AccelConfig{CyclesPerRound: "1/2", Startup: 2, InputDepth: 8, OutputDepth: 16},
		},
		ELFSHA256: strings.Repeat("0123456789abcdef", 4),
		Findings:  []string{"sign X: signature: byte 7 differs"},
	}
	return r, &check{outcomes: []firmware.Outcome{{Name: "sign X", Permutations: 12, Mismatch: "signature: byte 7 differs"}}}
}

func TestReport(t *testing.T) {
	r, c := synthetic()
	text := newReport(elfFile{name: "a.elf"}, r, c, true).text(false)
	var lines []string // with one space for many
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	for _, c := range []struct{ want, reason string }{
		{"program a.elf, sha256 0123456789abcdef", "sixteen digits of the digest are enough"},
		{"accelerator shake-fifo: 24 rounds, 14 cycles a permutation, FIFOs of 8 words in, 16 out; over obi", "24/2 + 2"},
		{"ended by the simulator (max-cycles), exit code 124", ""},
		{"cycles 500 1,000", ""},
		{"ms at 1 MHz 0.500 1.000", ""},
		{"cycles per instr. 2.00 2.50", ""},
		{"wait_in 20 4.0% 20 2.0%", "percent of the column, not of the run"},
		{"sum 500 100% 1,000 100%", ""},
		{"cycles/byte in 1.50 1.50", "(40 + 20) / (4 * 10)"},
		{"cycles/byte out 2.00 2.00", "(9 + 7) / (4 * 2)"},
		{"idle 236 47.2% 736 73.6%", "500 - 264, 1000 - 264"},
		{"permutations 12 -", "the reference's"},
		{"same result NO -", ""},
		{"Permutations: sign ran 11 where the host reference needs 12.", ""},
		{"FIFOs at their fullest: input 3 of 8 words, output 4 of 16.", ""},
		{"Outside of what is measured: 500 cycles, for start-up, arguments, digests and printing.", ""},
		{"sign X: signature: byte 7 differs", ""},
		{"The rows: every cycle is in exactly one", "none is empty"},
	} {
		if !slices.Contains(lines, c.want) {
			t.Errorf("the report lacks %q %s", c.want, c.reason)
		}
	}
	if t.Failed() {
		t.Log("\n" + text)
	}
	for n, line := range strings.Split(text, "\n") {
		if len(line) > helpWidth {
			t.Errorf("line %d has %d characters: %s", n+1, len(line), line)
		}
	}
	if n := strings.Count(text, "\n"); n > 60 {
		t.Errorf("%d lines, more than a newcomer reads", n)
	}
	// The rows are those of the library, each explained.
	for _, row := range r.Ledger.Rows() {
		if !strings.Contains(text, row.Name+" ") || !strings.Contains(text, row.Text) {
			t.Errorf("row %s is not explained", row.Name)
		}
	}
}

// More functions than fit beside each other go below.
func TestReportManyColumns(t *testing.T) {
	r, c := synthetic()
	for _, name := range []string{"b", "c", "d", "e"} {
		g := r.Regions[0]
		g.Name = name
		r.Regions = append(r.Regions, g)
	}
	text := newReport(elfFile{}, r, c, false).text(false)
	if n := strings.Count(text, "where every cycle went"); n != 2 {
		t.Errorf("%d tables, want 2", n)
	}
	if strings.Contains(text, "Outside of what is measured") {
		t.Error("functions that may contain each other have no outside")
	}
}

// What a unit holds is not run, but counts; how it is reached is said in words.
func TestReportAscon(t *testing.T) {
	for _, c := range []struct {
		permutations, expected uint64
		want                   string
	}{
		{10, 12, "Permutations: exactly as many as the host reference needs, less the first of every message:\n"},
		{11, 12, "Permutations: sign ran 11 where the host reference needs 10.\n"},
	} {
		r, check := synthetic()
		r.Config.Accel, r.Devices[0].Bus = "ascon8-lsu", soc.NoBus
		r.Regions[0].Accel.Permutations = c.permutations
		check.outcomes[0].Permutations, check.outcomes[0].Initial = c.expected, 2
		text := newReport(elfFile{}, r, check, true).text(false)
		for _, want := range []string{c.want, "8 rounds, 6 cycles a permutation (12, 8 cycles behind the padding)", "16 out;", "at the load/store unit\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("the report lacks %q:\n%s", want, text)
			}
		}
	}
}
