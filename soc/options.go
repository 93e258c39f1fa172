package soc

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"socsim/accel"
	"socsim/rv32/translate"
	"socsim/soc/platform"
)

// Options say what to run on what. ELF is needed, everything else has a
// default.
type Options struct {
	Name string // of the program, for messages; its last element is argv[0]
	ELF  []byte

	Platform *platform.Platform // nil: the built-in "default"; not changed
	Accel    string             // accelerator as "shake-fifo"; empty: what the platform says
	Hash     string             // hash for software hashing; empty: what the platform says

	SDitH string // SDitH coprocessor by its configuration, as "sec1_fast_hp0", or "none"; empty: what the platform says

	// Unit is an accelerator in place of the one that Accel and the platform name: the
	// way to attach a hash that is none of accel.XOFs. The platform has its window, bus
	// and interrupt line, and the parameters that Unit leaves at zero.
	Unit *accel.Config

	Args     []string  // of the guest, argv[1] on
	Stdin    io.Reader // nil: empty; if Read fails with a context's error, the run ends there
	Console  io.Writer // what the guest prints, UART and semihosting; nil: dropped
	Stderr   io.Writer // what it prints to standard error; nil: Console
	Dir      string    // the guest may open files below it; empty: none
	DirWrite bool      // ... and write them

	Limits Limits
	RAM    RAMInit

	Regions []string // functions to measure, besides those in section .text.roi
	Dumps   []Dump   // memory to add to the result

	// CommitLog gets one line per instruction in Spike's layout. It slows the
	// run down; the cycles stay the same.
	CommitLog io.Writer
	// Events counts instructions by class, for Events.Instructions: slower by a
	// twentieth, same cycles.
	Events bool
	// ExactOnly runs every instruction in the core's exact loop: slower, same
	// cycles.
	ExactOnly bool

	// Engine says what runs the program; the result is the same. Code that is traced or
	// observed is interpreted, and so is everything with Events.
	Engine Engine
	// Code is compiled code to share with other systems; nil: none.
	Code *translate.Cache

	// Verify checks guest memory after the run: true or false, or nil if there
	// is nothing to check, and a line for each thing found. It may change ram. It
	// is also called during the run whenever the program asks for it (SYS_CHECK of
	// semihosting, operation 0x100), as it will use that memory again: so what the
	// last call returns is about all of them.
	Verify func(ram []byte, base uint32, symbol func(name string) (addr uint32, ok bool)) (verified *bool, lines []string)
	// Progress is called now and then during the run.
	Progress func(cycles, instret uint64)
}

// Engine is what runs a program.
type Engine uint8

const (
	EngineAuto      Engine = iota // the interpreter, and the translator for what runs often
	EngineInterpret               // the interpreter
	EngineTranslate               // the translator for whatever it can translate, even if that does not pay
)

// Engines are the names of the engines.
var Engines = [...]string{EngineAuto: "auto", EngineInterpret: "interp", EngineTranslate: "translate"}

// ParseEngine returns the engine of a name.
func ParseEngine(name string) (Engine, error) {
	if i := slices.Index(Engines[:], name); i >= 0 {
		return Engine(i), nil
	}
	return 0, fmt.Errorf("no engine %q; there are %s", name, strings.Join(Engines[:], ", "))
}

// NoLimit switches a limit off.
const NoLimit = math.MaxUint64

// Limits end runs that would not end by themselves. Zero is the default;
// NoLimit, or a negative Timeout, is none.
type Limits struct {
	MaxInstructions uint64        // default DefaultMaxInstructions
	MaxCycles       uint64        // default DefaultMaxCycles
	Timeout         time.Duration // of the host's time; default DefaultTimeout
}

// Default limits: above the longest run firmware of this project makes (a 192s
// signature in software takes about 5e10 instructions), and of an order of time
// someone would still wait for.
const (
	DefaultMaxInstructions = 200_000_000_000
	DefaultMaxCycles       = 400_000_000_000
	DefaultTimeout         = 15 * time.Minute
)

func (l Limits) withDefaults() Limits {
	if l.MaxInstructions == 0 {
		l.MaxInstructions = DefaultMaxInstructions
	}
	if l.MaxCycles == 0 {
		l.MaxCycles = DefaultMaxCycles
	}
	if l.Timeout == 0 {
		l.Timeout = DefaultTimeout
	}
	return l
}

// RAMInit says what RAM holds where the program's file loads nothing. The
// zero value is zeroes.
type RAMInit struct {
	Random bool
	Seed   uint64 // of the random bytes: same seed, same bytes
}

// String returns the value as it stands in the result: zero, or random:SEED.
func (r RAMInit) String() string {
	if r.Random {
		return fmt.Sprintf("random:%d", r.Seed)
	}
	return "zero"
}

// SymbolError is New's error about a symbol that an option names: the program
// does not have it, or it cannot serve.
type SymbolError struct {
	Option string // field of Options: Regions or Dumps
	err    error
}

func (e *SymbolError) Error() string { return e.err.Error() }

func symbolError(option, format string, a ...any) error {
	return &SymbolError{option, fmt.Errorf(format, a...)}
}

// Dump names memory to add to the result.
type Dump struct {
	Symbol string // each once
	Bytes  uint32 // 0: the size the ELF gives the symbol
}
