package report

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Axes have all numbers on them, and ticks in order.
func TestAxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := math.Pow(10, rapid.Float64Range(-6, 19).Draw(t, "low"))
		high := low * math.Pow(10, rapid.Float64Range(0, 12).Draw(t, "decades"))
		for _, a := range []Axis{linear("", high, plain), logarithmic("", low, high, plain)} {
			if a.Min > low*(1+1e-9) || a.Max < high*(1-1e-9) || a.Max <= a.Min {
				t.Fatalf("%v to %v on an axis from %v to %v", low, high, a.Min, a.Max)
			}
			if len(a.Ticks) < 2 || len(a.Ticks) > 32 {
				t.Fatalf("%d ticks from %v to %v", len(a.Ticks), a.Min, a.Max)
			}
			if !a.Log && a.Max > 1.7*high {
				t.Fatalf("%v on an axis to %v", high, a.Max)
			}
			last := -1.0
			for _, k := range a.Ticks {
				if at := a.at(k.Value); at <= last || at > 1 {
					t.Fatalf("tick %v at %v behind %v", k.Value, at, last)
				} else {
					last = at
				}
			}
		}
	})
	a := linear("", 0, plain)
	if a.at(math.Inf(1)) != 1 || a.at(0) != 0 {
		t.Error("an axis without numbers")
	}
}

func TestText(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{count(uint64(math.MaxUint64)), "18,446,744,073,709,551,615"}, {count(int64(math.MinInt64)), "-9,223,372,036,854,775,808"},
		{count(0), "0"}, {count(999), "999"}, {count(-1000), "-1,000"},
		{short(12_195_159), "12.2 M"}, {short(999_600), "1.00 M"}, {short(999_400), "999 k"}, {short(0), "0"}, {short(0.0123), "0.0123"},
		{plain(1_500_000), "1.5 M"}, {plain(200), "200"}, {plain(1000), "1 k"},
		{significant(1234.5), "1,234"}, {significant(0.25), "0.25"}, {significant(9.999), "10"},
		{decimal(-0.001, 2), "0.00"}, {decimal(-1234.567, 1), "-1,234.6"},
		{percent(1), "100.0%"}, {percent(0.9999), "99.9%"}, {percent(0.5), "50.0%"},
		{cyclesText(12.5), "12.5"}, {cyclesText(12), "12"},
		{slug("Kyber 512/../x"), "kyber-512-x"}, {slug("…"), "unnamed"},
		{clean("a\x00b\u202ec\nd"), "a\uFFFDb\uFFFDc d"}, {cut("abcdef", 4), "abc…"},
		{and([]string{"a", "b", "c"}), "a, b and c"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
	list := []string{"depth=16", "depth=4", "a", "depth=004", "depth=", "depth=1x"}
	slices.SortFunc(list, natural)
	if diff := cmp.Diff([]string{"a", "depth=", "depth=1x", "depth=4", "depth=004", "depth=16"}, list); diff != "" {
		t.Error(diff)
	}
}

// luminance and contrast are those of WCAG 2.2.
func luminance(c uint64) float64 {
	part := func(n uint64) float64 {
		x := float64(n&0xff) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c>>16) + 0.7152*part(c>>8) + 0.0722*part(c)
}

func contrast(a, b uint64) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Text can be read on what is behind it, and areas told from it, on paper and on a dark
// screen: 4.5 and 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11).
func TestContrast(t *testing.T) {
	css, err := os.ReadFile("page.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark := map[string]uint64{}, map[string]uint64{}
	for i, m := range regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(string(css), -1) {
		to := []map[string]uint64{light, dark}[i]
		for _, v := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(m[1], -1) {
			to[v[1]], _ = strconv.ParseUint(v[2], 16, 32)
		}
	}
	if len(light) != len(dark) || len(light) < 15 {
		t.Fatalf("%d and %d variables", len(light), len(dark))
	}
	for n, of := range []map[string]uint64{light, dark} {
		screen := []string{"light", "dark"}[n]
		for _, pair := range []struct {
			front, back string
			least       float64
		}{
			{"ink", "paper", 4.5}, {"soft", "paper", 4.5}, {"link", "paper", 4.5}, {"ink", "wash", 4.5}, {"soft", "wash", 4.5},
			{"ink", "band", 4.5}, {"yes", "yes-wash", 4.5}, {"no", "no-wash", 4.5}, {"part", "part-wash", 4.5}, {"open", "open-wash", 4.5}, {"no", "paper", 4.5},
		} {
			if c := contrast(of[pair.front], of[pair.back]); c < pair.least {
				t.Errorf("%s: %s on %s has %.2f to 1", screen, pair.front, pair.back, c)
			}
		}
		for _, p := range palette {
			c := uint64([]uint32{p.light, p.dark}[n])
			for _, back := range []string{"paper", "band"} {
				if got := contrast(c, of[back]); got < 3 {
					t.Errorf("%s: %s on %s has %.2f to 1", screen, p.name, back, got)
				}
			}
		}
	}
	for name, want := range map[string]uint64{"ink": ink, "soft": soft, "line": rule, "band": wash} {
		if light[name] != want {
			t.Errorf("%s is %06x on the page and %06x in files", name, light[name], want)
		}
	}
}

// Series have colours of their own, and ledger rows theirs.
func TestPalette(t *testing.T) {
	for i, name := range ledgerNames() {
		if k := ledgerKey(name); k.Color != i || palette[i].name != name {
			t.Errorf("%s has colour %d", name, k.Color)
		}
	}
	seen := map[string]bool{}
	for _, p := range palette[firstSeries:] {
		for _, c := range []string{fmt.Sprintf("light %06x", p.light), fmt.Sprintf("dark %06x", p.dark)} {
			if seen[c] {
				t.Errorf("%s twice", c)
			}
			seen[c] = true
		}
	}
	if n := len(palette) - firstSeries; n < 10 {
		t.Errorf("%d colours for the phases of SDitH", n)
	}
}

// All of a drawing is in its frame.
func TestFrame(t *testing.T) {
	r := New(world(nil), Options{Energy: proportional})
	for _, f := range r.Figures() {
		for i := range f.Panels {
			d := drawPanel(f, &f.Panels[i])
			in := func(x, y float64) bool { return x >= -0.5 && x <= d.W+0.5 && y >= -0.5 && y <= d.H+0.5 }
			for _, s := range d.Shapes {
				for _, p := range s.Points {
					if !in(p.X, p.Y) {
						t.Errorf("%s, %s: %v is outside of %v x %v", f.Name, f.Panels[i].Title, p, d.W, d.H)
					}
				}
			}
			for _, x := range d.Texts {
				if w := digit * float64(len([]rune(x.Text))); !in(x.X, x.Y) || x.Anchor == "start" && x.X+w > d.W+4 || x.Anchor == "end" && x.X-w < -4 {
					t.Errorf("%s, %s: %q at %v %v is not in %v x %v", f.Name, f.Panels[i].Title, x.Text, x.X, x.Y, d.W, d.H)
				}
			}
		}
	}
}

// Parts of a bar begin where the one before ends, and are as long as their numbers.
func TestBars(t *testing.T) {
	p := Panel{Kind: Bars, Rows: []string{"a", "b"}, Ends: []string{"30", "15"}, X: linear("", 40, plain)}
	for i, x := range []float64{10, 20, 5} {
		p.add(partKey(i, fmt.Sprint(i)), Point{Row: 0, X: x})
		p.add(partKey(i, fmt.Sprint(i)), Point{Row: 1, X: x / 2})
	}
	var at [2]float64
	d := drawPanel(&Figure{}, &p)
	unit := (d.Shapes[0].Points[1].X - d.Shapes[0].Points[0].X) / 10
	for i, s := range d.Shapes {
		row := i % 2
		want := []float64{10, 20, 5}[i/2] / float64(1+row)
		if from := s.Points[0].X; at[row] != 0 && math.Abs(from-at[row]) > 1e-9 || math.Abs(s.Points[1].X-from-want*unit) > 1e-9 || !s.Bar {
			t.Errorf("part %d of row %d: %v, behind %v", i/2, row, s.Points, at[row])
		}
		at[row] = s.Points[1].X
	}
	if len(d.Shapes) != 6 {
		t.Errorf("%d parts", len(d.Shapes))
	}
}

func TestLatin(t *testing.T) {
	if got := latin("a×b…\u4f60é"); got != "a×b…?é" {
		t.Error(got)
	}
	if strings.Contains(latin("\U0001F600"), "\U0001F600") {
		t.Error("a letter that the font has not")
	}
}
