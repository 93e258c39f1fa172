package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"socsim/bench/experiment"
	"socsim/bench/export"
	"socsim/bench/store"
	"socsim/internal/nearest"
	"socsim/soc"
)

// benchFlags are those of socsim bench.
type benchFlags struct {
	store  string
	jobs   int
	check  string
	export string
	output string
	quiet  bool
}

// referenceFormat is a format of --export besides those of package export.
const referenceFormat = "reference"

func (a *app) benchCommand() *cobra.Command {
	var f benchFlags
	formats := strings.Join(append(append([]string{}, export.Formats...), referenceFormat), ", ")
	c := &cobra.Command{
		Use:   "bench [EXPERIMENT|FILE] [flags]",
		Short: "an experiment: many runs, each stored and never made twice",
		Long: "Runs an experiment: firmware x parameter sets x operations x accelerators x settings x\n" +
			"seeds, from a TOML file or a built-in one, and prints cycles. Every run is checked by the\n" +
			"host reference and becomes a row of a store, a folder; what has a row there is not run\n" +
			"again, so what was interrupted goes on. Without an experiment: lists those built in.\n\n" +
			"--check compares with reference results: a folder of rows, a file of --export reference,\n" +
			"or the built-in ones, called reference. Cycles are exact, so any difference is a change.",
		Example: "  socsim bench quick\n" +
			"  socsim bench interfaces --check reference -q\n" +
			"  socsim bench mine.toml --store rows --export csv -o mine.csv",
		RunE: func(c *cobra.Command, args []string) error { return a.bench(c.Context(), &f, args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.store, "store", "", "keep rows in the folder `DIR` (default results/NAME)")
	flags.IntVarP(&f.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "make `N` runs at a time")
	flags.StringVar(&f.check, "check", "", "compare with the results in `DIR|FILE`, or with reference, the built-in ones")
	flags.StringVar(&f.export, "export", "", "write all rows as `FORMAT`: "+formats)
	flags.StringVarP(&f.output, "output", "o", "", "write that to `FILE` (default: standard output)")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "do not print the table of cycles")
	return c
}

// openExperiment reads a file, or takes what is built in under that name if there is no
// such file.
func openExperiment(name string) (*experiment.Experiment, error) {
	text, _, err := readFile(name, maxPlatform)
	if err == nil {
		e, err := experiment.Parse(name, text)
		if err != nil {
			return nil, input(err)
		}
		return e, nil
	}
	short := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(name), "bench/experiments/"), ".toml")
	for _, known := range experiment.Builtin() {
		if short == known {
			e, err := experiment.Load(known)
			if err != nil {
				return nil, fail(exitInternal, err)
			}
			return e, nil
		}
	}
	if missing(err) {
		err = fmt.Errorf("%s: no such file%s; built in are %s", quoted(name), nearest.Hint(short, experiment.Builtin()), strings.Join(experiment.Builtin(), ", "))
	}
	return nil, input(fmt.Errorf("experiment: %w", err))
}

func (f *benchFlags) validate() error {
	switch {
	case f.jobs < 1:
		return usage("bench: --jobs %d: at least one run at a time", f.jobs)
	case f.export != "" && f.export != referenceFormat && !export.Known(f.export):
		return usage("bench: --export %s: no such format%s; there are %s, %s", f.export, nearest.Hint(f.export, append(export.Formats, referenceFormat)),
			strings.Join(export.Formats, ", "), referenceFormat)
	case f.output != "" && f.export == "":
		return usage("bench: --output %s: of what? say --export csv, or another format", f.output)
	case f.export == "parquet" && f.output == "":
		return usage("bench: --export parquet is binary; say where to with -o FILE")
	}
	return nil
}

func (a *app) bench(ctx context.Context, f *benchFlags, args []string) error {
	if len(args) > 1 {
		return usage("bench takes one experiment, not %d", len(args))
	}
	if err := f.validate(); err != nil {
		return err
	}
	if len(args) == 0 {
		var b strings.Builder
		err := listExperiments(&b)
		io.WriteString(a.stdout, b.String())
		return err
	}
	if f.output != "" {
		if err := notAnInput("-o", f.output, f.store, args[0], f.check); err != nil {
			return input(err)
		}
	}
	e, err := openExperiment(args[0])
	if err != nil {
		return err
	}
	reference, err := openReference(f.check, e.Name)
	if err != nil {
		return err
	}
	dir := f.store
	if dir == "" {
		dir = filepath.Join("results", e.Name)
	}
	s, err := store.Open(dir)
	if err != nil {
		return input(err)
	}
	points := e.Points()
	summary, err := a.runPoints(ctx, points, s, f.jobs)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "socsim %s: %s\n", soc.ModelVersion, e.Name)
	pairs(&b, summaryRows(e, summary, dir, len(points)))
	if !f.quiet {
		cyclesText(&b, summary.Rows)
	}
	if f.export != "" {
		if err := a.export(f, summary.Rows); err != nil {
			return err
		}
		if f.output == "" {
			b.Reset() // standard output is taken
		}
	}
	var differ error
	if reference != nil {
		c := experiment.ReferenceOf(summary.Rows).Compare(reference)
		if len(summary.Failures) > 0 {
			c.Left = nil // some have no row because they failed, which is said
		}
		checkText(&b, f.check, c)
		if n := len(c.Differences); n > 0 {
			differ = fail(exitVerify, fmt.Errorf("bench: %s from %s", plural(n, "difference"), f.check))
		} else if c.Compared == 0 {
			differ = fail(exitVerify, fmt.Errorf("bench: %s has none of the points of %s: nothing was compared", f.check, e.Name))
		}
	}
	io.WriteString(a.stdout, b.String())
	if err := failed("bench", summary.Failures); err != nil {
		return err
	}
	return differ
}

// runPoints runs what the store lacks, with a progress bar.
func (a *app) runPoints(ctx context.Context, points []store.Point, s *store.Store, jobs int) (*experiment.Summary, error) {
	bar := newProgress(a.stderr)
	summary, err := experiment.Run(ctx, points, s, jobs, func(p experiment.Progress) {
		bar.showRuns(fmt.Sprintf("%d of %s, %s", p.Done, plural(p.All, "run"), timeLeft(bar.seconds(), p.Part)), p.Cycles, p.Instret)
	})
	bar.clear()
	switch {
	case errors.Is(err, context.Canceled):
		return nil, fail(exitLimit, fmt.Errorf("interrupted: %d of %s have rows in %s; the same command goes on with the others",
			len(summary.Rows), plural(len(points), "point"), s.Dir()))
	case err != nil && strings.HasPrefix(err.Error(), "BUG:"):
		return nil, fail(exitInternal, err)
	case err != nil:
		return nil, input(err)
	}
	return summary, nil
}

// timeLeft says how long the rest takes if a part of the work took so many seconds; it is
// empty while nobody can know.
func timeLeft(seconds, part float64) string {
	if part < 0.02 || part >= 1 {
		return ""
	}
	return fmt.Sprintf("about %s left, ", time.Duration(seconds*(1-part)/part*float64(time.Second)).Round(time.Second))
}

func summaryRows(e *experiment.Experiment, s *experiment.Summary, dir string, points int) [][2]string {
	refused := 0
	for i := range s.Rows {
		if s.Rows[i].Refused != "" {
			refused++
		}
	}
	made := fmt.Sprintf("%d: %d run now, %d from the store", points, s.Ran, s.Reused)
	if refused > 0 {
		made += fmt.Sprintf("; %d refused", refused)
	}
	if n := len(s.Failures); n > 0 {
		made += fmt.Sprintf("; %d FAILED", n)
	}
	rows := [][2]string{}
	if e.Title != "" {
		rows = append(rows, [2]string{"shows", e.Title})
	}
	return append(rows, [2]string{"points", made}, [2]string{"store", dir})
}

// failed is the error of a command some of whose points failed: the first of them.
func failed(command string, list []experiment.Failure) error {
	if len(list) == 0 {
		return nil
	}
	first, code := list[0], exitInput
	if first.Result != nil {
		if code = guestCode(first.Result.Status()); code == 0 {
			code = exitVerify // it ended well, but is no evidence
		}
	}
	more := ""
	if n := len(list) - 1; n > 0 {
		more = fmt.Sprintf(" (and %s more)", plural(n, "point"))
	}
	return fail(code, fmt.Errorf("%s: %w%s", command, first.Err, more))
}

// listExperiments is a part of socsim list.
func listExperiments(b *strings.Builder) error {
	var rows [][2]string
	for _, name := range experiment.Builtin() {
		e, err := experiment.Load(name)
		if err != nil {
			return fail(exitInternal, err)
		}
		rows = append(rows, [2]string{name, fmt.Sprintf("%s (%s)", e.Title, plural(len(e.Points()), "point"))})
	}
	b.WriteString("Experiments (socsim bench NAME; built in)\n")
	pairs(b, rows)
	return nil
}

// export writes all rows.
func (a *app) export(f *benchFlags, rows []store.Row) error {
	var b bytes.Buffer
	var err error
	if f.export == referenceFormat {
		err = experiment.ReferenceOf(rows).Write(&b)
	} else {
		err = export.Write(&b, f.export, rows)
	}
	if err != nil {
		return fail(exitInternal, err)
	}
	if f.output == "" {
		a.stdout.Write(b.Bytes())
		return nil
	}
	if err := os.WriteFile(f.output, b.Bytes(), 0o666); err != nil {
		return input(err)
	}
	return nil
}

// openReference reads what --check names: nil if it names nothing.
func openReference(name, experimentName string) (*experiment.Reference, error) {
	if name == "" {
		return nil, nil
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		s, err := store.Open(name)
		if err != nil {
			return nil, input(err)
		}
		rows, err := s.Rows()
		if err == nil && len(rows) == 0 {
			err = fmt.Errorf("--check: %s has no rows", name)
		}
		if err != nil {
			return nil, input(err)
		}
		return experiment.ReferenceOf(rows), nil
	case err != nil && name == referenceFormat:
		r, err := experiment.LoadReference(experimentName)
		if err != nil {
			return nil, input(fmt.Errorf("--check reference: %w", err))
		}
		return r, nil
	}
	text, _, err := readFile(name, maxReference)
	if err != nil {
		return nil, input(fmt.Errorf("--check: %w", err))
	}
	r, err := experiment.ParseReference(name, text)
	if err != nil {
		return nil, input(fmt.Errorf("--check: %w", err))
	}
	return r, nil
}

// maxReference is what a file of reference results has at most: a million lines.
const maxReference = 256 << 20
