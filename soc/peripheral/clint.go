package peripheral

import (
	"socsim/bus"
	"socsim/clock"
)

// Offsets of the CLINT, as SiFive's and QEMU's virt machine have them.
const (
	clintMSIP      = 0x0
	clintCompare   = 0x4000
	clintCompareHi = 0x4004
	clintTime      = 0xbff8
	clintTimeHi    = 0xbffc
)

// CLINTRegisters is the register table of the timer.
var CLINTRegisters = []Register{
	{"MSIP", clintMSIP, 4, "RW", 0, "bit 0 drives the software interrupt, line 3"},
	{"MTIMECMP", clintCompare, 4, "RW", 0xffff_ffff, "low word: line 7 is high while MTIME >= MTIMECMP, both 64 bits"},
	{"MTIMECMPH", clintCompareHi, 4, "RW", 0xffff_ffff, "high word"},
	{"MTIME", clintTime, 4, "RW", 0, "cycles since reset, asleep or not, low word: the grant cycle of the read"},
	{"MTIMEH", clintTimeHi, 4, "RW", 0, "high word"},
}

// CLINT is the core-local interruptor: software interrupt and timer.
//
// In cycle c mtime is c, plus what writes to it made of it. A read returns
// the value of its grant cycle; a write granted in cycle g makes mtime the
// written value in g+1. The halves of a 64-bit register are written one by
// one, and every state between counts. MTIMECMP starts at its largest value,
// so that no interrupt comes unasked.
type CLINT struct {
	software, timer bus.Line
	change          *clock.Event // the cycle in which the timer line changes by itself

	msip    uint32
	offset  uint64 // mtime = cycle + offset
	compare uint64
	high    bool // level of the timer line as last announced
}

// NewCLINT returns a timer after reset that drives the two lines and
// announces its next event in q.
func NewCLINT(q *clock.Queue, software, timer bus.Line) *CLINT {
	c := &CLINT{software: software, timer: timer, compare: ^uint64(0)}
	c.change = q.Source(func(at clock.Cycle) { c.level(at) })
	return c
}

// Access performs a load or store; see bus.Target.
func (c *CLINT) Access(r bus.Request) bus.Response {
	reg, fault := register(CLINTRegisters, "the CLINT", r)
	if fault != nil {
		return refuse(r, fault.What, fault.Hint)
	}
	if due := c.change.Due(); due <= r.At {
		c.change.At(clock.Never)
		c.level(due)
	}
	now := uint64(r.At) + c.offset
	if !r.Write {
		return answer(r, c.read(reg.Offset, now))
	}
	next := r.At + 1
	switch v := uint64(r.Data); reg.Offset {
	case clintMSIP:
		c.msip = r.Data & 1
		c.software(c.msip != 0, next)
		return answer(r, 0)
	case clintCompare:
		c.compare = c.compare&^0xffff_ffff | v
	case clintCompareHi:
		c.compare = c.compare&0xffff_ffff | v<<32
	case clintTime:
		c.offset = ((now+1)&^0xffff_ffff | v) - uint64(next)
	case clintTimeHi:
		c.offset = ((now+1)&0xffff_ffff | v<<32) - uint64(next)
	}
	c.level(next)
	return answer(r, 0)
}

func (c *CLINT) read(offset uint32, now uint64) uint32 {
	switch offset {
	case clintMSIP:
		return c.msip
	case clintCompare:
		return uint32(c.compare)
	case clintCompareHi:
		return uint32(c.compare >> 32)
	case clintTime:
		return uint32(now)
	default:
		return uint32(now >> 32)
	}
}

// level brings the timer line to what it is from cycle t on, and announces
// when it changes by itself: mtime reaches the compare value, or wraps to 0.
func (c *CLINT) level(t clock.Cycle) {
	mtime := uint64(t) + c.offset
	if high := mtime >= c.compare; high != c.high {
		c.high = high
		c.timer(high, t)
	}
	left := c.compare - mtime
	if c.high {
		left = -mtime
	}
	c.change.At(clock.Never)
	if left > 0 && left < uint64(clock.Never-t) {
		c.change.At(t + clock.Cycle(left))
	}
}
