package device

import (
	"fmt"
	"math/bits"

	"socsim/accel"
	"socsim/clock"
	"socsim/sdith/pipeline"
)

// Config describes a coprocessor.
type Config struct {
	Pipeline pipeline.Config // the hardware; pipeline.ParseConfig makes one from a name

	// ClockRatio is how many cycles of the core one of the coprocessor takes: N, or 1/N
	// where it is clocked faster. Default 1. Zero (0/1) is the what-if of a coprocessor
	// that takes no time.
	ClockRatio accel.Ratio
}

// WithDefaults returns c with every default written out, for reports.
func (c Config) WithDefaults() Config {
	if c.ClockRatio == (accel.Ratio{}) {
		c.ClockRatio = accel.Ratio{Num: 1, Den: 1}
	}
	return c
}

// Check returns an error that says which value makes no sense.
func (c Config) Check() error {
	if err := c.Pipeline.Check(); err != nil {
		return err
	}
	if err := c.WithDefaults().ClockRatio.Check(); err != nil {
		return fmt.Errorf("%s: clock ratio: %w", c.Pipeline.Name(), err)
	}
	return nil
}

// Name returns the name of the configuration, as "sec1_fast_hp0".
func (c Config) Name() string { return c.Pipeline.Name() }

// DeepestCache returns the largest cache depth there can be: the whole tree is cached.
func (c Config) DeepestCache() int { return bits.Len(uint(c.Pipeline.Set.Leaves())) - 1 }

// cycles returns how many cycles of the core n cycles of the coprocessor take, rounded
// up.
func (c Config) cycles(n int64) clock.Cycle { return c.ClockRatio.Times(int(n)) }

// register returns the value of CONFIG.
func (c Config) register() (v uint32) {
	p := c.Pipeline
	v = uint32(p.Set.Lambda/64*2-3)<<configLevel | uint32(p.Path)<<configPath | uint32(p.CacheDepth)<<configCacheDepth
	if p.Set.Kappa > fastKappa {
		v |= configShort
	}
	if p.HalfPoly {
		v |= configHalfPoly
	}
	if p.HComInPhase12 {
		v |= configHCom
	}
	return v
}

// fastKappa is κ of the sets that sign fast (SPEC, section 2).
const fastKappa = 8
