package device

import (
	"fmt"
	"strings"

	"socsim/accel"
	"socsim/bus"
	"socsim/sdith"
	"socsim/sdith/pipeline"
)

// Addresses of the window on the default platform, and the fast interrupt line.
const (
	Base = 0x1400_0000
	Size = 0x10_0000
	Line = 18
)

// wordBytes is the width of every register.
const wordBytes = 4

// Offsets. What hash units have, too, is where they have it.
const (
	offControl   = 0x00
	offLength    = 0x04
	offStatus    = 0x10
	offIRQ       = 0x14
	offIRQEnable = 0x18
	offID        = 0x1c
	offConfig    = 0x20
	offKeySize   = 0x24
	offEntropy   = 0x28
	offMessage   = 0x2c
	offSignature = 0x30
	offAttempts  = 0x34
	offTotal     = 0x40
	offPhases    = 0x48

	offKeyWindow       = 0x1000
	offEntropyWindow   = 0x2000
	offMessageWindow   = 0x4000
	offSignatureWindow = 0x1_0000
)

// Bits. A test holds them against the table.
const (
	controlStart = 1 << 0
	controlReset = 1 << 1

	statusBusy  = 1 << 0
	statusDone  = 1 << 1
	statusError = 1 << 2
	statusIdle  = 1 << 3
	statusCode  = 8 // shift

	irqDone = 1 << 0

	configLevel      = 0 // shift
	configShort      = 1 << 4
	configHalfPoly   = 1 << 5
	configHCom       = 1 << 6
	configPath       = 8  // shift
	configCacheDepth = 16 // shift

	// idValue is the bytes 1, "2DS" in memory.
	idValue = 0x53443201
)

// Code says why a START was refused: field CODE of STATUS.
type Code uint32

const (
	NoError     Code = iota
	NoKey            // not every word of KEY was written since reset
	NoEntropy        // not every word of ENTROPY was written since reset, or since the latest START
	LongMessage      // LENGTH is more than MESSAGE_MAX
	BadKey           // no secret key of the parameter set
	BadWitness       // a secret key whose witness does not belong to its public key
	NoProof          // no counter gives a proof of work
)

// codes has the name of each code in C and what it means.
var codes = []struct {
	code       Code
	name, text string
}{
	{NoError, "NONE", "no START was refused"},
	{NoKey, "NO_KEY", "not every word of KEY was written since reset"},
	{NoEntropy, "NO_ENTROPY", "not every word of ENTROPY was written since reset, or since the latest START, which uses it up"},
	{LongMessage, "LONG_MESSAGE", "LENGTH is more than MESSAGE_MAX"},
	{BadKey, "BAD_KEY", "KEY is no secret key of the parameter set"},
	{BadWitness, "BAD_WITNESS", "the witness of KEY does not belong to its public key"},
	{NoProof, "NO_PROOF", "no counter gives a proof of work"},
}

// String says what the code means.
func (c Code) String() string {
	for _, x := range codes {
		if x.code == c {
			return x.text
		}
	}
	return fmt.Sprintf("code %d", uint32(c))
}

// Registers is the register table: the model dispatches from it, and the C header and
// the documentation are written from it. Windows have the words of the largest
// parameter set; with a smaller one the rest is not there.
var Registers = []accel.Register{
	{Name: "CTRL", Offset: offControl, Access: accel.WriteOnly, Role: bus.RoleControl,
		Text: "Starts a signature, or ends everything.",
		Fields: []accel.Field{
			{Name: "START", Low: 0, Bits: 1, Text: "sign the first LENGTH bytes of MESSAGE; not while BUSY, and not together with RESET"},
			{Name: "RESET", Low: 1, Bits: 1, Text: "abandon what is being signed, clear key, message, entropy, signature, LENGTH, counters, DONE and ERROR; IRQ_ENABLE stays"},
		}},
	{Name: "LENGTH", Offset: offLength, Access: accel.ReadWrite, Role: bus.RoleControl,
		Text: "Bytes of the message. Keeps its value; not to be written while BUSY. With more than MESSAGE_MAX a START is refused."},
	{Name: "STATUS", Offset: offStatus, Access: accel.ReadOnly, Reset: statusIdle, Role: bus.RoleStatus,
		Text: "State in the cycle of the grant. One of the four bits is set.",
		Fields: []accel.Field{
			{Name: "BUSY", Low: 0, Bits: 1, Text: "a signature is being made"},
			{Name: "DONE", Low: 1, Bits: 1, Text: "the signature that was started last is in SIGNATURE"},
			{Name: "ERROR", Low: 2, Bits: 1, Text: "the latest START was refused, for the reason in CODE"},
			{Name: "IDLE", Low: 3, Bits: 1, Text: "nothing was started since reset"},
			{Name: "CODE", Low: statusCode, Bits: 8, Text: "why a START was refused, 0 without ERROR"},
		}},
	{Name: "IRQ", Offset: offIRQ, Access: accel.WriteOneClear, Role: bus.RoleControl,
		Text: "Interrupt cause. The line is DONE and IRQ_ENABLE.DONE.",
		Fields: []accel.Field{
			{Name: "DONE", Low: 0, Bits: 1, Text: "a signature was made, or a START refused; write 1 to clear"},
		}},
	{Name: "IRQ_ENABLE", Offset: offIRQEnable, Access: accel.ReadWrite, Role: bus.RoleControl,
		Text: "Interrupt enable.",
		Fields: []accel.Field{
			{Name: "DONE", Low: 0, Bits: 1, Text: "DONE raises the interrupt line"},
		}},
	{Name: "ID", Offset: offID, Access: accel.ReadOnly, Reset: idValue, Role: bus.RoleStatus,
		Text: "What the device is.",
		Fields: []accel.Field{
			{Name: "VERSION", Low: 0, Bits: 8, Text: "of this table: 1"},
			{Name: "SCHEME", Low: 8, Bits: 24, Text: "0x534432, SDitH version 2"},
		}},
	{Name: "CONFIG", Offset: offConfig, Access: accel.ReadOnly, Reset: 8<<configCacheDepth | 1, Role: bus.RoleStatus,
		Text: "The configuration.",
		Fields: []accel.Field{
			{Name: "LEVEL", Low: configLevel, Bits: 4, Text: "security level: 1, 3 or 5"},
			{Name: "SHORT", Low: 4, Bits: 1, Text: "short signatures; 0: fast signing"},
			{Name: "HP", Low: 5, Bits: 1, Text: "HP1, two passes over the leaves; 0: HP0, three"},
			{Name: "HCOM_IN_PHASE12", Low: 6, Bits: 1, Text: "commitments are hashed in the order of W1: signatures are not valid ones"},
			{Name: "PATH", Low: configPath, Bits: 2, Text: "path registers: 0 single, 1 none, 2 both"},
			{Name: "CACHE_DEPTH", Low: configCacheDepth, Bits: 8, Text: "levels of the tree that are cached"},
		}},
	{Name: "KEY_BYTES", Offset: offKeySize, Access: accel.ReadOnly, Reset: uint32(sdith.Cat1Fast.SecretKeySize()), Role: bus.RoleStatus,
		Text: "Bytes of a secret key."},
	{Name: "ENTROPY_BYTES", Offset: offEntropy, Access: accel.ReadOnly, Reset: uint32(2 * sdith.Cat1Fast.SeedSize()), Role: bus.RoleStatus,
		Text: "Bytes of the entropy of a signature: salt, then root seed."},
	{Name: "MESSAGE_MAX", Offset: offMessage, Access: accel.ReadOnly, Reset: pipeline.MaxMessage, Role: bus.RoleStatus,
		Text: "Bytes a message can have."},
	{Name: "SIGNATURE_BYTES", Offset: offSignature, Access: accel.ReadOnly, Reset: uint32(sdith.Cat1Fast.SignatureSize()), Role: bus.RoleStatus,
		Text: "Bytes of a signature."},
	{Name: "ATTEMPTS", Offset: offAttempts, Access: accel.ReadOnly, Role: bus.RoleStatus,
		Text: "Attempts that the proof of work took; 0 until DONE."},
	{Name: "CYCLES", Offset: offTotal, Access: accel.ReadOnly, Words: 2, Role: bus.RoleStatus,
		Text: "Cycles since START, to DONE: low word, then high word. While BUSY read high, low and high again."},
	{Name: "PHASE", Offset: offPhases, Access: accel.ReadOnly, Words: 2 * pipeline.NumPhases, Role: bus.RoleStatus,
		Text: "Cycles of each phase, low word, then high word, in the order K, G, W1, W2, B, W3, X, H, P, O. A cycle counts for the first phase that is not over."},
	{Name: "KEY", Offset: offKeyWindow, Access: accel.WriteOnly, Words: words(largest((*sdith.Params).SecretKeySize)), Role: bus.RoleIn,
		Text: "Secret key: 4 bytes in memory order a word, those beyond KEY_BYTES ignored. Keeps its value."},
	{Name: "ENTROPY", Offset: offEntropyWindow, Access: accel.WriteOnly, Words: words(2 * largest((*sdith.Params).SeedSize)), Role: bus.RoleIn,
		Text: "Entropy of the next signature, which uses it up."},
	{Name: "MESSAGE", Offset: offMessageWindow, Access: accel.WriteOnly, Words: words(pipeline.MaxMessage), Role: bus.RoleIn,
		Text: "Message: 4 bytes in memory order a word, those beyond LENGTH ignored. Keeps its value."},
	{Name: "SIGNATURE", Offset: offSignatureWindow, Access: accel.ReadOnly, Words: words(largest((*sdith.Params).SignatureSize)), Role: bus.RoleOut,
		Text: "The signature, while DONE: 4 bytes in memory order a word, those beyond SIGNATURE_BYTES zero."},
}

var table = accel.NewTable("SDitH coprocessor", Registers)

// RegisterBytes is how much of its window the device needs.
func RegisterBytes() uint32 {
	last := Registers[len(Registers)-1]
	return last.Offset + last.Words*wordBytes
}

// words is how many words n bytes take.
func words(n int) uint32 { return uint32(n+wordBytes-1) / wordBytes }

// largest returns the largest size of all parameter sets.
func largest(size func(*sdith.Params) int) (n int) {
	for _, p := range sdith.Sets {
		n = max(n, size(p))
	}
	return n
}

// Header returns what the C header of the registers says of the device.
func Header() string {
	var b strings.Builder
	define := func(name, format string, v any) { accel.Define(&b, "SDITH_"+name, format, v) }
	b.WriteString("/* SDitH coprocessor: window and interrupt line */\n")
	define("BASE", "0x%08x", Base)
	define("LINE", "%d", Line)
	b.WriteString("\n/* SDitH coprocessor: offsets and bits of its registers */\n")
	accel.Defines(&b, "SDITH", Registers)
	b.WriteString("\n/* SDitH coprocessor: values of STATUS.CODE */\n")
	for _, c := range codes {
		define("ERROR_"+c.name, "%d", uint32(c.code))
	}
	b.WriteString("\n/* SDitH coprocessor: places in PHASE, in two words each */\n")
	for p := range pipeline.Phase(pipeline.NumPhases) {
		define("PHASE_"+p.String(), "%d", int(p))
	}
	return b.String()
}

// Markdown returns the section of docs/registers.md on the device.
func Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, `## SDitH coprocessor

Window at 0x%08x, %d bytes, word accesses only.
Interrupt line %d. A register write granted in cycle g acts from cycle g+1; exact timing is in the documentation of package sdith/device.
In C a name has the prefix SOCSIM_SDITH_.

`, Base, Size, Line)
	accel.Page(&b, "SDitH coprocessor", Registers)
	b.WriteString("\n### CODE of STATUS, SDitH coprocessor\n\n| value | name | meaning |\n|---|---|---|\n")
	for _, c := range codes {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", c.code, c.name, c.text)
	}
	return b.String()
}
