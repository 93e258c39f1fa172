// Package accel models hash accelerators: which hash, and how it is coupled to
// the core. One is named xof-coupling; [List] has all names
// and says which can be built. Today that is ram, fifo and lsu for every hash, and
// none, which is software hashing.
//
// A hash is a value of [XOF], a permutation unit a few numbers in [Config]. README.md
// adds a hash that is none of [XOFs].
// [StateRAM] is coupling ram for any of them, a state that is a memory. The FIFO
// engine [Engine] works for any of them, too, and in any window: fifo is the
// engine behind a bus; lsu is the same engine decoded at the load/store unit, so
// that an access is granted at once and answered in the next cycle, as by RAM,
// unless a FIFO makes it wait. (A bus without waits that takes a request a cycle,
// as the preset obi, gives the same cycles.)
//
// A unit for one of the Ascons has one sponge, and every value of the FIFO
// engine's MODE is that sponge. It holds the state after the initial permutation, which is the same for
// every message, so it runs one permutation less a message than a reference that
// counts it. Left out: protection against side channels, key
// handling, and sub-word accesses. All latencies below are assumed, the
// plainest registered design that does it; no figure here is one
// of the study that the axes are taken from.
//
// # The FIFO engine
//
// Firmware sets MODE and OUTLEN, writes INIT, stores message words to DIN, ends
// the message with LAST and loads output words from DOUT. The unit absorbs,
// counts the rate, permutes, pads and squeezes by itself. Words are message
// bytes in memory order, whatever the byte order of the hash. Out of reset the
// unit is as after INIT in mode 1, with OUTLEN 0.
//
// In what follows a register write granted in cycle g acts at the end of g: its
// effect is seen from g+1. P is the length of a permutation, ceil(rounds x
// cycles per round) + start-up: by default 24 for shake, 12 for shake12, ascon and
// ascon128. For ascon8 it is 8 between blocks and 12 behind the padding.
//
// Input. A store to DIN granted in g puts a word into the input FIFO, where it
// is from g+1. Absorption starts with the first word, without waiting for a
// block: one word is absorbed in each cycle t in which the FIFO holds one and
// no permutation runs. When the word absorbed in t completes the rate, the
// permutation runs in t+1 .. t+P and the next word can be absorbed in t+P+1.
// Stores go on meanwhile, as long as the FIFO has room: this is what overlaps.
// A store to DIN with the FIFO full stalls: its grant is delayed to the first
// cycle with room, cause InputFull. Room made by an absorb in t can be used by a
// grant in t+1.
//
// Padding is the unit's work. LAST carries 0 to 3 tail bytes, those of a message
// that are no whole word. It is no FIFO entry and never stalls: granted in g, it
// waits until the FIFO has drained. The padding cycle, in which tail, suffix and
// final bit are XORed in, is the first cycle t >= g+1 with the input FIFO empty
// and no permutation running; the permutation runs in t+1 .. t+P. A message that
// fills its last block is permuted first, as always, and padded in a block of
// its own.
//
// Output. After a permutation with LAST seen, which ended in cycle e, words move
// from the state to the output FIFO, one a cycle: word k of the block in
// e+1+k, later if the FIFO has no room, as far as the rate and OUTLEN go. A word
// moved in m can be popped from m+1. A load from DOUT requested in cycle a is
// granted in a; its pop is in the first cycle p >= a in which a word can be
// popped, one a cycle, and its answer is valid in p+1. If that makes it wait,
// cycles a+1 .. p are withheld, cause Permuting if a permutation or its padding
// cycle runs in a, else OutputEmpty. Bytes beyond OUTLEN read as zero.
//
// When the last word of a block was popped, in p, and OUTLEN wants more, the next
// permutation runs in p+1 .. p+P. It never runs one that nobody asked for, and
// output does not overlap with permuting. OUTLEN may be raised while squeezing;
// if the block was used up, the permutation starts in the cycle after the grant.
// It may not be raised over bytes that were already read as zero. Lowered, it
// stops further words; those moved already stay in the FIFO.
//
// INIT drops everything at the end of its cycle, DONE included. A permutation
// that runs is abandoned, and the unit can absorb in the cycle after next.
//
// DONE of IRQ is set when the first output word of a block can be popped, two
// cycles after the permutation's last one, and stays until 1 is written to it; a
// block that sets it in the cycle in which it is cleared wins. Interrupt line 16
// is DONE and IRQ_ENABLE.
//
// The register port takes one access a cycle, in order. Only a load from DOUT is
// granted while an earlier load from DOUT still waits; it queues up behind it,
// one pop a cycle, and if it has to wait the cause is the earlier one's. Any
// other access is granted no earlier than the cycle after that pop, and the
// wait is withheld, too. Behind a serial bus this never shows.
//
// STATUS, in the cycle g of the grant of its load:
//
//	bit 0 BUSY        a permutation runs in g. Not set in the padding cycle or
//	                  while LAST waits for the FIFO to drain: poll OUT_VALID
//	bit 1 ABSORBING   the message is open: from the cycle after INIT (or reset)
//	                  to that of LAST
//	bit 2 SQUEEZING   LAST was granted before g; always the opposite of bit 1
//	bit 3 IN_EMPTY    the input FIFO holds no word
//	bit 4 IN_FULL     the input FIFO has no room: a store to DIN in g would wait
//	bit 5 OUT_VALID   a word can be popped in g and OUTLEN covers it
//	bit 6 ERROR       bad use happened. The simulator ends the run there, so
//	                  firmware reads 0
//	15:8, 23:16       words in the input and output FIFO, 255 if more
//
// The answer's role is busy if the padding cycle or a permutation is in g.
//
// Bad use ends the run with a report that names register and remedy: DOUT read
// before LAST, beyond OUTLEN or with OUTLEN 0; DIN or LAST written after LAST;
// more than 3 tail bytes; a mode that does not exist; OUTLEN raised over bytes
// read as zero; accesses of less than a word; stores to read-only and loads from
// write-only registers; offsets without a register.
//
// # One F call, word by word
//
// 64 bytes in, 16 bytes out, mode SHAKE256, OUTLEN 16 from before, P = 24.
//
// Zero wait, a store to DIN every two cycles (load and store of a word), LAST
// right behind the last of them and the first load right behind LAST:
//
//	cycle      what happens
//	0          INIT granted
//	2+2k       word k granted, k = 0 .. 15: 2, 4, ... 32
//	3+2k       word k absorbed: 3, 5, ... 33
//	33         LAST granted; in the same cycle word 15 is absorbed
//	34         padding cycle; load of word 0 requested and granted
//	35 .. 58   permutation
//	59 .. 62   words 0 .. 3 move to the output FIFO
//	60         word 0 popped, valid in 61: cycles 35 .. 60 withheld, Permuting
//	62         word 1 requested, granted and popped, valid in 63
//	64         word 2, valid in 65
//	66         word 3, valid in 67
//
// Behind the apb hop (answers of loads 2, of stores 3 cycles later, one
// transaction at a time), each access requested in the cycle after the previous
// grant, nothing between them. A store granted in g is answered in g+4, and the
// next access is granted then:
//
//	cycle      what happens
//	0          INIT granted
//	4+4k       word k granted, k = 0 .. 15: 4, 8, ... 64
//	5+4k       word k absorbed: 5, 9, ... 65
//	68         LAST granted
//	69         padding cycle; load of word 0 requested
//	70 .. 93   permutation
//	72         load of word 0 granted, when LAST is answered
//	94 .. 97   words 0 .. 3 move to the output FIFO
//	95         word 0 popped, valid at the unit in 96, at the core in 98:
//	           cycles 73 .. 95 withheld, Permuting
//	98         word 1 granted and popped, valid in 99, at the core in 101
//	101        word 2, valid at the core in 104
//	104        word 3, valid at the core in 107
//
// Over ascon the same call is 8 blocks of 2 words, the padded block, and 2 blocks
// out: 10 permutations of P = 12, with FIFOs of 2 words. Zero wait, a store to
// DIN every two cycles unless it is held:
//
//	cycle      what happens
//	0          INIT granted
//	2, 4       words 0 and 1 granted, absorbed in 3 and 5
//	6 .. 17    permutation 1
//	6, 8       words 2 and 3 granted: the FIFO is full
//	10         word 4 requested; cycles 10 .. 18 withheld, InputFull
//	18         word 2 absorbed, which makes room
//	19         word 4 granted; word 3 absorbed
//	20 .. 31   permutation 2
//	21         word 5 granted: the FIFO is full again
//	23         word 6 requested; it is held until word 4 is absorbed in 32
//	5+14k ..   and so on, a block in 14 cycles: its second word is absorbed in
//	           5+14k, permutation k+1 runs in 6+14k .. 17+14k, k = 0 .. 7
//	89, 91     words 14 and 15 granted
//	92         LAST granted, which never waits
//	93         load of word 0 requested and granted
//	102, 103   words 14 and 15 absorbed; permutation 8 in 104 .. 115
//	116        padding cycle
//	117 .. 128 permutation 9
//	129, 130   words 0 and 1 move to the output FIFO
//	130        word 0 popped, valid in 131: cycles 94 .. 130 withheld, Permuting
//	132        word 1 requested, granted and popped, valid in 133
//	133 .. 144 permutation 10, as OUTLEN wants more than this block
//	134        load of word 2 requested and granted
//	145, 146   words 2 and 3 move
//	146        word 2 popped, valid in 147: cycles 135 .. 146 withheld, Permuting
//	148        word 3, valid in 149
//
// ascon128 has the same cycles. ascon8 has a block in 10 cycles (permutations 1 to
// 8 and 10 take 8) and the last word valid in 113. Over ascon behind the apb hop,
// each access requested in the cycle after the previous grant:
//
//	cycle      what happens
//	0          INIT granted
//	4, 8       words 0 and 1 granted, absorbed in 5 and 9
//	10 .. 21   permutation 1
//	12, 16     words 2 and 3 granted: the FIFO is full
//	20         word 4 at the unit, when word 3 is answered; cycles 20 .. 22
//	           withheld, InputFull, until word 2 is absorbed in 22
//	23         word 4 granted; word 3 absorbed
//	24 .. 35   permutation 2
//	27         word 5 granted
//	31         word 6 at the unit, held until word 4 is absorbed in 36
//	9+14k ..   a block in 14 cycles: permutation k+1 runs in 10+14k .. 21+14k
//	93, 97     words 14 and 15 granted
//	101        LAST granted
//	105        load of word 0 granted, when LAST is answered
//	106, 107   words 14 and 15 absorbed; permutation 8 in 108 .. 119
//	120        padding cycle
//	121 .. 132 permutation 9
//	133, 134   words 0 and 1 move
//	134        word 0 popped, valid at the core in 137: cycles 106 .. 134 withheld
//	137        word 1 granted and popped, valid at the core in 140
//	138 .. 149 permutation 10
//	140        word 2 granted; cycles 141 .. 151 withheld, popped in 151, valid at
//	           the core in 154
//	154        word 3, valid at the core in 157
//
// At one round a cycle the permutation decides: 14 cycles a block on either way,
// though a word takes 2 cycles on the one and 4 on the other.
//
// # The state RAM
//
// The state, 50 words (Keccak) or 10 (Ascon), is a memory at STATE, and the unit
// does nothing but permute when it is told to: the sponge is software's. Nothing
// overlaps. Words are message bytes in memory order, whatever the byte order of
// the hash. Out of reset the unit is as after INIT, in mode block.
//
// INIT loads the state that every message starts with: zero, or the one behind the
// initial permutation of an Ascon. START permutes, with as many rounds as ROUNDS
// says, so that it is software that tells the ascon8 permutations of 8 rounds
// from those of 12. ACCESS chooses what STATE does:
//
//   - mode block: a store XORs into the state, a load reads it. There are the words of
//     the longest rate only: 42, or 2. Software stores a block or the padding, as
//     words; starts; waits; and loads output.
//   - mode copy: a store replaces, a load reads, and all words are there. Software
//     stores the whole state, starts, waits and loads the whole state.
//
// An access granted in cycle g acts at the end of g; a load is answered in g+1 with
// what was there at the start of g. START granted in g: the permutation runs in
// g+1 .. g+P, P as above. BUSY is set in those cycles, DONE from g+P+1 on, until INIT
// or START; DONE of IRQ, too, until 1 is written to it or INIT. A permutation that
// sets it in the cycle in which it is cleared wins. Interrupt line 16 is DONE of IRQ
// and IRQ_ENABLE. The answer to a load of STATUS has the role busy if BUSY is set.
//
// An access to STATE requested while a permutation runs waits: it is granted in g+P+1,
// and what it waited is withheld, cause Permuting. No other access ever waits, but
// for the one access a cycle that the register port takes. INIT abandons a
// permutation that runs; it is the message that Statistics counts.
//
// Bad use ends the run with a report that names register and remedy: START while a
// permutation runs or together with INIT, more rounds than the hash has; in mode block
// words beyond the longest rate, and loads from STATE with nothing permuted since INIT
// or the latest store to it; words beyond the state; a mode that does not exist;
// accesses of less than a word; stores to read-only and loads from write-only
// registers; offsets without a register.
//
// One F call, as above. Zero wait, mode block: a word every two cycles (load and
// store), the two padding words from registers, START right behind. STATUS is
// loaded behind START and then six cycles after the load before (a load, the use
// of what it loaded, a taken branch); behind the load that finds DONE come the use,
// the branch not taken and the next access:
//
//	cycle      what happens
//	0          INIT granted
//	2+2k       word k stored, k = 0 .. 15: 2, 4, ... 32
//	33, 34     padding: word 16 (suffix) and word 33 (final bit)
//	35         START granted
//	36 .. 59   permutation
//	36+6k      STATUS loaded, k = 0 .. 4: 36, 42, 48, 54, 60; the last finds DONE
//	64         word 0 loaded, valid in 65
//	66, 68, 70 words 1 to 3, valid in 67, 69, 71
//
// Mode copy, zero wait:
//
//	cycle      what happens
//	0          INIT granted
//	2+2k       word k of the state stored, k = 0 .. 49: 2, 4, ... 100
//	101        START granted
//	102 .. 125 permutation
//	102+6k     STATUS loaded, k = 0 .. 4; the last, in 126, finds DONE
//	130+2k     word k of the state loaded, k = 0 .. 49: 130, 132, ... 228
//	229        the last one valid
//
// Mode block behind the apb hop, each access requested in the cycle after the
// previous grant, or as above behind a load of STATUS:
//
//	cycle      what happens
//	0          INIT granted
//	4+4k       word k stored, k = 0 .. 15: 4, 8, ... 64
//	68, 72     padding
//	76         START granted
//	77 .. 100  permutation
//	80+8k      STATUS loaded, k = 0 .. 3: 80, 88, 96, 104; valid at the core in 83,
//	           91, 99, 107; the last finds DONE
//	110        word 0 loaded, valid at the core in 113
//	113, 116, 119  words 1 to 3, the last one valid at the core in 122
//
// Over ascon, zero wait, mode block: 10 permutations of 12 cycles, a block of two
// words in 21:
//
//	cycle      what happens
//	0          INIT granted
//	2+21k      word 2k stored, k = 0 .. 7; word 2k+1 in 4+21k
//	5+21k      START granted
//	6+21k ..   permutation k+1 in 6+21k .. 17+21k
//	6+21k      STATUS loaded, and in 12+21k and 18+21k, which finds DONE
//	152        START of permutation 8, which runs in 153 .. 164; DONE found in 165
//	169        padding: word 0
//	170        START of permutation 9, in 171 .. 182; DONE found in 183
//	187, 189   words 0 and 1 of the output loaded
//	191        START of permutation 10, in 192 .. 203; DONE found in 204
//	208, 210   words 2 and 3 loaded, the last one valid in 211
//
// ascon8 has the same cycles: its permutations between blocks end in 13+21k, but the
// loads of STATUS in 12+21k and 18+21k are where those of 12 rounds have them, too.
package accel
