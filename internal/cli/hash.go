package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"socsim/accel"
	"socsim/firmware"
	"socsim/internal/nearest"
	"socsim/soc"
	"socsim/soc/elf"
)

// hashFlags are those of socsim hash.
type hashFlags struct {
	system  systemFlags
	in, out uint32
	mode    string
	first   bool
	json    bool
}

// hashProgram is the firmware that socsim hash runs, modes what it calls the
// sponges.
const hashProgram = "hash.elf"

// hashFunction is the function of it that makes one hash.
const hashFunction = "hash"

var hashModes = []string{"shake128", "shake256", "sha3-256", "sha3-512"}

func (a *app) hashCommand() *cobra.Command {
	f := hashFlags{}
	c := &cobra.Command{
		Use:   "hash [flags]",
		Short: "run one hash and print its timeline, word by word",
		Long: "Runs one hash on an accelerator and prints every access of the core to it with its\n" +
			"cycles, and what the accelerator does meanwhile. Cycle 0 is that of INIT, which\n" +
			"starts the message. The hash shown is the second of two equal ones: mode and output\n" +
			"length are set already. With --first it is the first, with all set-up.",
		Example: "  socsim hash --accel shake-fifo --in 64 --out 16\n" +
			"  socsim hash --in 200 --out 32 --set accel.fifo_depth=4 --set accel.bus=obi",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("hash takes flags only, not %q; see socsim hash --help", args[0])
			}
			return a.hash(c.Context(), &f)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.system.add(flags)
	flags.Lookup("accel").DefValue, f.system.accel = "shake-fifo", "shake-fifo"
	flags.Lookup("accel").Usage = "hash accelerator as `XOF-COUPLING`"
	flags.Uint32Var(&f.in, "in", 64, "message of so many `BYTES`, 0 to 65536: 0, 1, 2, ...")
	flags.Uint32Var(&f.out, "out", 16, "output of so many `BYTES`, 0 to 65536; sha3-256 has 32 at most, sha3-512 64, but not over Ascon")
	flags.StringVar(&f.mode, "mode", "shake256", "sponge as `MODE`: "+strings.Join(hashModes, ", ")+"; over Ascon all are one")
	flags.BoolVar(&f.first, "first", false, "show the first hash after reset")
	flags.BoolVar(&f.json, "json", false, "print the timeline as one JSON object")
	return c
}

func (a *app) hash(ctx context.Context, f *hashFlags) error {
	if !slices.Contains(hashModes, f.mode) {
		return usage("--mode: no sponge is called %q%s; there are %s", f.mode, nearest.Hint(f.mode, hashModes), strings.Join(hashModes, ", "))
	}
	if f.system.accel == accel.None.String() {
		return usage("--accel none: without an accelerator there is nothing to show; socsim run hash counts the cycles of software")
	}
	p, err := f.system.load()
	if err != nil {
		return err
	}
	file, err := firmware.ELF(hashProgram)
	if err != nil {
		return fail(exitInternal, err)
	}
	var printed bytes.Buffer
	c := check{ctx: ctx}
	times := 2
	if f.first {
		times = 1
	}
	system, err := soc.New(soc.Options{
		Name: hashProgram, ELF: file, Platform: p, Console: &printed, Verify: c.verify,
		Args: []string{
			"-in", strconv.Itoa(int(f.in)), "-out", strconv.Itoa(int(f.out)), "-mode", f.mode, "-k", strconv.Itoa(times),
		},
	})
	if err != nil {
		return newError(err)
	}
	program, err := elf.Parse(hashProgram, file)
	if err != nil {
		return fail(exitInternal, err)
	}
	function, ok := program.Lookup(hashFunction)
	if !ok {
		return fail(exitInternal, fmt.Errorf("%s has no function %s", hashProgram, hashFunction))
	}
	t := recorder{hash: function.Addr, first: f.first}
	system.Observe(soc.Observer{Access: t.access, Step: t.step, Instruction: t.instruction})
	r, err := system.Run(ctx)
	switch {
	case errors.Is(err, context.Canceled):
		return fail(exitLimit, errors.New("interrupted; there is no timeline"))
	case r == nil:
		return fail(exitInternal, err)
	case err != nil:
		return input(err)
	case r.Exit.Report != nil:
		return fail(r.Status(), fmt.Errorf("%s: %s", r.Exit.Reason, r.Exit.Report.What))
	case r.Exit.Code != 0:
		said := strings.TrimSpace(printed.String())
		if flag, ok := strings.CutPrefix(said, "hash: -"); ok { // the program says itself what it does not like
			return usage("--%s", flag)
		}
		return input(fmt.Errorf("the program ended with exit code %d (%s)", r.Exit.Code, clip(said, 200)))
	case len(t.of(accel.Permuted)) == 0:
		none := fmt.Errorf("the firmware found no accelerator and hashed in software; it looks for one in the device of kind info of the platform, %s",
			strings.Join(append([]string{r.Config.Platform}, r.Config.Set...), ", "))
		if len(f.system.set) > 0 {
			return usage("--set: %w", none)
		}
		return input(none)
	}
	if t.tooLong() {
		return usage("the timeline has more than %s lines, most of them polling: give a shorter message, or fewer accel.cycles_per_round and accel.startup", count(mostRows))
	}
	tl, err := t.timeline(r)
	if err != nil {
		return fail(exitInternal, err)
	}
	tl.Mode, tl.In, tl.Out = f.mode, f.in, f.out
	if unit, err := accel.Parse(tl.Accel); err == nil && unit.XOF != nil {
		tl.Sponge = unit.XOF.Modes[slices.Index(hashModes, f.mode)].Name
	}
	a.code = c.status(r)
	for _, line := range r.Findings {
		fmt.Fprintf(a.stderr, "socsim: not verified: %s\n", line)
	}
	if f.json {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetIndent("", "  ")
		if err := e.Encode(tl); err != nil {
			return fail(exitInternal, err)
		}
		a.stdout.Write(b.Bytes())
		return nil
	}
	fmt.Fprint(a.stdout, tl.text())
	return nil
}
