package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"socsim/firmware"
	"socsim/soc"
)

// readC reads a character over semihosting and ends with it as exit code.
var readC = smallELF(
	0x0070_0513,                           // li a0, SYS_READC
	0x01f0_1013, 0x0010_0073, 0x4070_5013, // the call
	0x05d0_0893, 0x0000_0073, // li a7, 93; ecall
)

// silent is a pipe that stays open and never has anything. Its first read does
// something.
type silent struct{ do func() }

func (s *silent) Read([]byte) (int, error) {
	if s.do != nil {
		s.do()
	}
	select {}
}

func interrupt(t *testing.T) {
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
		t.Error(err)
	}
	time.Sleep(50 * time.Millisecond) // until the signal has come through
}

func inFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("readc.elf", readC, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A program that waits for input is ended by the timeout, with a result, ...
func TestTimeoutWaitingForInput(t *testing.T) {
	inFolder(t)
	var stdout, stderr bytes.Buffer
	code := Main([]string{"run", "readc.elf", "--json", "--timeout", "50ms"}, &silent{}, &stdout, &stderr)
	if code != exitLimit || !strings.Contains(stdout.String(), `"reason": "timeout"`) {
		t.Errorf("exit code %d\n%s", code, &stdout)
	}
	if !strings.Contains(stderr.String(), "the program waits for standard input") {
		t.Errorf("stderr %q", &stderr)
	}
}

// ... and by Ctrl-C.
func TestInterruptWaitingForInput(t *testing.T) {
	inFolder(t)
	var stdout, stderr bytes.Buffer
	code := Main([]string{"run", "readc.elf", "--json"}, &silent{do: func() { interrupt(t) }}, &stdout, &stderr)
	if code != exitLimit || stdout.Len() > 0 {
		t.Errorf("exit code %d, stdout %q", code, &stdout)
	}
	if got := stderr.String(); !strings.HasPrefix(got, "socsim: interrupted after ") || strings.Count(got, "\n") != 1 {
		t.Errorf("stderr %q", got)
	}
}

// Input that comes is read; none is its end.
func TestInput(t *testing.T) {
	inFolder(t)
	if code := Main([]string{"run", "readc.elf", "-q"}, strings.NewReader("*"), io.Discard, io.Discard); code != '*' {
		t.Errorf("exit code %d, want %d", code, '*')
	}
	for _, none := range []io.Reader{nil, strings.NewReader("")} {
		if code := Main([]string{"run", "readc.elf", "-q"}, none, io.Discard, io.Discard); code != 255 {
			t.Errorf("exit code %d, want 255", code)
		}
	}
}

// when does something when a text is written.
type when struct {
	bytes.Buffer
	text string
	do   func()
}

func (w *when) Write(b []byte) (int, error) {
	if strings.Contains(string(b), w.text) && w.do != nil {
		w.do()
		w.do = nil
	}
	return w.Buffer.Write(b)
}

// Ctrl-C during the check: the run stands, the check does not. The program ends
// before the core looks for a signal again.
func TestInterruptCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, stdout string }{
		{"run hash", "Not verified: Ctrl-C cut the check against the host reference short, after 0 operations."},
		{"run hash --json", `"verified": null`},
	} {
		var stdout bytes.Buffer
		out := &when{text: "]", do: func() { interrupt(t) }}
		var w io.Writer = out
		if strings.Contains(c.args, "json") {
			w = &stdout
		}
		var stderr io.Writer = &stdout
		if w == &stdout {
			stderr = out
		}
		code := Main(strings.Fields(c.args), nil, w, stderr)
		if got := out.String() + stdout.String(); code != exitLimit || !strings.Contains(got, c.stdout) {
			t.Errorf("%s: exit code %d\n%s", c.args, code, got)
		}
	}
}

// One wrong operation is enough to know; a check that was cut short gives no
// numbers to compare.
func TestCutShort(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		lines    []string
		verified *bool
		guest    int
		want     int
	}{
		{nil, nil, 0, exitLimit},
		{nil, nil, 3, 3},
		{[]string{"sign X: byte 7"}, &no, 0, exitVerify},
	} {
		check := &check{outcomes: []firmware.Outcome{{Name: "sign X"}}, lines: c.lines}
		if c.lines != nil {
			check.outcomes[0].Mismatch = "byte 7"
		}
		check.cutShort(context.DeadlineExceeded)
		verified, lines := check.verdict()
		if (verified == nil) != (c.verified == nil) || verified != nil && *verified == yes {
			t.Errorf("verified %v, want %v", verified, c.verified)
		}
		if want := "--timeout cut the check against the host reference short, after 1 operation"; lines[len(lines)-1] != want {
			t.Errorf("lines %q", lines)
		}
		r := &soc.Result{Exit: soc.Exit{Reason: soc.Ecall, Code: c.guest}, Verified: verified}
		if got := check.status(r); got != c.want {
			t.Errorf("status %d, want %d", got, c.want)
		}
	}
}

// stuck is a pipe nobody reads.
type stuck struct{}

func (stuck) Write([]byte) (int, error) { select {} }

func TestTimeoutNobodyReads(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the grace")
	}
	t.Chdir(t.TempDir())
	var stderr bytes.Buffer
	code := Main([]string{"run", "hash", "-q", "--timeout", "50ms"}, nil, stuck{}, &stderr)
	if code != exitLimit || !strings.HasPrefix(stderr.String(), "socsim: timeout: 50ms of host time are over, and nobody reads") {
		t.Errorf("exit code %d, stderr %q", code, &stderr)
	}
}

// A commit log whose reader goes away ends with its error, not never.
func TestCommitLogBrokenPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Skip(err)
	}
	go func() {
		f, err := os.Open("pipe")
		if err != nil {
			t.Error(err)
			return
		}
		f.Read(make([]byte, 10))
		f.Close()
	}()
	var stdout, stderr bytes.Buffer
	code := Main([]string{"run", "hash", "--json", "--commit-log", "pipe"}, nil, &stdout, &stderr)
	if code != exitInput || !strings.HasSuffix(stdout.String(), "}\n") {
		t.Errorf("exit code %d\n%s", code, &stdout)
	}
	if want := "socsim: the commit log is incomplete: write pipe: broken pipe\n"; !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("stderr %q", &stderr)
	}
}

// A program may come through a pipe; it may not be larger than anything real.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	pipe, large := filepath.Join(dir, "pipe"), filepath.Join(dir, "large")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		sent int
		ok   bool
	}{{100, true}, {101, false}} {
		go os.WriteFile(pipe, make([]byte, c.sent), 0)
		if data, _, err := readFile(pipe, 100); (err == nil) != c.ok || c.ok && len(data) != c.sent {
			t.Errorf("%d bytes of at most 100: %d, %v", c.sent, len(data), err)
		}
	}
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(maxELF + 1); err != nil {
		t.Fatal(err)
	}
	if _, _, err := readFile(large, maxELF); err == nil || !strings.Contains(err.Error(), "more than 256 MiB") {
		t.Errorf("error %v", err)
	}
}

// A mistake of ours found in the course of things is called one, as a panic is.
func TestAwait(t *testing.T) {
	if v, err := await(t.Context(), func() int { return 7 }); v != 7 || err != nil {
		t.Errorf("%d, %v", v, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	if _, err := await(ctx, func() int { cancel(cause); select {} }); err != cause {
		t.Errorf("error %v, want the cause", err)
	}
	if _, err := await(ctx, func() int { t.Error("called too late"); return 0 }); err != cause {
		t.Errorf("error %v, want the cause", err)
	}
	defer func() {
		if b, ok := recover().(*bug); !ok || b.value != "no" || !bytes.Contains(b.stack, []byte("TestAwait")) {
			t.Errorf("recovered %v", b)
		}
	}()
	await(t.Context(), func() int { panic("no") })
}
