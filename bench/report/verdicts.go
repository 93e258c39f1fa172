package report

import (
	"fmt"
	"slices"
	"strings"

	"socsim/bench/claims"
	"socsim/bench/store"
	"socsim/soc"
)

// Verdict is a verdict of bench/claims with its evidence.
type Verdict struct {
	ID, Claim, Statement string
	Outcome              string
	Class                string // of the page
	Reason               string
	Judged               string // what use-cases it is about
	Measure              string
	Thresholds           []string
	Missing              []string
	Tables               []*Table
}

// Verdicts are about the parameter sets for which all runs are there; if there are none,
// about the one that lacks fewest. What was left out for that is said.
func (e *sorted) verdicts() (list []Verdict) {
	results, sets, operations := e.forClaims()
	if len(sets) == 0 {
		sets, operations = []string{"128f"}, claims.Operations
	}
	for _, name := range claims.Names() {
		var whole, lacking []string
		fewest, least := "", 0
		for _, set := range sets {
			v := claims.Judge(claims.Scope{Claims: []string{name}, Sets: []string{set}, Operations: operations}, results)[0]
			n := len(v.Missing)
			if n == 0 {
				whole = append(whole, set)
				continue
			}
			lacking = append(lacking, fmt.Sprintf("%s (%s)", set, plural(n, "run")))
			if fewest == "" || n < least {
				fewest, least = set, n
			}
		}
		if len(whole) == 0 {
			whole = []string{fewest}
		}
		scope := claims.Scope{Claims: []string{name}, Sets: whole, Operations: operations}
		v := view(claims.Judge(scope, results)[0])
		v.Judged = fmt.Sprintf("SPHINCS+ %s: %s", and(whole), and(operations))
		if name == "border" {
			v.Judged = "SPHINCS+ 128f: keygen"
		} else if len(lacking) > 0 && v.Outcome != string(claims.Undecided) {
			v.Judged += "; not judged, as runs are missing: " + strings.Join(lacking, ", ")
		}
		list = append(list, v)
	}
	others := view(claims.JudgeOthers(e.cases()))
	others.Judged = "what rows there are of " + and(claims.OtherSchemes) + ", and energy of all schemes"
	switch {
	case !e.costed:
		others.Judged += "; no coefficients for energy were given"
	case e.failed != "":
		others.Judged += "; energy could not be estimated: " + e.failed
	}
	at := slices.IndexFunc(list, func(v Verdict) bool { return v.Claim == "border" })
	return slices.Insert(list, max(at, 0), others)
}

// classes of outcomes on the page, where a sign and the word stand beside the colour.
var classes = map[claims.Outcome]string{
	claims.Supported: "yes", claims.Refuted: "no", claims.Depends: "part", claims.Undecided: "open", claims.Found: "yes", claims.NotFound: "no",
}

func view(v claims.Verdict) Verdict {
	out := Verdict{
		ID: slug("claim " + v.Claim), Claim: v.Claim, Statement: v.Statement, Outcome: string(v.Outcome), Class: classes[v.Outcome],
		Reason: v.Reason, Measure: v.Measure,
	}
	for _, t := range v.Thresholds {
		out.Thresholds = append(out.Thresholds, fmt.Sprintf("%s: %s", t.Name, t.Text))
	}
	const most = 12
	for i, m := range v.Missing {
		if i == most {
			out.Missing = append(out.Missing, fmt.Sprintf("and %s more", plural(len(v.Missing)-most, "run")))
			break
		}
		name := m.Point.String()
		if m.Point.Set == "" && m.Point.Message == "" {
			name = strings.TrimSuffix(m.Point.Program, ".elf")
		}
		out.Missing = append(out.Missing, clean(name+": "+m.Why))
	}
	for _, t := range v.Tables {
		if len(t.Rows) > 0 {
			out.Tables = append(out.Tables, evidence(v.Claim, t))
		}
	}
	return out
}

// forClaims are the runs that bench/claims can take, and the sets and operations of
// SPHINCS+ among them. Of several seeds it is the first.
func (e *sorted) forClaims() (results *claims.Results, sets, operations []string) {
	rows := slices.Clone(e.runs)
	slices.SortStableFunc(rows, func(a, b store.Row) int { return natural(a.Point.Seed, b.Point.Seed) })
	results = &claims.Results{}
	there := map[string]bool{}
	for _, r := range rows {
		if !asClaims(r) || results.Run(claims.PointOf(&r.Result.Config)) != nil {
			continue
		}
		if results.Add(r.Result) != nil || r.Result.Config.ELF != claims.Scheme {
			continue
		}
		there[claims.PointOf(&r.Result.Config).Set] = true
		for i := range r.Result.Regions {
			there[r.Result.Regions[i].Name] = true
		}
	}
	for _, s := range claims.Sets {
		if there[s] {
			sets = append(sets, s)
		}
	}
	for _, o := range claims.Operations {
		if there[o] {
			operations = append(operations, o)
		}
	}
	return results, sets, operations
}

// asClaims tells whether the arguments of a run are those of runs for claims: nothing but
// what is chosen there, and the program's defaults.
func asClaims(r store.Row) bool {
	defaults := map[string]string{"-out": "16", "-k": "1", "-mode": "shake256", "-variant": "fips205", "-ram": "block", "-wait": "poll"}
	args := r.Point.Args
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-nodigest":
		case args[i] == "-in" && r.Result.Config.ELF == claims.OneHash && i+1 < len(args):
			i++
		case defaults[args[i]] != "" && i+1 < len(args) && args[i+1] == defaults[args[i]]:
			i++
		default:
			return false
		}
	}
	return true
}

// cases are the measures for C5: on systems as they come, with drivers as they come.
func (e *sorted) cases() (list []claims.Case) {
	for _, m := range e.usual() {
		if m.Driver != "" || m.Args != "" {
			continue
		}
		c := claims.Case{Scheme: m.Program, Set: m.Set, Operation: m.Operation, Hash: m.Hash, Coupling: m.Coupling, Region: m.median().region}
		if m.energy != nil {
			c.Nanojoules = &m.energy.Value
		}
		list = append(list, c)
	}
	return list
}

// estimate asks for the energy of the median run of every measure on a usual system.
func (e *sorted) estimate(of func(*soc.Result) (map[string]Energy, error)) {
	if of == nil {
		return
	}
	e.costed = true
	known := map[*soc.Result]map[string]Energy{}
	for _, m := range e.usual() {
		s := m.median()
		if known[s.result] == nil {
			regions, err := of(s.result)
			if err != nil {
				if e.failed == "" {
					e.failed = clean(err.Error())
				}
				continue
			}
			known[s.result] = regions
		}
		for name, one := range known[s.result] {
			if clean(name) == m.Operation && one.finite() {
				calls := float64(s.region.Calls)
				scaled := Energy{Value: one.Value / calls, Low: one.Low / calls, High: one.High / calls, Assumed: one.Assumed}
				for _, p := range one.Parts {
					scaled.Parts = append(scaled.Parts, EnergyPart{clean(p.Component), p.Value / calls})
				}
				m.energy = &scaled
			}
		}
	}
}
