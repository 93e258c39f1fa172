package accel

import (
	"socsim/clock"
	"socsim/fifo"
)

// timing holds the latencies of the engine, in cycles. All of it is assumed:
// the plainest registered design that does what the package comment says.
type timing struct {
	fifo   fifo.Timing // of both FIFOs
	write  clock.Cycle // a register write granted in g acts from g + write
	absorb clock.Cycle // taking a word from the input FIFO into the state; what comes next comes after it
	pad    clock.Cycle // XORing in tail and padding; the permutation comes after it
	move   clock.Cycle // moving a word from the state to the output FIFO
	resume clock.Cycle // from the pop of a block's last word to the first cycle of the next permutation
	answer clock.Cycle // from the grant, or from a pop, to the answer
}

var defaultTiming = timing{fifo: fifo.Registered, write: 1, absorb: 1, pad: 1, move: 1, resume: 1, answer: 1}

// phase is how far a message has come.
type phase uint8

const (
	absorbing phase = iota // open: from INIT to LAST
	draining               // LAST was written, the padding cycle is still to come
	squeezing              // padded
)

// datapath is the sponge between its two FIFOs. It advances lazily: now is the
// first cycle whose work is not done yet, and work is proportional to words,
// not to cycles. Whoever uses it asks for times only at or after now.
type datapath struct {
	core
	sponge *sponge
	timing timing
	words  int // of a block in this mode

	in, out *fifo.FIFO
	now     clock.Cycle

	phase      phase
	position   int         // words of the block absorbed so far
	absorbFrom clock.Cycle // the next word, or the padding, can be absorbed from this cycle on
	lastFrom   clock.Cycle // LAST acts from this cycle on
	tail       uint32
	tailBytes  int

	// workFrom is the first cycle of the latest permutation, or the padding cycle
	// before it.
	workFrom clock.Cycle

	outlen   uint32      // bytes wanted since INIT
	moved    uint64      // words moved to the output FIFO since INIT
	popped   uint64      // words popped since INIT
	inBlock  int         // words of this block moved
	moveFrom clock.Cycle // the next word can be moved from this cycle on
	cut      uint32      // OUTLEN when a word was popped of which it covered a part, 0 if none was

	// DONE is set from cycle doneFrom on; doneLatest is when it was set again.
	done                 bool
	doneFrom, doneLatest clock.Cycle
}

// sponge is a mode with what its permutations take on this unit.
type sponge struct {
	Mode
	cycles struct{ block, last, squeeze clock.Cycle }
}

// sponges returns the modes of the unit that c describes.
func sponges(c Config) []sponge {
	list := make([]sponge, len(c.XOF.Modes))
	for i, m := range c.XOF.Modes {
		s := &list[i]
		s.Mode = m
		s.cycles.block = c.Permutation(m.Rounds.Block)
		s.cycles.last = c.Permutation(m.Rounds.Last)
		s.cycles.squeeze = c.Permutation(m.Rounds.Squeeze)
	}
	return list
}

// advance does the work of all cycles before to.
func (d *datapath) advance(to clock.Cycle) {
	if to > d.now {
		d.work(to)
	}
}

func (d *datapath) work(to clock.Cycle) {
	if d.phase != squeezing {
		d.absorb(to)
	}
	if d.phase == squeezing {
		d.move(to, false)
	}
	d.now = to
}

// open opens a message in a mode, whose first cycle is from.
func (d *datapath) open(m *sponge, from clock.Cycle) {
	d.sponge = m
	d.words = m.Rate / wordBytes
	d.load(m.Start)
	d.phase, d.position = absorbing, 0
	d.absorbFrom, d.lastFrom = from, from
	d.workFrom, d.permFrom, d.permTo = from, from, from
	d.moved, d.popped, d.inBlock, d.cut = 0, 0, 0, 0
	d.done = false
}

// drop empties the FIFOs and abandons a running permutation at the end of cycle
// at.
func (d *datapath) drop(at clock.Cycle) {
	d.abandon(at + 1)
	d.in.Clear(at)
	d.out.Clear(at)
}

// absorb does the absorbing of all cycles before to, up to the padding.
func (d *datapath) absorb(to clock.Cycle) {
	for d.in.Len() > 0 {
		t := max(d.absorbFrom, d.in.Ready())
		if t >= to {
			return
		}
		d.xorWord(d.position, d.in.Pop(t))
		d.report(Step{Kind: Absorbed, At: t})
		d.position++
		d.absorbFrom = t + d.timing.absorb
		if d.position == d.words {
			d.position = 0
			d.permute(d.absorbFrom, d.sponge.Rounds.Block, d.sponge.cycles.block)
			d.workFrom = d.permFrom
		}
	}
	if d.phase != draining {
		return
	}
	t := max(d.absorbFrom, d.lastFrom)
	if t >= to {
		return
	}
	at := wordBytes * d.position
	d.xorWord(d.position, d.tail)
	d.xorByte(at+d.tailBytes, d.sponge.Suffix)
	d.xorByte(d.sponge.Rate-1, d.sponge.Final)
	d.stats.PaddingCycles += d.timing.pad
	d.report(Step{Kind: Padded, At: t})
	d.permute(t+d.timing.pad, d.sponge.Rounds.Last, d.sponge.cycles.last)
	d.workFrom = t
	d.phase = squeezing
	d.inBlock, d.moveFrom = 0, d.permTo
}

// permute runs a permutation from cycle from on.
func (d *datapath) permute(from clock.Cycle, rounds int, cycles clock.Cycle) {
	d.core.permute(from, rounds, cycles)
	d.absorbFrom = max(d.absorbFrom, d.permTo)
}

// move does the moving of all cycles before to, or only that of one word.
func (d *datapath) move(to clock.Cycle, one bool) {
	for d.inBlock < d.words && wordBytes*d.moved < uint64(d.outlen) {
		t := max(d.moveFrom, d.out.Room())
		if t >= to {
			return
		}
		d.out.Push(d.word(d.inBlock), t)
		d.report(Step{Kind: Moved, At: t})
		if d.inBlock == 0 {
			d.doneLatest = t + d.timing.fifo.Visible
			if !d.done {
				d.done, d.doneFrom = true, d.doneLatest
			}
		}
		d.inBlock++
		d.moved++
		d.moveFrom = t + d.timing.move
		if one {
			return
		}
	}
}

// nextBlock starts the permutation for the next output block, in cycle from,
// if this block is used up and more is wanted.
func (d *datapath) nextBlock(from clock.Cycle) {
	if d.inBlock < d.words || d.out.Len() > 0 || wordBytes*d.moved >= uint64(d.outlen) {
		return
	}
	d.permute(from, d.sponge.Rounds.Squeeze, d.sponge.cycles.squeeze)
	d.workFrom = d.permFrom
	d.inBlock, d.moveFrom = 0, d.permTo
}

// room returns the first cycle, not before at, in which a word can be pushed.
// The work before at must have been done.
func (d *datapath) room(at clock.Cycle) clock.Cycle {
	if d.in.Room() == clock.Never {
		// Full, so the next absorb is certain and makes room.
		d.advance(max(d.absorbFrom, d.in.Ready()) + 1)
	}
	g := max(at, d.in.Room())
	d.advance(g)
	return g
}

// push puts a message word into the input FIFO in cycle at, when there is room
// and the work before has been done.
func (d *datapath) push(w uint32, at clock.Cycle) {
	d.in.Push(w, at)
	d.stats.WordsIn++
	if d.runs(at) {
		d.stats.OverlapCycles++
	}
	d.report(Step{Kind: Pushed, At: at})
}

// last ends the message with n tail bytes; it acts from cycle from on.
func (d *datapath) last(tail uint32, n int, from clock.Cycle) {
	d.phase, d.lastFrom = draining, from
	d.tail, d.tailBytes = tail&(1<<(8*n)-1), n
	d.stats.Messages++
}

// want sets OUTLEN; it acts from cycle from on.
func (d *datapath) want(outlen uint32, from clock.Cycle) {
	if uint64(outlen) > wordBytes*d.moved && uint64(d.outlen) <= wordBytes*d.moved {
		d.moveFrom = max(d.moveFrom, from)
	}
	d.outlen = outlen
	d.nextBlock(from)
}

// permuting tells whether a permutation, or the padding before it, runs in cycle
// at. It does the work of that cycle, too: nothing may come in it any more.
func (d *datapath) permuting(at clock.Cycle) bool {
	d.advance(at + 1)
	return d.workFrom <= at && at < d.permTo
}

// available returns the first cycle after at in which an output word can be
// popped, none being there in cycle at, and whether it is a permutation, or the
// padding before it, that makes for the wait. LAST must have been written, and
// OUTLEN must cover the word.
func (d *datapath) available(at clock.Cycle) (pop clock.Cycle, permuting bool) {
	permuting = d.permuting(at)
	if d.out.Len() == 0 {
		// No more words can come, so all that is left of the message and then
		// the first word of the block are certain.
		if d.phase != squeezing {
			d.absorb(clock.Never)
		}
		d.move(clock.Never, true)
	}
	return d.out.Ready(), permuting
}

// pop takes the next output word in cycle at.
func (d *datapath) pop(at clock.Cycle) uint32 {
	d.advance(at)
	w := d.out.Pop(at)
	left := uint64(d.outlen) - wordBytes*d.popped
	if left < wordBytes {
		w &= 1<<(8*left) - 1
		d.cut = d.outlen
	}
	d.popped++
	d.stats.WordsOut++
	if d.runs(at) {
		d.stats.OverlapCycles++
	}
	d.report(Step{Kind: Popped, At: at, To: at + d.timing.answer})
	if d.inBlock == d.words {
		d.nextBlock(at + d.timing.resume)
	}
	return w
}

// doneNext returns the cycle from which on DONE will be set if nothing more is
// written, Never if it will not. The work of the cycle of the latest write must
// have been done, so that every word in the input FIFO can be absorbed.
func (d *datapath) doneNext() clock.Cycle {
	t := d.moveFrom
	switch {
	case d.outlen == 0 || d.phase == absorbing:
		return clock.Never
	case d.phase == draining:
		t = d.absorbFrom
		if n := d.in.Len(); n > 0 {
			t = max(t, d.in.Ready()) + clock.Cycle(n)*d.timing.absorb + clock.Cycle((d.position+n)/d.words)*d.sponge.cycles.block
		}
		t = max(t, d.lastFrom) + d.timing.pad + d.sponge.cycles.last
	case d.inBlock > 0 || wordBytes*d.moved >= uint64(d.outlen):
		return clock.Never
	}
	return t + d.timing.fifo.Visible
}

// clearDone clears DONE at the end of the cycle before from, unless a block set
// it at the same time.
func (d *datapath) clearDone(from clock.Cycle) {
	d.done = d.done && d.doneLatest >= from
}

// doneAt tells whether DONE is set in cycle at.
func (d *datapath) doneAt(at clock.Cycle) bool { return d.done && d.doneFrom <= at }
