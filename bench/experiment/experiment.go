// Package experiment turns a description of runs (TOML: firmware x parameter sets x
// operations x accelerators x settings x seeds) into points, and runs those of them that
// a store does not have yet.
//
// A file has blocks; a block stands for all combinations of its axes. Points that occur in
// several blocks are run once:
//
//	title = "what it shows"
//
//	[[block]]
//	firmware = ["sphincs"]            # built-in programs; * and ? stand for any letters
//	sets = ["128f", "192?"]           # not of hash
//	operations = ["keygen", "sign"]   # measured in one run; absent: all
//	accelerators = ["shake-*", "ascon-fifo"]
//	software = ["shake"]              # the same without an accelerator, hashed like this
//	arguments = ["", "-wait wfi"]     # what else the program is given
//	seeds = 20                        # numbers 0 to 19, or a list; absent: the program's own
//	[block.settings]                  # keys of the platform; "" is as given
//	"accel.cycles_per_round" = ["", "1/2"]
//
//	[[block]]                         # signing hardware: known answers of SDitH
//	configurations = ["sec1_*"]
//	seeds = 3                         # numbers of the known answers; absent: 0
//	[block.settings]                  # cache_depth, path, hcom_in_phase12, cost.NAME
//	"cache_depth" = [6, 8]
//
// Settings of the accelerator have no meaning in software, and are left out there.
//
// Left out: platforms other than the built-in default (its keys can be set), programs from
// files.
package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"socsim/bench/experiments"
	"socsim/bench/store"
	"socsim/internal/nearest"
)

// Experiment is a file. Make one with [Parse] or [Load].
type Experiment struct {
	Name   string  `toml:"-"` // the file's, without folder and extension
	Title  string  `toml:"title"`
	Blocks []Block `toml:"block"`

	points []store.Point
}

// Block stands for all combinations of its axes.
type Block struct {
	Firmware     []string         `toml:"firmware"`
	Sets         []string         `toml:"sets"`
	Operations   []string         `toml:"operations"`
	Accelerators []string         `toml:"accelerators"`
	Software     []string         `toml:"software"`
	Arguments    []string         `toml:"arguments"`
	Settings     map[string][]any `toml:"settings"`
	Seeds        any              `toml:"seeds"`

	Configurations []string `toml:"configurations"`
}

// MaxPoints bounds an experiment: more is a slip, not a plan.
const MaxPoints = 100_000

// Builtin returns the names of the experiments that are built in.
func Builtin() (names []string) {
	files, err := fs.Glob(experiments.Files, "*.toml")
	if err != nil {
		panic("BUG: experiment: " + err.Error())
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f, ".toml"))
	}
	return names
}

// Load reads a built-in experiment.
func Load(name string) (*Experiment, error) {
	text, err := experiments.Files.ReadFile(name + ".toml")
	if err != nil {
		return nil, fmt.Errorf("no experiment %q is built in%s; there are %s", name, nearest.Hint(name, Builtin()), strings.Join(Builtin(), ", "))
	}
	return Parse(name+".toml", text)
}

// Parse reads an experiment. What it names and does not exist is an error that names file
// and block, and what may be meant.
func Parse(file string, text []byte) (*Experiment, error) {
	e := &Experiment{Name: strings.TrimSuffix(path.Base(strings.ReplaceAll(file, `\`, "/")), ".toml")}
	if err := decode(text, e); err != nil {
		return nil, fmt.Errorf("%s:%w", file, err)
	}
	if len(e.Blocks) == 0 {
		return nil, fmt.Errorf("%s: no [[block]] in it, so nothing to run", file)
	}
	seen := map[string]bool{}
	for i := range e.Blocks {
		points, err := e.Blocks[i].points()
		if err != nil {
			return nil, fmt.Errorf("%s: block %d: %w", file, i+1, err)
		}
		e.addPoints(points, seen)
	}
	if n := len(e.points); n > MaxPoints {
		return nil, fmt.Errorf("%s: %d points; at most %d", file, n, MaxPoints)
	}
	return e, nil
}

// wrongType is how the TOML library says that a value has another type than Go's field.
var wrongType = regexp.MustCompile(`cannot decode TOML ([a-z -]+) into .*`)

// decode returns errors that begin with a line number, or a space.
func decode(text []byte, e *Experiment) error {
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(e)
	var strict *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &strict) && len(strict.Errors) > 0:
		line, _ := strict.Errors[0].Position()
		key := strings.Join(strict.Errors[0].Key(), ".")
		return fmt.Errorf("%d: unknown key %s%s", line, key, nearest.Hint(key, keys))
	case errors.As(err, &bad):
		line, _ := bad.Position()
		what := strings.TrimPrefix(bad.Error(), "toml: ")
		if wrongType.MatchString(what) {
			what = fmt.Sprintf("%s: a value of the wrong type; axes are lists, as [\"a\", \"b\"]", strings.Join(bad.Key(), "."))
		}
		return fmt.Errorf("%d: %s", line, strings.ReplaceAll(what, "\n", " "))
	case err != nil:
		return fmt.Errorf(" %s", strings.ReplaceAll(strings.TrimPrefix(err.Error(), "toml: "), "\n", " "))
	}
	return nil
}

// keys are those of a file.
var keys = []string{
	"title", "block", "block.firmware", "block.sets", "block.operations", "block.accelerators", "block.software", "block.arguments",
	"block.settings", "block.seeds", "block.configurations",
}

// choose returns the known names that patterns stand for, in the order of the patterns,
// each once. A pattern that stands for none is an error.
func choose(axis string, patterns, known []string) (chosen []string, err error) {
	for _, p := range patterns {
		found := false
		for _, k := range known {
			match, err := path.Match(p, k)
			if err != nil {
				return nil, fmt.Errorf("%s: %q is no pattern: * and ? stand for any letters", axis, p)
			}
			if match {
				found = true
				if !slices.Contains(chosen, k) {
					chosen = append(chosen, k)
				}
			}
		}
		if !found {
			list := "there are " + strings.Join(known, ", ")
			if len(known) > 12 {
				list = "socsim list has them all"
			}
			return nil, fmt.Errorf("%s: there is no %q%s; %s", axis, p, nearest.Hint(p, known), list)
		}
	}
	return chosen, nil
}
