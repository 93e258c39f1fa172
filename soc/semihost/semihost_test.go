package semihost_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/soc/semihost"
)

const base = 0x8000_0000

// ram is guest memory that notes what was changed.
type ram struct {
	b     []byte
	wrote []uint32
}

func (m *ram) Slice(addr, n uint32) ([]byte, bool) {
	off := addr - base
	if off >= uint32(len(m.b)) || n > uint32(len(m.b))-off {
		return nil, false
	}
	return m.b[off:][:n], true
}

func (m *ram) Wrote(addr, n uint32) { m.wrote = append(m.wrote, addr, n) }

func (m *ram) word(addr uint32) uint32 { return binary.LittleEndian.Uint32(m.b[addr-base:]) }

// guest is a program seen from the host: it calls with a parameter block at
// base and text at base+0x100.
type guest struct {
	t *testing.T
	h *semihost.Host
	m *ram
}

func newGuest(t *testing.T, c semihost.Config) *guest {
	t.Helper()
	h, err := semihost.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return &guest{t, h, &ram{b: make([]byte, 0x4000)}}
}

const text = base + 0x100

func (g *guest) block(words ...uint32) uint32 {
	for i, w := range words {
		binary.LittleEndian.PutUint32(g.m.b[4*i:], w)
	}
	return base
}

func (g *guest) text(s string) uint32 {
	copy(g.m.b[text-base:], s+"\x00")
	return text
}

func (g *guest) call(op, arg uint32) uint32 {
	g.t.Helper()
	out := g.h.Call(g.m, op, arg)
	if out.Fault != nil || out.Exit {
		g.t.Fatalf("operation %#x: %+v %v", op, out, out.Fault)
	}
	return out.Return
}

func (g *guest) open(name string, mode uint32) uint32 {
	g.t.Helper()
	return g.call(0x01, g.block(g.text(name), mode, uint32(len(name))))
}

func (g *guest) write(fd uint32, s string) uint32 {
	g.t.Helper()
	return g.call(0x05, g.block(fd, g.text(s), uint32(len(s))))
}

func (g *guest) read(fd, n uint32) string {
	g.t.Helper()
	left := g.call(0x06, g.block(fd, text, n))
	return string(g.m.b[text-base:][:n-left])
}

func (g *guest) errno() uint32 { return g.call(0x13, 0) }

const failed = ^uint32(0)

func TestConsole(t *testing.T) {
	var out, errs bytes.Buffer
	g := newGuest(t, semihost.Config{Stdin: strings.NewReader("one\ntwo"), Stdout: &out, Stderr: &errs})
	stdin, stdout, stderr := g.open(":tt", 0), g.open(":tt", 4), g.open(":tt", 8)
	if stdin == failed || stdout == failed || stderr == failed || stdin == stdout || stdout == stderr {
		t.Fatalf("handles %d %d %d", stdin, stdout, stderr)
	}
	g.call(0x03, g.text("A"))
	g.call(0x04, g.text("bc"))
	if left := g.write(stdout, "def"); left != 0 {
		t.Errorf("write left %d", left)
	}
	g.write(stderr, "oops")
	if out.String() != "Abcdef" || errs.String() != "oops" {
		t.Errorf("out %q, err %q", &out, &errs)
	}
	if got := g.read(stdin, 10); got != "one\n" {
		t.Errorf("first read %q: must end behind the newline", got)
	}
	if got := g.call(0x07, 0); got != 't' {
		t.Errorf("READC %c", got)
	}
	if got := g.read(stdin, 10); got != "wo" {
		t.Errorf("second read %q", got)
	}
	if got := g.read(stdin, 10); got != "" {
		t.Errorf("read at the end %q", got)
	}
	if got := g.call(0x07, 0); got != failed {
		t.Errorf("READC at the end %#x", got)
	}
	if g.call(0x09, g.block(stdout)) != 1 {
		t.Error("the console is no terminal")
	}
	if g.write(stdin, "x") != 1 || g.errno() != 13 {
		t.Error("stdin takes output")
	}
	if g.call(0x0a, g.block(stdout, 0)) != failed || g.errno() != 29 {
		t.Error("seek on the console")
	}
	if g.call(0x02, g.block(stdout)) != 0 || g.write(stdout, "x") != 1 || g.errno() != 9 {
		t.Error("write after close")
	}
}

// A string may cross pages and end with the last byte of RAM.
func TestWrite0(t *testing.T) {
	var out bytes.Buffer
	g := newGuest(t, semihost.Config{Stdout: &out})
	for i := range g.m.b {
		g.m.b[i] = 'x'
	}
	g.m.b[len(g.m.b)-1] = 0
	g.call(0x04, base)
	if out.Len() != len(g.m.b)-1 {
		t.Errorf("%d characters, want %d", out.Len(), len(g.m.b)-1)
	}
}

func TestExit(t *testing.T) {
	g := newGuest(t, semihost.Config{})
	for _, c := range []struct {
		op, arg uint32
		code    int
		reason  string
	}{
		{0x18, 0x20026, 0, "SYS_EXIT, application exit"},
		{0x18, 0x20023, 1, "SYS_EXIT, run-time error"},
		{0x20, g.block(0x20026, 42), 42, "SYS_EXIT_EXTENDED carries a code"},
		{0x20, 0, 0, ""},
	} {
		if c.reason == "" {
			g.block(0x20023, 42)
			c.arg, c.code = base, 1
		}
		if out := g.h.Call(g.m, c.op, c.arg); !out.Exit || out.Code != c.code {
			t.Errorf("%s: %+v, want code %d", c.reason, out, c.code)
		}
	}
}

// The clock is simulated: 123 456 789 cycles of 100 MHz.
func TestTime(t *testing.T) {
	cycles := uint64(123_456_789)
	g := newGuest(t, semihost.Config{ClockHz: 100_000_000, Cycles: func() uint64 { return cycles }})
	if got := g.call(0x10, 0); got != 123 {
		t.Errorf("SYS_CLOCK %d centiseconds", got)
	}
	if got := g.call(0x11, 0); got != 1 {
		t.Errorf("SYS_TIME %d s", got)
	}
	if got := g.call(0x31, 0); got != 100_000_000 {
		t.Errorf("SYS_TICKFREQ %d", got)
	}
	if got := g.call(0x30, base); got != 0 || binary.LittleEndian.Uint64(g.m.b) != cycles {
		t.Errorf("SYS_ELAPSED %d %x", got, g.m.b[:8])
	}
	if diff := cmp.Diff([]uint32{base, 8}, g.m.wrote); diff != "" {
		t.Error(diff)
	}
	cycles = 1 << 62
	g.call(0x10, 0) // must not overflow into a panic
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, ""},
		{[]string{"a.elf"}, "a.elf"},
		{[]string{"a.elf", "-p", "128f"}, "a.elf -p 128f"},
		{[]string{"a.elf", "two words", ""}, `a.elf "two words" ""`},
		{[]string{"it's", `x"`}, `it's x"`},
		{[]string{"it's it"}, `"it's it"`},
		{[]string{`say "x"`}, `'say "x"'`},
	} {
		got, err := semihost.CommandLine(c.args)
		if err != nil || got != c.want {
			t.Errorf("CommandLine(%q) = %q %v, want %q", c.args, got, err, c.want)
		}
		g := newGuest(t, semihost.Config{Args: c.args})
		n := uint32(len(c.want))
		if r := g.call(0x15, g.block(text, n+1)); r != 0 || g.m.word(base+4) != n || string(g.m.b[text-base:][:n+1]) != c.want+"\x00" {
			t.Errorf("SYS_GET_CMDLINE %d, length %d, %q", r, g.m.word(base+4), g.m.b[text-base:][:n+1])
		}
	}
	g := newGuest(t, semihost.Config{Args: []string{"a.elf"}})
	if g.call(0x15, g.block(text, 5)) != failed || len(g.h.Notes()) != 1 {
		t.Errorf("too small a buffer: notes %q", g.h.Notes())
	}
	if g.call(0x15, g.block(text, 6)) != 0 || len(g.h.Notes()) != 0 {
		t.Errorf("second try: notes %q", g.h.Notes())
	}
	if _, err := semihost.CommandLine([]string{`' "`}); err == nil {
		t.Error("both kinds of quotes accepted")
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.txt"), []byte("hello world"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}

	none := newGuest(t, semihost.Config{})
	if none.open("in.txt", 0) != failed || none.errno() != 13 || len(none.h.Notes()) != 1 {
		t.Errorf("no directory: errno %d, notes %q", none.errno(), none.h.Notes())
	}

	g := newGuest(t, semihost.Config{Dir: dir})
	fd := g.open("in.txt", 0)
	if got := g.read(fd, 5); got != "hello" {
		t.Errorf("read %q", got)
	}
	if got := g.call(0x0c, g.block(fd)); got != 11 {
		t.Errorf("length %d", got)
	}
	if g.call(0x0a, g.block(fd, 6)) != 0 || g.read(fd, 20) != "world" || g.read(fd, 20) != "" {
		t.Error("seek and read to the end")
	}
	if g.call(0x09, g.block(fd)) != 0 {
		t.Error("a file is a terminal")
	}
	for _, c := range []struct {
		name   string
		mode   uint32
		errno  uint32
		reason string
	}{
		{"none.txt", 0, 2, "does not exist"},
		{"in.txt", 2, 30, "r+ on a read-only directory"},
		{"out.txt", 4, 30, "w"},
		{"sub", 0, 13, "a directory"},
		{"../" + filepath.Base(filepath.Dir(outside)) + "/secret", 0, 5, "outside the directory"},
		{outside, 0, 5, "an absolute path"},
		{"link", 0, 5, "a link that leads outside"},
		{"in.txt", 12, 22, "no such mode"},
	} {
		if fd := g.open(c.name, c.mode); fd != failed || g.errno() != c.errno {
			t.Errorf("%s: handle %d, errno %d, want %d: %s", c.name, fd, g.errno(), c.errno, c.reason)
		}
	}

	w := newGuest(t, semihost.Config{Dir: dir, DirWrite: true})
	fd = w.open("out.txt", 4)
	if w.write(fd, "data") != 0 || w.call(0x02, w.block(fd)) != 0 {
		t.Error("write")
	}
	if b, err := os.ReadFile(filepath.Join(dir, "out.txt")); err != nil || string(b) != "data" {
		t.Errorf("%q %v", b, err)
	}
	for _, op := range []uint32{0x0d, 0x0e, 0x0f, 0x12} {
		if w.call(op, base) != failed || w.errno() != 1 {
			t.Errorf("operation %#x was not refused", op)
		}
	}
	if len(w.h.Notes()) != 4 {
		t.Errorf("notes %q", w.h.Notes())
	}
	if _, err := semihost.New(semihost.Config{Dir: filepath.Join(dir, "nowhere")}); err == nil {
		t.Error("a missing directory is accepted")
	}
}

func TestFeatures(t *testing.T) {
	g := newGuest(t, semihost.Config{})
	fd := g.open(":semihosting-features", 0)
	if got := g.call(0x0c, g.block(fd)); got != 5 {
		t.Errorf("length %d", got)
	}
	if got := g.read(fd, 4); got != "SHFB" {
		t.Errorf("magic %q", got)
	}
	if got := g.read(fd, 4); got != "\x03" {
		t.Errorf("features %x", got)
	}
}

func TestHeapInfo(t *testing.T) {
	g := newGuest(t, semihost.Config{HeapBase: 0x8000_2000, HeapLimit: 0x8000_4000})
	g.call(0x16, g.block(text))
	got := []uint32{g.m.word(text), g.m.word(text + 4), g.m.word(text + 8), g.m.word(text + 12)}
	if diff := cmp.Diff([]uint32{0x8000_2000, 0x8000_4000, 0x8000_4000, 0x8000_2000}, got); diff != "" {
		t.Error(diff)
	}
}

// A bad pointer ends the run with a report.
func TestBadPointers(t *testing.T) {
	for _, c := range []struct {
		name  string
		op    uint32
		block []uint32
		arg   uint32
		want  string
	}{
		{"block outside RAM", 0x05, nil, 0x10, "SYS_WRITE: parameter block of 12 bytes at 0x00000010 is not in RAM"},
		{"block over the end", 0x05, nil, base + 0x4000 - 4, "parameter block"},
		{"buffer", 0x05, []uint32{1, 0x1000, 5}, base, "SYS_WRITE: buffer of 5 bytes at 0x00001000"},
		{"length", 0x06, []uint32{1, base, 0xffff_ffff}, base, "SYS_READ: buffer of 4294967295 bytes"},
		{"character", 0x03, nil, 0, "SYS_WRITEC: character"},
		{"string", 0x04, nil, 0x7000_0000, "SYS_WRITE0: string at 0x70000000 leaves RAM"},
		{"file name", 0x01, []uint32{0, 0, 4}, base, "SYS_OPEN: file name of 4 bytes at 0x00000000"},
		{"file name length", 0x01, []uint32{base, 0, 100000}, base, "a file name of 100000 bytes"},
		{"ticks", 0x30, nil, 0, "SYS_ELAPSED: tick count"},
		{"heap", 0x16, []uint32{4}, base, "SYS_HEAPINFO: answer block"},
		{"command line", 0x15, []uint32{0, 100}, base, "SYS_GET_CMDLINE: buffer of 100 bytes at 0x00000000"},
	} {
		g := newGuest(t, semihost.Config{Args: []string{"a.elf"}})
		g.block(c.block...)
		out := g.h.Call(g.m, c.op, c.arg)
		if out.Fault == nil || !strings.Contains(out.Fault.What, c.want) || out.Fault.Hint == "" || out.Fault.Target != "semihosting" {
			t.Errorf("%s: %+v, want %s", c.name, out.Fault, c.want)
		}
	}
	g := newGuest(t, semihost.Config{})
	if g.write(1, "") != 0 {
		t.Error("nothing written through any pointer is fine")
	}
}

// The guest may ask for a look at its memory; if nobody looks it gets the same answer.
func TestCheck(t *testing.T) {
	looks := 0
	for _, check := range []func(){nil, func() { looks++ }} {
		g := newGuest(t, semihost.Config{Check: check})
		if got := g.call(0x100, 0); got != 0 || len(g.h.Notes()) != 0 {
			t.Errorf("%d, notes %q", got, g.h.Notes())
		}
	}
	if looks != 1 {
		t.Errorf("%d looks, want 1", looks)
	}
}

func TestUnknown(t *testing.T) {
	g := newGuest(t, semihost.Config{})
	if g.call(0x99, 0) != failed || g.call(0x99, 0) != failed || len(g.h.Notes()) != 1 {
		t.Errorf("notes %q", g.h.Notes())
	}
}

func TestIsCall(t *testing.T) {
	m := &ram{b: make([]byte, 0x100)}
	words := []uint32{0x01f0_1013, 0x0010_0073, 0x4070_5013}
	for i, w := range words {
		binary.LittleEndian.PutUint32(m.b[4*i:], w)
	}
	if !semihost.IsCall(m, base+4) {
		t.Error("the call is not recognised")
	}
	for i := range 12 {
		m.b[i] ^= 1
		if semihost.IsCall(m, base+4) {
			t.Errorf("recognised with byte %d changed", i)
		}
		m.b[i] ^= 1
	}
	for _, pc := range []uint32{base, base + 0xfc, 0} {
		if semihost.IsCall(m, pc) {
			t.Errorf("recognised at %#x", pc)
		}
	}
}

// Whatever the guest passes: an answer or a fault.
func FuzzCall(f *testing.F) {
	f.Add(uint32(0x05), uint32(base), []byte{1, 0, 0, 0, 0, 0, 0, 0x80, 4, 0, 0, 0})
	f.Add(uint32(0x01), uint32(base), slices.Concat([]byte{12, 0, 0, 0x80, 4, 0, 0, 0, 3, 0, 0, 0}, []byte(":tt")))
	f.Fuzz(func(t *testing.T, op, arg uint32, memory []byte) {
		h, err := semihost.New(semihost.Config{Args: []string{"x"}, Stdin: strings.NewReader("abc"), ClockHz: 7})
		if err != nil {
			t.Fatal(err)
		}
		m := &ram{b: append(memory, make([]byte, 16)...)}
		for range 3 {
			h.Call(m, op, arg)
		}
		h.Close()
	})
}

func ExampleHost_Call() {
	h, err := semihost.New(semihost.Config{Stdout: os.Stdout})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := &ram{b: []byte("hello from the guest\n\x00")}
	h.Call(m, 0x04, base) // SYS_WRITE0
	// Output: hello from the guest
}
