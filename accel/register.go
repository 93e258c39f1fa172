package accel

import (
	"socsim/bus"
	"socsim/clock"
	"socsim/rv32"
)

// RegisterUnit is a permutation unit whose state is in registers of the core.
type RegisterUnit struct {
	core
	config Config
}

func newRegisterUnit(c Config) *RegisterUnit { return &RegisterUnit{config: c.WithDefaults()} }

// Target returns none.
func (u *RegisterUnit) Target() bus.Target { return nil }

// DMA returns none.
func (u *RegisterUnit) DMA() *DMAEngine { return nil }

// Connect does nothing: there is no interrupt.
func (u *RegisterUnit) Connect(bus.Line) {}

// Instructions returns what the unit adds to the core.
func (u *RegisterUnit) Instructions() []rv32.Instr { return nil }

// Config returns what was built, defaults written out.
func (u *RegisterUnit) Config() Config { return u.config }

// Statistics returns what the unit did in the cycles before at.
func (u *RegisterUnit) Statistics(at clock.Cycle) Statistics { return u.statistics(at) }
