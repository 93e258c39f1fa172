package platform

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"socsim/accel"
	"socsim/bus"
	"socsim/clock"
	"socsim/internal/nearest"
)

// pageSize is the granule of RAM: the core tracks code by pages.
const pageSize = 4096

var deviceName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// Errorf returns an error that starts with the place of a key: file, line (if
// the key stands in the file) and key. A device goes by its number, as in
// device.0.base.
func (p *Platform) Errorf(key, format string, a ...any) error {
	where := p.source
	if line := p.lines[key]; line > 0 {
		where += ":" + strconv.Itoa(line)
	} else if i := strings.LastIndexByte(key, '.'); i > 0 && p.lines[key[:i]] > 0 {
		where += ":" + strconv.Itoa(p.lines[key[:i]])
	}
	return fmt.Errorf("%s: %s: "+format, append([]any{where, p.public(key)}, a...)...)
}

// public turns device.0.base into device.NAME.base.
func (p *Platform) public(key string) string {
	parts := strings.SplitN(key, ".", 3)
	if len(parts) < 2 || parts[0] != "device" {
		return key
	}
	if i, err := strconv.Atoi(parts[1]); err == nil && i < len(p.Devices) && p.Devices[i].Name != "" {
		parts[1] = p.Devices[i].Name
	}
	return strings.Join(parts, ".")
}

// EntryAddress returns the fixed entry, or ok = false if it is the ELF's.
func (p *Platform) EntryAddress() (addr uint32, ok bool) {
	n, err := number(p.Entry, 32)
	return uint32(n), err == nil
}

// Config returns the accelerator that xof, coupling and the parameters
// describe. The error names the value but not the key.
func (a *Accel) Config() (accel.Config, error) {
	name := a.Coupling
	if name != accel.None.String() {
		name = a.XOF + "-" + a.Coupling
	}
	c, err := accel.Parse(name)
	if err != nil {
		return c, err
	}
	if c.CyclesPerRound, err = accel.ParseRatio(a.CyclesPerRound); err != nil {
		return c, err
	}
	c.Startup = clock.Cycle(a.Startup)
	c.InputDepth, c.OutputDepth = int(a.FIFODepth), int(a.FIFODepth)
	if a.InputDepth != 0 {
		c.InputDepth = int(a.InputDepth)
	}
	if a.OutputDepth != 0 {
		c.OutputDepth = int(a.OutputDepth)
	}
	return c, c.Check()
}

// Hash returns the hash the xof key names, whatever the coupling.
func (a *Accel) Hash() (*accel.XOF, error) {
	var names []string
	for _, x := range accel.XOFs {
		if names = append(names, x.Name); x.Name == a.XOF {
			return x, nil
		}
	}
	return nil, fmt.Errorf("no hash is called %q%s; there are %s", a.XOF, nearest.Hint(a.XOF, names), strings.Join(names, ", "))
}

// Validate checks what single values cannot show. Parse has done it; call it
// after Set.
func (p *Platform) Validate() error {
	if p.ClockHz == 0 {
		return p.Errorf("clock_hz", "must not be 0")
	}
	if _, ok := p.EntryAddress(); !ok && p.Entry != "elf" {
		return p.Errorf("entry", "%q must be \"elf\" or an address as \"0x80000000\"", p.Entry)
	}
	if p.Name == "" {
		return p.Errorf("name", "must not be empty")
	}
	if p.RAM.Size == 0 {
		return p.Errorf("ram.size", "missing or 0")
	}
	if p.RAM.Base%pageSize != 0 {
		return p.Errorf("ram.base", "0x%08x must be a multiple of %d", p.RAM.Base, pageSize)
	}
	if p.RAM.Size%pageSize != 0 || uint64(p.RAM.Base)+uint64(p.RAM.Size) > 1<<32 {
		return p.Errorf("ram.size", "0x%x must be a multiple of %d and end below 4 GiB", p.RAM.Size, pageSize)
	}
	if err := p.accelerator(); err != nil {
		return err
	}
	if err := p.coprocessor(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range p.Devices {
		if err := p.device(i, seen); err != nil {
			return err
		}
	}
	return p.overlaps()
}

func (p *Platform) accelerator() error {
	a := &p.Accel
	if _, err := a.Hash(); err != nil {
		return p.Errorf("accel.xof", "%v", err)
	}
	if _, err := accel.ParseRatio(a.CyclesPerRound); err != nil {
		return p.Errorf("accel.cycles_per_round", "%v", err)
	}
	c, err := a.Config()
	if err != nil {
		return p.Errorf("accel", "%v", err)
	}
	switch {
	case c.AtLSU() && a.LSUBase == 0:
		return p.Errorf("accel.lsu_base", "missing: this platform has no place for accelerator %s; set the address of its window", c.Name())
	case c.Coupling == accel.DMA && a.DMABase == 0:
		return p.Errorf("accel.dma_base", "missing: this platform has no place for the DMA engine of accelerator %s; set the address of its window", c.Name())
	case c.Coupling != accel.None && !c.AtLSU() && !c.InCore() && a.Base == 0:
		return p.Errorf("accel.base", "missing: this platform has no place for accelerator %s; set the address of its window", c.Name())
	case a.Size < c.RegisterBytes():
		return p.Errorf("accel.size", "0x%x is too small: the registers take 0x%x bytes", a.Size, c.RegisterBytes())
	}
	if _, err := bus.ParseHop(a.Bus); err != nil {
		return p.Errorf("accel.bus", "%v", err)
	}
	for _, l := range []struct {
		key  string
		line uint32
	}{{"accel.line", a.Line}, {"accel.dma_line", a.DMALine}} {
		if l.line < 16 || l.line > 31 {
			return p.Errorf(l.key, "%d must be one of the fast interrupt lines 16 to 31", l.line)
		}
	}
	if c.Coupling == accel.DMA && a.Line == a.DMALine {
		return p.Errorf("accel.dma_line", "%d is the line of the hash unit, too; the DMA engine needs one of its own", a.DMALine)
	}
	return nil
}

func (p *Platform) device(i int, seen map[string]bool) error {
	d := &p.Devices[i]
	key := fmt.Sprintf("device.%d.", i)
	switch {
	case d.Name == "":
		return p.Errorf(key+"name", "missing: every device needs a name")
	case !deviceName.MatchString(d.Name):
		return p.Errorf(key+"name", "%q must be lower-case letters, digits and -", d.Name)
	case d.Name == "ram" || d.Name == "dma" || d.Name == "sdith" || accel.Known(d.Name):
		return p.Errorf(key+"name", "%q is the name of the RAM, of the DMA engine, of the coprocessor or of an accelerator; choose another", d.Name)
	case seen[d.Name]:
		return p.Errorf(key+"name", "a second device named %q", d.Name)
	}
	seen[d.Name] = true
	if _, err := bus.ParseHop(d.Bus); err != nil {
		return p.Errorf(key+"bus", "%v", err)
	}
	var names []string
	for _, k := range Kinds {
		if names = append(names, k.Name); k.Name != d.Kind {
			continue
		}
		if d.Size < k.Min {
			return p.Errorf(key+"size", "0x%x is too small: the registers of a %s take 0x%x bytes", d.Size, k.Name, k.Min)
		}
		return nil
	}
	return p.Errorf(key+"kind", "%q is not a device%s; there are %s", d.Kind, nearest.Hint(d.Kind, names), strings.Join(names, ", "))
}

// overlaps checks that no two windows share an address.
func (p *Platform) overlaps() error {
	type window struct {
		key, name string
		base      uint32
		size      uint32
	}
	list := []window{{"ram.base", "RAM", p.RAM.Base, p.RAM.Size}}
	for i, d := range p.Devices {
		list = append(list, window{fmt.Sprintf("device.%d.base", i), d.Name, d.Base, d.Size})
	}
	if p.Accel.Base != 0 {
		list = append(list, window{"accel.base", "accel", p.Accel.Base, p.Accel.Size})
	}
	if p.Accel.LSUBase != 0 {
		list = append(list, window{"accel.lsu_base", "accel lsu", p.Accel.LSUBase, p.Accel.Size})
	}
	if p.Accel.DMABase != 0 {
		list = append(list, window{"accel.dma_base", "accel dma", p.Accel.DMABase, p.Accel.Size})
	}
	if p.SDitH.Base != 0 {
		list = append(list, window{"sdith.base", "sdith", p.SDitH.Base, p.SDitH.Size})
	}
	for i, w := range list {
		if w.base%4 != 0 || w.size%4 != 0 {
			return p.Errorf(w.key, "window 0x%08x of 0x%x bytes: base and size must be multiples of 4", w.base, w.size)
		}
		if uint64(w.base)+uint64(w.size) > 1<<32 {
			return p.Errorf(w.key, "window 0x%08x of 0x%x bytes runs past 4 GiB", w.base, w.size)
		}
		for _, v := range list[:i] {
			if uint64(w.base) < uint64(v.base)+uint64(v.size) && uint64(v.base) < uint64(w.base)+uint64(w.size) {
				return p.Errorf(w.key, "window 0x%08x-0x%08x overlaps %s at 0x%08x-0x%08x",
					w.base, w.base+w.size-1, v.name, v.base, v.base+v.size-1)
			}
		}
	}
	return nil
}
