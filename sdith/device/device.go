package device

import (
	"encoding/binary"
	"fmt"

	"socsim/accel"
	"socsim/bus"
	"socsim/clock"
	"socsim/sdith/pipeline"
)

// Timing of the register port, in cycles: assumed, the plainest registered design, as
// of the hash units.
const (
	answer = 1 // from the grant of an access to its answer
	acts   = 1 // from the grant of a store to the first cycle that sees what it did
)

// Device is the coprocessor: a bus target. The package comment has its semantics. New
// is the only way to make one.
type Device struct {
	config  Config
	machine *pipeline.Machine // made at the first START

	turn clock.Cycle // the first cycle in which the register port can grant again

	length                uint32
	key, entropy, message memory
	job                   job

	// The interrupt: its line and what drives it.
	line    bus.Line     // nil: connected to nothing
	event   *clock.Event // of the line's rise; nil: nobody listens
	enable  bool
	done    bool // DONE of IRQ
	pending bool // the latest job has yet to set it
	high    bool // level of the line

	stats   Statistics // of the jobs before the latest
	notes   []string
	observe func(Job)
}

// memory is a window that is written: whole words, of which the first bytes are used.
type memory struct {
	data    []byte
	size    int // bytes used
	written []bool
	left    int // words not written yet
}

func newMemory(size int) memory {
	n := int(words(size))
	return memory{data: make([]byte, wordBytes*n), size: size, written: make([]bool, n), left: n}
}

func (m *memory) write(word int, v uint32) {
	binary.LittleEndian.PutUint32(m.data[wordBytes*word:], v)
	if !m.written[word] {
		m.written[word] = true
		m.left--
	}
}

// forget marks all words as not written.
func (m *memory) forget() { clear(m.written); m.left = len(m.written) }

func (m *memory) bytes() []byte { return m.data[:m.size] }

// New returns the coprocessor that c describes, as it is out of reset. It announces its
// interrupt in events, which may be nil where nobody waits for it.
func New(c Config, events *clock.Queue) (*Device, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	d := &Device{config: c.WithDefaults()}
	d.stats.Phases = newPhases()
	d.clear()
	if events != nil {
		d.event = events.Source(d.catchUp)
	}
	return d, nil
}

// clear empties all memories.
func (d *Device) clear() {
	set := d.config.Pipeline.Set
	d.length = 0
	d.key, d.entropy, d.message = newMemory(set.SecretKeySize()), newMemory(2*set.SeedSize()), newMemory(pipeline.MaxMessage)
}

// Config returns what was built, defaults written out.
func (d *Device) Config() Config { return d.config }

// Connect gives the device its interrupt line.
func (d *Device) Connect(line bus.Line) { d.line = line }

// Observe lets f see every START as it is granted.
func (d *Device) Observe(f func(Job)) { d.observe = f }

// Access implements bus.Target.
func (d *Device) Access(r bus.Request) (a bus.Response) {
	register := table.Find(r)
	if register == nil || r.Write && register.Access == accel.ReadOnly || !r.Write && register.Access == accel.WriteOnly {
		return table.Refuse(r)
	}
	g := max(r.At, d.turn)
	word := int(r.Addr-register.Offset) / wordBytes
	if what, hint := d.misuse(register, word, r, g); what != "" {
		return accel.Fault(g, what, hint)
	}
	d.catchUp(g)
	a = bus.Response{Grant: g, Valid: g + answer, Role: register.Role}
	d.turn = g + 1
	if r.Write {
		d.write(register, word, r.Data, g+acts)
		return a
	}
	a.Data = d.read(register, word, g)
	if register.Offset == offStatus && d.job.busy(g) {
		a.Role = bus.RoleBusy
	}
	return a
}

// window returns the memory that is written at a register; nil if it is none.
func (d *Device) window(register *accel.Register) *memory {
	switch register.Offset {
	case offKeyWindow:
		return &d.key
	case offEntropyWindow:
		return &d.entropy
	case offMessageWindow:
		return &d.message
	}
	return nil
}

// misuse tells what is wrong with an access in cycle g, and the remedy.
func (d *Device) misuse(register *accel.Register, word int, r bus.Request, g clock.Cycle) (what, hint string) {
	const wait = "wait until STATUS.BUSY is 0, or for the interrupt"
	busy := d.job.busy(g)
	m := d.window(register)
	switch {
	case m != nil && word >= len(m.written):
		return beyond(register, word, m.size, "store", d.config.Name())
	case m != nil && busy:
		return register.Name + " written while a signature is being made", wait
	case register.Offset == offLength && r.Write && busy:
		return "LENGTH written while a signature is being made", wait
	case register.Offset == offControl && r.Data&controlStart != 0:
		switch {
		case r.Data&controlReset != 0:
			return "CTRL written with START and RESET", "write RESET, then key, message and entropy, then START"
		case busy:
			return "START written to CTRL while a signature is being made", wait + ", or write RESET"
		}
	case register.Offset == offSignatureWindow:
		switch size := d.config.Pipeline.Set.SignatureSize(); {
		case word >= int(words(size)):
			return beyond(register, word, size, "load", d.config.Name())
		case busy:
			return "SIGNATURE read while a signature is being made", wait
		case d.job.status(g)&statusDone == 0:
			return "SIGNATURE read, but there is none", "write START to CTRL, and read STATUS: only with DONE there is a signature"
		}
	}
	return "", ""
}

// beyond says that a window ends before a word in this configuration.
func beyond(register *accel.Register, word, size int, access, config string) (what, hint string) {
	return fmt.Sprintf("%s of word %d of %s, which has %d bytes in configuration %s", access, word, register.Name, size, config),
		fmt.Sprintf("use offsets 0x%x to 0x%x; sizes are in KEY_BYTES, ENTROPY_BYTES, MESSAGE_MAX and SIGNATURE_BYTES",
			register.Offset, register.Offset+words(size)*wordBytes-1)
}

// read returns a word in cycle g.
func (d *Device) read(register *accel.Register, word int, g clock.Cycle) (v uint32) {
	set := d.config.Pipeline.Set
	switch register.Offset {
	case offLength:
		v = d.length
	case offStatus:
		v = d.job.status(g)
	case offIRQ:
		v = bit(d.done)
	case offIRQEnable:
		v = bit(d.enable)
	case offID:
		v = idValue
	case offConfig:
		v = d.config.register()
	case offKeySize:
		v = uint32(set.SecretKeySize())
	case offEntropy:
		v = uint32(2 * set.SeedSize())
	case offMessage:
		v = pipeline.MaxMessage
	case offSignature:
		v = uint32(set.SignatureSize())
	case offAttempts:
		if d.job.status(g)&statusDone != 0 {
			v = uint32(d.job.attempts) // a counter of 32 bits gives no more
		}
	case offTotal:
		v = half(d.job.elapsed(g), word)
	case offPhases:
		v = half(d.job.phase(word/2, g), word%2)
	case offSignatureWindow:
		for i, b := range d.job.signature[wordBytes*word : min(wordBytes*(word+1), len(d.job.signature))] {
			v |= uint32(b) << (8 * i)
		}
		d.stats.WordsOut++
	}
	return v
}

func bit(set bool) uint32 {
	if set {
		return irqDone
	}
	return 0
}

// half returns the low word of a counter, or the high one.
func half(n clock.Cycle, word int) uint32 { return uint32(n >> (32 * word)) }

// write is a store that acts from cycle from on.
func (d *Device) write(register *accel.Register, word int, v uint32, from clock.Cycle) {
	switch register.Offset {
	case offControl:
		switch {
		case v&controlReset != 0:
			d.reset(from)
		case v&controlStart != 0:
			d.start(from)
		}
	case offLength:
		d.length = v
	case offIRQ:
		if v&irqDone != 0 {
			d.done = false // a job that ends at the end of this cycle sets it again
		}
	case offIRQEnable:
		d.enable = v&irqDone != 0
	default:
		d.window(register).write(word, v)
		d.stats.WordsIn++
	}
	d.settle(from)
	d.drive(d.enable && d.done, from)
	due := clock.Never
	if d.enable && d.pending {
		due = d.job.end
	}
	if d.event != nil && d.event.Due() != due {
		d.event.At(due)
	}
}

// catchUp does what the latest job does at its end, if that is not after cycle at.
func (d *Device) catchUp(at clock.Cycle) {
	if !d.settle(at) {
		return
	}
	if d.event != nil {
		d.event.At(clock.Never)
	}
	d.drive(d.enable, d.job.end)
}

// settle sets DONE of IRQ if a job that has yet to do so has ended by cycle at.
func (d *Device) settle(at clock.Cycle) bool {
	if !d.pending || d.job.end > at {
		return false
	}
	d.pending, d.done = false, true
	return true
}

// drive gives the line a level from a cycle on.
func (d *Device) drive(high bool, from clock.Cycle) {
	if high == d.high {
		return
	}
	d.high = high
	if d.line != nil {
		d.line(high, from)
	}
}
