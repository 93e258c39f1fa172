package soc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"socsim/clock"
	"socsim/rv32"
)

// sliceCycles is how far the core runs between looks at host time, context and
// progress: some ten milliseconds of the interpreter. With a commit log a cycle
// takes many times as long.
const (
	sliceCycles    = 4_000_000
	logSliceCycles = sliceCycles / 32
)

// ErrUsed is the error of a second Run: RAM and devices are no longer fresh.
var ErrUsed = errors.New("soc: a System runs once")

// Run runs the program to its end or to a limit. There is no result when the
// context was cancelled or a bug was found. There is one beside an error when
// the run is complete but the commit log, or a file of the guest, is not.
func (s *System) Run(ctx context.Context) (*Result, error) {
	if s.hart == nil {
		return nil, ErrUsed
	}
	start := time.Now()
	if s.fast != nil {
		defer s.fast.Close()
		s.fast.Until(ctx)
	}
	exit, err := s.loop(ctx, start)
	if err != nil {
		s.host.Close()
		return nil, err
	}
	var lost error
	if err := s.host.Close(); err != nil {
		lost = fmt.Errorf("closing the guest's files: %w", err)
	}
	if s.log != nil {
		if err := s.log.w.Flush(); err != nil {
			lost = fmt.Errorf("the commit log is incomplete: %w", err)
		}
	}
	result, err := s.result(exit)
	if err != nil {
		return nil, err
	}
	seconds := (time.Since(start) - s.checked).Seconds()
	result.Host = &Host{Seconds: seconds, MIPS: float64(result.Instret) / max(seconds, 1e-9) / 1e6}
	s.verify(result)
	s.hart = nil
	return result, lost
}

func (s *System) loop(ctx context.Context, start time.Time) (Exit, error) {
	h, limits := s.hart, s.opt.Limits
	slice := uint64(sliceCycles)
	if s.log != nil {
		slice = logSliceCycles
	}
	for {
		until := min(uint64(h.Cycle())+slice, limits.MaxCycles)
		stop := h.Run(rv32.Limits{Cycles: clock.Cycle(until), Instructions: limits.MaxInstructions})
		switch stop.Reason {
		case rv32.StopHalted:
			if s.exit != nil {
				return *s.exit, nil
			}
			if s.cut != nil {
				return s.endOfInput(stop.PC)
			}
			s.regions.rearm(h)
		case rv32.StopInstructions:
			return s.limit(MaxInstructions, stop.PC, plural(limits.MaxInstructions, "instruction"), "--max-instructions"), nil
		case rv32.StopCycles:
			if until == limits.MaxCycles {
				return s.limit(MaxCycles, stop.PC, plural(limits.MaxCycles, "cycle"), "--max-cycles"), nil
			}
			s.progress()
			if err := ctx.Err(); err != nil {
				return Exit{}, err
			}
			if limits.Timeout > 0 && time.Since(start) > limits.Timeout {
				return s.limit(Timeout, stop.PC, limits.Timeout.String()+" of host time", "--timeout"), nil
			}
		default:
			return s.stopped(stop), nil
		}
	}
}

func (s *System) progress() {
	if s.opt.Progress != nil {
		s.opt.Progress(uint64(s.hart.Cycle()), s.hart.Instret())
	}
}

// input is Options.Stdin as the guest reads it.
type input struct {
	*System
	r io.Reader
}

// Read stops the core if what it waited for will not come: nothing the guest
// does with a failed call counts then.
func (in input) Read(b []byte) (int, error) {
	n, err := in.r.Read(b)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		in.cut = err
		in.hart.Halt()
	}
	return n, err
}

// endOfInput is how a run ends in which Read of Options.Stdin gave up.
func (s *System) endOfInput(pc uint32) (Exit, error) {
	s.progress()
	if s.opt.Limits.Timeout < 0 || !errors.Is(s.cut, context.DeadlineExceeded) {
		return Exit{}, s.cut
	}
	e := s.limit(Timeout, pc, s.opt.Limits.Timeout.String()+" of host time", "--timeout")
	e.Report.Hint = "the program waits for standard input; give it some, or none with </dev/null"
	return e, nil
}

// plural writes a number and its noun.
func plural(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (s *System) limit(r Reason, pc uint32, what, option string) Exit {
	return Exit{Reason: r, Report: s.report(pc, "the run reached its limit of "+what, "raise it with "+option)}
}

// verify asks Options.Verify about guest memory.
func (s *System) verify(r *Result) {
	if s.opt.Verify != nil {
		r.Verified, r.Findings = s.opt.Verify(s.hart.RAM(), s.platform.RAM.Base, s.symbol)
	}
}

// check does it when the guest asks. The host's time for it is not the simulation's.
func (s *System) check() {
	if s.opt.Verify == nil {
		return
	}
	start := time.Now()
	s.opt.Verify(s.hart.RAM(), s.platform.RAM.Base, s.symbol)
	s.checked += time.Since(start)
}

func (s *System) symbol(name string) (addr uint32, ok bool) {
	sym, ok := s.file.Lookup(name)
	return sym.Addr, ok
}
