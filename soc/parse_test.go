package soc_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"socsim/soc"
)

// What was written is read, and written again to the same bytes.
func TestParseResult(t *testing.T) {
	for _, label := range []string{"_start", "hash", "recursion", "unmapped", "asleep", "semihosting"} {
		for _, unit := range []string{"none", "shake-fifo"} {
			o := start(t, label, "clock_hz=1000000")
			o.Accel = unit
			o.Args = []string{"<&>"}
			o.Dumps = []soc.Dump{{Symbol: "times"}}
			r := run(t, o)
			yes := true
			r.Verified, r.Energy = &yes, json.RawMessage(`{"joules": 1}`)
			for range 2 {
				text := resultJSON(t, r)
				back, err := soc.ParseResult(text)
				if err != nil {
					t.Fatalf("%s on %s: %v", label, unit, err)
				}
				if again := resultJSON(t, back); !bytes.Equal(again, text) {
					t.Errorf("%s on %s: not the same bytes:\n%s", label, unit, again)
				}
				r.Host, r.Verified, r.Energy = nil, nil, nil
			}
		}
	}
}

// Whatever is wrong is named.
func TestParseResultErrors(t *testing.T) {
	o := start(t, "hash")
	o.Accel = "shake-fifo"
	good := string(resultJSON(t, run(t, o)))
	for _, c := range []struct{ old, fresh, want string }{
		{good, "", "empty"},
		{good, "[1,2]", "a result must be an object"},
		{good, "null", "a result must not be null"},
		{good, "{}", "exit is missing"},
		{good, good + good, "is no JSON"},
		{`"cycles": `, "\"cycles\": x", "line 6 is no JSON"},
		{`"instret": `, `"Instret": `, "Instret: a result has no such field (did you mean instret?)"},
		{`"words_in": `, `"words": 1, "words_in": `, "words: a result has no such field"},
		{`"trap": 0,`, ``, "ledger.trap is missing"},
		{`"trap": 0,`, `"trap": null,`, "ledger.trap must not be null"},
		{`"trap": 0,`, `"trap": -1,`, "ledger.trap: -1 is not a value of this field, which is a whole number from 0"},
		{`"trap": 0,`, `"trap": 0.5,`, "ledger.trap: 0.5 is not"},
		{`"trap": 0,`, `"trap": 1,`, "the rows add up to"},
		{"\"calls\": 1,\n      \"cycles\": ", "\"calls\": 1,\n      \"cycles\": 1", "regions[0].ledger: the rows add up to"},
		{`"devices": [`, `"devices": [5,`, "devices[0] must be an object"},
		{`"devices": [`, `"devices": 5, "x": [`, "x: a result has no such field"},
		{`"dumps": {}`, `"dumps": {"a": 5}`, "dumps.a: 5 is not a value of this field, which is a string"},
		{`"kind": "clint"`, `"kind": 3`, "devices[0].kind: 3 is not"},
		{`"clock_assumed": true`, `"clock_assumed": "no"`, "config.clock_assumed: \"no\" is not a value of this field, which is true or false"},
		{`"reason": "tohost"`, `"reason": "whim"`, "exit.reason"},
		{`"elf_sha256": "`, `"elf_sha256": "\u001b`, "elf_sha256"},
		{`"energy": null`, `"joules": null`, "joules: a result has no such field"},
	} {
		text := strings.Replace(good, c.old, c.fresh, 1)
		if text == good {
			t.Errorf("nothing to replace for %s", c.fresh)
			continue
		}
		_, err := soc.ParseResult([]byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: error %v, want %q", c.fresh, err, c.want)
		}
	}

	// A field that another version had is no riddle.
	text := strings.Replace(strings.Replace(good, `"trap": 0,`, ``, 1), `"model_version": "`, `"model_version": "9.`, 1)
	if _, err := soc.ParseResult([]byte(text)); err == nil || !strings.Contains(err.Error(), "is of model version 9."+soc.ModelVersion+", this is "+soc.ModelVersion) {
		t.Errorf("error %v", err)
	}
	text = strings.Replace(good, `"model_version": "`, `"model_version": "9.`, 1)
	if _, err := soc.ParseResult([]byte(text)); err != nil {
		t.Errorf("another version with the same fields: %v", err)
	}
}

// Parts of a result that cannot both be true are named. Each edit would leave a
// result if it stood alone.
func TestParseResultContradictions(t *testing.T) {
	o := start(t, "hash")
	o.Accel, o.Events = "shake-fifo", true
	o.Dumps = []soc.Dump{{Symbol: "digest"}}
	for _, c := range []struct {
		name string
		edit func(*soc.Result)
		want string
	}{
		{"code", func(r *soc.Result) { r.Exit.Reason = soc.Timeout }, "exit: reason timeout has code 124, not 0"},
		{"report", func(r *soc.Result) { r.Exit.Report = &soc.Report{What: "x"} }, "exit: a run has a report if the program did not end by itself"},
		{"no report", func(r *soc.Result) { r.Exit = soc.Exit{Reason: soc.SelfLoop, Code: 123} }, "exit: a run has a report"},
		{"sum", func(r *soc.Result) { r.Ledger.Sleep++ }, "ledger: the rows add up to"},
		{"instret", func(r *soc.Result) { r.Instret = r.Cycles + 1 }, "instret: "},
		{"dump", func(r *soc.Result) { r.Dumps["digest"] += "0" }, "dumps.digest: encoding/hex: odd length"},
		{"bytes", func(r *soc.Result) { r.Devices[3].Stores.Bytes++ }, "devices[3].stores: 38 accesses cannot have moved 153 bytes"},
		{"fewer bytes", func(r *soc.Result) { r.Devices[3].Loads.Bytes = 1 }, "devices[3].loads: 7 accesses cannot have moved 1 bytes"},
		{"wait of nothing", func(r *soc.Result) { r.Devices[0].Loads.BusWait = 4 }, "devices[0].loads: 0 accesses cannot have moved 0 bytes, or waited 4 cycles"},
		{"idle", func(r *soc.Result) { r.Devices[3].Accel.IdleCycles-- }, "devices[3].accel: busy and idle cycles add up to"},
		{"abandoned", func(r *soc.Result) { r.Devices[3].Accel.Abandoned = 3 }, "devices[3].accel: more permutations abandoned"},
		{"overlap", func(r *soc.Result) { r.Devices[3].Accel.OverlapCycles = 1000 }, "more cycles of overlap than busy ones"},
		{"high water", func(r *soc.Result) { r.Devices[3].Accel.InputHighWater = 43 }, "devices[3].accel: the FIFOs held more words"},
		{"another unit", func(r *soc.Result) { r.Config.Accel = "shake-lsu" }, "devices[3]: shake-fifo has counters of an accelerator, but config.accel is shake-lsu"},
		{"no unit", func(r *soc.Result) { r.Config.Accel = "none" }, "but config.accel is none"},
		{"no counters", func(r *soc.Result) { r.Devices[3].Accel = nil }, "config.accel is shake-fifo, but its parameters"},
		{"no parameters", func(r *soc.Result) { r.Config.AccelParameters = nil }, "config.accel is shake-fifo, but its parameters"},
		{"stall", func(r *soc.Result) { r.Events.Stall = r.Cycles + 1 }, "events: "},
		{"bridge", func(r *soc.Result) { r.Events.Bridge = r.Events.Crossbar + 1 }, "transactions over a bridge: a part is larger than the whole"},
		{"classes", func(r *soc.Result) { r.Events.Instructions.ALU++ }, "events: instructions: the classes add up to"},
		{"taken", func(r *soc.Result) { i := r.Events.Instructions; i.Taken = i.Branch + 1 }, "a part is larger than the whole"},
		{"transactions", func(r *soc.Result) { i := r.Events.Instructions; i.RAMLoads, i.RAMStores = 0, 0 }, "loads and stores made no more than"},
		{"classes of a region", func(r *soc.Result) { r.Regions[0].Events.Instructions.Jump++ }, "regions[0].events: instructions: the classes add up to"},
		{"stalls of a region", func(r *soc.Result) { r.Events.Stall = 1 }, "regions[0].events: "},
		{"counts of a region", func(r *soc.Result) { r.Regions[0].Events.Instructions = nil }, "regions[0].events: instructions: the run counts them by class, or none of its regions does"},
		{"sum of a region", func(r *soc.Result) { r.Regions[0].Cycles++ }, "regions[0].ledger: the rows add up to"},
		{"calls", func(r *soc.Result) { r.Regions[0].Calls = 0 }, "regions[0].calls"},
		{"instructions of a region", func(r *soc.Result) { r.Regions[0].Instret = r.Instret + 1 }, "regions[0].calls"},
		{"row of a region", func(r *soc.Result) { l := &r.Regions[0].Ledger; l.Sleep++; l.Wait-- }, "regions[0].ledger.sleep: 1 cycles, in the whole run there are 0"},
		{"unit of a region", func(r *soc.Result) { r.Regions[0].Accel = nil }, "regions[0].accel: a region has counters"},
		{"words of a region", func(r *soc.Result) { r.Regions[0].Accel.WordsIn++ }, "regions[0].accel: "},
	} {
		r := run(t, o)
		c.edit(r)
		_, err := soc.ParseResult(resultJSON(t, r))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// Nothing that looks like a result makes the reader panic.
func FuzzParseResult(f *testing.F) {
	f.Add([]byte(`{"exit": {"reason": "tohost", "code": 0}, "regions": [null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := soc.ParseResult(text); (r == nil) == (err == nil) {
			t.Errorf("result %v, error %v", r, err)
		}
	})
}
