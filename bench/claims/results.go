package claims

import (
	"fmt"

	"socsim/soc"
)

// Results are runs, by point. The zero value has none.
type Results struct {
	runs   map[Point]*soc.Result
	parts  map[Point]*soc.Result // by point with one operation, for those that were run apart
	absent map[Point]string
	first  map[string]*soc.Result // of each program
}

// Add takes a run in, or says why it is no evidence: it did not end well, was not
// verified, is not of the program and the model that the others are of, or does not have
// all operations.
func (r *Results) Add(result *soc.Result) error {
	p := PointOf(&result.Config)
	if err := r.check(p, result); err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	if r.runs == nil {
		r.runs, r.parts, r.first = map[Point]*soc.Result{}, map[Point]*soc.Result{}, map[string]*soc.Result{}
	}
	if r.first[p.Program] == nil {
		r.first[p.Program] = result
	}
	r.runs[p] = result
	for i := range result.Regions {
		r.parts[p.part(result.Regions[i].Name)] = result
	}
	return nil
}

func (r *Results) check(p Point, result *soc.Result) error {
	c := &result.Config
	first := r.first[p.Program]
	switch {
	case !result.Exit.Guest():
		return fmt.Errorf("the run ended with %s", result.Exit.Reason)
	case result.Exit.Code != 0:
		return fmt.Errorf("the program ended with exit code %d", result.Exit.Code)
	case result.Verified == nil:
		return fmt.Errorf("nothing verified it")
	case !*result.Verified:
		return fmt.Errorf("the host reference computed something else")
	case c.ELF != Scheme && c.ELF != OneHash || c.Platform != "default":
		return fmt.Errorf("it is of %s on platform %s, not of %s or %s on platform default", c.ELF, c.Platform, Scheme, OneHash)
	case first != nil && (result.ELFSHA256 != first.ELFSHA256 || result.ModelVersion != first.ModelVersion):
		return fmt.Errorf("it is of another program or model version than the run of %s", PointOf(&first.Config))
	case result.Ledger.Sum() != result.Cycles:
		return fmt.Errorf("its ledger does not add up")
	}
	for _, g := range result.Regions {
		switch {
		case g.Calls != 1 || g.Open:
			return fmt.Errorf("%s did not run once and to its end", g.Name)
		case g.Ledger.Sum() != g.Cycles || g.Cycles == 0:
			return fmt.Errorf("the ledger of %s does not add up", g.Name)
		case !p.Software() && (g.Accel == nil || g.Accel.Permutations == 0):
			return fmt.Errorf("%s did not use the accelerator", g.Name)
		}
	}
	return nil
}

// Absent notes why there is no run of a point.
func (r *Results) Absent(p Point, why string) {
	if r.absent == nil {
		r.absent = map[Point]string{}
	}
	r.absent[p] = why
}

// Run returns the run of a point, nil if there is none.
func (r *Results) Run(p Point) *soc.Result { return r.runs[p] }

func (r *Results) why(p Point) string {
	if why, ok := r.absent[p]; ok {
		return why
	}
	if r.runs[p] != nil {
		return "its run lacks an operation"
	}
	return "it was not run"
}

// reader reads results for a verdict and notes what it misses.
type reader struct {
	results *Results
	missing []Point
}

// operation returns an operation of a run, and notes the run as missing if it is not
// there.
func (r *reader) operation(p Point, name string) *soc.Region {
	if g := r.find(p, name); g != nil {
		return g
	}
	r.missing = unique(append(r.missing, p))
	return nil
}

// find is the same for what no verdict depends on. An operation takes the same cycles
// whatever else the run did, so one that was run apart will do.
func (r *reader) find(p Point, name string) *soc.Region {
	for _, run := range []*soc.Result{r.results.Run(p), r.results.parts[p.part(name)]} {
		if run == nil {
			continue
		}
		for i := range run.Regions {
			if run.Regions[i].Name == name {
				return &run.Regions[i]
			}
		}
	}
	return nil
}
