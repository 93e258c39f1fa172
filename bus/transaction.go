package bus

import "socsim/clock"

// Request is one transaction as an initiator issues it. A misaligned access is
// two requests: the initiator splits it.
type Request struct {
	Addr  uint32      // byte address; a target sees its offset in its window
	Bytes uint8       // 1, 2 or 4; Addr is a multiple of it, or the bytes lie within one word
	Write bool        // direction
	Data  uint32      // written value, in the low Bytes bytes
	At    clock.Cycle // the request cycle
}

// Response is the answer to a Request. Data is the value read, in the low
// Request.Bytes bytes, zero above.
type Response struct {
	Data  uint32
	Grant clock.Cycle // the request is accepted in this cycle, >= Request.At
	Valid clock.Cycle // the answer is there in this cycle, >= Grant+1

	// Cycles HeldFrom <= c < HeldTo are those in which the device itself
	// withheld grant or answer, and Cause is why. Waits of bridges on the way
	// are not in it. Empty (0, 0) when the device did not make anyone wait.
	HeldFrom, HeldTo clock.Cycle
	Cause            Cause

	Role  Role   // what the access is for
	Fault *Fault // not nil: the access cannot be answered; the run ends here
}

// Cause says why a device withheld a grant or an answer.
type Cause uint8

const (
	NotHeld     Cause = iota
	InputFull         // no room in the input FIFO: the grant waits
	Permuting         // no output yet because a permutation runs: the answer waits
	OutputEmpty       // no output yet for any other reason: the answer waits
	Causes            // how many there are
)

// Role says what an access to a device register is for, so that transfers of
// firmware without ledger sections can be told from its other work.
type Role uint8

const (
	NoRole      Role = iota
	RoleIn           // takes message or key words
	RoleOut          // gives digest or result words
	RoleControl      // sets up, starts, acknowledges
	RoleStatus       // tells whether the device is busy
	RoleBusy         // ... and in this answer it is
	Roles            // how many there are
)

// FaultKind tells an access to nothing from an access a device refuses.
type FaultKind uint8

const (
	Unmapped    FaultKind = iota // no window holds the address
	DeviceError                  // the device says the access makes no sense
)

// Fault describes an access that cannot be answered. What is wrong and how to
// mend it are one sentence each.
type Fault struct {
	Kind   FaultKind
	Target string // name of the window, empty when unmapped
	What   string
	Hint   string
}

func (f *Fault) Error() string {
	if f.Hint == "" {
		return f.What
	}
	return f.What + " (" + f.Hint + ")"
}

// Target is a device as the bus sees it. Access performs the transaction whose
// request reaches the device in cycle r.At; successive calls never go back in
// time. The device first brings itself up to that cycle.
type Target interface {
	Access(r Request) Response
}

// Line drives an interrupt input of the core: it has the given level from
// cycle from on. Calls never go back in time.
type Line func(high bool, from clock.Cycle)
