// Package bench runs built-in firmware on many systems, several at a time, each run
// checked by the host reference. A Point says what is run on what; Run gives the result.
//
// bench/claims decides with such results what a study claims, bench/experiment reads from
// files what is to be run, and bench/store keeps what came of it.
package bench

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"

	"socsim/firmware"
	"socsim/soc"
	"socsim/soc/platform"
)

// Point is one run: a built-in program and its arguments, on the built-in platform
// "default" with some of its keys changed.
type Point struct {
	Program     string // file name, as firmware.Names has it
	Args        []string
	Accel, Hash string   // as soc.Options has them
	Settings    []string // key=value, in this order
	Regions     []string // functions to measure, besides the program's own
	Events      bool     // count instructions by class; for estimates of energy
}

// Outcome is what came of a point.
type Outcome struct {
	Result  *soc.Result // without Host; nil if there was no run
	Printed string      // what the program printed, errors included
	Err     error       // why there was no run
}

// Run runs a point without limits on cycles or time; the context ends it early. Progress,
// if not nil, is called now and then.
func (p Point) Run(ctx context.Context, progress func(cycles, instret uint64)) (o Outcome) {
	o.Result, o.Printed, o.Err = p.run(ctx, progress)
	return o
}

func (p Point) run(ctx context.Context, progress func(cycles, instret uint64)) (*soc.Result, string, error) {
	elf, err := firmware.ELF(p.Program)
	if err != nil {
		return nil, "", err
	}
	system, err := platform.Load("default")
	if err != nil {
		return nil, "", err
	}
	for _, s := range p.Settings {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, "", fmt.Errorf("setting %q: want key=value", s)
		}
		if err := system.Set(key, value); err != nil {
			return nil, "", err
		}
	}
	var printed strings.Builder
	unlimited := soc.Limits{MaxInstructions: soc.NoLimit, MaxCycles: soc.NoLimit, Timeout: -1}
	s, err := soc.New(soc.Options{
		Name: p.Program, ELF: elf, Platform: system, Accel: p.Accel, Hash: p.Hash, Args: p.Args, Console: &printed,
		Regions: p.Regions, Events: p.Events, Limits: unlimited, Progress: progress,
		Verify: (&check{ctx: ctx}).verify,
	})
	if err != nil {
		return nil, "", err
	}
	result, err := s.Run(ctx)
	if err == nil {
		err = ctx.Err() // the check may be cut short
	}
	if err != nil {
		return nil, printed.String(), err
	}
	result.Host = nil // several at once say nothing about speed
	return result, printed.String(), nil
}

// check compares a program's record with the host reference.
type check struct {
	ctx     context.Context
	verdict firmware.Verdict
	lines   []string
}

// verify is soc.Options.Verify: each call checks what the record holds then, and answers for
// all so far.
func (c *check) verify(ram []byte, base uint32, symbol func(string) (uint32, bool)) (*bool, []string) {
	addr, ok := symbol(firmware.RecordSymbol)
	if !ok {
		return nil, nil
	}
	ops, err := firmware.ParseRecord(ram, base, addr)
	if err != nil {
		c.verdict.Outcomes = append(c.verdict.Outcomes, firmware.Outcome{Name: firmware.RecordSymbol, Mismatch: err.Error()})
		c.lines = append(c.lines, err.Error())
	}
	for i := range ops {
		if c.ctx.Err() != nil {
			return nil, nil
		}
		one := firmware.Verify(ops[i : i+1]).Outcomes
		c.verdict.Outcomes = append(c.verdict.Outcomes, one...)
		for _, o := range one {
			if o.Mismatch != "" {
				c.lines = append(c.lines, o.Name+": "+o.Mismatch)
			}
		}
	}
	return c.verdict.Verified(), c.lines
}

// Progress is how far a Run is.
type Progress struct {
	Done, All       int // points
	Cycles, Instret uint64
}

// Run runs all points, jobs at a time, in their order; with long ones first the last ones
// do not keep everybody waiting. The outcomes are in the order of the points and do not
// depend on jobs. Progress, if not nil, is called now and then, by one goroutine at a time. The
// error is that of the context, if it ended before all was done.
func Run(ctx context.Context, points []Point, jobs int, progress func(Progress)) ([]Outcome, error) {
	outcomes := make([]Outcome, len(points))
	t := tally{all: len(points), show: progress, cycles: make([]uint64, len(points)), instret: make([]uint64, len(points))}
	ctx, stop := context.WithCancel(ctx)
	defer stop()

	next := make(chan int)
	var wait sync.WaitGroup
	var mu sync.Mutex
	var broken error // a bug somewhere below
	for range max(1, min(jobs, len(points))) {
		wait.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					mu.Lock()
					broken = fmt.Errorf("%v\n%s", p, debug.Stack())
					mu.Unlock()
					stop()
				}
			}()
			for i := range next {
				outcomes[i] = points[i].Run(ctx, func(cycles, instret uint64) { t.note(i, cycles, instret) })
				t.end(i, outcomes[i].Result)
			}
		})
	}
feed:
	for i := range points {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wait.Wait()
	if broken != nil {
		panic(broken)
	}
	return outcomes, ctx.Err()
}

// tally adds up what runs that go on at once have done.
type tally struct {
	mu              sync.Mutex
	show            func(Progress)
	done, all       int
	cycles, instret []uint64
}

// note is the progress of point i.
func (t *tally) note(i int, cycles, instret uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cycles[i], t.instret[i] = cycles, instret
	t.tell()
}

// end notes that point i is done.
func (t *tally) end(i int, r *soc.Result) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done++
	if r != nil {
		t.cycles[i], t.instret[i] = r.Cycles, r.Instret
	}
	t.tell()
}

func (t *tally) tell() {
	if t.show == nil {
		return
	}
	p := Progress{Done: t.done, All: t.all}
	for i := range t.cycles {
		p.Cycles += t.cycles[i]
		p.Instret += t.instret[i]
	}
	t.show(p)
}
