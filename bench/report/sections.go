package report

import (
	"fmt"
	"slices"
	"strings"
)

// summary has every measure on systems as they come, and apart those with settings.
func (e *sorted) summary() *Section {
	if len(e.measures) == 0 {
		return nil
	}
	s := &Section{ID: "summary", Title: "Summary", Lead: []string{
		"A line is an operation of a program on a system; its cycles are the median of n runs that differ in their seed. " +
			"Speed-up is over software with the same hash, and of the seeds that both were run with. Transfer is the share of the ledger's rows move_in, wait_in, move_out and wait_out.",
	}}
	usual, changed := e.usual(), []*measure(nil)
	for _, m := range e.measures {
		if m.Settings != "" {
			changed = append(changed, m)
		}
	}
	if len(usual) > 0 {
		s.table(e.summaryTable("summary", "Every operation on every system", usual, false), "")
	}
	if len(changed) > 0 {
		s.table(e.summaryTable("settings", "Systems with other settings", changed, true), fmt.Sprintf("%s on systems with other settings", plural(len(changed), "line")))
	}
	return s
}

func (e *sorted) summaryTable(name, caption string, list []*measure, settings bool) *Table {
	args, energy := false, false
	for _, m := range list {
		args = args || m.Args != "" || m.Driver != ""
		energy = energy || m.energy != nil
	}
	t := &Table{Name: name, Caption: caption, Large: true, Columns: choices("scheme", "set", "operation", "hash", "coupling")}
	if args {
		t.Columns = append(t.Columns, words("arguments")...)
	}
	if settings {
		t.Columns = append(t.Columns, words("settings")...)
	}
	t.Columns = columns(t.Columns, numbers("n", "cycles", "ms", "speed-up", "transfer", "permutations"))
	if energy {
		t.Columns = append(t.Columns, numbers("µJ")...)
	}
	for _, m := range list {
		cells := []Cell{text(m.Program), text(m.Set), text(m.Operation), text(m.Hash), text(m.Coupling)}
		if args {
			cells = append(cells, text(strings.TrimSpace(m.Args+" "+m.Driver)))
		}
		if settings {
			cells = append(cells, text(m.Settings))
		}
		cells = append(cells, number(float64(m.n()), m.nText()), number(m.cycles(), cyclesText(m.cycles())), none, none, none, none)
		rest := cells[len(cells)-4:]
		if ms, ok := m.ms(m.cycles()); ok {
			rest[0] = number(ms, decimal(ms, 3))
		}
		if m.Coupling != software {
			if x, _, ok := e.speed(m); ok {
				rest[1] = number(x, decimal(x, 2))
			}
			rest[2] = number(m.moving(), percent(m.moving()))
			if a := m.median().region.Accel; a != nil {
				per := float64(a.Permutations) / float64(m.median().region.Calls)
				rest[3] = number(per, cyclesText(per))
			}
		}
		if energy {
			c := none
			if m.energy != nil {
				c = number(m.energy.Value, microjoules(m.energy.Value))
			}
			cells = append(cells, c)
		}
		t.row(cells...)
	}
	return t
}

// folding says which figures of a section stand open: the first of each program.
type folding struct{ seen []string }

func (f *folding) title(program, title string) string {
	if !slices.Contains(f.seen, program) {
		f.seen = append(f.seen, program)
		return ""
	}
	return title
}

// dots makes a figure with a panel for each operation, a row for each coupling and a mark
// for each hash.
func dots(list []*measure, value func(*measure) (float64, string, bool), axis func(low, high float64) Axis) (panels []Panel, drawn []*measure) {
	for _, part := range byOperation(list) {
		p := Panel{Title: part[0].Operation, Kind: Dots}
		for _, m := range part {
			if name := rowOfCoupling(m); !slices.Contains(p.Rows, name) {
				if _, _, ok := value(m); ok {
					p.Rows = append(p.Rows, name)
				}
			}
		}
		slices.SortStableFunc(p.Rows, func(a, b string) int { return place(couplings, a) - place(couplings, b) })
		low, high := 0.0, 0.0
		for _, m := range part {
			v, text, ok := value(m)
			if !ok {
				continue
			}
			if low == 0 || v < low {
				low = v
			}
			high = max(high, v)
			p.add(hashKey(m.Hash), Point{Row: slices.Index(p.Rows, rowOfCoupling(m)), X: v, Text: m.system() + ": " + text})
			drawn = append(drawn, m)
		}
		if len(p.Series) > 0 {
			p.X = axis(low, high)
			panels = append(panels, p)
		}
	}
	return panels, drawn
}

func rowOfCoupling(m *measure) string { return strings.TrimSpace(m.Coupling + " " + m.Driver) }

// hashKey gives every hash the same colour and mark in all figures.
func hashKey(hash string) Key { return seriesKey(place(hashes, hash), hash) }

// speedup shows how much faster than software systems are.
func (e *sorted) speedup() *Section {
	s := &Section{ID: "speedup", Title: "Speed-up over software", Lead: []string{
		"How many times fewer cycles an operation takes with an accelerator than with the same hash in software on the same core. Axes are logarithmic, and need not begin at 1×, where software is.",
	}}
	var fold folding
	for _, list := range byWorkload(e.usual()) {
		panels, drawn := dots(list, func(m *measure) (float64, string, bool) {
			if m.Coupling == software {
				return 0, "", false
			}
			x, n, ok := e.speed(m)
			return x, fmt.Sprintf("%s times as fast as software, n = %d", decimal(x, 2), n), ok && x > 0
		}, func(low, high float64) Axis {
			if low < 3 {
				low = min(1, low)
			}
			return logarithmic("times as fast as software", low, high, times)
		})
		if len(panels) == 0 {
			continue
		}
		title := list[0].workload()
		f := &Figure{Name: "speedup " + title, Title: title, Panels: panels,
			Caption: sentences("Rows are couplings, marks are hashes.", samples(drawn))}
		f.legend(hashes)
		f.Table = &Table{Name: f.Name, Caption: "Speed-up over software, " + title,
			Columns: columns(choices("operation", "hash", "coupling"), words("driver"), numbers("n", "cycles in software", "cycles", "speed-up"))}
		for _, m := range drawn {
			x, n, _ := e.speed(m)
			soft := e.softwareOf(m)
			f.Table.row(text(m.Operation), text(m.Hash), text(m.Coupling), text(m.Driver), number(float64(n), itoa(n)),
				number(soft.cycles(), cyclesText(soft.cycles())), number(m.cycles(), cyclesText(m.cycles())), number(x, decimal(x, 2)))
		}
		dropEmpty(f.Table)
		s.figure(f, fold.title(list[0].Program, title))
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

// dropEmpty takes away columns without any text.
func dropEmpty(t *Table) {
	for c := len(t.Columns) - 1; c >= 0; c-- {
		if !slices.ContainsFunc(t.Rows, func(r []Cell) bool { return r[c].Text != "" }) {
			t.Columns = slices.Delete(t.Columns, c, c+1)
			for i := range t.Rows {
				t.Rows[i] = slices.Delete(t.Rows[i], c, c+1)
			}
		}
	}
}

// ledgers shows where the cycles go.
func (e *sorted) ledgers() *Section {
	s := &Section{ID: "ledger", Title: "Where the cycles go", Lead: []string{
		"Every cycle is in exactly one row of the ledger. Software is left out of the pictures, next to which nothing else could be seen; the tables have it. " +
			"Of several runs it is the ledger of the one with the median cycles, which adds up.",
	}}
	names := ledgerNames()
	var fold folding
	for _, list := range byWorkload(e.usual()) {
		title := list[0].workload()
		f := &Figure{Name: "ledger " + title, Title: title, Caption: samples(list)}
		f.Table = &Table{Name: f.Name, Caption: "Ledger, " + title, Columns: columns(choices("operation", "hash", "coupling"), words("driver"), numbers("n", "cycles"), numbers(names...))}
		for _, part := range byOperation(list) {
			p := Panel{Title: part[0].Operation, Kind: Bars}
			most, last := 0.0, ""
			for _, m := range part {
				g := m.median().region
				row := []Cell{text(m.Operation), text(m.Hash), text(m.Coupling), text(m.Driver), number(float64(m.n()), m.nText()), number(m.cycles(), cyclesText(m.cycles()))}
				for _, r := range g.Ledger.Rows() {
					v := float64(r.Cycles) / float64(g.Calls)
					row = append(row, number(v, cyclesText(v)))
				}
				f.Table.row(row...)
				if m.Coupling == software {
					continue
				}
				if m.Hash != last && len(p.Rows) > 0 {
					p.Groups = append(p.Groups, len(p.Rows))
				}
				last = m.Hash
				for _, r := range g.Ledger.Rows() {
					if r.Cycles > 0 {
						v := float64(r.Cycles) / float64(g.Calls)
						p.add(ledgerKey(r.Name), Point{Row: len(p.Rows), X: v, Text: fmt.Sprintf("%s, %s: %s cycles, %s", m.system(), r.Name, cyclesText(v), percent(v/m.cycles()))})
					}
				}
				most = max(most, m.cycles())
				p.Rows = append(p.Rows, m.system())
				p.Ends = append(p.Ends, short(m.cycles()))
			}
			if len(p.Rows) > 0 {
				p.inOrder(names)
				p.X = linear("cycles", most, plain)
				f.Panels = append(f.Panels, p)
			}
		}
		if len(f.Panels) == 0 {
			continue
		}
		f.legend(names)
		dropEmpty(f.Table)
		s.figure(f, fold.title(list[0].Program, title))
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

// inOrder sorts the series of bars, which stand one behind the other, by name.
func (p *Panel) inOrder(names []string) {
	slices.SortStableFunc(p.Series, func(a, b Series) int { return place(names, a.Key.Name) - place(names, b.Key.Name) })
}

// transfer shows the share of moving words.
func (e *sorted) transfer() *Section {
	s := &Section{ID: "transfer", Title: "Transfer", Lead: []string{
		"The share of an operation's cycles in the rows that move words: move_in and move_out, and wait_in and wait_out, in which a FIFO holds the core. " +
			"What a DMA engine moves while the core waits or sleeps is in the rows wait and sleep, and not counted here.",
	}}
	var fold folding
	for _, list := range byWorkload(e.usual()) {
		panels, drawn := dots(list, func(m *measure) (float64, string, bool) {
			return m.moving(), fmt.Sprintf("%s of %s cycles, n = %s", percent(m.moving()), cyclesText(m.cycles()), m.nText()), m.Coupling != software
		}, func(_, high float64) Axis { return linear("share of the cycles", min(1, max(0.1, high)), parts) })
		if len(panels) == 0 {
			continue
		}
		title := list[0].workload()
		f := &Figure{Name: "transfer " + title, Title: title, Panels: panels, Caption: sentences("Rows are couplings, marks are hashes.", samples(drawn))}
		f.legend(hashes)
		f.Table = &Table{Name: f.Name, Caption: "Transfer, " + title,
			Columns: columns(choices("operation", "hash", "coupling"), words("driver"), numbers("n", "cycles", "share", "words in", "words out", "cycles a word"))}
		for _, m := range drawn {
			g := m.median().region
			in, out, per := none, none, none
			if a := g.Accel; a != nil {
				in = number(float64(a.WordsIn)/float64(g.Calls), cyclesText(float64(a.WordsIn)/float64(g.Calls)))
				out = number(float64(a.WordsOut)/float64(g.Calls), cyclesText(float64(a.WordsOut)/float64(g.Calls)))
				moved := m.moving() * float64(g.Cycles)
				if q, ok := ratio(moved, float64(a.WordsIn)+float64(a.WordsOut)); ok {
					per = number(q, decimal(q, 2))
				}
			}
			f.Table.row(text(m.Operation), text(m.Hash), text(m.Coupling), text(m.Driver), number(float64(m.n()), m.nText()),
				number(m.cycles(), cyclesText(m.cycles())), number(m.moving(), percent(m.moving())), in, out, per)
		}
		dropEmpty(f.Table)
		s.figure(f, fold.title(list[0].Program, title))
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

// leastSpread is the quotient of most and least below which there is nothing to see.
const leastSpread = 1.02

// spread shows measures with more than one sample.
func (e *sorted) spread() *Section {
	s := &Section{ID: "spread", Title: "Spread over seeds", Lead: []string{
		"Operations that take other cycles with other seeds, as loops with rejection do, with the median as the measure. The line is from the least to the most, the box has the quartiles, the tick is the median. " +
			"What spreads by less than 2% is in the tables only.",
	}}
	var fold folding
	for _, list := range byWorkload(e.measures) {
		title := list[0].workload()
		f := &Figure{Name: "spread " + title, Title: title}
		f.Table = &Table{Name: f.Name, Caption: "Spread over seeds, " + title,
			Columns: columns(choices("operation", "hash", "coupling"), words("driver", "settings"), numbers("n", "least", "lower quartile", "median", "upper quartile", "most", "most by least"))}
		var drawn []*measure
		for _, part := range byOperation(list) {
			p := Panel{Title: part[0].Operation, Kind: Spans}
			most, last := 0.0, ""
			for _, m := range part {
				low, high := m.samples[0].cycles(), m.samples[m.n()-1].cycles()
				if m.n() < 2 || low == high {
					continue
				}
				q1, q3 := m.quantile(0.25), m.quantile(0.75)
				by, _ := ratio(high, low)
				f.Table.row(text(m.Operation), text(m.Hash), text(m.Coupling), text(m.Driver), text(m.Settings), number(float64(m.n()), m.nText()),
					number(low, cyclesText(low)), number(q1, cyclesText(q1)), number(m.cycles(), cyclesText(m.cycles())),
					number(q3, cyclesText(q3)), number(high, cyclesText(high)), number(by, decimal(by, 3)))
				drawn = append(drawn, m)
				if m.Settings != "" || by < leastSpread {
					continue
				}
				if m.Hash != last && len(p.Rows) > 0 {
					p.Groups = append(p.Groups, len(p.Rows))
				}
				last = m.Hash
				mid := m.cycles()
				p.add(seriesKey(0, "least, quartiles, median, most"), Point{Row: len(p.Rows), X: 1, Low: low / mid, High: high / mid, Q1: q1 / mid, Q3: q3 / mid, Range: true,
					Text: fmt.Sprintf("%s: %s to %s cycles, median %s, n = %s", m.system(), cyclesText(low), cyclesText(high), cyclesText(m.cycles()), m.nText())})
				p.Rows = append(p.Rows, m.system())
				p.Ends = append(p.Ends, short(mid))
				most = max(most, high/mid)
			}
			if len(p.Rows) > 0 {
				p.X = linear("cycles by the median, which is at the end of the line", most, times)
				f.Panels = append(f.Panels, p)
			}
		}
		f.Caption = samples(drawn)
		dropEmpty(f.Table)
		switch {
		case len(f.Panels) > 0:
			s.figure(f, fold.title(list[0].Program, title))
		case len(f.Table.Rows) > 0:
			s.table(f.Table, title)
		}
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

// unusedSection lists rows that are not shown, with reasons.
func (e *sorted) unusedSection() *Section {
	if len(e.unused) == 0 {
		return nil
	}
	s := &Section{ID: "unused", Title: "Rows that are not used", Lead: []string{"Points that cannot be run, and rows that are no evidence; nothing above has them in it."}}
	t := &Table{Name: "unused", Caption: "Rows that are not used", Columns: columns(words("row"), choices("why")), Large: len(e.unused) > 20}
	for _, u := range e.unused {
		t.row(text(u.what), text(u.why))
	}
	s.table(t, plural(len(e.unused), "row"))
	return s
}
