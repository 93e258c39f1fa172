// Package bus connects initiators (the core, later a DMA engine) with the
// devices outside RAM: it decodes addresses, adds the waits of the way to a
// device, and counts what crosses.
//
// # Time
//
// A transaction follows the two-channel protocol of OBI 1.x, reduced to the
// cycles that matter: a request is granted (the initiator may go on), later its
// answer is valid. The way from an initiator to a window is a list of [Hop]s,
// the one nearest to the initiator first. At each hop the request
//
//   - waits until the previous answer has passed the hop, if it is serial
//     (in the cycle of the answer it may go on),
//   - then takes Grant further cycles,
//
// and reaches the device, which answers in simulated time with a grant cycle g
// and a cycle v in which its answer is valid. The initiator sees the grant in g
// and the answer in v + the sum of the response waits of all hops, which differ
// for loads and stores. A hop on the way to several windows (one bridge with
// many devices behind it) is one object, so that they block each other.
//
// Left out: bursts, write buffers, error answers (an access to nothing ends the
// run, as the core has no bus errors), and the order of answers from different
// windows, which the initiator keeps.
package bus

import (
	"fmt"
	"slices"
	"strings"
)

// Window is a range of addresses that one device answers.
type Window struct {
	Name   string
	Base   uint32
	Size   uint32 // in bytes
	Path   []*Hop // from initiator to device; empty: reached in the request cycle, answers when it answers
	Target Target // nil: the range is taken, but not by a device on this bus (RAM inside the core)
}

// String returns name and range.
func (w *Window) String() string {
	return fmt.Sprintf("%s (0x%08x-0x%08x)", w.Name, w.Base, w.last())
}

// last returns the window's last address.
func (w *Window) last() uint32 { return w.Base + (w.Size - 1) }

// Attachable is a device that is not there but could be: an access to its range
// gets a hint that says which option attaches it.
type Attachable struct {
	Name   string
	Base   uint32
	Size   uint32
	Option string // as the user would type it: --accel shake-fifo
}

// Map is an address map. NewMap is the only way to make one.
type Map struct {
	windows    []*Window // by base address
	attachable []Attachable
}

// NewMap checks the windows and returns their map. Windows must not be empty,
// run over the end of the address space or overlap.
func NewMap(windows []Window, attachable []Attachable) (*Map, error) {
	m := &Map{attachable: slices.Clone(attachable)}
	for _, w := range windows {
		if w.Size == 0 {
			return nil, fmt.Errorf("address map: window %s at 0x%08x has size 0; give it at least 4 bytes or leave it out", w.Name, w.Base)
		}
		if end := uint64(w.Base) + uint64(w.Size); end > 1<<32 {
			return nil, fmt.Errorf("address map: window %s at 0x%08x is 0x%x bytes long and runs %d bytes over the end of the 32-bit address space",
				w.Name, w.Base, w.Size, end-1<<32)
		}
		m.windows = append(m.windows, &w)
	}
	slices.SortStableFunc(m.windows, func(a, b *Window) int {
		switch {
		case a.Base < b.Base:
			return -1
		case a.Base > b.Base:
			return 1
		}
		return 0
	})
	for i := 1; i < len(m.windows); i++ {
		if a, b := m.windows[i-1], m.windows[i]; a.last() >= b.Base {
			return nil, fmt.Errorf("address map: windows %s and %s overlap from 0x%08x on; move one or make %s smaller", a, b, b.Base, a.Name)
		}
	}
	return m, nil
}

// Windows returns the windows in order of their addresses.
func (m *Map) Windows() []*Window { return slices.Clone(m.windows) }

// Text returns the map for a report, one line per window.
func (m *Map) Text() string {
	var b strings.Builder
	for _, w := range m.windows {
		fmt.Fprintf(&b, "0x%08x-0x%08x  %s\n", w.Base, w.last(), w.Name)
	}
	return b.String()
}

// find returns the index of the window that holds address a, or -1.
func (m *Map) find(a uint32) int {
	for i, w := range m.windows {
		if a-w.Base < w.Size {
			return i
		}
	}
	return -1
}

// unmapped returns the fault of a request that no device on the bus can take.
func (m *Map) unmapped(r Request) *Fault {
	access := fmt.Sprintf("%d-byte %s at 0x%08x", r.Bytes, direction(r.Write), r.Addr)
	i := m.find(r.Addr)
	if i < 0 {
		return &Fault{Kind: Unmapped, What: access + ": no device has this address", Hint: m.hint(r.Addr)}
	}
	w := m.windows[i]
	if w.Target == nil {
		return &Fault{Kind: Unmapped, What: fmt.Sprintf("%s: %s cannot be reached over the bus", access, w)}
	}
	return &Fault{Kind: Unmapped, What: fmt.Sprintf("%s runs over the end of %s", access, w),
		Hint: fmt.Sprintf("the last byte of %s is at 0x%08x", w.Name, w.last())}
}

// hint says what could be meant by address a, which no window holds: a device that could be attached
// there, or the window whose range is nearest.
func (m *Map) hint(a uint32) string {
	for _, x := range m.attachable {
		if a-x.Base < x.Size {
			return fmt.Sprintf("%s would answer here: attach it with %s", x.Name, x.Option)
		}
	}
	var nearest *Window
	var where string
	least := uint64(1) << 32
	for _, w := range m.windows {
		d, side := uint64(w.Base-a), "above"
		if a > w.last() {
			d, side = uint64(a-w.last()), "below"
		}
		s := fmt.Sprintf("the nearest is %s, 0x%x bytes %s", w, d, side)
		if d < least {
			nearest, where, least = w, s, d
		}
	}
	if nearest == nil {
		return "no device is attached at all"
	}
	return where
}

// direction names the direction of a request as the instruction that makes it.
func direction(write bool) string {
	if write {
		return "store"
	}
	return "load"
}
