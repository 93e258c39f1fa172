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

// Nothing that looks like a result makes the reader panic.
func FuzzParseResult(f *testing.F) {
	f.Add([]byte(`{"exit": {"reason": "tohost", "code": 0}, "regions": [null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := soc.ParseResult(text); (r == nil) == (err == nil) {
			t.Errorf("result %v, error %v", r, err)
		}
	})
}
