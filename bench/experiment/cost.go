package experiment

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"socsim/bench/store"
	"socsim/soc"
)

// What a cycle takes of the host, in nanoseconds: the interpreter is fast in plain code
// and slow at accesses to devices. Measured on a Xeon of 2.8 GHz, sphincs.elf 128f, check
// included: 2.5 in software, 14 to 80 for other rows of the ledger; the SDitH hardware 30.
// They order points and share out what a run has taken; they need not fit a host.
const (
	computeNanoseconds = 2.5
	deviceNanoseconds  = 30
	sdithNanoseconds   = 30
)

// Cost is what a point is expected to take.
type Cost struct {
	Nanoseconds float64 // of the host that the constants were measured on
	Cycles      float64 // simulated
}

// costOf is that of a run that was made.
func costOf(cycles uint64, ledger soc.Ledger) Cost {
	return Cost{computeNanoseconds*float64(ledger.Compute) + deviceNanoseconds*float64(cycles-ledger.Compute), float64(cycles)}
}

// Estimator estimates the cost of points by runs that were made of the same point, or of
// those that are most like it.
type Estimator struct {
	sums map[string]sum
}

type sum struct {
	cost Cost
	n    float64
}

// NewEstimator knows the reference results that are built in.
func NewEstimator() *Estimator { return &Estimator{maps.Clone(builtinSums())} }

var builtinSums = sync.OnceValue(sums)

func sums() map[string]sum {
	e := &Estimator{map[string]sum{}}
	for _, name := range Builtin() {
		ref, err := LoadReference(name)
		if err != nil {
			continue // an estimate can do without
		}
		x, err := Load(name)
		if err != nil {
			continue
		}
		byName := map[string]store.Point{}
		for _, p := range x.Points() {
			byName[p.String()] = p
		}
		for _, r := range ref.Points {
			p, ok := byName[r.Point]
			switch whole := r.Regions[0]; {
			case !ok || whole.Name != wholeRun:
			case p.Kind == store.SDitH:
				e.add(p, Cost{sdithNanoseconds * float64(whole.Cycles), float64(whole.Cycles)})
			default:
				e.add(p, costOf(whole.Cycles, whole.Ledger))
			}
		}
	}
	return e.sums
}

// Learn takes a row in.
func (e *Estimator) Learn(r *store.Row) {
	switch {
	case r.Result != nil:
		e.add(r.Point, costOf(r.Result.Cycles, r.Result.Ledger))
	case r.SDitH != nil:
		e.add(r.Point, Cost{sdithNanoseconds * float64(r.SDitH.Cycles), float64(r.SDitH.Cycles)})
	}
}

func (e *Estimator) add(p store.Point, c Cost) {
	for _, key := range likeness(p) {
		s := e.sums[key]
		e.sums[key] = sum{Cost{s.cost.Nanoseconds + c.Nanoseconds, s.cost.Cycles + c.Cycles}, s.n + 1}
	}
}

// Of is what a point is expected to take.
func (e *Estimator) Of(p store.Point) Cost {
	for _, key := range likeness(p) {
		if s := e.sums[key]; s.n > 0 {
			return Cost{s.cost.Nanoseconds / s.n, s.cost.Cycles / s.n}
		}
	}
	return unknown
}

// unknown is the cost of a point that is like none that was run: a second.
var unknown = Cost{1e9, 1e8}

// likeness are names of ever larger groups that a point belongs to.
func likeness(p store.Point) []string {
	if p.Kind == store.SDitH {
		level, _, _ := strings.Cut(p.Config, "_")
		return []string{p.String(), p.Config, level, p.Kind}
	}
	what := strings.Join([]string{p.Program, p.Set, strings.Join(p.Operations, ","), strings.Join(p.Args, " ")}, " ")
	unit := p.Accel + p.Hash
	if p.Accel != "none" {
		unit = p.Accel
	}
	_, coupling, _ := strings.Cut(p.Accel, "-")
	return []string{
		p.String(), what + " " + unit, p.Program + " " + p.Set + " " + unit, p.Program + " " + p.Set + " " + coupling,
		p.Program + " " + coupling, p.Program,
	}
}

// Longest returns the places of the points, those that take longest first.
func (e *Estimator) Longest(points []store.Point) []int {
	order := make([]int, len(points))
	costs := make([]float64, len(points))
	for i, p := range points {
		order[i], costs[i] = i, e.Of(p).Nanoseconds
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[b], costs[a]) })
	return order
}

// Shards cuts points into n parts that take about as long, each in the order of the
// points; with more parts than points some are empty. The parts depend on the points and n
// alone, so that machines need not agree on anything else.
func Shards(points []store.Point, n int) [][]store.Point {
	e := NewEstimator()
	loads, places := make([]float64, n), make([][]int, n)
	for _, k := range e.Longest(points) {
		least := 0
		for s := range loads {
			if loads[s] < loads[least] {
				least = s
			}
		}
		loads[least] += e.Of(points[k]).Nanoseconds
		places[least] = append(places[least], k)
	}
	parts := make([][]store.Point, n)
	for s, list := range places {
		slices.Sort(list)
		for _, k := range list {
			parts[s] = append(parts[s], points[k])
		}
	}
	return parts
}
