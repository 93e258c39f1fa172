package accel

import (
	"fmt"
	"slices"
	"strings"

	"socsim/bus"
	"socsim/clock"
)

// table is a register table with its map of the window.
type table struct {
	registers []Register
	dispatch  []uint8 // of each word: index into registers, or noRegister
}

const noRegister = 0xff

var (
	fifoTable = newTable(Registers)
	ramTable  = newTable(RAMRegisters)
	noTable   = newTable(nil)
)

func newTable(registers []Register) *table {
	t := &table{registers: registers}
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
func (c Config) table() *table {
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
func (t *table) at(offset uint32) *Register {
	word := offset / wordBytes
	if word >= uint32(len(t.dispatch)) || t.dispatch[word] == noRegister {
		return nil
	}
	return &t.registers[t.dispatch[word]]
}

// find returns the register of an access, nil if there is none or the access is
// not of a word.
func (t *table) find(r bus.Request) *Register {
	if r.Bytes != wordBytes || r.Addr%wordBytes != 0 {
		return nil
	}
	return t.at(r.Addr)
}

// refuse answers an access that no register takes.
func (t *table) refuse(r bus.Request) bus.Response {
	direction := "load from"
	if r.Write {
		direction = "store to"
	}
	access := fmt.Sprintf("%d-byte %s", r.Bytes, direction)
	register := t.at(r.Addr)
	if register == nil {
		return fault(r.At, fmt.Sprintf("%s offset 0x%02x, where the hash accelerator has no register", access, r.Addr), t.where())
	}
	access = fmt.Sprintf("%s %s (offset 0x%02x)", access, register.Name, r.Addr)
	switch {
	case r.Bytes != wordBytes || r.Addr%wordBytes != 0:
		return fault(r.At, access+": registers take word accesses only", "use 32-bit loads and stores at multiples of 4")
	case r.Write:
		return fault(r.At, access+", which is read-only", register.Name+": "+register.Text)
	}
	return fault(r.At, access+", which is write-only", register.Name+": "+register.Text)
}

// where lists the offsets that hold registers, for messages.
func (t *table) where() string {
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

// fault answers bad use.
func fault(at clock.Cycle, what, hint string) bus.Response {
	return bus.Response{Grant: at, Valid: at + 1, Fault: &bus.Fault{Kind: bus.DeviceError, What: what, Hint: hint}}
}
