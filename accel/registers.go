package accel

import "socsim/bus"

// wordBytes is the width of every register and FIFO entry.
const wordBytes = 4

// Access says what a register allows.
type Access uint8

const (
	ReadWrite     Access = iota
	ReadOnly             // a store is a device error
	WriteOnly            // a load is a device error
	WriteOneClear        // loads read it, a store clears the bits that are 1 in it
)

// String returns the usual abbreviation.
func (a Access) String() string { return [...]string{"RW", "R", "W", "RW1C"}[a] }

// Register is one entry of the register table.
type Register struct {
	Name   string
	Offset uint32 // from the base of the window
	Access Access
	Reset  uint32 // value read out of reset, with the default configuration
	Role   bus.Role
	Text   string
	Fields []Field

	// Alias is the offset of AliasWords consecutive words that are all the same
	// port: unrolled code may use consecutive addresses.
	Alias      uint32
	AliasWords uint32

	// Words is the number of consecutive words from Offset that are one of these
	// each; 0 stands for 1.
	Words uint32

	port port
}

// Field is a bit field of a register.
type Field struct {
	Name      string
	Low, Bits uint // least significant bit and width
	Text      string
}

// Mask returns the field's bits in place.
func (f Field) Mask() uint32 { return (1<<f.Bits - 1) << f.Low }

// port is what a register does; the engines switch on it.
type port uint8

const (
	portControl port = iota
	portMode
	portOutlen
	portLast
	portStatus
	portIRQ
	portIRQEnable
	portID
	portIn
	portOut
	portAccess
	portState
	portSource
	portDestination
	portLength
)

// Bits of the registers, for the engine. A test holds them against the table.
const (
	controlInit = 1 << 0

	lastBytesShift = 24 // LAST: number of tail bytes
	lastBytesMask  = 0xff
	maxTail        = wordBytes - 1

	statusBusy      = 1 << 0
	statusAbsorbing = 1 << 1
	statusSqueezing = 1 << 2
	statusInEmpty   = 1 << 3
	statusInFull    = 1 << 4
	statusOutValid  = 1 << 5
	statusError     = 1 << 6
	statusInShift   = 8
	statusOutShift  = 16
	statusCountMax  = 0xff

	irqDone = 1 << 0

	idCouplingShift = 8
	idDepthShift    = 16
)

// Registers is the register table of the FIFO engine: the model dispatches from
// it, and the C header and the documentation are written from it.
var Registers = []Register{
	{Name: "CTRL", Offset: 0x00, Access: WriteOnly, Role: bus.RoleControl, port: portControl,
		Text: "Starts a message.",
		Fields: []Field{
			{"INIT", 0, 1, "drop everything (state zero, FIFOs empty, DONE clear, a running permutation is abandoned) and open a message in the mode of MODE"},
		}},
	{Name: "MODE", Offset: 0x04, Access: ReadWrite, Reset: 1, Role: bus.RoleControl, port: portMode,
		Text: "The sponge. Takes effect at the next INIT."},
	{Name: "OUTLEN", Offset: 0x08, Access: ReadWrite, Role: bus.RoleControl, port: portOutlen,
		Text: "Output bytes wanted since INIT in total. Keeps its value over INIT. May be raised while squeezing, from a multiple of 4 if that much was read already."},
	{Name: "LAST", Offset: 0x0c, Access: WriteOnly, Role: bus.RoleControl, port: portLast,
		Text: "Ends the message. Not a FIFO entry: it takes effect when the input FIFO has drained.",
		Fields: []Field{
			{"TAIL", 0, 24, "the tail bytes, the first one lowest; those beyond BYTES are ignored"},
			{"BYTES", 24, 8, "number of tail bytes, 0 to 3"},
		}},
	{Name: "STATUS", Offset: 0x10, Access: ReadOnly, Reset: statusAbsorbing | statusInEmpty, Role: bus.RoleStatus, port: portStatus,
		Text: "State of the unit in the cycle of the grant.",
		Fields: []Field{
			{"BUSY", 0, 1, "a permutation runs (not in the padding cycle before it: to wait for output poll OUT_VALID)"},
			{"ABSORBING", 1, 1, "the message is open: from INIT or reset to LAST"},
			{"SQUEEZING", 2, 1, "LAST was written, even if words before it still wait to be absorbed"},
			{"IN_EMPTY", 3, 1, "no word in the input FIFO"},
			{"IN_FULL", 4, 1, "no room in the input FIFO: a store to DIN waits"},
			{"OUT_VALID", 5, 1, "a load from DOUT does not wait"},
			{"ERROR", 6, 1, "bad use; the simulator ends the run there, so firmware never reads it set"},
			{"IN_WORDS", 8, 8, "words in the input FIFO, at most 255"},
			{"OUT_WORDS", 16, 8, "words in the output FIFO, at most 255"},
		}},
	{Name: "IRQ", Offset: 0x14, Access: WriteOneClear, Role: bus.RoleControl, port: portIRQ,
		Text: "Interrupt cause. The line is DONE and IRQ_ENABLE.DONE.",
		Fields: []Field{
			{"DONE", 0, 1, "the first output word of a block became available; write 1 to clear"},
		}},
	{Name: "IRQ_ENABLE", Offset: 0x18, Access: ReadWrite, Role: bus.RoleControl, port: portIRQEnable,
		Text: "Interrupt enable.",
		Fields: []Field{
			{"DONE", 0, 1, "DONE raises the interrupt line"},
		}},
	{Name: "ID", Offset: 0x1c, Access: ReadOnly, Reset: 42<<idDepthShift | uint32(FIFO)<<idCouplingShift | 1, Role: bus.RoleStatus, port: portID,
		Text: "What the unit is.",
		Fields: []Field{
			{"XOF", 0, 8, "number of the hash"},
			{"COUPLING", 8, 8, "number of the coupling"},
			{"DEPTH", 16, 16, "words the input FIFO holds"},
		}},
	{Name: "DIN", Offset: 0x20, Access: WriteOnly, Role: bus.RoleIn, port: portIn, Alias: 0x40, AliasWords: 16,
		Text: "Appends one word to the message: 4 bytes in memory order."},
	{Name: "DOUT", Offset: 0x24, Access: ReadOnly, Role: bus.RoleOut, port: portOut, Alias: 0x80, AliasWords: 16,
		Text: "Takes the next output word: 4 bytes in memory order, those beyond OUTLEN zero."},
}
