// Package device is the SDitH coprocessor as a program sees it: the pipeline of package
// socsim/sdith/pipeline behind a window of registers and memories on the bus.
//
// Firmware stores the secret key to KEY, the entropy to ENTROPY and the message to
// MESSAGE, its length to LENGTH, and START to CTRL; it waits for DONE, by STATUS or by the
// interrupt, and loads the signature from SIGNATURE. Words are bytes in memory order. What
// the device is can be read: CONFIG, KEY_BYTES and those beside it.
//
// The signature is made when START is granted, on the host, and with it is known what it
// takes; until the cycle in which it is there, nothing of it can be seen but counters.
//
// Left out: accesses of less than a word, a way to read key, message or entropy back, and
// verification, which the hardware has not. All latencies of the register port are
// assumed, the plainest registered design; those of the hardware are the pipeline's.
//
// # Time
//
// The register port grants one access a cycle, at once, and answers in the next cycle.
// Nothing is ever withheld. A store granted in cycle g acts at the end of g: its effect is
// seen from g+1. With C cycles for the signature, that is ceil(cycles of the pipeline x
// [Config].ClockRatio), START granted in g means
//
//	g+1 .. g+C   BUSY
//	g+C+1        DONE of STATUS, until START or RESET; DONE of IRQ, until 1 is written to it
//	             or RESET; the first cycle in which the signature can be read
//
// A job that sets DONE of IRQ in the cycle in which it is cleared wins. Interrupt line 18
// is DONE of IRQ and IRQ_ENABLE. The answer to a load of STATUS has the role busy if BUSY
// is set.
//
// A START that is refused takes no time: ERROR of STATUS, with the reason in CODE, and DONE
// of IRQ are set from g+1. (Hardware would find out in phase X that a witness does not
// belong to its key; here that takes no time either.) Refused are
//
//	NO_KEY        not every word of KEY was written since reset
//	NO_ENTROPY    not every word of ENTROPY was written since the latest START, refused or not:
//	              two signatures with the same entropy give the key away
//	LONG_MESSAGE  LENGTH is more than MESSAGE_MAX, 4096 bytes
//	BAD_KEY       KEY is no secret key of the parameter set
//	BAD_WITNESS   its witness does not belong to its public key
//	NO_PROOF      no counter gives a proof of work
//
// in this order. The first few go into the result of the run, too ([Device.Notes]). MESSAGE
// keeps what it had: bytes that were never written are zero, and a message of LENGTH 0 is
// one. There is no signature after a refused START.
//
// RESET granted in g abandons what is being signed: from g+1 on all is as out of reset, but
// for IRQ_ENABLE.
//
// # Counters
//
// CYCLES counts cycles of the core in which BUSY was set, PHASE those of each phase. Phases
// overlap; a cycle counts for the first one, in the order of the table, that is not over. So
// the phases add up to CYCLES at every moment, and at the end each has the cycles that the
// pipeline books for it. A load in cycle c has what passed before c. Counters are 64 bits in
// two words, which are not held for each other: while BUSY a program reads high, low and
// high again. They keep their values until START or RESET.
//
// # Bad use
//
// ends the run with a report that names register and remedy: START while BUSY, or together
// with RESET; LENGTH, KEY, ENTROPY or MESSAGE written while BUSY; SIGNATURE read without
// DONE; words beyond the end of a window in this configuration; accesses of less than a
// word; stores to read-only and loads from write-only registers; offsets without a
// register.
//
// # Example
//
// A level-1 key (41 words), entropy (8 words) and a message of 33 bytes (9 words) behind
// the apb hop (answers of loads 2, of stores 3 cycles later, one transaction at a time),
// each access requested in the cycle after the previous grant. A store granted in g is
// answered in g+4, a load in g+3, and the next access is granted then:
//
//	cycle        what happens
//	4k           word k of key, entropy and message granted, k = 0 .. 57: 0, 4, ... 228
//	232          LENGTH granted
//	236          START granted
//	237 .. 236+C BUSY
//	240+3k       STATUS loaded, k = 0, 1, ...; the first one from 237+C on finds DONE
//	d+3+3k       word k of the signature granted, d being the cycle of that load
package device
