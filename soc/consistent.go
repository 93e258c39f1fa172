package soc

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// consistent returns an error that names two parts of a result which cannot both be
// true. A result that a run gave has none; one that was edited, or put together,
// may.
func (r *Result) consistent() error {
	if code := reasonCodes[r.Exit.Reason]; code != 0 && r.Exit.Code != code {
		return fmt.Errorf("exit: reason %s has code %d, not %d", r.Exit.Reason, code, r.Exit.Code)
	}
	if (r.Exit.Report == nil) != r.Exit.Guest() {
		return fmt.Errorf("exit: a run has a report if the program did not end by itself, and only then; the reason is %s", r.Exit.Reason)
	}
	if sum := r.Ledger.Sum(); sum != r.Cycles {
		return fmt.Errorf("ledger: the rows add up to %d, not to %d cycles", sum, r.Cycles)
	}
	if r.Instret > r.Cycles {
		return fmt.Errorf("instret: %d instructions in %d cycles", r.Instret, r.Cycles)
	}
	if err := r.Events.consistent(r.Cycles, r.Ledger.Sleep, r.Instret); err != nil {
		return fmt.Errorf("events: %w", err)
	}
	for _, symbol := range slices.Sorted(maps.Keys(r.Dumps)) {
		if _, err := hex.DecodeString(r.Dumps[symbol]); err != nil {
			return fmt.Errorf("dumps.%s: %w", symbol, err)
		}
	}
	unit, err := r.consistentDevices()
	if err != nil {
		return err
	}
	coprocessor, err := r.consistentSDitH()
	if err != nil {
		return err
	}
	for i := range r.Regions {
		if err := r.Regions[i].consistent(r, unit, coprocessor); err != nil {
			return fmt.Errorf("regions[%d].%w", i, err)
		}
	}
	return nil
}

// consistentDevices returns the device that is the accelerator, nil without one.
func (r *Result) consistentDevices() (unit *Device, err error) {
	for i := range r.Devices {
		d := &r.Devices[i]
		for _, t := range []struct {
			name string
			Traffic
		}{{"loads", d.Loads}, {"stores", d.Stores}} {
			// Of one, two or four bytes each.
			if t.Bytes < t.Count || t.Bytes > 4*t.Count || t.Count == 0 && t.BusWait+t.Withheld > 0 {
				return nil, fmt.Errorf("devices[%d].%s: %d accesses cannot have moved %d bytes, or waited %d cycles", i, t.name, t.Count, t.Bytes, t.BusWait+t.Withheld)
			}
		}
		if d.Accel == nil {
			continue
		}
		if d.Name != r.Config.Accel {
			return nil, fmt.Errorf("devices[%d]: %s has counters of an accelerator, but config.accel is %s", i, d.Name, r.Config.Accel)
		}
		unit = d
		s, p := d.Accel, r.Config.AccelParameters
		switch {
		case uint64(s.BusyCycles+s.IdleCycles) != r.Cycles:
			return nil, fmt.Errorf("devices[%d].accel: busy and idle cycles add up to %d, not to %d", i, s.BusyCycles+s.IdleCycles, r.Cycles)
		case s.Abandoned > s.Permutations || s.OverlapCycles > s.BusyCycles:
			return nil, fmt.Errorf("devices[%d].accel: more permutations abandoned than begun, or more cycles of overlap than busy ones", i)
		case p != nil && (s.InputHighWater > p.InputDepth || s.OutputHighWater > p.OutputDepth):
			return nil, fmt.Errorf("devices[%d].accel: the FIFOs held more words than config.accel_parameters lets them", i)
		}
	}
	if attached := r.Config.Accel != "none"; attached != (unit != nil) || attached != (r.Config.AccelParameters != nil) {
		return nil, fmt.Errorf("config.accel is %s, but its parameters, or the device with its counters, say otherwise", r.Config.Accel)
	}
	return unit, nil
}

// consistent compares a region with the run that it is a part of.
func (g *Region) consistent(r *Result, unit, coprocessor *Device) error {
	if sum := g.Ledger.Sum(); sum != g.Cycles {
		return fmt.Errorf("ledger: the rows add up to %d, not to %d cycles", sum, g.Cycles)
	}
	if g.Calls == 0 || g.Cycles > r.Cycles || g.Instret > r.Instret {
		return fmt.Errorf("calls, cycles and instret are %d, %d and %d: a region was called, and has no more of them than the run", g.Calls, g.Cycles, g.Instret)
	}
	for n := range rowCount {
		if *g.Ledger.row(n) > *r.Ledger.row(n) {
			return fmt.Errorf("ledger.%s: %d cycles, in the whole run there are %d", rowTexts[n].Name, *g.Ledger.row(n), *r.Ledger.row(n))
		}
	}
	if (g.SDitH == nil) != (coprocessor == nil) {
		return fmt.Errorf("sdith: a region has counters of a coprocessor if there is one, and only then")
	}
	if coprocessor != nil {
		if all := sdithStats(*coprocessor.SDitH); !g.SDitH.within(all) {
			return fmt.Errorf("sdith: %+v is more than the %+v of the whole run", *g.SDitH, all)
		}
	}
	err := g.Events.consistent(g.Cycles, g.Ledger.Sleep, g.Instret)
	if err == nil {
		err = g.Events.within(&r.Events)
	}
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	if (g.Accel == nil) != (unit == nil) {
		return fmt.Errorf("accel: a region has counters of an accelerator if there is one, and only then")
	}
	if unit == nil {
		return nil
	}
	all := Accelerated(*unit.Accel)
	whole := all.all()
	for n, p := range g.Accel.all() {
		if *p > *whole[n] {
			return fmt.Errorf("accel: %+v is more than the %+v of the whole run", *g.Accel, all)
		}
	}
	return nil
}
