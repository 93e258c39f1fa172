package soc_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"socsim/soc"
	"socsim/soc/elf"
	"socsim/soc/platform"
)

func program(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// start returns options that run testdata/cases.elf from a label, with keys of
// the platform changed as key=value.
func start(t testing.TB, label string, set ...string) soc.Options {
	t.Helper()
	data := program(t, "cases.elf")
	f, err := elf.Parse("cases.elf", data)
	if err != nil {
		t.Fatal(err)
	}
	entry, ok := f.Lookup(label)
	if !ok {
		t.Fatalf("no label %s", label)
	}
	p, err := platform.Load("default")
	if err != nil {
		t.Fatal(err)
	}
	for _, kv := range append(set, fmt.Sprintf("entry=0x%x", entry.Addr)) {
		key, value, _ := strings.Cut(kv, "=")
		if err := p.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	return soc.Options{Name: "some/dir/cases.elf", ELF: data, Platform: p}
}

// run runs to the end and checks what must hold for every run.
func run(t testing.TB, o soc.Options) *soc.Result {
	t.Helper()
	s, err := soc.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if r.Ledger.Sum() != r.Cycles {
		t.Errorf("ledger %+v adds up to %d, not to %d cycles", r.Ledger, r.Ledger.Sum(), r.Cycles)
	}
	if r.Ledger.Sleep != r.Asleep {
		t.Errorf("asleep for %d cycles, in the ledger %d", r.Asleep, r.Ledger.Sleep)
	}
	for _, g := range r.Regions {
		if g.Ledger.Sum() != g.Cycles {
			t.Errorf("region %s: ledger %+v adds up to %d, not to %d cycles", g.Name, g.Ledger, g.Ledger.Sum(), g.Cycles)
		}
	}
	return r
}

// word reads a dump.
func word(t *testing.T, r *soc.Result, symbol string, index int) uint32 {
	t.Helper()
	b, err := hex.DecodeString(r.Dumps[symbol])
	if err != nil || len(b) < 4*index+4 {
		t.Fatalf("dump of %s: %q %v", symbol, r.Dumps[symbol], err)
	}
	return binary.LittleEndian.Uint32(b[4*index:])
}

// Every way a run ends.
func TestExits(t *testing.T) {
	for _, c := range []struct {
		label   string
		reason  soc.Reason
		code    int
		console string
		report  []string // parts of the report, in order
	}{
		{"_start", soc.ToHost, 0, "", nil},
		{"uart", soc.ToHost, 3, "ok", nil},
		{"semihosting", soc.Semihosting, 7, "hello\n", nil},
		{"ecall_exit", soc.Ecall, 5, "", nil},
		{"ecall_handled", soc.ToHost, 9, "", nil},
		{"self_loop", soc.SelfLoop, 123, "", []string{"jumps to itself", "in self_loop\n"}},
		{"asleep", soc.AsleepForever, 123, "", []string{"asleep in wfi", "in asleep\n", "mie"}},
		{"unmapped", soc.Unmapped, 122, "", []string{"4-byte store at 0x40000008: no device has this address", "in unmapped+0x4\n",
			"hint: the nearest is", "0x02000000-0x0200ffff  clint", "0x10000000-0x100000ff  uart", "0x80000000-0x807fffff  RAM"}},
		{"no_accelerator", soc.Unmapped, 122, "", []string{"4-byte load at 0x11000010", "attach it with --accel shake-fifo"}},
		{"refused", soc.DeviceError, 122, "", []string{"store to the SoC info at offset 0x4", "in refused+0x4\n", "read-only"}},
		{"bad_pointer", soc.DeviceError, 122, "", []string{"semihosting SYS_WRITE: parameter block of 12 bytes at 0x00000010 is not in RAM", "in bad_pointer"}},
		{"putchar", soc.DeviceError, 122, "", []string{"tohost = 0x0101000000000041 is a command to an HTIF device", "in putchar"}},
		{"proxied", soc.DeviceError, 122, "", []string{"tohost = 0x80001000 asks the host for a system call", "in proxied", "semihosting or the UART"}},
		{"bad_jump", soc.FetchError, 122, "", []string{"instruction fetch outside RAM at 0x00000040", "ra points behind a call in bad_jump"}},
		{"no_handler", soc.FetchError, 122, "", []string{"illegal instruction without a handler", "in no_handler\n", "RV32IMC"}},
	} {
		var console bytes.Buffer
		o := start(t, c.label)
		o.Console = &console
		r := run(t, o)
		if r.Exit.Reason != c.reason || r.Exit.Code != c.code || r.Status() != c.code || console.String() != c.console {
			t.Errorf("%s: %s %d (status %d), console %q; want %s %d, %q", c.label,
				r.Exit.Reason, r.Exit.Code, r.Status(), &console, c.reason, c.code, c.console)
		}
		if c.report == nil {
			if r.Exit.Report != nil {
				t.Errorf("%s: a report: %s", c.label, r.Exit.Report)
			}
			continue
		}
		text := r.Exit.Report.String()
		for _, part := range c.report {
			i := strings.Index(text, part)
			if i < 0 {
				t.Errorf("%s: no %q (in this place) in the report:\n%s", c.label, part, r.Exit.Report)
				break
			}
			text = text[i:]
		}
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		limits soc.Limits
		reason soc.Reason
		hint   string
	}{
		{soc.Limits{MaxInstructions: 10_000}, soc.MaxInstructions, "--max-instructions"},
		{soc.Limits{MaxCycles: 10_000}, soc.MaxCycles, "--max-cycles"},
		{soc.Limits{Timeout: time.Nanosecond}, soc.Timeout, "--timeout"},
	} {
		o := start(t, "spin")
		o.Limits = c.limits
		r := run(t, o)
		if r.Exit.Reason != c.reason || r.Status() != 124 || !strings.Contains(r.Exit.Report.Hint, c.hint) || r.Exit.Report.Symbol == "" {
			t.Errorf("%+v: %s, status %d, report %+v", c.limits, r.Exit.Reason, r.Status(), r.Exit.Report)
		}
		if c.limits.MaxInstructions > 0 && r.Instret != 10_000 {
			t.Errorf("%d instructions", r.Instret)
		}
		if c.limits.MaxCycles > 0 && (r.Cycles < 10_000 || r.Cycles > 10_010) {
			t.Errorf("%d cycles", r.Cycles)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o := start(t, "spin")
	calls := 0
	o.Progress = func(cycles, instret uint64) {
		if calls++; calls == 2 {
			cancel()
		}
		if cycles == 0 || instret == 0 {
			t.Error("progress of nothing")
		}
	}
	s, err := soc.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.Run(ctx); r != nil || !errors.Is(err, context.Canceled) || calls != 2 {
		t.Errorf("%v %v after %d calls", r, err, calls)
	}
}

func TestRunsOnce(t *testing.T) {
	s, err := soc.New(start(t, "_start"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(context.Background()); !errors.Is(err, soc.ErrUsed) {
		t.Errorf("second run: %v", err)
	}
}

func TestArguments(t *testing.T) {
	var out bytes.Buffer
	o := start(t, "arguments")
	o.Console = &out
	o.Args = []string{"-p", "two words"}
	run(t, o)
	if want := `cases.elf -p "two words"`; out.String() != want {
		t.Errorf("%q, want %q: no directories, whoever runs it from where", &out, want)
	}
	o.Args = []string{strings.Repeat("x", 100)}
	if r := run(t, o); len(r.Hints) != 1 || !strings.Contains(r.Hints[0], "the guest got no arguments") {
		t.Errorf("too long: hints %q", r.Hints)
	}
}

// Guest mcycle = elapsed - asleep - inhibited.
func TestCounterIdentity(t *testing.T) {
	o := start(t, "timer")
	o.Dumps = []soc.Dump{{Symbol: "times"}}
	r := run(t, o)
	if r.Exit.Reason != soc.ToHost || r.Asleep == 0 || r.Inhibited < 100 {
		t.Fatalf("%+v, asleep %d, inhibited %d", r.Exit, r.Asleep, r.Inhibited)
	}
	// The program reads mtime in its grant cycle and mcycle one cycle later.
	elapsed, mcycle := word(t, r, "times", 2)+1, word(t, r, "times", 3)
	if want := elapsed - uint32(r.Asleep) - uint32(r.Inhibited); mcycle != want {
		t.Errorf("mcycle %d, want %d: elapsed %d, asleep %d, inhibited %d", mcycle, want, elapsed, r.Asleep, r.Inhibited)
	}
}

// Devices of one bus are behind one bridge and block each other.
func TestBridges(t *testing.T) {
	for _, c := range []struct {
		bus    string
		want   uint32
		reason string
	}{
		{"apb", 7, "lw in G is answered G+3; sb, granted G+3, is answered G+7; lw is granted then"},
		{"0/2/3", 4, "sb on a bridge of its own leaves EX in G+3; lw in EX G+4 is granted at once"},
	} {
		o := start(t, "bridge", "device.uart.bus="+c.bus)
		o.Dumps = []soc.Dump{{Symbol: "times"}}
		r := run(t, o)
		if got := word(t, r, "times", 1) - word(t, r, "times", 0); got != c.want {
			t.Errorf("uart on %s: mtime moved by %d, by hand %d: %s", c.bus, got, c.want, c.reason)
		}
	}
}

func TestStoppedCountersHint(t *testing.T) {
	if r := run(t, start(t, "stopped_counters")); len(r.Hints) != 1 || !strings.Contains(r.Hints[0], "mcountinhibit") {
		t.Errorf("hints %q", r.Hints)
	}
	if r := run(t, start(t, "timer")); len(r.Hints) != 0 {
		t.Errorf("hints %q", r.Hints)
	}
}

// The seed decides what free RAM holds; the program's own memory is as loaded.
func TestRAMInit(t *testing.T) {
	dump := func(init soc.RAMInit) (bss, free string) {
		o := start(t, "_start")
		o.RAM = init
		o.Dumps = []soc.Dump{{Symbol: "left", Bytes: 48}}
		r := run(t, o)
		if r.Config.RAMInit != init.String() {
			t.Errorf("config says %s", r.Config.RAMInit)
		}
		return r.Dumps["left"][:32], r.Dumps["left"][32:]
	}
	zeroes := strings.Repeat("0", 64)
	bss, free := dump(soc.RAMInit{})
	if bss != zeroes[:32] || free != zeroes {
		t.Errorf("zero: %s %s", bss, free)
	}
	bss, free = dump(soc.RAMInit{Random: true, Seed: 1})
	if bss != zeroes[:32] || free == zeroes {
		t.Errorf("random: %s %s", bss, free)
	}
	if _, again := dump(soc.RAMInit{Random: true, Seed: 1}); again != free {
		t.Error("the same seed gave other bytes")
	}
	if _, other := dump(soc.RAMInit{Random: true, Seed: 2}); other == free {
		t.Error("another seed gave the same bytes")
	}
}

func TestVerify(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		verdict *bool
		label   string
		status  int
	}{
		{nil, "_start", 0}, {&yes, "_start", 0}, {&no, "_start", soc.VerifyFailed},
		{&no, "uart", 3}, // the guest's own failure comes first
	} {
		o := start(t, c.label)
		o.Verify = func(ram []byte, base uint32, symbol func(string) (uint32, bool)) (*bool, []string) {
			if addr, ok := symbol("digest"); !ok || base != 0x8000_0000 || addr-base > uint32(len(ram)) {
				t.Errorf("base %#x, digest at %#x", base, addr)
			}
			if _, ok := symbol("nothing"); ok {
				t.Error("a symbol that is not there")
			}
			return c.verdict, []string{"line"}
		}
		r := run(t, o)
		if r.Verified != c.verdict || r.Status() != c.status || !slices.Equal(r.Findings, []string{"line"}) {
			t.Errorf("verified %v, status %d, want %d, findings %q", r.Verified, r.Status(), c.status, r.Findings)
		}
	}
}

// A mistake in the options is one line that says what and where.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(o *soc.Options)
		want string
	}{
		{"not an ELF", func(o *soc.Options) { o.ELF = []byte("x") }, "some/dir/cases.elf: not an ELF file"},
		{"accelerator", func(o *soc.Options) { o.Accel = "shake-fifi" }, `no accelerator is called "shake-fifi"`},
		{"hash", func(o *soc.Options) { o.Hash = "skahe" }, `no hash is called "skahe"`},
		{"hash beside accelerator", func(o *soc.Options) { o.Hash, o.Accel = "shake", "shake-fifo" }, "the accelerator decides the hash"},
		{"region", func(o *soc.Options) { o.Regions = []string{"dwon"} }, "some/dir/cases.elf: no function dwon to measure (did you mean down?)"},
		{"dump", func(o *soc.Options) { o.Dumps = []soc.Dump{{Symbol: "tiems"}} }, "no symbol tiems to dump (did you mean times?)"},
		{"dump without size", func(o *soc.Options) { o.Dumps = []soc.Dump{{Symbol: "left"}} }, "symbol left has no size"},
		{"dump too long", func(o *soc.Options) { o.Dumps = []soc.Dump{{Symbol: "left", Bytes: 8 << 20}} }, "do not all lie in RAM"},
		{"RAM elsewhere", func(o *soc.Options) { o.Platform.Set("ram.base", "0x2000_0000") }, "segment 0 at 0x80000000-"},
		{"entry", func(o *soc.Options) { o.Platform.Set("entry", "0x10") }, "built-in platform default: entry: 0x00000010 must be an even address in RAM"},
		{"overlap", func(o *soc.Options) { o.Platform.Set("device.uart.base", "0x1000_1000") }, "overlaps"},
		{"directory", func(o *soc.Options) { o.Dir = "testdata/none" }, "directory for the guest's files"},
	} {
		o := start(t, "_start")
		c.edit(&o)
		_, err := soc.New(o)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
