package semihost

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
)

// stopped is the reason code of a program that ended by itself,
// ADP_Stopped_ApplicationExit.
const stopped = 0x20026

func (c *call) writeC() Outcome {
	b, fault := c.bytes(c.arg, 1, "character")
	if fault != nil {
		return Outcome{Fault: fault}
	}
	c.cfg.Stdout.Write(b) // a broken console is not the guest's business
	return Outcome{}
}

func (c *call) write0() Outcome {
	for addr := c.arg; ; {
		// As far as RAM goes; a page at a time, for the end is not known.
		n := uint32(4096)
		b, ok := c.mem.Slice(addr, n)
		for !ok && n > 1 {
			n /= 2
			b, ok = c.mem.Slice(addr, n)
		}
		if !ok {
			return Outcome{Fault: c.fault(fmt.Sprintf("string at 0x%08x leaves RAM at 0x%08x without a final NUL", c.arg, addr), "the pointer in a1 is wrong")}
		}
		if end := bytes.IndexByte(b, 0); end >= 0 {
			c.cfg.Stdout.Write(b[:end])
			return Outcome{}
		}
		c.cfg.Stdout.Write(b)
		addr += n
	}
}

// readC gives the next input byte, or -1 at its end.
func (c *call) readC() Outcome {
	if c.stdin == nil {
		return Outcome{Return: failed}
	}
	b, err := c.stdin.ReadByte()
	if err != nil {
		return Outcome{Return: failed}
	}
	return Outcome{Return: uint32(b)}
}

func (c *call) isError() Outcome {
	if int32(c.p[0]) < 0 {
		return Outcome{Return: 1}
	}
	return Outcome{}
}

func (c *call) lastError() Outcome { return Outcome{Return: c.errno} }

// scaled returns cycles * unit / ClockHz without overflow.
func (c *call) scaled(unit uint64) uint32 {
	hi, lo := bits.Mul64(c.cfg.Cycles(), unit)
	q, _ := bits.Div64(hi%c.cfg.ClockHz, lo, c.cfg.ClockHz)
	return uint32(q)
}

// clock gives hundredths of a second since reset.
func (c *call) clock() Outcome { return Outcome{Return: c.scaled(100)} }

// time gives seconds; the epoch is the reset.
func (c *call) time() Outcome { return Outcome{Return: c.scaled(1)} }

// elapsed stores the 64-bit tick count; a tick is a cycle.
func (c *call) elapsed() Outcome {
	b, fault := c.bytes(c.arg, 8, "tick count")
	if fault != nil {
		return Outcome{Fault: fault}
	}
	binary.LittleEndian.PutUint64(b, c.cfg.Cycles())
	c.mem.Wrote(c.arg, 8)
	return Outcome{}
}

func (c *call) tickFrequency() Outcome { return Outcome{Return: uint32(min(c.cfg.ClockHz, 1<<31-1))} }

// commandLine stores the arguments as one line. A program may try again with
// a larger buffer; if it never does, it lost its arguments and the user hears
// of it.
func (c *call) commandLine() Outcome {
	line, err := CommandLine(c.cfg.Args)
	if err != nil {
		return Outcome{Fault: c.fault(err.Error(), "change the arguments behind --")}
	}
	addr, size := c.p[0], c.p[1]
	if uint64(len(line))+1 > uint64(size) {
		if !c.told { // once it has them, a small buffer loses nothing
			c.lost = fmt.Sprintf("the guest got no arguments: they take %d bytes, it has room for %d", len(line)+1, size)
		}
		return Outcome{Return: failed}
	}
	b, fault := c.bytes(addr, size, "buffer")
	if fault != nil {
		return Outcome{Fault: fault}
	}
	c.lost, c.told = "", true
	copy(b, line+"\x00")
	c.mem.Wrote(addr, uint32(len(line))+1)
	block, _ := c.mem.Slice(c.arg+4, 4)
	binary.LittleEndian.PutUint32(block, uint32(len(line)))
	c.mem.Wrote(c.arg+4, 4)
	return Outcome{}
}

// CommandLine joins arguments to the line a guest's start-up code splits
// again. An argument with white space, or an empty one, goes in quotes, of the
// kind it does not contain; whether they are understood is up to that code
// (newer picolibc does, older ones split at every space). Others go as they are.
func CommandLine(args []string) (string, error) {
	words := make([]string, len(args))
	for i, a := range args {
		single, double := strings.Contains(a, "'"), strings.Contains(a, `"`)
		switch {
		case strings.ContainsRune(a, 0):
			return "", fmt.Errorf("argument %d contains a NUL", i)
		case a != "" && !strings.ContainsAny(a, " \t\n\r\v\f"):
			words[i] = a
		case single && double:
			return "", fmt.Errorf("argument %d (%s) contains white space and both kinds of quotes, which a command line cannot carry", i, a)
		case double:
			words[i] = "'" + a + "'"
		default:
			words[i] = `"` + a + `"`
		}
	}
	return strings.Join(words, " "), nil
}

// heapInfo stores heap base and limit, stack base and limit: all RAM behind
// the program, with the stack growing down towards the heap.
func (c *call) heapInfo() Outcome {
	b, fault := c.bytes(c.p[0], 16, "answer block")
	if fault != nil {
		return Outcome{Fault: fault}
	}
	for i, v := range []uint32{c.cfg.HeapBase, c.cfg.HeapLimit, c.cfg.HeapLimit, c.cfg.HeapBase} {
		binary.LittleEndian.PutUint32(b[4*i:], v)
	}
	c.mem.Wrote(c.p[0], 16)
	return Outcome{}
}

// exit: on 32-bit harts the parameter is the reason itself and there is no
// exit code.
func (c *call) exit() Outcome {
	if c.arg == stopped {
		return Outcome{Exit: true}
	}
	return Outcome{Exit: true, Code: 1}
}

func (c *call) exitExtended() Outcome {
	if c.p[0] == stopped {
		return Outcome{Exit: true, Code: int(int32(c.p[1]))}
	}
	return Outcome{Exit: true, Code: 1}
}
