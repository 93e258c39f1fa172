// Package cli is the command line of socsim: commands, flags, and what is
// printed. Everything a command does it does through exported API of the other
// packages; nothing here is missing to a user of the library.
//
// Left out: configuration files and environment variables. What a command does
// is on its line, so that the line can be copied.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"socsim/internal/nearest"
	"socsim/soc"
)

// app is one call of Main.
type app struct {
	stdin          io.Reader
	stdout, stderr *stream
	code           int // of a command that did its work: mostly 0

	// giveUp ends Main with an error, whatever the command is waiting for.
	giveUp context.CancelCauseFunc
}

// stream remembers the first failed write, so that a full disk does not pass
// for a good result.
type stream struct {
	io.Writer
	err error
}

func (s *stream) Write(b []byte) (int, error) {
	n, err := s.Writer.Write(b)
	if err != nil && s.err == nil {
		s.err = err
	}
	return n, err
}

// Main runs the command line args, without the program's name, and returns
// the exit code of the process.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	a := &app{stdin: stdin, stdout: &stream{Writer: stdout}, stderr: &stream{Writer: stderr}}
	defer func() {
		if r := recover(); r != nil {
			b := caught(r)
			fmt.Fprintf(stderr, "BUG: %v\nThis is a mistake in socsim, whatever the input was. Please report it with the command line and what follows.\n%s", b, b.stack)
			code = exitInternal
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var wall context.Context
	wall, a.giveUp = context.WithCancelCause(context.Background())
	defer a.giveUp(nil)
	context.AfterFunc(ctx, func() {
		stop() // a second Ctrl-C ends the process at once
		time.AfterFunc(grace, func() {
			a.giveUp(fail(exitLimit, errors.New("interrupted, and what was going on did not end at once; there is no report")))
		})
	})

	root := a.root()
	root.SetArgs(append([]string{}, args...)) // nil would mean os.Args
	root.SetIn(stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err, stuck := await(wall, func() error { return root.ExecuteContext(ctx) })
	if stuck != nil {
		err = stuck
	}
	if err == nil && a.stdout.err != nil {
		err = input(fmt.Errorf("standard output: %w", a.stdout.err))
	}
	if err != nil {
		code, name := exitUsage, "socsim" // cobra found it before a command of ours ran
		var f *failure
		if errors.As(err, &f) {
			code = f.code
		}
		if code == exitInternal {
			name = "BUG"
		}
		fmt.Fprintf(stderr, "%s: %s\n", name, strings.TrimPrefix(oneLine(err.Error()), "BUG: "))
		return code
	}
	return a.code
}

// oneLine keeps a message of a library to one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// program is what a user types to run this program from where it was run.
func program() string {
	path, err := os.Executable()
	if err == nil && strings.Contains(filepath.ToSlash(path), "/go-build") && !strings.HasSuffix(path, ".test") {
		return "go run ."
	}
	return "socsim"
}

// examples are printed by socsim without arguments. Each works as it stands.
var examples = []struct{ args, text string }{
	{"run firmware/sphincs.elf --accel shake-fifo", "SPHINCS+ with a hash accelerator: make keys, sign, verify"},
	{"run firmware/sphincs.elf -- -op keygen", "the same program, keys only, hashing in software"},
	{"hash --accel shake-fifo --in 64 --out 16", "one hash, word by word, with the cycle of everything"},
	{"list", "platforms, firmware, accelerators and experiments there are"},
}

func (a *app) root() *cobra.Command {
	c := &cobra.Command{
		Use:   "socsim COMMAND",
		Short: "a cycle-exact model of a RISC-V system on chip with hash accelerators",
		Long: "socsim runs RV32 firmware on a cycle-exact model of a small system on chip, with\n" +
			"or without a hash accelerator, and says where every cycle went.",
		Version:       soc.ModelVersion,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			a.welcome(c)
			return nil
		},
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return refuseEmpty(c) },

		DisableFlagsInUseLine: true,
	}
	c.Flags().Bool("version", false, "print the version of the model") // without -v, which is --verbose elsewhere
	c.SetVersionTemplate("socsim {{.Version}}\n")
	c.CompletionOptions.DisableDefaultCmd = true
	c.SetFlagErrorFunc(flagError)
	c.AddCommand(a.runCommand(), a.hashCommand(), a.listCommand(), a.whatifCommand(), a.compareCommand(), a.energyCommand(), a.claimsCommand(), a.benchCommand(), a.sweepCommand(), a.reportCommand(), a.sdithCommand())
	c.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "every flag of a command",
		Long:  "Explains a command and every flag it has; without one, says which commands and exit\ncodes there are.",

		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			for _, s := range c.Commands() {
				if s.Name() == args[0] {
					return s.Help()
				}
			}
			return unknownCommand(c, args[0])
		},
	})
	c.InitDefaultHelpCmd()
	c.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(a.stdout, helpText(c)) })
	return c
}

// helpWidth is that of a terminal which shows two columns of flags well.
const helpWidth = 100

// helpText is what --help prints.
func helpText(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", c.Long, c.UseLine())
	if c.HasAvailableSubCommands() {
		var rows [][2]string
		for _, s := range c.Commands() {
			if s.IsAvailableCommand() || s.Name() == "help" {
				rows = append(rows, [2]string{s.Use, s.Short})
			}
		}
		b.WriteString("\nCommands:\n")
		pairs(&b, rows)
	}
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	c.InitDefaultHelpFlag() // the library adds them late
	c.InitDefaultVersionFlag()
	b.WriteString("\nFlags:\n")
	pairs(&b, flagRows(c.LocalFlags()))
	if !c.HasParent() {
		b.WriteString("\nExit codes:\n")
		pairs(&b, exitRows())
		fmt.Fprintf(&b, "\nThe flags of a command: %s help COMMAND\n", program())
	}
	return b.String()
}

// flagRows are the lines of a table of flags: how they are written, and what
// they do.
func flagRows(flags *pflag.FlagSet) (rows [][2]string) {
	flags.VisitAll(func(f *pflag.Flag) {
		name, text := pflag.UnquoteUsage(f)
		left := "    --" + f.Name
		if f.Shorthand != "" {
			left = "-" + f.Shorthand + ", --" + f.Name
		}
		switch f.Value.Type() {
		case "bool":
		case "optional":
			left += "[=" + name + "]"
		case "stringArray":
			left += " " + name
		default:
			left += " " + name
			if f.DefValue != "" {
				text += " (default " + f.DefValue + ")"
			}
		}
		rows = append(rows, [2]string{left, text})
	})
	return rows
}

// refuseEmpty refuses flags with an empty text: it would mean the default, and
// is most often a variable of a script that was not set.
func refuseEmpty(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		if slices.Contains(values, "") && err == nil {
			name, text := pflag.UnquoteUsage(f)
			err = usage("--%s \"\" is empty; want %s: %s", f.Name, name, text)
		}
	})
	return err
}

func (a *app) welcome(c *cobra.Command) {
	fmt.Fprintf(a.stdout, "%s\n\nTry:\n", c.Long)
	for _, e := range examples {
		fmt.Fprintf(a.stdout, "\n  # %s\n  %s %s\n", e.text, program(), e.args)
	}
	fmt.Fprintf(a.stdout, "\nEvery command and flag: %s help\n", program())
}

func unknownCommand(c *cobra.Command, name string) error {
	var names []string
	for _, s := range c.Commands() {
		names = append(names, s.Name())
	}
	if strings.HasSuffix(name, ".elf") {
		return usage("%s is not a command; to run it: socsim run %s", name, name)
	}
	return usage("no command %q%s; there are %s", name, nearest.Hint(name, names), strings.Join(names, ", "))
}

// flagError words what is wrong with a flag so that it says what to do.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var flags []string
	c.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	help := "see " + c.CommandPath() + " --help"
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		if c.Name() == "run" || c.Name() == "whatif" {
			help = "arguments of the guest go behind --, as in: " + c.CommandPath() + " ELF -- -" + unknown.GetSpecifiedShortnames()
		}
		return usage("%s has no flag -%s; %s", c.CommandPath(), unknown.GetSpecifiedShortnames(), help)
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if !c.HasParent() {
			help = "flags go behind the command; see socsim help"
		}
		return usage("%s has no flag --%s%s; %s", c.CommandPath(), name, nearest.Hint(name, flags), help)
	case errors.As(err, &missing):
		name, text := pflag.UnquoteUsage(missing.GetFlag())
		return usage("--%s needs a value %s: %s", missing.GetFlag().Name, name, text)
	case errors.As(err, &invalid):
		f, value := invalid.GetFlag(), invalid.GetValue()
		return usage("--%s %s: %s", f.Name, quoted(value), wanted(f.Value.Type(), value))
	}
	return usage("%w", err)
}

// digits are the numbers in a text.
var digits = regexp.MustCompile("[0-9]+")

// wanted says what is wrong with a value for a flag of a type.
func wanted(kind, value string) string {
	switch kind {
	case "duration":
		// With small numbers it would be one: so the numbers are too large.
		if _, err := time.ParseDuration(digits.ReplaceAllString(value, "1")); err == nil {
			return "too long; 0 is no limit"
		}
		return "needs a time, as 30s or 5m"
	case "uint32", "uint64":
		if digits.FindString(value) == value && value != "" {
			return "too large"
		}
		return "needs a whole number, 0 or more"
	case "int":
		return "needs a whole number"
	}
	return "needs true or false"
}
