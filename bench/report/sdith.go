package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"socsim/bench/store"
	"socsim/sdith/pipeline"
)

// hardware is a configuration of signing hardware, with a sample of each known answer.
type hardware struct {
	config, options string
	usual           bool // options as they come
	samples         []store.Row
	inventory       *pipeline.Inventory // nil if the row does not say enough to know
}

func (h *hardware) median() store.Row { return h.samples[(len(h.samples)-1)/2] }

func (h *hardware) name() string {
	if h.usual {
		return h.config
	}
	return h.config + " " + h.options
}

// configure returns the configuration of a point, and whether it has its default options.
func configure(p store.Point) (c pipeline.Config, usual bool, err error) {
	c, err = pipeline.ParseConfig(p.Config)
	if err != nil {
		return c, false, err
	}
	was := c
	for _, s := range p.Settings {
		key, value, _ := strings.Cut(s, "=")
		var n int
		switch {
		case key == "path":
			c.Path, err = pipeline.ParsePathRegisters(value)
		case key == "cache_depth":
			c.CacheDepth, err = strconv.Atoi(value)
		case key == "hcom_in_phase12":
			c.HComInPhase12, err = strconv.ParseBool(value)
		case strings.HasPrefix(key, "cost."):
			if n, err = strconv.Atoi(value); err == nil {
				err = c.Costs.Set(strings.TrimPrefix(key, "cost."), n)
			}
		default:
			err = fmt.Errorf("setting %s is not known", key)
		}
		if err != nil {
			return c, false, err
		}
	}
	return c, c == was, c.Check()
}

// machines sorts rows of SDitH by configuration.
func (e *sorted) machines() (list []*hardware) {
	for _, r := range e.signing {
		h := &hardware{config: clean(r.Point.Config), options: clean(strings.Join(r.Point.Settings, " "))}
		c, usual, err := configure(r.Point)
		h.usual = err == nil && usual || len(r.Point.Settings) == 0
		i := slices.IndexFunc(list, func(o *hardware) bool { return o.config == h.config && o.name() == h.name() })
		if i < 0 {
			if err == nil {
				if m, err := pipeline.New(c); err == nil {
					v := m.Inventory()
					h.inventory = &v
				}
			}
			i = len(list)
			list = append(list, h)
		}
		list[i].samples = append(list[i].samples, r)
	}
	for _, h := range list {
		slices.SortStableFunc(h.samples, func(a, b store.Row) int {
			return cmp.Or(cmp.Compare(a.SDitH.Cycles, b.SDitH.Cycles), natural(a.Point.Seed, b.Point.Seed))
		})
	}
	slices.SortStableFunc(list, func(a, b *hardware) int { return cmp.Or(natural(a.config, b.config), natural(a.options, b.options)) })
	return list
}

// sdith shows cycles by phase and memories of the signing hardware.
func (e *sorted) sdith() *Section {
	list := e.machines()
	if len(list) == 0 {
		return nil
	}
	s := &Section{ID: "sdith", Title: "SDitH signing hardware", Lead: []string{
		"Cycles of a signature by phase, and the bits that the hardware stores. Phases overlap a little, and every cycle is counted in one of them; of several known answers it is the run with the median cycles. " +
			"K fills the cache of seeds, G hashes the commitments, W1 to W3 are passes over the leaves, B the batching challenge, X the PIOP, H its hash, P the proof of work, O opens.",
	}}
	var phases []string
	for p := pipeline.Phase(0); p < pipeline.NumPhases; p++ {
		phases = append(phases, p.String())
	}
	f := &Figure{Name: "sdith", Title: "Cycles by phase"}
	low, high := len(list[0].samples), 0
	for _, h := range list {
		low, high = min(low, len(h.samples)), max(high, len(h.samples))
	}
	f.Caption = fmt.Sprintf("Medians of n = %d to %d known answers; the table has n for each.", low, high)
	if low == high {
		f.Caption = fmt.Sprintf("Each bar is the median of n = %s.", plural(low, "known answer"))
	}
	f.Table = &Table{Name: "sdith", Caption: "SDitH: cycles by phase, and bits stored",
		Columns: columns(words("configuration", "options"), numbers("n", "cycles"), numbers(phases...), numbers("attempts", "memory bits", "register bits"), choices("known answers"))}
	for _, kind := range []struct{ part, title string }{{"_fast", "fast: small trees"}, {"_short", "short: small signatures"}, {"", "others"}} {
		p := Panel{Title: kind.title, Kind: Bars}
		most, level := 0.0, ""
		for _, h := range list {
			fast, brief := strings.Contains(h.config, "_fast"), strings.Contains(h.config, "_short")
			if kind.part == "_fast" && !fast || kind.part == "_short" && (fast || !brief) || kind.part == "" && (fast || brief) {
				continue
			}
			if !h.usual && slices.ContainsFunc(list, func(o *hardware) bool { return o.config == h.config && o.usual }) {
				continue
			}
			if of, _, _ := strings.Cut(h.config, "_"); of != level {
				if len(p.Rows) > 0 {
					p.Groups = append(p.Groups, len(p.Rows))
				}
				level = of
			}
			r := h.median().SDitH
			for i, phase := range r.Phases {
				if phase.Cycles > 0 && i < len(phases) {
					p.add(partKey(i, phases[i]), Point{Row: len(p.Rows), X: float64(phase.Cycles),
						Text: fmt.Sprintf("%s, %s: %s cycles, %s", h.name(), phases[i], count(phase.Cycles), percent(float64(phase.Cycles)/float64(r.Cycles)))})
				}
			}
			most = max(most, float64(r.Cycles))
			p.Rows = append(p.Rows, h.name())
			p.Ends = append(p.Ends, short(float64(r.Cycles)))
		}
		if len(p.Rows) > 0 {
			p.inOrder(phases)
			p.X = linear("cycles", most, plain)
			f.Panels = append(f.Panels, p)
		}
	}
	for _, h := range list {
		f.Table.row(h.row()...)
	}
	dropEmpty(f.Table)
	f.legend(phases)
	s.figure(f, "")
	if d := depthFigure(list); d != nil {
		s.figure(d, "")
	}
	return s
}

func (h *hardware) row() []Cell {
	r := h.median().SDitH
	options := h.options
	if h.usual {
		options = ""
	}
	cells := []Cell{text(h.config), text(options), number(float64(len(h.samples)), itoa(len(h.samples))), number(float64(r.Cycles), count(r.Cycles))}
	for _, p := range r.Phases {
		cells = append(cells, number(float64(p.Cycles), count(p.Cycles)))
	}
	cells = append(cells, number(float64(r.Attempts), count(r.Attempts)))
	if v := h.inventory; v != nil {
		cells = append(cells, number(float64(v.MemoryBits), count(v.MemoryBits)), number(float64(v.RegisterBits), count(v.RegisterBits)))
	} else {
		cells = append(cells, none, none)
	}
	known := 0
	for _, s := range h.samples {
		if s.SDitH.Known {
			known++
		}
	}
	c := text(fmt.Sprintf("%d of %d", known, len(h.samples)))
	if known < len(h.samples) {
		c.Mark = "no"
	}
	return append(cells, c)
}

// depthFigure shows what a deeper cache brings, if depths were swept.
func depthFigure(list []*hardware) *Figure {
	p := Panel{Title: "all configurations that were swept", Kind: Lines}
	most, left, right := 0.0, 0.0, 0.0
	var names []string
	for _, h := range list {
		c, _, err := configure(h.samples[0].Point)
		if err != nil {
			continue
		}
		was := c.CacheDepth
		if d, err := pipeline.ParseConfig(h.config); err != nil {
			continue
		} else if d.CacheDepth = was; d != c { // something else differs, too
			continue
		}
		if !slices.Contains(names, h.config) {
			names = append(names, h.config)
		}
		r := h.median().SDitH
		p.add(seriesKey(slices.Index(names, h.config), h.config), Point{X: float64(was), Y: float64(r.Cycles),
			Text: fmt.Sprintf("%s, cache depth %d: %s cycles, n = %d", h.config, was, count(r.Cycles), len(h.samples))})
		most, left, right = max(most, float64(r.Cycles)), min(left, float64(was)), max(right, float64(was))
	}
	p.Series = slices.DeleteFunc(p.Series, func(s Series) bool { return len(s.Points) < 3 })
	if len(p.Series) == 0 {
		return nil
	}
	for i := range p.Series {
		slices.SortFunc(p.Series[i].Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	}
	p.X, p.Y = linear("cache depth", right, plain), linear("cycles", most, plain)
	f := &Figure{Name: "sdith depth", Title: "Depth of the cache", Caption: "Each number is the median of the known answers that the table above has n of.", Panels: []Panel{p}}
	f.Table = &Table{Name: f.Name, Caption: "SDitH: depth of the cache", Columns: columns(words("configuration"), numbers("cache depth", "cycles"))}
	for _, s := range p.Series {
		for _, pt := range s.Points {
			f.Table.row(text(s.Key.Name), number(pt.X, itoa(int(pt.X))), number(pt.Y, cyclesText(pt.Y)))
		}
	}
	f.legend(names)
	return f
}
