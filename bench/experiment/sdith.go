package experiment

import (
	"fmt"
	"strconv"
	"strings"

	"socsim/bench"
	"socsim/bench/store"
	"socsim/internal/nearest"
	"socsim/sdith/pipeline"
)

// sdithConfig is a configuration of the hardware with settings.
func sdithConfig(name string, settings []string) (pipeline.Config, error) {
	c, err := pipeline.ParseConfig(name)
	if err != nil {
		return c, err
	}
	for _, s := range settings {
		key, value, _ := strings.Cut(s, "=")
		if err := setSDitH(&c, key, value); err != nil {
			return c, err
		}
	}
	return c, c.Check()
}

func setSDitH(c *pipeline.Config, key, value string) (err error) {
	number := func() (n int) {
		if n, err = strconv.Atoi(value); err != nil {
			err = fmt.Errorf("%s=%s: want a whole number", key, value)
		}
		return n
	}
	cost, isCost := strings.CutPrefix(key, "cost.")
	switch {
	case isCost:
		if n := number(); err == nil {
			err = c.Costs.Set(cost, n)
		}
	case key == "cache_depth":
		c.CacheDepth = number()
	case key == "path":
		c.Path, err = pipeline.ParsePathRegisters(value)
	case key == "hcom_in_phase12":
		if c.HComInPhase12, err = strconv.ParseBool(value); err != nil {
			err = fmt.Errorf("%s=%s: want true or false", key, value)
		}
	default:
		err = fmt.Errorf("SDitH has no setting %s%s; there are %s and cost.NAME", key, nearest.Hint(key, sdithSettings), strings.Join(sdithSettings, ", "))
	}
	return err
}

// runSDitH makes a known answer. A setting that the configuration does not have room for
// is refused.
func runSDitH(p store.Point, row *store.Row) error {
	c, err := sdithConfig(p.Config, p.Settings)
	if err != nil {
		row.Refused = err.Error()
		return nil
	}
	number, err := strconv.Atoi(p.Seed)
	if err != nil {
		return fmt.Errorf("%s: a known answer has a number", p)
	}
	m, err := pipeline.New(c)
	if err != nil {
		return err
	}
	run := bench.SDitHRun{Config: c, Count: number}
	if err := run.RunOn(m); err != nil {
		return err
	}
	if !run.Known && !c.HComInPhase12 {
		return fmt.Errorf("%s: the signature is not the known answer", p)
	}
	row.SDitH = &store.SDitHResult{Result: run.Result, Digest: run.Digest, Known: run.Known}
	return nil
}
