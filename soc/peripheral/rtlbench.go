package peripheral

import (
	"fmt"

	"socsim/bus"
	"socsim/clock"
)

// Scratch is a window of the RTL test bench: two words, picked by address bit
// 2 whatever the other bits are; words only. The bus in front of it makes it slow.
type Scratch struct{ words [2]uint32 }

// NewScratch returns a window of zeroes.
func NewScratch() *Scratch { return new(Scratch) }

// Access performs a load or store; see bus.Target.
func (s *Scratch) Access(r bus.Request) bus.Response {
	if r.Bytes != 4 {
		return refuse(r, fmt.Sprintf("%d-byte access to a scratch window", r.Bytes), "it takes aligned words only")
	}
	word := &s.words[r.Addr>>2&1]
	if r.Write {
		*word = r.Data
	}
	return answer(r, *word)
}

const (
	pulseArm   = 0
	pulseLevel = 4
	pulseLine  = 8
)

// PulseRegisters is the register table of the interrupt device of the RTL
// test bench.
var PulseRegisters = []Register{
	{"ARM", pulseArm, 4, "W", 0, "N > 0, granted in cycle G: drop the line, raise it to be high from G+N+1 on; 0: drop it and disarm"},
	{"LEVEL", pulseLevel, 4, "W", 0, "bit 0 is the line from G+1 on; does not disarm, but a raise due in G+1 is lost"},
	{"LINE", pulseLine, 4, "RW", 7, "number of the interrupt line; read: the cycle of the grant"},
}

// Pulse raises an interrupt line a given number of cycles after a store, so
// that a test can place interrupts to the cycle.
type Pulse struct {
	lines  func(n int) bus.Line
	raise  *clock.Event
	number uint32
	high   bool
}

// NewPulse returns the device after reset. lines gives the interrupt inputs.
func NewPulse(q *clock.Queue, lines func(n int) bus.Line) *Pulse {
	p := &Pulse{lines: lines, number: PulseRegisters[2].Reset}
	p.raise = q.Source(func(at clock.Cycle) { p.drive(true, at) })
	return p
}

// Access performs a load or store; see bus.Target.
func (p *Pulse) Access(r bus.Request) bus.Response {
	reg, fault := register(PulseRegisters, "the interrupt device", r)
	if fault != nil {
		return refuse(r, fault.What, fault.Hint)
	}
	next := r.At + 1
	if due := p.raise.Due(); due < next {
		p.raise.At(clock.Never)
		p.drive(true, due)
	}
	if !r.Write {
		return answer(r, uint32(r.At)) // only LINE can be read
	}
	switch reg.Offset {
	case pulseArm:
		p.drive(false, next)
		p.raise.At(clock.Never)
		if r.Data > 0 {
			p.raise.At(next + clock.Cycle(r.Data))
		}
	case pulseLevel:
		if p.raise.Due() == next {
			p.raise.At(clock.Never)
		}
		p.drive(r.Data&1 != 0, next)
	case pulseLine:
		high := p.high
		p.drive(false, next)
		p.number = r.Data & 31
		p.drive(high, next)
	}
	return answer(r, 0)
}

func (p *Pulse) drive(high bool, from clock.Cycle) {
	if high != p.high {
		p.high = high
		p.lines(int(p.number))(high, from)
	}
}
