package soc_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"socsim/soc"
)

// The layout is Spike's, for every kind of instruction.
func TestCommitLog(t *testing.T) {
	var log bytes.Buffer
	o := start(t, "timer")
	o.CommitLog = &log
	r := run(t, o)
	lines := strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n")
	// The first instruction has the entry as its address; retired instructions
	// all have a line.
	if uint64(len(lines)) != r.Instret {
		t.Errorf("%d lines, %d instructions", len(lines), r.Instret)
	}
	for _, c := range []struct{ want, reason string }{
		{"core   0: 3 0x800003b8 (0x00000297) x5  0x800003b8", "auipc"},
		{"core   0: 3 0x800003c0 (0x30529073) c773_mtvec 0x80000500", "a CSR write"},
		{"core   0: 3 0x800003cc (0x64b1) x9  0x0000c000", "a 16-bit instruction"},
		{"core   0: 3 0x800003e2 (0xb0002373) x6  0x0000000", "a CSR read"},
		{"core   0: 3 0x800003f6 (0x00592023) mem 0x02004000 0x0000", "a store"},
		{"core   0: 3 0x800003de (0x0004a283) x5  0x000000", "a load ..."},
		{" mem 0x0200bff8", "... with its address behind the register"},
		{"core   0: 3 0x8000040a (0x10500073)", "wfi"},
		{"core   0: 3 0x80000500 (0x5ffd) x31 0xffffffff", "the handler; two digits of register fit without a space more"},
		{"core   0: 3 0x8000043a (0x00532023) mem 0x80001000 0x00000001", "the last store"},
	} {
		if !strings.Contains(log.String(), c.want) {
			t.Errorf("no line with %q: %s", c.want, c.reason)
		}
	}
	if t.Failed() {
		t.Log(log.String())
	}
}

// Bytes are stored as bytes; what traps does not retire.
func TestCommitLogBytes(t *testing.T) {
	var log bytes.Buffer
	o := start(t, "uart")
	o.CommitLog = &log
	run(t, o)
	if want := ") mem 0x10000000 0x6f\n"; !strings.Contains(log.String(), want) {
		t.Errorf("no %q in\n%s", want, &log)
	}
	log.Reset()
	o = start(t, "no_handler")
	o.CommitLog = &log
	run(t, o)
	if log.Len() != 0 {
		t.Errorf("an illegal instruction has a line: %s", &log)
	}
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestCommitLogFails(t *testing.T) {
	o := start(t, "_start")
	o.CommitLog = full{}
	s, err := soc.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context())
	if !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
	if r == nil || !r.Exit.Guest() {
		t.Error("the run is complete, whatever became of its log")
	}
}
