package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"socsim/bench"
	"socsim/internal/nearest"
	"socsim/sdith"
	"socsim/sdith/pipeline"
)

// sdithFlags are those of socsim sdith.
type sdithFlags struct {
	config      string
	start       uint32
	count       uint32
	jobs        int
	kat         string
	cacheDepth  uint32
	path        string
	hCom        bool
	costs       []string
	inventory   bool
	published   bool
	json, csv   bool
	vcd         string
	depthWanted bool // --cache-depth was given
}

func (a *app) sdithCommand() *cobra.Command {
	var f sdithFlags
	var names []string
	for _, c := range pipeline.Configs() {
		names = append(names, c.Name())
	}
	c := &cobra.Command{
		Use:   "sdith [flags]",
		Short: "SDitH-v2 signing hardware: known answers, cycles phase by phase, memories",
		Long: "Makes known answers of SDitH version 2 on a model of signing hardware, checks every\n" +
			"signature, and says how many cycles each phase takes, what it keeps busy, and what goes\n" +
			"through the memories. Configurations are\n  " + strings.Join(names[:6], ", ") + ",\n  " + strings.Join(names[6:], ", ") + ".\n" +
			"Phases are K (tree cache), G (commitments), W1, W2, W3 (passes over all leaves), B (batching\n" +
			"challenge), X (polynomials), H (hash), P (proof of work) and O (opening).",
		Example: "  socsim sdith --config sec1_fast_hp0 --count 10 --start 5 --jobs 2\n" +
			"  socsim sdith --config all --count 1 --published\n" +
			"  socsim sdith --config sec1_fast_hp1 --cache-depth 10 --path both\n" +
			"  socsim sdith --config sec1_fast_hp0 --vcd sdith.vcd",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("sdith takes flags only, not %q; for a configuration: --config %s", args[0], args[0])
			}
			f.depthWanted = c.Flags().Changed("cache-depth")
			return a.sdith(c.Context(), &f)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.config, "config", "sec1_fast_hp0", "configurations as `NAMES` with commas between, or all")
	flags.Uint32Var(&f.count, "count", 1, "make so `MANY` known answers of each configuration")
	flags.Uint32Var(&f.start, "start", 0, "the first of them, 0 to 99, as `NUMBER`")
	flags.IntVarP(&f.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "make `N` at a time")
	flags.StringVar(&f.kat, "kat", "", "compare with the submission's files PQCsignKAT_*.rsp[.gz] below the folder `DIR`")
	flags.Uint32Var(&f.cacheDepth, "cache-depth", 0, "CACHE_DEPTH: cache `LEVEL` of the tree, 0 to the depth of the leaves (default 8 at level 1, else 7)")
	flags.Lookup("cache-depth").DefValue = ""
	flags.StringVar(&f.path, "path", "single", "`WHAT` is kept of the way to a leaf: none, single (its seeds) or both (siblings, too)")
	flags.BoolVar(&f.hCom, "hcom-in-phase12", false, "HCOM_IN_PHASE12: hash commitments in W1, in the document's order, not that of the known answers")
	flags.StringArrayVar(&f.costs, "cost", nil, "set a cost, as `NAME=N`: "+costNames())
	flags.BoolVar(&f.inventory, "inventory", false, "print memories in bits, and units; run nothing")
	flags.BoolVar(&f.published, "published", false, "compare cycles with the published minutes of RTL simulation")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	flags.BoolVar(&f.csv, "csv", false, "print a line for each known answer, with commas between")
	flags.StringVar(&f.vcd, "vcd", "", "write phases, units and ports of the one known answer to `FILE`, for waveform viewers")
	return c
}

func costNames() string {
	var names []string
	for _, c := range pipeline.DefaultCosts().Table() {
		names = append(names, fmt.Sprintf("%s (%d %s)", c.Name, c.Value, c.Unit))
	}
	return strings.Join(names, ", ")
}

// configs are the configurations that the flags ask for.
func (f *sdithFlags) configs() (configs []pipeline.Config, err error) {
	names := strings.Split(f.config, ",")
	if f.config == "all" {
		names = nil
		for _, c := range pipeline.Configs() {
			names = append(names, c.Name())
		}
	}
	var known []string
	for _, c := range pipeline.Configs() {
		known = append(known, c.Name())
	}
	seen := map[string]bool{}
	for _, name := range names {
		c, err := pipeline.ParseConfig(name)
		if err != nil {
			return nil, usage("--config: no configuration %q%s; there are all, %s", name, nearest.Hint(name, known), strings.Join(known, ", "))
		}
		if seen[name] {
			return nil, usage("--config: %s stands there twice", name)
		}
		seen[name] = true
		if f.depthWanted {
			c.CacheDepth = int(f.cacheDepth)
		}
		c.HComInPhase12 = f.hCom
		if c.Path, err = pipeline.ParsePathRegisters(f.path); err != nil {
			return nil, usage("--path: %w", err)
		}
		for _, setting := range f.costs {
			if err := setCost(&c.Costs, setting); err != nil {
				return nil, err
			}
		}
		if err := c.Check(); err != nil {
			return nil, usage("sdith: %w", err)
		}
		configs = append(configs, c)
	}
	return configs, nil
}

func setCost(costs *pipeline.Costs, setting string) error {
	name, value, ok := strings.Cut(setting, "=")
	if !ok {
		return usage("--cost %s: want NAME=N, with one of %s", quoted(setting), costNames())
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		return usage("--cost %s: %s is no whole number", setting, quoted(value))
	}
	if err := costs.Set(name, n); err != nil {
		return usage("--cost: %w", err)
	}
	return nil
}

// check returns what is wrong with the flags together.
func (f *sdithFlags) check(configs []pipeline.Config) error {
	switch {
	case f.count < 1:
		return usage("--count 0: at least one known answer")
	case uint64(f.start)+uint64(f.count) > sdith.KATEntries:
		return usage("--start %d --count %d: there are known answers 0 to %d", f.start, f.count, sdith.KATEntries-1)
	case f.jobs < 1:
		return usage("--jobs %d: at least one at a time", f.jobs)
	case f.json && f.csv:
		return usage("--json and --csv: one of them")
	case f.inventory && (f.csv || f.vcd != "" || f.kat != "" || f.published):
		return usage("--inventory runs nothing: no --csv, --vcd, --kat or --published")
	case f.vcd != "" && (len(configs) != 1 || f.count != 1):
		return usage("--vcd is of one known answer: one --config, --count 1")
	case f.hCom && f.kat != "":
		return usage("--hcom-in-phase12 makes no known answers: no --kat")
	}
	return nil
}

func (a *app) sdith(ctx context.Context, f *sdithFlags) error {
	configs, err := f.configs()
	if err != nil {
		return err
	}
	if err := f.check(configs); err != nil {
		return err
	}
	if f.inventory {
		return a.inventories(f, configs)
	}
	if f.kat != "" { // what is wrong with the files is said before the work
		for _, c := range configs {
			name, err := findKAT(f.kat, c.Set)
			if err == nil {
				_, err = readKAT(name)
			}
			if err != nil {
				return input(err)
			}
		}
	}
	runs, err := a.sdithRuns(ctx, f, configs)
	switch {
	case errors.Is(err, context.Canceled):
		return fail(exitLimit, errors.New("interrupted; there is no report"))
	case err != nil:
		return err
	}
	report := newSDitHReport(f, configs, runs)
	if f.kat != "" {
		if err := report.compareFiles(f.kat, runs); err != nil {
			return input(err)
		}
	}
	if err := report.print(a.stdout, f, runs); err != nil {
		return fail(exitInternal, err)
	}
	if n := report.wrong(); n > 0 {
		return fail(exitVerify, fmt.Errorf("sdith: %s not as expected", plural(n, "signature")))
	}
	return nil
}

// sdithRuns makes the known answers.
func (a *app) sdithRuns(ctx context.Context, f *sdithFlags, configs []pipeline.Config) ([]bench.SDitHRun, error) {
	if f.vcd != "" {
		run, err := sdithDump(f.vcd, bench.SDitHRun{Config: configs[0], Count: int(f.start)})
		return []bench.SDitHRun{run}, err
	}
	bar := newProgress(a.stderr)
	defer bar.clear()
	runs, err := bench.RunSDitH(ctx, configs, int(f.start), int(f.count), f.jobs, func(done, all int) {
		bar.say(fmt.Sprintf("%.0f s: %d of %s", bar.seconds(), done, plural(all, "signature")))
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		err = fail(exitInternal, err)
	}
	return runs, err
}

// sdithDump makes a known answer with a value change dump.
func sdithDump(name string, run bench.SDitHRun) (bench.SDitHRun, error) {
	m, err := pipeline.New(run.Config)
	if err != nil {
		return run, fail(exitInternal, err)
	}
	if err := mayOverwrite(name); err != nil {
		return run, input(err)
	}
	file, err := os.Create(name)
	if err != nil {
		return run, input(err)
	}
	dump := pipeline.NewVCD(file, m)
	m.Trace(dump)
	err = run.RunOn(m)
	if err != nil {
		file.Close()
		return run, fail(exitInternal, err)
	}
	err = dump.Close(run.Result.Cycles)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return run, input(fmt.Errorf("%s: %w", name, err))
	}
	return run, nil
}

// mayOverwrite returns an error if there is a file of that name which is no dump: so
// that no input is lost to a slip.
func mayOverwrite(name string) error {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // os.Create says what is wrong, if anything is
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	head := make([]byte, len(pipeline.VCDHead))
	if _, err := io.ReadFull(file, head); err == nil && string(head) == pipeline.VCDHead {
		return nil
	}
	return fmt.Errorf("--vcd %s: the file exists and is no dump of a pipeline; remove it, or take another name", name)
}

// maxKAT is what a file of known answers has at most: the largest has 4 MB.
const maxKAT = 64 << 20

// compareFiles compares the runs with the submission's files below dir, entry by entry,
// and where all hundred were made the whole file.
func (r *sdithReport) compareFiles(dir string, runs []bench.SDitHRun) error {
	for i := range r.Configs {
		c := &r.Configs[i]
		name, err := findKAT(dir, c.set)
		if err != nil {
			return err
		}
		file, err := readKAT(name)
		if err != nil {
			return err
		}
		var whole bytes.Buffer
		if err := c.set.WriteKATHeader(&whole); err != nil {
			return err
		}
		c.File = name
		equal := 0
		for _, run := range runs {
			if run.Config.Name() != c.Name {
				continue
			}
			var entry bytes.Buffer
			if err := sdith.WriteKAT(&entry, run.KAT, run.Key, run.Result.Signature); err != nil {
				return err
			}
			whole.Write(entry.Bytes())
			if bytes.Contains(file, entry.Bytes()) {
				equal++
			}
		}
		c.InFile = &equal
		if c.Count == sdith.KATEntries {
			same := bytes.Equal(file, whole.Bytes())
			c.WholeFile = &same
		}
	}
	return nil
}

// findKAT returns the file of a set: below a folder with the set's name in its own, as
// the submission has it, or right in the folder.
func findKAT(dir string, set *sdith.Params) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s: a file; --kat wants the folder it is in", dir)
	}
	var found string
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		base := strings.TrimSuffix(d.Name(), ".gz")
		parent := filepath.Base(filepath.Dir(path))
		if base == set.KATFileName() && found == "" && (strings.Contains(strings.ToLower(parent), set.Name) || filepath.Dir(path) == filepath.Clean(dir)) {
			found = path
		}
		return nil
	})
	if err == nil && found == "" {
		err = fmt.Errorf("%s: no %s in it or in a folder with %s in its name", dir, set.KATFileName(), set.Name)
	}
	return found, err
}

// readKAT reads a file of known answers, packed or not.
func readKAT(name string) ([]byte, error) {
	b, _, err := readFile(name, maxKAT)
	if err != nil || !strings.HasSuffix(name, ".gz") {
		return b, err
	}
	unpacked, err := gzip.NewReader(bufio.NewReader(bytes.NewReader(b)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	b, err = io.ReadAll(io.LimitReader(unpacked, maxKAT+1))
	if err == nil && len(b) > maxKAT {
		err = errors.New("more than 64 MiB; this is no file of known answers")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}
