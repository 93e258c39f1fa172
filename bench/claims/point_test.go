package claims

import (
	"strings"
	"testing"

	"socsim/accel"
	"socsim/soc"
)

// The runs are those of every hash over every coupling, in software, with ideal
// permutations where there are FIFOs, and the sweep; software first.
func TestPoints(t *testing.T) {
	points := everything("128f").Points()
	if want := 5*7 + 5 + 5*4 + 2*6*9 + 5*2*3; len(points) != want {
		t.Errorf("%d points, want %d", len(points), want)
	}
	for i, p := range points {
		if p.Software() != (i < 5) {
			t.Errorf("point %d is %s", i, p)
		}
		if got := PointOf(&result(p, nil).Config); got != p {
			t.Errorf("a run of %v is taken for %v", p, got)
		}
		if p.Accel != accel.None.String() && !accel.Known(p.Accel) {
			t.Errorf("no accelerator is called %s", p.Accel)
		}
	}
	for _, name := range Names() {
		s := Scope{Claims: []string{name}, Sets: []string{"192s"}, Operations: []string{"sign"}}
		for _, v := range Judge(s, fabricate(t, s, nil, nil)) {
			if v.Outcome == Undecided {
				t.Errorf("%s alone lacks %v", name, v.Missing)
			}
		}
	}
}

func TestPointText(t *testing.T) {
	p := Point{Program: Scheme, Accel: "shake-fifo", Hash: "shake", Set: "128f", Operations: "sign"}
	for _, tt := range []struct {
		p    Point
		want string
		slow bool
	}{
		{p, "shake-fifo, 128f sign", false},
		{p.with("accel.bus=obi"), "shake-fifo, 128f sign, accel.bus=obi", false},
		{Point{Accel: "none", Hash: "ascon", Set: "128s", Operations: "sign"}, "ascon in software, 128s sign", true},
		{Point{Accel: "ascon-lsu", Hash: "ascon", Set: "128s", Operations: "sign"}, "ascon-lsu, 128s sign", false},
		{Point{Accel: "none", Hash: "ascon", Set: "256f", Operations: "sign"}, "ascon in software, 256f sign", false},
		{hashOf("shake", "reg", "608"), "shake-reg, a hash of 608 bytes", false},
	} {
		if tt.p.String() != tt.want || tt.p.Slow() != tt.slow {
			t.Errorf("%q, slow %v; want %q, %v", tt.p, tt.p.Slow(), tt.want, tt.slow)
		}
	}
	for program, want := range map[string]Point{
		Scheme:  {Program: Scheme, Accel: "shake-fifo", Hash: "shake", Set: "128f", Operations: "keygen,sign,verify"},
		OneHash: hashOf("shake", "fifo", "64"),
	} {
		if got := PointOf(&soc.Config{ELF: program, Accel: "shake-fifo", Hash: "shake"}); got != want {
			t.Errorf("without arguments: %v, want %v", got, want)
		}
	}
}

func TestScopeCheck(t *testing.T) {
	good := everything("128f", "128s")
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		s    Scope
		want string
	}{
		{Scope{Claims: []string{"C5"}, Sets: good.Sets, Operations: good.Operations}, `no claim is called "C5"; there are C1, C2, C3, C4, border`},
		{Scope{Claims: good.Claims, Sets: []string{"128"}, Operations: good.Operations}, `no parameter set is called "128"; there are 128s,`},
		{Scope{Claims: good.Claims, Sets: good.Sets, Operations: []string{"sing"}}, `no operation is called "sing"; there are keygen,`},
		{Scope{Claims: good.Claims, Sets: good.Sets}, "no operation; there are keygen,"},
		{Scope{Claims: good.Claims, Sets: []string{"128f", "128f"}, Operations: good.Operations}, "the same parameter set is named twice in 128f,128f"},
	} {
		if err := tt.s.Check(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

// What is no evidence is refused.
func TestAdd(t *testing.T) {
	p := everything("128f").on("shake", "fifo", "128f")
	no := false
	for _, tt := range []struct {
		change func(*soc.Result)
		want   string
	}{
		{func(r *soc.Result) { r.Exit.Reason = soc.MaxCycles }, "the run ended with max-cycles"},
		{func(r *soc.Result) { r.Exit.Code = 1 }, "the program ended with exit code 1"},
		{func(r *soc.Result) { r.Verified = nil }, "nothing verified it"},
		{func(r *soc.Result) { r.Verified = &no }, "the host reference computed something else"},
		{func(r *soc.Result) { r.Config.ELF = "other.elf" }, "it is of other.elf on platform default, not of sphincs.elf"},
		{func(r *soc.Result) { r.Config.Platform = "mine" }, "on platform mine, not of"},
		{func(r *soc.Result) { r.ELFSHA256 = "01" }, "it is of another program or model version than the run of shake-ram, 128f"},
		{func(r *soc.Result) { r.ModelVersion = "9" }, "it is of another program or model version than"},
		{func(r *soc.Result) { r.Cycles++ }, "its ledger does not add up"},
		{func(r *soc.Result) { r.Regions[1].Cycles++ }, "the ledger of sign does not add up"},
		{func(r *soc.Result) { r.Regions[1].Calls = 2 }, "sign did not run once"},
		{func(r *soc.Result) { r.Regions[2].Open = true }, "verify did not run once and to its end"},
		{func(r *soc.Result) { r.Regions[0].Accel = nil }, "keygen did not use the accelerator"},
		{func(r *soc.Result) { r.Regions[0].Accel.Permutations = 0 }, "keygen did not use the accelerator"},
	} {
		var results Results
		if err := results.Add(result(everything("128f").on("shake", "ram", "128f"), nil)); err != nil {
			t.Fatal(err)
		}
		r := result(p, nil)
		tt.change(r)
		err := results.Add(r)
		if err == nil || !strings.Contains(err.Error(), ": "+tt.want) && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
		if results.Run(p) != nil {
			t.Errorf("%s: it is taken in", tt.want)
		}
	}
}

// A run that lacks an operation decides nothing about it.
func TestLacksOperation(t *testing.T) {
	s := everything("128f")
	r := fabricate(t, s, nil, nil)
	p := s.on("shake", "fifo", "128f")
	r.runs[p].Regions = r.runs[p].Regions[:2]
	v := verdictOn(t, Judge(s, r), "C3")
	if v.Outcome != Undecided || len(v.Missing) != 1 || v.Missing[0] != (Missing{p, "its run lacks an operation"}) {
		t.Errorf("%s %v", v.Outcome, v.Missing)
	}
}

// Each program has one build; two programs are not the same one.
func TestBuilds(t *testing.T) {
	var results Results
	for _, tt := range []struct {
		p    Point
		sha  string
		good bool
	}{
		{everything("128f").on("shake", "ram", "128f"), "01", true},
		{hashOf("shake", "reg", "64"), "02", true},
		{hashOf("shake", "reg", "608"), "02", true},
		{hashOf("shake", "regx", "64"), "01", false},
		{everything("128f").on("shake", "fifo", "128f"), "02", false},
	} {
		r := result(tt.p, nil)
		r.ELFSHA256 = tt.sha
		if err := results.Add(r); (err == nil) != tt.good {
			t.Errorf("%s of build %s: %v", tt.p, tt.sha, err)
		}
	}
}

func TestPercent(t *testing.T) {
	for x, want := range map[float64]string{0: "0.0%", -1e-9: "0.0%", 0.12345: "12.3%", -0.05: "-5.0%", 0.99999: "99.9%", 1: "100.0%"} {
		if got := percent(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}
