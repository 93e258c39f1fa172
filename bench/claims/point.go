package claims

import (
	"fmt"
	"slices"
	"strings"

	"socsim/accel"
	"socsim/soc"
)

// The firmware that runs are of: the scheme, and a single hash.
const (
	Scheme  = "sphincs.elf"
	OneHash = "hash.elf"
)

// Sets and Operations are what a Scope can name.
var (
	Sets       = []string{"128s", "128f", "192s", "192f", "256s", "256f"}
	Operations = []string{"keygen", "sign", "verify"}
)

// Scope says what is judged, and for which use-cases.
type Scope struct {
	Claims     []string // of Names
	Sets       []string // of Sets
	Operations []string // of Operations
}

// Check says what the scope names that does not exist.
func (s Scope) Check() error {
	for _, part := range []struct {
		what         string
		named, known []string
	}{{"claim", s.Claims, Names()}, {"parameter set", s.Sets, Sets}, {"operation", s.Operations, Operations}} {
		if len(part.named) == 0 {
			return fmt.Errorf("no %s; there are %s", part.what, strings.Join(part.known, ", "))
		}
		for _, name := range part.named {
			if !slices.Contains(part.known, name) {
				return fmt.Errorf("no %s is called %q; there are %s", part.what, name, strings.Join(part.known, ", "))
			}
		}
		if len(unique(part.named)) < len(part.named) {
			return fmt.Errorf("the same %s is named twice in %s", part.what, strings.Join(part.named, ","))
		}
	}
	return nil
}

// Point is one run: a system, and what a program does on it. Points can be compared.
type Point struct {
	Program string `json:"program"` // Scheme or OneHash
	Accel   string `json:"accel"`   // none, or as "shake-fifo"
	Hash    string `json:"hash"`

	Set        string `json:"parameter_set,omitempty"` // of Scheme
	Operations string `json:"operations,omitempty"`    // of Scheme, with commas between
	Message    string `json:"message_bytes,omitempty"` // of OneHash

	// Settings are keys of the platform that differ from the built-in one, as
	// key=value with spaces between.
	Settings string `json:"settings,omitempty"`
}

// Args are the arguments of the program.
func (p Point) Args() []string {
	if p.Program == OneHash {
		return []string{"-in", p.Message}
	}
	return []string{"-p", p.Set, "-op", p.Operations, "-nodigest"}
}

// String says which run it is, in a few words.
func (p Point) String() string {
	name := p.Accel
	if p.Software() {
		name = p.Hash + " in software"
	}
	text := fmt.Sprintf("%s, %s %s", name, p.Set, p.Operations)
	if p.Program == OneHash {
		text = fmt.Sprintf("%s, a hash of %s bytes", name, p.Message)
	}
	if p.Settings != "" {
		text += ", " + p.Settings
	}
	return text
}

// Software tells whether there is no accelerator.
func (p Point) Software() bool { return p.Accel == accel.None.String() }

// Slow tells whether the run takes minutes of the host: a set with small signatures,
// hashed in software.
func (p Point) Slow() bool { return p.Software() && strings.HasSuffix(p.Set, "s") }

// PointOf returns the point that a result is of.
func PointOf(c *soc.Config) Point {
	p := Point{Program: c.ELF, Accel: c.Accel, Hash: c.Hash, Settings: strings.Join(c.Set, " ")}
	set, operations, message := "128f", strings.Join(Operations, ","), "64" // the programs' defaults
	for i := 0; i+1 < len(c.Args); i++ {
		switch c.Args[i] {
		case "-p":
			set = c.Args[i+1]
		case "-op":
			operations = c.Args[i+1]
		case "-in":
			message = c.Args[i+1]
		}
	}
	if p.Program == OneHash {
		p.Message = message
	} else {
		p.Set, p.Operations = set, operations
	}
	return p
}

// Points returns the runs that the scope takes, each once: those in software first,
// as they take longest.
func (s Scope) Points() []Point {
	var list []Point
	for _, c := range claims {
		if slices.Contains(s.Claims, c.name) {
			list = append(list, c.points(s)...)
			if c.beside != nil {
				list = append(list, c.beside(s)...)
			}
		}
	}
	list = unique(list)
	slices.SortStableFunc(list, func(a, b Point) int {
		switch {
		case a.Software() == b.Software():
			return 0
		case a.Software():
			return -1
		}
		return 1
	})
	return list
}

// The axes.
var (
	couplings = []string{
		accel.RAM.String(), accel.FIFO.String(), accel.LSU.String(), accel.LSUX.String(),
		accel.Reg.String(), accel.RegX.String(), accel.DMA.String(),
	}
	withFIFOs = fifoCouplings()
	hashes    = hashNames()
)

func fifoCouplings() (list []string) {
	for c := accel.RAM; c <= accel.DMA; c++ {
		if (accel.Config{Coupling: c}).HasFIFOs() {
			list = append(list, c.String())
		}
	}
	return list
}

func hashNames() (list []string) {
	for _, x := range accel.XOFs {
		list = append(list, x.Name)
	}
	return list
}

// idealPermutation is the setting with which permutations take no time.
const idealPermutation = "accel.cycles_per_round=0"

// on is the run of a scope's operations over a hash and a coupling, as given.
func (s Scope) on(hash, coupling, set string) Point {
	return Point{Program: Scheme, Accel: hash + "-" + coupling, Hash: hash, Set: set, Operations: strings.Join(s.Operations, ",")}
}

// inSoftware is the same without an accelerator.
func (s Scope) inSoftware(hash, set string) Point {
	p := s.on(hash, "", set)
	p.Accel = accel.None.String()
	return p
}

// hashOf is the run of one hash of so many bytes.
func hashOf(hash, coupling, bytes string) Point {
	return Point{Program: OneHash, Accel: hash + "-" + coupling, Hash: hash, Message: bytes}
}

// with is the same run on a system with other settings.
func (p Point) with(settings string) Point {
	p.Settings = settings
	return p
}

// part is the run of one of the operations alone.
func (p Point) part(operation string) Point {
	if p.Program == Scheme {
		p.Operations = operation
	}
	return p
}
