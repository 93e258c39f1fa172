package claims

import (
	"strings"
	"testing"

	"socsim/soc"
)

// otherCases are cases of a world in which C5 is right.
func otherCases(change func(*Case)) (list []Case) {
	for _, scheme := range append([]string{"sphincs"}, OtherSchemes...) {
		for _, hash := range hashes {
			for _, coupling := range append([]string{software}, couplings...) {
				p := Point{Accel: hash + "-" + coupling, Hash: hash}
				if coupling == software {
					p.Accel = "none"
				}
				o := friendly(p, "sign")
				c := Case{Scheme: scheme, Set: "1", Operation: "sign", Hash: hash, Coupling: coupling,
					Region: &soc.Region{Name: "sign", Calls: 1, Ledger: o.Ledger}}
				if coupling != software {
					c.Region.Accel = &soc.AccelStats{Permutations: o.permutations, BusyCycles: o.busy}
				}
				if change != nil {
					change(&c)
				}
				c.Region.Cycles = c.Region.Ledger.Sum()
				if c.Nanojoules == nil {
					x := float64(c.Region.Cycles)
					c.Nanojoules = &x
				}
				list = append(list, c)
			}
		}
	}
	return list
}

// C5 flips with its cases, and says for which scheme.
func TestOthers(t *testing.T) {
	against := func(c *Case) { x := -float64(c.Region.Ledger.Sum()); c.Nanojoules = &x }
	for _, tt := range []struct {
		why     string
		change  func(*Case)
		outcome Outcome
		reason  string
	}{
		{"all as SPHINCS+", nil, Supported, "It holds: energy for sphincs, hashing for kyber, transfer for kyber,"},
		{"Kyber's own work is more than what it moves", func(c *Case) {
			if c.Scheme == "kyber" && c.Coupling != software {
				c.Region.Ledger.Compute = 4000
			}
		}, Depends, "It does not: transfer for kyber."},
		{"Kyber permutes for longer than it moves words", func(c *Case) {
			if c.Scheme == "kyber" && c.Coupling != software {
				c.Region.Accel.BusyCycles = 901
			}
		}, Depends, "It does not: transfer for kyber."},
		{"its own work is most of software, too", func(c *Case) {
			if c.Scheme == "kyber" && c.Coupling != software {
				c.Region.Ledger.Compute = 5000
			}
		}, Depends, "It does not: hashing for kyber and transfer for kyber."},
		{"fewer rounds save a fifth", func(c *Case) {
			if c.Scheme == "falcon" && c.Coupling != software && c.Hash != "shake12" && c.Hash != "ascon8" {
				c.Region.Ledger.MoveIn += 300
			}
		}, Depends, "It does not: rounds for falcon."},
		{"energy ranks Dilithium the other way round", func(c *Case) {
			if c.Scheme == "dilithium" {
				against(c)
			}
		}, Depends, "It does not: energy for dilithium."},
		{"nothing as SPHINCS+", func(c *Case) {
			against(c)
			switch {
			case c.Coupling == software:
				c.Region.Ledger.Compute = 5000
			case c.Hash == "shake12" || c.Hash == "ascon8":
				c.Region.Ledger.Compute = 4000
			default:
				c.Region.Ledger.Compute = 8000
			}
		}, Refuted, "It does not: energy for sphincs, hashing for kyber,"},
		{"software's energy is no accelerator's", func(c *Case) {
			if c.Coupling == software {
				against(c)
			}
		}, Supported, ""},
	} {
		v := JudgeOthers(otherCases(tt.change))
		if v.Outcome != tt.outcome || !strings.Contains(v.Reason, tt.reason) || len(v.Missing) > 0 {
			t.Errorf("%s: %s: %s %v", tt.why, v.Outcome, v.Reason, v.Missing)
		}
	}
}

// Without cases of a scheme C5 is undecided, and names it.
func TestOthersMissing(t *testing.T) {
	for _, tt := range []struct {
		why     string
		leave   func(Case) bool
		missing int
		reason  string
	}{
		{"no Falcon", func(c Case) bool { return c.Scheme == "falcon" }, 4, "4 of its 13 parts have no runs. The others alone: It holds: energy for sphincs, hashing for kyber"},
		{"no software", func(c Case) bool { return c.Coupling == software }, 3, "3 of its 13 parts"},
		{"nothing", func(Case) bool { return true }, 13, "No part of it has runs."},
	} {
		var list []Case
		for _, c := range otherCases(nil) {
			if !tt.leave(c) {
				list = append(list, c)
			}
		}
		v := JudgeOthers(list)
		if v.Outcome != Undecided || len(v.Missing) != tt.missing || !strings.HasPrefix(v.Reason, tt.reason) {
			t.Errorf("%s: %s, %d missing: %s", tt.why, v.Outcome, len(v.Missing), v.Reason)
		}
	}
}

// Cycles of several calls are those of one.
func TestOthersCalls(t *testing.T) {
	one := JudgeOthers(otherCases(nil))
	many := JudgeOthers(otherCases(func(c *Case) {
		if c.Coupling == software {
			c.Region.Calls, c.Region.Ledger.Compute = 3, 3*c.Region.Ledger.Compute
		}
	}))
	if a, b := one.Tables[1].Rows[0].Cells[0].Text, many.Tables[1].Rows[0].Cells[0].Text; a != b || a != "99.5%" {
		t.Errorf("%s, of three calls %s", a, b)
	}
}

// An operation that was run apart from the others does.
func TestApart(t *testing.T) {
	s := everything("128f")
	var r Results
	for _, p := range s.Points() {
		for _, o := range strings.Split(p.Operations, ",") {
			q := p
			q.Operations = o
			if err := r.Add(result(q, nil)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, v := range Judge(s, &r) {
		if v.Outcome == Undecided {
			t.Errorf("%s: %s", v.Claim, v.Reason)
		}
	}
}
