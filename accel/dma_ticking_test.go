package accel

import (
	"encoding/binary"

	"socsim/bus"
	"socsim/clock"
)

// tickingDMA is the DMA engine once more, cycle by cycle, beside a ticking FIFO
// engine, with the RAM whose data port it shares with the core. It follows the
// package comment.
type tickingDMA struct {
	unit *ticking
	ram  []byte // from address 0 on

	source, destination, length uint32
	enable, irq                 bool

	busy, started bool
	from, to      uint32
	in, out       uint32 // bytes still to be read and written
	last          bool   // LAST is to come
	word          uint32
	arrives       uint32 // bytes of word, which arrives in this cycle

	beats  bool // RAM is accessed in this cycle
	starts bool // START is granted in this cycle ...
	ctrl   uint32
	clear  bool // IRQ.DONE is cleared in this cycle
	writes func()

	level []edge
}

// request is an access of the core to one of the three.
type request struct {
	to place
	bus.Request
}

type place int

const (
	toUnit place = iota
	toDMA
	toRAM
)

// runAll works through the cycles before end, issuing each request in its cycle.
func (d *tickingDMA) runAll(requests []request, end clock.Cycle) {
	t := d.unit
	t.answers = make([]bus.Response, len(requests))
	n := 0
	for ; t.cycle < end; t.cycle++ {
		if n == len(requests) || requests[n].At > t.cycle {
			t.tick(n, nil)
			continue
		}
		r := &requests[n]
		granted := false
		switch r.to {
		case toUnit:
			if d.busy && (r.Addr == 0 || r.Addr == 0x08 || r.Addr == 0x0c || r.Addr == 0x20 || r.Addr == 0x24) {
				t.answers[n].Fault = &bus.Fault{}
				granted = true
				t.tick(n, nil)
				break
			}
			granted = t.tick(n, &r.Request)
		case toDMA:
			// START passes the port of the hash unit, too, behind loads that wait.
			if start := r.Addr == 0 && r.Write && r.Data&1 != 0; !start || len(t.waiting) == 0 {
				granted = true
				d.access(n, r.Request)
			}
			t.tick(n, nil)
		case toRAM:
			t.tick(n, nil)
			if granted = !d.beats; granted {
				d.ramAccess(n, r.Request)
			} else {
				t.stats.RAMWaits++
			}
		}
		if granted {
			n++
		}
	}
}

// tick does the engine's part of a cycle; see neighbour.
func (d *tickingDMA) tick(now clock.Cycle, room int, ready bool, push func(uint32), pop func() uint32, last func(uint32)) (begins bool, wants *uint32) {
	d.beats = false
	ends := false
	if d.busy {
		ends = d.transfer(room, ready, push, pop, last)
	}
	if d.starts {
		begins, wants = d.start()
	} else if ends {
		d.busy = false
	}
	d.irq = d.irq && !d.clear || ends
	if d.writes != nil {
		d.writes()
	}
	d.starts, d.clear, d.writes = false, false, nil
	if high := d.enable && d.irq; high != (len(d.level) > 0 && d.level[len(d.level)-1].High) {
		d.level = append(d.level, edge{high, now + 1})
	}
	return begins, wants
}

// transfer is a cycle of a transfer, and tells whether that was the last one.
func (d *tickingDMA) transfer(room int, ready bool, push func(uint32), pop func() uint32, last func(uint32)) (ends bool) {
	if d.arrives == 4 {
		push(d.word)
		room--
	} else if d.arrives > 0 {
		last(d.arrives<<24 | d.word&(1<<24-1))
		d.last = false
	}
	d.arrives = 0
	switch {
	case d.in >= 4 && room > 0, d.in > 0 && d.in < 4:
		d.beats = true
		d.word = binary.LittleEndian.Uint32(d.ram[d.from:])
		d.arrives = min(4, d.in)
		d.unit.stats.DMALoads++
		d.in -= d.arrives
		d.from += 4
	case d.in > 0:
	case d.last:
		last(0)
		d.last = false
	case d.out > 0 && ready:
		d.beats = true
		w := pop()
		for i := range min(4, d.out) {
			d.ram[d.to+i] = byte(w >> (8 * i))
		}
		d.out -= min(4, d.out)
		d.unit.stats.DMAStores++
		d.to += 4
	}
	return d.in == 0 && d.arrives == 0 && !d.last && d.out == 0
}

// start begins the transfer that was asked for.
func (d *tickingDMA) start() (begins bool, wants *uint32) {
	d.started, d.busy = true, true
	d.from, d.to, d.in, d.out = d.source, d.destination, d.length&0xffff, d.length>>16
	d.last = d.ctrl&4 != 0
	d.unit.stats.Transfers++
	outlen := d.out
	if begins = d.ctrl&2 != 0; !begins {
		outlen += uint32(4 * d.unit.popped)
	}
	if begins || d.out > 0 {
		wants = &outlen
	}
	return begins, wants
}

// access is an access to the DMA engine's registers.
func (d *tickingDMA) access(n int, r bus.Request) {
	a := &d.unit.answers[n]
	now := d.unit.cycle
	a.Grant, a.Valid = now, now+1
	if now > r.At {
		a.HeldFrom, a.HeldTo, a.Cause = r.At, now, d.unit.lastCause(n)
	}
	if r.Write {
		if !d.good(r) {
			*a = bus.Response{Fault: &bus.Fault{}}
			return
		}
		v := r.Data
		switch r.Addr {
		case 0x00:
			d.starts, d.ctrl = v&1 != 0, v
		case 0x04:
			d.writes = func() { d.source = v }
		case 0x08:
			d.writes = func() { d.destination = v }
		case 0x0c:
			d.writes = func() { d.length = v }
		case 0x14:
			d.clear = v&1 != 0
		case 0x18:
			d.writes = func() { d.enable = v&1 != 0 }
		}
		return
	}
	flag := func(b bool) uint32 {
		if b {
			return 1
		}
		return 0
	}
	switch c := d.unit.config; r.Addr {
	case 0x04:
		a.Data = d.source
	case 0x08:
		a.Data = d.destination
	case 0x0c:
		a.Data = d.length
	case 0x10:
		a.Data = flag(d.busy) | flag(d.started && !d.busy)<<1
		if d.busy {
			a.Role = bus.RoleBusy
		}
	case 0x14:
		a.Data = flag(d.irq)
	case 0x18:
		a.Data = flag(d.enable)
	case 0x1c:
		a.Data = uint32(c.XOF.Number) | 7<<8 | uint32(c.InputDepth)<<16
	}
}

// good tells whether a store to a register makes sense.
func (d *tickingDMA) good(r bus.Request) bool {
	in, out, v := d.length&0xffff, d.length>>16, r.Data
	init, last := v&2 != 0, v&4 != 0
	ends := uint64(len(d.ram))
	open := init || d.unit.phase == absorbing
	switch {
	case r.Addr == 0x04 || r.Addr == 0x08:
		return v%4 == 0
	case r.Addr != 0:
		return true
	case v&1 == 0:
		return !init && !last
	case d.busy, uint64(d.source)+uint64(in) > ends && in > 0, uint64(d.destination)+uint64(out) > ends && out > 0:
		return false
	case open:
		return last || out == 0 && in%4 == 0
	}
	return in == 0 && !last && (out == 0 || d.unit.cut == 0)
}

// ramAccess is an access of the core to RAM, of one to four bytes.
func (d *tickingDMA) ramAccess(n int, r bus.Request) {
	a := &d.unit.answers[n]
	a.Grant, a.Valid = d.unit.cycle, d.unit.cycle+1
	for i := range uint32(r.Bytes) {
		if r.Write {
			d.ram[r.Addr+i] = byte(r.Data >> (8 * i))
		} else {
			a.Data |= uint32(d.ram[r.Addr+i]) << (8 * i)
		}
	}
}
