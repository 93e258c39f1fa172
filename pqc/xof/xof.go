// Package xof is how schemes see a hash: the small interface [State], the value
// [Function] that names a hash and makes States of it, and the families of
// functions that an accelerator offers together.
//
// A scheme written against it runs over every function here. Only over the
// functions of family [SHAKE] is it the standard's scheme; over any other it is
// our own instance and has to be labelled so. Left out: hash functions that are
// not sponges in this sense (SHA-2), keyed modes, and domain separation, which
// is the scheme's.
package xof

import (
	"fmt"

	"socsim/pqc/ascon"
	"socsim/pqc/keccak"
)

// State is one running computation of an extendable-output function. The order
// of calls is any number of Absorb, then any number of Squeeze, then Reset; how
// a message or an output is split over calls makes no difference. A State is
// meant to be kept and reset: no call allocates.
type State interface {
	Reset()               // drop everything, start an empty message
	Absorb(p []byte)      // append p to the message
	Squeeze(p []byte)     // end the message if it is open; fill p with the next output
	Permutations() uint64 // permutations since the State was made, Reset included
	Initial() uint64      // of these, the ones that only depend on the function: a unit or a program may hold their result
}

// Function is an extendable-output function. New returns a State of its own
// with an empty message.
type Function struct {
	Name string
	New  func() State
}

// Sum writes the first len(out) bytes of f's output for message m to out and
// returns the number of permutations it took.
func (f Function) Sum(out, m []byte) uint64 {
	s := f.New()
	s.Absorb(m)
	s.Squeeze(out)
	return s.Permutations()
}

// Sponge returns the function that the Keccak sponge s computes.
func Sponge(s keccak.Spec) Function {
	return Function{Name: s.Name, New: func() State { return keccak.New(s) }}
}

// AsconSponge returns the function that the Ascon sponge s computes. Its States
// count the initial permutation of every message too.
func AsconSponge(s ascon.Spec) Function {
	return Function{Name: s.Name, New: func() State { return ascon.New(s) }}
}

// Mode selects one function of a family. The numbers are those of the mode
// register of the hash accelerators.
type Mode uint32

const (
	XOF128  Mode = iota // SHAKE128 in family SHAKE; the Ascon families have one function for all modes
	XOF256              // SHAKE256
	Hash256             // SHA3-256
	Hash512             // SHA3-512
	Modes               // how many there are
)

// Family is the set of functions that one kind of accelerator computes. Number
// is what the SoC-info device and the firmware's record call it.
type Family struct {
	Number    uint32
	Name      string
	Functions [Modes]Function
}

// The families.
var (
	// SHAKE are the functions of FIPS 202.
	SHAKE = Family{1, "shake", [Modes]Function{
		Sponge(keccak.SHAKE128), Sponge(keccak.SHAKE256),
		Sponge(keccak.SHA3_256), Sponge(keccak.SHA3_512),
	}}

	// SHAKE12 are the same sponges over the last 12 rounds.
	SHAKE12 = Family{2, "shake12", [Modes]Function{
		Sponge(keccak.SHAKE128x12), Sponge(keccak.SHAKE256x12),
		Sponge(keccak.SHA3_256x12), Sponge(keccak.SHA3_512x12),
	}}

	// ASCON is Ascon-Xof of Ascon v1.2.
	ASCON = Family{3, "ascon", oneSponge(ascon.Xof)}

	// ASCON8 is Ascon-Xofa of Ascon v1.2, which has 8 rounds between blocks.
	ASCON8 = Family{4, "ascon8", oneSponge(ascon.Xofa)}

	// ASCON128 is Ascon-XOF128 of NIST SP 800-232.
	ASCON128 = Family{5, "ascon128", oneSponge(ascon.XOF128)}
)

// oneSponge is the family of a unit with one sponge: every mode is the same XOF,
// which the hashes cut off. So a scheme that takes its functions from several modes
// gets one function for all, without separation between them; no standard defines
// that, it is our own instance.
func oneSponge(s ascon.Spec) (f [Modes]Function) {
	for m := range f {
		f[m] = AsconSponge(s)
	}
	return f
}

// Families lists all families, in order of their numbers.
var Families = []Family{SHAKE, SHAKE12, ASCON, ASCON8, ASCON128}

// FamilyByNumber returns the family with that number.
func FamilyByNumber(number uint32) (Family, error) {
	for _, f := range Families {
		if f.Number == number {
			return f, nil
		}
	}
	known := ""
	for _, f := range Families {
		known += fmt.Sprintf(", %d %s", f.Number, f.Name)
	}
	return Family{}, fmt.Errorf("no XOF family has number %d (known: %s)", number, known[2:])
}

// Function returns the family's function for mode m.
func (f Family) Function(m Mode) (Function, error) {
	if m >= Modes {
		return Function{}, fmt.Errorf("family %s has no mode %d, the highest is %d", f.Name, m, Modes-1)
	}
	return f.Functions[m], nil
}
