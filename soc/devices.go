package soc

import (
	"slices"

	"socsim/accel"
	"socsim/bus"
	"socsim/clock"
	"socsim/sdith/device"
	"socsim/soc/peripheral"
	"socsim/soc/platform"
)

// window is a window of the system and what it was made from.
type window struct {
	name, kind, bus string
	base, size      uint32
	target          bus.Target
}

// NoBus stands for the bus of a device that is decoded in the core's load/store
// unit: its accesses cross none.
const NoBus = "lsu"

// InCore stands for the bus of an accelerator in the core's execute stage, which
// has no window.
const InCore = "core"

// attach makes the devices of the platform and the address map.
func (s *System) attach(events *clock.Queue) error {
	p := s.platform
	for i := range p.Devices {
		d := &p.Devices[i]
		s.devices = append(s.devices, window{d.Name, d.Kind, d.Bus, d.Base, d.Size, s.make(d, events)})
	}
	if s.accel.Coupling != accel.None {
		engine, err := accel.New(s.accel, events)
		if err != nil {
			return err
		}
		engine.Connect(s.line(int(p.Accel.Line)))
		s.engine = engine
		way, size := p.Accel.Bus, p.Accel.Size
		switch {
		case s.accel.AtLSU():
			way = NoBus
		case s.accel.InCore():
			way, size = InCore, 0
		}
		s.devices = append(s.devices, window{s.accel.Name(), "accel", way, s.accelBase(), size, engine.Target()})
		if d := engine.DMA(); d != nil {
			d.Connect(s.line(int(p.Accel.DMALine)))
			d.Master(memory{s})
			s.devices = append(s.devices, window{"dma", "dma", way, p.Accel.DMABase, p.Accel.Size, d})
		}
	}

	if p.SDitH.Attached() {
		c, key, err := p.SDitH.Device()
		if err != nil {
			return p.Errorf(key, "%v", err)
		}
		if s.sdith, err = device.New(c, events); err != nil {
			return err
		}
		s.sdith.Connect(s.line(int(p.SDitH.Line)))
		s.devices = append(s.devices, window{"sdith", "sdith", p.SDitH.Bus, p.SDitH.Base, p.SDitH.Size, s.sdith})
	}

	windows := []bus.Window{{Name: "RAM", Base: p.RAM.Base, Size: p.RAM.Size}}
	bridges := map[string]*bus.Hop{} // devices of one bus are behind one bridge
	for _, d := range s.devices {
		if d.bus == InCore {
			continue
		}
		if d.bus == NoBus {
			windows = append(windows, bus.Window{Name: d.name, Base: d.base, Size: d.size, Target: d.target})
			continue
		}
		hop := bridges[d.bus]
		if hop == nil {
			var err error
			if hop, err = bus.ParseHop(d.bus); err != nil {
				return err
			}
			bridges[d.bus] = hop
		}
		windows = append(windows, bus.Window{Name: d.name, Base: d.base, Size: d.size, Path: []*bus.Hop{hop}, Target: d.target})
	}
	var err error
	s.space, err = bus.NewMap(windows, s.attachable())
	return err
}

// accelBase returns the window of the attached accelerator, 0 if it has none.
func (s *System) accelBase() uint32 {
	switch {
	case s.accel.Coupling == accel.None || s.accel.InCore():
		return 0
	case s.accel.AtLSU():
		return s.platform.Accel.LSUBase
	default:
		return s.platform.Accel.Base
	}
}

// attachable are the windows that are empty but need not be.
func (s *System) attachable() []bus.Attachable {
	var list []bus.Attachable
	for _, w := range []struct {
		base, size   uint32
		name, option string
	}{
		{s.platform.Accel.Base, s.platform.Accel.Size, "the hash accelerator", "--accel shake-fifo"},
		{s.platform.Accel.LSUBase, s.platform.Accel.Size, "the hash accelerator", "--accel shake-lsu"},
		{s.platform.Accel.DMABase, s.platform.Accel.Size, "the DMA engine", "--accel shake-dma"},
		{s.platform.SDitH.Base, s.platform.SDitH.Size, "the SDitH coprocessor", "--sdith sec1_fast_hp0"},
	} {
		there := slices.ContainsFunc(s.devices, func(d window) bool { return d.bus != InCore && d.base == w.base })
		if w.base != 0 && !there {
			list = append(list, bus.Attachable{Name: w.name, Base: w.base, Size: w.size, Option: w.option})
		}
	}
	return list
}

// line returns an interrupt input of the core, which does not exist yet while
// devices are made.
func (s *System) line(n int) bus.Line {
	var input bus.Line
	return func(high bool, from clock.Cycle) {
		if input == nil {
			input = s.hart.Line(n)
		}
		input(high, from)
	}
}

// make returns the device of a description, which has been validated.
func (s *System) make(d *platform.Device, events *clock.Queue) bus.Target {
	switch d.Kind {
	case "clint":
		return peripheral.NewCLINT(events, s.line(3), s.line(7))
	case "uart":
		return peripheral.NewUART(s.opt.Console)
	case "info":
		return newInfo(s.platform, s.hash, s.accel, s.accelBase())
	case "scratch":
		return peripheral.NewScratch()
	case "pulse":
		return peripheral.NewPulse(events, s.line)
	}
	panic("BUG: soc: device of kind " + d.Kind)
}
