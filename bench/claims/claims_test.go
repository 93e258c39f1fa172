package claims

import (
	"encoding/json"
	"flag"
	"slices"
	"strings"
	"testing"

	"socsim/accel"
	"socsim/soc"
)

var long = flag.Bool("long", false, "judge all parameter sets, not two")

// operation is what a fabricated run does in one operation.
type operation struct {
	point Point
	name  string
	soc.Ledger
	busy, permutations, words uint64
}

// hash and coupling of a point that has both.
func (o *operation) coupling() string { return strings.TrimPrefix(o.point.Accel, o.point.Hash+"-") }
func (o *operation) ideal() bool      { return strings.HasSuffix(o.point.Settings, idealPermutation) }

// friendly is a run of a world in which every claim of the study is right.
func friendly(p Point, name string) *operation {
	o := &operation{point: p, name: name, permutations: 10, words: 200}
	o.Compute = 50
	if p.Software() {
		o.Compute = 10_000
		return o
	}
	o.MoveIn, o.MoveOut, o.Control, o.busy, o.Wait = 800, 100, 50, 120, 100
	if o.coupling() == "regx" && (p.Hash == "shake" || p.Hash == "shake12") {
		o.MoveIn = 600
	}
	if p.Hash == "shake12" || p.Hash == "ascon8" {
		o.busy, o.Wait = 60, 50
	}
	bus, rounds, _ := strings.Cut(p.Settings, " ")
	if wait, swept := strings.CutPrefix(bus, "accel.bus=0/"); swept {
		// 100 cycles of words and 300 of permutations, waits and rounds of one cycle
		o.MoveIn, o.MoveOut = 100*uint64(wait[0]-'0'+1), 0
		r, err := accel.ParseRatio(strings.TrimPrefix(rounds, "accel.cycles_per_round="))
		if err != nil {
			panic(err)
		}
		o.busy = 300 * uint64(r.Num) / uint64(r.Den)
		o.Wait = o.busy
	}
	if o.ideal() {
		o.Wait, o.busy = 0, 0
	}
	return o
}

// result is the run as soc returns it.
func result(p Point, change func(*operation)) *soc.Result {
	verified := true
	r := &soc.Result{
		Exit: soc.Exit{Reason: soc.Semihosting}, Verified: &verified, ELFSHA256: "00", ModelVersion: soc.ModelVersion,
		Config: soc.Config{ELF: p.Program, Args: p.Args(), Platform: "default", Accel: p.Accel, Hash: p.Hash},
	}
	if p.Settings != "" {
		r.Config.Set = strings.Fields(p.Settings)
	}
	names := strings.Split(p.Operations, ",")
	if p.Program == OneHash {
		names = []string{hashRegion}
	}
	for _, name := range names {
		o := friendly(p, name)
		if change != nil {
			change(o)
		}
		g := soc.Region{Name: name, Calls: 1, Cycles: o.Sum(), Ledger: o.Ledger}
		if !p.Software() {
			g.Accel = &soc.AccelStats{WordsIn: o.words, Permutations: o.permutations, BusyCycles: o.busy}
		}
		r.Regions = append(r.Regions, g)
		r.Cycles += g.Cycles
		r.Ledger.Compute += g.Cycles
	}
	return r
}

func everything(sets ...string) Scope {
	return Scope{Claims: Names(), Sets: sets, Operations: Operations}
}

// fabricate makes all runs of a scope but those that leave says.
func fabricate(t *testing.T, s Scope, change func(*operation), leave func(Point) bool) *Results {
	t.Helper()
	var r Results
	for _, p := range s.Points() {
		if leave != nil && leave(p) {
			continue
		}
		if err := r.Add(result(p, change)); err != nil {
			t.Fatal(err)
		}
	}
	return &r
}

func verdictOn(t *testing.T, list []Verdict, name string) Verdict {
	t.Helper()
	for _, v := range list {
		if v.Claim == name {
			return v
		}
	}
	t.Fatalf("no verdict on %s", name)
	return Verdict{}
}

func is(text string, of ...string) bool { return slices.Contains(of, text) }

// Every verdict flips with the results.
func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		claim   string
		why     string
		change  func(*operation)
		outcome Outcome
		reason  string // a part of it
	}{
		{"C1", "900 cycles of words, 120 of permutations", nil, Supported,
			"The transfer decides 60 of 60 use-cases. By hash: shake 12 of 12,"},
		{"C1", "permuting takes longer, though nobody waits for it", func(o *operation) { o.busy = 901 }, Refuted,
			"The transfer decides 0 of 60 use-cases."},
		{"C1", "equal is not more", func(o *operation) { o.busy = 900 }, Refuted, " 0 of 60 "},
		{"C1", "control takes longest", func(o *operation) { o.Control = 901 }, Refuted, " 0 of 60 "},
		{"C1", "traps are control", func(o *operation) { o.Trap = 851 }, Refuted, " 0 of 60 "},
		{"C1", "the program's own work takes longest", func(o *operation) {
			o.Compute = 901
		}, Refuted, " 0 of 60 "},
		{"C1", "what is waited for without permutations is words: sleeping until a DMA engine is done",
			func(o *operation) {
				if !o.point.Software() && o.coupling() == "dma" {
					o.MoveIn, o.MoveOut, o.Sleep = 0, 0, 900
				}
			}, Supported, "dma 15 of 15"},
		{"C1", "slow permutations of the Ascons", func(o *operation) {
			if strings.HasPrefix(o.point.Hash, "ascon") {
				o.busy = 5000
			}
		}, Depends, "The transfer decides 24 of 60 use-cases. By hash: shake 12 of 12, shake12 12 of 12, ascon 0 of 12, ascon8 0 of 12, " +
			"ascon128 0 of 12. By coupling: fifo 6 of 15, lsu 6 of 15, lsux 6 of 15, dma 6 of 15. So it is not most of all, but most of those with shake and shake12"},
		{"C1", "half is not most", func(o *operation) {
			if is(o.coupling(), "lsu", "lsux") {
				o.busy = 5000
			}
		}, Depends, "The transfer decides 30 of 60 use-cases."},
		{"C1", "one more than half is", func(o *operation) {
			if is(o.coupling(), "lsu", "lsux") && (o.point.Accel != "shake-lsu" || o.name != "sign") {
				o.busy = 5000
			}
		}, Supported, "The transfer decides 31 of 60 use-cases."},
		{"C1", "a minority everywhere", func(o *operation) {
			if o.name != "verify" {
				o.busy = 5000
			}
		}, Refuted, "The transfer decides 20 of 60 use-cases."},

		{"C2", "50 of 1100 cycles", nil, Supported, "Fewer rounds save less than 10% in 42 of 42 use-cases."},
		{"C2", "much is saved everywhere", func(o *operation) {
			if is(o.point.Hash, "shake", "ascon") {
				o.Wait += 1000
			}
		}, Refuted, "in 0 of 42 use-cases"},
		{"C2", "exactly 10% is not less", func(o *operation) {
			o.Ledger = soc.Ledger{Compute: 900}
			if is(o.point.Hash, "shake", "ascon") {
				o.Wait = 100
			}
		}, Refuted, "in 0 of 42 use-cases"},
		{"C2", "it flips over lsu, and over reg in one operation", func(o *operation) {
			if is(o.point.Hash, "shake", "ascon") && (o.coupling() == "lsu" || o.coupling() == "reg" && o.name == "sign") {
				o.Wait += 1000
			}
		}, Depends, "in 34 of 42 use-cases. They bring little with shake-ram, shake-fifo, shake-lsux, shake-regx, shake-dma, ascon-ram, ascon-fifo, " +
			"ascon-lsux, ascon-regx and ascon-dma. It depends on the operation with shake-reg and ascon-reg. They bring more with shake-lsu and ascon-lsu."},
		{"C2", "half the hashes to verify are no gain of rounds", func(o *operation) {
			if is(o.point.Hash, "shake12", "ascon8") && o.name == "verify" {
				o.permutations = 5
				o.MoveIn, o.Wait, o.MoveOut, o.Control, o.Compute = 400, 25, 50, 25, 25
			}
		}, Supported, "in 42 of 42 use-cases."},

		{"C3", "50 of 10,000 cycles are the scheme's own", nil, Supported,
			"most of the time in 15 of 15 use-cases; its share is 99.5% to 99.5%."},
		{"C3", "more than half is the scheme's own", func(o *operation) {
			if o.point.Accel == o.point.Hash+"-fifo" {
				o.Compute = 6000
			}
		}, Refuted, "in 0 of 15 use-cases; its share is 40.0% to 40.0%."},
		{"C3", "half is not most", func(o *operation) {
			if o.point.Accel == o.point.Hash+"-fifo" {
				o.Compute = 5000
			}
		}, Refuted, "in 0 of 15"},
		{"C3", "not in verification", func(o *operation) {
			if o.point.Software() && o.name == "verify" {
				o.Compute = 60
			}
		}, Depends, "in 10 of 15 use-cases; its share is 16.7% to 99.5%. By hash: shake 2 of 3, shake12 2 of 3, ascon 2 of 3, ascon8 2 of 3, " +
			"ascon128 2 of 3. By operation: keygen 5 of 5, sign 5 of 5, verify 0 of 5."},

		{"C4", "800 to 600 cycles for the Keccaks, 800 both for the Ascons", nil, Supported, "As expected in 30 of 30 use-cases."},
		{"C4", "the instruction saves nothing", func(o *operation) {
			if !o.point.Software() && o.coupling() == "regx" {
				o.MoveIn = 800
			}
		}, Refuted, "As expected in 18 of 30 use-cases. Absorption is faster in no use-case of shake or shake12."},
		{"C4", "9.9% are not enough", func(o *operation) {
			if is(o.point.Accel, "shake-regx", "shake12-regx") {
				o.MoveIn = 721
			}
		}, Refuted, "in 18 of 30"},
		{"C4", "10% are enough", func(o *operation) {
			if is(o.point.Accel, "shake-regx", "shake12-regx") {
				o.MoveIn = 720
			}
		}, Supported, "in 30 of 30"},
		{"C4", "it makes ascon faster, too", func(o *operation) {
			if o.point.Accel == "ascon-regx" {
				o.MoveIn = 700
			}
		}, Depends, "As expected in 24 of 30 use-cases. Faster for shake and shake12, in all 12. " +
			"No difference for the Ascons: keygen 2 of 3, sign 2 of 3, verify 2 of 3, 64 bytes 2 of 3, 608 bytes 2 of 3, 1360 bytes 2 of 3."},
		{"C4", "it makes ascon slower", func(o *operation) {
			if o.point.Accel == "ascon-regx" {
				o.MoveIn = 808
			}
		}, Depends, "in 24 of 30"},
		{"C4", "less than 1% is no difference", func(o *operation) {
			if o.point.Accel == "ascon-regx" {
				o.MoveIn = 807
			}
		}, Supported, "in 30 of 30"},
		{"C4", "only in signing, only for shake", func(o *operation) {
			if is(o.point.Accel, "shake-regx", "shake12-regx") && (o.name != "sign" || o.point.Hash != "shake") {
				o.MoveIn = 800
			}
		}, Depends, "As expected in 19 of 30 use-cases. Faster for shake and shake12: keygen 0 of 2, sign 1 of 2, verify 0 of 2, 64 bytes 0 of 2, 608 bytes 0 of 2, 1360 bytes 0 of 2. No difference for the Ascons, in all 18."},
		{"C4", "only in messages of more than a block", func(o *operation) {
			if is(o.point.Accel, "shake-regx", "shake12-regx") && !is(o.point.Message, "608", "1360") {
				o.MoveIn = 800
			}
		}, Depends, "As expected in 22 of 30 use-cases. Faster for shake and shake12: keygen 0 of 2, sign 0 of 2, verify 0 of 2, 64 bytes 0 of 2, 608 bytes 2 of 2, 1360 bytes 2 of 2. No difference for the Ascons, in all 18."},

		{"border", "100 cycles of words for each wait and one more, 300 of rounds", nil, Found,
			"ascon: the border is at 0.33 cycles a round without wait states and at 2.00 with 5. shake: the border is at 0.33 "},
		{"border", "permutations are always faster", func(o *operation) { o.busy = 1 }, NotFound,
			"ascon: the same decides everywhere in the range swept. shake: the same"},
		{"border", "words are always faster", func(o *operation) { o.busy = 1 << 20 }, NotFound, "the same decides everywhere"},
		{"border", "for one of the two only", func(o *operation) {
			if o.point.Hash == "shake" {
				o.busy = 1 << 20
			}
		}, NotFound, "ascon: the border is at 0.33 cycles a round without wait states and at 2.00 with 5. shake: the same decides everywhere"},
	} {
		s := everything("128f")
		v := verdictOn(t, Judge(s, fabricate(t, s, tt.change, nil)), tt.claim)
		if v.Outcome != tt.outcome || !strings.Contains(v.Reason, tt.reason) || len(v.Missing) > 0 {
			t.Errorf("%s, %s:\n got %s: %s %v\nwant %s: ... %s", tt.claim, tt.why, v.Outcome, v.Reason, v.Missing, tt.outcome, tt.reason)
		}
	}
}

// Use-cases of all sets count.
func TestSets(t *testing.T) {
	s := everything("128f", "128s")
	slow := func(o *operation) {
		if o.point.Set == "128s" {
			o.busy = 5000
		}
	}
	v := verdictOn(t, Judge(s, fabricate(t, s, slow, nil)), "C1")
	if v.Outcome != Refuted || !strings.Contains(v.Reason, " 60 of 120 use-cases") || len(v.Tables) != 2 {
		t.Errorf("%s: %s; %d tables", v.Outcome, v.Reason, len(v.Tables))
	}
}

// A claim is undecided exactly if a run that it needs is missing; it names the run, and
// tables have a dash in its place.
func TestMissing(t *testing.T) {
	s := everything("128f", "256s")
	if *long {
		s.Sets = Sets
	}
	all := fabricate(t, s, nil, nil)
	for _, gone := range s.Points() {
		r := &Results{absent: map[Point]string{gone: "gone"}, runs: map[Point]*soc.Result{}}
		for p, run := range all.runs {
			if p != gone {
				r.runs[p] = run
			}
		}
		for i, v := range Judge(s, r) {
			needed := slices.Contains(claims[i].points(s), gone)
			if (v.Outcome == Undecided) != needed {
				t.Errorf("%s without %s: %s", v.Claim, gone, v.Outcome)
			}
			if !needed {
				continue
			}
			if len(v.Missing) != 1 || v.Missing[0] != (Missing{gone, "gone"}) {
				t.Errorf("%s without %s: missing are %v", v.Claim, gone, v.Missing)
			}
			if !strings.HasPrefix(v.Reason, "1 of the ") || !slices.ContainsFunc(v.Tables, hasDash) {
				t.Errorf("%s without %s: %s", v.Claim, gone, v.Reason)
			}
		}
	}
}

func hasDash(t Table) bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return slices.ContainsFunc(r.Cells, func(c Cell) bool { return c == noCell }) })
}

// Without any run there is nothing to say, and it can be said in JSON.
func TestNothing(t *testing.T) {
	s := everything("128f")
	list := Judge(s, &Results{})
	for _, v := range list {
		if v.Outcome != Undecided || len(v.Missing) == 0 || v.Missing[0].Why != "it was not run" || !strings.HasSuffix(v.Reason, " are missing.") {
			t.Errorf("%s: %s: %s, %d missing", v.Claim, v.Outcome, v.Reason, len(v.Missing))
		}
	}
	for _, list := range [][]Verdict{list, Judge(s, fabricate(t, s, nil, nil))} {
		if _, err := json.Marshal(list); err != nil {
			t.Error(err)
		}
	}
}

// Every row has a cell for every column, and the first one of each claim is this.
func TestTables(t *testing.T) {
	s := everything("128f")
	first := map[string]string{
		"C1":     "shake-fifo: 7.50 t, 7.50 t, 7.50 t",
		"C2":     "shake to shake12, software: 0.0%, 0.0%, 0.0%",
		"C3":     "shake keygen: 99.5%, 95.5%, 95.5%, 95.5%, 95.5%, 95.5%, 94.4%, 95.5%",
		"C4":     "shake keygen: 4.00, 3.00, 25.0%, 18.2%",
		"border": "0/0/0: t 11%, t 20%, t 27%, p 33%, p 43%, p 60%, p 75%, p 86%, 0.33",
	}
	for _, v := range Judge(s, fabricate(t, s, nil, nil)) {
		for _, table := range v.Tables {
			for _, r := range table.Rows {
				if len(r.Cells) != len(table.Columns) {
					t.Errorf("%s: row %s has %d cells for %d columns", v.Claim, r.Name, len(r.Cells), len(table.Columns))
				}
			}
		}
		var cells []string
		for _, c := range v.Tables[0].Rows[0].Cells {
			cells = append(cells, c.Text)
		}
		if got := v.Tables[0].Rows[0].Name + ": " + strings.Join(cells, ", "); got != first[v.Claim] {
			t.Errorf("%s\n got %s\nwant %s", v.Claim, got, first[v.Claim])
		}
	}
}

// Every threshold is used, and its text has its number.
func TestThresholds(t *testing.T) {
	used := map[int]bool{}
	for _, c := range claims {
		for _, n := range c.thresholds {
			used[n] = true
		}
	}
	others := JudgeOthers(nil).Thresholds
	for n, x := range Thresholds {
		if !used[n] && !slices.Contains(others, x) {
			t.Errorf("%s decides nothing", x.Name)
		}
		if want := strings.Replace(percent(x.Value), ".0%", "%", 1); !strings.Contains(x.Text, want) {
			t.Errorf("%s: %q does not say %s", x.Name, x.Text, want)
		}
	}
}
