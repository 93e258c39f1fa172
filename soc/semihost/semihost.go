// Package semihost is the host side of semihosting: console, files, command
// line, clock and exit for a program without an operating system. It follows
// "RISC-V Semihosting" (riscv-non-isa, version 1.0), whose operations are
// those of Arm's "Semihosting for AArch32 and AArch64", release 2.0.
//
// It is a package of its own because it knows memory and streams only: the
// caller recognises the call in the instruction stream (IsCall), passes
// operation and parameter, and acts on the outcome.
//
// Time is simulated time, never the host's: a program that asks for the date
// gets seconds since reset. Real files exist only below a directory the
// caller names, and are read-only unless the caller says otherwise. Deleting,
// renaming, temporary names and shell commands are always refused.
package semihost

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"

	"socsim/bus"
)

// The call: three 32-bit instructions, in this order and not compressed
// (RISC-V Semihosting, chapter 2).
const (
	entryNOP = 0x01f0_1013 // slli x0, x0, 0x1f
	ebreak   = 0x0010_0073
	exitNOP  = 0x4070_5013 // srai x0, x0, 7
)

// IsCall tells whether the ebreak at pc is a semihosting call.
func IsCall(m Memory, pc uint32) bool {
	b, ok := m.Slice(pc-4, 12)
	return ok && binary.LittleEndian.Uint32(b) == entryNOP &&
		binary.LittleEndian.Uint32(b[4:]) == ebreak && binary.LittleEndian.Uint32(b[8:]) == exitNOP
}

// Memory is guest memory.
type Memory interface {
	// Slice returns a view of n bytes at addr, or ok = false if they do not
	// all lie in RAM.
	Slice(addr, n uint32) (view []byte, ok bool)
	// Wrote tells that n bytes at addr were changed through a view.
	Wrote(addr, n uint32)
}

// Config says what a guest may use. The zero value gives it nothing: output
// is dropped, input is empty, there are no files.
type Config struct {
	Args   []string // args[0] is the program's name
	Stdin  io.Reader
	Stdout io.Writer // console output
	Stderr io.Writer // nil: Stdout

	Dir      string // files below it can be opened; empty: none
	DirWrite bool   // ... for writing too

	ClockHz uint64        // of the cycles; 0: 1 Hz
	Cycles  func() uint64 // since reset; nil: always 0

	// Check is called when the guest asks, by SYS_CHECK, for a look at its memory, parts
	// of which it will use again; nil: nobody looks.
	Check func()

	// HeapBase and HeapLimit bound the free RAM that SYS_HEAPINFO reports.
	HeapBase, HeapLimit uint32
}

// Host serves the calls of one run. Make one with New.
type Host struct {
	cfg   Config
	stdin *bufio.Reader
	root  *os.Root
	files []file // by handle - 1; nil where closed
	errno uint32
	notes []string
	lost  string // why the guest has no command line
	told  bool   // it has got it
}

// Outcome is what a call means for the run.
type Outcome struct {
	Return uint32     // goes to a0
	Exit   bool       // the program ends
	Code   int        // its exit code
	Fault  *bus.Fault // not nil: the call makes no sense, the run ends
}

// New returns a host. It fails if Dir cannot be opened.
func New(c Config) (*Host, error) {
	h := &Host{cfg: c}
	if c.Stdin != nil {
		h.stdin = bufio.NewReader(c.Stdin)
	}
	if h.cfg.Stdout == nil {
		h.cfg.Stdout = io.Discard
	}
	if h.cfg.Stderr == nil {
		h.cfg.Stderr = h.cfg.Stdout
	}
	if h.cfg.ClockHz == 0 {
		h.cfg.ClockHz = 1
	}
	if h.cfg.Cycles == nil {
		h.cfg.Cycles = func() uint64 { return 0 }
	}
	if c.Dir != "" {
		root, err := os.OpenRoot(c.Dir)
		if err != nil {
			return nil, fmt.Errorf("directory for the guest's files: %w", err)
		}
		h.root = root
	}
	return h, nil
}

// Close closes what the guest left open.
func (h *Host) Close() error {
	for i, f := range h.files {
		if f != nil {
			f.close()
			h.files[i] = nil
		}
	}
	if h.root != nil {
		return h.root.Close()
	}
	return nil
}

// Notes returns what a user should hear of: refused or unknown calls, each
// kind once.
func (h *Host) Notes() []string {
	if h.lost != "" {
		return append(slices.Clone(h.notes), h.lost)
	}
	return h.notes
}

func (h *Host) note(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	for _, n := range h.notes {
		if n == text {
			return
		}
	}
	h.notes = append(h.notes, text)
}

// Operation numbers, Arm's document, chapter "Semihosting operations".
const (
	sysOpen         = 0x01
	sysClose        = 0x02
	sysWriteC       = 0x03
	sysWrite0       = 0x04
	sysWrite        = 0x05
	sysRead         = 0x06
	sysReadC        = 0x07
	sysIsError      = 0x08
	sysIsTTY        = 0x09
	sysSeek         = 0x0a
	sysFLen         = 0x0c
	sysTmpNam       = 0x0d
	sysRemove       = 0x0e
	sysRename       = 0x0f
	sysClock        = 0x10
	sysTime         = 0x11
	sysSystem       = 0x12
	sysErrno        = 0x13
	sysGetCmdline   = 0x15
	sysHeapInfo     = 0x16
	sysExit         = 0x18
	sysExitExtended = 0x20
	sysElapsed      = 0x30
	sysTickFreq     = 0x31
	sysCheck        = 0x100 // ours, the first of those for applications
)

// operation is one entry of the table of calls. Words is the length of the
// parameter block arg points to; 0: arg is the parameter itself.
type operation struct {
	name  string
	words int
	do    func(c *call) Outcome
}

// call is one call under way.
type call struct {
	*Host
	mem  Memory
	name string
	arg  uint32
	p    [4]uint32 // the parameter block
}

var operations = map[uint32]operation{
	sysOpen:         {"SYS_OPEN", 3, (*call).open},
	sysClose:        {"SYS_CLOSE", 1, (*call).closeFile},
	sysWriteC:       {"SYS_WRITEC", 0, (*call).writeC},
	sysWrite0:       {"SYS_WRITE0", 0, (*call).write0},
	sysWrite:        {"SYS_WRITE", 3, (*call).write},
	sysRead:         {"SYS_READ", 3, (*call).read},
	sysReadC:        {"SYS_READC", 0, (*call).readC},
	sysIsError:      {"SYS_ISERROR", 1, (*call).isError},
	sysIsTTY:        {"SYS_ISTTY", 1, (*call).isTTY},
	sysSeek:         {"SYS_SEEK", 2, (*call).seek},
	sysFLen:         {"SYS_FLEN", 1, (*call).fileLength},
	sysTmpNam:       {"SYS_TMPNAM", 0, (*call).refuse},
	sysRemove:       {"SYS_REMOVE", 0, (*call).refuse},
	sysRename:       {"SYS_RENAME", 0, (*call).refuse},
	sysClock:        {"SYS_CLOCK", 0, (*call).clock},
	sysTime:         {"SYS_TIME", 0, (*call).time},
	sysSystem:       {"SYS_SYSTEM", 0, (*call).refuse},
	sysErrno:        {"SYS_ERRNO", 0, (*call).lastError},
	sysGetCmdline:   {"SYS_GET_CMDLINE", 2, (*call).commandLine},
	sysHeapInfo:     {"SYS_HEAPINFO", 1, (*call).heapInfo},
	sysExit:         {"SYS_EXIT", 0, (*call).exit},
	sysExitExtended: {"SYS_EXIT_EXTENDED", 2, (*call).exitExtended},
	sysElapsed:      {"SYS_ELAPSED", 0, (*call).elapsed},
	sysTickFreq:     {"SYS_TICKFREQ", 0, (*call).tickFrequency},
	sysCheck:        {"SYS_CHECK", 0, (*call).check},
}

// failed is the -1 of every call that did not work.
const failed = ^uint32(0)

// Numbers for SYS_ERRNO, as newlib and picolibc have them.
const (
	errPermission  = 1
	errNoEntry     = 2
	errIO          = 5
	errBadFile     = 9
	errAccess      = 13
	errInvalid     = 22
	errSeek        = 29
	errReadOnly    = 30
	errUnsupported = 88
)

// Call performs operation op with parameter arg (a0 and a1).
func (h *Host) Call(m Memory, op, arg uint32) Outcome {
	o, ok := operations[op]
	if !ok {
		h.note("semihosting operation 0x%02x is unknown; the guest got -1", op)
		return h.fail(errUnsupported)
	}
	c := &call{Host: h, mem: m, name: o.name, arg: arg}
	if o.words > 0 {
		b, fault := c.bytes(arg, uint32(4*o.words), "parameter block")
		if fault != nil {
			return Outcome{Fault: fault}
		}
		for i := range o.words {
			c.p[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
	}
	return o.do(c)
}

func (h *Host) fail(errno uint32) Outcome {
	h.errno = errno
	return Outcome{Return: failed}
}

// bytes returns a view of guest memory that the guest named.
func (c *call) bytes(addr, n uint32, what string) ([]byte, *bus.Fault) {
	if n == 0 { // then the pointer may be anything
		return nil, nil
	}
	b, ok := c.mem.Slice(addr, n)
	if !ok {
		return nil, c.fault(fmt.Sprintf("%s of %d bytes at 0x%08x is not in RAM", what, n, addr),
			"the parameter in a1 or the block it points to is wrong")
	}
	return b, nil
}

func (c *call) fault(what, hint string) *bus.Fault {
	return &bus.Fault{Kind: bus.DeviceError, Target: "semihosting", What: "semihosting " + c.name + ": " + what, Hint: hint}
}

func (c *call) refuse() Outcome {
	c.note("semihosting %s is refused here; the guest got -1", c.name)
	return c.fail(errPermission)
}

// check has nothing to answer: what is found is not the guest's business.
func (c *call) check() Outcome {
	if c.cfg.Check != nil {
		c.cfg.Check()
	}
	return Outcome{}
}
