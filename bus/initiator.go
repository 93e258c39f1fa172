package bus

import "socsim/clock"

// Initiator is a source of requests, with a port into the map and counters of
// its own. [Map.Initiator] makes one. Its requests come in order of time.
type Initiator struct {
	name   string
	space  *Map
	counts []crossing // by window
	recent int        // index of the window last accessed: the next access mostly goes there too

	observe func(Request, Response)
}

// Count is what one initiator moved in one direction between itself and one
// window.
type Count struct {
	Transactions uint64
	Bytes        uint64
	HopWait      clock.Cycle         // cycles spent on the way: behind a serial hop's previous transaction, and the hops' own waits
	Withheld     [Causes]clock.Cycle // cycles the device withheld grant or answer, by cause
}

// crossing holds both directions of one window.
type crossing struct{ load, store Count }

// Initiator returns a new initiator of that name.
func (m *Map) Initiator(name string) *Initiator {
	return &Initiator{name: name, space: m, counts: make([]crossing, len(m.windows))}
}

// Name returns the initiator's name.
func (i *Initiator) Name() string { return i.name }

// Observe lets f see every access that is answered, as the initiator sees it;
// nil ends that.
func (i *Initiator) Observe(f func(Request, Response)) { i.observe = f }

// Access performs one transaction. An access that no device can take, or that
// runs over the end of a window, gets an answer with a fault; it is not counted
// and moves nothing.
//
// It is on the way of every device access: the pieces of r and of the answer
// are handed on one by one, as copying the structs whole takes longer than all
// the rest.
func (i *Initiator) Access(r Request) (a Response) {
	n := i.recent
	if n >= len(i.counts) || !i.space.windows[n].holds(r.Addr, r.Bytes) {
		n = i.space.find(r.Addr)
		if n < 0 || !i.space.windows[n].holds(r.Addr, r.Bytes) {
			a.Grant, a.Valid, a.Fault = r.At, r.At+1, i.space.unmapped(r)
			return a
		}
		i.recent = n
	}
	w := i.space.windows[n]

	at := r.At
	for _, h := range w.Path {
		if h.Serial {
			at = max(at, h.free)
		}
		at += h.Grant
	}
	wait := at - r.At
	a = w.Target.Access(Request{Addr: r.Addr - w.Base, Bytes: r.Bytes, Write: r.Write, Data: r.Data, At: at})
	if a.Fault != nil {
		if a.Fault.Target == "" {
			a.Fault.Target = w.Name
		}
		return a
	}
	valid := a.Valid
	for k := len(w.Path) - 1; k >= 0; k-- {
		h := w.Path[k]
		valid += h.response(r.Write)
		h.free = valid
	}
	wait += valid - a.Valid
	a.Valid = valid

	c := &i.counts[n].load
	if r.Write {
		c = &i.counts[n].store
	}
	c.Transactions++
	c.Bytes += uint64(r.Bytes)
	c.HopWait += wait
	if a.Cause != NotHeld {
		c.Withheld[a.Cause] += a.HeldTo - a.HeldFrom
	}
	if i.observe != nil {
		i.observe(r, a)
	}
	return a
}

// holds tells whether a device answers in the window and all bytes of an access
// lie in it.
func (w *Window) holds(addr uint32, bytes uint8) bool {
	offset := addr - w.Base
	return offset < w.Size && uint32(bytes) <= w.Size-offset && w.Target != nil
}

// Traffic is what an initiator moved to and from one window.
type Traffic struct {
	Window      *Window
	Load, Store Count
}

// Visit calls f for every window with the transactions there, in order of their addresses.
func (i *Initiator) Visit(f func(w *Window, transactions uint64)) {
	for n, c := range i.counts {
		f(i.space.windows[n], c.load.Transactions+c.store.Transactions)
	}
}

// Traffic returns the counters for every window of the map, in order of their
// addresses.
func (i *Initiator) Traffic() []Traffic {
	t := make([]Traffic, len(i.counts))
	for n, c := range i.counts {
		t[n] = Traffic{Window: i.space.windows[n], Load: c.load, Store: c.store}
	}
	return t
}
