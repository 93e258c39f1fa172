package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"socsim/bench/experiment"
	"socsim/bench/store"
)

// slurmFlags are those of socsim sweep slurm beside those of all of sweep.
type slurmFlags struct {
	output  string
	submit  bool
	options []string
	array   uint32
}

// maxArray is how many tasks an array has at most where Slurm was not asked: its default
// MaxArraySize is 1001, and task numbers stay below it.
const maxArray = 1000

func (f *slurmFlags) add(flags *pflag.FlagSet) {
	flags.StringVarP(&f.output, "output", "o", "", "write the script to `FILE` (default: standard output; with --submit STORE.sbatch)")
	flags.BoolVar(&f.submit, "submit", false, "submit it, by sbatch")
	flags.StringArrayVar(&f.options, "sbatch", nil, "put `OPTION` into the script, e.g. --partition=short (repeatable)")
	flags.Uint32Var(&f.array, "max-array", 0, "an array has at most `N` tasks (default: as scontrol says, else 1000)")
	flags.Lookup("max-array").DefValue = ""
}

// What a task gets beyond what it is expected to take: a slower or busier node, and the
// start.
const (
	limitFactor  = 3
	limitSeconds = 120
)

func (a *app) sweepSlurm(ctx context.Context, f *sweepFlags, args []string) error {
	s, err := f.open("slurm", args)
	if err != nil {
		return err
	}
	if f.jobs < 1 {
		return usage("sweep slurm: --jobs %d: at least one processor a task", f.jobs)
	}
	most := int(f.slurm.array)
	if most == 0 {
		most = arrayLimit(ctx)
	}
	if s.shards > most {
		if f.shards != 0 {
			return usage("--shards %d: this Slurm takes arrays of %d tasks at most (MaxArraySize)", f.shards, most)
		}
		s.shards = most
	}
	list, all, err := s.plan()
	if err != nil {
		return err
	}
	missing := lacking(list)
	if missing == "" {
		fmt.Fprintf(a.stdout, "sweep slurm: all %s have rows in %s; there is nothing to run\n", plural(len(s.points), "point"), s.dir)
		return nil
	}
	factor, err := hostFactor(ctx)
	if err != nil {
		return fail(exitInternal, err)
	}
	script, err := s.script(f, list, missing, factor)
	if err != nil {
		return err
	}
	if !f.slurm.submit && f.slurm.output == "" {
		io.WriteString(a.stdout, script)
		return nil
	}
	file := f.slurm.output
	if file == "" {
		file = filepath.Clean(s.dir) + ".sbatch"
	}
	if err := os.WriteFile(file, []byte(script), 0o777); err != nil {
		return input(err)
	}
	fmt.Fprintf(a.stdout, "%s: shards %s of %d, %s missing\n", file, missing, s.shards, plural(len(all.Missing), "point"))
	if !f.slurm.submit {
		return nil
	}
	var complaint bytes.Buffer
	c := exec.CommandContext(ctx, "sbatch", file)
	c.Stdout, c.Stderr = a.stdout, &complaint
	if err := c.Run(); err != nil {
		return input(fmt.Errorf("sbatch %s: %w: %s", file, err, strings.TrimSpace(complaint.String())))
	}
	return nil
}

// arrayLimit is how many tasks an array may have, as Slurm says where it is.
func arrayLimit(ctx context.Context) int {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	out, err := exec.CommandContext(ctx, "scontrol", "show", "config").Output()
	if err != nil {
		return maxArray
	}
	m := regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`).FindSubmatch(out)
	if m == nil {
		return maxArray
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil || n < 2 {
		return maxArray
	}
	return n - 1
}

// probe is a run of a tenth of a second, to measure a host with.
var probe = store.Point{Kind: store.Program, Program: "sphincs", Set: "128f", Operations: []string{"verify"}, Accel: "shake-fifo", Platform: "default"}

// hostFactor measures how much longer this host takes for a run than is estimated.
func hostFactor(ctx context.Context) (float64, error) {
	run, err := experiment.Runnable(probe)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	o := run.Run(ctx, nil)
	if o.Err != nil {
		return 0, o.Err
	}
	took := time.Since(start)
	e := experiment.NewEstimator()
	e.Learn(&store.Row{Point: probe, Result: o.Result})
	return float64(took.Nanoseconds()) / e.Of(probe).Nanoseconds, nil
}

// script is a batch script with an array task for each shard that lacks rows.
func (s *sweep) script(f *sweepFlags, list []shardPlan, missing string, factor float64) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fail(exitInternal, err)
	}
	if program() != "socsim" {
		return "", usage("sweep slurm: tasks need a program that stays; build it first: go build, then ./socsim sweep slurm ...")
	}
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		return "", input(err)
	}
	name := s.name
	if _, err := os.Stat(name); err == nil {
		if name, err = filepath.Abs(name); err != nil {
			return "", input(err)
		}
	}
	var longest float64
	for _, p := range list {
		longest = max(longest, p.seconds)
	}
	minutes := int(math.Ceil((longest*factor*limitFactor + limitSeconds) / 60))
	var b strings.Builder
	fmt.Fprintf(&b, `#!/bin/sh
# Shards of %s that lack rows, an array task for each. A task that is killed or put back
# into the queue goes on where it was; submitted again, this runs what is still missing.
#SBATCH --job-name=socsim-%s
#SBATCH --array=%s
#SBATCH --cpus-per-task=%d
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%s
`, s.experiment.Name, s.experiment.Name, missing, f.jobs, dir+".%A.%a.log")
	fmt.Fprintf(&b, "# The longest takes about %s on one processor of this host (measured), times %d and %d seconds.\n#SBATCH --time=%d\n",
		about(longest*factor), limitFactor, limitSeconds, minutes)
	for _, o := range f.slurm.options {
		if !strings.HasPrefix(o, "-") || strings.ContainsAny(o, "\n\r") {
			return "", usage("--sbatch %s: want an option of sbatch, as --partition=short", quoted(o))
		}
		fmt.Fprintf(&b, "#SBATCH %s\n", o)
	}
	fmt.Fprintf(&b, "exec %s sweep run %s --shard \"$SLURM_ARRAY_TASK_ID/%d\" --store %s -j \"${SLURM_CPUS_PER_TASK:-1}\"\n",
		shellQuoted(self), shellQuoted(name), s.shards, shellQuoted(dir))
	return b.String(), nil
}

// shellQuoted is one word for a shell.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
