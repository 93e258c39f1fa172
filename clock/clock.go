// Package clock holds simulated time: the cycle number and the queue of next
// events. There is one clock domain. Nothing ticks: the core is the master of
// time, a device catches up when it is accessed, and a device that will act
// by itself announces the cycle of its next event here.
package clock

// Cycle is a point in time: clock cycles since reset, sleep included.
type Cycle uint64

// Never is later than every cycle that can be reached.
const Never = ^Cycle(0)

// An Event is one source's place in a Queue: the cycle in which it acts next.
type Event struct {
	at    Cycle
	fire  func(at Cycle)
	queue *Queue
}

// Queue orders the next events of all sources. NewQueue is the only way to make
// one. A system has a handful of sources, so a scan beats a heap.
type Queue struct {
	events []*Event
	next   Cycle // of the earliest event: asked far more often than it changes
}

// NewQueue returns a queue without sources.
func NewQueue() *Queue { return &Queue{next: Never} }

// Source registers a function to be called in the cycle its event falls due,
// disarmed at first. The function runs with its event disarmed and may arm it
// again, at that cycle or later.
func (q *Queue) Source(fire func(at Cycle)) *Event {
	e := &Event{at: Never, fire: fire, queue: q}
	q.events = append(q.events, e)
	return e
}

// At arms the event for cycle c, in place of what was announced before;
// Never disarms it.
func (e *Event) At(c Cycle) {
	e.at = c
	e.queue.rescan()
}

// Due returns the cycle the event is armed for, or Never.
func (e *Event) Due() Cycle { return e.at }

// Next returns the cycle of the earliest event, or Never.
func (q *Queue) Next() Cycle { return q.next }

// Advance fires every event due at or before cycle to, in order of time and,
// within one cycle, in order of registration. Events that the fired functions
// arm at or before to are among them.
func (q *Queue) Advance(to Cycle) {
	for q.next <= to && q.next != Never {
		e := q.first()
		at := e.at
		e.At(Never)
		e.fire(at)
	}
}

// first returns the event that is due next: of several in the same cycle the
// one registered first.
func (q *Queue) first() *Event {
	for _, e := range q.events {
		if e.at == q.next {
			return e
		}
	}
	panic("BUG: clock: no event is due in the cycle announced as next")
}

func (q *Queue) rescan() {
	q.next = Never
	for _, e := range q.events {
		q.next = min(q.next, e.at)
	}
}
