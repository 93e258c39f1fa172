package accel

import (
	"encoding/binary"
	"testing"

	"socsim/bus"
	"socsim/clock"
	"socsim/rv32"
)

// Where things are in the tests' systems.
const (
	ramBase  = 0x8000_0000
	ramSize  = 1 << 16
	slowBase = 0x2000_0000 // a memory of ramSize bytes on the bus, a way round the data port of RAM
)

// Instructions (unprivileged manual, chapter 2; custom-0 as in the package comment).
func iType(imm int32, rs1, f3, rd, opcode uint32) uint32 {
	return uint32(imm)<<20 | rs1<<15 | f3<<12 | rd<<7 | opcode
}

func sType(imm int32, rs2, rs1, f3, opcode uint32) uint32 {
	u := uint32(imm)
	return u>>5<<25 | rs2<<20 | rs1<<15 | f3<<12 | u&31<<7 | opcode
}

func addi(rd, rs1 uint32, imm int32) uint32       { return iType(imm, rs1, 0, rd, 0x13) }
func andi(rd, rs1 uint32, imm int32) uint32       { return iType(imm, rs1, 7, rd, 0x13) }
func lw(rd uint32, imm int32, rs1 uint32) uint32  { return iType(imm, rs1, 2, rd, 0x03) }
func lhu(rd uint32, imm int32, rs1 uint32) uint32 { return iType(imm, rs1, 5, rd, 0x03) }
func sw(rs2 uint32, imm int32, rs1 uint32) uint32 { return sType(imm, rs2, rs1, 2, 0x23) }
func sb(rs2 uint32, imm int32, rs1 uint32) uint32 { return sType(imm, rs2, rs1, 0, 0x23) }
func ldfifoAt(imm int32, rs1 uint32) uint32       { return iType(imm, rs1, 2, 0, 0x0b) }
func stfifoAt(imm int32, rs1 uint32) uint32       { return sType(imm, 0, rs1, 6, 0x0b) }

// branch is beq (f3 0) or bne (1) by off bytes.
func branch(f3 uint32, off int32, rs1, rs2 uint32) uint32 {
	u := uint32(off)
	return u>>12&1<<31 | u>>5&63<<25 | rs2<<20 | rs1<<15 | f3<<12 | u>>1&15<<8 | u>>11&1<<7 | 0x63
}

// li loads a constant in two instructions.
func li(rd, v uint32) []uint32 {
	return []uint32{(v+0x800)&^0xfff | rd<<7 | 0x37, addi(rd, rd, int32(v<<20)>>20)}
}

const (
	nop    = 0x0000_0013
	ebreak = 0x0010_0073
	wfi    = 0x1050_0073
)

// system is a core with RAM and a unit in its windows. A program ends with ebreak.
type system struct {
	t     testing.TB
	hart  *rv32.Hart
	e     *Engine
	slow  []byte
	steps []Step
	// The outcomes of custom instructions that the unit held.
	held []held
}

// newSystem puts the unit and the slow memory behind hops, if they are named.
func newSystem(t testing.TB, c Config, hop, slowHop string, exact bool, program ...uint32) *system {
	t.Helper()
	return newTimedSystem(t, c, defaultTiming, hop, slowHop, exact, program...)
}

func newTimedSystem(t testing.TB, c Config, lat timing, hop, slowHop string, exact bool, program ...uint32) *system {
	t.Helper()
	s := &system{t: t, slow: make([]byte, ramSize)}
	events := clock.NewQueue()
	var err error
	if s.e, err = newEngine(c, events, lat); err != nil {
		t.Fatal(err)
	}
	path := func(name string) []*bus.Hop {
		if name == "" {
			return nil
		}
		h, err := bus.ParseHop(name)
		if err != nil {
			t.Fatal(err)
		}
		return []*bus.Hop{h}
	}
	way := path(hop)
	windows := []bus.Window{
		{Name: "hash", Base: Base, Size: Size, Path: way, Target: s.e},
		{Name: "slow", Base: slowBase, Size: ramSize, Path: path(slowHop), Target: slowMemory{s}},
	}
	config := rv32.Config{RAMBase: ramBase, RAMSize: ramSize, Events: events, ExactOnly: exact, Custom: s.e.Instructions(),
		Ebreak: func(h *rv32.Hart) bool { h.Halt(); return true }}
	for _, in := range config.Custom {
		execute := in.Custom.Execute
		in.Custom.Execute = func(x *rv32.State, d rv32.Decoded, at clock.Cycle) rv32.Outcome {
			out := execute(x, d, at)
			if out.Cause != bus.NotHeld {
				s.held = append(s.held, held{out.HeldFrom, out.HeldTo - 1, out.Cause})
			}
			return out
		}
	}
	if d := s.e.DMA(); d != nil {
		windows = append(windows, bus.Window{Name: "dma", Base: DMABase, Size: Size, Path: way, Target: d})
		d.Master(hartMemory{s})
		config.Grant = d.Grant
	}
	m, err := bus.NewMap(windows, nil)
	if err != nil {
		t.Fatal(err)
	}
	config.Port = m.Initiator("core")
	if s.hart, err = rv32.New(config); err != nil {
		t.Fatal(err)
	}
	s.e.Connect(s.hart.Line(Line))
	if d := s.e.DMA(); d != nil {
		d.Connect(s.hart.Line(DMALine))
	}
	s.e.Observe(func(step Step) { s.steps = append(s.steps, step) })
	s.load(ramBase, program...)
	return s
}

// load puts words into RAM.
func (s *system) load(addr uint32, words ...uint32) {
	for i, w := range words {
		binary.LittleEndian.PutUint32(s.hart.RAM()[int(addr-ramBase)+4*i:], w)
	}
	s.hart.Wrote(addr, uint32(4*len(words)))
}

// word returns a word of RAM.
func (s *system) word(addr uint32) uint32 {
	return binary.LittleEndian.Uint32(s.hart.RAM()[addr-ramBase:])
}

// run runs the program to its end.
func (s *system) run() {
	s.t.Helper()
	stop := s.hart.Run(rv32.Limits{Cycles: 1_000_000})
	if stop.Reason != rv32.StopHalted {
		s.t.Fatalf("stopped for reason %d at %#x: %v", stop.Reason, stop.PC, stop.Fault)
	}
}

// hartMemory is the RAM of a system as a DMA engine sees it.
type hartMemory struct{ *system }

func (m hartMemory) Holds(addr, n uint32) bool {
	off := addr - ramBase
	return off < ramSize && n <= ramSize-off
}
func (m hartMemory) Load(addr uint32) uint32 { return m.word(addr) }
func (m hartMemory) Store(addr, word uint32, n int) {
	for i := range n {
		m.hart.RAM()[int(addr-ramBase)+i] = byte(word >> (8 * i))
	}
	m.hart.Wrote(addr, uint32(n))
}

// slowMemory is a memory on the bus.
type slowMemory struct{ *system }

func (m slowMemory) Access(r bus.Request) bus.Response {
	a := bus.Response{Grant: r.At, Valid: r.At + 1}
	for i := range uint32(r.Bytes) {
		if r.Write {
			m.slow[r.Addr+i] = byte(r.Data >> (8 * i))
		} else {
			a.Data |= uint32(m.slow[r.Addr+i]) << (8 * i)
		}
	}
	return a
}
