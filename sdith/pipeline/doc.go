// Package pipeline is a model of signing hardware for SDitH version 2: what units and
// memories it has, in which order it uses them, and how many cycles that takes. What it
// signs is signed: every seed, product and hash value is computed where the hardware
// would, out of the memories that it has, and the signature is that of package sdith.
//
// It mirrors SPEC, section 12, which describes what is known of the hardware of
// "Storing Less in-the-Head": two cores for AES or Rijndael, one for SHAKE, one
// multiplier of the field, block memories, a sequencer, and twelve configurations. The
// hardware itself was not available. What is inferred or assumed says so; see also the
// project's RATIONALE.
//
//	K   fill     root_seed -> the 2^D seeds of level D in the cache
//	G   commit   cache -> all leaves in the order of the known answers -> h_com
//	W1  VOLE     cache -> leaves, one repetition after the other -> u, C_e, h_aux
//	W2  VOLE     the same leaves again -> a_plain, a_base, dwit, P0, h_lines
//	B   batch    h_lines -> γ, γ', ybar
//	W3  VOLE     the same leaves again -> the rows of the witness (only HP0)
//	X   PIOP     H, γ, witness -> S
//	H   hash     S, P0, message -> α, h_piop
//	P   proof    h_piop -> ctr, istar
//	O   open     cache, istar -> path, hcom_hidden
//
// The files follow that: walk.go has K, G and the way to a leaf, vole.go a pass over
// all leaves, consistency.go what W2 makes of one, piop.go B, X and H, open.go P and O.
// Units are in ciphers.go, shake.go and product.go, memories in memory.go.
//
// Time is kept by what is used: a unit or the port of a memory takes its operations in
// the order in which the sequencer gives them, each as soon as its operands are there
// and the unit is free. So phases overlap where no unit and no operand keeps them
// apart, and only there. Costs says what an operation takes.
//
// Left out: the time to load a key and to read a signature, which is the bus's (see
// sdith/device); areas other than bits of memory and numbers of units.
package pipeline
