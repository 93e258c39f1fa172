package accel

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/clock"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name string
		want string // Name of the result
		err  string
	}{
		{"none", "none", ""},
		{"shake-fifo", "shake-fifo", ""},
		{"shake-fif", "", `(did you mean shake-fifo?)`},
		{"SHAKE-FIFO", "", `(did you mean shake-fifo?)`},
		{"shake", "", `(did you mean shake-ram?)`},
		{"sheik-fifo", "", `(did you mean shake-fifo?)`},
		{"non", "", `(did you mean none?)`},
		{"", "", `no accelerator is called ""; available are none, HASH-ram`},
		{"asconn8-regx", "", `(did you mean ascon8-regx?)`},
		{"shake-none", "", `no accelerator is called "shake-none"`},
		{"shake12-fifo", "shake12-fifo", ""},
		{"ascon-fifo", "ascon-fifo", ""},
		{"ascon8-lsu", "ascon8-lsu", ""},
		{"ascon128-lsu", "ascon128-lsu", ""},
		{"shake-lsu", "shake-lsu", ""},
		{"shake12-dma", "shake12-dma", ""},
		{"ascon-lsux", "ascon-lsux", ""},
		{"shake-lsuxx", "", `(did you mean shake-lsux?); available are none, HASH-ram, HASH-fifo, HASH-lsu, HASH-lsux, HASH-reg, HASH-regx, HASH-dma with HASH one of shake, shake12,`},
		{"shake-reg", "shake-reg", ""},
		{"ascon128-regx", "ascon128-regx", ""},
	}
	for _, tt := range tests {
		c, err := Parse(tt.name)
		if tt.err == "" {
			if err != nil || c.Name() != tt.want {
				t.Errorf("Parse(%q): %q, %v", tt.name, c.Name(), err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("Parse(%q): error %v, want %q", tt.name, err, tt.err)
		}
	}
}

// Every hash with every coupling, and none: all of them can be built.
func TestList(t *testing.T) {
	var names []string
	for _, e := range List() {
		names = append(names, e.Name)
		if e.Text == "" {
			t.Errorf("%s: no text", e.Name)
		}
		if _, err := Parse(e.Name); err != nil || !e.Works {
			t.Errorf("%s: works %v, Parse: %v", e.Name, e.Works, err)
		}
	}
	want := []string{"none"}
	for _, x := range []string{"shake", "shake12", "ascon", "ascon8", "ascon128"} {
		for _, c := range []string{"ram", "fifo", "lsu", "lsux", "reg", "regx", "dma"} {
			want = append(want, x+"-"+c)
		}
	}
	if d := cmp.Diff(want, names); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
}

func TestDefaults(t *testing.T) {
	c, err := Parse("shake-fifo")
	if err != nil {
		t.Fatal(err)
	}
	d := c.WithDefaults()
	if d.InputDepth != 42 || d.OutputDepth != 42 || d.CyclesPerRound != (Ratio{1, 1}) || d.Startup != 0 {
		t.Errorf("defaults: %+v", d)
	}
	if d.XOF != SHAKE || d.Coupling != 2 {
		t.Errorf("%+v", d)
	}
}

func TestPermutationCycles(t *testing.T) {
	tests := []struct {
		ratio   string
		startup clock.Cycle
		rounds  int
		want    clock.Cycle
	}{
		{"1", 0, 24, 24}, {"2", 0, 24, 48}, {"1/2", 0, 24, 12}, {"1/3", 1, 24, 9}, {"1/5", 0, 24, 5}, {"1/24", 0, 24, 1},
		{"1/100", 0, 24, 1}, {"3/2", 0, 12, 18}, {"3/2", 0, 5, 8}, {"0", 0, 24, 0}, {"0", 3, 24, 3}, {"1", 2, 0, 2},
	}
	for _, tt := range tests {
		r, err := ParseRatio(tt.ratio)
		if err != nil {
			t.Fatal(err)
		}
		c := Config{XOF: SHAKE, Coupling: FIFO, CyclesPerRound: r, Startup: tt.startup}
		if p := c.Permutation(tt.rounds); p != tt.want {
			t.Errorf("%d rounds at %s cycles and %d: %d, want %d", tt.rounds, tt.ratio, tt.startup, p, tt.want)
		}
		if r.String() != tt.ratio {
			t.Errorf("%q reads as %s", tt.ratio, r)
		}
	}
	for _, text := range []string{"", "x", "1/0", "-1", "1/", "/2", "1/2/3", "1.5", "1000001", "1/1000001"} {
		if r, err := ParseRatio(text); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("ParseRatio(%q): %v, %v", text, r, err)
		}
	}
}

// Numbers of hashes are what the firmware knows them by.
func TestNumbers(t *testing.T) {
	var got []string
	for i, x := range XOFs {
		if int(x.Number) != i+1 {
			t.Errorf("%s has number %d", x.Name, x.Number)
		}
		got = append(got, x.Name)
	}
	if d := cmp.Diff([]string{"shake", "shake12", "ascon", "ascon8", "ascon128"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, m := range SHAKE.Modes {
		if m.Rate%wordBytes != 0 || m.Rounds != always(24) {
			t.Errorf("%+v", m)
		}
	}
}

// All modes of an Ascon unit are the same sponge, and there are as many as of shake.
func TestAsconModes(t *testing.T) {
	for _, x := range []*XOF{Ascon, Ascon8, Ascon128} {
		if len(x.Modes) != len(SHAKE.Modes) || x.Reset != SHAKE.Reset {
			t.Errorf("%s: %d modes, reset %d", x.Name, len(x.Modes), x.Reset)
		}
		for _, m := range x.Modes {
			if d := cmp.Diff(x.Modes[0], m); d != "" {
				t.Errorf("%s (-mode 0 +other):\n%s", x.Name, d)
			}
		}
		if d := (Config{XOF: x, Coupling: LSU}).WithDefaults(); d.InputDepth != 2 || d.OutputDepth != 2 {
			t.Errorf("%s: FIFOs of %d and %d words, want one block", x.Name, d.InputDepth, d.OutputDepth)
		}
	}
	if got, want := Ascon8.modeList(), "0 to 3, all of them Ascon-Xofa"; got != want {
		t.Errorf("modes %q, want %q", got, want)
	}
}
