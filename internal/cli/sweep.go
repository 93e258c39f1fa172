package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"socsim/bench/experiment"
	"socsim/bench/store"
	"socsim/soc"
)

// sweepFlags are those of the commands of socsim sweep.
type sweepFlags struct {
	store  string
	shards uint32
	shard  string
	jobs   int
	slurm  slurmFlags
}

// shardSeconds is what a shard should take at least: less is lost in the start of a job.
const shardSeconds = 600

// maxShards bounds --shards: a shard is a process.
const maxShards = 100_000

func (a *app) sweepCommand() *cobra.Command {
	var f sweepFlags
	c := &cobra.Command{
		Use:   "sweep COMMAND",
		Short: "an experiment on several machines: shards, one store, Slurm",
		Long: "Runs the points of an experiment in shards, which any number of machines may run in any\n" +
			"order, or twice: what has a row in the store is not run again. Machines that share no\n" +
			"folder have a store each, and merge puts them together. The rows are to the byte those of\n" +
			"socsim bench. docs/sweep-parallel.md and docs/sweep-kubernetes.md have whole examples.",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return c.Help()
		},
		DisableFlagsInUseLine: true,
	}
	sub := func(use, short string, run func(ctx context.Context, args []string) error) *cobra.Command {
		s := &cobra.Command{
			Use: use, Short: short, Long: strings.ToUpper(short[:1]) + short[1:] + ".", Args: cobra.ArbitraryArgs,
			RunE: func(c *cobra.Command, args []string) error { return run(c.Context(), args) },
		}
		s.Flags().SortFlags = false
		s.Flags().StringVar(&f.store, "store", "", "rows are in the folder `DIR` (default results/NAME)")
		c.AddCommand(s)
		return s
	}
	shards := func(s *cobra.Command) {
		s.Flags().Uint32Var(&f.shards, "shards", 0, "cut the experiment into so `MANY` shards (default: ten minutes each)")
		s.Flags().Lookup("shards").DefValue = ""
	}
	jobs := func(s *cobra.Command, text string) {
		s.Flags().IntVarP(&f.jobs, "jobs", "j", runtime.GOMAXPROCS(0), text)
	}
	shards(sub("plan EXPERIMENT|FILE [flags]", "says what each shard would take", func(_ context.Context, args []string) error { return a.sweepPlan(&f, args) }))
	run := sub("run EXPERIMENT|FILE --shard I/N [flags]", "runs what a shard lacks", func(ctx context.Context, args []string) error { return a.sweepRun(ctx, &f, args) })
	run.Flags().StringVar(&f.shard, "shard", "1/1", "run shard I of N, counted from 1, as `I/N`")
	jobs(run, "make `N` runs at a time")
	shards(sub("status EXPERIMENT|FILE [flags]", "says what has rows and which shards lack some", func(_ context.Context, args []string) error { return a.sweepStatus(&f, args) }))
	sub("merge DIR ... --store DIR", "puts the rows of other stores into one", func(_ context.Context, args []string) error { return a.sweepMerge(&f, args) })
	slurm := sub("slurm EXPERIMENT|FILE [flags]", "writes a batch script for Slurm with an array task for each shard that lacks rows",
		func(ctx context.Context, args []string) error { return a.sweepSlurm(ctx, &f, args) })
	shards(slurm)
	jobs(slurm, "give a task `N` processors")
	f.slurm.add(slurm.Flags())
	return c
}

// sweep is an experiment cut into shards, and the store.
type sweep struct {
	name       string // as on the command line
	experiment *experiment.Experiment
	points     []store.Point
	dir        string
	store      *store.Store
	shards     int
}

// open reads what arguments and flags name.
func (f *sweepFlags) open(command string, args []string) (*sweep, error) {
	if len(args) != 1 {
		return nil, usage("sweep %s takes one experiment, not %d", command, len(args))
	}
	e, err := openExperiment(args[0])
	if err != nil {
		return nil, err
	}
	s := &sweep{name: args[0], experiment: e, points: e.Points(), dir: f.store, shards: int(f.shards)}
	if s.dir == "" {
		s.dir = filepath.Join("results", e.Name)
	}
	if s.shards > maxShards {
		return nil, usage("--shards %d: at most %d", s.shards, maxShards)
	}
	if s.shards == 0 {
		var all float64
		estimator := experiment.NewEstimator() // not of the store, so that the number does not change
		for _, p := range s.points {
			all += estimator.Of(p).Nanoseconds
		}
		s.shards = max(1, min(len(s.points), maxArray, int(all/1e9/shardSeconds)+1))
	}
	if s.store, err = store.Open(s.dir); err != nil {
		return nil, input(err)
	}
	return s, nil
}

// shardPlan is what a shard has and lacks.
type shardPlan struct {
	number  int
	points  int
	missing int
	seconds float64 // of what is missing, as estimated
}

// plan looks into the store, shard by shard.
func (s *sweep) plan() (list []shardPlan, all *experiment.Plan, err error) {
	if all, err = experiment.NewPlan(s.points, s.store); err != nil {
		return nil, nil, input(err)
	}
	missing := map[string]float64{}
	for _, i := range all.Missing {
		missing[s.points[i].Key("", "")] = all.Costs[i].Nanoseconds / 1e9
	}
	for number, part := range experiment.Shards(s.points, s.shards) {
		p := shardPlan{number: number + 1, points: len(part)}
		for _, point := range part {
			if seconds, ok := missing[point.Key("", "")]; ok {
				p.missing++
				p.seconds += seconds
			}
		}
		list = append(list, p)
	}
	return list, all, nil
}

// lacking are the numbers of the shards that lack rows, as "1-3,7".
func lacking(list []shardPlan) string {
	var numbers []int
	for _, p := range list {
		if p.missing > 0 {
			numbers = append(numbers, p.number)
		}
	}
	return ranges(numbers)
}

// ranges writes ascending numbers as Slurm takes them: "1-3,7".
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		part := strconv.Itoa(numbers[i])
		if j > i {
			part += "-" + strconv.Itoa(numbers[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

func (s *sweep) title(b *strings.Builder, all *experiment.Plan) {
	fmt.Fprintf(b, "socsim %s: sweep of %s\n", soc.ModelVersion, s.experiment.Name)
	pairs(b, [][2]string{
		{"points", fmt.Sprintf("%d: %d have rows, %d are missing", len(s.points), len(s.points)-len(all.Missing), len(all.Missing))},
		{"store", s.dir},
		{"shards", fmt.Sprint(s.shards)},
	})
}

func (a *app) sweepPlan(f *sweepFlags, args []string) error {
	s, err := f.open("plan", args)
	if err != nil {
		return err
	}
	list, all, err := s.plan()
	if err != nil {
		return err
	}
	var b strings.Builder
	s.title(&b, all)
	b.WriteString("\n")
	var t table
	t.row("shard", "points", "missing", "about")
	var seconds float64
	for _, p := range list {
		t.row(fmt.Sprintf("%d/%d", p.number, s.shards), count(p.points), count(p.missing), about(p.seconds))
		seconds += p.seconds
	}
	t.row("all", count(len(s.points)), count(len(all.Missing)), about(seconds))
	t.write(&b)
	b.WriteString("  on one processor of 2.8 GHz, as estimated from rows and built-in results\n")
	io.WriteString(a.stdout, b.String())
	return nil
}

// about is a duration, roughly.
func about(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	if d < time.Minute {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// parseShard reads I/N.
func parseShard(text string) (i, n int, err error) {
	left, right, ok := strings.Cut(text, "/")
	i, wrongI := strconv.Atoi(left)
	n, wrongN := strconv.Atoi(right)
	if !ok || wrongI != nil || wrongN != nil || n < 1 || i < 1 || i > n || n > maxShards {
		return 0, 0, usage("--shard %s: want I/N, shard I of N counted from 1, as 3/8", quoted(text))
	}
	return i, n, nil
}

func (a *app) sweepRun(ctx context.Context, f *sweepFlags, args []string) error {
	i, n, err := parseShard(f.shard)
	if err != nil {
		return err
	}
	if f.jobs < 1 {
		return usage("sweep run: --jobs %d: at least one run at a time", f.jobs)
	}
	f.shards = uint32(n)
	s, err := f.open("run", args)
	if err != nil {
		return err
	}
	summary, err := a.runPoints(ctx, experiment.Shards(s.points, n)[i-1], s.store, f.jobs)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "socsim %s: shard %d/%d of %s: %d run now, %d from %s\n", soc.ModelVersion, i, n, s.experiment.Name, summary.Ran, summary.Reused, s.dir)
	return failed("sweep", summary.Failures)
}

func (a *app) sweepStatus(f *sweepFlags, args []string) error {
	s, err := f.open("status", args)
	if err != nil {
		return err
	}
	list, all, err := s.plan()
	if err != nil {
		return err
	}
	var b strings.Builder
	s.title(&b, all)
	if missing := lacking(list); missing != "" {
		pairs(&b, [][2]string{{"lacking", "shards " + missing}})
	} else {
		b.WriteString("  complete\n")
	}
	io.WriteString(a.stdout, b.String())
	return nil
}

func (a *app) sweepMerge(f *sweepFlags, args []string) error {
	switch {
	case f.store == "":
		return usage("sweep merge: into which folder? say --store DIR")
	case len(args) == 0:
		return usage("sweep merge: of which stores? name their folders")
	}
	into, err := store.Open(f.store)
	if err != nil {
		return input(err)
	}
	var others []*store.Store
	for _, dir := range args {
		if _, err := os.Stat(dir); missing(err) { // Open would make it
			return input(fmt.Errorf("sweep merge: no store %s", dir))
		}
		other, err := store.Open(dir)
		if err != nil {
			return input(err)
		}
		others = append(others, other)
	}
	added, err := into.Merge(others...)
	if err != nil {
		return input(err)
	}
	rows, err := into.Rows()
	if err != nil {
		return input(err)
	}
	fmt.Fprintf(a.stdout, "socsim %s: %s has %s, %d of them new\n", soc.ModelVersion, f.store, plural(len(rows), "row"), added)
	return nil
}
