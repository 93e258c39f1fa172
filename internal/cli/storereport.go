package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"socsim/bench/energy"
	benchreport "socsim/bench/report"
	"socsim/bench/store"
)

// reportFlags are those of socsim report.
type reportFlags struct {
	html, figures, tables, energy, title string
}

func (a *app) reportCommand() *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "report DIR [flags]",
		Short: "tables, figures and verdicts from the rows of a store",
		Long: "Reads the rows that socsim bench wrote into a folder and makes a report of them: one HTML file that\n" +
			"needs nothing else, the same figures for papers, the same tables. Nothing is run; the same rows\n" +
			"give the same bytes. Files that are there already are written anew.",
		Example: "  socsim report results -o report.html\n" +
			"  socsim report results --figures figures --tables tables",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return a.reportStore(&f, args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.html, "output", "o", "", "write the report into `FILE`; - is standard output")
	flags.StringVar(&f.figures, "figures", "", "write every figure as SVG and PDF into the folder `DIR`")
	flags.StringVar(&f.tables, "tables", "", "write every table as Markdown and LaTeX into the folder `DIR`")
	flags.StringVar(&f.energy, "energy", energy.DefaultTable, "coefficients for energy: a built-in table or a file, `TABLE`; none leaves energy out")
	flags.StringVar(&f.title, "title", "", "`TEXT` at the head of the report (default: socsim report)")
	return c
}

func (a *app) reportStore(f *reportFlags, args []string) error {
	switch {
	case len(args) != 1:
		return usage("report: want one folder of rows, not %d", len(args))
	case f.html == "" && f.figures == "" && f.tables == "":
		return usage("report: nothing to write; give -o FILE, --figures DIR or --tables DIR")
	}
	rows, err := storedRows(args[0])
	if err != nil {
		return input(err)
	}
	if f.html != "" && f.html != "-" {
		if err := notAnInput("-o", f.html, args[0], f.energy); err != nil {
			return input(err)
		}
	}
	o := benchreport.Options{Title: f.title}
	if f.energy != "none" {
		c, err := energy.Load(f.energy)
		if err != nil {
			return input(err)
		}
		o.Energy, o.EnergySource = estimates(c), energySource(c)
	}
	r := benchreport.New(rows, o)
	if f.html != "" {
		var page bytes.Buffer
		if err := r.HTML(&page); err != nil {
			return fail(exitInternal, err)
		}
		if f.html == "-" {
			a.stdout.Write(page.Bytes())
		} else if err := benchreport.WriteFile(f.html, page.Bytes()); err != nil {
			return input(err)
		}
	}
	var wrote []string
	if f.figures != "" {
		names, err := r.WriteFigures(f.figures)
		if err != nil {
			return input(err)
		}
		wrote = append(wrote, plural(len(names), "file")+" in "+f.figures)
	}
	if f.tables != "" {
		names, err := r.WriteTables(f.tables)
		if err != nil {
			return input(err)
		}
		wrote = append(wrote, plural(len(names), "file")+" in "+f.tables)
	}
	if f.html == "-" {
		return nil
	}
	if f.html != "" {
		wrote = append([]string{f.html}, wrote...)
	}
	fmt.Fprintf(a.stdout, "%s: ", plural(len(rows), "row"))
	for i, w := range wrote {
		if i > 0 {
			io.WriteString(a.stdout, ", ")
		}
		io.WriteString(a.stdout, w)
	}
	io.WriteString(a.stdout, "\n")
	return nil
}

// storedRows reads a folder that is there: opening a store would make it.
func storedRows(dir string) ([]store.Row, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s: a file; want the folder that socsim bench wrote", dir)
	}
	s, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	rows, err := s.Rows()
	if err == nil && len(rows) == 0 {
		err = errors.New(dir + ": no rows in it; socsim bench makes them")
	}
	return rows, err
}
