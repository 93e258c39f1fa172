package soc

import (
	"fmt"
	"strings"

	"socsim/accel"
	"socsim/bus"
	"socsim/soc/peripheral"
	"socsim/soc/platform"
)

// infoMagic tells this device from what else may answer at its address: QEMU's
// virt machine has a virtio id there, "virt".
const (
	infoMagic   = 0x434f5332
	infoVersion = 1
)

// InfoRegisters is the register table of the SoC-info device. Reset holds what
// does not depend on the platform.
var InfoRegisters = []peripheral.Register{
	{Name: "MAGIC", Offset: 0x00, Bytes: 4, Access: "R", Reset: infoMagic, Text: "this device is there: anything else means another machine"},
	{Name: "VERSION", Offset: 0x04, Bytes: 4, Access: "R", Reset: infoVersion, Text: "of this table"},
	{Name: "HASH_XOF", Offset: 0x08, Bytes: 4, Access: "R", Text: "number of the hash to use"},
	{Name: "HASH_COUPLING", Offset: 0x0c, Bytes: 4, Access: "R", Text: "number of the coupling of the accelerator, 0 for software"},
	{Name: "HASH_BASE", Offset: 0x10, Bytes: 4, Access: "R", Text: "address of the accelerator's window, 0 if it has none"},
	{Name: "CLOCK_HZ", Offset: 0x14, Bytes: 4, Access: "R", Text: "cycles in a second"},
	{Name: "DMA_BASE", Offset: 0x18, Bytes: 4, Access: "R", Text: "address of the DMA engine's window, 0 if there is none"},
	{Name: "SDITH_BASE", Offset: 0x1c, Bytes: 4, Access: "R", Text: "address of the SDitH coprocessor's window, 0 if there is none"},
}

// info is the device: words to read.
type info struct{ words []uint32 }

// newInfo returns the device of a platform with its accelerator attached.
func newInfo(p *platform.Platform, hash *accel.XOF, c accel.Config, base uint32) info {
	dma := uint32(0)
	if c.Coupling == accel.DMA {
		dma = p.Accel.DMABase
	}
	sdith := uint32(0)
	if p.SDitH.Attached() {
		sdith = p.SDitH.Base
	}
	return info{[]uint32{
		infoMagic, infoVersion, uint32(hash.Number), uint32(c.Coupling), base,
		uint32(min(p.ClockHz, 1<<32-1)), dma, sdith,
	}}
}

// Access performs a load; see bus.Target.
func (d info) Access(r bus.Request) bus.Response {
	a := bus.Response{Grant: r.At, Valid: r.At + 1}
	switch n := r.Addr / 4; {
	case r.Write:
		a.Fault = &bus.Fault{Kind: bus.DeviceError, What: fmt.Sprintf("store to the SoC info at offset 0x%x", r.Addr), Hint: "it is read-only"}
	case r.Bytes != 4 || n >= uint32(len(d.words)):
		a.Fault = &bus.Fault{Kind: bus.DeviceError, What: fmt.Sprintf("%d-byte load from the SoC info at offset 0x%x", r.Bytes, r.Addr),
			Hint: fmt.Sprintf("it has words at 0x0 to 0x%x", 4*len(d.words)-4)}
	default:
		a.Data = d.words[n]
	}
	return a
}

// documented are the devices whose places firmware is built for, with their
// addresses on the default platform.
func documented() ([]documentedDevice, error) {
	p, err := platform.Load("default")
	if err != nil {
		return nil, err
	}
	list := []documentedDevice{
		{name: "CLINT", kind: "clint", title: "Timer (CLINT)", registers: peripheral.CLINTRegisters},
		{name: "UART", kind: "uart", title: "UART (NS16550A subset)", registers: peripheral.UARTRegisters},
		{name: "INFO", kind: "info", title: "SoC info", registers: InfoRegisters},
	}
	for i := range list {
		for _, d := range p.Devices {
			if d.Kind == list[i].kind {
				list[i].base = d.Base
			}
		}
	}
	return list, nil
}

type documentedDevice struct {
	name, kind, title string
	base              uint32
	registers         []peripheral.Register
}

// InfoHeader returns what the C header of the registers says of the timer, the
// UART and the SoC-info device: SOCSIM_<DEVICE>_BASE and
// SOCSIM_<DEVICE>_<REGISTER>. Numbers carry no suffix, so that assembly can
// use them too.
func InfoHeader() string {
	devices, err := documented()
	if err != nil {
		panic("BUG: soc: " + err.Error())
	}
	var b strings.Builder
	for i, d := range devices {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "/* %s: window, then offsets of its registers */\n", d.title)
		fmt.Fprintf(&b, "#define SOCSIM_%-28s 0x%08x\n", d.name+"_BASE", d.base)
		for _, r := range d.registers {
			fmt.Fprintf(&b, "#define SOCSIM_%-28s 0x%02x /* %s: %s */\n", d.name+"_"+r.Name, r.Offset, r.Access, r.Text)
		}
	}
	fmt.Fprintf(&b, "#define SOCSIM_%-28s 0x%08x\n", "INFO_MAGIC_VALUE", infoMagic)
	return b.String()
}

// InfoMarkdown returns the sections of docs/registers.md on the same devices.
func InfoMarkdown() string {
	devices, err := documented()
	if err != nil {
		panic("BUG: soc: " + err.Error())
	}
	var b strings.Builder
	for i, d := range devices {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## %s\n\nWindow at 0x%08x on the default platform. Granted at once, answers in the next cycle, plus the waits of its bus.\n\n", d.title, d.base)
		b.WriteString("| offset | name | bytes | access | reset | meaning |\n|---|---|---|---|---|---|\n")
		for _, r := range d.registers {
			fmt.Fprintf(&b, "| 0x%02x | %s | %d | %s | 0x%x | %s |\n", r.Offset, r.Name, r.Bytes, r.Access, r.Reset, r.Text)
		}
	}
	return b.String()
}
