package soc_test

import (
	"strings"
	"testing"

	"socsim/accel"
	"socsim/firmware"
	"socsim/soc"
	"socsim/soc/platform"
)

// own is SHAKE under a number that no firmware knows.
func own() *accel.XOF {
	x := *accel.SHAKE
	x.Name, x.Number = "own", 200
	return &x
}

// ownHash returns options that run hash.elf on a unit of our own.
func ownHash(t *testing.T, c accel.Config) soc.Options {
	t.Helper()
	program, err := firmware.ELF("hash.elf")
	if err != nil {
		t.Fatal(err)
	}
	return soc.Options{Name: "hash.elf", ELF: program, Unit: &c, Dumps: []soc.Dump{{Symbol: "output", Bytes: 16}}}
}

// A unit without a name does what a unit with one does, cycle by cycle, and reports
// say which it is.
func TestUnit(t *testing.T) {
	for _, coupling := range []accel.Coupling{accel.FIFO, accel.LSU} {
		o := ownHash(t, accel.Config{XOF: own(), Coupling: coupling})
		var printed strings.Builder
		o.Console = &printed
		got := run(t, o)
		o.Unit, o.Accel, o.Console = nil, accel.Config{XOF: accel.SHAKE, Coupling: coupling}.Name(), nil
		want := run(t, o)
		if got.Exit.Code != 0 || got.Dumps["output"] != want.Dumps["output"] || got.Regions[0].Ledger != want.Regions[0].Ledger {
			t.Errorf("%+v, want %+v: %s", got.Regions[0], want.Regions[0], &printed)
		}
		if name := "own-" + coupling.String(); got.Config.Accel != name || got.Config.Hash != "own" || got.Devices[len(got.Devices)-1].Name != name {
			t.Errorf("%+v", got.Config)
		}
		if line := "[CFG] hash shake256 xof200 " + coupling.String() + "\n"; !strings.HasPrefix(printed.String(), line) {
			t.Errorf("printed %s, want %s", &printed, line)
		}
	}
}

// Parameters are the unit's, where it has none the platform's.
func TestUnitParameters(t *testing.T) {
	p, err := platform.Load("default")
	if err != nil {
		t.Fatal(err)
	}
	for _, kv := range [][2]string{{"accel.startup", "9"}, {"accel.cycles_per_round", "1/3"}, {"accel.fifo_depth", "7"}, {"accel.xof", "ascon"}} {
		if err := p.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		unit accel.Config
		want soc.AccelConfig
	}{
		{accel.Config{}, soc.AccelConfig{CyclesPerRound: "1/3", Startup: 9, InputDepth: 7, OutputDepth: 7}},
		{accel.Config{Startup: 3, InputDepth: 5}, soc.AccelConfig{CyclesPerRound: "1/3", Startup: 3, InputDepth: 5, OutputDepth: 7}},
		{accel.Config{CyclesPerRound: accel.Ratio{Num: 2, Den: 1}, OutputDepth: 5}, soc.AccelConfig{CyclesPerRound: "2", Startup: 9, InputDepth: 7, OutputDepth: 5}},
	} {
		c.unit.XOF, c.unit.Coupling = own(), accel.FIFO
		o := ownHash(t, c.unit)
		o.Platform = p
		if got := *run(t, o).Config.AccelParameters; got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}

func TestUnitMistakes(t *testing.T) {
	for _, c := range []struct {
		edit func(o *soc.Options)
		want string
	}{
		{func(o *soc.Options) { o.Accel = "shake-fifo" }, "a Unit beside Accel"},
		{func(o *soc.Options) { o.Hash = "shake" }, "a Unit beside Accel"},
		{func(o *soc.Options) { o.Unit.Coupling = accel.None }, "a Unit without a coupling"},
		{func(o *soc.Options) { o.Unit.XOF = nil }, "coupling fifo without a hash"},
		{func(o *soc.Options) { o.Unit.XOF.Number = 1 }, "Number 1 is that of shake"},
		{func(o *soc.Options) { o.Unit.InputDepth = -1 }, "input FIFO depth of -1 words"},
	} {
		o := ownHash(t, accel.Config{XOF: own(), Coupling: accel.FIFO})
		c.edit(&o)
		if _, err := soc.New(o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}

	// Over ram the sponge is the driver's, which does not know this hash.
	o := ownHash(t, accel.Config{XOF: own(), Coupling: accel.RAM})
	var printed strings.Builder
	o.Console = &printed
	if r := run(t, o); r.Exit.Code != 2 || !strings.Contains(printed.String(), "no driver for the hash accelerator") {
		t.Errorf("exit code %d, printed %s", r.Exit.Code, &printed)
	}
}
