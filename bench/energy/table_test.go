package energy

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestTables(t *testing.T) {
	if !slices.Contains(Tables(), DefaultTable) {
		t.Fatalf("built in are %v", Tables())
	}
	for _, name := range Tables() {
		c, err := Load(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Name != name || c.Node == "" || len(c.Values) != len(Keys()) {
			t.Errorf("%s: name %q, node %q, %d coefficients", name, c.Name, c.Node, len(c.Values))
		}
		for key, v := range c.Values {
			if v.Low == v.High && !strings.Contains(v.Assumed, "a knob") && !strings.HasPrefix(key, "area.") {
				t.Errorf("%s of %s: %v is not known without an error", key, name, v.Value)
			}
		}
	}
}

// The table says what the research page says, which it was carried over from.
func TestTableIsThePage(t *testing.T) {
	page, err := os.ReadFile("../../../shared/ENERGY.md")
	if err != nil {
		t.Skip("the page of researched coefficients is not here: ", err)
	}
	c, err := Load("65nm")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| ([a-z0-9.]+) \| \+?([0-9.]+) \| [^|]* \| ([0-9.]+)-([0-9.]+) \|`)
	seen := 0
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		v, ok := c.Values[m[1]]
		if !ok {
			continue
		}
		seen++
		if got := fmt.Sprint(v.Value, " ", v.Low, " ", v.High); got != m[2]+" "+m[3]+" "+m[4] {
			t.Errorf("%s is %s, on the page %s %s-%s", m[1], got, m[2], m[3], m[4])
		}
	}
	if seen < 13 {
		t.Errorf("only %d rows of the page were found", seen)
	}
	for _, sum := range []struct {
		a, b            string
		value, low, top float64
	}{{"keccak.cycle", "keccak.round", 150, 100, 300}, {"ascon.cycle", "ascon.round", 35, 25, 54}} {
		a, b := c.Values[sum.a], c.Values[sum.b]
		if a.Value+b.Value != sum.value || !near(a.Low+b.Low, sum.low) || !near(a.High+b.High, sum.top) {
			t.Errorf("%s + %s: %v, %v", sum.a, sum.b, a, b)
		}
	}
}

func TestBadTables(t *testing.T) {
	good, err := builtin.ReadFile("65nm.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"[core.stall]\n", "[core.stal]\n", `core.stal: there is no such coefficient (did you mean core.stall?)`},
		{"[core.stall]\nvalue = 10\nlow = 6\nhigh = 20\nunit = \"pJ/cycle\"\n", "[x.y]\n", "x.y: there is no such coefficient"},
		{"value = 10\nlow = 6\n", "value = 10\n", "core.stall: low is missing; an interval of one point has low and high of the value"},
		{"low = 6\n", "low = 16\n", "core.stall: the value 10 is not in its interval, 16 to 20"},
		{"high = 20\n", "high = 9\n", "core.stall: the value 10 is not in its interval, 6 to 9"},
		{"high = 20\n", "high = \"much\"\n", "core.stall: high must be a number"},
		{"high = 20\n", "high = inf\n", "core.stall: +Inf is no number from 0"},
		{"low = 6\n", "low = -6\n", "core.stall: -6 is no number from 0"},
		{"value = 10\n", "value = nan\n", "core.stall: NaN is no number from 0"},
		{"high = 20\nunit", "high = 20\nunits", "core.stall: units: a coefficient has no such field (did you mean unit?)"},
		{"high = 20\nunit = \"pJ/cycle\"\n", "high = 20\n", "core.stall: unit is missing"},
		{"high = 20\n", "high = 1e300\n", "core.stall: 1e+300 is no number from 0 to 1e+09"},
		{"high = 20\nunit = \"pJ/cycle\"\n", "high = 20\nunit = \"nJ/cycle\"\n", `core.stall: unit "nJ/cycle", want "pJ/cycle"`},
		{"high = 20\nunit = \"pJ/cycle\"\n", "high = 20\nunit = 1\n", "core.stall: unit, source and assumed must be texts"},
		{"assumed = \"clock gated in wfi\"", "", "core.sleep: it has neither source nor assumed: say where 0.5 comes from, or what is assumed"},
		{"assumed = \"clock gated in wfi\"", "source = \" \"", "core.sleep: it has neither source nor assumed"},
		{"node = ", "# ", "node is missing"},
		{"node = ", "node = 65 #", "node must be a text"},
		{"name = ", "remark = 1\nname = ", "remark: a table has name, node, and coefficients as [core.active]"},
		{"[core.sleep]", "[core.sleep", "line "},
		{"[core.sleep]\n", "[core]\nsleep = 1\n[z.z]\n", "core.sleep: it must be a table of value, low, high, unit, and source or assumed"},
	} {
		text := strings.Replace(string(good), c.from, c.to, 1)
		if text == string(good) {
			t.Errorf("nothing to replace for %q", c.to)
			continue
		}
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %s", c.to, c.from, err, c.want)
		}
	}
	cut := string(good[:strings.Index(string(good), "[mix.div]")])
	if _, err := Parse([]byte(cut)); err == nil || err.Error() != "mix.div is missing" {
		t.Errorf("without mix.div: %v", err)
	}

	file := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(file, []byte(strings.Replace(string(good), "name = \"65nm\"\n", "", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if c, err := Load(file); err != nil || c.Name != "mine" {
		t.Errorf("%s: %v %v", file, c.Name, err)
	}
	if _, err := Load("65mn"); err == nil || !strings.Contains(err.Error(), "energy table 65mn: no such file, and built in are 65nm (did you mean 65nm?)") {
		t.Error(err)
	}
	if _, err := Load(filepath.Dir(file)); err == nil || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}
