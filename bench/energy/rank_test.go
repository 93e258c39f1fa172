package energy

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/accel"
	"socsim/soc"
)

// Of two fabricated results one computes more and the other waits longer: the first
// needs 10,000 x 20 = 200,000 pJ and the second 4,000 x 20 + 9,000 x 10 = 170,000, without
// leakage, fetches and data. A stalled cycle turns that round at 13.3 pJ, an active one at 15.
func TestRank(t *testing.T) {
	make2 := func() (computes, waits *soc.Result) {
		computes = &soc.Result{Cycles: 10_000, Ledger: soc.Ledger{Compute: 10_000}, Config: soc.Config{ClockHz: 1e8, Accel: "none"},
			Events: soc.Events{Instructions: &soc.Instructions{}}}
		waits = &soc.Result{Cycles: 13_000, Ledger: soc.Ledger{Compute: 13_000}, Config: soc.Config{ClockHz: 1e8, Accel: "none"},
			Events: soc.Events{Stall: 9_000, Instructions: &soc.Instructions{}}}
		return
	}
	table := func(activeLow, stallLow, stallHigh float64) Coefficients {
		c := simple()
		for key, v := range c.Values {
			if key != "core.active" && key != "core.stall" {
				v.Low, v.High = v.Value, v.Value
			}
			if key[:4] == "leak" {
				v.Value, v.Low, v.High = 0, 0, 0
			}
			c.Values[key] = v
		}
		c.Values["core.active"] = Coefficient{Value: 20, Low: activeLow, High: 30, Assumed: "yes"}
		c.Values["core.stall"] = Coefficient{Value: 10, Low: stallLow, High: stallHigh}
		return c
	}
	names := []string{"computes", "waits"}
	pair := [][2]string{{"waits", "computes"}}
	for _, c := range []struct {
		activeLow              float64
		stallLow, stallHigh    float64
		active, stall, both    [][2]string
		swingActive, swingBoth float64
		first                  string
	}{
		// ratio computes/waits: with active 16 160/154, with 30 300/210
		{16, 6, 13, [][2]string{}, [][2]string{}, [][2]string{}, (300.0 / 210) / (160.0 / 154), (300.0 / (120 + 117)) / (160.0 / (64 + 54)), "core.stall"},
		{14, 6, 13, pair, [][2]string{}, [][2]string{}, (300.0 / 210) / (140.0 / 146), (300.0 / 237) / (140.0 / (56 + 54)), "core.active"},
		{19, 6, 14, [][2]string{}, pair, [][2]string{}, (300.0 / 210) / (190.0 / 166), 0, "core.stall"},
		// what swaps comes first, although a ratio swings less by it
		{15.5, 9.5, 14, [][2]string{}, pair, [][2]string{}, (300.0 / 210) / (155.0 / 152), 0, "core.stall"},
	} {
		a, b := make2()
		r, err := Rank(names, []*soc.Result{a, b}, "", table(c.activeLow, c.stallLow, c.stallHigh))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"waits", "computes"}, r.Names); diff != "" || !near(r.Nanojoules[0].Value, 170) || !near(r.Nanojoules[1].Value, 200) {
			t.Errorf("%v %v", r.Names, r.Nanojoules)
		}
		if len(r.Influences) != 2 || r.Influences[0].Key != c.first {
			t.Fatalf("%+v, want %s first", r.Influences, c.first)
		}
		for _, f := range r.Influences {
			want, assumed := c.active, true
			if f.Key == "core.stall" {
				want, assumed = c.stall, false
			} else if !near(f.Swing, math.Max(c.swingActive, 1/c.swingActive)) {
				t.Errorf("active %v to 30: ratios change by %v, by hand %v", c.activeLow, f.Swing, c.swingActive)
			}
			if diff := cmp.Diff(want, f.Swaps); diff != "" || f.Assumed != assumed {
				t.Errorf("active from %v, stall to %v: %s: %s %v", c.activeLow, c.stallHigh, f.Key, diff, f.Assumed)
			}
		}
		if diff := cmp.Diff(c.both, r.Together.Swaps); diff != "" || c.swingBoth > 0 && !near(r.Together.Swing, math.Max(c.swingBoth, 1/c.swingBoth)) {
			t.Errorf("together: %s, %v, by hand %v", diff, r.Together.Swing, c.swingBoth)
		}
	}
}

// Of three accelerators, the one of another permutation is what its coefficients move.
func TestRankOfAccelerators(t *testing.T) {
	c, err := Load(DefaultTable)
	if err != nil {
		t.Fatal(err)
	}
	unit := func(name string, busy, stall uint64) *soc.Result {
		r := fabricated(name, true)
		r.Config.ClockHz = 100_000_000
		r.Events.Stall = stall
		r.Devices[0].Accel = &accel.Statistics{BusyCycles: 0, Rounds: busy, FIFOPushes: 1}
		return r
	}
	names := []string{"a", "b", "c"}
	results := []*soc.Result{unit("shake-fifo", 100, 0), unit("ascon-fifo", 100, 0), unit("shake-lsu", 100, 300)}
	r, err := Rank(names, results, "", c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b", "c", "a"}, r.Names); diff != "" {
		t.Errorf("order %s", diff)
	}
	at := map[string]Influence{}
	for _, f := range r.Influences {
		at[f.Key] = f
	}
	if at["keccak.round"].Swing < 1.1 || at["ascon.round"].Swing < 1.01 || at["keccak.cycle"].Swing != 0 || at["core.stall"].Swing < 1.01 {
		t.Errorf("%+v", at)
	}
	if _, there := at["mix.loads"]; there {
		t.Error("mix.loads matters although instructions were counted")
	}
	for _, bad := range []struct {
		results []*soc.Result
		region  string
		want    string
	}{
		{results[:1], "", "a ranking needs two results at least"},
		{results, "sign", "a: it has no region sign"},
		{[]*soc.Result{results[0], {Config: soc.Config{ClockHz: 1, Accel: "none"}}}, "", "b: no cycle went by, so it costs nothing"},
	} {
		if _, err := Rank(names, bad.results, bad.region, c); err == nil || err.Error() != bad.want {
			t.Errorf("%v, want %s", err, bad.want)
		}
	}
}
