package accel

import (
	"fmt"
	"slices"
	"strings"

	"socsim/internal/nearest"
)

// working lists the accelerators that can be built.
var working = []Config{
	{Coupling: None},
	{XOF: SHAKE, Coupling: FIFO},
}

func (c Config) works() bool {
	return slices.ContainsFunc(working, func(w Config) bool { return w.XOF == c.XOF && w.Coupling == c.Coupling })
}

func workingNames() (names []string) {
	for _, c := range working {
		names = append(names, c.Name())
	}
	return names
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
	names := workingNames() // these first: of names equally near, one that works is meant
	for _, x := range XOFs {
		for c := None + 1; c < couplings; c++ {
			config := Config{XOF: x, Coupling: c}
			if config.Name() == name {
				return config, config.Check()
			}
			names = append(names, config.Name())
		}
	}
	return Config{}, fmt.Errorf("no accelerator is called %q%s; available are %s", name, nearest.Hint(name, names), strings.Join(workingNames(), ", "))
}
