package bus

import (
	"fmt"
	"strconv"
	"strings"

	"socsim/clock"
)

// Hop is one station on the way from an initiator to a device: a crossbar or a
// bridge. It remembers when its last answer passed, so it belongs to one system
// and is shared by all windows behind it. The zero value costs nothing.
type Hop struct {
	Name          string
	Grant         clock.Cycle // cycles from a request to its grant
	ResponseLoad  clock.Cycle // cycles a load's answer takes beyond the device's
	ResponseStore clock.Cycle // cycles a store's answer takes beyond the device's
	Serial        bool        // one transaction at a time: no grant before the previous answer

	free clock.Cycle // serial: the cycle of the previous answer
}

// response returns the wait of an answer in one direction.
func (h *Hop) response(write bool) clock.Cycle {
	if write {
		return h.ResponseStore
	}
	return h.ResponseLoad
}

// Preset is a kind of bus with its usual waits. Sources says where the numbers
// come from; a number that nothing backs is marked assumed there.
type Preset struct {
	Name                               string
	Grant, ResponseLoad, ResponseStore clock.Cycle
	Serial                             bool
	Sources                            string
}

// Presets are the buses a window can be given by name. All waits are put in the
// answer, none in the grant: the bridges read for it accept early and answer
// late, and a single access cannot tell the two apart.
var Presets = []Preset{
	{Name: "obi", Grant: 0, ResponseLoad: 0, ResponseStore: 0, Serial: false,
		Sources: "combinational crossbar and registered device: rvalid one cycle after the grant, two outstanding " +
			"(CV32E40P load_store_unit.rst @6033d2b; X-HEEP peripheral_subsystem without obi_fifo @810618e)"},
	{Name: "ahb-lite", Grant: 0, ResponseLoad: 0, ResponseStore: 0, Serial: true,
		Sources: "address phase in the request cycle, data phase in the answer cycle, one data phase at a time; " +
			"the fabric adds no wait state (RP2040 datasheet 2.1)"},
	{Name: "axi4-lite", Grant: 0, ResponseLoad: 2, ResponseStore: 2, Serial: true,
		Sources: "1 for the request register of the crossbar (PULPissimo soc_interconnect.sv @bf65372) " +
			"and 1 for a register block of two clocks (PeakRDL-regblock #47); range in use 0 to 3"},
	{Name: "apb", Grant: 0, ResponseLoad: 2, ResponseStore: 3, Serial: true,
		Sources: "AHB-Lite to APB bridge: reads take 3 cycles and writes 4 where a zero-wait access takes 1 " +
			"(RP2040 datasheet 2.1.3); between obi_to_apb (0) and PULPissimo (3)"},
}

// DefaultPreset is the bus of memory-mapped devices for which the platform
// names none.
const DefaultPreset = "apb"

// Hop returns a new hop with the preset's waits.
func (p Preset) Hop() *Hop {
	return &Hop{Name: p.Name, Grant: p.Grant, ResponseLoad: p.ResponseLoad, ResponseStore: p.ResponseStore, Serial: p.Serial}
}

// MaxWait bounds explicit waits: more is a slip of the keyboard, not a bus.
const MaxWait = 1_000_000

// ParseHop returns a new hop for a preset's name or for explicit waits, written
// grant/load/store: "1/2/3" is a serial hop with one grant wait and two and
// three response waits, "1/2/3/pipelined" the same without being serial.
func ParseHop(text string) (*Hop, error) {
	for _, p := range Presets {
		if p.Name == text {
			return p.Hop(), nil
		}
	}
	if !strings.Contains(text, "/") {
		return nil, fmt.Errorf("no bus preset is called %q; there are %s, or give waits as grant/load/store, e.g. 0/2/3", text, presetNames())
	}
	fields := strings.Split(text, "/")
	h := &Hop{Name: text, Serial: true}
	if len(fields) == 4 && fields[3] == "pipelined" {
		h.Serial = false
		fields = fields[:3]
	}
	if len(fields) != 3 {
		return nil, fmt.Errorf("bus waits %q: want grant/load/store or grant/load/store/pipelined, e.g. 0/2/3", text)
	}
	for i, wait := range []*clock.Cycle{&h.Grant, &h.ResponseLoad, &h.ResponseStore} {
		n, err := strconv.ParseUint(fields[i], 10, 32)
		if err != nil || n > MaxWait {
			return nil, fmt.Errorf("bus waits %q: %q is not a number of cycles from 0 to %d", text, fields[i], MaxWait)
		}
		*wait = clock.Cycle(n)
	}
	return h, nil
}

func presetNames() string {
	var names []string
	for _, p := range Presets {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
