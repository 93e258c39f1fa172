package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	"socsim/bench"
	"socsim/bench/store"
	"socsim/firmware"
	"socsim/soc"
)

// Progress is how far a Run is.
type Progress struct {
	Done, All       int // points that were to be run
	Cycles, Instret uint64
	// Part is how much of the work is done, from 0 to 1, as costs are estimated.
	Part float64
}

// Failure is a point that gave no row.
type Failure struct {
	Point  store.Point
	Result *soc.Result // nil if there was no run
	Err    error
}

// Summary is what a Run did.
type Summary struct {
	Rows     []store.Row // of the points, in their order, without those that failed
	Reused   int         // rows that were there already
	Ran      int
	Failures []Failure // in the order of the points
}

// Run runs the points that the store has no row of, jobs at a time, those that take long
// first, and puts a row into the store as soon as it is there. So whatever ends it, what
// was done is not done again. Progress, if not nil, is called now and then, by one
// goroutine at a time. The error is that of the store, or of the context.
//
// A point that the program or the hardware has no place for gives a row that says so. A
// run that goes wrong, or that nothing verifies, is a failure and gives none.
func Run(ctx context.Context, points []store.Point, s *store.Store, jobs int, progress func(Progress)) (*Summary, error) {
	digests, err := programDigests(points)
	if err != nil {
		return nil, err
	}
	plan, err := newPlan(points, digests, s)
	if err != nil {
		return nil, err
	}
	w := &work{
		plan: plan, store: s, show: progress, failures: map[int]Failure{},
		cycles: make([]uint64, len(points)), instret: make([]uint64, len(points)), ended: make([]bool, len(points)),
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var wait sync.WaitGroup
	for range max(1, min(jobs, len(plan.Missing))) {
		wait.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					stop(fmt.Errorf("BUG: %v\n%s", p, debug.Stack()))
				}
			}()
			for i := range next {
				if err := w.do(ctx, i); err != nil {
					stop(err)
				}
			}
		})
	}
feed:
	for _, i := range plan.Missing {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wait.Wait()
	summary := w.summary()
	if ctx.Err() != nil {
		return summary, context.Cause(ctx)
	}
	return summary, nil
}

// Plan is what a Run would do.
type Plan struct {
	Points  []store.Point
	Rows    []*store.Row // of the points; nil: there is none
	Missing []int        // places of points without a row, those that take longest first
	Costs   []Cost       // of the points, if any is missing

	digests map[string]string
}

// NewPlan looks which points the store has.
func NewPlan(points []store.Point, s *store.Store) (*Plan, error) {
	digests, err := programDigests(points)
	if err != nil {
		return nil, err
	}
	return newPlan(points, digests, s)
}

func newPlan(points []store.Point, digests map[string]string, s *store.Store) (*Plan, error) {
	rows, err := s.Rows()
	if err != nil {
		return nil, err
	}
	byKey := map[string]*store.Row{}
	for i := range rows {
		byKey[rows[i].Key()] = &rows[i]
	}
	p := &Plan{Points: points, digests: digests, Costs: make([]Cost, len(points))}
	missing := 0
	for _, point := range points {
		row := byKey[point.Key(soc.ModelVersion, digests[point.Program])]
		if row == nil {
			missing++
		}
		p.Rows = append(p.Rows, row)
	}
	if missing == 0 {
		return p, nil
	}
	estimator := NewEstimator()
	for i := range rows {
		estimator.Learn(&rows[i])
	}
	for _, i := range estimator.Longest(points) {
		p.Costs[i] = estimator.Of(points[i])
		if p.Rows[i] == nil {
			p.Missing = append(p.Missing, i)
		}
	}
	return p, nil
}

// Left is the cost of what is missing, in nanoseconds.
func (p *Plan) Left() (sum float64) {
	for _, i := range p.Missing {
		sum += p.Costs[i].Nanoseconds
	}
	return sum
}

// programDigests are the SHA-256 of the programs of the points; "" for SDitH.
func programDigests(points []store.Point) (map[string]string, error) {
	digests := map[string]string{"": ""}
	for _, p := range points {
		if _, ok := digests[p.Program]; ok {
			continue
		}
		elf, err := firmware.ELF(p.Program + ".elf")
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(elf)
		digests[p.Program] = hex.EncodeToString(sum[:])
	}
	return digests, nil
}

// work is a Run that goes on.
type work struct {
	plan  *Plan
	store *store.Store

	mu              sync.Mutex
	show            func(Progress)
	done            int
	cycles, instret []uint64
	ended           []bool
	failures        map[int]Failure
}

// do runs a point. The error ends all.
func (w *work) do(ctx context.Context, i int) error {
	p := w.plan.Points[i]
	row := store.Row{Version: store.Version, ModelVersion: soc.ModelVersion, Point: p, ELFSHA256: w.plan.digests[p.Program]}
	failure := Failure{Point: p}
	if p.Kind == store.SDitH {
		failure.Err = runSDitH(p, &row)
	} else {
		failure.Result, failure.Err = runProgram(ctx, p, &row, func(cycles, instret uint64) { w.note(i, cycles, instret, false) })
	}
	if failure.Err != nil && ctx.Err() != nil {
		return nil // it was the end that came
	}
	if failure.Err == nil {
		err := w.store.Put(row)
		var conflict *store.ConflictError
		if err != nil && !errors.As(err, &conflict) {
			return err
		}
		failure.Err = err
	}
	var cycles, instret uint64
	switch {
	case row.Result != nil:
		cycles, instret = row.Result.Cycles, row.Result.Instret
	case row.SDitH != nil:
		cycles = uint64(row.SDitH.Cycles)
	}
	w.mu.Lock()
	if failure.Err != nil {
		w.failures[i] = failure
	} else {
		w.plan.Rows[i] = &row
	}
	w.done++
	w.mu.Unlock()
	w.note(i, cycles, instret, true)
	return nil
}

// runProgram fills in what came of a point of firmware.
func runProgram(ctx context.Context, p store.Point, row *store.Row, progress func(cycles, instret uint64)) (*soc.Result, error) {
	b, err := Runnable(p)
	if err != nil {
		return nil, err
	}
	o := b.Run(ctx, progress)
	switch r := o.Result; {
	case o.Err != nil:
		return nil, fmt.Errorf("%s: %w", p, o.Err)
	case o.NoDriver():
		row.Refused = bench.NoDriver
		return r, nil
	case !r.Exit.Guest() && r.Exit.Report != nil:
		return r, fmt.Errorf("%s: %s: %s", p, r.Exit.Reason, r.Exit.Report.What)
	case r.Exit.Code != 0:
		return r, fmt.Errorf("%s: the program ended with exit code %d: %s", p, r.Exit.Code, lastLine(o.Printed))
	case r.Verified == nil:
		return r, fmt.Errorf("%s: nothing verified it", p)
	case !*r.Verified:
		return r, fmt.Errorf("%s: the host reference computed something else: %s", p, append(r.Findings, "")[0])
	default:
		row.Result = r
		return r, nil
	}
}

func (w *work) note(i int, cycles, instret uint64, ended bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cycles[i], w.instret[i], w.ended[i] = cycles, instret, ended
	if w.show == nil {
		return
	}
	p := Progress{Done: w.done, All: len(w.plan.Missing)}
	var done, all float64
	for _, i := range w.plan.Missing {
		p.Cycles += w.cycles[i]
		p.Instret += w.instret[i]
		cost := w.plan.Costs[i]
		all += cost.Nanoseconds
		switch {
		case w.ended[i]:
			done += cost.Nanoseconds
		case cost.Cycles > 0: // what takes longer than expected is nearly done all the time
			done += cost.Nanoseconds * min(0.95, float64(w.cycles[i])/cost.Cycles)
		}
	}
	if all > 0 {
		p.Part = done / all
	}
	w.show(p)
}

func (w *work) summary() *Summary {
	s := &Summary{Reused: len(w.plan.Points) - len(w.plan.Missing), Ran: w.done}
	for _, i := range slices.Sorted(maps.Keys(w.failures)) {
		s.Failures = append(s.Failures, w.failures[i])
	}
	for _, r := range w.plan.Rows {
		if r != nil {
			s.Rows = append(s.Rows, *r)
		}
	}
	return s
}
