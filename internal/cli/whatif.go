package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"socsim/accel"
	"socsim/firmware"
	"socsim/sdith/device"
	"socsim/soc"
	"socsim/soc/platform"
)

func (a *app) whatifCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "whatif ELF --accel NAME [flags] [-- GUEST ARGUMENTS]",
		Short: "what would bound the run: permutation, coprocessor, transfer or FIFOs?",
		Long: "Runs a program again with an accelerator whose permutation takes no time, whose\n" +
			"accesses take one cycle, both, with deeper FIFOs, and with rounds in half the time.\n" +
			"Each is a run of its own, exact to the cycle, and must give the same output: recorded\n" +
			"operations, what --dump names, exit code. A coprocessor (--sdith) is made to take no\n" +
			"time, to cache its whole tree and to be clocked twice as fast. A table says what each gains, a sentence\n" +
			"which of them bounds the run. What the program prints is shown only if it fails.",
		Example: "  socsim whatif firmware/sphincs.elf --accel shake-fifo -- -op sign\n" +
			"  socsim whatif hash --accel ascon-lsu --set accel.cycles_per_round=6 --json -- -k 10",
		RunE: func(c *cobra.Command, args []string) error {
			name, guest, err := programAndGuest(c, args)
			if err != nil {
				return err
			}
			return a.whatif(c.Context(), &f, name, guest)
		},
	}
	// The other flags of run make no sense for several runs at once.
	flags := c.Flags()
	flags.SortFlags = false
	f.addShared(flags)
	flags.StringArrayVar(&f.dumps, "dump", nil, "memory after the run that must be the same in all: `SYMBOL[,BYTES]` (repeatable)")
	flags.BoolVar(&f.json, "json", false, "print one JSON object, with the result of every run")
	return c
}

// variant is one of the systems a program is run on.
type variant struct {
	name    string
	set     []string // what is changed, as key=value
	missing string   // why it cannot be run; empty: it can
}

// Names of the variants, which are also what can bound a run.
const (
	asGiven          = "as given"
	idealPermutation = "ideal permutation"
	idealTransfer    = "ideal transfer"
	idealBoth        = "both"
	deeperFIFOs      = "deeper FIFOs"
	fasterRounds     = "faster rounds"

	idealCoprocessor  = "ideal coprocessor"
	wholeTree         = "whole tree cached"
	fasterCoprocessor = "faster coprocessor"
)

const (
	// idealBus is the preset without waits that lets a second access begin
	// before the first is answered: what an access to RAM costs.
	idealBus = "obi"
	// deeperBlocks is how many blocks of the longest rate deeper FIFOs hold.
	deeperBlocks = 4
)

// variants returns the systems to compare, as given first.
func variants(p *platform.Platform) ([]variant, error) {
	unit, err := p.Accel.Config()
	if err != nil {
		return nil, err
	}
	list := []variant{{name: asGiven}}
	var compute, transfer []string
	var others []variant
	if unit.Coupling != accel.None {
		compute = []string{"accel.cycles_per_round=0", "accel.startup=0"}
		transfer = []string{"accel.bus=" + idealBus}
		list = append(list, variant{name: idealPermutation, set: compute})
		others = append(others, deeper(unit), faster(unit))
	}
	if p.SDitH.Attached() {
		c, _, err := p.SDitH.Device()
		if err != nil {
			return nil, err
		}
		ideal := "sdith.clock_ratio=0"
		compute = append(append([]string{}, compute...), ideal)
		transfer = append(transfer, "sdith.bus="+idealBus)
		list = append(list, variant{name: idealCoprocessor, set: []string{ideal}})
		others = append(others, cached(c), fasterClock(c))
	}
	list = append(list, variant{name: idealTransfer, set: transfer}, variant{name: idealBoth, set: append(append([]string{}, compute...), transfer...)})
	list = append(list, others...)
	for i := range list[1:] {
		v := &list[i+1]
		if v.missing == "" {
			if _, err := v.platform(p); err != nil {
				v.missing = err.Error()
			}
		}
	}
	return list, nil
}

// deeper is the variant with FIFOs of several blocks; those that are deeper
// already stay as they are.
func deeper(unit accel.Config) variant {
	v := variant{name: deeperFIFOs}
	if !unit.HasFIFOs() {
		v.missing = unit.Coupling.String() + " has no FIFOs"
		return v
	}
	block := unit
	block.InputDepth, block.OutputDepth = 0, 0
	given, block := unit.WithDefaults(), block.WithDefaults()
	v.set = []string{
		fmt.Sprintf("accel.input_depth=%d", max(deeperBlocks*block.InputDepth, given.InputDepth)),
		fmt.Sprintf("accel.output_depth=%d", max(deeperBlocks*block.OutputDepth, given.OutputDepth)),
	}
	return v
}

// faster is the variant with rounds in half the time.
func faster(unit accel.Config) variant {
	return halved(fasterRounds, "accel.cycles_per_round", unit.WithDefaults().CyclesPerRound, "cycles a round")
}

// fasterClock is the variant with a coprocessor that takes half the time.
func fasterClock(c device.Config) variant {
	return halved(fasterCoprocessor, "sdith.clock_ratio", c.ClockRatio, "cycles for one of the coprocessor")
}

// halved is the variant with half of a number of cycles.
func halved(name, key string, given accel.Ratio, what string) variant {
	half := given
	if half.Num%2 == 0 {
		half.Num /= 2
	} else {
		half.Den *= 2
	}
	v := variant{name: name, set: []string{key + "=" + half.String()}}
	if half.Check() != nil {
		v.missing = fmt.Sprintf("half of %s %s is %s, and a fraction's numbers end at %d", given, what, half, accel.MaxRatio)
	}
	return v
}

// cached is the variant in which the coprocessor computes no seed twice.
func cached(c device.Config) variant {
	return variant{name: wholeTree, set: []string{fmt.Sprintf("sdith.cache_depth=%d", c.DeepestCache())}}
}

// platform returns p with the variant's changes.
func (v *variant) platform(p *platform.Platform) (*platform.Platform, error) {
	q := p.Clone()
	for _, s := range v.set {
		key, value, _ := strings.Cut(s, "=")
		if err := q.Set(key, value); err != nil {
			return nil, err
		}
	}
	return q, q.Validate()
}

// rerun is the run of a variant.
type rerun struct {
	variant
	result  *soc.Result
	output  string // digest of what the program's record says it got; empty: no record
	printed strings.Builder
	err     error
	panic   any // value and stack
}

func (a *app) whatif(ctx context.Context, f *runFlags, name string, guest []string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	if o.Platform.Accel.Coupling == accel.None.String() && !o.Platform.SDitH.Attached() {
		return usage("whatif: without an accelerator or a coprocessor there is nothing to ask; say which, as in --accel shake-fifo or --sdith sec1_fast_hp0")
	}
	program, err := openELF(name)
	if err != nil {
		return err
	}
	if program.builtin {
		fmt.Fprintf(a.stderr, "socsim: %s does not exist here; running the built-in firmware of that name\n", name)
	}
	o.Name, o.ELF, o.Args = program.name, program.data, guest
	list, err := variants(o.Platform)
	if err != nil {
		return input(err)
	}
	runs := make([]*rerun, len(list))
	for i, v := range list {
		runs[i] = &rerun{variant: v}
	}
	if err := a.rerunAll(ctx, o, runs); err != nil {
		return err
	}
	if err := a.sameOutput(runs); err != nil {
		return err
	}
	w := newWhatif(program, runs)
	if !f.json {
		io.WriteString(a.stdout, w.text())
		return nil
	}
	b, err := indented(w)
	if err != nil {
		return fail(exitInternal, err)
	}
	a.stdout.Write(b)
	return nil
}

// rerunAll runs the variants, as many at a time as there are processors. What
// differs between them is the platform alone, so their order does not matter.
func (a *app) rerunAll(ctx context.Context, o soc.Options, runs []*rerun) error {
	bar := newProgress(a.stderr)
	defer bar.clear()
	shown := progressSum{bar: bar, cycles: make([]uint64, len(runs)), instret: make([]uint64, len(runs))}
	stdin := sharedInput{r: a.stdin}
	ctx, stop := context.WithCancel(ctx)
	defer stop()

	var wait sync.WaitGroup
	processors := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, r := range runs {
		if r.missing != "" {
			continue
		}
		wait.Go(func() {
			processors <- struct{}{}
			defer func() {
				if p := recover(); p != nil {
					r.panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
					stop()
				}
				<-processors
			}()
			o := o
			o.Dumps = append([]soc.Dump{}, o.Dumps...) // New fills in their sizes
			o.Stdin, o.Console = &sharedReader{in: &stdin}, &r.printed
			o.Progress = func(cycles, instret uint64) { shown.show(i, cycles, instret) }
			if r.err = r.run(ctx, o, i == 0); r.err != nil {
				stop()
			}
		})
	}
	wait.Wait()
	var first error // cancelled ones are those after the first mistake, or Ctrl-C
	for _, r := range runs {
		if r.panic != nil {
			panic(r.panic)
		}
		if r.err != nil && (first == nil || errors.Is(first, context.Canceled)) {
			first = r.err
		}
	}
	if errors.Is(first, context.Canceled) {
		return fail(exitLimit, fmt.Errorf("interrupted after %s cycles; there is no table", count(shown.total())))
	}
	return first
}

// run runs the variant. The host reference checks one of them: the others have
// to have the same output.
func (r *rerun) run(ctx context.Context, o soc.Options, checked bool) (err error) {
	if o.Platform, err = r.platform(o.Platform); err != nil {
		return input(err)
	}
	c := check{ctx: ctx}
	o.Verify = func(ram []byte, base uint32, symbol func(string) (uint32, bool)) (*bool, []string) {
		r.output += recordDigest(ram, base, symbol) // once for each time the program asks for a check
		if !checked {
			return nil, nil
		}
		return c.verify(ram, base, symbol)
	}
	system, err := soc.New(o)
	if err != nil {
		return newError(err)
	}
	if r.result, err = system.Run(ctx); err == nil && c.cut != "" {
		err = context.Cause(ctx)
	}
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return err
		}
		return fail(exitInternal, err)
	}
	r.result.Host = nil // several at once say nothing about speed
	return nil
}

// recordDigest is the same for two runs whose records hold the same inputs and
// the same outputs; empty without a record that can be read.
func recordDigest(ram []byte, base uint32, symbol func(string) (uint32, bool)) string {
	addr, ok := symbol(firmware.RecordSymbol)
	if !ok {
		return ""
	}
	ops, err := firmware.ParseRecord(ram, base, addr)
	if err != nil || len(ops) == 0 {
		return ""
	}
	h := sha256.New()
	for _, op := range ops {
		fmt.Fprintf(h, "%d %d %d %d %d %d %d\n", op.Index, op.Scheme, op.Set, op.Hash, op.Kind, op.Flags, op.Result)
		for _, f := range op.Fields {
			if f.Role == firmware.RoleSplit { // cycles, which are what differs
				continue
			}
			fmt.Fprintf(h, "%d %x\n", f.Role, f.Data)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// sameOutput fails unless all runs ended well and alike. What the first one
// failed at is shown, with all that its program printed.
func (a *app) sameOutput(runs []*rerun) error {
	for _, r := range runs {
		if r.missing != "" {
			continue
		}
		if r.result.Status() == 0 {
			if what := r.differs(runs[0]); what != "" {
				return fail(exitVerify, fmt.Errorf("whatif, %s: %s", r.name, what))
			}
			r.result.Verified = runs[0].result.Verified // of the same output
			continue
		}
		if r.printed.Len() > 0 {
			fmt.Fprintf(a.stderr, "%s\n", strings.TrimSuffix(r.printed.String(), "\n"))
		}
		for _, line := range r.result.Findings {
			fmt.Fprintf(a.stderr, "socsim: not verified: %s\n", line)
		}
		e, code := r.result.Exit, guestCode(r.result.Status())
		switch {
		case e.Report != nil:
			return fail(code, fmt.Errorf("whatif, %s: %s: %s at pc %s: there is no table", r.name, e.Reason, e.Report.What, e.Report.PC))
		case e.Code != 0:
			return fail(code, fmt.Errorf("whatif, %s: the program ended with exit code %d: there is no table", r.name, e.Code))
		}
		return fail(code, fmt.Errorf("whatif, %s: the host reference computed something else: there is no table", r.name))
	}
	return nil
}

// differs says in what the output is not that of another run.
func (r *rerun) differs(other *rerun) string {
	if r.output != other.output {
		return "the program's record is not what it is as given: its output depends on time"
	}
	for _, symbol := range keysOf(dumpsOf(other.result), dumpsOf(r.result)) {
		if r.result.Dumps[symbol] != other.result.Dumps[symbol] {
			return fmt.Sprintf("the memory at %s is not what it is as given: it depends on time", symbol)
		}
	}
	return ""
}

// sharedInput is standard input for several readers, each of which gets all
// of it. It is read when the first one asks.
type sharedInput struct {
	mu   sync.Mutex
	r    io.Reader
	data []byte
	err  error
}

type sharedReader struct {
	in *sharedInput
	at int
}

func (s *sharedReader) Read(b []byte) (int, error) {
	in := s.in
	in.mu.Lock()
	defer in.mu.Unlock()
	if s.at == len(in.data) {
		if in.err != nil {
			return 0, in.err
		}
		if in.r == nil {
			return 0, io.EOF
		}
		fresh := make([]byte, max(len(b), 1))
		var n int
		n, in.err = in.r.Read(fresh)
		in.data = append(in.data, fresh[:n]...)
		if s.at == len(in.data) {
			return 0, in.err
		}
	}
	n := copy(b, in.data[s.at:])
	s.at += n
	return n, nil
}

// progressSum shows the progress of several runs in one line.
type progressSum struct {
	mu              sync.Mutex
	bar             *progress
	cycles, instret []uint64
}

func (p *progressSum) show(i int, cycles, instret uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cycles[i], p.instret[i] = cycles, instret
	p.bar.show(sum(p.cycles), sum(p.instret))
}

func (p *progressSum) total() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return sum(p.cycles)
}

func sum(list []uint64) (n uint64) {
	for _, v := range list {
		n += v
	}
	return n
}
