package energy_test

import (
	"fmt"

	"socsim/bench/energy"
	"socsim/soc"
)

// What a core needs that is active for a million cycles and reads nothing.
func ExampleOf() {
	c, err := energy.Load(energy.DefaultTable)
	if err != nil {
		panic(err)
	}
	r := &soc.Result{Cycles: 1_000_000, Ledger: soc.Ledger{Compute: 1_000_000}, Config: soc.Config{ClockHz: 100_000_000, Accel: "none"},
		Events: soc.Events{Instructions: &soc.Instructions{}}}
	e, err := energy.Of(r, c)
	if err != nil {
		panic(err)
	}
	n := e.Run.Components[0]
	fmt.Printf("%s: %.0f nJ, %.0f to %.0f; assumed in part: %v\n", n.Name, n.Value, n.Low, n.High, e.Assumed)
	// Output:
	// core: 20000 nJ, 14000 to 30000; assumed in part: [area.bus core.active ram.leak_kib]
}
