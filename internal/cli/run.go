package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"socsim/bench/energy"
	"socsim/firmware"
	"socsim/soc"
)

// runFlags are those of socsim run.
type runFlags struct {
	system          systemFlags
	maxInstructions uint64
	maxCycles       uint64
	timeout         time.Duration
	json, noHost    bool
	quiet, verbose  bool
	dumps, regions  []string
	commitLog, ram  string
	dir             string
	dirWrite        bool
	events          bool
	energy          optional
	engine          string
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run ELF [flags] [-- GUEST ARGUMENTS]",
		Short: "run a program and report where its cycles went",
		Long: "Runs an RV32 program and reports where its cycles went. Flags may stand before or\n" +
			"behind the ELF; what follows -- goes to the program. A path that does not exist but\n" +
			"names built-in firmware (socsim list firmware) runs what is built in: sphincs,\n" +
			"sphincs.elf and firmware/sphincs.elf are the same.\n\n" +
			"With --json stdout has one JSON object if the program was run, however it ended; if\n" +
			"not (120, 125 or 126 before its end, or Ctrl-C), nothing.\n\n" +
			"The exit code is the program's own, or 120 to 126: see socsim help.",
		Example: "  socsim run firmware/sphincs.elf --accel shake-fifo -- -p 192s -op sign,verify -msg hex:00ff\n" +
			"  socsim run a.elf --roi crypto_sign --json --no-host",
		RunE: func(c *cobra.Command, args []string) error {
			name, guest, err := programAndGuest(c, args)
			if err != nil && f.energy != "" && len(args) > 1 {
				err = usage("%w; a table is given as --energy=TABLE", err)
			}
			if err != nil {
				return err
			}
			return a.run(c.Context(), &f, name, guest)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.addShared(flags)
	flags.StringVar(&f.system.hash, "hash", "", "hash of firmware that hashes in software: `NAME` (default shake)")
	flags.StringArrayVar(&f.dumps, "dump", nil, "add memory after the run to the result: `SYMBOL[,BYTES]` (repeatable)")
	flags.BoolVar(&f.json, "json", false, "print one JSON object on stdout and what the guest prints on stderr")
	flags.BoolVar(&f.noHost, "no-host", false, "leave out the speed of the simulation: same input, same output, byte for byte")
	flags.BoolVar(&f.events, "events", false, "count instructions by class, for socsim energy and other tools")
	flags.Var(&f.energy, "energy", "estimate energy and power, with --events; coefficients: `TABLE`, or "+energy.DefaultTable)
	flags.Lookup("energy").NoOptDefVal = energy.DefaultTable
	flags.StringVar(&f.commitLog, "commit-log", "", "write every retired instruction to `FILE`, in Spike's format")
	flags.BoolVar(&f.dirWrite, "dir-write", false, "let it write them, too")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print no report, only what the guest prints")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "add to the report every device's traffic, the cycles asleep, the limits, and what ran in which engine")
	return c
}

// options turns the flags into what soc takes. What needs closing, and the
// check of the program's record, come with it.
func (f *runFlags) options() (o soc.Options, err error) {
	if o.Platform, err = f.system.load(); err != nil {
		return o, err
	}
	if o.Engine, err = soc.ParseEngine(f.engine); err != nil {
		return o, usage("--engine: %w", err)
	}
	if o.RAM, err = parseRAMInit(f.ram); err != nil {
		return o, err
	}
	for _, d := range f.dumps {
		dump, err := parseDump(d)
		if err != nil {
			return o, err
		}
		o.Dumps = append(o.Dumps, dump)
	}
	if f.dirWrite && f.dir == "" {
		return o, usage("--dir-write: say with --dir where the guest may write")
	}
	o.Regions, o.Dir, o.DirWrite = f.regions, f.dir, f.dirWrite
	o.Events = f.events || f.energy != ""
	o.Limits = soc.Limits{MaxInstructions: f.maxInstructions, MaxCycles: f.maxCycles, Timeout: f.timeout}
	if f.maxInstructions == 0 {
		o.Limits.MaxInstructions = soc.NoLimit
	}
	if f.maxCycles == 0 {
		o.Limits.MaxCycles = soc.NoLimit
	}
	switch {
	case f.timeout < 0:
		return o, usage("--timeout %v: want a time, as 30s, or 0 for none", f.timeout)
	case f.timeout == 0:
		o.Limits.Timeout = -1
	}
	return o, nil
}

// optional is a text that a flag may leave out: its value is then the flag's NoOptDefVal.
type optional string

func (o *optional) String() string     { return string(*o) }
func (o *optional) Set(v string) error { *o = optional(v); return nil }
func (o *optional) Type() string       { return "optional" }

// parseRAMInit reads zero, random or random:SEED.
func parseRAMInit(text string) (soc.RAMInit, error) {
	kind, seed, seeded := strings.Cut(text, ":")
	switch {
	case text == "zero":
		return soc.RAMInit{}, nil
	case kind == "random" && !seeded:
		return soc.RAMInit{Random: true}, nil
	case kind == "random":
		n, err := strconv.ParseUint(seed, 0, 64)
		if err == nil {
			return soc.RAMInit{Random: true, Seed: n}, nil
		}
		return soc.RAMInit{}, usage("--ram-init %s: the seed %q is not a number", text, seed)
	}
	return soc.RAMInit{}, usage("--ram-init %s: want zero, random or random:SEED", text)
}

// parseDump reads SYMBOL or SYMBOL,BYTES.
func parseDump(text string) (soc.Dump, error) {
	symbol, bytes, sized := strings.Cut(text, ",")
	if symbol == "" {
		return soc.Dump{}, usage("--dump %s: want SYMBOL or SYMBOL,BYTES", text)
	}
	if !sized {
		return soc.Dump{Symbol: symbol}, nil
	}
	n, err := strconv.ParseUint(bytes, 0, 32)
	if err != nil || n == 0 {
		return soc.Dump{}, usage("--dump %s: %q is not a number of bytes", text, bytes)
	}
	return soc.Dump{Symbol: symbol, Bytes: uint32(n)}, nil
}

// addShared adds the flags of every command that runs a program.
func (f *runFlags) addShared(flags *pflag.FlagSet) {
	f.system.add(flags)
	flags.StringVar(&f.system.sdith, "sdith", "", "SDitH coprocessor by its configuration, as `sec1_fast_hp0`, or none (default: as the platform says)")
	flags.StringArrayVar(&f.regions, "roi", nil, "also measure function `FUNC` (repeatable); functions in section .text.roi always are")
	flags.Uint64Var(&f.maxInstructions, "max-instructions", soc.DefaultMaxInstructions, "end the run after `N` instructions, 0: never")
	flags.Uint64Var(&f.maxCycles, "max-cycles", soc.DefaultMaxCycles, "end the run after `N` cycles, 0: never")
	flags.DurationVar(&f.timeout, "timeout", soc.DefaultTimeout, "end the run, and the host's check, after so much `TIME` of the host, 0: never")
	flags.StringVar(&f.ram, "ram-init", "zero", "what RAM holds at first: `zero|random[:SEED]`")
	flags.StringVar(&f.engine, "engine", "auto", "what runs the program, which changes no result: `auto|interp|translate`")
	flags.StringVar(&f.dir, "dir", "", "let the guest read files below `DIR` (semihosting)")
}

// programAndGuest returns the ELF that a command names, and what follows --.
func programAndGuest(c *cobra.Command, args []string) (name string, guest []string, err error) {
	guest = []string{}
	if dash := c.ArgsLenAtDash(); dash >= 0 {
		args, guest = args[:dash], args[dash:]
	}
	switch len(args) {
	case 0:
		return "", nil, usage("%s: which ELF? built in are %s", c.Name(), strings.Join(firmware.Names(), ", "))
	case 1:
		return args[0], guest, nil
	}
	return "", nil, usage("%s takes one ELF, not %d (%s); arguments of the guest go behind --", c.Name(), len(args), strings.Join(args, " "))
}

func (a *app) run(ctx context.Context, f *runFlags, name string, guest []string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	var coefficients energy.Coefficients
	if f.energy != "" {
		if coefficients, err = energy.Load(string(f.energy)); err != nil {
			return input(err)
		}
	}
	program, err := openELF(name)
	if err != nil {
		return err
	}
	if program.builtin && !f.quiet {
		fmt.Fprintf(a.stderr, "socsim: %s does not exist here; running the built-in firmware of that name\n", name)
	}
	o.Name, o.ELF, o.Args = program.name, program.data, guest

	// One clock for the run, what it waits for, and the check behind it.
	timeout := time.Duration(math.MaxInt64 - grace) // three lifetimes
	if f.timeout > 0 {
		timeout = min(timeout, f.timeout)
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	wall := time.AfterFunc(timeout+grace, func() {
		a.giveUp(fail(exitLimit, fmt.Errorf("timeout: %v of host time are over, and nobody reads what the run writes; there is no report", timeout)))
	})
	defer wall.Stop()

	bar := newProgress(a.stderr)
	defer bar.clear()
	console := &console{w: a.stdout, before: bar.clear}
	if f.json {
		console.w = a.stderr
	}
	if a.stdin != nil {
		o.Stdin = awaitReader{limited, a.stdin}
	}
	o.Console, o.Stderr = console, writerFunc(func(b []byte) (int, error) {
		bar.clear()
		return a.stderr.Write(b)
	})
	o.Progress = bar.show
	checked := check{ctx: limited, before: func() { bar.say("checking against the host reference") }}
	o.Verify = checked.verify

	var log logFile
	if f.commitLog != "" {
		o.CommitLog = &log
	}
	system, err := soc.New(o)
	if err != nil {
		return newError(err)
	}
	if f.commitLog != "" {
		err := log.open(f.commitLog, []inUse{
			{"the program", program.info}, {"the platform", f.system.file},
			{"standard output", statStream(a.stdout.Writer)}, {"standard error", statStream(a.stderr.Writer)},
		})
		if err != nil {
			return input(fmt.Errorf("--commit-log: %w", err))
		}
	}
	result, err := system.Run(ctx)
	if log.f != nil {
		if e := log.f.Close(); e != nil && err == nil {
			err = e
		}
	}
	bar.clear()
	switch {
	case result != nil:
	case errors.Is(err, context.Canceled):
		console.newline()
		return fail(exitLimit, fmt.Errorf("interrupted after %s; there is no report", plural(bar.cycles, "cycle")))
	default:
		return fail(exitInternal, err)
	}
	wall.Stop() // the report may wait for its reader
	if f.noHost {
		result.Host = nil
	}
	a.code = checked.status(result)
	var estimate *energy.Estimate
	if f.energy != "" {
		e, err := energy.Of(result, coefficients)
		if err != nil {
			return input(err)
		}
		if result.Energy, err = e.JSON(); err != nil {
			return fail(exitInternal, err)
		}
		estimate = &e
	}
	if err := a.print(f, program, console, result, &checked, estimate); err != nil {
		return err
	}
	if err != nil { // a file of the run is not what it should be
		return input(err)
	}
	return nil
}

// newError words what soc.New does not like: a name on the command line, or a
// file.
func newError(err error) error {
	var s *soc.SymbolError
	if errors.As(err, &s) {
		return usage("%s: %w", map[string]string{"Regions": "--roi", "Dumps": "--dump"}[s.Option], err)
	}
	return input(err)
}

// print writes the result as the flags say, and behind it, on stderr, what
// went wrong: the last lines are those that are read.
func (a *app) print(f *runFlags, p elfFile, console *console, r *soc.Result, c *check, e *energy.Estimate) error {
	console.newline()
	switch {
	case f.json:
		b, err := r.JSON()
		if err != nil {
			return fail(exitInternal, err)
		}
		a.stdout.Write(b)
	case !f.quiet:
		rep := newReport(p, r, c, len(f.regions) == 0)
		rep.energy = e
		io.WriteString(a.stdout, rep.text(f.verbose))
	}
	if !f.quiet {
		for _, line := range r.Hints {
			fmt.Fprintf(a.stderr, "socsim: hint: %s\n", line)
		}
		if r.Exit.Guest() && r.Exit.Code != 0 {
			fmt.Fprintf(a.stderr, "socsim: the program ended with exit code %d\n", r.Exit.Code)
		}
	}
	for _, line := range r.Findings {
		fmt.Fprintf(a.stderr, "socsim: not verified: %s\n", line)
	}
	if r.Exit.Report != nil {
		fmt.Fprintf(a.stderr, "socsim: %s: %s", r.Exit.Reason, r.Exit.Report)
	}
	return nil
}

// check compares the program's record with the host reference.
type check struct {
	ctx      context.Context // its end cuts the check short
	before   func()          // called when there is something to check; may be nil
	outcomes []firmware.Outcome
	lines    []string // what was found
	cut      string   // why there are no more outcomes; empty: it was not cut short
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
		c.outcomes = append(c.outcomes, firmware.Outcome{Name: firmware.RecordSymbol, Mismatch: err.Error()})
		c.lines = append(c.lines, err.Error())
	}
	if len(ops) > 0 && c.before != nil {
		c.before()
	}
	for i := range ops {
		if c.cut != "" {
			break
		}
		one, err := await(c.ctx, func() firmware.Verdict { return firmware.Verify(ops[i : i+1]) })
		if err != nil {
			c.cutShort(err)
			break
		}
		for _, o := range one.Outcomes {
			c.outcomes = append(c.outcomes, o)
			if o.Mismatch != "" {
				c.lines = append(c.lines, o.Name+": "+o.Mismatch)
			}
		}
	}
	return c.verdict()
}

// verdict is that on all operations so far. If the check was cut short, one that is wrong
// is enough to know.
func (c *check) verdict() (*bool, []string) {
	verified := firmware.Verdict{Outcomes: c.outcomes}.Verified()
	if c.cut == "" {
		return verified, c.lines
	}
	if len(c.lines) == 0 {
		verified = nil
	}
	return verified, append(c.lines, c.cut)
}

// cutShort says that nothing more is checked.
func (c *check) cutShort(cause error) {
	by := "Ctrl-C"
	if errors.Is(cause, context.DeadlineExceeded) {
		by = "--timeout"
	}
	c.cut = fmt.Sprintf("%s cut the check against the host reference short, after %s", by, plural(len(c.outcomes), "operation"))
}

// status is the exit code of the process.
func (c *check) status(r *soc.Result) int {
	if code := r.Status(); code != 0 || c.cut == "" {
		return guestCode(code)
	}
	return exitLimit
}

// console is where the guest prints.
type console struct {
	w      io.Writer
	before func()
	open   bool // the last line has no end yet
}

func (c *console) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	c.before()
	c.open = b[len(b)-1] != '\n'
	return c.w.Write(b)
}

// newline ends a line the guest left open.
func (c *console) newline() {
	if c.open {
		io.WriteString(c, "\n")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
