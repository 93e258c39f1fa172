package soc_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"socsim/soc"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(soc.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("result.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("result.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func resultJSON(t *testing.T, r *soc.Result) []byte {
	t.Helper()
	b, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Results of every kind obey the published schema.
func TestSchema(t *testing.T) {
	s := schema(t)
	check := func(text []byte) error {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return s.Validate(v)
	}
	for _, label := range []string{"_start", "hash", "recursion", "unmapped", "bad_jump", "asleep", "timer", "semihosting"} {
		for _, unit := range []string{"none", "shake-fifo"} {
			o := start(t, label, "clock_hz=1000000")
			o.Accel = unit
			o.Args = []string{"<&>"}
			o.Events = label != "hash"
			o.Dumps = []soc.Dump{{Symbol: "times"}, {Symbol: "left", Bytes: 3}}
			o.Limits.MaxCycles = soc.NoLimit
			yes := true
			o.Verify = func([]byte, uint32, func(string) (uint32, bool)) (*bool, []string) { return &yes, nil }
			r := run(t, o)
			text := resultJSON(t, r)
			if err := check(text); err != nil {
				t.Errorf("%s on %s: %v", label, unit, err)
			}
			if !bytes.Contains(text, []byte(`"<&>"`)) {
				t.Errorf("%s on %s: arguments do not stand in the result as they are", label, unit)
			}
			r.Host, r.Verified, r.Energy = nil, nil, json.RawMessage(`{"table": "t", "node": "n", "counted": false, "assumed": [], "regions": [], "run": {"name": "", "cycles": 1, "ms": 1,
				"nanojoules": {"value": 1, "low": 1, "high": 1.5}, "milliwatts": {"value": 1, "low": 1, "high": 1}, "components": []}}`)
			if err := check(resultJSON(t, r)); err != nil {
				t.Errorf("%s on %s: %v", label, unit, err)
			}
		}
	}

	// The check can fail: each of these breaks one rule.
	good := string(resultJSON(t, run(t, start(t, "_start"))))
	for _, c := range [][2]string{
		{`"reason": "tohost"`, `"reason": "whim"`},
		{`"verified": null`, `"verified": "yes"`},
		{`"cycles": `, `"cycle": `},
		{`"elf_sha256": "`, `"elf_sha256": "x`},
		{`"trap": 0,`, ``},
		{`"energy": null`, `"energy": 5`},
	} {
		bad := strings.Replace(good, c[0], c[1], 1)
		if bad == good {
			t.Errorf("nothing to replace for %s", c[0])
		} else if check([]byte(bad)) == nil {
			t.Errorf("%s is accepted", c[1])
		}
	}
}

// Names and order of the result are what scripts rely on.
func TestJSONLayout(t *testing.T) {
	o := start(t, "hash", "accel.fifo_depth=40")
	o.Accel = "shake-fifo"
	o.Dumps = []soc.Dump{{Symbol: "digest"}}
	text := resultJSON(t, run(t, o))
	keys := func(raw []byte) string {
		d := json.NewDecoder(bytes.NewReader(raw))
		depth, list, isKey := 0, "", false
		for {
			tok, err := d.Token()
			if err != nil {
				return strings.TrimSpace(list)
			}
			switch v := tok.(type) {
			case json.Delim:
				if v == '{' || v == '[' {
					depth++
				} else {
					depth--
				}
				isKey = depth == 1
			case string:
				if depth == 1 && isKey {
					list += v + " "
					isKey = false
					continue
				}
				isKey = depth == 1
			default:
				isKey = depth == 1
			}
		}
	}
	const want = "exit cycles instret verified ledger events regions devices energy dumps config elf_sha256 model_version host"
	if got := keys(text); got != want {
		t.Errorf("keys\n got %s\nwant %s", got, want)
	}
	var r struct {
		Exit     map[string]any
		Energy   any
		Verified any
		Dumps    map[string]string
		Devices  []struct {
			Name, Kind, Bus string
			Loads, Stores   struct{ Count, Bytes uint64 }
			Accel           map[string]uint64
		}
		Config map[string]any
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"reason": "tohost", "code": 0.0}, r.Exit); diff != "" || r.Energy != nil || r.Verified != nil {
		t.Errorf("%s energy %v verified %v", diff, r.Energy, r.Verified)
	}
	// SHAKE256(00 01 02 03 repeated to 136 bytes), 8 bytes.
	if got, want := r.Dumps["digest"], shakeDigest; got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	unit := r.Devices[len(r.Devices)-1]
	if unit.Name != "shake-fifo" || unit.Kind != "accel" || unit.Bus != "apb" || unit.Stores.Count != 38 || unit.Stores.Bytes != 152 ||
		unit.Loads.Count != 7 || unit.Accel["words_in"] != 34 || unit.Accel["words_out"] != 2 || unit.Accel["permutations"] != 2 || unit.Accel["busy_cycles"] != 48 {
		t.Errorf("%+v", unit)
	}
	if diff := cmp.Diff(map[string]any{"cycles_per_round": "1", "startup": 0.0, "input_depth": 40.0, "output_depth": 40.0}, r.Config["accel_parameters"]); diff != "" {
		t.Error(diff)
	}
	if r.Config["clock_assumed"] != true || r.Config["elf"] != "cases.elf" || r.Config["accel"] != "shake-fifo" {
		t.Errorf("config %v", r.Config)
	}
}

// Same options, same bytes; the host's speed apart.
func TestDeterministic(t *testing.T) {
	once := func() []byte {
		o := start(t, "timer")
		o.RAM = soc.RAMInit{Random: true, Seed: 3}
		o.Accel = "shake-fifo"
		o.Dumps = []soc.Dump{{Symbol: "times"}, {Symbol: "digest"}, {Symbol: "left", Bytes: 64}}
		r := run(t, o)
		r.Host = nil
		return resultJSON(t, r)
	}
	a, b := once(), once()
	if !bytes.Equal(a, b) {
		t.Error(cmp.Diff(string(a), string(b)))
	}
	if bytes.Contains(a, []byte(`"host"`)) {
		t.Error("host is not left out")
	}
}
