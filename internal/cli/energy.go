package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"socsim/bench/energy"
	"socsim/soc"
)

// energyFlags are those of socsim energy.
type energyFlags struct {
	table, region      string
	sensitivity, print bool
	json               bool
}

func (a *app) energyCommand() *cobra.Command {
	var f energyFlags
	c := &cobra.Command{
		Use:   "energy RESULT... [flags]",
		Short: "what results of socsim run --json cost in joules, and how sure that is",
		Long: "Reads results of socsim run --json and estimates their energy: how often things\n" +
			"happened times what they cost. Every coefficient has an interval, and so has every\n" +
			"estimate. Results made with --events have instructions counted by class; for others a\n" +
			"usual mix is assumed. One of the results may be -, standard input.\n\n" +
			"With --sensitivity several results are ranked, and the coefficients by what they can do\n" +
			"to that order when they move within their intervals, one at a time.",
		Example: "  socsim run sphincs --accel shake-fifo --events --json >fifo.json\n" +
			"  socsim run sphincs --accel shake-ram --events --json >ram.json\n" +
			"  socsim energy fifo.json ram.json --sensitivity --region sign",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return a.energy(&f, args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.table, "table", energy.DefaultTable, "coefficients: `NAME|FILE`; built in are "+strings.Join(energy.Tables(), ", "))
	flags.StringVar(&f.region, "region", "", "with --sensitivity: rank by what `FUNC` costs instead of the whole run")
	flags.BoolVar(&f.sensitivity, "sensitivity", false, "rank several results, and the coefficients by their influence on that")
	flags.BoolVar(&f.print, "coefficients", false, "print the table with its intervals and sources, as a file to start from; needs no result")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	return c
}

func (a *app) energy(f *energyFlags, names []string) error {
	c, err := energy.Load(f.table)
	if err != nil {
		return input(err)
	}
	stdins := len(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n != stdinName }))
	switch {
	case f.print && (len(names) > 0 || f.sensitivity || f.region != ""):
		return usage("--coefficients prints a table and takes no results")
	case f.print:
		return a.emit(f.json, struct {
			Name   string                        `json:"name"`
			Node   string                        `json:"node"`
			Values map[string]energy.Coefficient `json:"coefficients"`
		}{c.Name, c.Node, c.Values}, func() string { return c.Text })
	case len(names) == 0:
		return usage("energy: which result of socsim run --json? With --coefficients it needs none")
	case stdins > 1:
		return usage("energy: only one of the results can be standard input")
	case f.sensitivity && len(names) < 2:
		return usage("--sensitivity compares results: give two or more")
	case f.region != "" && !f.sensitivity:
		return usage("--region goes with --sensitivity; without it every region is shown")
	}
	var results []*soc.Result
	for _, name := range names {
		r, err := a.readResult(name)
		if err != nil {
			return input(err)
		}
		results = append(results, r)
	}
	if !f.sensitivity {
		return a.estimates(f, c, names, results)
	}
	ranking, err := energy.Rank(names, results, f.region, c)
	if err != nil {
		return input(err)
	}
	for i, r := range results[1:] {
		if r.ELFSHA256 != results[0].ELFSHA256 || !slices.Equal(r.Config.Args, results[0].Config.Args) {
			fmt.Fprintf(a.stderr, "socsim: warning: %s and %s are not of the same program and arguments\n", names[0], names[i+1])
		}
	}
	return a.emit(f.json, ranking, func() string { return rankingText(&ranking, f.region, c) })
}

// emit prints v as JSON, or the text.
func (a *app) emit(json bool, v any, text func() string) error {
	if !json {
		io.WriteString(a.stdout, printable(text()))
		return nil
	}
	b, err := indented(v)
	if err != nil {
		return fail(exitInternal, err)
	}
	a.stdout.Write(b)
	return nil
}

// namedEstimate is the estimate of a file.
type namedEstimate struct {
	File string `json:"file"`
	energy.Estimate
}

func (a *app) estimates(f *energyFlags, c energy.Coefficients, names []string, results []*soc.Result) error {
	list := []namedEstimate{}
	for i, r := range results {
		e, err := energy.Of(r, c)
		if err != nil {
			return input(fmt.Errorf("%s: %w", names[i], err))
		}
		list = append(list, namedEstimate{names[i], e})
	}
	return a.emit(f.json, list, func() string {
		var b strings.Builder
		for i, e := range list {
			if i > 0 {
				b.WriteString("\n")
			}
			r := results[i].Config
			fmt.Fprintf(&b, "%s: %s on %s at %s\n\n", e.File, r.ELF, r.Accel, frequency(r.ClockHz))
			operations := append(slices.Clone(e.Regions), e.Run)
			for group := range slices.Chunk(operations, perTable) {
				var t table
				header := []string{""}
				for _, o := range group {
					name := o.Name
					if name == "" {
						name = "whole run"
					}
					header = append(header, name+noPercent)
				}
				t.row(header...)
				times := []string{"ms"}
				for _, o := range group {
					times = append(times, groupedDecimal(strconv.FormatFloat(o.Milliseconds, 'f', 3, 64))+noPercent)
				}
				t.row(times...)
				energyRows(&t, e.Table, group)
				t.write(&b)
				b.WriteString("\n")
			}
			b.WriteString(energyNotes(&e.Estimate))
		}
		return b.String()
	})
}

// energyRows adds what operations cost, a column for each.
func energyRows(t *table, name string, operations []energy.Operation) {
	row := func(name string, cell func(o *energy.Operation) string) {
		cells := []string{name}
		for i := range operations {
			cells = append(cells, cell(&operations[i]))
		}
		t.row(cells...)
	}
	t.row("energy in nJ, by table " + name)
	for i, about := range energy.Components {
		if slices.ContainsFunc(operations, func(o energy.Operation) bool { return o.Components[i].High > 0 }) {
			row("  "+about.Name, func(o *energy.Operation) string {
				return fmt.Sprintf("%s %*s", decimal(o.Components[i].Value), len(noPercent)-1, part(o.Components[i].Value, o.Nanojoules.Value))
			})
		}
	}
	for _, end := range []struct {
		name string
		of   func(energy.Interval) float64
	}{
		{"sum", func(i energy.Interval) float64 { return i.Value }},
		{"low end", func(i energy.Interval) float64 { return i.Low }},
		{"high end", func(i energy.Interval) float64 { return i.High }},
	} {
		row("  "+end.name, func(o *energy.Operation) string { return decimal(end.of(o.Nanojoules)) + noPercent })
	}
	row("mW on average", func(o *energy.Operation) string { return fmt.Sprintf("%.2f", o.Milliwatts.Value) + noPercent })
	row("  low to high", func(o *energy.Operation) string {
		return fmt.Sprintf("%.2f to %.2f", o.Milliwatts.Low, o.Milliwatts.High) + noPercent
	})
}

// decimal writes nanojoules: to one decimal, and from a thousand on to none.
func decimal(n float64) string {
	if n >= 1000 {
		return grouped(strconv.FormatFloat(n, 'f', 0, 64))
	}
	return strconv.FormatFloat(n, 'f', 1, 64)
}

// part writes a part of a whole as percent does.
func part(n, whole float64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", min(99.9, 100*n/whole))
}

// energyNotes says what to think of an estimate.
func energyNotes(e *energy.Estimate) string {
	text := "Energy is estimated for " + e.Node + ". The ends are those of all coefficients at once; nothing was measured on such a design."
	if !e.Counted {
		text += " Instructions were not counted by class: a usual mix is assumed; socsim run --events counts them."
	}
	text += " Assumed in whole or in part: " + strings.Join(e.Assumed, ", ") + ". Sources: socsim energy --coefficients"
	if e.Table != energy.DefaultTable {
		text += " --table " + e.Table
	}
	return wrap(text+".", helpWidth, "  ") + "\n"
}

// rankingText shows a ranking.
func rankingText(r *energy.Ranking, region string, c energy.Coefficients) string {
	var b strings.Builder
	what := "the whole run"
	if region != "" {
		what = region
	}
	fmt.Fprintf(&b, "Energy of %s in nJ, by table %s\n\n", what, r.Table)
	var t table
	t.row("", "", "low end", "high end", "ratio")
	for i, name := range r.Names {
		n := r.Nanojoules[i]
		t.row(name, decimal(n.Value), decimal(n.Low), decimal(n.High), fmt.Sprintf("%.3f", n.Value/r.Nanojoules[0].Value))
	}
	t.write(&b)
	b.WriteString("\nWhat one coefficient does to that, moved through its interval\n\n")
	t = table{}
	t.row("", "interval", "ratios change by", "pairs swapped", "")
	line := func(f *energy.Influence, interval, mark string) {
		t.row(f.Key, interval, fmt.Sprintf("x %.3f", f.Swing), count(len(f.Swaps)), mark)
	}
	for i := range r.Influences {
		f := &r.Influences[i]
		mark := ""
		if f.Assumed {
			mark = "assumed"
		}
		v := c.Values[f.Key]
		line(f, fmt.Sprintf("%v to %v", v.Low, v.High), mark)
	}
	line(&r.Together, "", "")
	t.write(&b)
	b.WriteString("\n")
	swapped := map[[2]string][]string{}
	var pairs [][2]string
	for _, f := range append(slices.Clone(r.Influences), r.Together) {
		for _, p := range f.Swaps {
			if swapped[p] == nil {
				pairs = append(pairs, p)
			}
			swapped[p] = append(swapped[p], f.Key)
		}
	}
	if len(pairs) == 0 {
		b.WriteString("The order is the same at every one of these ends.\n")
	}
	for _, p := range pairs {
		b.WriteString(wrap(fmt.Sprintf("Not safe: %s before %s; turned round by %s.", p[0], p[1], strings.Join(swapped[p], ", ")), helpWidth, "  ") + "\n")
	}
	return b.String()
}
