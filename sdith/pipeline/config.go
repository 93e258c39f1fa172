package pipeline

import (
	"fmt"
	"math/bits"
	"strings"

	"socsim/sdith"
)

// MaxMessage is how many bytes of a message the message memory holds (assumed; the
// longest message of the known answers has 3,300).
const MaxMessage = 4096

// PathRegisters is what is kept of the way from the cache to a leaf for the next leaf
// (SPEC, section 12.3).
type PathRegisters int

const (
	PathSingle PathRegisters = iota // the seed of each level: F1 of SPEC
	PathNone                        // nothing: F0
	PathBoth                        // the seeds of both children at each level: F2
)

// pathNames are the names of PathRegisters.
var pathNames = [...]string{PathSingle: "single", PathNone: "none", PathBoth: "both"}

func (r PathRegisters) String() string {
	if r < 0 || int(r) >= len(pathNames) {
		return fmt.Sprintf("PathRegisters(%d)", int(r))
	}
	return pathNames[r]
}

// ParsePathRegisters is the reverse of String.
func ParsePathRegisters(name string) (PathRegisters, error) {
	for r, known := range pathNames {
		if name == known {
			return PathRegisters(r), nil
		}
	}
	return 0, fmt.Errorf("no path registers %q (known: %s)", name, strings.Join(pathNames[:], ", "))
}

// Config is a configuration of the hardware. Make one with [ParseConfig] or [Configs]
// and change what is to be different.
type Config struct {
	Set *sdith.Params

	// HalfPoly is the variant of the PIOP: true is HP1. It keeps the lines of the witness
	// from W2 on, and so makes two passes over the leaves; false is HP0, which makes a third
	// one for them (inferred; SPEC, section 12.7).
	HalfPoly bool

	// CacheDepth is D, the level of the tree whose seeds are cached: from 0, the root
	// alone, to the depth of the leaves.
	CacheDepth int

	// HComInPhase12 hashes the commitments in W1, in the order in which it comes to the
	// leaves, and saves G. The known answers have another order, and so other signatures;
	// those made like this are not valid.
	HComInPhase12 bool

	Path  PathRegisters
	Costs Costs
}

// Configs returns the twelve configurations with their default options: level by
// level, fast before short, HP0 before HP1.
func Configs() []Config {
	var all []Config
	for _, set := range sdith.Sets {
		for _, half := range []bool{false, true} {
			all = append(all, Config{Set: set, HalfPoly: half, CacheDepth: defaultCacheDepth(set), Costs: DefaultCosts()})
		}
	}
	return all
}

// defaultCacheDepth is CACHE_DEPTH as the hardware has it if nothing is said (SPEC,
// section 12).
func defaultCacheDepth(set *sdith.Params) int {
	if set.Lambda == 128 {
		return 8
	}
	return 7
}

// ParseConfig returns the configuration with a name such as "sec1_fast_hp0".
func ParseConfig(name string) (Config, error) {
	var known []string
	for _, c := range Configs() {
		if c.Name() == name {
			return c, nil
		}
		known = append(known, c.Name())
	}
	return Config{}, fmt.Errorf("no configuration %q (known: %s)", name, strings.Join(known, ", "))
}

// Name is the name of the configuration, as the hardware's directories have it; options
// have no part in it.
func (c Config) Name() string {
	half := 0
	if c.HalfPoly {
		half = 1
	}
	return fmt.Sprintf("sec%s_hp%d", strings.TrimPrefix(c.Set.Name, "cat"), half)
}

// Check returns an error that says which option is out of range, and the range.
func (c Config) Check() error {
	if c.Set == nil {
		return fmt.Errorf("a configuration without a parameter set")
	}
	if err := c.Set.Check(); err != nil {
		return err
	}
	if c.CacheDepth < 0 || c.CacheDepth > shallowest(c.Set) {
		return fmt.Errorf("%s: a cache depth of %d, want 0 to %d, the depth of the leaves", c.Name(), c.CacheDepth, shallowest(c.Set))
	}
	if c.Path < 0 || int(c.Path) >= len(pathNames) {
		return fmt.Errorf("%s: no path registers %v (known: %s)", c.Name(), c.Path, strings.Join(pathNames[:], ", "))
	}
	if err := c.Costs.Check(); err != nil {
		return fmt.Errorf("%s: %w", c.Name(), err)
	}
	return nil
}

// shallowest is the depth of the leaves, the lesser one if there are two.
func shallowest(set *sdith.Params) int { return bits.Len(uint(set.Leaves())) - 1 }

// deepest is the depth of the leaves, the greater one if there are two.
func deepest(set *sdith.Params) int { return bits.Len(uint(2*set.Leaves()-1)) - 1 }
