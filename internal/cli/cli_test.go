package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"socsim/firmware"
	"socsim/soc"
)

// Each command that socsim prints works as printed.
func TestWelcome(t *testing.T) {
	var out bytes.Buffer
	if code := Main(nil, nil, &out, io.Discard); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	t.Chdir(t.TempDir()) // no checkout around: an installed program
	n := 0
	for line := range strings.Lines(out.String()) {
		if line, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "  socsim "); ok {
			n++
			runLine(t, "socsim "+line)
		}
	}
	if n != 4 {
		t.Errorf("%d commands, want 4:\n%s", n, out.String())
	}
}

// writer fails or panics like no real stream.
type writer struct {
	err   error
	panic bool
}

func (w writer) Write([]byte) (int, error) {
	if w.panic {
		panic("the writer is broken")
	}
	return 0, w.err
}

func TestBug(t *testing.T) {
	var stderr bytes.Buffer
	if code := Main([]string{"list"}, nil, writer{panic: true}, &stderr); code != exitInternal {
		t.Errorf("exit code %d, want %d", code, exitInternal)
	}
	if first, _, _ := strings.Cut(stderr.String(), "\n"); first != "BUG: the writer is broken" {
		t.Errorf("first line %q", first)
	}
}

// A report that was lost is no success.
func TestFullDisk(t *testing.T) {
	var stderr bytes.Buffer
	if code := Main([]string{"list"}, nil, writer{err: errors.New("disk full")}, &stderr); code != exitInput {
		t.Errorf("exit code %d, want %d", code, exitInput)
	}
	if want := "socsim: standard output: disk full\n"; stderr.String() != want {
		t.Errorf("stderr %q, want %q", stderr.String(), want)
	}
}

// trigger does something at the first write.
type trigger struct {
	bytes.Buffer
	do func()
}

func (w *trigger) Write(b []byte) (int, error) {
	if w.do != nil {
		w.do()
		w.do = nil
	}
	return w.Buffer.Write(b)
}

// Ctrl-C ends a run at once with one line. The program is one that would take
// minutes: a 256s signature in software.
func TestInterrupt(t *testing.T) {
	t.Chdir(t.TempDir())
	out := trigger{do: func() {
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
			t.Error(err)
		}
		time.Sleep(50 * time.Millisecond) // until the signal has come through
	}}
	var stderr bytes.Buffer
	code := Main([]string{"run", "sphincs", "-q", "--", "-p", "256s"}, nil, &out, &stderr)
	if code != exitLimit {
		t.Errorf("exit code %d, want %d", code, exitLimit)
	}
	if got := stderr.String(); !strings.HasPrefix(got, "socsim: interrupted after ") || strings.Count(got, "\n") != 1 {
		t.Errorf("stderr %q", got)
	}
}

// The progress line comes late, is rewritten in place and leaves nothing.
func TestProgress(t *testing.T) {
	var screen bytes.Buffer
	p := &progress{w: &screen, start: time.Now()}
	p.show(1000, 1000)
	p.clear()
	if screen.Len() > 0 {
		t.Errorf("a short run shows %q", screen.String())
	}
	p.start = time.Now().Add(-10 * time.Second)
	p.show(2_000_000_000, 1_000_000_000)
	p.show(2_000_000_001, 1_000_000_000) // too soon for another
	p.say("checking")
	p.clear()
	p.clear()
	want := "10 s: 2,000,000,000 cycles, 100 MIPS" + "\r\x1b[K" + "checking" + "\r\x1b[K"
	if diff := cmp.Diff(want, screen.String()); diff != "" {
		t.Error(diff)
	}
	// Not a terminal: silence.
	p = newProgress(&stream{Writer: &screen})
	p.start = time.Now().Add(-10 * time.Second)
	screen.Reset()
	p.show(1, 1)
	if screen.Len() > 0 {
		t.Errorf("%q on what is no terminal", screen.String())
	}
}

func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		seconds, part float64
		want          string
	}{{10, 0, ""}, {1, 0.01, ""}, {10, 0.25, "about 30s left, "}, {100, 0.5, "about 1m40s left, "}, {10, 1, ""}} {
		if got := timeLeft(c.seconds, c.part); got != c.want {
			t.Errorf("%v of the work in %v s: %q, want %q", c.part, c.seconds, got, c.want)
		}
	}
}

// What the guest prints never shares a line with progress or report.
func TestConsole(t *testing.T) {
	var screen bytes.Buffer
	c := &console{w: &screen, before: func() { screen.WriteString("<") }}
	io.WriteString(c, "half")
	c.newline()
	c.newline()
	if want := "<half<\n"; screen.String() != want {
		t.Errorf("%q, want %q", screen.String(), want)
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{count(uint64(0)), "0"}, {count(999), "999"}, {count(1000), "1,000"}, {count(uint64(12345678)), "12,345,678"},
		{count(-1234), "-1,234"},
		{percent(1, 3), "33.3%"}, {percent(7, 7), "100%"}, {percent(0, 0), "-"}, {percent(9999, 10000), "99.9%"},
		{ratio(1, 4), "0.25"}, {ratio(123456789, 100), "1,234,567.89"}, {ratio(1, 0), "-"},
		{milliseconds(123_456_789, 100_000_000), "1,234.568"},
		{frequency(100_000_000), "100 MHz"}, {frequency(32_768), "32.768 kHz"}, {frequency(1_500_000), "1.5 MHz"}, {frequency(50), "50 Hz"},
		{plural(1, "word"), "1 word"}, {plural(1000, "word"), "1,000 words"},
		{size(8 << 20), "8 MiB"}, {size(4096), "4 KiB"}, {size(100), "100 bytes"},
		{wrap("aa bb cc", 5, "  "), "aa bb\n  cc"},
		{clip("abcdef", 4), "abcd... (6 characters)"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestGuestCode(t *testing.T) {
	for code, want := range map[int]int{0: 0, 1: 1, 255: 255, 256: 255, 257: 255, 256 + 121: 255, -1: 255, -300: 255, 1 << 20: 255} {
		if got := guestCode(code); got != want {
			t.Errorf("guest code %d gives %d, want %d", code, got, want)
		}
	}
}

// Operations are matched with regions by name; one record stands for all
// repetitions of one operation.
func TestColumns(t *testing.T) {
	c := &check{ctx: t.Context()}
	verified, lines := c.verify(make([]byte, 4096), 0x8000_0000, func(string) (uint32, bool) { return 0, false })
	if verified != nil || lines != nil {
		t.Errorf("without a record: %v, %v", verified, lines)
	}
	verified, lines = c.verify(make([]byte, 4096), 0x8000_0000, func(string) (uint32, bool) { return 0x8000_0000, true })
	if verified == nil || *verified || len(lines) != 1 {
		t.Errorf("broken record: %v, %v", verified, lines)
	}

	r := soc.Region{Name: "hash", Calls: 3}
	if col := newColumn(r, c); col.checked != 0 {
		t.Errorf("%d checked of none", col.checked)
	}
	c.outcomes = []firmware.Outcome{{Name: "hash SHAKE256", Permutations: 2}, {Name: "sign X", Permutations: 7, Mismatch: "no"}}
	if col := newColumn(r, c); col.checked != 1 || col.expected != 6 || col.wrong {
		t.Errorf("%d checked, %d permutations, wrong: %v; want 1, 6, false", col.checked, col.expected, col.wrong)
	}
	c.outcomes = append(c.outcomes, firmware.Outcome{Name: "sign X", Permutations: 8})
	if col := newColumn(soc.Region{Name: "sign", Calls: 2}, c); col.checked != 2 || col.expected != 15 || !col.wrong {
		t.Errorf("%d checked, %d permutations, wrong: %v; want 2, 15, true", col.checked, col.expected, col.wrong)
	}
}

// An ELF that cannot be read is not looked up among the built-in ones.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "hash.elf"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	var f *failure
	if _, err := openELF("hash.elf"); !errors.As(err, &f) || f.code != exitInput {
		t.Errorf("error %v", err)
	}
}
