package claims

import (
	"fmt"
	"strings"
)

// Table is evidence.
type Table struct {
	Title   string   `json:"title"`
	Columns []string `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// Row is a row of a Table, with a cell for each column.
type Row struct {
	Name  string `json:"name"`
	Cells []Cell `json:"cells"`
}

// Cell is a number and how it is shown.
type Cell struct {
	Value *float64 `json:"value"` // null: there is no run to take it from
	Text  string   `json:"text"`
}

// noCell stands for a run that is missing.
var noCell = Cell{Text: "-"}

func cell(value float64, format string, a ...any) Cell {
	return Cell{&value, fmt.Sprintf(format, a...)}
}

// percentCell shows a fraction.
func percentCell(value float64) Cell { return cell(value, "%s", percent(value)) }

// useCase is one that a claim holds for, or not.
type useCase struct {
	hash, coupling, set, operation string
	holds                          bool
}

// share counts the use-cases that a claim holds for, of those that a filter lets pass.
func share(list []useCase, filter func(useCase) bool) (holds, all int) {
	for _, u := range list {
		if filter(u) {
			all++
			if u.holds {
				holds++
			}
		}
	}
	return holds, all
}

func every(useCase) bool { return true }

// group is a number of use-cases with something in common.
type group struct {
	name       string
	holds, all int
}

// grouped counts use-cases by what name gives for them, in the order of the list.
func grouped(list []useCase, name func(useCase) string) (groups []group) {
	var names []string
	for _, u := range list {
		names = append(names, name(u))
	}
	for _, n := range unique(names) {
		holds, all := share(list, func(u useCase) bool { return name(u) == n })
		groups = append(groups, group{n, holds, all})
	}
	return groups
}

// counts writes groups with their counts, "shake 4 of 6, ascon 0 of 6".
func counts(groups []group) string {
	var parts []string
	for _, g := range groups {
		parts = append(parts, fmt.Sprintf("%s %d of %d", g.name, g.holds, g.all))
	}
	return strings.Join(parts, ", ")
}

// split sorts groups by whether a claim holds for all, some or none of their use-cases.
func split(groups []group) (all, some, none []string) {
	for _, g := range groups {
		switch g.holds {
		case g.all:
			all = append(all, g.name)
		case 0:
			none = append(none, g.name)
		default:
			some = append(some, g.name)
		}
	}
	return all, some, none
}

// unanimous is the outcome of a claim about every use-case.
func unanimous(holds, all int) Outcome {
	switch holds {
	case all:
		return Supported
	case 0:
		return Refuted
	}
	return Depends
}
