package claims

import (
	"fmt"
	"slices"
	"strings"

	"socsim/accel"
	"socsim/soc"
)

// OthersName is the name of the claim that [JudgeOthers] decides. It is not one of
// [Names]: its runs are of other programs, and come from whoever has them.
const OthersName = "C5"

// OtherSchemes are the schemes that C5 is about, by the names of their programs.
var OtherSchemes = []string{"kyber", "dilithium", "falcon"}

// Software is the coupling of a Case without an accelerator.
const Software = software

// Case is an operation of a scheme on a system, for C5. Cycles and counts are of one run.
type Case struct {
	Scheme, Set, Operation string
	Hash, Coupling         string // Coupling is Software without an accelerator
	Region                 *soc.Region
	Nanojoules             *float64 // what it takes; nil: no estimate
}

func (c *Case) same(d *Case) bool {
	return c.Scheme == d.Scheme && c.Set == d.Set && c.Operation == d.Operation
}

func (c *Case) name() string { return strings.TrimSpace(c.Set + " " + c.Operation) }

// othersMeasure defines C5. The study covers these schemes and power; DESIGN has no
// sharper words than "the picture", so what the picture is has to be said here.
const othersMeasure = "The picture is four statements, each counted for each scheme: (hashing) in software hashing is most of the time, as in C3; " +
	"(transfer) with FIFOs that the core fills, moving words decides, as in C1, but with the rows move_in and move_out of the run as given for the words, so that no other run " +
	"is needed; (rounds) fewer rounds save little for each permutation, as in C2; (energy) accelerators have the same order by energy as by cycles, for each pair of them. The first three are asked of " +
	"Kyber, Dilithium and Falcon, energy of SPHINCS+ as well. A statement holds for a scheme if it holds for most of its use-cases, or for energy in the same order of enough pairs. All hold: " +
	"supported; none: refuted. Letters: " + letters + "."

// statement is one of the four.
type statement struct {
	name   string
	holds  func(holds, all int) bool
	counts map[string]*group // by scheme
}

// JudgeOthers decides C5: what C1 to C3 say of SPHINCS+, asked of other schemes, and
// whether energy ranks accelerators as cycles do. A statement for which a scheme has no
// cases leaves it undecided.
func JudgeOthers(cases []Case) Verdict {
	v := Verdict{
		Claim:     OthersName,
		Statement: "Kyber, Dilithium and Falcon show the same picture as SPHINCS+, and energy shows the same as cycles.",
		Measure:   othersMeasure, Missing: []Missing{},
	}
	for _, n := range []int{mostUseCases, littleSaved, mostCycles, sameOrder} {
		v.Thresholds = append(v.Thresholds, Thresholds[n])
	}
	o := others{cases: cases}
	hashing, transfer, rounds, energy := o.hashing(), o.transfer(), o.rounds(), o.energy()
	list := []statement{
		{"hashing", mostOf, hashing}, {"transfer", mostOf, transfer}, {"rounds", mostOf, rounds},
		{"energy", func(holds, all int) bool { return float64(holds) >= threshold(sameOrder)*float64(all) }, energy},
	}
	v.Tables = append(v.Tables, Table{Title: "use-cases, and pairs of accelerators, for which each statement holds"})
	counts := &v.Tables[0]
	var yes, no []string
	schemes := append([]string{strings.TrimSuffix(Scheme, ".elf")}, OtherSchemes...)
	for _, s := range list {
		counts.Columns = append(counts.Columns, s.name)
	}
	for i, scheme := range schemes {
		row := Row{Name: scheme}
		for _, s := range list {
			g := s.counts[scheme]
			switch {
			case i == 0 && s.name != "energy":
				row.Cells = append(row.Cells, Cell{Text: "C1 to C3"})
				continue
			case g == nil:
				row.Cells = append(row.Cells, noCell)
				v.Missing = append(v.Missing, Missing{Point{Program: scheme + ".elf"}, "there is nothing to decide " + s.name + " by"})
				continue
			}
			row.Cells = append(row.Cells, cell(float64(g.holds)/float64(g.all), "%d of %d", g.holds, g.all))
			if name := s.name + " for " + scheme; s.holds(g.holds, g.all) {
				yes = append(yes, name)
			} else {
				no = append(no, name)
			}
		}
		counts.Rows = append(counts.Rows, row)
	}
	v.Tables = append(v.Tables, o.tables...)
	v.Outcome = unanimous(len(yes), len(yes)+len(no))
	if len(yes) > 0 {
		v.Reason = "It holds: " + and(yes) + "."
	}
	if len(no) > 0 {
		v.Reason = strings.TrimSpace(v.Reason + " It does not: " + and(no) + ".")
	}
	if len(v.Missing) > 0 {
		v.Outcome = Undecided
		v.Reason = strings.TrimSpace(fmt.Sprintf("%d of its %d parts have no runs. The others alone: ", len(v.Missing), 3*len(OtherSchemes)+len(schemes)) + v.Reason)
		if len(yes)+len(no) == 0 {
			v.Reason = "No part of it has runs."
		}
	}
	return v
}

// others is what C5 is counted in.
type others struct {
	cases  []Case
	tables []Table
}

// of returns the cases of a scheme, in their order.
func (o *others) of(scheme string) (list []*Case) {
	for i := range o.cases {
		if c := &o.cases[i]; c.Scheme == scheme && c.Region != nil && c.Region.Cycles > 0 {
			list = append(list, c)
		}
	}
	return list
}

// find returns the case that differs in hash and coupling only; nil if there is none.
func find(list []*Case, like *Case, hash, coupling string) *Case {
	for _, c := range list {
		if c.same(like) && c.Hash == hash && c.Coupling == coupling {
			return c
		}
	}
	return nil
}

// grid is a table of a scheme that grows by cells.
type grid struct{ Table }

func (g *grid) set(row, column string, c Cell) {
	at := slices.Index(g.Columns, column)
	if at < 0 {
		at = len(g.Columns)
		g.Columns = append(g.Columns, column)
		for i := range g.Rows {
			g.Rows[i].Cells = append(g.Rows[i].Cells, noCell)
		}
	}
	n := slices.IndexFunc(g.Rows, func(r Row) bool { return r.Name == row })
	if n < 0 {
		n = len(g.Rows)
		g.Rows = append(g.Rows, Row{row, slices.Repeat([]Cell{noCell}, len(g.Columns))})
	}
	g.Rows[n].Cells[at] = c
}

// count adds a use-case to those of a scheme.
func count(counts map[string]*group, scheme string, holds bool) {
	g := counts[scheme]
	if g == nil {
		g = &group{name: scheme}
		counts[scheme] = g
	}
	g.all++
	if holds {
		g.holds++
	}
}

// add keeps a table that has something in it.
func (o *others) add(g *grid) {
	if len(g.Rows) > 0 {
		o.tables = append(o.tables, g.Table)
	}
}

func (o *others) hashing() map[string]*group {
	counts := map[string]*group{}
	for _, scheme := range OtherSchemes {
		list := o.of(scheme)
		g := &grid{Table{Title: scheme + ": share of hashing in software"}}
		for _, c := range list {
			own := find(list, c, c.Hash, reference)
			if c.Coupling != software || own == nil {
				continue
			}
			hashing := saved(perCall(c.Region, c.Region.Cycles), perCall(own.Region, own.Region.Ledger.Compute))
			g.set(c.name(), c.Hash, percentCell(hashing))
			count(counts, scheme, hashing > threshold(mostCycles))
		}
		o.add(g)
	}
	return counts
}

func (o *others) transfer() map[string]*group {
	counts := map[string]*group{}
	for _, scheme := range OtherSchemes {
		g := &grid{Table{Title: scheme + ": cycles moving words for each cycle permuting, and what decides"}}
		for _, c := range o.of(scheme) {
			// What a DMA engine moves is in no row of its own.
			if !slices.Contains(withFIFOs, c.Coupling) || c.Coupling == accel.DMA.String() || c.Region.Accel == nil {
				continue
			}
			l := c.Region.Ledger
			w := work{moving: l.MoveIn + l.MoveOut, permuting: c.Region.Accel.BusyCycles, control: l.Control + l.Trap, own: l.Compute}
			g.set(c.Hash+"-"+c.Coupling, c.name(), cell(w.quotient(), "%.2f %s", w.quotient(), w.decides()))
			count(counts, scheme, w.decides() == byTransfer)
		}
		o.add(g)
	}
	return counts
}

func (o *others) rounds() map[string]*group {
	counts := map[string]*group{}
	for _, scheme := range OtherSchemes {
		list := o.of(scheme)
		g := &grid{Table{Title: scheme + ": cycles saved by fewer rounds"}}
		for _, pair := range reduced {
			for _, c := range list {
				fewer := find(list, c, pair.fewer, c.Coupling)
				if c.Hash != pair.full || fewer == nil || none(c.Region.Accel) || none(fewer.Region.Accel) {
					continue
				}
				gain := saved(perPermutation(c.Region.Cycles, c.Region.Accel.Permutations), perPermutation(fewer.Region.Cycles, fewer.Region.Accel.Permutations))
				g.set(fmt.Sprintf("%s to %s, %s", pair.full, pair.fewer, c.Coupling), c.name(), percentCell(gain))
				count(counts, scheme, gain < threshold(littleSaved))
			}
		}
		o.add(g)
	}
	return counts
}

func (o *others) energy() map[string]*group {
	counts := map[string]*group{}
	for _, scheme := range append([]string{strings.TrimSuffix(Scheme, ".elf")}, OtherSchemes...) {
		list := slices.DeleteFunc(o.of(scheme), func(c *Case) bool { return c.Nanojoules == nil || c.Coupling == software })
		for i, c := range list {
			for _, d := range list[i+1:] {
				if a, b := perCall(c.Region, c.Region.Cycles), perCall(d.Region, d.Region.Cycles); c.same(d) && a != b {
					count(counts, scheme, a < b == (*c.Nanojoules < *d.Nanojoules))
				}
			}
		}
	}
	return counts
}

// perCall is a number of cycles of a region, for each of its calls.
func perCall(g *soc.Region, cycles uint64) float64 { return float64(cycles) / float64(max(g.Calls, 1)) }

// none tells whether nothing was permuted.
func none(a *soc.AccelStats) bool { return a == nil || a.Permutations == 0 }
