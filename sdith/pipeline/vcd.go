package pipeline

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// VCD is a [Tracer] that writes a value change dump (IEEE 1364, section 18), for waveform
// viewers: a wire for each phase, unit and memory port, 1 while it is in use. A unit of
// time is a cycle. Make one with [NewVCD], and close it after the signature.
//
// What is in use comes in no order over the signals, so changes wait until nothing
// before them can come: to the next phase at most. Level 5 with short signatures has
// some 20 million of them in one.
type VCD struct {
	w       *bufio.Writer
	signals int       // their wires come behind those of the phases
	uses    []openUse // by wire
	changes []change
	phase   int // its wire, -1 for none yet
}

// change is what a wire becomes.
type change struct {
	at   int64
	wire int32
	to   bool
}

// openUse is a use of a wire that may go on.
type openUse struct {
	end    int64
	active bool
}

// VCDHead is how every dump begins.
const VCDHead = "$comment SDitH pipeline "

// NewVCD writes the head of a dump of what m does. Give it to [Machine.Trace].
func NewVCD(w io.Writer, m *Machine) *VCD {
	names := m.Signals()
	v := &VCD{w: bufio.NewWriterSize(w, 1<<16), signals: len(names), uses: make([]openUse, NumPhases+len(names)), phase: -1}
	fmt.Fprintf(v.w, VCDHead+"%s; a unit of time is a cycle $end\n$timescale 1 ns $end\n$scope module %s $end\n", m.c.Name(), m.c.Name())
	v.scope("phases", phaseNames[:], 0, func(string) bool { return true })
	port := func(name string) bool { return strings.HasSuffix(name, " read") || strings.HasSuffix(name, " write") }
	v.scope("units", names, NumPhases, func(name string) bool { return !port(name) })
	v.scope("memories", names, NumPhases, port)
	fmt.Fprint(v.w, "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n")
	for wire := range v.uses {
		fmt.Fprintf(v.w, "0%s\n", wireID(wire))
	}
	fmt.Fprint(v.w, "$end\n")
	return v
}

// scope declares those of the names that belong to it.
func (v *VCD) scope(scope string, names []string, first int, belongs func(string) bool) {
	fmt.Fprintf(v.w, "$scope module %s $end\n", scope)
	for i, name := range names {
		if belongs(name) {
			fmt.Fprintf(v.w, "$var wire 1 %s %s $end\n", wireID(first+i), strings.ReplaceAll(name, " ", "_"))
		}
	}
	fmt.Fprint(v.w, "$upscope $end\n")
}

// wireID is the short name of a wire: printable characters from ! on.
func wireID(wire int) string {
	const printable = '~' - '!' + 1
	id := []byte{byte('!' + wire%printable)}
	for wire /= printable; wire > 0; wire /= printable {
		id = append(id, byte('!'+wire%printable))
	}
	return string(id)
}

// Enter is part of [Tracer].
func (v *VCD) Enter(p Phase, from int64) {
	if v.phase >= 0 {
		v.uses[v.phase].end = from
	}
	v.use(int(p), from, from)
	v.phase = int(p)
	v.flush(from)
}

// Busy is part of [Tracer].
func (v *VCD) Busy(signal int, from, to int64) { v.use(NumPhases+signal, from, to) }

func (v *VCD) use(wire int, from, to int64) {
	u := &v.uses[wire]
	if !u.active || u.end < from {
		if u.active {
			v.changes = append(v.changes, change{u.end, int32(wire), false})
		}
		v.changes = append(v.changes, change{from, int32(wire), true})
	}
	*u = openUse{to, true}
}

// flush writes the changes before from, before which nothing can come any more.
func (v *VCD) flush(from int64) {
	for wire := range v.uses {
		if u := &v.uses[wire]; u.active && u.end < from && wire != v.phase {
			v.changes = append(v.changes, change{u.end, int32(wire), false})
			u.active = false
		}
	}
	slices.SortFunc(v.changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.wire, b.wire))
	})
	n, last := 0, int64(-1)
	for ; n < len(v.changes) && v.changes[n].at < from; n++ {
		c := v.changes[n]
		if c.at != last {
			fmt.Fprintf(v.w, "#%d\n", c.at)
			last = c.at
		}
		value := byte('0')
		if c.to {
			value = '1'
		}
		v.w.WriteByte(value)
		v.w.WriteString(wireID(int(c.wire)))
		v.w.WriteByte('\n')
	}
	v.changes = append(v.changes[:0], v.changes[n:]...)
}

// Close ends the dump at the end of the signature. It returns the first error of the
// writer.
func (v *VCD) Close(end int64) error {
	if v.phase >= 0 {
		v.uses[v.phase].end = end
		v.phase = -1
	}
	v.flush(end + 1)
	fmt.Fprintf(v.w, "#%d\n", end+1)
	return v.w.Flush()
}
