package cli

import (
	"errors"
	"fmt"

	"socsim/soc"
)

// Exit codes of the simulator. A guest that ends by itself passes its own code
// on, whatever it is; the reason in the report tells the two apart.
const (
	exitUsage    = 120
	exitVerify   = soc.VerifyFailed
	exitFault    = 122
	exitStuck    = 123
	exitLimit    = 124
	exitInput    = 125
	exitInternal = 126
)

// exitCodes is the table in the help text and in README.md. Those of a run are
// the numbers of soc.Result.Status.
var exitCodes = []struct {
	code int
	text string
}{
	{exitUsage, "the command line is wrong: an unknown command, flag or name, or a bad value"},
	{exitVerify, "the guest ended with 0, but the host reference computed something else"},
	{exitFault, "the guest accessed what is not there, or what a device refuses (unmapped, device-error, fetch-error)"},
	{exitStuck, "the guest stands still and no interrupt can come (self-loop, asleep-forever)"},
	{exitLimit, "a limit ended the run (max-instructions, max-cycles, timeout), or Ctrl-C did, or cut the host's check short"},
	{exitInput, "a file is wrong: the ELF, the platform, or one that cannot be written"},
	{exitInternal, "a mistake in socsim itself; the line on stderr begins with BUG:"},
}

// guestCode is the exit code of the process for that of the guest. A process
// has eight bits; what does not fit must not look like success, or like one of
// the codes above.
func guestCode(code int) int {
	if code < 0 || code > 0xff {
		return 0xff
	}
	return code
}

// exitRows are the lines of the table: code and meaning.
func exitRows() [][2]string {
	rows := [][2]string{{"0-255", "the guest's own exit code, when it ended by itself; what is above 255 ends as 255"}}
	for _, c := range exitCodes {
		rows = append(rows, [2]string{fmt.Sprint(c.code), c.text})
	}
	return rows
}

// failure is an error with the exit code it leads to.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func fail(code int, err error) error {
	var f *failure
	if errors.As(err, &f) {
		return err
	}
	return &failure{code, err}
}

func usage(format string, a ...any) error { return &failure{exitUsage, fmt.Errorf(format, a...)} }
func input(err error) error               { return fail(exitInput, err) }
