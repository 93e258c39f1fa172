package platform

import (
	"fmt"
	"strings"

	"socsim/accel"
	"socsim/bus"
	"socsim/internal/nearest"
	"socsim/sdith/device"
	"socsim/sdith/pipeline"
)

// Attached tells whether there is a coprocessor.
func (s *SDitH) Attached() bool { return s.Config != NoSDitH }

// SDitHNames are the configurations a coprocessor can have.
func SDitHNames() (names []string) {
	for _, c := range pipeline.Configs() {
		names = append(names, c.Name())
	}
	return names
}

// Device returns the coprocessor that config and the options describe; there must be
// one. The error comes with the key that it is about.
func (s *SDitH) Device() (c device.Config, key string, err error) {
	if c.Pipeline, err = pipeline.ParseConfig(s.Config); err != nil {
		names := SDitHNames()
		return c, "sdith.config", fmt.Errorf("no configuration is called %q%s; there are %s, %s",
			s.Config, nearest.Hint(s.Config, names), NoSDitH, strings.Join(names, ", "))
	}
	if s.HComInPhase12 > 1 {
		return c, "sdith.hcom_in_phase12", fmt.Errorf("%d must be 0 or 1", s.HComInPhase12)
	}
	c.Pipeline.HComInPhase12 = s.HComInPhase12 == 1
	if s.CacheDepth != 0 {
		c.Pipeline.CacheDepth = int(s.CacheDepth)
	}
	if c.Pipeline.Path, err = pipeline.ParsePathRegisters(s.Path); err != nil {
		return c, "sdith.path", err
	}
	for _, cost := range []struct {
		name  string
		value uint32
	}{{"aes", s.AES}, {"rijndael", s.Rijndael}, {"permutation", s.Permutation}, {"digit", s.Digit}, {"word", s.Word}} {
		if cost.value == 0 {
			continue
		}
		if err := c.Pipeline.Costs.Set(cost.name, int(cost.value)); err != nil {
			return c, "sdith." + cost.name, err
		}
	}
	if c.ClockRatio, err = accel.ParseRatio(s.ClockRatio); err != nil {
		return c, "sdith.clock_ratio", err
	}
	if err := c.Pipeline.Check(); err != nil { // the options were looked at above, but for this one
		return c, "sdith.cache_depth", err
	}
	return c, "", nil
}

func (p *Platform) coprocessor() error {
	s := &p.SDitH
	if s.Attached() {
		if _, key, err := s.Device(); err != nil {
			return p.Errorf(key, "%v", err)
		}
		switch line := s.Line; {
		case s.Base == 0:
			return p.Errorf("sdith.base", "missing: this platform has no place for the SDitH coprocessor; set the address of its window")
		case p.Accel.Coupling != accel.None.String() && line == p.Accel.Line, p.Accel.Coupling == accel.DMA.String() && line == p.Accel.DMALine:
			return p.Errorf("sdith.line", "%d is the line of the hash accelerator, too; the coprocessor needs one of its own", line)
		}
	}
	if _, err := bus.ParseHop(s.Bus); err != nil {
		return p.Errorf("sdith.bus", "%v", err)
	}
	if s.Size < device.RegisterBytes() {
		return p.Errorf("sdith.size", "0x%x is too small: the registers take 0x%x bytes", s.Size, device.RegisterBytes())
	}
	if s.Line < 16 || s.Line > 31 {
		return p.Errorf("sdith.line", "%d must be one of the fast interrupt lines 16 to 31", s.Line)
	}
	return nil
}
