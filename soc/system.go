// Package soc builds a system from a platform description, loads a program
// into it, runs it, and says what happened: where every cycle went, what the
// accelerator did, why the run ended.
//
// New and Run are all there is to it:
//
//	s, err := soc.New(soc.Options{Name: "a.elf", ELF: file, Accel: "shake-fifo"})
//	...
//	result, err := s.Run(ctx)
//
// The packages below it know less: soc/elf the program's file, soc/platform
// the description, soc/semihost the host side of semihosting, soc/peripheral
// the small devices. What is left here is how they fit together (system.go),
// what ends a run (run.go, exit.go, host.go), and what is counted (ledger.go, events.go,
// regions.go, result.go).
//
// The model never reads the host's clock or environment: same options, same
// result, but for Result.Host and the exit reason "timeout".
//
// Left out: more than one core, and anything that would change the course of a
// run from outside (a debugger).
package soc

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"socsim/accel"
	"socsim/bus"
	"socsim/clock"
	"socsim/internal/nearest"
	"socsim/rv32"
	"socsim/rv32/translate"
	"socsim/sdith/device"
	"socsim/soc/elf"
	"socsim/soc/platform"
	"socsim/soc/semihost"
)

// System is a platform with a program loaded. It runs once.
type System struct {
	opt      Options
	platform *platform.Platform
	accel    accel.Config
	hash     *accel.XOF
	file     *elf.File
	devices  []window
	space    *bus.Map
	port     *bus.Initiator // the core's
	hart     *rv32.Hart
	fast     *translate.Engine // nil: only the interpreter
	engine   accel.Unit        // nil without an accelerator
	sdith    *device.Device    // nil without a coprocessor
	host     *semihost.Host
	regions  *regions
	log      *commitLog // nil without a commit log

	resetMtvec  uint32
	tohost      uint32        // address, if the program has it
	tohostBytes uint32        // 4 or 8
	exit        *Exit         // set by what ends the run from inside an instruction
	cut         error         // why standard input gave up
	checked     time.Duration // the host's time for Options.Verify during the run
}

// New builds the system and loads the program. Every mistake in the options is
// one line that names the file, the key or the symbol.
func New(o Options) (*System, error) {
	s := &System{opt: o}
	if s.opt.Console == nil {
		s.opt.Console = io.Discard
	}
	if s.opt.Name == "" {
		s.opt.Name = "program"
	}
	s.opt.Limits = o.Limits.withDefaults()
	s.opt.Dumps = slices.Clone(o.Dumps)
	var err error
	if s.file, err = elf.Parse(s.opt.Name, o.ELF); err != nil {
		return nil, err
	}
	if err := s.choose(); err != nil {
		return nil, err
	}
	for _, step := range []func() error{s.checkDumps, s.build, s.load, s.serve} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Observer is told what happens in a run; it changes no cycle. Any of its
// functions may be nil.
type Observer struct {
	Access      func(bus.Request, bus.Response) // every answered access of the core outside RAM, as the core sees it
	Step        func(accel.Step)                // every step of the accelerator
	Job         func(device.Job)                // every start of the SDitH coprocessor
	Instruction func(Instruction)               // every retired instruction; the run is slower
}

// Instruction is a retired instruction.
type Instruction struct {
	rv32.Retired
	Row  string // of the ledger; cycles that a device withheld are in that cause's row
	hart *rv32.Hart
}

// Text returns the instruction disassembled.
func (i Instruction) Text() string { return i.hart.Disassemble(i.PC, i.Word) }

// Observe lets o see the run. Call it before Run.
func (s *System) Observe(o Observer) {
	s.port.Observe(o.Access)
	if s.engine != nil && o.Step != nil {
		s.engine.Observe(o.Step)
	}
	if s.sdith != nil && o.Job != nil {
		s.sdith.Observe(o.Job)
	}
	if o.Instruction != nil {
		s.hart.Observe(func(h *rv32.Hart, r rv32.Retired) {
			o.Instruction(Instruction{r, rowTexts[r.Class].Name, h})
		})
	}
}

// choose settles platform, accelerator and hash from options and description.
func (s *System) choose() (err error) {
	p := s.opt.Platform
	if p == nil {
		if p, err = platform.Load("default"); err != nil {
			return err
		}
	}
	p = p.Clone()
	s.platform = p
	if s.opt.Accel != "" {
		c, err := accel.Parse(s.opt.Accel)
		if err != nil {
			return err
		}
		p.Accel.Coupling = c.Coupling.String()
		if c.XOF != nil {
			p.Accel.XOF = c.XOF.Name
		}
	}
	if s.opt.Hash != "" {
		if p.Accel.Coupling != accel.None.String() {
			return fmt.Errorf("hash %s beside accelerator %s-%s: the accelerator decides the hash", s.opt.Hash, p.Accel.XOF, p.Accel.Coupling)
		}
		p.Accel.XOF = s.opt.Hash
	}
	if s.opt.SDitH != "" {
		p.SDitH.Config = s.opt.SDitH
	}
	if s.opt.Unit != nil {
		switch {
		case s.opt.Accel != "" || s.opt.Hash != "":
			return fmt.Errorf("a Unit beside Accel %q and Hash %q: the Unit says what is attached", s.opt.Accel, s.opt.Hash)
		case s.opt.Unit.Coupling == accel.None:
			return fmt.Errorf("a Unit without a coupling: say which, as in accel.Config{XOF: x, Coupling: accel.FIFO}")
		}
		if err := s.opt.Unit.Check(); err != nil {
			return err
		}
		p.Accel.Coupling = s.opt.Unit.Coupling.String()
	}
	if err := p.Validate(); err != nil {
		return err
	}
	if s.hash, err = p.Accel.Hash(); err != nil {
		return err
	}
	if s.accel, err = p.Accel.Config(); err != nil || s.opt.Unit == nil {
		return err
	}
	return s.unit(*s.opt.Unit)
}

// unit puts u in place of the accelerator that the platform describes, whose
// parameters it takes where it has none of its own.
func (s *System) unit(u accel.Config) error {
	u.CyclesPerRound = cmp.Or(u.CyclesPerRound, s.accel.CyclesPerRound)
	u.Startup = cmp.Or(u.Startup, s.accel.Startup)
	u.InputDepth = cmp.Or(u.InputDepth, s.accel.InputDepth)
	u.OutputDepth = cmp.Or(u.OutputDepth, s.accel.OutputDepth)
	s.accel, s.hash = u, u.XOF
	return u.Check()
}

// build makes devices, bus and core.
func (s *System) build() (err error) {
	p := s.platform
	events := clock.NewQueue()
	if err := s.attach(events); err != nil {
		return err
	}
	s.port = s.space.Initiator("core")
	if s.regions, err = newRegions(s.file, s.opt.Regions, s.engine != nil, s.sdith != nil, s.read); err != nil {
		return err
	}

	c := rv32.Config{
		RAMBase: p.RAM.Base, RAMSize: p.RAM.Size, Port: s.port, Events: events,
		Ebreak: s.ebreak, Ecall: s.ecall, ExactOnly: s.opt.ExactOnly, Count: s.opt.Events,
	}
	if s.engine != nil {
		c.Custom = s.engine.Instructions()
		if d := s.engine.DMA(); d != nil {
			c.Grant = d.Grant
		}
	}
	bookBySection(&c, s.file)
	if len(s.regions.watch) > 0 {
		c.Watch = s.regions.watch
	}
	if t, ok := s.file.Lookup("tohost"); ok && s.inRAM(t.Addr, 4) {
		s.tohost, s.tohostBytes = t.Addr, 4
		from, other := s.file.Lookup("fromhost")
		if (t.Size >= 8 || t.Size == 0 && !(other && from.Addr-t.Addr < 8)) && s.inRAM(t.Addr, 8) {
			s.tohostBytes = 8
		}
		c.StoreWatch, c.OnStore = t.Addr, s.toHost
	}
	if s.opt.CommitLog != nil {
		s.log = newCommitLog(s.opt.CommitLog)
		c.Retired = func(_ *rv32.Hart, r rv32.Retired) { s.log.retired(r) }
	}
	if err := s.translator(&c); err != nil {
		return err
	}
	if s.hart, err = rv32.New(c); err == nil && s.fast != nil {
		s.hart.Attach(s.fast)
	}
	return err
}

// translator makes the translator, if it is wanted and can be had: RAM is its own.
func (s *System) translator(c *rv32.Config) (err error) {
	if s.opt.Engine == EngineInterpret || s.opt.ExactOnly || s.opt.CommitLog != nil || s.opt.Events {
		return nil
	}
	s.fast, err = translate.New(c.RAMBase, c.RAMSize, translate.Options{Eager: s.opt.Engine == EngineTranslate, Cache: s.opt.Code})
	if err != nil {
		s.fast = nil
		if s.opt.Engine == EngineAuto { // interpreted, then
			err = nil
		}
		return err
	}
	c.RAM = s.fast.RAM()
	return nil
}

// serve makes the host side of semihosting.
func (s *System) serve() (err error) {
	r := s.platform.RAM
	end := uint64(r.Base) + uint64(r.Size)
	var stdin io.Reader
	if s.opt.Stdin != nil {
		stdin = input{s, s.opt.Stdin}
	}
	s.host, err = semihost.New(semihost.Config{
		Args:  append([]string{filepath.Base(s.opt.Name)}, s.opt.Args...),
		Stdin: stdin, Stdout: s.opt.Console, Stderr: s.opt.Stderr,
		Dir: s.opt.Dir, DirWrite: s.opt.DirWrite, ClockHz: s.platform.ClockHz,
		Cycles:   func() uint64 { return uint64(s.hart.Cycle()) },
		Check:    s.check,
		HeapBase: uint32(min((s.file.End()+15)&^15, end)), HeapLimit: uint32(end),
	})
	return err
}

// load fills RAM and puts the core at the entry.
func (s *System) load() error {
	ram := s.hart.RAM()
	if r := s.opt.RAM; r.Random {
		var seed [32]byte
		for i := range 8 {
			seed[i] = byte(r.Seed >> (8 * i))
		}
		rand.NewChaCha8(seed).Read(ram)
	}
	if err := s.file.Load(ram, s.platform.RAM.Base); err != nil {
		return err
	}
	entry := s.file.Entry
	if addr, ok := s.platform.EntryAddress(); ok {
		if addr&1 != 0 || !s.inRAM(addr, 2) {
			return s.platform.Errorf("entry", "0x%08x must be an even address in RAM", addr)
		}
		entry = addr
	}
	s.hart.Reset(entry)
	s.resetMtvec, _ = s.hart.CSR(csrMtvec)
	return nil
}

// checkDumps refuses dumps that could not be made after the run.
func (s *System) checkDumps() error {
	for i, d := range s.opt.Dumps {
		sym, ok := s.file.Lookup(d.Symbol)
		if !ok {
			known := append(s.file.Names(elf.Object), s.file.Names(elf.Label)...)
			return symbolError("Dumps", "%s: no symbol %s to dump%s", s.file.Name, d.Symbol, nearest.Hint(d.Symbol, known))
		}
		if slices.ContainsFunc(s.opt.Dumps[:i], func(e Dump) bool { return e.Symbol == d.Symbol }) {
			return symbolError("Dumps", "symbol %s is given twice; once is enough, with the larger number of bytes", d.Symbol)
		}
		if d.Bytes == 0 {
			d.Bytes = sym.Size
			s.opt.Dumps[i].Bytes = sym.Size
		}
		if d.Bytes == 0 {
			return symbolError("Dumps", "%s: symbol %s has no size; say how many bytes to dump (%s,BYTES)", s.file.Name, d.Symbol, d.Symbol)
		}
		if !s.inRAM(sym.Addr, d.Bytes) {
			return symbolError("Dumps", "%s: the %d bytes of %s at 0x%08x do not all lie in RAM", s.file.Name, d.Bytes, d.Symbol, sym.Addr)
		}
	}
	return nil
}

// inRAM tells whether n bytes at addr lie in RAM.
func (s *System) inRAM(addr, n uint32) bool {
	r := s.platform.RAM
	off := addr - r.Base
	return off < r.Size && n <= r.Size-off
}

// bytes returns a view of n bytes of RAM, or ok = false if not all lie there.
func (s *System) bytes(addr, n uint32) (view []byte, ok bool) {
	if !s.inRAM(addr, n) {
		return nil, false
	}
	return s.hart.RAM()[addr-s.platform.RAM.Base:][:n], true
}

// memory is RAM as semihosting sees it.
type memory struct{ *System }

// Holds, Load and Store are RAM as the DMA engine sees it.
func (m memory) Holds(addr, n uint32) bool { return m.inRAM(addr, n) }

func (m memory) Load(addr uint32) uint32 {
	b, _ := m.bytes(addr, 4)
	return binary.LittleEndian.Uint32(b)
}

func (m memory) Store(addr, word uint32, n int) {
	b, _ := m.bytes(addr, uint32(n))
	for i := range b {
		b[i] = byte(word >> (8 * i))
	}
	m.hart.Wrote(addr, uint32(n))
}

func (m memory) Slice(addr, n uint32) ([]byte, bool) { return m.bytes(addr, n) }
func (m memory) Wrote(addr, n uint32)                { m.hart.Wrote(addr, n) }

// read returns all counters as they are now.
func (s *System) read() reading {
	r := reading{cycles: uint64(s.hart.Cycle()), instret: s.hart.Instret(), ledger: readLedger(s.hart), events: s.readEvents()}
	if s.engine != nil {
		// Not past a request that may still come: cycles counts up to the answer
		// of the last access, which may lie ahead.
		r.accel = Accelerated(s.engine.Statistics(s.hart.Now()))
	}
	if s.sdith != nil {
		r.sdith = sdithStats(s.sdith.Statistics(s.hart.Now()))
	}
	return r
}
