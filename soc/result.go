package soc

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"

	"socsim/accel"
	"socsim/bus"
	"socsim/rv32/translate"
	"socsim/sdith/device"
)

// ModelVersion changes whenever the same program may take other cycles, or have them
// booked in other rows.
const ModelVersion = "0.2.0"

// Schema is the JSON schema (draft 2020-12) of a Result.
//
//go:embed result.schema.json
var Schema []byte

// Result is what a run gave. Its JSON form is published as Schema; scripts may
// rely on the names. Without Host, same options give the same bytes.
type Result struct {
	Exit         Exit              `json:"exit"`
	Cycles       uint64            `json:"cycles"`  // elapsed, asleep or not
	Instret      uint64            `json:"instret"` // retired instructions
	Verified     *bool             `json:"verified"`
	Ledger       Ledger            `json:"ledger"`
	Events       Events            `json:"events"`
	Regions      []Region          `json:"regions"`
	Devices      []Device          `json:"devices"`
	Energy       json.RawMessage   `json:"energy"` // filled in by whoever knows coefficients
	Dumps        map[string]string `json:"dumps"`  // symbol to hexadecimal
	Config       Config            `json:"config"`
	ELFSHA256    string            `json:"elf_sha256"`
	ModelVersion string            `json:"model_version"`
	Host         *Host             `json:"host,omitempty"` // nil: left out

	Findings  []string  `json:"-"` // what Options.Verify had to say
	Hints     []string  `json:"-"` // what a user should know: warnings, refused calls
	Engine    EngineUse `json:"-"` // how it ran, on which nothing else depends
	Asleep    uint64    `json:"-"` // cycles in wfi
	Inhibited uint64    `json:"-"` // awake cycles in which mcountinhibit held mcycle
}

// EngineUse says what ran in which engine; what was not translated was interpreted.
type EngineUse struct {
	Name       string // as --engine has it
	Translated uint64 // instructions executed in translated code
	Entries    uint64 // times that was entered
	Left       []Left // ... and left, by cause
	Modules    uint64 // times code was translated
	Code       uint64 // instructions translated, those translated again included
	Dropped    uint64 // times all of it was dropped because code changed
	Refused    error  // why the host cannot run translated code
}

// Left says how often translated code gave way to the interpreter for one cause.
type Left struct {
	Cause string
	Times uint64
}

// engineUse asks the translator, if there is one.
func (s *System) engineUse() EngineUse {
	u := EngineUse{Name: Engines[s.opt.Engine]}
	if s.fast == nil {
		return u
	}
	n := s.fast.Stats()
	u.Translated, u.Entries, u.Modules, u.Code, u.Dropped, u.Refused = n.Instructions, n.Entries, n.Modules, n.Translated, n.Dropped, s.fast.Err()
	for c := range translate.Causes {
		if n.Exits[c] > 0 {
			u.Left = append(u.Left, Left{c.String(), n.Exits[c]})
		}
	}
	return u
}

// Host is the speed of the simulation, the one thing that differs from run to run.
type Host struct {
	Seconds float64 `json:"seconds"`
	MIPS    float64 `json:"mips"`
}

// Device is a window and what the core moved to and from it.
type Device struct {
	Name   string             `json:"name"`
	Kind   string             `json:"kind"`
	Base   uint32             `json:"base"`
	Size   uint32             `json:"size"`
	Bus    string             `json:"bus"`
	Loads  Traffic            `json:"loads"`
	Stores Traffic            `json:"stores"`
	Accel  *accel.Statistics  `json:"accel,omitempty"` // of the accelerator
	SDitH  *device.Statistics `json:"sdith,omitempty"` // of the coprocessor
}

// Traffic is one direction of a device's traffic.
type Traffic struct {
	Count    uint64 `json:"count"`    // transactions
	Bytes    uint64 `json:"bytes"`    // moved
	BusWait  uint64 `json:"bus_wait"` // cycles of waits on the way
	Withheld uint64 `json:"withheld"` // cycles the device made the core wait
}

// AccelStats is the accelerator's part of a region.
type AccelStats struct {
	WordsIn       uint64 `json:"words_in"`
	WordsOut      uint64 `json:"words_out"`
	Messages      uint64 `json:"messages"`
	Permutations  uint64 `json:"permutations"`
	BusyCycles    uint64 `json:"busy_cycles"`
	OverlapCycles uint64 `json:"overlap_cycles"`
	Rounds        uint64 `json:"rounds"`
	FIFOPushes    uint64 `json:"fifo_pushes"`
	FIFOPops      uint64 `json:"fifo_pops"`
	DMALoads      uint64 `json:"dma_loads"`  // words the DMA engine read from RAM
	DMAStores     uint64 `json:"dma_stores"` // ... and wrote there
}

// Accelerated returns what of an accelerator's counters regions have.
func Accelerated(s accel.Statistics) AccelStats {
	return AccelStats{s.WordsIn, s.WordsOut, s.Messages, s.Permutations, uint64(s.BusyCycles), uint64(s.OverlapCycles),
		s.Rounds, s.FIFOPushes, s.FIFOPops, s.DMALoads, s.DMAStores}
}

// all are all counts.
func (a *AccelStats) all() []*uint64 {
	return []*uint64{&a.WordsIn, &a.WordsOut, &a.Messages, &a.Permutations, &a.BusyCycles, &a.OverlapCycles,
		&a.Rounds, &a.FIFOPushes, &a.FIFOPops, &a.DMALoads, &a.DMAStores}
}

func (a AccelStats) minus(b AccelStats) AccelStats {
	other := b.all()
	for n, p := range a.all() {
		*p -= *other[n]
	}
	return a
}

func (a AccelStats) plus(b AccelStats) AccelStats {
	other := b.all()
	for n, p := range a.all() {
		*p += *other[n]
	}
	return a
}

// Config is what ran on what: with the program's digest and the model's
// version, all that the result depends on.
type Config struct {
	ELF             string       `json:"elf"` // last element of its name
	Args            []string     `json:"args"`
	Platform        string       `json:"platform"`
	Set             []string     `json:"set"` // keys changed, as key=value
	ClockHz         uint64       `json:"clock_hz"`
	ClockAssumed    bool         `json:"clock_assumed"` // nobody stated clock_hz
	RAMBase         uint32       `json:"ram_base"`
	RAMSize         uint32       `json:"ram_size"`
	RAMInit         string       `json:"ram_init"`
	Accel           string       `json:"accel"` // "none", or as "shake-fifo"
	Hash            string       `json:"hash"`
	AccelParameters *AccelConfig `json:"accel_parameters"` // null without an accelerator
	SDitH           *SDitHConfig `json:"sdith,omitempty"`  // left out without a coprocessor
	MaxInstructions *uint64      `json:"max_instructions"` // null: no limit
	MaxCycles       *uint64      `json:"max_cycles"`       // null: no limit
}

// AccelConfig is the accelerator as it was built, defaults written out.
type AccelConfig struct {
	CyclesPerRound string `json:"cycles_per_round"`
	Startup        uint64 `json:"startup"`
	InputDepth     int    `json:"input_depth"`
	OutputDepth    int    `json:"output_depth"`
}

// JSON returns the result as one indented object with a final newline.
func (r *Result) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(r)
	return b.Bytes(), err
}

// Status returns the exit code for the process that made the run: the guest's
// own, VerifyFailed if that is 0 but the result is wrong, or the code of the
// reason.
func (r *Result) Status() int {
	if r.Exit.Guest() && r.Exit.Code == 0 && r.Verified != nil && !*r.Verified {
		return VerifyFailed
	}
	return r.Exit.Code
}

// result collects everything after the run.
func (s *System) result(exit Exit) (*Result, error) {
	if code := reasonCodes[exit.Reason]; code != 0 {
		exit.Code = code
	}
	now := s.read()
	r := &Result{
		Exit: exit, Cycles: now.cycles, Instret: now.instret, Ledger: now.ledger, Events: now.events, Regions: s.regions.results(),
		Devices: s.deviceResults(), Dumps: map[string]string{}, Config: s.config(),
		ELFSHA256: s.file.SHA256(), ModelVersion: ModelVersion,
		Engine: s.engineUse(),
		Asleep: uint64(s.hart.Asleep()), Inhibited: uint64(s.hart.Inhibited()),
	}
	if sum := r.Ledger.Sum(); sum != r.Cycles {
		return nil, fmt.Errorf("BUG: soc: the rows of the ledger add up to %d, but %d cycles went by", sum, r.Cycles)
	}
	if err := s.hart.CheckCounters(); err != nil {
		return nil, fmt.Errorf("BUG: %w", err)
	}
	for _, d := range s.opt.Dumps {
		sym, _ := s.file.Lookup(d.Symbol)
		b, _ := s.bytes(sym.Addr, d.Bytes)
		r.Dumps[d.Symbol] = hex.EncodeToString(b)
	}
	r.Hints = s.hints(r)
	return r, nil
}

func (s *System) hints(r *Result) []string {
	hints := append([]string{}, s.file.Warnings...)
	hints = append(hints, s.host.Notes()...)
	if s.sdith != nil {
		hints = append(hints, s.sdith.Notes()...)
	}
	if s.hart.CountersReadWhileStopped() {
		hints = append(hints, "the program read mcycle or minstret while they stood still: after reset mcountinhibit stops the counters of this core (csrwi mcountinhibit, 0 starts them)")
	}
	for _, g := range r.Regions {
		if g.Open {
			hints = append(hints, fmt.Sprintf("region %s had not returned when the run ended; it counts up to there", g.Name))
		}
	}
	return hints
}

func (s *System) deviceResults() []Device {
	traffic := map[uint32]bus.Traffic{}
	for _, t := range s.port.Traffic() {
		traffic[t.Window.Base] = t
	}
	list := []Device{}
	for _, d := range s.devices {
		t := traffic[d.base]
		out := Device{Name: d.name, Kind: d.kind, Base: d.base, Size: d.size, Bus: d.bus, Loads: direction(t.Load), Stores: direction(t.Store)}
		switch d.kind {
		case "accel":
			stats := s.engine.Statistics(s.hart.Cycle())
			out.Accel = &stats
		case "sdith":
			stats := s.sdith.Statistics(s.hart.Cycle())
			out.SDitH = &stats
		}
		list = append(list, out)
	}
	return list
}

func direction(c bus.Count) Traffic {
	t := Traffic{Count: c.Transactions, Bytes: c.Bytes, BusWait: uint64(c.HopWait)}
	for _, n := range c.Withheld {
		t.Withheld += uint64(n)
	}
	return t
}

func (s *System) config() Config {
	p := s.platform
	c := Config{
		ELF: filepath.Base(s.file.Name), Args: append([]string{}, s.opt.Args...),
		Platform: p.Name, Set: append([]string{}, p.Overrides...), ClockHz: p.ClockHz, ClockAssumed: p.ClockAssumed,
		RAMBase: p.RAM.Base, RAMSize: p.RAM.Size, RAMInit: s.opt.RAM.String(), Accel: s.accel.Name(), Hash: s.hash.Name,
		MaxInstructions: limitValue(s.opt.Limits.MaxInstructions), MaxCycles: limitValue(s.opt.Limits.MaxCycles),
	}
	if s.engine != nil {
		a := s.engine.Config()
		c.AccelParameters = &AccelConfig{a.CyclesPerRound.String(), uint64(a.Startup), a.InputDepth, a.OutputDepth}
	}
	if s.sdith != nil {
		c.SDitH = sdithConfig(s.sdith.Config())
	}
	return c
}

func limitValue(n uint64) *uint64 {
	if n == NoLimit {
		return nil
	}
	return &n
}
