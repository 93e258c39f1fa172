package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"socsim/accel"
	"socsim/soc"
	"socsim/soc/platform"
)

// fabricated are results of the variants with these cycles; zero is one that was
// not run.
func fabricated(given, permutation, transfer, both, fifos, rounds uint64) []whatIfVariant {
	var list []whatIfVariant
	for i, cycles := range []uint64{given, permutation, transfer, both, fifos, rounds} {
		v := whatIfVariant{Name: []string{asGiven, idealPermutation, idealTransfer, idealBoth, deeperFIFOs, fasterRounds}[i]}
		if cycles > 0 {
			r, _ := synthetic()
			r.Cycles = cycles
			v.Result = r
		}
		list = append(list, v)
	}
	list[0].Result.Devices[0].Accel.Messages = 1
	list[0].Result.Ledger = soc.Ledger{Compute: 600, Wait: 400}
	return list
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		list   []whatIfVariant
		bound  string // empty: none
		want   string
		reason string
	}{
		{fabricated(1000, 900, 600, 500, 1000, 950), idealTransfer,
			"The transfer bounds this run: accesses in one cycle would save 40.0% of its cycles; next is the permutation with 10.0%.", ""},
		{fabricated(1000, 600, 900, 500, 1000, 950), idealPermutation,
			"The permutation bounds this run: permutations in no time would save 40.0% of its cycles; next is the transfer with 10.0%.", "exchanged"},
		{fabricated(1000, 990, 995, 500, 700, 1000), deeperFIFOs,
			"The depth of the FIFOs bounds this run: FIFOs of 4 blocks would save 30.0% of its cycles; nothing else gains 2%.", "two below the threshold"},
		{fabricated(1000, 980, 1000, 980, 1000, 990), idealPermutation,
			"The permutation bounds this run: permutations in no time would save 2.0% of its cycles; nothing else gains 2%.", "the threshold itself is enough"},
		{fabricated(100000, 98001, 98001, 98001, 100000, 1), "",
			"Neither bounds it: not the permutation, the transfer or the FIFOs gains 2% alone; the largest row of the ledger is compute, 0.6%.", "one cycle below; faster rounds are no suspect"},
		{fabricated(1000, 990, 990, 950, 1000, 1000), "",
			"Neither bounds it: not the permutation, the transfer or the FIFOs gains 2% alone; permutation and transfer together gain 5.0%.", "each hides the other"},
		{fabricated(1000, 1100, 1200, 1300, 1050, 1000), "",
			"Neither bounds it: not the permutation, the transfer or the FIFOs gains 2% alone; the largest row of the ledger is compute, 60.0%.", "all are losses"},
		{fabricated(1000, 800, 800, 600, 1000, 1000), idealPermutation,
			"The permutation bounds this run: permutations in no time would save 20.0% of its cycles; next is the transfer with 20.0%.", "equal: both are named"},
		{fabricated(1000, 1000, 900, 900, 0, 1000), idealTransfer,
			"The transfer bounds this run: accesses in one cycle would save 10.0% of its cycles; nothing else gains 2%.", "a coupling without FIFOs"},
	} {
		bound, sentence := verdict(c.list)
		if sentence != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.reason, sentence, c.want)
		}
		if got := pointed(bound); got != c.bound {
			t.Errorf("%s: bound %q, want %q", c.want, got, c.bound)
		}
	}

	unused := fabricated(1000, 1, 1, 1, 1, 1)
	unused[0].Result.Devices[0].Accel = &accel.Statistics{}
	if bound, sentence := verdict(unused); bound != nil || !strings.Contains(sentence, "did not use the accelerator") {
		t.Errorf("unused: %q, %s", pointed(bound), sentence)
	}
}

func pointed(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func TestGain(t *testing.T) {
	for _, c := range []struct {
		given, cycles uint64
		gain          float64
		text          string
	}{
		{1000, 1000, 0, "0.0%"}, {1000, 900, 10, "10.0%"}, {1000, 1100, -10, "-10.0%"}, {3, 2, 33.3333, "33.3%"},
		{0, 0, 0, "0.0%"}, {1_000_000, 1_000_001, -0.0001, "0.0%"},
	} {
		g := gain(c.given, c.cycles)
		if text := gainText(g); g != c.gain || text != c.text {
			t.Errorf("%d to %d: %v %s, want %v %s", c.given, c.cycles, g, text, c.gain, c.text)
		}
	}
}

func loaded(t *testing.T, unit string, set ...string) *platform.Platform {
	t.Helper()
	f := systemFlags{accel: unit, platform: "default", set: set}
	p, err := f.load()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestVariants(t *testing.T) {
	for _, c := range []struct {
		unit string
		set  []string
		want map[string]string // what is changed
	}{
		{"shake-fifo", nil, map[string]string{
			asGiven: "", idealPermutation: "accel.cycles_per_round=0 accel.startup=0", idealTransfer: "accel.bus=obi",
			idealBoth:   "accel.cycles_per_round=0 accel.startup=0 accel.bus=obi",
			deeperFIFOs: "accel.input_depth=168 accel.output_depth=168", fasterRounds: "accel.cycles_per_round=1/2"}},
		{"ascon-lsu", []string{"accel.cycles_per_round=6", "accel.input_depth=100"}, map[string]string{
			deeperFIFOs: "accel.input_depth=100 accel.output_depth=8", fasterRounds: "accel.cycles_per_round=3"}},
		{"shake-lsu", []string{"accel.cycles_per_round=3/4"}, map[string]string{fasterRounds: "accel.cycles_per_round=3/8"}},
	} {
		p := loaded(t, c.unit, c.set...)
		list, err := variants(p)
		if err != nil {
			t.Fatal(err)
		}
		if list[0].name != asGiven || len(list) != 6 {
			t.Fatalf("%+v", list)
		}
		for _, v := range list {
			if want, ok := c.want[v.name]; ok && strings.Join(v.set, " ") != want {
				t.Errorf("%s: %s changes %v, want %s", c.unit, v.name, v.set, want)
			}
			if v.missing != "" {
				t.Errorf("%s: %s: %s", c.unit, v.name, v.missing)
			}
		}
	}

	// What cannot be is left out and says why.
	list, err := variants(loaded(t, "shake-fifo", "accel.cycles_per_round=1/1000000"))
	if err != nil {
		t.Fatal(err)
	}
	if v := list[5]; v.name != fasterRounds || v.missing != "half of 1/1000000 cycles a round is 1/2000000, and a fraction's numbers end at 1000000" {
		t.Errorf("%+v", v)
	}
	if v := deeper(accel.Config{XOF: accel.SHAKE, Coupling: accel.RAM}); v.missing != "ram has no FIFOs" {
		t.Errorf("%+v", v)
	}
}

// The table is what the JSON object has, and says what changes nothing.
func TestWhatifReport(t *testing.T) {
	var runs []*rerun
	for i, v := range fabricated(1000, 900, 1000, 900, 0, 950) {
		r := &rerun{variant: variant{name: v.Name, set: []string{"key=" + v.Name}}, result: v.Result}
		if v.Result == nil {
			r.missing = "ram has no FIFOs"
		} else {
			v.Result.Regions[0].Calls = 3
			v.Result.Regions[0].Cycles -= uint64(i) * 50
			v.Result.Verified = nil
		}
		runs = append(runs, r)
	}
	w := newWhatif(elfFile{name: "a.elf"}, runs)
	lines := squeezed(w.text())
	for _, want := range []string{
		"cycles sign (3 calls) gain whole run gain",
		"as given 500 1,000",
		"ideal permutation 450 10.0% 900 10.0%",
		"deeper FIFOs - - - -",
		"deeper FIFOs not run: ram has no FIFOs",
		"ideal transfer key=ideal transfer; nothing changes: over obi an access takes one cycle",
		"The permutation bounds this run: permutations in no time would save 10.0% of its cycles; nothing",
		"Not verified: the program left no record; exit codes are the same in all runs. --dump compares memory.",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log("\n" + w.text())
	}
	for _, c := range []struct {
		variant, want string
		change        func(*soc.Result)
	}{
		{idealTransfer, "load/store unit", func(r *soc.Result) { r.Devices[0].Bus = soc.NoBus }},
		{idealTransfer, "", func(r *soc.Result) { r.Devices[0].Bus = "ahb-lite" }},
		{idealTransfer, "", func(r *soc.Result) { r.Devices[0].Bus = "0/0/1/pipelined" }},
		{idealPermutation, "", func(r *soc.Result) { r.Config.AccelParameters.CyclesPerRound = "0" }}, // start-up is 2
		{fasterRounds, "no time already", func(r *soc.Result) { r.Config.AccelParameters.CyclesPerRound = "0" }},
	} {
		r, _ := synthetic()
		c.change(r)
		v := variant{name: c.variant}
		if got := v.unchanged(r); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", c.variant, got, c.want)
		}
	}
}

// Each variant is what run gives on that system, output and all, whatever runs
// beside it.
func TestWhatifIsRun(t *testing.T) {
	t.Chdir(t.TempDir())
	object := func(args ...string) []byte {
		t.Helper()
		var out bytes.Buffer
		if code := Main(args, strings.NewReader(""), &out, io.Discard); code != 0 {
			t.Fatalf("%v: exit code %d", args, code)
		}
		return out.Bytes()
	}
	var w whatIf
	if err := json.Unmarshal(object("whatif", "hash", "--accel", "shake-fifo", "--json", "--", "-k", "3"), &w); err != nil {
		t.Fatal(err)
	}
	for _, v := range w.Variants {
		args := []string{"run", "hash", "--accel", "shake-fifo", "--json", "--no-host"}
		for _, s := range v.Set {
			args = append(args, "--set", s)
		}
		got, err := v.Result.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(object(append(args, "--", "-k", "3")...)), string(got)); diff != "" {
			t.Errorf("%s: %s", v.Name, diff)
		}
	}
}

// Outputs that are not the same are no comparison.
func TestSameOutput(t *testing.T) {
	yes := true
	outcome := func(change func(*rerun)) (code int, err error) {
		var runs []*rerun
		for _, name := range []string{asGiven, idealPermutation, deeperFIFOs} {
			runs = append(runs, &rerun{variant: variant{name: name}, output: "x",
				result: &soc.Result{Exit: soc.Exit{Reason: soc.ToHost}, Dumps: map[string]string{"d": "00"}}})
		}
		runs[0].result.Verified = &yes
		runs[2].missing, runs[2].result = "it has none", nil
		runs[1].printed.WriteString("a word")
		change(runs[1])
		var stderr bytes.Buffer
		a := &app{stderr: &stream{Writer: &stderr}}
		err = a.sameOutput(runs)
		var f *failure
		if errors.As(err, &f) {
			code = f.code
			if code != exitVerify && !strings.Contains(stderr.String(), "a word\n") {
				t.Errorf("%v: what the program printed is not shown", err)
			}
		} else if runs[1].result.Verified != &yes {
			t.Error("the same output is not verified")
		}
		return code, err
	}
	for _, c := range []struct {
		change func(*rerun)
		code   int
		want   string
	}{
		{func(r *rerun) {}, 0, ""},
		{func(r *rerun) { r.output = "y" }, exitVerify, "ideal permutation: the program's record is not"},
		{func(r *rerun) { r.output = "" }, exitVerify, "record"},
		{func(r *rerun) { r.result.Dumps["d"] = "01" }, exitVerify, "memory at d"},
		{func(r *rerun) { r.result.Exit.Code = 7 }, 7, "exit code 7"},
		{func(r *rerun) {
			r.result.Exit = soc.Exit{Reason: soc.MaxCycles, Code: 124, Report: &soc.Report{What: "too long", PC: "0x1"}}
		}, 124, "max-cycles: too long at pc 0x1"},
	} {
		code, err := outcome(c.change)
		if code != c.code || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("code %d, %v; want %d, %s", code, err, c.code, c.want)
		}
	}
}

// Every reader has all of standard input, in pieces of any size.
func TestSharedInput(t *testing.T) {
	text := strings.Repeat("0123456789", 100)
	in := &sharedInput{r: iotest.HalfReader(strings.NewReader(text))}
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			var got []byte
			r := &sharedReader{in: in}
			for b := make([]byte, 1+7*i); ; {
				n, err := r.Read(b)
				got = append(got, b[:n]...)
				if err != nil {
					break
				}
			}
			if string(got) != text {
				t.Errorf("reader %d has %d bytes", i, len(got))
			}
		})
	}
	wait.Wait()
	if n, err := (&sharedReader{in: &sharedInput{}}).Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("of no input: %d, %v", n, err)
	}
}

// The end of one run by a mistake is not called an interruption, and Ctrl-C is
// not called a mistake.
func TestWhatifEnds(t *testing.T) {
	o := soc.Options{Name: "x", ELF: []byte("no ELF"), Platform: loaded(t, "shake-fifo")}
	a := &app{stderr: &stream{Writer: io.Discard}}
	runs := func() []*rerun {
		return []*rerun{{variant: variant{name: asGiven}}, {variant: variant{name: idealBoth}}}
	}
	var f *failure
	if err := a.rerunAll(context.Background(), o, runs()); !errors.As(err, &f) || f.code != exitInput {
		t.Errorf("%v", err)
	}
	loop := runs()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	elf, err := openELF("sphincs")
	if err != nil {
		t.Fatal(err)
	}
	o.Name, o.ELF = elf.name, elf.data
	if err := a.rerunAll(ctx, o, loop); !errors.As(err, &f) || f.code != exitLimit {
		t.Errorf("%v", err)
	}
}
