package rv32

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"socsim/bus"
	"socsim/clock"
)

// rtlBench is the test bench the RTL was measured in: slow windows and an
// interrupt device, as testdata/cv32e40p/README.md describes them.
type rtlBench struct {
	grant, valid [16][2]uint32
	raise        *clock.Event
	h            *Hart
	number       int
}

func (b *rtlBench) Access(r bus.Request) bus.Response {
	resp := bus.Response{Grant: r.At, Valid: r.At + 1}
	word := &b.grant[0][0]
	switch k := r.Addr >> 12 & 15; {
	case r.Addr>>16 == 0x4000:
		word = &b.grant[k][r.Addr>>2&1]
		resp.Grant += clock.Cycle(k)
		resp.Valid = resp.Grant + 1
	case r.Addr>>16 == 0x4001:
		word = &b.valid[k][r.Addr>>2&1]
		resp.Valid += clock.Cycle(k)
	case r.Addr>>4 == 0x4002000:
		return b.device(r, resp)
	default:
		return bus.Response{Fault: &bus.Fault{Kind: bus.Unmapped, What: "no window"}}
	}
	if r.Write {
		*word = r.Data
	}
	resp.Data = *word
	return resp
}

func (b *rtlBench) device(r bus.Request, resp bus.Response) bus.Response {
	line := b.h.Line(b.number)
	switch off := r.Addr & 15; {
	case r.Write && off == 0:
		line(false, r.At+1)
		b.raise.At(clock.Never)
		if r.Data > 0 {
			b.raise.At(r.At + clock.Cycle(r.Data) + 1)
		}
	case r.Write && off == 4:
		if b.raise.Due() == r.At+1 {
			b.raise.At(clock.Never)
		}
		line(r.Data&1 != 0, r.At+1)
	case r.Write && off == 8:
		b.number = int(r.Data)
	default:
		resp.Data = uint32(r.At)
	}
	return resp
}

// rtlResults are the counts of one ELF, in the order of its names.
type rtlResults struct {
	ELF     string
	SHA256  string
	Results map[string]struct{ Cycles, Minstret uint32 }
	Check   []uint32 `json:"bench_check"`
}

// runRTL runs one of the test ELFs and compares every point with the RTL.
func runRTL(t *testing.T, want rtlResults, exact bool) (points int) {
	t.Helper()
	path := filepath.Join("testdata/cv32e40p", want.ELF)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(file); hex.EncodeToString(sum[:]) != want.SHA256 {
		t.Fatalf("%s: not the file the RTL ran", path)
	}
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	events := clock.NewQueue()
	bench := &rtlBench{number: 7}
	symbol := map[string]uint32{}
	symbols, _ := f.Symbols()
	for _, s := range symbols {
		symbol[s.Name] = uint32(s.Value)
	}
	h, err := New(Config{RAMBase: 0x0010_0000, RAMSize: 1 << 20, Port: bench, Events: events, ExactOnly: exact,
		StoreWatch: symbol["tohost"], OnStore: (*Hart).Halt,
		TrapClass: 254, SleepClass: 255})
	if err != nil {
		t.Fatal(err)
	}
	bench.h = h
	bench.raise = events.Source(func(at clock.Cycle) { h.Line(bench.number)(true, at) })
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			if _, err := p.ReadAt(h.RAM()[p.Paddr-0x0010_0000:][:p.Filesz], 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	h.Reset(uint32(f.Entry))
	stop := h.Run(Limits{Cycles: 100_000_000})
	if stop.Reason != StopHalted {
		t.Fatalf("%s stopped: %+v", want.ELF, stop)
	}
	word := func(addr uint32) uint32 { return binary.LittleEndian.Uint32(h.RAM()[addr-0x0010_0000:]) }
	if code := word(symbol["tohost"]); code != 1 {
		t.Errorf("%s: exit code %d", want.ELF, code>>1)
	}
	names := strings.Split(string(h.RAM()[symbol["bench_names"]-0x0010_0000:symbol["bench_names_end"]-0x0010_0000]), "\x00")
	for i, name := range names {
		if name == "" {
			break
		}
		points++
		got := struct{ Cycles, Minstret uint32 }{word(symbol["bench_results"] + 8*uint32(i)), word(symbol["bench_results"] + 8*uint32(i) + 4)}
		if got != want.Results[name] {
			t.Errorf("%s %s: got %v, the RTL has %v", want.ELF, name, got, want.Results[name])
		}
	}
	if points != len(want.Results) {
		t.Errorf("%s: %d points, the RTL has %d", want.ELF, points, len(want.Results))
	}
	for i, v := range want.Check {
		if got := word(symbol["bench_check"] + 4*uint32(i)); got != v {
			t.Errorf("%s: check value %d is %08x, want %08x", want.ELF, i, got, v)
		}
	}
	var booked clock.Cycle
	for c := range 256 {
		booked += h.ClassCycles(uint8(c))
	}
	if booked != h.Cycle() {
		t.Errorf("%s: booked %d cycles of %d", want.ELF, booked, h.Cycle())
	}
	return points
}

// TestRTL runs every ELF the RTL ran, in both loops: zero cycles of error on
// every point.
func TestRTL(t *testing.T) {
	data, err := os.ReadFile("testdata/cv32e40p/cv32e40p-rtl.json")
	if err != nil {
		t.Fatal(err)
	}
	var groups map[string]json.RawMessage
	if err := json.Unmarshal(data, &groups); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, group := range []string{"microbench", "kernels", "random"} {
		var elfs map[string]rtlResults
		if err := json.Unmarshal(groups[group], &elfs); err != nil {
			t.Fatal(err)
		}
		for name, want := range elfs {
			for _, exact := range []bool{true, false} {
				loop := map[bool]string{true: "exact", false: "fast"}[exact]
				t.Run(name+"/"+loop, func(t *testing.T) { total += runRTL(t, want, exact) })
			}
		}
	}
	if want := 2 * 2580; total != want {
		t.Errorf("compared %d points, want %d", total, want)
	}
}
