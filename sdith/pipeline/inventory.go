package pipeline

import "fmt"

// Inventory is what a configuration is built of. Areas are left to whoever has a
// library of cells: what is here are bits and numbers of units.
type Inventory struct {
	Config   string `json:"config"`
	Memories []Part `json:"memories"`
	Units    []Unit `json:"units"`

	MemoryBits   int `json:"memory_bits"`   // of block memories
	RegisterBits int `json:"register_bits"` // of registers
}

// Part is a memory or a group of registers.
type Part struct {
	Name      string `json:"name"`
	Words     int    `json:"words"`
	Width     int    `json:"width"` // bits
	Bits      int    `json:"bits"`
	Port      int    `json:"port,omitempty"` // bits a cycle, of all banks; 0 for registers
	Registers bool   `json:"registers"`
	Note      string `json:"note,omitempty"`
}

// Unit is a kind of unit.
type Unit struct {
	Name   string `json:"name"`
	Number int    `json:"number"`
	What   string `json:"what"`
}

// Inventory returns what the machine is built of.
func (m *Machine) Inventory() Inventory { return m.signer.inventory() }

// notes say what memories are for, where that is not plain from their names.
var notes = map[string]string{
	"secret key":    "loaded before the start",
	"message":       "loaded before the start",
	"signature":     "read when all is done; h_aux, h_lines and h_piop are taken of it on the way",
	"base rows":     "of one repetition; all rows can be read at once",
	"columns of H":  "one in the making, one in use",
	"path seeds":    "of the way from the cache to a leaf, or right of it",
	"hidden leaves": "a sorter",
}

// inventory lists memories and units.
func (m *machine[E]) inventory() Inventory {
	v := Inventory{Config: m.c.Name()}
	add := func(p Part) {
		if p.Registers {
			v.RegisterBits += p.Bits
		} else {
			v.MemoryBits += p.Bits
		}
		v.Memories = append(v.Memories, p)
	}
	for _, mem := range m.memories() {
		note := notes[mem.name]
		if mem == m.m && m.lines == m.m {
			note = "after W2 it holds the witness lines"
		}
		add(Part{mem.name, mem.words, mem.width, mem.bits(), mem.port * mem.banks, mem.registers, note})
	}
	for _, r := range []struct {
		name string
		n    int
		note string
	}{
		{"mask polynomial", len(m.elements.mask), "P0"},
		{"sum polynomial", len(m.elements.sum), "S"},
		{"multiplexers", len(m.elements.mux.g) + len(m.elements.mux.first) + len(m.elements.mux.sum), "open runs of the four levels"},
		{"unitary check", 5, "s1, s2, s3 and two coefficients of D"},
		{"limb sum", 1, "g in the making"},
		{"operand", 1, "what goes to the multiplier"},
	} {
		add(Part{Name: r.name, Words: r.n, Width: m.p.Lambda, Bits: r.n * m.p.Lambda, Registers: true, Note: r.note})
	}
	block := 8 * m.p.BlockSize()
	key := 8 * m.p.BlockSize() // as long as a block
	add(Part{Name: "cipher round keys", Words: 2, Width: key, Bits: 2 * key, Registers: true, Note: "one a core; the next one is made of it"})
	add(Part{Name: "cipher inputs and outputs", Words: 4, Width: block, Bits: 4 * block, Registers: true})

	cipher := "AES-128"
	if m.p.Lambda != 128 {
		cipher = "Rijndael, block and key of 256 bits"
	}
	v.Units = []Unit{
		{"cipher", len(m.ciphers.cores), cipher + ", one round a cycle, round keys on the fly"},
		{"shake", 1, "Keccak-f[1600], 1,600 bits of state, one round a cycle"},
		{"multiplier", 1, m.digits()},
		{"leaf sums", 1, "XOR of a word into the sum and into a row"},
		{"consistency", 1, "AND and parity of a word of M with all rows of a repetition"},
		{"challenge", 1, "sorter and queue for the hidden leaves"},
	}
	return v
}

// digits says what the multiplier is.
func (m *machine[E]) digits() string {
	return fmt.Sprintf("GF(2^%d), %d bits of an operand a cycle", m.p.Lambda, m.c.Costs.Digit)
}
