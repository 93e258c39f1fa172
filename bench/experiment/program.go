package experiment

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"socsim/bench"
	"socsim/bench/store"
	"socsim/firmware"
)

// program is what an experiment has to know of a built-in program to give it arguments.
// firmware/README.md has them all.
type program struct {
	name       string
	sets       []string // of -p; none: it has no -p and no -op
	operations []string // of -op, in the order in which they are done
	always     []string // arguments of every run

	// seed returns the arguments that make runs differ by a number. Keys and messages
	// depend on it, so that loops with rejection take another way.
	seed func(set string, n uint32) []string
}

var programs = []program{
	{
		name: "sphincs", sets: []string{"128s", "128f", "192s", "192f", "256s", "256f"}, operations: []string{"keygen", "sign", "verify"},
		seed: func(set string, n uint32) []string {
			security, err := strconv.Atoi(set[:3]) // bits; n of FIPS 205 is an eighth
			if err != nil {
				panic("BUG: experiment: parameter set " + set)
			}
			return []string{"-seed", numbered(n, 3*security/8), "-msg", fmt.Sprintf("str:%d", n)}
		},
	},
	{
		name: "kyber", sets: []string{"512", "768", "1024"}, operations: []string{"keygen", "encaps", "decaps"},
		seed: func(_ string, n uint32) []string { return []string{"-seed", numbered(n, 64), "-m", numbered(n, 32)} },
	},
	{
		name: "dilithium", sets: []string{"44", "65", "87"}, operations: []string{"keygen", "sign", "verify"},
		seed: func(_ string, n uint32) []string {
			return []string{"-seed", numbered(n, 32), "-msg", fmt.Sprintf("str:%d", n)}
		},
	},
	{
		name: "falcon", sets: []string{"512", "1024"}, operations: []string{"keygen", "sign", "verify"},
		seed: func(_ string, n uint32) []string {
			return []string{"-seed", numbered(n, 48), "-msg", fmt.Sprintf("str:%d", n)}
		},
	},
	{
		name: "sdith", sets: []string{"cat1_fast"}, operations: []string{"sign", "verify"}, always: []string{"-sw"},
		seed: func(_ string, n uint32) []string {
			return []string{"-entropy", numbered(n, 32), "-msg", fmt.Sprintf("str:%d", n)}
		},
	},
	{name: "hash"},
}

// numbered is a byte string with a number in it, as programs take it.
func numbered(n uint32, size int) string {
	b := make([]byte, size)
	binary.LittleEndian.PutUint32(b, n)
	return "hex:" + hex.EncodeToString(b)
}

// scheme tells whether the program has parameter sets and operations.
func (p *program) scheme() bool { return len(p.sets) > 0 }

func programNamed(name string) *program {
	for i := range programs {
		if programs[i].name == name {
			return &programs[i]
		}
	}
	return nil
}

// programNames are the programs that experiments can name; missing are those whose ELF is
// not built in.
func programNames() (there, missing []string) {
	for _, p := range programs {
		if slices.Contains(firmware.Names(), p.name+".elf") {
			there = append(there, p.name)
		} else {
			missing = append(missing, p.name)
		}
	}
	return there, missing
}

// Runnable returns the run of a point of firmware.
func Runnable(p store.Point) (bench.Point, error) {
	prog := programNamed(p.Program)
	if p.Kind != store.Program || prog == nil {
		return bench.Point{}, fmt.Errorf("%s: not a run of a program that experiments know", p)
	}
	b := bench.Point{Program: p.Program + ".elf", Accel: p.Accel, Hash: p.Hash, Settings: p.Settings, Events: true}
	if prog.scheme() {
		b.Args = append(slices.Clone(prog.always), "-p", p.Set, "-op", strings.Join(p.Operations, ","), "-nodigest")
	}
	if p.Seed != "" {
		n, err := strconv.ParseUint(p.Seed, 10, 32)
		if err != nil || prog.seed == nil {
			return bench.Point{}, fmt.Errorf("%s: %s takes no seed %q", p, p.Program, p.Seed)
		}
		b.Args = append(b.Args, prog.seed(p.Set, uint32(n))...)
	}
	b.Args = append(b.Args, p.Args...)
	return b, nil
}
