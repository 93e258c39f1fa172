package cli

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"socsim/bench/energy"
	"socsim/soc"
)

// counts adds the numbers of a struct with the names they have in the result.
func counts(list *ordered[uint64], prefix string, v any) {
	s := reflect.ValueOf(v)
	for i := range s.NumField() {
		name, _, _ := strings.Cut(s.Type().Field(i).Tag.Get("json"), ",")
		switch f := s.Field(i); {
		case name == "-":
		case f.CanUint():
			list.add(prefix+name, f.Uint())
		case f.CanInt():
			list.add(prefix+name, uint64(f.Int()))
		}
	}
}

func wholeRunCounts(r *soc.Result) (list ordered[uint64]) {
	list.add("cycles", r.Cycles)
	list.add("instret", r.Instret)
	counts(&list, "", r.Ledger)
	addEvents(&list, &r.Events)
	if d := accelerator(r); d != nil {
		counts(&list, "", *d.Accel)
	}
	if d := coprocessor(r); d != nil {
		counts(&list, "sdith.", *d.SDitH)
		for _, p := range d.SDitH.Phases {
			list.add("sdith."+p.Phase, uint64(p.Cycles))
		}
	}
	if e := estimateOf(r); e != nil {
		addEnergy(&list, &e.Run)
	}
	return list
}

// addEvents adds events with the names they have in the result.
func addEvents(list *ordered[uint64], e *soc.Events) {
	counts(list, "events.", *e)
	if e.Instructions != nil {
		counts(list, "events.", *e.Instructions)
	}
}

// addEnergy adds what an operation costs, in picojoules.
func addEnergy(list *ordered[uint64], o *energy.Operation) {
	const pico = 1000 // in a nanojoule
	list.add("energy_pj", uint64(math.Round(pico*o.Nanojoules.Value)))
	for _, c := range o.Components {
		list.add("energy_pj."+c.Name, uint64(math.Round(pico*c.Value)))
	}
}

// estimateOf returns the estimate of energy that is in a result; nil without one.
func estimateOf(r *soc.Result) *energy.Estimate {
	e, err := energy.Read(r)
	if err != nil {
		return nil
	}
	return e
}

func regionCounts(r *soc.Result) (list ordered[ordered[uint64]]) {
	estimate := estimateOf(r)
	for i, g := range r.Regions {
		var c ordered[uint64]
		c.add("calls", g.Calls)
		c.add("cycles", g.Cycles)
		c.add("instret", g.Instret)
		counts(&c, "", g.Ledger)
		addEvents(&c, &g.Events)
		if g.Accel != nil {
			counts(&c, "", *g.Accel)
		}
		if g.SDitH != nil {
			counts(&c, "sdith.", *g.SDitH)
		}
		if estimate != nil && i < len(estimate.Regions) {
			addEnergy(&c, &estimate.Regions[i])
		}
		name := g.Name
		for n := 2; list.find(name) != nil; n++ { // functions of one name in two files
			name = fmt.Sprintf("%s (%d)", g.Name, n)
		}
		list.add(name, c)
	}
	return list
}

// deviceCounts has the accelerator under one name, whichever it is.
func deviceCounts(r *soc.Result) (list ordered[ordered[uint64]]) {
	for _, d := range r.Devices {
		var c ordered[uint64]
		counts(&c, "loads.", d.Loads)
		counts(&c, "stores.", d.Stores)
		name := d.Name
		if d.Accel != nil {
			name = "accelerator"
		}
		list.add(name, c)
	}
	return list
}
