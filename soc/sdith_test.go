package soc_test

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"socsim/clock"
	"socsim/sdith"
	"socsim/sdith/device"
	"socsim/sdith/pipeline"
	"socsim/soc"
	"socsim/soc/platform"
)

// coprocessorGuest returns options that run a guest of sdith.elf, with known answer 0 of
// cat1_fast as its material.
func coprocessorGuest(t *testing.T, label string, set ...string) soc.Options {
	t.Helper()
	data := bytes.Clone(program(t, "sdith.elf"))
	file, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := file.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	address := func(name string) uint64 {
		for _, s := range symbols {
			if s.Name == name {
				return s.Value
			}
		}
		t.Fatalf("sdith.elf has no symbol %s", name)
		return 0
	}
	k, err := sdith.Cat1Fast.KAT(0)
	if err != nil {
		t.Fatal(err)
	}
	sk, err := sdith.Cat1Fast.GenerateKey(k.KeyEntropy)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"key": sk.Bytes(), "entropy": k.SignEntropy, "message": k.Msg} {
		at := address(name)
		for _, p := range file.Progs {
			if p.Type == elf.PT_LOAD && at >= p.Vaddr && at < p.Vaddr+p.Filesz {
				copy(data[p.Off+at-p.Vaddr:], b)
			}
		}
	}
	p, err := platform.Load("default")
	if err != nil {
		t.Fatal(err)
	}
	for _, kv := range append([]string{fmt.Sprintf("entry=0x%x", address(label))}, set...) {
		key, value, _ := strings.Cut(kv, "=")
		if err := p.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	return soc.Options{Name: "sdith.elf", ELF: data, Platform: p, SDitH: "sec1_fast_hp1",
		Dumps: []soc.Dump{{Symbol: "seen"}, {Symbol: "signature"}}}
}

// knownSignature tells whether a run has the signature of known answer 0.
func knownSignature(t *testing.T, r *soc.Result) bool {
	t.Helper()
	want, err := sdith.Cat1Fast.KATDigest(0)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := hex.DecodeString(r.Dumps["signature"])
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(sig)
	return hex.EncodeToString(sum[:]) == want
}

// used is the coprocessor of a result.
func used(t *testing.T, r *soc.Result) (soc.Device, device.Statistics) {
	t.Helper()
	d := r.Devices[len(r.Devices)-1]
	if d.SDitH == nil {
		t.Fatalf("the last device is %+v", d)
	}
	return d, *d.SDitH
}

// A program that does everything right, whose cycles are booked by what registers are
// for: it has no sections of the ledger.
func TestSDitH(t *testing.T) {
	s, err := soc.New(coprocessorGuest(t, "well"))
	if err != nil {
		t.Fatal(err)
	}
	var jobs []device.Job
	s.Observe(soc.Observer{Job: func(j device.Job) { jobs = append(jobs, j) }})
	r, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.Exit.Reason != soc.Ecall || !knownSignature(t, r) || word(t, r, "seen", 0) != 2 || len(r.Hints) != 0 {
		t.Errorf("%+v, STATUS %d, hints %q", r.Exit, word(t, r, "seen", 0), r.Hints)
	}
	d, stats := used(t, r)
	if d.Name != "sdith" || d.Kind != "sdith" || d.Base != 0x1400_0000 || d.Size != 1<<20 || d.Bus != "apb" {
		t.Errorf("%+v", d)
	}
	if len(jobs) != 1 || jobs[0].To-jobs[0].From != clock.Cycle(jobs[0].Result.Cycles) {
		t.Fatalf("jobs %+v", jobs)
	}
	if stats.WordsIn != 58 || stats.WordsOut != 1121 || stats.Signatures != 1 || stats.BusyCycles != jobs[0].To-jobs[0].From ||
		uint64(stats.BusyCycles+stats.IdleCycles) != r.Cycles || stats.Attempts != jobs[0].Result.Attempts {
		t.Errorf("%+v", stats)
	}
	// Over apb a store takes 4 cycles and a load 3. Control is LENGTH, START and the two loads of
	// STATUS that find DONE; of a turn of the polling loop, 3 of 8 cycles are the load's.
	l := r.Ledger
	if l.MoveIn != 58*4 || l.MoveOut != 1121*3 || l.Control != 2*4+2*3 {
		t.Errorf("%+v", l)
	}
	if busy := uint64(stats.BusyCycles); l.Wait < 3*(busy/8-2) || l.Wait > 3*(busy/8+2) || l.Sleep != 0 || l.WaitIn != 0 || l.WaitOut != 0 {
		t.Errorf("%+v for %d busy cycles", l, busy)
	}
	c := r.Config.SDitH
	if d := cmp.Diff(&soc.SDitHConfig{Configuration: "sec1_fast_hp1", CacheDepth: 8, Path: "single", ClockRatio: "1",
		AES: pipeline.DefaultCosts().AES, Rijndael: pipeline.DefaultCosts().Rijndael, Permutation: pipeline.DefaultCosts().Permutation,
		Digit: pipeline.DefaultCosts().Digit, Word: pipeline.DefaultCosts().Word}, c); d != "" {
		t.Error(d)
	}
	// It is read as it was written, and obeys the schema.
	text := resultJSON(t, r)
	back, err := soc.ParseResult(text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(text, resultJSON(t, back)); d != "" {
		t.Error(d)
	}
	var v any
	if v, err = jsonschema.UnmarshalJSON(bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(v); err != nil {
		t.Error(err)
	}
}

// What guests do wrong, and what becomes of it.
func TestSDitHHostile(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes long")
	}
	const done, refused, idle = 2, 4, 8
	for _, tt := range []struct {
		label  string
		reason soc.Reason
		what   string // of the report
		status uint32 // as the guest sees it at its end
		hint   string // of the result
	}{
		{label: "no_key", reason: soc.Ecall, status: refused | 1<<8, hint: "KEY were not written since reset"},
		{label: "twice", reason: soc.DeviceError, what: "sdith: START written to CTRL while a signature is being made"},
		{label: "early", reason: soc.DeviceError, what: "sdith: SIGNATURE read while a signature is being made"},
		{label: "never", reason: soc.DeviceError, what: "sdith: SIGNATURE read, but there is none"},
		{label: "busy", reason: soc.DeviceError, what: "ENTROPY (offset 0x2000), which is write-only"},
		{label: "rewrite", reason: soc.DeviceError, what: "sdith: KEY written while a signature is being made"},
		{label: "ends", reason: soc.Ecall, status: idle},
		{label: "behind_key", reason: soc.DeviceError, what: "store of word 41 of KEY, which has 163 bytes"},
		{label: "behind_entropy", reason: soc.DeviceError, what: "store of word 8 of ENTROPY, which has 32 bytes"},
		{label: "behind_message", reason: soc.DeviceError, what: "offset 0x5000, where the SDitH coprocessor has no register"},
		{label: "behind_signature", reason: soc.DeviceError, what: "load of word 1121 of SIGNATURE, which has 4484 bytes in configuration sec1_fast_hp1"},
		{label: "last_word", reason: soc.DeviceError, what: "offset 0xffffc, where the SDitH coprocessor has no register"},
		{label: "behind_window", reason: soc.Unmapped, what: "no device has this address"},
		{label: "half", reason: soc.DeviceError, what: "word accesses only"},
		{label: "byte", reason: soc.DeviceError, what: "word accesses only"},
		{label: "split", reason: soc.DeviceError, what: "word accesses only"},
		{label: "lengths", reason: soc.Ecall, status: done, hint: "LENGTH is 4097 bytes, the message memory holds 4096"},
		{label: "forever", reason: soc.AsleepForever, what: "asleep in wfi"},
	} {
		r := run(t, coprocessorGuest(t, tt.label, "sdith.clock_ratio=1/10"))
		if r.Exit.Reason != tt.reason {
			t.Errorf("%s: %+v, want %s", tt.label, r.Exit, tt.reason)
			continue
		}
		if rep := r.Exit.Report; (rep != nil) != (tt.what != "") || rep != nil && (!strings.Contains(rep.What, tt.what) || rep.Hint == "" || !strings.HasPrefix(rep.Symbol, tt.label)) {
			t.Errorf("%s: report %+v, want %q", tt.label, rep, tt.what)
		}
		if tt.what == "" && word(t, r, "seen", 0) != tt.status {
			t.Errorf("%s: STATUS 0x%x, want 0x%x", tt.label, word(t, r, "seen", 0), tt.status)
		}
		if hints := strings.Join(r.Hints, "\n"); (hints != "") != (tt.hint != "") || !strings.Contains(hints, tt.hint) {
			t.Errorf("%s: hints %q, want %q", tt.label, r.Hints, tt.hint)
		}
		if tt.label == "lengths" { // 4097, 2^32 - 1, 2^31, 0, 4096
			for i, want := range []uint32{refused | 3<<8, refused | 3<<8, refused | 3<<8, done, done} {
				if got := word(t, r, "seen", 1+i); got != want {
					t.Errorf("length %d: STATUS 0x%x, want 0x%x", i, got, want)
				}
			}
		}
	}

	// Without a coprocessor there is nothing, and the report says what could be.
	o := coprocessorGuest(t, "well")
	o.SDitH = ""
	r := run(t, o)
	if r.Exit.Reason != soc.Unmapped || !strings.Contains(r.Exit.Report.Hint, "--sdith sec1_fast_hp0") {
		t.Errorf("%+v", r.Exit.Report)
	}
}

// A core asleep is woken by the interrupt, in the cycle in which the signature is there.
func TestSDitHWakes(t *testing.T) {
	for _, exact := range []bool{false, true} {
		if exact && testing.Short() {
			continue
		}
		o := coprocessorGuest(t, "sleep")
		o.ExactOnly = exact
		r := run(t, o)
		if r.Exit.Reason != soc.Ecall || !knownSignature(t, r) {
			t.Fatalf("%+v", r.Exit)
		}
		// START is answered 4 cycles behind its grant, when wfi is in EX; three later the core
		// is asleep (CV32E40P.md, section 7), and until C+1 behind the grant.
		_, stats := used(t, r)
		if want := uint64(stats.BusyCycles) + 1 - (4 + 3); r.Asleep != want {
			t.Errorf("exact %v: asleep for %d cycles, want %d", exact, r.Asleep, want)
		}
	}
}

// RESET in the middle, and the same again.
func TestSDitHAbandon(t *testing.T) {
	r := run(t, coprocessorGuest(t, "abandon"))
	if r.Exit.Reason != soc.Ecall || !knownSignature(t, r) {
		t.Fatalf("%+v", r.Exit)
	}
	if status, cycles := word(t, r, "seen", 1), word(t, r, "seen", 2); status != 8 || cycles != 0 {
		t.Errorf("behind RESET STATUS is 0x%x and CYCLES %d", status, cycles)
	}
	_, stats := used(t, r)
	if stats.Abandoned != 1 || stats.Signatures != 1 {
		t.Errorf("%+v", stats)
	}
}

// Counters read in the middle of a signature.
func TestSDitHCounters(t *testing.T) {
	r := run(t, coprocessorGuest(t, "counters", "sdith.bus=0/1/0"))
	_, stats := used(t, r)
	if n := word(t, r, "seen", 1); n != 0 {
		t.Errorf("%d times the phases added up to what CYCLES never was", n)
	}
	if got := word(t, r, "seen", 2); clock.Cycle(got) != stats.BusyCycles {
		t.Errorf("CYCLES is %d at the end, want %d", got, stats.BusyCycles)
	}
}

// Options of the configuration change cycles, and only HCOM_IN_PHASE12 the signature.
func TestSDitHOptions(t *testing.T) {
	if testing.Short() {
		t.Skip("signs seven times")
	}
	t.Parallel()
	cycles := func(set ...string) clock.Cycle {
		r := run(t, coprocessorGuest(t, "sleep", set...))
		if valid := set[0] != "sdith.hcom_in_phase12=1"; r.Exit.Reason != soc.Ecall || knownSignature(t, r) != valid {
			t.Errorf("%v: %+v, the known signature: %v", set, r.Exit, !valid)
		}
		_, stats := used(t, r)
		return stats.BusyCycles
	}
	plain := cycles("sdith.line=18")
	for _, tt := range []struct {
		set  string
		less bool
	}{
		{"sdith.cache_depth=12", true}, {"sdith.hcom_in_phase12=1", true}, {"sdith.aes=22", false}, {"sdith.word=128", true}, {"sdith.clock_ratio=3", false},
	} {
		if got := cycles(tt.set); (got < plain) != tt.less || got == plain {
			t.Errorf("%s: %d cycles, %d without it", tt.set, got, plain)
		}
	}
	if got := cycles("sdith.clock_ratio=3"); got != 3*plain {
		t.Errorf("%d cycles with a third of the clock, want %d", got, 3*plain)
	}

	o := coprocessorGuest(t, "sleep")
	o.SDitH = "sec2_fast_hp0"
	if _, err := soc.New(o); err == nil || !strings.Contains(err.Error(), `sdith.config: no configuration is called "sec2_fast_hp0" (did you mean `) {
		t.Errorf("error %v", err)
	}
}

// Parts of a result that cannot both be true.
func TestSDitHContradictions(t *testing.T) {
	t.Parallel()
	r := run(t, coprocessorGuest(t, "well"))
	text := resultJSON(t, r)
	for _, c := range []struct {
		edit func(*soc.Result, *device.Statistics)
		want string
	}{
		{func(r *soc.Result, s *device.Statistics) { s.IdleCycles++ }, "sdith: busy and idle cycles add up to"},
		{func(r *soc.Result, s *device.Statistics) { s.Phases[2].Cycles++ }, "sdith: the phases add up to"},
		{func(r *soc.Result, s *device.Statistics) { s.WordsIn = 1000 }, "more than its stores and loads"},
		{func(r *soc.Result, s *device.Statistics) { r.Config.SDitH = nil }, "config.sdith is there, or a device"},
		{func(r *soc.Result, s *device.Statistics) { r.Devices[len(r.Devices)-1].SDitH = nil }, "config.sdith is there, or a device"},
		{func(r *soc.Result, s *device.Statistics) {
			t := *s
			t.WordsIn, t.WordsOut = 0, 0
			r.Devices[0].SDitH = &t
		}, "a second SDitH coprocessor"},
	} {
		r, err := soc.ParseResult(text)
		if err != nil {
			t.Fatal(err)
		}
		c.edit(r, r.Devices[len(r.Devices)-1].SDitH)
		if _, err := soc.ParseResult(resultJSON(t, r)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	o := coprocessorGuest(t, "well")
	o.Regions = []string{"well"}
	good := run(t, o)
	if g := good.Regions[0].SDitH; g == nil || g.Signatures != 1 || g.WordsIn != 58 {
		t.Fatalf("region %+v", good.Regions[0])
	}
	for _, c := range []struct {
		edit func(*soc.Region)
		want string
	}{
		{func(g *soc.Region) { g.SDitH = nil }, "regions[0].sdith: a region has counters"},
		{func(g *soc.Region) { g.SDitH.WordsOut++ }, "regions[0].sdith: "},
	} {
		r, err := soc.ParseResult(resultJSON(t, good))
		if err != nil {
			t.Fatal(err)
		}
		c.edit(&r.Regions[0])
		if _, err := soc.ParseResult(resultJSON(t, r)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
