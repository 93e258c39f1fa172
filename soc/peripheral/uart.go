package peripheral

import (
	"io"

	"socsim/bus"
)

// Offsets of an NS16550A (Texas Instruments TL16C550 datasheet, table
// "Register selection"), one byte each.
const (
	uartData    = 0 // THR and RBR; divisor low while DLAB is set
	uartIER     = 1 // divisor high while DLAB is set
	uartFCR     = 2 // IIR when read
	uartLCR     = 3
	uartMCR     = 4
	uartLSR     = 5
	uartMSR     = 6
	uartScratch = 7

	lcrDivisor   = 0x80 // DLAB
	lsrEmpty     = 0x60 // THR and shift register empty
	iirNoneWaits = 0x01
)

// UARTRegisters is the register table of the UART.
var UARTRegisters = []Register{
	{"THR", uartData, 1, "W", 0, "prints a character; read as RBR: 0, there is no input"},
	{"IER", uartIER, 1, "RW", 0, "kept, without effect: there are no interrupts"},
	{"FCR", uartFCR, 1, "W", 0, "without effect; read as IIR: 1, no interrupt waits"},
	{"LCR", uartLCR, 1, "RW", 0, "kept; bit 7 moves THR and IER out of the way of the divisor"},
	{"MCR", uartMCR, 1, "RW", 0, "kept, without effect"},
	{"LSR", uartLSR, 1, "R", lsrEmpty, "bits 5 and 6: the transmitter is always empty"},
	{"MSR", uartMSR, 1, "R", 0, "0"},
	{"SCR", uartScratch, 1, "RW", 0, "kept"},
}

// UART is the transmitting half of an NS16550A with an infinitely fast line.
// An access of more than a byte acts on that many registers, as QEMU splits it.
type UART struct {
	out     io.Writer
	kept    [8]byte
	divisor [2]byte
}

// NewUART returns a UART that prints to out.
func NewUART(out io.Writer) *UART { return &UART{out: out} }

// Access performs a load or store; see bus.Target.
func (u *UART) Access(r bus.Request) bus.Response {
	if r.Addr+uint32(r.Bytes) > uint32(len(u.kept)) {
		return refuse(r, "access to the UART behind its eight registers", registers(UARTRegisters))
	}
	var data uint32
	for i := range uint32(r.Bytes) {
		if r.Write {
			u.store(r.Addr+i, byte(r.Data>>(8*i)))
		} else {
			data |= uint32(u.load(r.Addr+i)) << (8 * i)
		}
	}
	return answer(r, data)
}

func (u *UART) store(reg uint32, v byte) {
	divisor := u.kept[uartLCR]&lcrDivisor != 0
	switch {
	case divisor && reg <= uartIER:
		u.divisor[reg] = v
	case reg == uartData:
		u.out.Write([]byte{v}) // a broken console is not the guest's business
	case reg != uartFCR && reg != uartLSR && reg != uartMSR:
		u.kept[reg] = v
	}
}

func (u *UART) load(reg uint32) byte {
	divisor := u.kept[uartLCR]&lcrDivisor != 0
	switch {
	case divisor && reg <= uartIER:
		return u.divisor[reg]
	case reg == uartFCR:
		return iirNoneWaits
	case reg == uartLSR:
		return lsrEmpty
	default:
		return u.kept[reg]
	}
}
