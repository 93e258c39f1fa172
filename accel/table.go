package accel

import (
	"fmt"
	"slices"
	"strings"

	"socsim/bus"
	"socsim/clock"
)

// Table is a register table with its map of the window.
type Table struct {
	unit      string // whose registers they are, for messages
	registers []Register
	dispatch  []uint8 // of each word: index into registers, or noRegister
}

const noRegister = 0xff

var (
	fifoTable = NewTable("hash accelerator", Registers)
	ramTable  = NewTable("hash accelerator", RAMRegisters)
	dmaTable  = NewTable("DMA engine", DMARegisters)
	noTable   = NewTable("hash accelerator", nil)
)

// NewTable returns the table of a unit's registers. A word that several have is the last
// one's.
func NewTable(unit string, registers []Register) *Table {
	t := &Table{unit: unit, registers: registers}
	place := func(offset uint32, register int) {
		for offset/wordBytes >= uint32(len(t.dispatch)) {
			t.dispatch = append(t.dispatch, noRegister)
		}
		t.dispatch[offset/wordBytes] = uint8(register)
	}
	for i, r := range registers {
		for n := range max(r.Words, 1) {
			place(r.Offset+n*wordBytes, i)
		}
		for n := range r.AliasWords {
			place(r.Alias+n*wordBytes, i)
		}
	}
	return t
}

// table returns the registers of the unit that c describes.
func (c Config) table() *Table {
	switch {
	case c.InCore():
		return noTable
	case c.Coupling == RAM:
		return ramTable
	}
	return fifoTable
}

// Registers returns the register table of the unit.
func (c Config) Registers() []Register { return c.table().registers }

// RegisterBytes is how much of its window the unit's registers take.
func (c Config) RegisterBytes() uint32 { return uint32(len(c.table().dispatch)) * wordBytes }

// at returns the register that has the word at an offset, nil if none has.
func (t *Table) at(offset uint32) *Register {
	word := offset / wordBytes
	if word >= uint32(len(t.dispatch)) || t.dispatch[word] == noRegister {
		return nil
	}
	return &t.registers[t.dispatch[word]]
}

// Find returns the register of an access, nil if there is none or the access is
// not of a word.
func (t *Table) Find(r bus.Request) *Register {
	if r.Bytes != wordBytes || r.Addr%wordBytes != 0 {
		return nil
	}
	return t.at(r.Addr)
}

// Refuse answers an access that no register takes, or not in that direction.
func (t *Table) Refuse(r bus.Request) bus.Response {
	direction := "load from"
	if r.Write {
		direction = "store to"
	}
	access := fmt.Sprintf("%d-byte %s", r.Bytes, direction)
	register := t.at(r.Addr)
	if register == nil {
		return Fault(r.At, fmt.Sprintf("%s offset 0x%02x, where the %s has no register", access, r.Addr, t.unit), t.where())
	}
	access = fmt.Sprintf("%s %s (offset 0x%02x)", access, register.Name, r.Addr)
	switch {
	case r.Bytes != wordBytes || r.Addr%wordBytes != 0:
		return Fault(r.At, access+": registers take word accesses only", "use 32-bit loads and stores at multiples of 4")
	case r.Write:
		return Fault(r.At, access+", which is read-only", register.Name+": "+register.Text)
	}
	return Fault(r.At, access+", which is write-only", register.Name+": "+register.Text)
}

// where lists the offsets that hold registers, for messages.
func (t *Table) where() string {
	last := uint32(0)
	var more []string
	for _, r := range t.registers {
		if r.Words > 0 {
			more = append(more, fmt.Sprintf("%s at 0x%02x-0x%02x", r.Name, r.Offset, r.Offset+r.Words*wordBytes-1))
			continue
		}
		last = max(last, r.Offset)
		if r.AliasWords > 0 {
			more = append(more, fmt.Sprintf("%s again at 0x%02x-0x%02x", r.Name, r.Alias, r.Alias+r.AliasWords*wordBytes-1))
		}
	}
	return strings.Join(slices.Insert(more, 0, fmt.Sprintf("registers are at 0x00-0x%02x", last+wordBytes-1)), ", ")
}

// Fault answers bad use.
func Fault(at clock.Cycle, what, hint string) bus.Response {
	return bus.Response{Grant: at, Valid: at + 1, Fault: &bus.Fault{Kind: bus.DeviceError, What: what, Hint: hint}}
}
