package energy

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"bytes"

	"socsim/accel"
	"socsim/soc"
)

// fabricated is a result on a system, with counts that are easy to follow: a run of 1000
// cycles at 1 MHz, 700 of them active.
func fabricated(unit string, counted bool) *soc.Result {
	r := &soc.Result{
		Cycles: 1000, Instret: 400, Ledger: soc.Ledger{Compute: 900, Sleep: 100},
		Events: soc.Events{Stall: 200, Crossbar: 30, Bridge: 20, Local: 7},
		Config: soc.Config{ClockHz: 1_000_000, Accel: unit},
	}
	if counted {
		r.Events.Instructions = &soc.Instructions{
			ALU: 200, Mul: 10, MulHigh: 2, Div: 3, DivCycles: 50, Load: 80, Store: 40, Branch: 50, Jump: 15,
			Taken: 25, Compressed: 100, UnitMoves: 3, RAMLoads: 70, RAMStores: 35,
		}
	}
	if unit == "none" {
		return r
	}
	r.Config.AccelParameters = &soc.AccelConfig{CyclesPerRound: "1", InputDepth: 10, OutputDepth: 6}
	s := accel.Statistics{BusyCycles: 90, Rounds: 80, WordsIn: 11, FIFOPushes: 16, FIFOPops: 15}
	if unit == "shake-dma" {
		s.DMALoads, s.DMAStores = 9, 4
	}
	r.Devices = []soc.Device{{Name: unit, Accel: &s}}
	return r
}

// simple is a table of numbers for mental arithmetic: low is half of the value, high twice.
func simple() Coefficients {
	c := Coefficients{Name: "simple", Node: "none", Values: map[string]Coefficient{}}
	for key, v := range map[string]float64{
		"core.active": 20, "core.stall": 10, "core.sleep": 1, "core.mul": 5, "core.div": 2, "core.ldst": 3, "core.absorb": 4,
		"ram.read": 2, "ram.write": 3, "ram.bank_kib": 16, "ram.leak_kib": 100, "fetch.flushed": 1,
		"reg.bit": 0.5, "fifo.push": 2, "fifo.pop": 3, "bus.obi": 10, "bus.bridge": 7, "bus.lsu": 6, "dma.beat": 8,
		"keccak.cycle": 60, "keccak.round": 90, "ascon.cycle": 12, "ascon.round": 23,
		"leak.logic": 2, "leak.ram": 0.5, "area.core": 40, "area.bus": 5, "area.keccak": 30, "area.keccak_round": 10,
		"area.ascon": 4, "area.ascon_round": 3, "area.fifo_word": 0.25, "area.dma": 1.5,
		"mix.loads": 0.25, "mix.stores": 0.125, "mix.halfwords": 1.5, "mix.jumps": 0.1, "mix.mul": 0.05, "mix.div": 0.2,
	} {
		c.Values[key] = Coefficient{Value: v, Low: v / 2, High: 2 * v, Unit: "-", Source: "-"}
	}
	return c
}

// Every component by hand, in picojoules.
func TestOf(t *testing.T) {
	const uw = 1000 // a microwatt in 1000 cycles at 1 MHz, which are a millisecond
	software := map[string]float64{
		"core": 700 * 20, "stall": 200 * 10, "sleep": 100 * 1, "multiply": 12 * 5, "divide": 50 * 2, "load_store": 120 * 3,
		"fetch":    2 * 4 * (350 + 1*40), // 700 halfwords; 25 branches taken and 15 jumps
		"ram":      70*2*4 + 35*3*4,
		"bus":      (70+35+30)*10 + 20*7 + (7+3)*6,
		"leak_ram": 0.5 * 100 * uw, "leak_logic": 2 * 45 * uw,
	}
	with := func(changes map[string]float64) map[string]float64 {
		m := map[string]float64{}
		for _, of := range []map[string]float64{software, changes} {
			for k, v := range of {
				m[k] = v
			}
		}
		return m
	}
	for _, c := range []struct {
		unit    string
		counted bool
		ratio   string
		want    map[string]float64
	}{
		{"none", true, "", software},
		{"none", false, "", with(map[string]float64{
			"multiply": 20 * 5, "divide": 80 * 2, "load_store": (150 + 37) * 3, "fetch": 8 * (300 + 40), "ram": 100*8 + 50*12,
			"bus": (150+30)*10 + 20*7 + 7*6})},
		{"shake-fifo", true, "1", with(map[string]float64{
			"permutation": 90*60 + 80*90, "fifo": 16*2 + 15*3, "state": 0.5 * 32 * 11, "leak_logic": 2 * (45 + 40 + 4) * uw})},
		{"shake-fifo", true, "1/4", with(map[string]float64{
			"permutation": 90*60 + 80*90, "fifo": 16*2 + 15*3, "state": 0.5 * 32 * 11, "leak_logic": 2 * (45 + 70 + 4) * uw})},
		{"shake12-fifo", true, "0", with(map[string]float64{
			"permutation": 90*60 + 80*90, "fifo": 16*2 + 15*3, "state": 0.5 * 32 * 11, "leak_logic": 2 * (45 + 40 + 4) * uw})},
		{"ascon-lsu", true, "2", with(map[string]float64{
			"permutation": 90*12 + 80*23, "fifo": 16*2 + 15*3, "state": 0.5 * 32 * 11, "leak_logic": 2 * (45 + 7 + 4) * uw})},
		{"ascon128-regx", true, "1", with(map[string]float64{
			"permutation": 90*12 + 80*23, "fifo": 16*2 + 15*3, "absorb": 11 * 4, "leak_logic": 2 * (45 + 7 + 4) * uw})},
		{"shake-dma", true, "1", with(map[string]float64{
			"permutation": 90*60 + 80*90, "fifo": 16*2 + 15*3, "state": 0.5 * 32 * 11, "dma": 13 * 8, "ram": (70+9)*2*4 + (35+4)*3*4,
			"bus": (70+35+30+13)*10 + 20*7 + (7+3)*6, "leak_logic": 2 * (45 + 40 + 4 + 1.5) * uw})},
	} {
		r := fabricated(c.unit, c.counted)
		if c.ratio != "" {
			r.Config.AccelParameters.CyclesPerRound = c.ratio
		}
		e, err := Of(r, simple())
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		got := map[string]float64{}
		for _, p := range e.Run.Components {
			sum += p.Value
			if p.Value > 0 {
				got[p.Name] = math.Round(p.Value*1e6) / 1000
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s, %v, %s:\n%s", c.unit, c.counted, c.ratio, diff)
		}
		n, mw := e.Run.Nanojoules, e.Run.Milliwatts
		if math.Abs(sum-n.Value) > 1e-9*sum || e.Run.Milliseconds != 1 || math.Abs(mw.Value-n.Value*1e-3) > 1e-9 || e.Counted != c.counted {
			t.Errorf("%s: %v nJ in %v ms at %v mW, components %v", c.unit, n, e.Run.Milliseconds, mw, sum)
		}
	}
}

// The ends of the interval are those of all coefficients at once: with half of everything a product of
// two is a quarter, of a root and another one 1/sqrt(8).
func TestInterval(t *testing.T) {
	e, err := Of(fabricated("none", true), simple())
	if err != nil {
		t.Fatal(err)
	}
	factors := map[string]float64{"leak_ram": 2, "leak_logic": 2, "ram": 1.5}
	for _, c := range e.Run.Components {
		f := math.Exp2(1)
		if p, ok := factors[c.Name]; ok {
			f = math.Exp2(p)
		}
		if c.Name == "fetch" { // 350 words and 40 in vain, each of which is a third factor
			low, high := 350+0.5*40.0, 350+2*40.0
			if got, want := c.Interval, (Interval{8 * 390e-3, 8 * low * 1e-3 / math.Exp2(1.5), 8 * high * 1e-3 * math.Exp2(1.5)}); !near(got.Low, want.Low) || !near(got.High, want.High) {
				t.Errorf("fetch %v, want %v", got, want)
			}
			continue
		}
		if !near(c.Low, c.Value/f) || !near(c.High, c.Value*f) {
			t.Errorf("%s: %v, want a factor of %v", c.Name, c.Interval, f)
		}
	}
	var low, high float64
	for _, c := range e.Run.Components {
		low, high = low+c.Low, high+c.High
	}
	if n := e.Run.Nanojoules; !near(n.Low, low) || !near(n.High, high) {
		t.Errorf("%v, the components add up to %v and %v", n, low, high)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// Without counts the interval is the wider, and holds the estimate that has them.
func TestUncounted(t *testing.T) {
	c, err := Load(DefaultTable)
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []string{"none", "shake-fifo"} {
		with, err := Of(fabricated(unit, true), c)
		if err != nil {
			t.Fatal(err)
		}
		without, err := Of(fabricated(unit, false), c)
		if err != nil {
			t.Fatal(err)
		}
		a, b := with.Run.Nanojoules, without.Run.Nanojoules
		if b.Low >= a.Low || b.High <= a.High || a.Value < b.Low || a.Value > b.High {
			t.Errorf("%s: %v with counts, %v without", unit, a, b)
		}
	}
}

// Every coefficient of a table changes some estimate, at its value and at both ends;
// so a table has nothing that influences nothing, and terms asks for nothing else.
func TestEveryCoefficientMatters(t *testing.T) {
	var all []*soc.Result
	for _, unit := range []string{"none", "shake-fifo", "ascon-regx", "shake-dma"} {
		all = append(all, fabricated(unit, true), fabricated(unit, false))
	}
	for _, name := range Tables() {
		c, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		v := c.Values["fetch.flushed"]
		v.Low = max(v.Low, 0.1) // with none fetched in vain, jumps would not matter
		c.Values["fetch.flushed"] = v
		before := map[*soc.Result]Estimate{}
		for _, r := range all {
			before[r], _ = Of(r, c)
		}
		for _, key := range Keys() {
			was := c.Values[key]
			changed := [3]bool{}
			for n, change := range []func(*Coefficient){
				func(v *Coefficient) { v.Value++ }, func(v *Coefficient) { v.Low++ }, func(v *Coefficient) { v.High++ },
			} {
				v := was
				change(&v)
				c.Values[key] = v
				for _, r := range all {
					e, err := Of(r, c)
					if err != nil {
						t.Fatal(err)
					}
					a, b := e.Run.Nanojoules, before[r].Run.Nanojoules
					got, want := [3]float64{a.Value, a.Low, a.High}, [3]float64{b.Value, b.Low, b.High}
					changed[n] = changed[n] || got[n] != want[n]
					for m := range got {
						if m != n && got[m] != want[m] {
							t.Errorf("%s of %s: the %d. number changes the %d.", key, name, n, m)
						}
					}
				}
			}
			c.Values[key] = was
			if changed != [3]bool{true, true, true} {
				t.Errorf("%s of %s influences nothing: %v", key, name, changed)
			}
		}
	}
	asked := map[string]bool{}
	for _, r := range all {
		s, err := systemOf(r)
		if err != nil {
			t.Fatal(err)
		}
		s.terms(run(r), func(key string) float64 { asked[key] = true; return 1 })
	}
	for _, key := range keys {
		delete(asked, key)
	}
	if len(asked) > 0 || !slices.IsSorted(keys) {
		t.Errorf("asked for, but no coefficient: %v", asked)
	}
}

// Regions are parts of the run: what is in all of them together and outside of them.
func TestRegions(t *testing.T) {
	r := fabricated("shake-fifo", true)
	half := func(e soc.Events) soc.Events {
		i := *e.Instructions
		i = soc.Instructions{ALU: i.ALU / 2, Mul: i.Mul / 2, MulHigh: i.MulHigh / 2, DivCycles: i.DivCycles / 2, Load: i.Load / 2, Store: i.Store / 2,
			Jump: 5, Taken: 15, Compressed: i.Compressed / 2, RAMLoads: i.RAMLoads / 2}
		return soc.Events{Stall: e.Stall / 2, Crossbar: e.Crossbar / 2, Bridge: e.Bridge / 2, Instructions: &i}
	}
	r.Regions = []soc.Region{{Name: "one", Cycles: 500, Instret: 200, Ledger: soc.Ledger{Sleep: 50}, Events: half(r.Events),
		Accel: &soc.AccelStats{BusyCycles: 45, Rounds: 40, WordsIn: 5, FIFOPushes: 8, FIFOPops: 7}}}
	e, err := Of(r, simple())
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range e.Regions[0].Components {
		whole := e.Run.Components[i]
		switch c.Name {
		case "core", "multiply", "divide", "load_store", "stall", "sleep", "fetch", "permutation", "leak_logic", "leak_ram":
			if !near(2*c.Value, whole.Value) {
				t.Errorf("%s: half is %v of %v", c.Name, c.Value, whole.Value)
			}
		default:
			if 2*c.Value > whole.Value {
				t.Errorf("%s: %v of %v", c.Name, c.Value, whole.Value)
			}
		}
	}
	if e.Regions[0].Milliseconds != 0.5 || e.Regions[0].Name != "one" {
		t.Errorf("%+v", e.Regions[0])
	}
}

func TestOfRefuses(t *testing.T) {
	c := simple()
	stopped := fabricated("none", true)
	stopped.Config.ClockHz = 0
	foreign := fabricated("shake-fifo", true)
	foreign.Config.Accel = "mine-fifo"
	ratio := fabricated("shake-fifo", true)
	ratio.Config.AccelParameters.CyclesPerRound = "fast"
	for _, r := range []*soc.Result{stopped, foreign, ratio} {
		if e, err := Of(r, c); err == nil {
			t.Errorf("%s at %d Hz: %+v", r.Config.Accel, r.Config.ClockHz, e)
		}
	}
}

// An estimate in a result comes back as it was, and obeys the schema.
func TestRead(t *testing.T) {
	r := fabricated("shake-fifo", true)
	if e, err := Read(r); e != nil || err != nil {
		t.Fatalf("%v %v", e, err)
	}
	c, err := Load(DefaultTable)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Of(r, c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Energy, err = e.JSON(); err != nil {
		t.Fatal(err)
	}
	back, err := Read(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&e, back); diff != "" {
		t.Error(diff)
	}
	if !slices.Contains(e.Assumed, "core.stall") || slices.Contains(e.Assumed, "mix.loads") || slices.Contains(e.Assumed, "dma.beat") || slices.Contains(e.Assumed, "fifo.pop") {
		t.Errorf("assumed: %v", e.Assumed)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(soc.Schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("result.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("result.schema.json#/properties/energy")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.Energy))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{
		`{"joules": 1}`, `5`,
		fmt.Sprintf(`{"run": {"nanojoules": {"value": 5, "low": 4, "high": 6}, "components": [{"name": "core", "value": %d}]}}`, 4),
		`{"run": {"nanojoules": {"value": 5, "low": 6, "high": 7}, "components": [{"name": "core", "value": 5}]}}`,
	} {
		r.Energy = []byte(bad)
		if e, err := Read(r); err == nil {
			t.Errorf("%s: %+v", bad, e)
		}
	}
}
