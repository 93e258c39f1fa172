package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"socsim/bench"
	"socsim/bench/claims"
	"socsim/soc"
)

// claimsFlags are those of socsim claims.
type claimsFlags struct {
	sets, operations   string
	slowSoftware, json bool
	jobs               int
}

func (a *app) claimsCommand() *cobra.Command {
	var f claimsFlags
	c := &cobra.Command{
		Use:   "claims [CLAIM ...] [flags]",
		Short: "what a study claims, decided by runs: does it hold here?",
		Long: "Runs the built-in SPHINCS+ over every hash and coupling, has every run checked by the host\n" +
			"reference, and decides the claims of a study (Karl, Schupp and Sigl; see README.md) by stated\n" +
			"thresholds: supported, refuted, or depends, with what it depends on. A claim that lacks runs\n" +
			"stays undecided. The claims are " + strings.Join(claims.Names(), ", ") + "; without a name, all of them.\n\n" +
			"With 128f this takes about half a minute on two processors, with 128s about five. Sets with\n" +
			"small signatures (128s, 192s, 256s) are hashed in software only with --slow-software: for\n" +
			"128s another four minutes. Without it C3, which is about software, stays undecided for them.",
		Example: "  socsim claims\n" +
			"  socsim claims C2 C4 --ops keygen\n" +
			"  socsim claims --params 128f,128s --slow-software --json >claims.json",
		RunE: func(c *cobra.Command, args []string) error { return a.claims(c.Context(), &f, args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.sets, "params", "p", "128f", "parameter `SETS` of SPHINCS+, with commas between")
	flags.StringVar(&f.operations, "ops", strings.Join(claims.Operations, ","), "`OPERATIONS`, with commas between")
	flags.BoolVar(&f.slowSoftware, "slow-software", false, "run sets with small signatures in software, too: minutes each")
	flags.IntVarP(&f.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "make `N` runs at a time")
	flags.BoolVar(&f.json, "json", false, "print one JSON object: verdicts, evidence, and every run")
	return c
}

// scope is what flags and arguments ask for.
func (f *claimsFlags) scope(args []string) (claims.Scope, error) {
	s := claims.Scope{Claims: claims.Names(), Sets: strings.Split(f.sets, ",")}
	asked := strings.Split(f.operations, ",")
	for _, o := range claims.Operations { // in the order in which they are done
		if slices.Contains(asked, o) {
			s.Operations = append(s.Operations, o)
		}
	}
	if len(s.Operations) < len(asked) {
		s.Operations = asked // something is wrong with them
	}
	if len(args) > 0 {
		s.Claims = nil
		for _, name := range args {
			for _, known := range claims.Names() {
				if strings.EqualFold(name, known) {
					name = known
				}
			}
			s.Claims = append(s.Claims, name)
		}
	}
	if err := s.Check(); err != nil {
		return s, usage("claims: %w", err)
	}
	if f.jobs < 1 {
		return s, usage("claims: --jobs %d: at least one run at a time", f.jobs)
	}
	return s, nil
}

// claimed is what socsim claims found.
type claimed struct {
	ModelVersion string           `json:"model_version"`
	Program      string           `json:"program"`
	ELFSHA256    string           `json:"elf_sha256"` // empty: nothing was run
	Sets         []string         `json:"parameter_sets"`
	Operations   []string         `json:"operations"`
	Verdicts     []claims.Verdict `json:"claims"`
	Runs         []claimedRun     `json:"runs"`
}

// claimedRun is a run that the verdicts are taken from.
type claimedRun struct {
	claims.Point
	Cycles  uint64       `json:"cycles"`
	Regions []soc.Region `json:"regions"`
}

func (a *app) claims(ctx context.Context, f *claimsFlags, args []string) error {
	scope, err := f.scope(args)
	if err != nil {
		return err
	}
	c := &claimed{ModelVersion: soc.ModelVersion, Program: claims.Scheme, Sets: scope.Sets, Operations: scope.Operations, Runs: []claimedRun{}}
	bar := newProgress(a.stderr)
	results, failures, err := bench.RunClaims(ctx, scope, f.slowSoftware, f.jobs, func(p bench.Progress) {
		bar.showRuns(fmt.Sprintf("%d of %s, ", p.Done, plural(p.All, "run")), p.Cycles, p.Instret)
	})
	bar.clear()
	if errors.Is(err, context.Canceled) {
		return fail(exitLimit, fmt.Errorf("interrupted after %s; there are no verdicts", plural(bar.cycles, "cycle")))
	}
	if err != nil {
		return fail(exitInternal, err)
	}
	for _, p := range scope.Points() {
		if r := results.Run(p); r != nil {
			if p.Program == claims.Scheme {
				c.ELFSHA256 = r.ELFSHA256
			}
			c.Runs = append(c.Runs, claimedRun{p, r.Cycles, r.Regions})
		}
	}
	c.Verdicts = claims.Judge(scope, results)
	if !f.json {
		io.WriteString(a.stdout, c.text())
		return wentWrong(failures)
	}
	b, err := indented(c)
	if err != nil {
		return fail(exitInternal, err)
	}
	a.stdout.Write(b)
	return wentWrong(failures)
}

// wentWrong is the error of the command if runs went wrong: the first of them, behind
// the verdicts on what does not need it.
func wentWrong(list []bench.Failure) error {
	if len(list) == 0 {
		return nil
	}
	first, code := list[0], exitInternal
	if first.Result != nil {
		if code = guestCode(first.Result.Status()); code == 0 {
			code = exitVerify // it ended well, but is no evidence
		}
	}
	more := ""
	if n := len(list) - 1; n > 0 {
		more = fmt.Sprintf(" (and %s more)", plural(n, "run"))
	}
	return fail(code, fmt.Errorf("claims: %w%s", first.Err, more))
}

// text is the report for reading: verdicts first, then the evidence for each.
func (c *claimed) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "socsim %s: claims\n", c.ModelVersion)
	program := "firmware/" + c.Program
	if c.ELFSHA256 != "" {
		program += fmt.Sprintf(", sha256 %.16s", c.ELFSHA256)
	}
	pairs(&b, [][2]string{
		{"program", program},
		{"use-cases", fmt.Sprintf("%s of %s, on the default platform", strings.Join(c.Operations, ", "), strings.Join(c.Sets, ", "))},
		{"runs", fmt.Sprintf("%d, each checked by the host reference", len(c.Runs))},
	})
	b.WriteString("\n")
	var rows [][2]string
	for _, v := range c.Verdicts {
		rows = append(rows, [2]string{v.Claim, fmt.Sprintf("%s: %s", v.Outcome, v.Statement)})
	}
	pairs(&b, rows)
	for i := range c.Verdicts {
		verdictText(&b, &c.Verdicts[i])
	}
	b.WriteString("\n" + wrap("Timing of accelerators and thresholds are ours, not the study's: its numbers are not known here. - is a run that is missing.", helpWidth, "") + "\n")
	return b.String()
}

func verdictText(b *strings.Builder, v *claims.Verdict) {
	fmt.Fprintf(b, "\n%s %s\n", v.Claim, wrap(v.Statement, helpWidth-len(v.Claim)-1, "  "))
	fmt.Fprintf(b, "  %s\n", wrap(strings.ToUpper(string(v.Outcome))+". "+v.Reason, helpWidth-2, "  "))
	lines := missingText(v.Missing)
	if slices.ContainsFunc(v.Missing, func(m claims.Missing) bool { return m.Point.Slow() }) {
		lines = append(lines, "With --slow-software they are made.")
	}
	for _, line := range lines {
		fmt.Fprintf(b, "  %s\n", wrap(line, helpWidth-4, "    "))
	}
	for _, t := range v.Tables {
		fmt.Fprintf(b, "\n  %s\n", wrap(t.Title, helpWidth-2, "  "))
		var out table
		out.row(append([]string{""}, t.Columns...)...)
		for _, r := range t.Rows {
			cells := []string{r.Name}
			for _, c := range r.Cells {
				cells = append(cells, c.Text)
			}
			out.row(cells...)
		}
		out.write(b)
	}
	fmt.Fprintf(b, "\n  %s\n", wrap(v.Measure, helpWidth-2, "  "))
	for _, t := range v.Thresholds {
		fmt.Fprintf(b, "  %s\n", wrap(fmt.Sprintf("Threshold for \"%s\": %s.", t.Name, t.Text), helpWidth-2, "  "))
	}
}

// missingText names the missing runs: a line for each reason, in it each coupling with
// its hashes.
func missingText(list []claims.Missing) (lines []string) {
	var reasons ordered[ordered[[]string]] // reason, coupling and set, hashes
	at := func(o *ordered[[]string], key string) *[]string {
		if o.find(key) == nil {
			o.add(key, nil)
		}
		return o.find(key)
	}
	for _, m := range list {
		if reasons.find(m.Why) == nil {
			reasons.add(m.Why, nil)
		}
		where := "software"
		if !m.Point.Software() {
			where = strings.TrimPrefix(m.Point.Accel, m.Point.Hash+"-")
		}
		what := m.Point.Set
		if m.Point.Program == claims.OneHash {
			what = "one hash"
		}
		hashes := at(reasons.find(m.Why), what+" "+where)
		*hashes = append(*hashes, m.Point.Hash)
	}
	for _, r := range reasons {
		var parts []string
		for _, p := range r.value {
			parts = append(parts, fmt.Sprintf("%s (%s)", p.key, strings.Join(unique(p.value), ", ")))
		}
		lines = append(lines, fmt.Sprintf("Missing, as %s: %s.", r.key, strings.Join(parts, ", ")))
	}
	return lines
}
