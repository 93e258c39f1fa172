package elf_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/soc/elf"
)

func program(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/prog.elf")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t testing.TB) *elf.File {
	t.Helper()
	f, err := elf.Parse("prog.elf", program(t))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestLoad(t *testing.T) {
	f := parse(t)
	if f.Entry != 0x8000_0000 || len(f.Warnings) != 0 {
		t.Errorf("entry %#x, warnings %q", f.Entry, f.Warnings)
	}
	ram := slices.Repeat([]byte{0xaa}, 0x10000)
	if err := f.Load(ram, 0x8000_0000); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		off    uint32
		want   uint32
		reason string
	}{
		{0, 0x0000_1117, "auipc sp of _start"},
		{0x1000, 1, "table[0]"},
		{0x100c, 4, "table[3]"},
		{0x1010, 0, "first word of bss"},
		{0x106c, 0, "last word of bss"},
		{0x1070, 0xaaaa_aaaa, "behind bss: untouched"},
		{0x0ffc, 0xaaaa_aaaa, "between segments: untouched"},
	} {
		if got := binary.LittleEndian.Uint32(ram[c.off:]); got != c.want {
			t.Errorf("RAM+%#x = %#08x, want %#08x: %s", c.off, got, c.want, c.reason)
		}
	}
	if got, want := f.End(), uint64(0x8000_1070); got != want {
		t.Errorf("End %#x, want %#x", got, want)
	}
	if got, want := f.SHA256(), 64; len(got) != want {
		t.Errorf("SHA256 %q", got)
	}
}

func TestSymbols(t *testing.T) {
	f := parse(t)
	for _, c := range []struct {
		addr   uint32
		want   string
		reason string
	}{
		{0x8000_0000, "_start+0", "a label without a type"},
		{0x8000_0008, "_start+8", ""},
		{0x8000_000a, "park+0", "a local label"},
		{0x8000_0016, "start+10", "a C function"},
		{0x8000_0018, "feed+0", "in another section"},
		{0x8000_100c, "table+12", "an object"},
		{0x8000_106f, "counter+31", "last byte of an object"},
		{0x8000_1040, "+0", "in bss, but no label below it there"},
		{0x8000_0062, "+0", "behind the last function"},
		{0x0001_0000, "+0", "ram_size is a number, not a place"},
		{0, "+0", ""},
		{0xffff_ffff, "+0", ""},
	} {
		name, off := f.Symbol(c.addr)
		if got := fmt.Sprintf("%s+%d", name, off); got != c.want {
			t.Errorf("Symbol(%#x) = %s, want %s %s", c.addr, got, c.want, c.reason)
		}
	}
	keygen, ok := f.Lookup("keygen")
	if want := (elf.Symbol{Name: "keygen", Addr: 0x8000_004c, Size: 22, Kind: elf.Function, Global: true}); !ok || keygen != want {
		t.Errorf("Lookup(keygen) = %+v %v, want %+v", keygen, ok, want)
	}
	if s, ok := f.Lookup("ram_size"); !ok || s.Addr != 0x1_0000 {
		t.Errorf("Lookup(ram_size) = %+v %v", s, ok)
	}
	if _, ok := f.Lookup("nothing"); ok {
		t.Error("Lookup(nothing) found something")
	}
	if diff := cmp.Diff([]string{"feed", "keygen", "start"}, f.Names(elf.Function)); diff != "" {
		t.Error(diff)
	}
}

func TestSections(t *testing.T) {
	f := parse(t)
	roi, ok := f.Section(".text.roi")
	if want := (elf.Section{Name: ".text.roi", Addr: 0x8000_004c, Size: 22, Exec: true}); !ok || roi != want {
		t.Errorf("%+v %v, want %+v", roi, ok, want)
	}
	if list := f.Functions(roi); len(list) != 1 || list[0].Name != "keygen" {
		t.Errorf("functions of .text.roi: %+v", list)
	}
	if _, ok := f.Section(".comment"); ok {
		t.Error("a section outside guest memory is listed")
	}
}

func TestLine(t *testing.T) {
	f := parse(t)
	keygen, _ := f.Lookup("keygen")
	found := false
	for pc := keygen.Addr; pc < keygen.Addr+keygen.Size; pc += 2 {
		file, line, ok := f.Line(pc)
		if ok && strings.HasSuffix(file, "prog.c") && line == 12 {
			found = true
		}
	}
	if !found {
		t.Error("no instruction of keygen belongs to line 12")
	}
	if file, line, ok := f.Line(0x8000_0000); ok {
		t.Errorf("start.S has no debug information, got %s:%d", file, line)
	}
}

// Every bad file is one line with its name and the cause.
func TestBadFiles(t *testing.T) {
	const (
		phdr = 52 + 32 // the second program header: code; the third: data
		load = phdr + 32
	)
	put16 := func(off int, v uint16) func([]byte) []byte {
		return func(d []byte) []byte { binary.LittleEndian.PutUint16(d[off:], v); return d }
	}
	put32 := func(off int, v uint32) func([]byte) []byte {
		return func(d []byte) []byte { binary.LittleEndian.PutUint32(d[off:], v); return d }
	}
	put8 := func(off int, v byte) func([]byte) []byte {
		return func(d []byte) []byte { d[off] = v; return d }
	}
	for _, c := range []struct {
		name string
		edit func([]byte) []byte
		want string
	}{
		{"empty", func(d []byte) []byte { return nil }, "not an ELF file (it is empty)"},
		{"text", func(d []byte) []byte { return []byte("int main() {}\n") }, "not an ELF file"},
		{"archive", func(d []byte) []byte { return []byte("!<arch>\nfoo") }, "a library archive"},
		{"hex", func(d []byte) []byte { return []byte(":10000000") }, "may be a hex image"},
		{"magic only", func(d []byte) []byte { return d[:4] }, "truncated: 4 bytes"},
		{"half a header", func(d []byte) []byte { return d[:40] }, "truncated: 40 bytes, an ELF header has 52"},
		{"64-bit", put8(4, 2), "64-bit ELF"},
		{"bad class", put8(4, 7), "bad ELF class 7"},
		{"big-endian", put8(5, 2), "big-endian ELF"},
		{"bad order", put8(5, 0), "bad ELF byte order 0"},
		{"ARM", put16(18, 40), "another machine (EM_ARM)"},
		{"object", put16(16, 1), "a relocatable object file"},
		{"shared", put16(16, 3), "dynamically linked or position-independent"},
		{"core dump", put16(16, 4), "not an executable (ELF type ET_CORE)"},
		{"odd entry", put32(24, 0x8000_0001), "entry 0x80000001 is odd"},
		{"entry elsewhere", put32(24, 0x100), "entry 0x00000100 lies outside RAM 0x80000000-0x8000ffff"},
		{"phdr size", put16(42, 56), "program headers of 56 bytes"},
		{"phdr far away", put32(28, 0xffff_fff0), "truncated: program headers reach to byte"},
		{"no phdr", put16(44, 0), "nothing to load"},
		{"interpreter", put32(phdr, 3), "dynamically linked"},
		{"cut in code", func(d []byte) []byte { put32(32, 0)(d); return d[:0x1010] }, "truncated: segment 0 reaches to byte"},
		{"cut in section headers", func(d []byte) []byte { return d[:len(d)-10] }, "truncated: section headers reach to byte"},
		{"file size over memory size", put32(load+20, 4), "segment 1 holds 16 bytes but occupies only 4"},
		{"past the end", put32(load+12, 0xffff_fff8), "segment 1 at 0xfffffff8 of 112 bytes runs past the end"},
		{"outside RAM", put32(load+12, 0x2000_0000), "segment 1 at 0x20000000-0x2000006f lies outside RAM 0x80000000-0x8000ffff"},
		{"below RAM", put32(load+12, 0x7fff_f000), "segment 1 at 0x7ffff000-0x7ffff06f lies outside RAM"},
		{"end outside RAM", put32(load+20, 0x2_0000), "segment 1 at 0x80001000-0x80020fff lies outside RAM"},
		{"overlap", put32(load+12, 0x8000_0020), "segments 0 and 1 overlap at 0x80000020"},
		{"section headers", put16(46, 1), "damaged section headers"},
	} {
		data := c.edit(program(t))
		f, err := elf.Parse("bad.elf", data)
		if err == nil {
			err = f.Load(make([]byte, 0x10000), 0x8000_0000)
		}
		if err == nil {
			t.Errorf("%s: accepted", c.name)
			continue
		}
		msg := err.Error()
		if !strings.HasPrefix(msg, "bad.elf: ") || !strings.Contains(msg, c.want) || strings.Contains(msg, "\n") {
			t.Errorf("%s: %q, want one line with %q", c.name, msg, c.want)
		}
	}
}

func TestFloatABI(t *testing.T) {
	data := program(t)
	data[36] |= 4
	f, err := elf.Parse("fp.elf", data)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "double-float ABI") {
		t.Errorf("warnings %q", f.Warnings)
	}
}

// A file without section headers and symbols runs; it only has no names.
func TestStripped(t *testing.T) {
	data := program(t)
	binary.LittleEndian.PutUint32(data[32:], 0)
	binary.LittleEndian.PutUint16(data[48:], 0)
	f, err := elf.Parse("stripped.elf", data)
	if err != nil {
		t.Fatal(err)
	}
	if name, _ := f.Symbol(f.Entry); name != "" {
		t.Errorf("symbol %q", name)
	}
	if _, _, ok := f.Line(f.Entry); ok {
		t.Error("a line")
	}
	if err := f.Load(make([]byte, 0x10000), 0x8000_0000); err != nil {
		t.Error(err)
	}
}

// Whatever the bytes: an error or a file that answers, never a panic, and
// nothing written outside RAM.
func FuzzParse(f *testing.F) {
	good := program(f)
	f.Add(good)
	f.Add(good[:100])
	for _, off := range []int{4, 16, 24, 28, 32, 44, 48, 84, 96, 104, 116, len(good) - 100} {
		bad := slices.Clone(good)
		bad[off] ^= 0x55
		f.Add(bad)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := elf.Parse("fuzz.elf", data)
		if err != nil {
			if strings.ContainsRune(err.Error(), '\n') {
				t.Errorf("more than a line: %q", err)
			}
			return
		}
		_ = file.Load(make([]byte, 0x10000), 0x8000_0000)
		for _, pc := range []uint32{0, 0x8000_0000, 0x8000_0050, 0xffff_ffff} {
			file.Symbol(pc)
			file.Line(pc)
		}
		file.Lookup("keygen")
		file.Names(elf.Function)
		for _, s := range file.Sections {
			file.Functions(s)
		}
	})
}

func ExampleParse() {
	data, err := os.ReadFile("testdata/prog.elf")
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := elf.Parse("prog.elf", data)
	if err != nil {
		fmt.Println(err)
		return
	}
	name, offset := f.Symbol(0x8000_1008)
	fmt.Printf("entry %#x, 0x80001008 is %s+%d\n", f.Entry, name, offset)
	// Output: entry 0x80000000, 0x80001008 is table+8
}
