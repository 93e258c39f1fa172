package soc

import (
	"encoding/binary"
	"fmt"

	"socsim/bus"
	"socsim/rv32"
	"socsim/soc/semihost"
)

const (
	csrMtvec  = 0x305
	csrMepc   = 0x341
	csrMcause = 0x342

	regRA, regA0, regA1, regA7 = 1, 10, 11, 17

	// exitCall is the number of exit in Linux's system call table, which
	// newlib's and picolibc's bare-metal ports for RISC-V use.
	exitCall = 93
)

// finish ends the run at the instruction at hand.
func (s *System) finish(e Exit) {
	if s.exit == nil {
		s.exit = &e
	}
	s.hart.Halt()
}

// refuse ends the run because the instruction at hand asks for something that
// makes no sense.
func (s *System) refuse(f *bus.Fault) {
	s.finish(Exit{Reason: DeviceError, Report: s.faultReport(f, s.hart.PC(), 0, false)})
}

// ebreak handles a semihosting call; any other ebreak is the program's.
func (s *System) ebreak(h *rv32.Hart) bool {
	if !semihost.IsCall(memory{s}, h.PC()) {
		return false
	}
	out := s.host.Call(memory{s}, h.X(regA0), h.X(regA1))
	switch {
	case out.Fault != nil:
		s.refuse(out.Fault)
	case out.Exit:
		s.finish(Exit{Reason: Semihosting, Code: out.Code})
	default:
		h.SetX(regA0, out.Return)
	}
	return true
}

// ecall handles exit(a0) of a program that has no trap handler.
func (s *System) ecall(h *rv32.Hart) bool {
	if h.X(regA7) != exitCall || !s.handlerMissing() {
		return false
	}
	s.finish(Exit{Reason: Ecall, Code: int(int32(h.X(regA0)))})
	return true
}

// handlerMissing tells whether mtvec was never set.
func (s *System) handlerMissing() bool {
	mtvec, _ := s.hart.CSR(csrMtvec)
	return mtvec == s.resetMtvec
}

// toHost is called after a store to the symbol tohost. An odd value is an
// exit code (riscv-isa-sim, htif: code<<1 | 1). Of 8 bytes the high word names
// a device, which must be 0; it has to be stored first. Nobody answers in fromhost.
func (s *System) toHost(h *rv32.Hart) {
	b, _ := s.bytes(s.tohost, s.tohostBytes)
	device := uint32(0)
	if len(b) == 8 {
		device = binary.LittleEndian.Uint32(b[4:])
	}
	switch v := binary.LittleEndian.Uint32(b); {
	case device != 0:
		s.refuse(&bus.Fault{Kind: bus.DeviceError, Target: "tohost",
			What: fmt.Sprintf("tohost = 0x%08x%08x is a command to an HTIF device", device, v),
			Hint: "only exit codes (code<<1 | 1) are taken here; print over semihosting or the UART"})
	case v == 0:
	case v&1 == 1:
		s.finish(Exit{Reason: ToHost, Code: int(v >> 1)})
	default:
		s.refuse(&bus.Fault{Kind: bus.DeviceError, Target: "tohost",
			What: fmt.Sprintf("tohost = 0x%08x asks the host for a system call", v),
			Hint: "only exit codes (code<<1 | 1) are taken here; print over semihosting or the UART"})
	}
}
