package platform_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/soc/platform"
)

func TestBuiltin(t *testing.T) {
	for _, name := range platform.Builtin() {
		p, err := platform.Load(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Name != name || p.ClockHz != platform.DefaultClockHz || !p.ClockAssumed {
			t.Errorf("%s: name %q, %d Hz, assumed %v", name, p.Name, p.ClockHz, p.ClockAssumed)
		}
	}
}

// The default memory map is part of what firmware is built for.
func TestDefault(t *testing.T) {
	p, err := platform.Load("default")
	if err != nil {
		t.Fatal(err)
	}
	want := []platform.Device{
		{Name: "clint", Kind: "clint", Base: 0x0200_0000, Size: 0x1_0000, Bus: "apb"},
		{Name: "uart", Kind: "uart", Base: 0x1000_0000, Size: 0x100, Bus: "apb"},
		{Name: "info", Kind: "info", Base: 0x1000_1000, Size: 0x1000, Bus: "apb"},
	}
	if diff := cmp.Diff(want, p.Devices); diff != "" {
		t.Error(diff)
	}
	if want := (platform.RAM{Base: 0x8000_0000, Size: 8 << 20}); p.RAM != want {
		t.Errorf("RAM %+v", p.RAM)
	}
	if a := p.Accel; a.Base != 0x1100_0000 || a.LSUBase != 0x1200_0000 || a.XOF != "shake" || a.Coupling != "none" || a.Line != 16 {
		t.Errorf("accel %+v", a)
	}
}

// The RTL test bench: 16 windows that delay the grant, 16 that delay the answer.
func TestRTLBench(t *testing.T) {
	p, err := platform.Load("rtlbench")
	if err != nil {
		t.Fatal(err)
	}
	if p.RAM != (platform.RAM{Base: 0x0010_0000, Size: 0x0010_0000}) || len(p.Devices) != 33 {
		t.Fatalf("RAM %+v, %d devices", p.RAM, len(p.Devices))
	}
	for k := range uint32(16) {
		want := []platform.Device{
			{Name: fmt.Sprintf("grant-%d", k), Kind: "scratch", Base: 0x4000_0000 + k*0x1000, Size: 0x1000, Bus: fmt.Sprintf("%d/0/0/pipelined", k)},
			{Name: fmt.Sprintf("response-%d", k), Kind: "scratch", Base: 0x4001_0000 + k*0x1000, Size: 0x1000, Bus: fmt.Sprintf("0/%d/%d/pipelined", k, k)},
		}
		if diff := cmp.Diff(want, []platform.Device{p.Devices[k], p.Devices[16+k]}); diff != "" {
			t.Error(diff)
		}
	}
	if d := p.Devices[32]; d.Kind != "pulse" || d.Base != 0x4002_0000 || d.Bus != "obi" {
		t.Errorf("interrupt device %+v", d)
	}
}

const small = `
ram = { base = 0x8000_0000, size = 0x1000 }
[[device]]
name = "uart"
kind = "uart"
base = 0x1000
`

// Every mistake is one line that names file, line and key.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", small + "bsae = 1\n", "p.toml:7: unknown key device.bsae (did you mean device.base?)"},
		{"unknown table", small + "[mem]\nsize = 1\n", "p.toml:7: unknown key mem"},
		{"unknown top key", "clok_hz = 5\n" + small, "p.toml:1: unknown key clok_hz (did you mean clock_hz?)"},
		{"string for number", "clock_hz = \"fast\"\n" + small, "p.toml:1: clock_hz: is of type string, must be a number"},
		{"number for string", small + "bus = 3\n", "p.toml:7: device.bus: is of type integer, must be a string"},
		{"number for table", "ram = 5\n", "p.toml:1: ram: is of type integer, must be a table"},
		{"float", "clock_hz = 1.5\n" + small, "p.toml:1: clock_hz: is of type float, must be a number"},
		{"negative", "clock_hz = -1\n" + small, "p.toml:1: clock_hz: negative integer value -1 does not fit in 64 bits"},
		{"too big", "ram = { base = 0x1_0000_0000, size = 1 }", "p.toml:1: ram: integer value 4294967296 does not fit in 32 bits"},
		{"syntax", "ram ==", "p.toml:1: unexpected character"},
		{"twice", small + "base = 4\n", "p.toml:7: base: key base is already defined"},
		{"no RAM", "", "p.toml: ram.size: missing or 0"},
		{"odd RAM", "[ram]\nbase = 4\nsize = 4096\n", "p.toml:2: ram.base: 0x00000004 must be a multiple of 4096"},
		{"RAM too long", "[ram]\nbase = 0xffff_f000\nsize = 8192\n", "p.toml:3: ram.size: 0x2000 must be a multiple of 4096 and end below 4 GiB"},
		{"clock 0", "clock_hz = 0\n" + small, "p.toml:1: clock_hz: must not be 0"},
		{"entry", "entry = \"reset\"\n" + small, `p.toml:1: entry: "reset" must be "elf" or an address`},
		{"unknown device", small + "[[device]]\nname = \"x\"\nbase=0\nkind = \"urat\"\n", `p.toml:10: device.x.kind: "urat" is not a device (did you mean uart?)`},
		{"no name", small + "[[device]]\nkind = \"uart\"\n", "p.toml:7: device.1.name: missing"},
		{"same name", small + "[[device]]\nname = \"uart\"\nkind = \"uart\"\n", `p.toml:8: device.uart.name: a second device named "uart"`},
		{"bad name", small + "[[device]]\nname = \"a.b\"\nkind = \"uart\"\n", `p.toml:8: device.a.b.name: "a.b" must be lower-case`},
		{"bus", small + "bus = \"abp\"\n", `p.toml:7: device.uart.bus: no bus preset is called "abp"`},
		{"size", small + "size = 4\n", "p.toml:7: device.uart.size: 0x4 is too small"},
		{"overlap", small + "[[device]]\nname = \"b\"\nkind = \"uart\"\nbase = 0x10f0\n", "p.toml:10: device.b.base: window 0x000010f0-0x000011ef overlaps uart at 0x00001000-0x000010ff"},
		{"over RAM", small + "[[device]]\nname = \"b\"\nkind = \"uart\"\nbase = 0x8000_0800\n", "device.b.base: window 0x80000800-0x800008ff overlaps RAM"},
		{"not aligned", small + "[[device]]\nname = \"b\"\nkind = \"uart\"\nbase = 2\n", "must be multiples of 4"},
		{"past the end", small + "[[device]]\nname = \"b\"\nkind = \"uart\"\nbase = 0xffff_fff0\n", "runs past 4 GiB"},
		{"rounds", small + "[accel]\ncycles_per_round = \"1/0\"\n", `p.toml:8: accel.cycles_per_round: "1/0" is not a number of cycles`},
		{"hash", small + "[accel]\nxof = \"skahe\"\n", `p.toml:8: accel.xof: no hash is called "skahe" (did you mean shake?)`},
		{"coupling", small + "[accel]\ncoupling = \"fifi\"\n", `accel: no accelerator is called "shake-fifi"`},
		{"depth", small + "[accel]\ncoupling = \"fifo\"\nfifo_depth = 0x7fff_ffff\n", "accel: accelerator shake-fifo: input FIFO depth"},
		{"line", small + "[accel]\nline = 7\n", "p.toml:8: accel.line: 7 must be one of the fast interrupt lines"},
		{"no window", small + "[accel]\ncoupling = \"lsu\"\n", "accel.lsu_base: missing: this platform has no place for accelerator shake-lsu"},
		{"no window on the bus", small + "[accel]\ncoupling = \"fifo\"\n", "accel.base: missing: this platform has no place for accelerator shake-fifo"},
		{"small window", small + "[accel]\nbase = 0x4000\nsize = 8\n", "p.toml:9: accel.size: 0x8 is too small"},
		{"name of the RAM", small + "[[device]]\nname = \"ram\"\nkind = \"uart\"\n", `device.ram.name: "ram" is the name of the RAM`},
		{"name of an accelerator", small + "[[device]]\nname = \"shake-fifo\"\nkind = \"uart\"\n", `"shake-fifo" is the name of the RAM, of the DMA engine, of the coprocessor or of an accelerator`},
		{"accel bus", small + "[accel]\nbus = \"1/2\"\n", "p.toml:8: accel.bus: bus waits"},
		{"configuration", small + "[sdith]\nconfig = \"sec1_fast_hp3\"\n", `p.toml:8: sdith.config: no configuration is called "sec1_fast_hp3" (did you mean sec1_fast_hp`},
		{"no window for a coprocessor", small + "[sdith]\nconfig = \"sec1_fast_hp0\"\n", "sdith.base: missing: this platform has no place for the SDitH coprocessor"},
		{"cache depth", small + "[sdith]\nbase = 0x10_0000\nconfig = \"sec1_fast_hp0\"\ncache_depth = 13\n", "p.toml:10: sdith.cache_depth: sec1_fast_hp0: a cache depth of 13, want 0 to 12"},
		{"hcom", small + "[sdith]\nbase = 0x10_0000\nconfig = \"sec1_fast_hp0\"\nhcom_in_phase12 = 2\n", "p.toml:10: sdith.hcom_in_phase12: 2 must be 0 or 1"},
		{"path registers", small + "[sdith]\nbase = 0x10_0000\nconfig = \"sec1_fast_hp0\"\npath = \"twice\"\n", `p.toml:10: sdith.path: no path registers "twice"`},
		{"cost of a unit", small + "[sdith]\nbase = 0x10_0000\nconfig = \"sec1_fast_hp0\"\nword = 12\n", "p.toml:10: sdith.word: word = 12 bits a cycle"},
		{"clock ratio", small + "[sdith]\nbase = 0x10_0000\nconfig = \"sec1_fast_hp0\"\nclock_ratio = \"fast\"\n", `p.toml:10: sdith.clock_ratio: "fast" is not a number of cycles`},
		{"line of two", small + "[sdith]\nbase = 0x10_0000\nconfig = \"sec1_fast_hp0\"\nline = 16\n[accel]\ncoupling = \"fifo\"\nbase = 0x4000\n", "p.toml:10: sdith.line: 16 is the line of the hash accelerator, too"},
		{"line of a coprocessor", small + "[sdith]\nline = 3\n", "p.toml:8: sdith.line: 3 must be one of the fast interrupt lines"},
		{"small window of a coprocessor", small + "[sdith]\nsize = 0x1_0000\n", "p.toml:8: sdith.size: 0x10000 is too small"},
		{"bus of a coprocessor", small + "[sdith]\nbus = \"1/2\"\n", "p.toml:8: sdith.bus: bus waits"},
		{"coprocessor over a device", small + "[sdith]\nbase = 0x1000\n", "p.toml:8: sdith.base: window 0x00001000-0x00100fff overlaps uart"},
		{"name of a coprocessor", small + "[[device]]\nname = \"sdith\"\nkind = \"uart\"\n", `device.sdith.name: "sdith" is the name of the RAM`},
		{"inline array", "ram={base=0,size=4096}\ndevice = [\n { name = \"a\", kind = \"uart\", base = 4096 },\n { name = \"b\", kind = \"x\" },\n]", `p.toml:4: device.b.kind: "x" is not a device`},
	} {
		_, err := platform.Parse("p.toml", []byte(c.text))
		if err == nil {
			t.Errorf("%s: accepted", c.name)
			continue
		}
		if msg := err.Error(); !strings.HasPrefix(msg, "p.toml:") || !strings.Contains(msg, c.want) || strings.Contains(msg, "\n") {
			t.Errorf("%s:\n got %s\nwant %s", c.name, msg, c.want)
		}
	}
}

func TestSet(t *testing.T) {
	p, err := platform.Load("default")
	if err != nil {
		t.Fatal(err)
	}
	q := p.Clone()
	for _, kv := range [][2]string{
		{"clock_hz", "50_000_000"}, {"ram.size", "16MiB"}, {"accel.fifo_depth", "8"},
		{"accel.cycles_per_round", "1/2"}, {"device.uart.bus", "1/2/3"}, {"device.info.base", "0x1000_2000"},
	} {
		if err := q.Set(kv[0], kv[1]); err != nil {
			t.Error(err)
		}
	}
	if err := q.Validate(); err != nil {
		t.Error(err)
	}
	if q.ClockHz != 50_000_000 || q.ClockAssumed || q.RAM.Size != 16<<20 || q.Accel.FIFODepth != 8 ||
		q.Devices[1].Bus != "1/2/3" || q.Devices[2].Base != 0x1000_2000 {
		t.Errorf("%+v", q)
	}
	q.Accel.Coupling = "fifo"
	if c, err := q.Accel.Config(); err != nil || c.Name() != "shake-fifo" || c.InputDepth != 8 || c.OutputDepth != 8 || c.Permutation(24) != 12 {
		t.Errorf("accelerator %+v %v", c, err)
	}
	if len(q.Overrides) != 6 || q.Overrides[4] != "device.uart.bus=1/2/3" {
		t.Errorf("overrides %q", q.Overrides)
	}
	if p.Devices[1].Bus != "apb" || len(p.Overrides) != 0 {
		t.Error("Set on a clone changed the original")
	}
	for _, c := range []struct{ key, value, want string }{
		{"acel.fifo_depth", "1", "built-in platform default has no key acel.fifo_depth (did you mean accel.fifo_depth?)"},
		{"device.urat.bus", "obi", "did you mean device.uart.bus?"},
		{"ram", "1", "has no key ram"},
		{"ram.size", "big", "ram.size=big: must be a number"},
		{"ram.size", "8192MiB", "ram.size=8192MiB: does not fit in 32 bits"},
		{"ram.size", "-1", "ram.size=-1: must be a number"},
		{"ram.size", "", "ram.size=: must be a number"},
	} {
		err := q.Set(c.key, c.value)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Set(%s, %s) = %v, want %s", c.key, c.value, err, c.want)
		}
	}
	if err := q.Set("device.uart.base", "0x1000_2000"); err != nil {
		t.Error(err)
	}
	if err := q.Validate(); err == nil || !strings.Contains(err.Error(), "built-in platform default:") || !strings.Contains(err.Error(), "overlaps uart") {
		t.Errorf("overlap after Set: %v", err)
	}
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(file, []byte(small+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := platform.Load(file)
	if err != nil || p.Name != "mine" {
		t.Errorf("%v %v", p, err)
	}
	for _, c := range []struct{ name, want string }{
		{"defualt", `no platform "defualt" (did you mean default?); built in are default, rtlbench`},
		{"./none.toml", "platform open ./none.toml"},
	} {
		if _, err := platform.Load(c.name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Load(%s) = %v, want %s", c.name, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Add("device = [ { name = \"a\", bus = [1, {x=2}] }, 5, # c\n ]")
	f.Add("[ram.base]\nx = 1\n[[accel]]\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := platform.Parse("f.toml", []byte(text)); err != nil && strings.ContainsRune(err.Error(), '\n') {
			t.Errorf("more than a line: %q", err)
		}
	})
}

func ExampleLoad() {
	p, err := platform.Load("default")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := p.Set("accel.fifo_depth", "8"); err != nil {
		fmt.Println(err)
	}
	fmt.Println(p.Set("accel.fifo_dept", "8"))
	fmt.Printf("RAM at %#x, FIFO of %d words\n", p.RAM.Base, p.Accel.FIFODepth)
	// Output:
	// built-in platform default has no key accel.fifo_dept (did you mean accel.fifo_depth?)
	// RAM at 0x80000000, FIFO of 8 words
}
