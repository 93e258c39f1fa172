package soc

import (
	"strings"

	"socsim/bus"
	"socsim/rv32"
	"socsim/soc/elf"
)

// Ledger books every elapsed cycle in exactly one row; the sum of the rows is
// the number of cycles. The first rule that matches decides:
//
//	asleep                                          sleep
//	from an interrupt or exception to its mret      trap
//	a device withholds: input FIFO full             wait_in
//	a device withholds: a permutation runs          wait
//	a device withholds: nothing to give yet         wait_out
//	the section of the instruction                  control, move_in, wait, move_out
//	anything else                                   compute
//
// Waits of the bus and load-use stalls go with their instruction.
type Ledger struct {
	Compute uint64 `json:"compute"`
	MoveIn  uint64 `json:"move_in"`
	WaitIn  uint64 `json:"wait_in"`
	Wait    uint64 `json:"wait"`
	MoveOut uint64 `json:"move_out"`
	WaitOut uint64 `json:"wait_out"`
	Control uint64 `json:"control"`
	Trap    uint64 `json:"trap"`
	Sleep   uint64 `json:"sleep"`
}

// The rows of the ledger; their numbers are the core's class numbers.
const (
	rowCompute uint8 = iota
	rowMoveIn
	rowWaitIn
	rowWait
	rowMoveOut
	rowWaitOut
	rowControl
	rowTrap
	rowSleep
	rowCount
)

// Row is one row of a ledger, for reports.
type Row struct {
	Name   string // as in the JSON result
	Cycles uint64
	Text   string // what is booked here
}

var rowTexts = [rowCount]Row{
	rowCompute: {Name: "compute", Text: "the program's own work, everything not listed below"},
	rowMoveIn:  {Name: "move_in", Text: "instructions that feed words to the accelerator, bus waits included"},
	rowWaitIn:  {Name: "wait_in", Text: "held by a full input FIFO"},
	rowWait:    {Name: "wait", Text: "held, or polling: a permutation runs, a DMA engine moves words, a coprocessor signs"},
	rowMoveOut: {Name: "move_out", Text: "instructions that fetch words from the accelerator, bus waits included"},
	rowWaitOut: {Name: "wait_out", Text: "held by an empty output FIFO while no permutation runs"},
	rowControl: {Name: "control", Text: "set-up, mode and start of the accelerator"},
	rowTrap:    {Name: "trap", Text: "interrupt and exception handlers, entry and return included"},
	rowSleep:   {Name: "sleep", Text: "asleep in wfi"},
}

// row returns the place of a row in l.
func (l *Ledger) row(n uint8) *uint64 {
	return [rowCount]*uint64{
		rowCompute: &l.Compute, rowMoveIn: &l.MoveIn, rowWaitIn: &l.WaitIn, rowWait: &l.Wait, rowMoveOut: &l.MoveOut,
		rowWaitOut: &l.WaitOut, rowControl: &l.Control, rowTrap: &l.Trap, rowSleep: &l.Sleep,
	}[n]
}

// Rows returns the rows in the order of the result, each with its meaning.
func (l Ledger) Rows() []Row {
	rows := rowTexts
	for n := range rows {
		rows[n].Cycles = *l.row(uint8(n))
	}
	return rows[:]
}

// Sum returns the cycles of all rows.
func (l Ledger) Sum() uint64 {
	var sum uint64
	for n := range rowCount {
		sum += *l.row(n)
	}
	return sum
}

// minus returns l - m row by row.
func (l Ledger) minus(m Ledger) Ledger {
	for n := range rowCount {
		*l.row(n) -= *m.row(n)
	}
	return l
}

// plus returns l + m row by row.
func (l Ledger) plus(m Ledger) Ledger {
	for n := range rowCount {
		*l.row(n) += *m.row(n)
	}
	return l
}

// heldRows says under which row a device's reason to withhold is booked.
var heldRows = [bus.Causes]uint8{
	bus.NotHeld: rowCompute, bus.InputFull: rowWaitIn, bus.Permuting: rowWait, bus.OutputEmpty: rowWaitOut,
}

// readLedger returns the ledger up to now.
func readLedger(h *rv32.Hart) Ledger {
	var l Ledger
	for n := range rowCount {
		*l.row(n) += uint64(h.ClassCycles(n))
	}
	for cause := range bus.Causes {
		*l.row(heldRows[cause]) += uint64(h.HeldCycles(cause))
	}
	return l
}

// sectionRows are the sections of firmware made for the ledger. What follows
// such a name behind a dot only tells pieces of code apart.
var sectionRows = []struct {
	name string
	row  uint8
}{
	{".text.hal.movein", rowMoveIn},
	{".text.hal.moveout", rowMoveOut},
	{".text.hal.control", rowControl},
	{".text.hal.wait", rowWait},
}

// sectionRow returns the row a section of that name is booked under.
func sectionRow(name string) (row uint8, ok bool) {
	for _, s := range sectionRows {
		if name == s.name || strings.HasPrefix(name, s.name+".") {
			return s.row, true
		}
	}
	return rowCompute, false
}

// roleRows stand in for the sections in a foreign program: an access to the
// accelerator, or the coprocessor, is booked by what it is for.
var roleRows = map[bus.Role]uint8{
	bus.RoleIn: rowMoveIn, bus.RoleOut: rowMoveOut, bus.RoleControl: rowControl, bus.RoleStatus: rowControl, bus.RoleBusy: rowWait,
}

// bookBySection sets up the core's classes for a program: by its sections, or
// by the roles of registers if it has none of them.
func bookBySection(c *rv32.Config, f *elf.File) {
	c.TrapClass, c.SleepClass = rowTrap, rowSleep
	type span struct {
		base, size uint32
		row        uint8
	}
	var spans []span
	for _, s := range f.Sections {
		if row, ok := sectionRow(s.Name); ok {
			spans = append(spans, span{s.Addr, s.Size, row})
		}
	}
	if len(spans) == 0 {
		var rows [bus.Roles]uint8
		for role, row := range roleRows {
			rows[role] = row
		}
		c.RoleClass = func(class uint8, role bus.Role) uint8 {
			if row := rows[role]; row != rowCompute {
				return row
			}
			return class
		}
		return
	}
	c.Class = func(pc uint32) uint8 {
		for _, s := range spans {
			if pc-s.base < s.size {
				return s.row
			}
		}
		return rowCompute
	}
}
