package soc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/soc"
)

// Events of regions, by hand.
func TestEvents(t *testing.T) {
	o := start(t, "hash")
	o.Accel, o.Events = "shake-fifo", true
	o.Regions = []string{"feed", "fetch"}
	r := run(t, o)
	for _, c := range []struct {
		name   string
		want   soc.Events
		reason string
	}{
		{"feed", soc.Events{Stall: 34 * 3, Crossbar: 34, Bridge: 34, Instructions: &soc.Instructions{
			ALU: 3 + 34, Store: 34, Branch: 34, Taken: 33, Jump: 1, Compressed: 34 + 1}},
			"34 times a store, answered 4 cycles after its request, c.addi, bnez; before that li and li of two, then c.jr"},
		{"fetch", soc.Events{Stall: 2 * 2, Crossbar: 2, Bridge: 2, Instructions: &soc.Instructions{
			Load: 2, Store: 2, RAMStores: 2, Jump: 1, Compressed: 1}},
			"two loads, answered 3 cycles after their request, and two stores to RAM; of all of them only the return is short, as t0 is none of x8 to x15"},
	} {
		g := region(t, r, c.name)
		if diff := cmp.Diff(c.want, g.Events); diff != "" {
			t.Errorf("%s: %s (%s)", c.name, diff, c.reason)
		}
	}
	o.Platform.Accel.Bus = "obi"
	if g := region(t, run(t, o), "feed"); g.Events.Bridge != 0 || g.Events.Crossbar != 34 || g.Events.Stall != 0 {
		t.Errorf("over obi there is neither a bridge nor a wait: %+v", g.Events)
	}
	o = start(t, "hash", "accel.base=0x15000000", "accel.lsu_base=0x11000000")
	o.Accel, o.Events = "shake-lsu", true
	if e := run(t, o).Events; e.Local < 34 || e.Crossbar > 0 {
		t.Errorf("at the load/store unit: %+v", e)
	}
	o.Events = false
	if e := run(t, o).Events; e.Instructions != nil || e.Local == 0 {
		t.Errorf("instructions are counted although nobody asked: %+v", e)
	}
}

// Both loops count the same, and counting changes nothing else.
func TestEventsInBothLoops(t *testing.T) {
	for _, label := range []string{"hash", "recursion", "timer", "semihosting", "unmapped", "asleep"} {
		for _, unit := range []string{"none", "shake-fifo"} {
			o := start(t, label)
			o.Accel, o.Events = unit, true
			fast := run(t, o)
			o.ExactOnly = true
			exact := run(t, o)
			fast.Host, exact.Host = nil, nil
			if diff := cmp.Diff(exact, fast); diff != "" {
				t.Errorf("%s on %s (-exact +fast): %s", label, unit, diff)
			}
			if _, err := soc.ParseResult(resultJSON(t, fast)); err != nil {
				t.Errorf("%s on %s: %v", label, unit, err)
			}
			o.ExactOnly, o.Events = false, false
			plain := run(t, o)
			if plain.Cycles != fast.Cycles || plain.Ledger != fast.Ledger || plain.Events.Stall != fast.Events.Stall || plain.Events.Crossbar != fast.Events.Crossbar {
				t.Errorf("%s on %s: %+v, without counts %+v", label, unit, fast, plain)
			}
		}
	}
}
