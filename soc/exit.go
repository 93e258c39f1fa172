package soc

import (
	"encoding/binary"
	"fmt"
	"strings"

	"socsim/accel"
	"socsim/bus"
	"socsim/rv32"
)

// Reason says why a run ended.
type Reason string

// The reasons. The first three are the program's own end.
const (
	ToHost          Reason = "tohost"           // an exit code stored to symbol tohost
	Semihosting     Reason = "semihosting"      // SYS_EXIT or SYS_EXIT_EXTENDED
	Ecall           Reason = "ecall"            // exit system call without a handler
	MaxInstructions Reason = "max-instructions" // Limits.MaxInstructions
	MaxCycles       Reason = "max-cycles"       // Limits.MaxCycles
	Timeout         Reason = "timeout"          // Limits.Timeout
	SelfLoop        Reason = "self-loop"        // a jump to itself that no interrupt can leave
	AsleepForever   Reason = "asleep-forever"   // a wfi that nothing can wake
	Unmapped        Reason = "unmapped"         // an access to an address without a device
	DeviceError     Reason = "device-error"     // an access that a device refuses
	FetchError      Reason = "fetch-error"      // the pc left RAM
)

// reasonCodes are the exit codes that stand for an end the program did not
// choose. They lie in a range guests do not use by custom.
var reasonCodes = map[Reason]int{
	MaxInstructions: 124, MaxCycles: 124, Timeout: 124, // as timeout(1) has it
	SelfLoop: 123, AsleepForever: 123,
	Unmapped: 122, DeviceError: 122, FetchError: 122,
}

// VerifyFailed is the exit code of a run whose result is wrong although the
// program ended well.
const VerifyFailed = 121

// Exit is how a run ended.
type Exit struct {
	Reason Reason `json:"reason"`
	// Code is the program's exit code; where the program did not end by itself,
	// the simulator's: 122 to 124.
	Code int `json:"code"`
	// Report is where and why, if the program did not end by itself.
	Report *Report `json:"report,omitempty"`
}

// Guest tells whether the program ended by itself.
func (e Exit) Guest() bool { return reasonCodes[e.Reason] == 0 }

// Report says where a run ended and what may be wrong.
type Report struct {
	What    string   `json:"what"`
	Address string   `json:"address,omitempty"` // of the access, hexadecimal
	PC      string   `json:"pc"`                // hexadecimal
	Symbol  string   `json:"symbol,omitempty"`  // function+offset of the pc
	Source  string   `json:"source,omitempty"`  // file:line of the pc
	Hint    string   `json:"hint,omitempty"`
	Map     []string `json:"map,omitempty"` // one line per window
}

// String returns the report in lines.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  at pc %s", r.What, r.PC)
	if r.Symbol != "" {
		fmt.Fprintf(&b, " in %s", r.Symbol)
	}
	if r.Source != "" {
		fmt.Fprintf(&b, ", %s", r.Source)
	}
	b.WriteByte('\n')
	if r.Hint != "" {
		fmt.Fprintf(&b, "  hint: %s\n", r.Hint)
	}
	if len(r.Map) > 0 {
		b.WriteString("  address map:\n")
		for _, line := range r.Map {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	return b.String()
}

// place names an address: function+0xoffset, or nothing.
func (s *System) place(addr uint32) string {
	name, offset := s.file.Symbol(addr)
	switch {
	case name == "":
		return ""
	case offset == 0:
		return name
	}
	return fmt.Sprintf("%s+0x%x", name, offset)
}

func (s *System) report(pc uint32, what, hint string) *Report {
	r := &Report{What: what, PC: fmt.Sprintf("0x%08x", pc), Symbol: s.place(pc), Hint: hint}
	if file, line, ok := s.file.Line(pc); ok {
		r.Source = fmt.Sprintf("%s:%d", file, line)
	}
	return r
}

// faultReport describes an access that could not be answered.
func (s *System) faultReport(f *bus.Fault, pc, addr uint32, access bool) *Report {
	r := s.report(pc, f.What, f.Hint)
	if access {
		r.Address = fmt.Sprintf("0x%08x", addr)
	}
	if f.Target != "" && !strings.Contains(f.What, f.Target) {
		r.What = f.Target + ": " + f.What
	}
	if f.Kind == bus.Unmapped {
		for line := range strings.Lines(s.space.Text()) {
			r.Map = append(r.Map, strings.TrimSuffix(line, "\n"))
		}
	}
	return r
}

// unitOf names an accelerator with the instruction at an address, if it is one of an
// accelerator's own and not attached.
func (s *System) unitOf(pc uint32) string {
	b, ok := s.bytes(pc, 4)
	if !ok {
		return ""
	}
	word := binary.LittleEndian.Uint32(b)
	for _, name := range []string{"shake-lsux", "shake-reg", "shake-regx", "ascon-reg", "ascon-regx"} {
		c, err := accel.Parse(name)
		if err != nil {
			continue
		}
		u, err := accel.New(c, nil)
		if err != nil {
			continue
		}
		for _, in := range u.Instructions() {
			if word&in.Mask == in.Match {
				return "--accel " + name
			}
		}
	}
	return ""
}

// stopped turns the core's reason to stop into an exit, but for limits.
func (s *System) stopped(stop rv32.Stop) Exit {
	switch stop.Reason {
	case rv32.StopSelfLoop:
		return Exit{Reason: SelfLoop, Report: s.report(stop.PC, "an instruction jumps to itself and no interrupt can come",
			"a program ends by semihosting, a store to tohost, or ecall with a7 = 93; it may have stopped in an error handler")}
	case rv32.StopAsleepForever:
		return Exit{Reason: AsleepForever, Report: s.report(stop.PC, "asleep in wfi and nothing can wake the core",
			"enable the interrupt in mie, and at the device, before wfi")}
	case rv32.StopFault:
		reason := DeviceError
		if stop.Fault.Kind == bus.Unmapped {
			reason = Unmapped
		}
		return Exit{Reason: reason, Report: s.faultReport(stop.Fault, stop.PC, stop.Request.Addr, stop.Request.Bytes != 0)} // an instruction may be wrong without an access
	case rv32.StopFetch:
		return Exit{Reason: FetchError, Report: s.fetchReport(stop.PC)}
	}
	panic(fmt.Sprintf("BUG: soc: the core stopped for reason %d", stop.Reason))
}

// vectorBytes is the size of the vector table: 32 instructions.
const vectorBytes = 128

// trapCauses names the exceptions this core takes.
var trapCauses = map[uint32]string{2: "illegal instruction", 3: "ebreak", 11: "ecall"}

// fetchReport describes a pc outside RAM: a trap without a handler, or a jump
// through a bad pointer.
func (s *System) fetchReport(pc uint32) *Report {
	if ram := s.platform.RAM; pc-ram.Base < ram.Size { // only its second half is missing
		return s.report(pc, fmt.Sprintf("the instruction at 0x%08x runs over the end of RAM", pc), "the program ran off the end of its code")
	}
	what := fmt.Sprintf("instruction fetch outside RAM at 0x%08x", pc)
	mcause, _ := s.hart.CSR(csrMcause)
	if vectors := s.resetMtvec &^ 0xff; pc-vectors < vectorBytes && s.handlerMissing() && mcause != 0 {
		mepc, _ := s.hart.CSR(csrMepc)
		cause := trapCauses[mcause]
		if cause == "" {
			cause = fmt.Sprintf("trap with mcause 0x%x", mcause)
		}
		r := s.report(mepc, what+": "+cause+" without a handler", "set mtvec to a handler before anything can trap")
		if unit := s.unitOf(mepc); mcause == 2 && unit != "" {
			r.Hint = "this is an instruction of a hash unit: attach one that has it, as " + unit + ", or set mtvec to a handler"
		} else if mcause == 2 {
			r.Hint = "the core is RV32IMC_Zicsr_Zifencei without FPU and atomics; compile with -march=rv32imc_zicsr_zifencei -mabi=ilp32, or set mtvec to a handler"
		}
		return r
	}
	r := s.report(pc, what, "a jump through a bad pointer, or a return to an overwritten address")
	if ra := s.hart.X(regRA); s.place(ra) != "" {
		r.Hint += fmt.Sprintf("; ra points behind a call in %s", s.place(ra))
	}
	return r
}
