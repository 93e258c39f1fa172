package accel

import (
	"math/bits"

	"socsim/bus"
	"socsim/clock"
)

// ticking is the FIFO engine once more, as naive as can be: every cycle is
// worked through, all parts look at the state at the start of the cycle, and
// register writes act at its end. It follows the package comment and shares
// nothing with the engine but the XOF values and the names of statistics.
type ticking struct {
	config Config
	cycle  clock.Cycle

	mode, outlen      uint32
	next              uint32 // MODE
	in, out           []uint32
	state             State
	phase             phase
	tail              uint32
	tailBytes         int
	position, inBlock int
	moved, popped     int
	cut               uint32
	left              clock.Cycle // cycles of the running permutation still to come
	done, enable      bool

	beside neighbour // nil: there is none

	waiting []waitingLoad
	answers []bus.Response // by request
	level   []edge
	stats   Statistics
}

// neighbour moves words besides the register port.
type neighbour interface {
	// tick does its part of a cycle: the input FIFO can take room words in the next
	// one, if none comes in this one; with ready a word can be popped. At the end of
	// the cycle, begins says whether it opens a message, and OUTLEN if not nil is set.
	tick(now clock.Cycle, room int, ready bool, push func(uint32), pop func() uint32, last func(uint32)) (begins bool, wants *uint32)
}

// waitingLoad is a load from DOUT that was granted and not answered.
type waitingLoad struct {
	request int
	cause   bus.Cause
}

// edge is a change of the interrupt line.
type edge struct {
	High bool
	From clock.Cycle
}

func newTicking(c Config) *ticking {
	t := &ticking{config: c.WithDefaults(), next: c.XOF.Reset}
	t.init()
	return t
}

func (t *ticking) init() {
	t.mode = t.next
	t.state = State{}
	copy(t.state[:], t.sponge().Start)
	t.in, t.out = nil, nil
	t.phase, t.position, t.inBlock, t.moved, t.popped, t.cut = absorbing, 0, 0, 0, 0, 0
	t.left, t.done = 0, false
}

func (t *ticking) sponge() *Mode { return &t.config.XOF.Modes[t.mode] }

// run works through the cycles before end, issuing each request in its cycle.
func (t *ticking) run(requests []bus.Request, end clock.Cycle) {
	t.answers = make([]bus.Response, len(requests))
	n := 0
	for ; t.cycle < end; t.cycle++ {
		if n < len(requests) && requests[n].At <= t.cycle {
			if t.tick(n, &requests[n]) {
				n++
			}
			continue
		}
		t.tick(n, nil)
	}
}

// tick works through one cycle and tells whether the request was granted.
func (t *ticking) tick(n int, r *bus.Request) (granted bool) {
	now := t.cycle
	inLen, outLen, phaseNow, outlen := len(t.in), len(t.out), t.phase, t.outlen
	busy := t.left > 0
	padNow := !busy && phaseNow == draining && inLen == 0
	absorbs := !busy && inLen > 0
	var clearDone, setDone, init bool
	words := t.sponge().Rate / 4

	// Words in and out.
	var writes []func()
	push := func(w uint32) {
		writes = append(writes, func() { t.in = append(t.in, w) })
		t.stats.WordsIn++
		t.stats.FIFOPushes++
		t.stats.InputHighWater = max(t.stats.InputHighWater, inLen+1)
		if busy {
			t.stats.OverlapCycles++
		}
	}
	pop := func() uint32 {
		w := t.out[0]
		t.out = t.out[1:]
		if have := int(outlen) - 4*t.popped; have < 4 {
			w &= 1<<(8*have) - 1
			t.cut = outlen
		}
		t.popped++
		t.stats.WordsOut++
		t.stats.FIFOPops++
		if busy {
			t.stats.OverlapCycles++
		}
		return w
	}
	last := func(v uint32) {
		writes = append(writes, func() {
			t.phase, t.tailBytes = draining, int(v>>24)
			t.tail = v & (1<<(8*t.tailBytes) - 1)
		})
		t.stats.Messages++
	}

	// The port.
	behind := len(t.waiting) > 0
	if r != nil && (t.allowed(*r) != "") {
		t.answers[n] = bus.Response{Fault: &bus.Fault{What: t.allowed(*r)}}
		granted = true
	} else if r != nil {
		a := &t.answers[n]
		switch {
		case r.Addr == 0x24: // DOUT
			granted = true
			a.Grant = now
			if !behind && outLen > 0 {
				a.Data, a.Valid = pop(), now+1
			} else {
				t.waiting = append(t.waiting, waitingLoad{n, bus.OutputEmpty})
			}
		case behind: // not its turn
		case r.Addr == 0x20: // DIN
			if inLen < t.config.InputDepth {
				granted = true
				push(r.Data)
			}
		case r.Write:
			granted = true
			d := r.Data
			switch r.Addr {
			case 0x00:
				init = d&1 != 0
			case 0x04:
				writes = append(writes, func() { t.next = d })
			case 0x08:
				writes = append(writes, func() { t.outlen = d })
			case 0x0c:
				last(d)
			case 0x14:
				clearDone = d&1 != 0
			case 0x18:
				writes = append(writes, func() { t.enable = d&1 != 0 })
			}
		default:
			granted = true
			a.Data = t.load(r.Addr, busy)
			if r.Addr == 0x10 && (busy || padNow) {
				a.Role = bus.RoleBusy
			}
		}
		if granted && r.Addr != 0x24 {
			a.Grant, a.Valid = now, now+1
			if now > r.At {
				a.HeldFrom, a.HeldTo, a.Cause = r.At, now, bus.InputFull
				if len(t.answers) > 0 && r.Addr != 0x20 {
					a.Cause = t.lastCause(n)
				}
			}
		}
	}
	for i := range t.waiting {
		if busy || padNow {
			t.waiting[i].cause = bus.Permuting
		}
	}
	if behind && outLen > 0 {
		w := t.waiting[0]
		t.waiting = t.waiting[1:]
		a := &t.answers[w.request]
		a.Data, a.Valid = pop(), now+1
		a.HeldFrom, a.HeldTo, a.Cause = a.Grant+1, a.Valid, w.cause
	}

	// What passes beside the port.
	var wants *uint32
	if t.beside != nil {
		room := t.config.InputDepth - inLen
		if absorbs {
			room++
		}
		var begins bool
		begins, wants = t.beside.tick(now, room, outLen > 0 && !behind, push, pop, last)
		init = init || begins
	}

	// Absorbing and padding.
	switch {
	case busy:
		t.left--
		t.stats.BusyCycles++
	case absorbs:
		t.xor(4*t.position, t.in[0], 4)
		t.in = t.in[1:]
		t.stats.FIFOPops++
		if t.position++; t.position == words {
			t.position = 0
			t.permute(t.sponge().Rounds.Block)
		}
	case padNow:
		t.xor(4*t.position, t.tail, t.tailBytes)
		t.xor(4*t.position+t.tailBytes, uint32(t.sponge().Suffix), 1)
		t.xor(t.sponge().Rate-1, uint32(t.sponge().Final), 1)
		t.permute(t.sponge().Rounds.Last)
		t.phase = squeezing
		t.stats.PaddingCycles++
	}

	// Moving.
	if phaseNow == squeezing && !busy && t.inBlock < words && 4*t.moved < int(outlen) && outLen < t.config.OutputDepth {
		t.out = append(t.out, t.wordAt(t.inBlock))
		t.stats.FIFOPushes++
		t.stats.OutputHighWater = max(t.stats.OutputHighWater, outLen+1)
		setDone = t.inBlock == 0
		t.inBlock++
		t.moved++
	}

	// The end of the cycle.
	for _, write := range writes {
		write()
	}
	if wants != nil && !init {
		t.outlen = *wants
	}
	if t.phase == squeezing && t.left == 0 && t.inBlock == words && len(t.out) == 0 && 4*t.moved < int(t.outlen) {
		t.permute(t.sponge().Rounds.Squeeze)
		t.inBlock = 0
	}
	t.done = t.done && !clearDone || setDone
	if init {
		if t.left > 0 {
			t.stats.Abandoned++
		}
		t.init()
		if wants != nil {
			t.outlen = *wants
		}
	}
	if high := t.enable && t.done; high != (len(t.level) > 0 && t.level[len(t.level)-1].High) {
		t.level = append(t.level, edge{high, now + 1})
	}
	return granted
}

// lastCause is why the load before request n waited.
func (t *ticking) lastCause(n int) bus.Cause {
	for n--; n >= 0; n-- {
		if c := t.answers[n].Cause; c == bus.Permuting || c == bus.OutputEmpty {
			return c
		}
	}
	return bus.NotHeld
}

// allowed returns what is wrong with a request, if anything.
func (t *ticking) allowed(r bus.Request) string {
	switch {
	case r.Addr == 0x24 && t.phase == absorbing:
		return "DOUT before LAST"
	case r.Addr == 0x24 && 4*(t.popped+len(t.waiting)) >= int(t.outlen):
		return "DOUT beyond OUTLEN"
	case (r.Addr == 0x20 || r.Addr == 0x0c) && t.phase != absorbing:
		return "DIN or LAST after LAST"
	case r.Addr == 0x0c && r.Data>>24 > 3:
		return "tail too long"
	case r.Addr == 0x04 && r.Write && r.Data >= uint32(len(t.config.XOF.Modes)):
		return "no such mode"
	case r.Addr == 0x08 && r.Write && len(t.waiting) == 0 && t.cut != 0 && r.Data > t.cut:
		return "raised over bytes read as zero"
	}
	return ""
}

// load returns a register that does not move words.
func (t *ticking) load(offset uint32, busy bool) uint32 {
	flag := func(b bool, n int) uint32 {
		if b {
			return 1 << n
		}
		return 0
	}
	switch offset {
	case 0x04:
		return t.next
	case 0x08:
		return t.outlen
	case 0x10:
		return flag(busy, 0) | flag(t.phase == absorbing, 1) | flag(t.phase != absorbing, 2) |
			flag(len(t.in) == 0, 3) | flag(len(t.in) == t.config.InputDepth, 4) |
			flag(len(t.out) > 0 && 4*t.popped < int(t.outlen), 5) |
			uint32(min(255, len(t.in)))<<8 | uint32(min(255, len(t.out)))<<16
	case 0x14:
		return flag(t.done, 0)
	case 0x18:
		return flag(t.enable, 0)
	case 0x1c:
		return uint32(t.config.XOF.Number) | uint32(t.config.Coupling)<<8 | uint32(t.config.InputDepth)<<16
	}
	return 0xdeadbeef
}

func (t *ticking) permute(rounds int) {
	t.config.XOF.Permute(&t.state, rounds)
	r := t.config.CyclesPerRound
	cycles := uint32(rounds) * r.Num / r.Den
	if uint32(rounds)*r.Num%r.Den != 0 {
		cycles++
	}
	t.left = clock.Cycle(cycles) + t.config.Startup
	t.stats.Permutations++
	t.stats.Rounds += uint64(rounds)
}

// xor XORs n bytes into the state, at byte offset at of the message block.
func (t *ticking) xor(at int, w uint32, n int) {
	for i := range n {
		lane, byteInLane := (at+i)/8, (at+i)%8
		if t.config.XOF.BigEndian {
			byteInLane = 7 - byteInLane
		}
		t.state[lane] ^= uint64(w>>(8*i)&0xff) << (8 * byteInLane)
	}
}

func (t *ticking) wordAt(n int) uint32 {
	lane := t.state[n/2]
	if t.config.XOF.BigEndian {
		lane = bits.ReverseBytes64(lane)
	}
	return uint32(lane >> (32 * (n % 2)))
}
