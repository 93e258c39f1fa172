package cli

import (
	"fmt"
	"strings"

	"socsim/bench/energy"
	benchreport "socsim/bench/report"
	"socsim/soc"
)

// estimates are the energy of a report, by a table of coefficients.
func estimates(c energy.Coefficients) func(*soc.Result) (map[string]benchreport.Energy, error) {
	return func(r *soc.Result) (map[string]benchreport.Energy, error) {
		e, err := energy.Of(r, c)
		if err != nil {
			return nil, err
		}
		all := map[string]benchreport.Energy{}
		for _, o := range e.Regions {
			one := benchreport.Energy{Value: o.Nanojoules.Value, Low: o.Nanojoules.Low, High: o.Nanojoules.High, Assumed: len(e.Assumed) > 0 || !e.Counted}
			for _, p := range o.Components {
				one.Parts = append(one.Parts, benchreport.EnergyPart{Component: p.Name, Value: p.Value})
			}
			all[o.Name] = one
		}
		return all, nil
	}
}

// energySource says which coefficients those are, and what of them is assumed.
func energySource(c energy.Coefficients) string {
	var assumed []string
	for _, k := range energy.Keys() {
		if c.Values[k].Assumed != "" {
			assumed = append(assumed, k)
		}
	}
	s := fmt.Sprintf("Coefficients: table %s, %s.", c.Name, c.Node)
	if len(assumed) > 0 {
		s += " Without a source for all of it, assumed: " + strings.Join(assumed, ", ") + "."
	}
	return s
}
