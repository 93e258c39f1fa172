package experiment

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bench/claims"
	"socsim/bench/store"
	"socsim/firmware"
)

func parse(t *testing.T, text string) *Experiment {
	t.Helper()
	e, err := Parse("a/b.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func names(points []store.Point) (list []string) {
	for _, p := range points {
		list = append(list, p.String())
	}
	return list
}

// All combinations, each once, in the order of the file; in software without settings of
// the accelerator.
func TestPoints(t *testing.T) {
	e := parse(t, `
title = "t"
[[block]]
firmware = ["kyber"]
sets = ["1024", "512"]
operations = ["decaps", "keygen"]
accelerators = ["*-fifo", "ascon-reg"]
software = ["shake"]
seeds = [7]
[block.settings]
"accel.startup" = ["", 3]
"ram.size" = ["4MiB"]
[[block]]
firmware = ["hash"]
accelerators = ["shake-fifo"]
arguments = ["", "-in 8"]
[[block]]
firmware = ["has?"]
accelerators = ["shake-fifo"]
[[block]]
configurations = ["sec1_fast_*"]
seeds = 2
settings.cache_depth = [4]
`)
	points := e.Points()
	want := []string{
		"kyber 1024 keygen,decaps, shake in software, ram.size=4MiB, seed 7",
		"kyber 1024 keygen,decaps, shake-fifo, ram.size=4MiB, seed 7",
		"kyber 1024 keygen,decaps, shake-fifo, accel.startup=3, ram.size=4MiB, seed 7",
	}
	got := names(points)
	if diff := cmp.Diff(want, got[:3]); diff != "" {
		t.Error(diff)
	}
	want = []string{
		"hash, shake-fifo", "hash -in 8, shake-fifo",
		"sdith sec1_fast_hp0, cache_depth=4, seed 0", "sdith sec1_fast_hp0, cache_depth=4, seed 1",
		"sdith sec1_fast_hp1, cache_depth=4, seed 0", "sdith sec1_fast_hp1, cache_depth=4, seed 1",
	}
	if diff := cmp.Diff(want, got[len(got)-6:]); diff != "" {
		t.Error(diff)
	}
	// Two sets, of each one in software and six units with two values of a setting.
	if want := 2*(1+6*2) + 6; len(points) != want {
		t.Errorf("%d points, want %d:\n%s", len(points), want, strings.Join(got, "\n"))
	}
	if e.Name != "b" {
		t.Errorf("name %q", e.Name)
	}
}

// What is wrong with a file is one line with its name, where, and what may be meant.
func TestParseErrors(t *testing.T) {
	const block = "[[block]]\nfirmware = [\"hash\"]\naccelerators = [\"shake-fifo\"]\n"
	for _, c := range []struct{ text, want string }{
		{"", "x.toml: no [[block]]"},
		{"[[block]]\nfirmwear = ['hash']", "x.toml:2: unknown key block.firmwear (did you mean block.firmware?)"},
		{"[[block]]\nfirmware = 'hash'", "x.toml:2: block.firmware: a value of the wrong type; axes are lists"},
		{"[[block]", "x.toml:1: "},
		{"[[block]]\n", "block 1: it names no firmware, and no configurations"},
		{"[[block]]\nfirmware = ['hash']", "block 1: it names no accelerators and no software"},
		{block + block + "sets = ['128f']", "block 2: hash has no sets"},
		{"[[block]]\nfirmware = ['hsah']\nsoftware = ['shake']", `firmware: there is no "hsah" (did you mean hash?); there are sphincs, `},
		{"[[block]]\nfirmware = ['sphincs']\nsoftware = ['shake']", "sets: none for sphincs; there are 128s, "},
		{"[[block]]\nfirmware = ['sphincs', 'kyber']\nsets = ['512']\nsoftware = ['shake']", `sets of sphincs: there is no "512"`},
		{"[[block]]\nfirmware = ['kyber']\nsets = ['512']\noperations = ['sign']\nsoftware = ['shake']", `operations of kyber: there is no "sign"; there are keygen, encaps, decaps`},
		{"[[block]]\nfirmware = ['hash']\naccelerators = ['shake-fif']", `accelerators: there is no "shake-fif" (did you mean shake-fifo?); socsim list`},
		{"[[block]]\nfirmware = ['hash']\naccelerators = ['none']", `accelerators: there is no "none"`},
		{"[[block]]\nfirmware = ['hash']\naccelerators = ['[']", `"[" is no pattern`},
		{"[[block]]\nfirmware = ['hash']\nsoftware = ['md5']", `software: there is no "md5"`},
		{block + "settings.'accel.fifo_dept' = [1]", "did you mean accel.fifo_depth?"},
		{block + "settings.'accel.bus' = ['ahp-lite']", "settings: "},
		{block + "settings.'accel.bus' = []", "accel.bus has no values"},
		{block + "settings.'accel.coupling' = ['lsu']", "accelerators are an axis of their own"},
		{block + "seeds = 3", "seeds: hash takes none"},
		{block + "seeds = 0", "seeds: want how many"},
		{block + "seeds = []", "seeds: want how many"},
		{block + "seeds = [-1]", "not -1"},
		{block + "configurations = ['sec1_fast_hp0']", "firmware beside configurations of SDitH"},
		{"[[block]]\nconfigurations = ['sec1_fast']", "did you mean sec1_fast_hp0?"},
		{"[[block]]\nconfigurations = ['sec1_fast_hp0']\nseeds = 101", "no known answer 100, there are 0 to 99"},
		{"[[block]]\nconfigurations = ['sec1_fast_hp0']\nsettings.cache_dept = [1]", "did you mean cache_depth?"},
		{"[[block]]\nconfigurations = ['*']\nsettings.cache_depth = [99]", "want 0 to"},
		{"[[block]]\nconfigurations = ['*']\nsettings.path = ['half']", "path"},
		{"[[block]]\nconfigurations = ['*']\nsettings.'cost.aes' = ['x']", "want a whole number"},
		{block + "arguments = [" + strings.Repeat("'-in 1',", 20) + "]\nsettings.clock_hz = [" + strings.Repeat("1,", 100) + "]\nsettings.'accel.startup' = [" + strings.Repeat("1,", 100) + "]", "200000 points; at most 100000"},
		{block + "settings.clock_hz = [" + strings.Repeat("1,", 1000) + "]\nsettings.'accel.startup' = [" + strings.Repeat("1,", 1000) + "]", "more than 100000 combinations"},
	} {
		_, err := Parse("x.toml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "x.toml:") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.80q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := Load("quik"); err == nil || !strings.Contains(err.Error(), "did you mean quick?") {
		t.Errorf("%v", err)
	}
}

// The program of a scheme that is not built in is not run, and that is said.
func TestMissingProgram(t *testing.T) {
	_, missing := programNames()
	for _, name := range missing {
		_, err := Parse("x.toml", []byte("[[block]]\nfirmware = ['"+name+"']\nsets = ['*']\nsoftware = ['shake']"))
		if err == nil || !strings.Contains(err.Error(), name+".elf is not built in") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every program that is built in is known here, and every scheme is in the study's
// experiment: one that is added must be added there.
func TestEveryScheme(t *testing.T) {
	study, err := Load("karl-schupp-sigl")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range firmware.Names() {
		name := strings.TrimSuffix(file, ".elf")
		prog := programNamed(name)
		if prog == nil {
			t.Errorf("%s is built in, but programs of program.go lacks it: which sets, operations and seeds has it?", file)
			continue
		}
		if name == "sdith" {
			continue // not one of the study's
		}
		there := func(p store.Point) bool { return p.Program == name }
		if !slices.ContainsFunc(study.Points(), there) {
			t.Errorf("karl-schupp-sigl.toml has no block for %s", file)
		}
	}
}

// The study's experiment has all runs that the claims are decided by, for 128f.
func TestClaimsAreCovered(t *testing.T) {
	study, err := Load("karl-schupp-sigl")
	if err != nil {
		t.Fatal(err)
	}
	there := map[claims.Point]bool{}
	for _, p := range study.Points() {
		if p.Kind != store.Program || p.Seed != "" {
			continue
		}
		c := claims.Point{Program: p.Program + ".elf", Accel: p.Accel, Hash: p.Hash, Set: p.Set, Operations: strings.Join(p.Operations, ","), Settings: strings.Join(p.Settings, " ")}
		if c.Hash == "" {
			c.Hash, _, _ = strings.Cut(p.Accel, "-")
		}
		if len(p.Args) == 2 {
			c.Message = p.Args[1]
		}
		there[c] = true
	}
	scope := claims.Scope{Claims: claims.Names(), Sets: []string{"128f"}, Operations: claims.Operations}
	for _, p := range scope.Points() {
		if !there[p] {
			t.Errorf("it lacks %s", p)
		}
	}
}

// A built-in experiment has reference results of all of its points, and of nothing else.
func TestReferencesAreWhole(t *testing.T) {
	for _, name := range Builtin() {
		e, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		ref, err := LoadReference(name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range ref.Points {
			got = append(got, p.Point)
		}
		if diff := cmp.Diff(names(e.Points()), got); diff != "" {
			t.Errorf("%s: points (-), reference (+); socsim bench %s --export reference -o bench/experiments/reference/%s.csv\n%.2000s", name, name, name, diff)
		}
		for _, file := range firmware.Names() {
			for _, line := range ref.Made {
				if digest, ok := strings.CutPrefix(line, file+" sha256 "); ok && digest != digestOf(t, file) {
					t.Errorf("%s: the reference is of another %s: run it anew, and look at what moved", name, file)
				}
			}
		}
	}
}

func digestOf(t *testing.T, file string) string {
	t.Helper()
	digests, err := programDigests([]store.Point{{Program: strings.TrimSuffix(file, ".elf")}})
	if err != nil {
		t.Fatal(err)
	}
	return digests[strings.TrimSuffix(file, ".elf")]
}

// Each seed of a scheme gives other arguments, of the length the program wants.
func TestSeeds(t *testing.T) {
	for _, c := range []struct {
		set, seed, want string
		program         string
	}{
		{"192f", "258", "-seed hex:0201" + strings.Repeat("00", 70) + " -msg str:258", "sphincs"},
		{"768", "1", "-seed hex:01" + strings.Repeat("00", 63) + " -m hex:01" + strings.Repeat("00", 31), "kyber"},
		{"44", "0", "-seed hex:" + strings.Repeat("00", 32) + " -msg str:0", "dilithium"},
	} {
		b, err := Runnable(store.Point{Kind: store.Program, Program: c.program, Set: c.set, Operations: []string{"keygen"}, Seed: c.seed, Args: []string{"-wait", "wfi"}})
		want := "-p " + c.set + " -op keygen -nodigest " + c.want + " -wait wfi"
		if got := strings.Join(b.Args, " "); err != nil || got != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
	for _, p := range []store.Point{{Kind: store.SDitH}, {Kind: store.Program, Program: "nosuch"}, {Kind: store.Program, Program: "hash", Seed: "1"}} {
		if _, err := Runnable(p); err == nil {
			t.Errorf("%v can be run", p)
		}
	}
}
