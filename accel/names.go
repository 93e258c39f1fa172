package accel

import (
	"fmt"
	"slices"
	"strings"
)

// working lists the couplings that can be built, for every hash.
var working = []Coupling{None, FIFO, LSU}

func (c Config) works() bool { return slices.Contains(working, c.Coupling) }

// workingNames lists what can be built, for messages: hash by hash would be long.
func workingNames() string {
	names := []string{None.String()}
	for _, c := range working[1:] {
		names = append(names, "HASH-"+c.String())
	}
	var hashes []string
	for _, x := range XOFs {
		hashes = append(hashes, x.Name)
	}
	return fmt.Sprintf("%s with HASH one of %s", strings.Join(names, ", "), strings.Join(hashes, ", "))
}

// Entry is an accelerator in the list of all.
type Entry struct {
	Name  string
	Text  string
	Works bool
}

// List returns every accelerator that has a name: none first, then each hash
// with each coupling.
func List() []Entry {
	list := []Entry{{Name: None.String(), Text: couplingText[None].text, Works: Config{}.works()}}
	for _, x := range XOFs {
		for c := None + 1; c < couplings; c++ {
			config := Config{XOF: x, Coupling: c}
			list = append(list, Entry{Name: config.Name(), Text: x.Text + "; " + couplingText[c].text, Works: config.works()})
		}
	}
	return list
}

// Parse returns the accelerator of that name, with all defaults.
func Parse(name string) (Config, error) {
	if name == None.String() {
		return Config{Coupling: None}, nil
	}
	for _, x := range XOFs {
		for c := None + 1; c < couplings; c++ {
			config := Config{XOF: x, Coupling: c}
			if config.Name() != name {
				continue
			}
			return config, config.Check()
		}
	}
	return Config{}, fmt.Errorf("no accelerator is called %q; did you mean %q?", name, nearest(name))
}

// nearest returns the accelerator whose name takes the fewest edits to get from
// the given one, whatever its case. What was cut off counts as one edit, and one
// that works may be an edit further away than one that does not.
func nearest(name string) string {
	name = strings.ToLower(name)
	best, least := "", 0
	for _, e := range List() {
		edits := distance(name, e.Name)
		if name != "" && strings.HasPrefix(e.Name, name) {
			edits = 1
		}
		d := 2 * edits
		if !e.Works {
			d += 3
		}
		if best == "" || d < least {
			best, least = e.Name, d
		}
	}
	return best
}

// distance is the Levenshtein distance: the number of bytes to insert, delete
// or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
