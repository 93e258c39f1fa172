package accel

import (
	"socsim/bus"
	"socsim/clock"
)

// DMABase is the window of the DMA engine on the default platform, DMALine its
// fast interrupt line.
const (
	DMABase = 0x1300_0000
	DMALine = 17
)

// Memory is RAM as the DMA engine masters it.
type Memory interface {
	Holds(addr, n uint32) bool      // all of the n bytes at addr are RAM
	Load(addr uint32) uint32        // the word at addr, which RAM holds
	Store(addr, word uint32, n int) // the first n bytes of word, to RAM that holds them
}

// DMARegisters is the register table of the DMA engine.
var DMARegisters []Register

// DMAEngine moves words between RAM and the FIFOs of an Engine.
type DMAEngine struct{}

// DMA returns the engine that feeds the FIFOs, nil but for coupling dma.
func (e *Engine) DMA() *DMAEngine { return nil }

// Access implements bus.Target.
func (d *DMAEngine) Access(r bus.Request) (a bus.Response) { return a }

// Connect gives the engine its interrupt line.
func (d *DMAEngine) Connect(bus.Line) {}

// Master gives it the RAM it works on.
func (d *DMAEngine) Master(Memory) {}

// Grant returns the first cycle, not before at, in which the data port of RAM is
// the core's.
func (d *DMAEngine) Grant(at clock.Cycle) clock.Cycle { return at }
