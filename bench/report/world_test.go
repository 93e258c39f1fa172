package report

import (
	"strings"
	"testing"

	"socsim/accel"
	"socsim/bench/claims"
	"socsim/bench/store"
	"socsim/sdith/pipeline"
	"socsim/soc"
)

// fake is what a fabricated run does in an operation.
type fake struct {
	point     store.Point
	operation string
	soc.Ledger
	busy, permutations, in, out uint64
}

func (f *fake) hash() string {
	if f.point.Accel == "none" {
		return f.point.Hash
	}
	hash, _, _ := strings.Cut(f.point.Accel, "-")
	return hash
}

func (f *fake) coupling() string {
	_, coupling, _ := strings.Cut(f.point.Accel, "-")
	return coupling
}

// friendly is a world in which every claim is right, for every scheme.
func friendly(p store.Point, operation string) *fake {
	f := &fake{point: p, operation: operation, permutations: 10, in: 200, out: 50}
	f.Compute = 50
	if p.Accel == "none" {
		f.Compute = 10_000
		return f
	}
	f.MoveIn, f.MoveOut, f.Control, f.busy, f.Wait = 800, 100, 50, 120, 100
	if f.coupling() == "regx" && strings.HasPrefix(f.hash(), "shake") {
		f.MoveIn = 600
	}
	if f.hash() == "shake12" || f.hash() == "ascon8" {
		f.busy, f.Wait = 60, 50
	}
	for _, s := range p.Settings {
		key, value, _ := strings.Cut(s, "=")
		switch key {
		case "accel.bus":
			x, _ := waitsOf(value)
			f.MoveIn, f.MoveOut = 100*uint64(x+1), 0
			f.busy, f.Wait = 300, 300
		case "accel.cycles_per_round":
			r, _ := accel.ParseRatio(value)
			f.busy = f.busy * uint64(r.Num) / uint64(r.Den)
			f.Wait = f.busy
		case "accel.fifo_depth":
			d, _ := number64(value)
			f.WaitIn = uint64(100 / d)
		}
	}
	return f
}

const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// row is the row of a point, as a run gives it.
func row(p store.Point, change func(*fake)) store.Row {
	verified := true
	r := &soc.Result{
		Exit: soc.Exit{Reason: soc.Semihosting}, Verified: &verified, ELFSHA256: digest, ModelVersion: soc.ModelVersion,
		Config: soc.Config{ELF: p.Program + ".elf", Platform: "default", Accel: p.Accel, Set: p.Settings, ClockHz: 100_000_000, ClockAssumed: true},
	}
	if p.Set != "" {
		r.Config.Args = append(r.Config.Args, "-p", p.Set)
	}
	if len(p.Operations) > 0 {
		r.Config.Args = append(r.Config.Args, "-op", strings.Join(p.Operations, ","))
	}
	r.Config.Args = append(r.Config.Args, p.Args...)
	names := p.Operations
	if len(names) == 0 {
		names = []string{"hash"}
	}
	for _, name := range names {
		f := friendly(p, name)
		if change != nil {
			change(f)
		}
		r.Config.Hash = f.hash()
		g := soc.Region{Name: name, Calls: 1, Cycles: f.Sum(), Instret: f.Sum() / 2, Ledger: f.Ledger}
		if p.Accel != "none" {
			g.Accel = &soc.AccelStats{WordsIn: f.in, WordsOut: f.out, Permutations: f.permutations, BusyCycles: f.busy}
		}
		r.Regions = append(r.Regions, g)
		r.Cycles += g.Cycles
	}
	r.Ledger.Compute = r.Cycles
	return store.Row{Version: 1, ModelVersion: soc.ModelVersion, Point: p, ELFSHA256: digest, Result: r}
}

// world is rows of all that a report can show: what claims need of a parameter set, the other
// schemes over everything, a sweep, seeds, SDitH.
func world(change func(*fake)) (rows []store.Row) {
	add := func(p store.Point) {
		p.Kind, p.Platform = store.Program, "default"
		rows = append(rows, row(p, change))
	}
	scope := claims.Scope{Claims: claims.Names(), Sets: []string{"128f"}, Operations: claims.Operations}
	for _, p := range scope.Points() {
		q := store.Point{Program: strings.TrimSuffix(p.Program, ".elf"), Set: p.Set, Accel: p.Accel, Settings: strings.Fields(p.Settings), Args: []string{"-nodigest"}}
		if p.Software() {
			q.Hash = p.Hash
		}
		if p.Program == claims.OneHash {
			q.Args = []string{"-in", p.Message}
		} else {
			q.Operations = strings.Split(p.Operations, ",")
		}
		add(q)
	}
	for _, scheme := range claims.OtherSchemes {
		for _, hash := range hashes {
			for _, coupling := range couplings {
				for _, seed := range []string{"1", "2", "3"} {
					p := store.Point{Program: scheme, Set: "1", Operations: []string{"sign"}, Accel: hash + "-" + coupling, Seed: seed}
					if coupling == software {
						p.Accel, p.Hash = "none", hash
					}
					add(p)
				}
			}
		}
	}
	for _, bus := range []string{"0/0/0", "0/1/1", "0/2/3"} {
		for _, depth := range []string{"1", "2", "10"} {
			for _, rounds := range []string{"1/2", "1", "2"} {
				add(store.Point{Program: "hash", Args: []string{"-in", "408"}, Accel: "shake-fifo",
					Settings: []string{"accel.bus=" + bus, "accel.cycles_per_round=" + rounds, "accel.fifo_depth=" + depth}})
			}
		}
	}
	for _, c := range pipeline.Configs()[:2] {
		for i, depth := range []string{"", "4", "6"} {
			r := &pipeline.Result{Config: c.Name(), Attempts: 3, Cycles: int64(1000 * (i + 1))}
			r.Phases[pipeline.PhaseG] = pipeline.PhaseResult{Phase: pipeline.PhaseG, Cycles: r.Cycles}
			p := store.Point{Kind: store.SDitH, Config: c.Name(), Seed: "0"}
			if depth != "" {
				p.Settings = []string{"cache_depth=" + depth}
			}
			rows = append(rows, store.Row{Version: 1, ModelVersion: soc.ModelVersion, Point: p, SDitH: &store.SDitHResult{Result: r, Known: true}})
		}
	}
	return rows
}

// proportional is an energy that ranks as cycles do.
func proportional(r *soc.Result) (map[string]Energy, error) {
	all := map[string]Energy{}
	for _, g := range r.Regions {
		x := float64(g.Cycles)
		all[g.Name] = Energy{Value: x, Low: x / 2, High: 2 * x, Parts: []EnergyPart{{"core", 0.75 * x}, {"leakage", 0.25 * x}}}
	}
	return all, nil
}

func written(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	if err := r.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
