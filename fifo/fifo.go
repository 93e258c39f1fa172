// Package fifo is a bounded FIFO of 32-bit words in simulated time: nothing
// ticks, every word and every free slot carries the cycle from which it can be
// used. Both ends are timed:
//
//   - a word pushed in cycle g can be popped from g + Visible on;
//   - a slot emptied by a pop in cycle t can be filled from t + Room on;
//   - each end handles one word a cycle.
//
// With the default timing, one cycle each, this is a FIFO in registers whose
// two ends look at the state at the start of the cycle. Its user says in which
// cycle a push or pop happens, at each end in order of time; the ends may be
// worked on one after the other, as long as neither is used before Room or
// Ready says so.
//
// Left out: other word widths, and pushes of less than a word.
package fifo

import (
	"fmt"

	"socsim/clock"
)

// Timing holds the latencies of a FIFO, in cycles.
type Timing struct {
	Visible clock.Cycle // from the push of a word to the first cycle it can be popped in
	Room    clock.Cycle // from a pop to the first cycle its slot can be filled in
}

// Registered is the timing of a FIFO built of registers.
var Registered = Timing{Visible: 1, Room: 1}

// MaxDepth bounds the depth: it has to fit 16 bits of a device's ID register.
const MaxDepth = 1<<16 - 1

// perCycle is how many cycles one end is busy with one word.
const perCycle = 1

// slot is one place of the ring.
type slot struct {
	word  uint32
	ready clock.Cycle // the word in it can be popped from this cycle on
	room  clock.Cycle // after its last pop: it can be filled from this cycle on
}

// FIFO is a bounded word FIFO. New is the only way to make one.
type FIFO struct {
	slots      []slot
	head, tail int // of the ring: next to pop, next to fill
	length     int
	push, pop  clock.Cycle // the first cycle in which each end is free again
	timing     Timing
	stats      Statistics
}

// Statistics are counted since the FIFO was made.
type Statistics struct {
	Pushes  uint64
	Pops    uint64
	Dropped uint64 // words thrown away by Clear

	// HighWater is the largest number of slots in use in the cycle of a push,
	// the one it fills and those being emptied in it included: a FIFO of this
	// depth would have behaved the same in every cycle, a smaller one not. It is
	// exact if every pop was made before the pushes of later cycles.
	HighWater int
}

// New returns an empty FIFO of depth words.
func New(depth int, t Timing) (*FIFO, error) {
	if depth < 1 || depth > MaxDepth {
		return nil, fmt.Errorf("FIFO depth of %d words: it must be 1 to %d", depth, MaxDepth)
	}
	return &FIFO{slots: make([]slot, depth), timing: t}, nil
}

// Depth returns the number of words the FIFO holds when full.
func (f *FIFO) Depth() int { return len(f.slots) }

// Len returns the number of words pushed and not yet popped.
func (f *FIFO) Len() int { return f.length }

// Statistics returns what was counted.
func (f *FIFO) Statistics() Statistics { return f.stats }

// Room returns the first cycle in which the next push can happen, as far as the
// pops made until now tell: Never if the FIFO is full.
func (f *FIFO) Room() clock.Cycle {
	if f.length == len(f.slots) {
		return clock.Never
	}
	return max(f.slots[f.tail].room, f.push)
}

// Ready returns the first cycle in which the next pop can happen: Never if the
// FIFO is empty.
func (f *FIFO) Ready() clock.Cycle {
	if f.length == 0 {
		return clock.Never
	}
	return max(f.slots[f.head].ready, f.pop)
}

// Push appends a word in cycle at. Pushing before Room is a bug of the caller.
func (f *FIFO) Push(w uint32, at clock.Cycle) {
	if at < f.Room() {
		f.bug("push", at, f.Room())
	}
	s := &f.slots[f.tail]
	s.word, s.ready = w, at+f.timing.Visible
	f.tail = f.after(f.tail)
	f.length++
	f.push = at + perCycle
	f.stats.Pushes++
	if n := f.inUse(at); n > f.stats.HighWater {
		f.stats.HighWater = n
	}
}

// inUse returns the number of slots occupied in cycle at, the cycle of the push
// just made: words in the FIFO, and slots whose word was popped so late that
// they cannot be filled by then.
func (f *FIFO) inUse(at clock.Cycle) int {
	n := f.length
	for i := f.head; n < len(f.slots); n++ {
		if i = f.before(i); f.slots[i].room <= at {
			break
		}
	}
	return n
}

// Pop takes the oldest word in cycle at. Popping before Ready is a bug of the
// caller.
func (f *FIFO) Pop(at clock.Cycle) uint32 {
	if at < f.Ready() {
		f.bug("pop", at, f.Ready())
	}
	s := &f.slots[f.head]
	s.room = at + f.timing.Room
	f.head = f.after(f.head)
	f.length--
	f.pop = at + perCycle
	f.stats.Pops++
	return s.word
}

// Clear drops all words at the end of cycle at. The next push can come in at+1,
// unless a pop in the last cycles still keeps the next slot.
func (f *FIFO) Clear(at clock.Cycle) {
	f.stats.Dropped += uint64(f.length)
	f.head, f.length = f.tail, 0
	f.push, f.pop = at+perCycle, at+perCycle
}

// bug reports a push or pop that comes too early. It stands apart to keep the
// two, which every word passes, short.
//
//go:noinline
func (f *FIFO) bug(what string, at, from clock.Cycle) {
	panic(fmt.Sprintf("BUG: fifo: %s in cycle %d, possible from cycle %d on", what, at, from))
}

func (f *FIFO) after(i int) int {
	if i++; i == len(f.slots) {
		return 0
	}
	return i
}

func (f *FIFO) before(i int) int {
	if i == 0 {
		return len(f.slots) - 1
	}
	return i - 1
}
