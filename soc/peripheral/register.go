// Package peripheral holds the small devices of the platforms: the
// CLINT-like timer, the UART, and the two devices of the RTL test bench
// (scratch windows and the interrupt pulse).
//
// All of them are granted at once and answer in the next cycle; waits are the
// business of the bus in front of them. What a write changes is visible from
// the cycle after its grant.
//
// It is a package of its own because these devices need nothing but bus and
// clock, and every one can be tested alone.
package peripheral

import (
	"fmt"

	"socsim/bus"
)

// Register is one line of a device's register table, from which the model,
// the C header and the documentation are made.
type Register struct {
	Name   string
	Offset uint32
	Bytes  uint8  // width
	Access string // "R", "W" or "RW"
	Reset  uint32
	Text   string
}

// answer is the response of a device that makes nobody wait.
func answer(r bus.Request, data uint32) bus.Response {
	return bus.Response{Data: data, Grant: r.At, Valid: r.At + 1}
}

// refuse is the response to an access that makes no sense.
func refuse(r bus.Request, what, hint string) bus.Response {
	return bus.Response{Grant: r.At, Valid: r.At + 1, Fault: &bus.Fault{Kind: bus.DeviceError, What: what, Hint: hint}}
}

// register finds the register an access names exactly: its offset and width.
func register(table []Register, device string, r bus.Request) (*Register, *bus.Fault) {
	direction := "load from"
	if r.Write {
		direction = "store to"
	}
	for i := range table {
		reg := &table[i]
		if r.Addr-reg.Offset >= uint32(reg.Bytes) {
			continue
		}
		if r.Addr != reg.Offset || r.Bytes != reg.Bytes {
			return nil, &bus.Fault{Kind: bus.DeviceError,
				What: fmt.Sprintf("%d-byte %s %s at offset 0x%x", r.Bytes, direction, device, r.Addr),
				Hint: fmt.Sprintf("%s takes aligned accesses of %d bytes only", reg.Name, reg.Bytes)}
		}
		if need := map[bool]string{true: "W", false: "R"}[r.Write]; reg.Access != "RW" && reg.Access != need {
			return nil, &bus.Fault{Kind: bus.DeviceError,
				What: fmt.Sprintf("%s %s of %s", direction, reg.Name, device),
				Hint: map[string]string{"R": "it is read-only", "W": "it is write-only"}[reg.Access]}
		}
		return reg, nil
	}
	return nil, &bus.Fault{Kind: bus.DeviceError,
		What: fmt.Sprintf("%d-byte %s %s at offset 0x%x: no register there", r.Bytes, direction, device, r.Addr),
		Hint: registers(table)}
}

// registers lists a table for a hint.
func registers(table []Register) string {
	s := "there are"
	for i, reg := range table {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprintf(" %s at 0x%x", reg.Name, reg.Offset)
	}
	return s
}
