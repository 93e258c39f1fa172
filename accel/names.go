package accel

import (
	"fmt"
	"slices"
	"strings"

	"socsim/internal/nearest"
)

// working lists the couplings that can be built, for every hash.
var working = []Coupling{None, RAM, FIFO, LSU, LSUX, Reg, RegX, DMA}

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

// Known tells whether an accelerator has that name, available or not.
func Known(name string) bool {
	return slices.ContainsFunc(List(), func(e Entry) bool { return e.Name == name })
}

// Parse returns the accelerator of that name, with all defaults.
func Parse(name string) (Config, error) {
	if name == None.String() {
		return Config{Coupling: None}, nil
	}
	for _, x := range XOFs {
		for c := None + 1; c < couplings; c++ {
			config := Config{XOF: x, Coupling: c}
			if config.Name() == name {
				return config, config.Check()
			}
		}
	}
	var names []string // of names equally near, one that works is meant
	for _, works := range []bool{true, false} {
		for _, e := range List() {
			if e.Works == works {
				names = append(names, e.Name)
			}
		}
	}
	return Config{}, fmt.Errorf("no accelerator is called %q%s; available are %s", name, nearest.Hint(name, names), workingNames())
}
