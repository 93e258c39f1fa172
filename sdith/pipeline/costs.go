package pipeline

import "fmt"

// Costs are the cycles of the units' operations, and the widths that bound them.
type Costs struct {
	AES         int // cycles of a block of AES-128
	Rijndael    int // cycles of a block of Rijndael-256
	Permutation int // cycles of Keccak-f
	Digit       int // bits of one operand that the multiplier takes a cycle
	Word        int // bits that a memory port, the XOR of leaves and the SHAKE core take a cycle
}

// Cost is one of them, with where it comes from.
type Cost struct {
	Name   string `json:"name"`
	Value  int    `json:"value"`
	Unit   string `json:"unit"`
	Source string `json:"source"`

	field func(*Costs) *int
	max   int
}

// costs has the defaults and their sources. "SPEC" is the project's description of
// SDitH version 2 and its hardware.
var costs = []Cost{
	{"aes", 11, "cycles a block", "assumed: one of the 10 rounds of FIPS 197 a cycle and one cycle for the first key, round keys made beside (SPEC 12.8)",
		func(c *Costs) *int { return &c.AES }, 10000},
	{"rijndael", 15, "cycles a block", "assumed: one of the 14 rounds of Rijndael with Nb = Nk = 8 a cycle and one cycle for the first key, round keys made beside (SPEC 12.8)",
		func(c *Costs) *int { return &c.Rijndael }, 10000},
	{"permutation", 24, "cycles", "assumed: one of the 24 rounds of FIPS 202 a cycle (SPEC 12.8)",
		func(c *Costs) *int { return &c.Permutation }, 10000},
	{"digit", 16, "bits a cycle", "assumed: a digit-serial multiplier",
		func(c *Costs) *int { return &c.Digit }, 256},
	{"word", 64, "bits a cycle", "assumed: a lane of FIPS 202, two ports of a block memory side by side",
		func(c *Costs) *int { return &c.Word }, 256},
}

// DefaultCosts returns the costs that [Costs.Table] has the sources of.
func DefaultCosts() Costs {
	var c Costs
	for _, cost := range costs {
		*cost.field(&c) = cost.Value
	}
	return c
}

// Table returns the costs one by one. One that is not the default has the source "set
// by the user".
func (c Costs) Table() []Cost {
	table := append([]Cost(nil), costs...)
	for i := range table {
		if v := *table[i].field(&c); v != table[i].Value {
			table[i].Value, table[i].Source = v, "set by the user"
		}
	}
	return table
}

// Set changes the cost of that name.
func (c *Costs) Set(name string, value int) error {
	known := ""
	for _, cost := range costs {
		if cost.Name == name {
			if err := cost.check(value); err != nil {
				return err
			}
			*cost.field(c) = value
			return nil
		}
		known += ", " + cost.Name
	}
	return fmt.Errorf("no cost %q (known: %s)", name, known[2:])
}

// Check returns an error that says which cost is out of range.
func (c Costs) Check() error {
	for _, cost := range costs {
		if err := cost.check(*cost.field(&c)); err != nil {
			return err
		}
	}
	return nil
}

func (c Cost) check(value int) error {
	if value < 1 || value > c.max {
		return fmt.Errorf("%s = %d %s, want 1 to %d", c.Name, value, c.Unit, c.max)
	}
	if c.Name == "word" && value%8 != 0 {
		return fmt.Errorf("word = %d bits a cycle, want whole bytes", value)
	}
	return nil
}
