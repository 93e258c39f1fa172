// Package platform is the description of a system in TOML: where RAM and
// devices lie, how they are reached, which hash accelerator is attached, and
// how fast the clock is. It is data only and a package of its own because it
// builds nothing: package soc turns a description into a system.
//
// Reading is strict. An unknown key, a value of the wrong type or a
// description that makes no sense is one line that names file, line and key.
//
// Left out: hierarchy (a file does not include another one; start from a copy
// of a built-in, or override single keys with Set).
package platform

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"socsim/accel"
	"socsim/bus"
	"socsim/internal/nearest"
	"socsim/sdith/device"
	"socsim/sdith/pipeline"
)

// DefaultClockHz is assumed where a platform does not state clock_hz.
const DefaultClockHz = 100_000_000

// Platform is one description. Load, Parse and Builtin are the ways to one;
// the names in tags are the keys of the file and of Set.
type Platform struct {
	Name    string   `toml:"name"`     // default: the file name
	ClockHz uint64   `toml:"clock_hz"` // turns cycles into time; default DefaultClockHz
	Entry   string   `toml:"entry"`    // "elf" (default): the entry of the ELF, or an address
	RAM     RAM      `toml:"ram"`
	Accel   Accel    `toml:"accel"`
	SDitH   SDitH    `toml:"sdith"`
	Devices []Device `toml:"device"`

	// ClockAssumed: nobody stated clock_hz.
	ClockAssumed bool `toml:"-"`
	// Overrides are the keys changed by Set, in that order, as key=value.
	Overrides []string `toml:"-"`

	source string         // file name, or what stands for it in messages
	lines  map[string]int // line of each key of the file
}

// RAM is the memory that holds code and data: single cycle, its own fetch port.
type RAM struct {
	Base uint32 `toml:"base"` // both multiples of 4096
	Size uint32 `toml:"size"`
}

// Accel is the hash accelerator. Its windows exist only while a coupling that
// uses them is attached.
type Accel struct {
	XOF      string `toml:"xof"`      // default "shake"
	Coupling string `toml:"coupling"` // default "none": hashing in software

	Base    uint32 `toml:"base"`     // window of the memory-mapped couplings
	LSUBase uint32 `toml:"lsu_base"` // window of the LSU-attached couplings
	DMABase uint32 `toml:"dma_base"` // window of the DMA engine of coupling dma
	Size    uint32 `toml:"size"`     // of each; default 0x1000
	Bus     string `toml:"bus"`      // way to Base and DMABase, as Device.Bus; LSUBase has none
	Line    uint32 `toml:"line"`     // interrupt line; default 16
	DMALine uint32 `toml:"dma_line"` // that of the DMA engine; default 17

	FIFODepth      uint32 `toml:"fifo_depth"`       // words, both FIFOs; 0 (default): one block
	InputDepth     uint32 `toml:"input_depth"`      // words, where the input FIFO differs
	OutputDepth    uint32 `toml:"output_depth"`     // words, where the output FIFO differs
	CyclesPerRound string `toml:"cycles_per_round"` // "N" or "1/N"; default "1"
	Startup        uint32 `toml:"startup"`          // cycles before the first round; default 0
}

// SDitH is the SDitH coprocessor. Its window exists only while one is attached.
type SDitH struct {
	Config string `toml:"config"` // name of the configuration, as "sec1_fast_hp0"; default "none"

	CacheDepth    uint32 `toml:"cache_depth"`     // levels of the tree that are cached; 0 (default): 8 at level 1, else 7
	HComInPhase12 uint32 `toml:"hcom_in_phase12"` // 1: commitments are hashed in W1, and signatures are not valid; default 0
	Path          string `toml:"path"`            // path registers: "single" (default), "none", "both"
	ClockRatio    string `toml:"clock_ratio"`     // cycles of the core for one of its own: "N" or "1/N"; default "1"

	// Cycles of its units' operations, and widths; 0 (default): as pipeline.DefaultCosts.
	AES         uint32 `toml:"aes"`
	Rijndael    uint32 `toml:"rijndael"`
	Permutation uint32 `toml:"permutation"`
	Digit       uint32 `toml:"digit"`
	Word        uint32 `toml:"word"`

	Base uint32 `toml:"base"`
	Size uint32 `toml:"size"` // default 0x100000
	Bus  string `toml:"bus"`  // as Device.Bus
	Line uint32 `toml:"line"` // interrupt line; default 18
}

// NoSDitH stands for the configuration of a coprocessor that is not attached.
const NoSDitH = "none"

// Device is one window with something behind it.
type Device struct {
	Name string `toml:"name"` // unique; part of override keys and reports
	Kind string `toml:"kind"` // one of Kinds
	Base uint32 `toml:"base"`
	Size uint32 `toml:"size"` // default: as the kind needs

	// Bus is the way from the core: a preset, or waits as grant/load/store
	// (bus.ParseHop). Devices of the same Bus are behind one bridge. Default
	// bus.DefaultPreset.
	Bus string `toml:"bus"`
}

// Kind is one sort of device.
type Kind struct {
	Name string
	Size uint32 // of its window, unless the file says otherwise; at least what the registers take
	Min  uint32 // bytes its registers take
	Text string
}

// Kinds are the devices a file may name.
var Kinds = []Kind{
	{"clint", 0x1_0000, 0xc000, "software interrupt, timer compare register, mtime"},
	{"uart", 0x100, 8, "NS16550A subset: what is written to THR is printed"},
	{"info", 0x1000, 0x20, "what is attached, for firmware to find out"},
	{"scratch", 0x1000, 8, "two words, picked by address bit 2: a slow memory for timing tests"},
	{"pulse", 0x1000, 12, "raises an interrupt line after a given number of cycles"},
}

//go:embed default.toml rtlbench.toml
var files embed.FS

// Builtin returns the names of the embedded platforms.
func Builtin() []string { return []string{"default", "rtlbench"} }

// Load reads a platform by its built-in name or from a file.
func Load(name string) (*Platform, error) {
	if slices.Contains(Builtin(), name) {
		text, err := files.ReadFile(name + ".toml")
		if err != nil {
			return nil, err
		}
		return Parse("built-in platform "+name, text)
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(name, `/\.`) {
		return nil, fmt.Errorf("no platform %q%s; built in are %s, anything else is a TOML file",
			name, nearest.Hint(name, Builtin()), strings.Join(Builtin(), ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("platform %w", err)
	}
	return Parse(name, text)
}

// Parse reads a description. The source names it in messages.
func Parse(source string, text []byte) (*Platform, error) {
	p := &Platform{source: source}
	if err := p.decode(text); err != nil {
		return nil, err
	}
	p.defaults()
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Platform) defaults() {
	if p.Name == "" {
		p.Name = strings.TrimSuffix(filepath.Base(p.source), ".toml")
	}
	if p.ClockHz == 0 && p.lines["clock_hz"] == 0 {
		p.ClockHz, p.ClockAssumed = DefaultClockHz, true
	}
	set(&p.Entry, "elf")
	set(&p.Accel.XOF, accel.SHAKE.Name)
	set(&p.Accel.Coupling, accel.None.String())
	set(&p.Accel.CyclesPerRound, "1")
	set(&p.Accel.Bus, bus.DefaultPreset)
	set(&p.Accel.Size, accel.Size)
	set(&p.Accel.Line, accel.Line)
	set(&p.Accel.DMALine, accel.DMALine)
	set(&p.SDitH.Config, NoSDitH)
	set(&p.SDitH.Path, pipeline.PathSingle.String())
	set(&p.SDitH.ClockRatio, "1")
	set(&p.SDitH.Bus, bus.DefaultPreset)
	set(&p.SDitH.Size, device.Size)
	set(&p.SDitH.Line, device.Line)
	for i := range p.Devices {
		d := &p.Devices[i]
		set(&d.Bus, bus.DefaultPreset)
		for _, k := range Kinds {
			if k.Name == d.Kind {
				set(&d.Size, k.Size)
			}
		}
	}
}

func set[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}
