package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bench/claims"
	"socsim/firmware"
	"socsim/soc"
)

var long = flag.Bool("long", false, "decide the claims on all operations of 128f")

// hashed runs firmware/hash.elf and returns its region.
func hashed(t *testing.T, accel string, settings []string, args ...string) soc.Region {
	t.Helper()
	return measured(t, Point{Program: "hash.elf", Accel: accel, Settings: settings, Args: args}, "hash")
}

// measured runs a point, which must be right, and returns a region of it.
func measured(t *testing.T, p Point, region string) soc.Region {
	t.Helper()
	return regionOf(t, verified(t, p), region)
}

func verified(t *testing.T, p Point) *soc.Result {
	t.Helper()
	o := p.Run(t.Context(), nil)
	switch {
	case o.Err != nil:
		t.Fatal(o.Err)
	case o.Result.Exit.Code != 0 || o.Result.Verified == nil || !*o.Result.Verified:
		t.Fatalf("%+v: ended with %d, %v\n%s", p, o.Result.Exit.Code, o.Result.Findings, o.Printed)
	}
	return o.Result
}

func regionOf(t *testing.T, r *soc.Result, name string) soc.Region {
	t.Helper()
	i := slices.IndexFunc(r.Regions, func(g soc.Region) bool { return g.Name == name })
	if i < 0 {
		t.Fatalf("no region %s", name)
	}
	return r.Regions[i]
}

// The outcomes do not depend on how many runs are made at once, and stand in the order
// of the points.
func TestRun(t *testing.T) {
	var points []Point
	for _, in := range []int{0, 64, 1000} {
		for _, accel := range []string{"shake-fifo", "ascon-lsu", "nosuch", "none"} {
			points = append(points, Point{Program: "hash.elf", Accel: accel, Args: []string{"-in", fmt.Sprint(in)}})
		}
	}
	points = append(points,
		Point{Program: "nosuch.elf"}, Point{Program: "hash.elf", Settings: []string{"accel.base"}},
		Point{Program: "hash.elf", Settings: []string{"no.key=1"}}, Point{Program: "hash.elf", Regions: []string{"nosuch"}},
		Point{Program: "hash.elf", Args: []string{"-k", "0"}},
	)
	var all [2][]Outcome
	var last Progress
	for i, jobs := range []int{1, 3} {
		var err error
		all[i], err = Run(t.Context(), points, jobs, func(p Progress) { last = p })
		if err != nil {
			t.Fatal(err)
		}
		var cycles uint64
		for _, o := range all[i] {
			if o.Result != nil {
				cycles += o.Result.Cycles
			}
		}
		if last.Done != len(points) || last.All != len(points) || last.Cycles != cycles || last.Instret == 0 {
			t.Errorf("progress at the end: %+v, %d cycles in the results", last, cycles)
		}
	}
	text := cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
	if diff := cmp.Diff(all[0], all[1], text); diff != "" {
		t.Errorf("one at a time (-), three (+):\n%s", diff)
	}
	for i, want := range []string{
		"", "", "no accelerator is called", "", "", "", "no accelerator is called", "", "", "", "no accelerator is called", "",
		"no program", "want key=value", "no key", "no function nosuch to measure", "",
	} {
		o := all[0][i]
		if want != "" {
			if o.Err == nil || !strings.Contains(o.Err.Error(), want) || o.Result != nil {
				t.Errorf("%+v: %v, want %s", points[i], o.Err, want)
			}
			continue
		}
		if o.Err != nil || o.Result.Config.Accel != points[i].Accel && points[i].Accel != "" || o.Result.Host != nil {
			t.Errorf("%+v: %v", points[i], o.Err)
		}
	}
	if o := all[0][len(points)-1]; o.Result.Exit.Code != 2 || !strings.Contains(o.Printed, "0 times") {
		t.Errorf("a wrong argument: exit code %d, %q", o.Result.Exit.Code, o.Printed)
	}
}

// When the context ends nothing more is begun, and that is the error.
func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	points := slices.Repeat([]Point{{Program: "sphincs.elf", Accel: "none"}}, 3) // seconds each
	outcomes, err := Run(ctx, points, 2, func(Progress) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	for _, o := range outcomes {
		if o.Result != nil {
			t.Error("a run went on to its end")
		}
	}
}

// A bug below comes out as a panic of the caller, whatever goroutine it was in.
func TestRunBug(t *testing.T) {
	defer func() {
		if r := fmt.Sprint(recover()); !strings.Contains(r, "broken bar") {
			t.Errorf("recovered %s", r)
		}
	}()
	Run(t.Context(), []Point{{Program: "hash.elf"}}, 1, func(Progress) { panic("broken bar") })
}

// The claims on key generation: what is run today decides what it can, and a claim is
// undecided exactly if it says what is missing.
func TestClaims(t *testing.T) {
	s := claims.Scope{Claims: []string{"C1", "border"}, Sets: []string{"128f"}, Operations: []string{"keygen"}}
	if testing.Short() {
		s.Claims = s.Claims[:1]
	}
	decide(t, s)
}

// The whole experiment on 128f.
func TestClaimsLong(t *testing.T) {
	if !*long {
		t.Skip("takes half a minute or more; -long runs it")
	}
	decide(t, claims.Scope{Claims: claims.Names(), Sets: []string{"128f"}, Operations: claims.Operations})
}

func decide(t *testing.T, s claims.Scope) {
	results, failures, err := RunClaims(t.Context(), s, false, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range failures {
		t.Error(f.Err)
	}
	for _, v := range claims.Judge(s, results) {
		t.Logf("%s: %s. %s", v.Claim, v.Outcome, v.Reason)
		if (v.Outcome == claims.Undecided) != (len(v.Missing) > 0) {
			t.Errorf("%s is %s with %d runs missing", v.Claim, v.Outcome, len(v.Missing))
		}
		for _, m := range v.Missing {
			if strings.HasSuffix(m.Point.Accel, "-fifo") || strings.HasSuffix(m.Point.Accel, "-lsu") || m.Point.Software() {
				t.Errorf("%s: missing %s: %s", v.Claim, m.Point, m.Why)
			}
		}
		switch v.Claim {
		case "C3":
			if v.Outcome != claims.Supported {
				t.Errorf("C3 is %s: %s", v.Outcome, v.Reason)
			}
		case "border":
			if v.Outcome != claims.Found {
				t.Errorf("border is %s: %s", v.Outcome, v.Reason)
			}
		}
	}
}

// What is no driver, and what is a mistake.
func TestTakeIn(t *testing.T) {
	p := claims.Point{Program: claims.Scheme, Accel: "shake-fifo", Hash: "shake", Set: "128f", Operations: "keygen"}
	made := pointOf(p).Run(t.Context(), nil)
	if err := takeIn(&claims.Results{}, p, made); err != nil {
		t.Errorf("a good run: %v", err)
	}
	no := false
	change := func(f func(*soc.Result)) Outcome {
		r := *made.Result
		f(&r)
		return Outcome{Result: &r}
	}
	refused := change(func(r *soc.Result) { r.Exit.Code, r.Verified, r.Regions = noDriverCode, nil, nil })
	refused.Printed = "sphincs: " + NoDriver + "\n"
	if err := takeIn(&claims.Results{}, p, refused); err != nil {
		t.Errorf("no driver: %v", err)
	}
	for _, tt := range []struct {
		o    Outcome
		want string
	}{
		{Outcome{Err: errors.New("no bus")}, "shake-fifo, 128f keygen: no bus"},
		{change(func(r *soc.Result) { r.Exit.Code = 2 }), "exit code 2"},
		{change(func(r *soc.Result) { r.Verified, r.Findings = &no, []string{"keygen: another key"} }),
			"the host reference computed something else: keygen: another key"},
	} {
		var results claims.Results
		if err := takeIn(&results, p, tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
		if results.Run(p) != nil {
			t.Errorf("%s: it is taken in", tt.want)
		}
	}
}

// A run is of the point that it was made for.
func TestPointOf(t *testing.T) {
	for _, p := range []claims.Point{
		{Program: claims.Scheme, Accel: "none", Hash: "ascon8", Set: "128f", Operations: "keygen"},
		{Program: claims.Scheme, Accel: "ascon-fifo", Hash: "ascon", Set: "128f", Operations: "keygen", Settings: "accel.bus=0/1/1 accel.cycles_per_round=1/3"},
		{Program: claims.OneHash, Accel: "ascon-fifo", Hash: "ascon", Message: "608"},
	} {
		made := pointOf(p).Run(t.Context(), nil)
		var results claims.Results
		if err := takeIn(&results, p, made); err != nil || results.Run(p) == nil {
			t.Errorf("%s: %v", p, err)
		}
		other := p
		other.Hash = "shake"
		if err := takeIn(&results, other, made); err == nil || !strings.HasPrefix(err.Error(), "BUG: ") {
			t.Errorf("a run of %s taken for one of %s: %v", p, other, err)
		}
	}
}

func TestLeftOut(t *testing.T) {
	soft := claims.Point{Program: claims.Scheme, Accel: "none", Hash: "shake", Set: "128s", Operations: "sign"}
	quick, hard, made := soft, soft, soft
	quick.Set, hard.Accel, made.Accel = "128f", "shake-fifo", "shake-magic"
	for _, tt := range []struct {
		p    claims.Point
		slow bool
		want string
	}{
		{soft, false, "it takes minutes and was not asked for"}, {soft, true, ""}, {quick, false, ""}, {hard, false, ""},
		{made, true, "this accelerator cannot be built yet"},
	} {
		if got := leftOut(tt.p, tt.slow); got != tt.want {
			t.Errorf("%s, slow %v: %q, want %q", tt.p, tt.slow, got, tt.want)
		}
	}
}

// The check of a record sees one wrong bit of the output, and a record that makes no
// sense; without a record there is nothing to say.
func TestVerify(t *testing.T) {
	elf, err := firmware.ELF("hash.elf")
	if err != nil {
		t.Fatal(err)
	}
	checked := false
	s, err := soc.New(soc.Options{Name: "hash.elf", ELF: elf, Accel: "shake-lsu", Verify: func(ram []byte, base uint32, symbol func(string) (uint32, bool)) (*bool, []string) {
		checked = true
		if ok, lines := (&check{ctx: t.Context()}).verify(ram, base, symbol); ok == nil || !*ok || lines != nil {
			t.Errorf("right: %v %q", ok, lines)
		}
		output, ok := symbol("output")
		if !ok {
			t.Fatal("no symbol output")
		}
		ram[output-base] ^= 1
		if ok, lines := (&check{ctx: t.Context()}).verify(ram, base, symbol); ok == nil || *ok || len(lines) != 1 || !strings.HasPrefix(lines[0], "hash SHAKE256: ") {
			t.Errorf("a wrong bit: %v %q", ok, lines)
		}
		return nil, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context()); err != nil || !checked {
		t.Errorf("%v, checked %v", err, checked)
	}
	none := func(string) (uint32, bool) { return 0, false }
	some := func(string) (uint32, bool) { return 0x8000_0000, true }
	if ok, lines := (&check{ctx: t.Context()}).verify(make([]byte, 4096), 0x8000_0000, none); ok != nil || lines != nil {
		t.Errorf("no record: %v %q", ok, lines)
	}
	if ok, lines := (&check{ctx: t.Context()}).verify(make([]byte, 4096), 0x8000_0000, some); ok == nil || *ok || len(lines) != 1 {
		t.Errorf("a broken record: %v %q", ok, lines)
	}
}
