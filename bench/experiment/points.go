package experiment

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"socsim/accel"
	"socsim/bench/store"
	"socsim/pqc/xof"
	"socsim/sdith"
	"socsim/sdith/pipeline"
	"socsim/soc/platform"
)

// Points returns the points of all blocks, each once, in the order of the file.
func (e *Experiment) Points() []store.Point { return slices.Clone(e.points) }

// addPoints adds those that are not there yet.
func (e *Experiment) addPoints(points []store.Point, seen map[string]bool) {
	for _, p := range points {
		if key := p.Key("", ""); !seen[key] {
			seen[key] = true
			e.points = append(e.points, p)
		}
	}
}

// points are those of the block.
func (b *Block) points() ([]store.Point, error) {
	seeds, err := b.seeds()
	if err != nil {
		return nil, err
	}
	if len(b.Configurations) > 0 {
		return b.sdithPoints(seeds)
	}
	if len(b.Firmware) == 0 {
		return nil, fmt.Errorf("it names no firmware, and no configurations of SDitH; one of them says what is run")
	}
	systems, err := b.systems()
	if err != nil {
		return nil, err
	}
	there, missing := programNames()
	for _, name := range b.Firmware {
		if slices.Contains(missing, name) {
			return nil, fmt.Errorf("firmware: %s.elf is not built in yet: leave it out, or build it (make -C firmware)", name)
		}
	}
	names, err := choose("firmware", b.Firmware, there)
	if err != nil {
		return nil, err
	}
	arguments := b.Arguments
	if len(arguments) == 0 {
		arguments = []string{""}
	}
	var points []store.Point
	for _, name := range names {
		prog := programNamed(name)
		sets, operations, err := b.of(prog)
		if err != nil {
			return nil, err
		}
		if prog.seed == nil && b.Seeds != nil {
			return nil, fmt.Errorf("seeds: %s takes none", name)
		}
		if n := len(points) + len(sets)*len(systems)*len(arguments)*len(seeds); n > MaxPoints {
			return nil, fmt.Errorf("%d points; at most %d", n, MaxPoints)
		}
		for _, set := range sets {
			for _, system := range systems {
				for _, args := range arguments {
					for _, seed := range seeds {
						p := system
						p.Program, p.Set, p.Operations, p.Args, p.Seed = name, set, operations, strings.Fields(args), seed
						points = append(points, p.Canonical())
					}
				}
			}
		}
	}
	return points, nil
}

// of returns the sets and operations of a program. A program without sets has one, which
// is none.
func (b *Block) of(prog *program) (sets, operations []string, err error) {
	if !prog.scheme() {
		if len(b.Sets) > 0 || len(b.Operations) > 0 {
			return nil, nil, fmt.Errorf("%s has no sets and operations", prog.name)
		}
		return []string{""}, nil, nil
	}
	if len(b.Sets) == 0 {
		return nil, nil, fmt.Errorf("sets: none for %s; there are %s", prog.name, strings.Join(prog.sets, ", "))
	}
	if sets, err = choose("sets of "+prog.name, b.Sets, prog.sets); err != nil {
		return nil, nil, err
	}
	if len(b.Operations) == 0 {
		return sets, prog.operations, nil
	}
	chosen, err := choose("operations of "+prog.name, b.Operations, prog.operations)
	for _, o := range prog.operations { // in the order in which they are done
		if slices.Contains(chosen, o) {
			operations = append(operations, o)
		}
	}
	return sets, operations, err
}

// systems are points without a program: accelerators and software with all settings.
func (b *Block) systems() ([]store.Point, error) {
	var names, hashes []string
	for _, e := range accel.List() {
		if e.Works && e.Name != accel.None.String() {
			names = append(names, e.Name)
		}
	}
	for _, f := range xof.Families {
		hashes = append(hashes, f.Name)
	}
	units, err := choose("accelerators", b.Accelerators, names)
	if err != nil {
		return nil, err
	}
	software, err := choose("software", b.Software, hashes)
	if err != nil {
		return nil, err
	}
	if len(units)+len(software) == 0 {
		return nil, fmt.Errorf("it names no accelerators and no software; one of them says what hashes")
	}
	settings, err := b.settings(checkPlatform)
	if err != nil {
		return nil, err
	}
	var systems []store.Point
	base := store.Point{Kind: store.Program, Platform: "default"}
	for _, hash := range software {
		seen := map[string]bool{}
		for _, list := range settings {
			var kept []string
			for _, s := range list {
				if !strings.HasPrefix(s, "accel.") {
					kept = append(kept, s)
				}
			}
			if id := strings.Join(kept, "\n"); !seen[id] {
				seen[id] = true
				p := base
				p.Accel, p.Hash, p.Settings = accel.None.String(), hash, kept
				systems = append(systems, p)
			}
		}
	}
	for _, unit := range units {
		for _, list := range settings {
			p := base
			p.Accel, p.Settings = unit, list
			systems = append(systems, p)
		}
	}
	return systems, nil
}

// settings are all combinations of the values, each as key=value in the order of the
// keys. check looks at each value by itself.
func (b *Block) settings(check func(key, value string) error) ([][]string, error) {
	n := 1
	for key, values := range b.Settings {
		if n *= len(values); n == 0 {
			return nil, fmt.Errorf("settings: %s has no values; leave it out, or say \"\" for the value as given", key)
		}
		if n > MaxPoints {
			return nil, fmt.Errorf("settings: more than %d combinations", MaxPoints)
		}
	}
	combinations := [][]string{nil}
	for _, key := range slices.Sorted(maps.Keys(b.Settings)) {
		var next [][]string
		for _, v := range b.Settings[key] {
			value := fmt.Sprint(v)
			if value != "" {
				if err := check(key, value); err != nil {
					return nil, fmt.Errorf("settings: %w", err)
				}
			}
			for _, c := range combinations {
				if value != "" {
					c = append(slices.Clone(c), key+"="+value)
				}
				next = append(next, c)
			}
		}
		combinations = next
	}
	return combinations, nil
}

var defaultPlatform = sync.OnceValues(func() (*platform.Platform, error) { return platform.Load("default") })

func checkPlatform(key, value string) error {
	system, err := defaultPlatform()
	if err != nil {
		return err
	}
	system = system.Clone()
	if err := system.Set(key, value); err != nil {
		return err
	}
	if key == "accel.xof" || key == "accel.coupling" {
		return fmt.Errorf("%s: accelerators are an axis of their own", key)
	}
	return system.Validate()
}

// seeds are the numbers, as text; one that is empty if the block has none.
func (b *Block) seeds() ([]string, error) {
	const wrong = "seeds: want how many, from 0 on, or a list of numbers from 0 on"
	switch v := b.Seeds.(type) {
	case nil:
		return []string{""}, nil
	case int64:
		if v < 1 || v > MaxPoints {
			return nil, fmt.Errorf("%s: at least 1, at most %d", wrong, MaxPoints)
		}
		var list []string
		for i := range v {
			list = append(list, fmt.Sprint(i))
		}
		return list, nil
	case []any:
		var list []string
		for _, e := range v {
			n, ok := e.(int64)
			if !ok || n < 0 || n > 1<<32-1 {
				return nil, fmt.Errorf("%s, not %v", wrong, e)
			}
			list = append(list, fmt.Sprint(n))
		}
		if len(list) > 0 {
			return list, nil
		}
	}
	return nil, fmt.Errorf("%s", wrong)
}

// sdithPoints are those of a block that names configurations.
func (b *Block) sdithPoints(seeds []string) ([]store.Point, error) {
	for _, axis := range []struct {
		name   string
		values []string
	}{
		{"firmware", b.Firmware}, {"sets", b.Sets}, {"operations", b.Operations}, {"accelerators", b.Accelerators},
		{"software", b.Software}, {"arguments", b.Arguments},
	} {
		if len(axis.values) > 0 {
			return nil, fmt.Errorf("%s beside configurations of SDitH, which is hardware: make two blocks", axis.name)
		}
	}
	var known []string
	for _, c := range pipeline.Configs() {
		known = append(known, c.Name())
	}
	configs, err := choose("configurations", b.Configurations, known)
	if err != nil {
		return nil, err
	}
	settings, err := b.settings(func(key, value string) error {
		var last error
		for _, name := range configs {
			if _, last = sdithConfig(name, []string{key + "=" + value}); last == nil {
				return nil // those of the others are refused
			}
		}
		return last
	})
	if err != nil {
		return nil, err
	}
	if n := len(configs) * len(settings) * len(seeds); n > MaxPoints {
		return nil, fmt.Errorf("%d points; at most %d", n, MaxPoints)
	}
	var points []store.Point
	for _, c := range configs {
		for _, s := range settings {
			for _, seed := range seeds {
				if seed == "" {
					seed = "0"
				}
				if len(seed) > 2 {
					return nil, fmt.Errorf("seeds: there is no known answer %s, there are 0 to %d", seed, sdith.KATEntries-1)
				}
				points = append(points, store.Point{Kind: store.SDitH, Config: c, Settings: s, Seed: seed}.Canonical())
			}
		}
	}
	return points, nil
}

// sdithSettings are the keys of settings, besides cost.NAME.
var sdithSettings = []string{"cache_depth", "path", "hcom_in_phase12"}
