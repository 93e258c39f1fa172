package soc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"socsim/clock"
	"socsim/rv32"
)

// sliceCycles is how far the core runs between looks at host time, context and
// progress: some ten milliseconds of the interpreter.
const sliceCycles = 4_000_000

// ErrUsed is the error of a second Run: RAM and devices are no longer fresh.
var ErrUsed = errors.New("soc: a System runs once")

// Run runs the program to its end or to a limit. It returns an error only when
// there is no result: the context was cancelled, the commit log could not be
// written, or a bug was found.
func (s *System) Run(ctx context.Context) (*Result, error) {
	if s.hart == nil {
		return nil, ErrUsed
	}
	start := time.Now()
	exit, err := s.loop(ctx, start)
	if err != nil {
		s.host.Close()
		return nil, err
	}
	if s.log != nil {
		if err := s.log.w.Flush(); err != nil {
			return nil, fmt.Errorf("commit log: %w", err)
		}
	}
	if err := s.host.Close(); err != nil {
		return nil, fmt.Errorf("closing the guest's files: %w", err)
	}
	result, err := s.result(exit)
	if err != nil {
		return nil, err
	}
	seconds := time.Since(start).Seconds()
	result.Host = &Host{Seconds: seconds, MIPS: float64(result.Instret) / max(seconds, 1e-9) / 1e6}
	s.verify(result)
	s.hart = nil
	return result, nil
}

func (s *System) loop(ctx context.Context, start time.Time) (Exit, error) {
	h, limits := s.hart, s.opt.Limits
	for {
		until := min(uint64(h.Cycle())+sliceCycles, limits.MaxCycles)
		stop := h.Run(rv32.Limits{Cycles: clock.Cycle(until), Instructions: limits.MaxInstructions})
		switch stop.Reason {
		case rv32.StopHalted:
			if s.exit != nil {
				return *s.exit, nil
			}
			s.regions.rearm(h)
		case rv32.StopInstructions:
			return s.limit(MaxInstructions, stop.PC, fmt.Sprintf("%d instructions", limits.MaxInstructions), "--max-instructions"), nil
		case rv32.StopCycles:
			if until == limits.MaxCycles {
				return s.limit(MaxCycles, stop.PC, fmt.Sprintf("%d cycles", limits.MaxCycles), "--max-cycles"), nil
			}
			if s.opt.Progress != nil {
				s.opt.Progress(uint64(h.Cycle()), h.Instret())
			}
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

func (s *System) limit(r Reason, pc uint32, what, option string) Exit {
	return Exit{Reason: r, Report: s.report(pc, "the run reached its limit of "+what, "raise it with "+option)}
}

// verify asks Options.Verify about guest memory.
func (s *System) verify(r *Result) {
	if s.opt.Verify == nil {
		return
	}
	symbol := func(name string) (uint32, bool) {
		sym, ok := s.file.Lookup(name)
		return sym.Addr, ok
	}
	r.Verified, r.Findings = s.opt.Verify(s.hart.RAM(), s.platform.RAM.Base, symbol)
}
