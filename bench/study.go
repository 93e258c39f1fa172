package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"socsim/accel"
	"socsim/bench/claims"
	"socsim/soc"
)

// Failure is a run that went wrong. The claims that need it stay undecided.
type Failure struct {
	Point  claims.Point
	Result *soc.Result // nil if there was no run
	Err    error
}

// RunClaims makes the runs that a scope takes, jobs at a time, and returns what they gave
// for claims.Judge. What an accelerator or the program cannot do yet is absent from the
// results, and so is software hashing that takes minutes, unless slow asks for it. The
// error is that of the context.
func RunClaims(ctx context.Context, s claims.Scope, slow bool, jobs int, progress func(Progress)) (*claims.Results, []Failure, error) {
	results := &claims.Results{}
	var chosen []claims.Point
	var points []Point
	for _, p := range s.Points() {
		if why := leftOut(p, slow); why != "" {
			results.Absent(p, why)
			continue
		}
		chosen, points = append(chosen, p), append(points, pointOf(p))
	}
	outcomes, err := Run(ctx, points, jobs, progress)
	if err != nil {
		return nil, nil, err
	}
	var failures []Failure
	for i, p := range chosen {
		if err := takeIn(results, p, outcomes[i]); err != nil {
			results.Absent(p, "its run went wrong")
			failures = append(failures, Failure{p, outcomes[i].Result, err})
		}
	}
	return results, failures, nil
}

// leftOut says why a point is not run; empty: it is.
func leftOut(p claims.Point, slow bool) string {
	works := slices.ContainsFunc(accel.List(), func(e accel.Entry) bool { return e.Name == p.Accel && e.Works })
	switch {
	case !works:
		return "this accelerator cannot be built yet"
	case p.Slow() && !slow:
		return "it takes minutes and was not asked for"
	}
	return ""
}

// pointOf is the point as it is run.
func pointOf(p claims.Point) Point {
	b := Point{Program: p.Program, Args: p.Args(), Accel: p.Accel, Settings: strings.Fields(p.Settings)}
	if p.Software() {
		b.Hash = p.Hash
	}
	return b
}

// What a program says, and its exit code, when it cannot use what is attached.
const (
	NoDriver     = "this program has no driver for the hash accelerator that is attached"
	noDriverCode = 2
)

// NoDriver tells whether the program ended because it cannot use what is attached.
func (o Outcome) NoDriver() bool {
	return o.Result != nil && o.Result.Exit.Guest() && o.Result.Exit.Code == noDriverCode && strings.Contains(o.Printed, NoDriver)
}

// takeIn puts an outcome into the results. It is no mistake that the program has no
// driver: then the point is absent.
func takeIn(results *claims.Results, p claims.Point, o Outcome) error {
	if o.Err != nil {
		return fmt.Errorf("%s: %w", p, o.Err)
	}
	if o.NoDriver() {
		results.Absent(p, "the program has no driver for this accelerator yet")
		return nil
	}
	if got := claims.PointOf(&o.Result.Config); got != p {
		return fmt.Errorf("BUG: bench: a run of %s came out as %s", p, got)
	}
	err := results.Add(o.Result)
	if err != nil && len(o.Result.Findings) > 0 {
		err = fmt.Errorf("%w: %s", err, o.Result.Findings[0])
	}
	return err
}
