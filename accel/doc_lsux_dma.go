// # Instructions between memory and FIFO
//
// Over lsux the core has, besides the window at the load/store unit, two instructions
// (custom-0, opcode 0x0B). They do what a load and a store to DIN, or a load from DOUT
// and a store, do, in one instruction and without a register:
//
//	ldfifo imm(rs1)   funct3 2, I-type, rd = x0: the word at rs1 + imm goes to the input FIFO
//	stfifo imm(rs1)   funct3 6, S-type, rs2 = x0: the next output word goes to rs1 + imm
//
// An ldfifo in EX from cycle E on requests its load in g, the first cycle not before E
// in which the FIFO is sure to have room in g+1. RAM grants at once, and the word is
// pushed in g+1, the cycle of the answer. Cycles E .. g-1 are withheld, InputFull.
// Where the load is answered later, the word is pushed then, and accesses to the window
// that are requested meanwhile are granted from that cycle on; a store to DIN from the
// next one on, as the FIFO takes one word a cycle.
//
// An stfifo in EX from cycle E on pops in p, the first cycle not before E in which a
// word can be popped, and requests its store then. Cycles E .. p-1 are withheld, for
// the cause that a load from DOUT in E would have. So an output word takes a cycle
// less than a load and a store.
//
// Both take addresses that are no multiple of 4 as lw and sw do, in two accesses. A
// word for the last, partial word of a message goes into LAST as ever. Bad use ends the
// run as with registers: ldfifo after LAST; stfifo before LAST, beyond OUTLEN or with
// OUTLEN 0.
//
// One F call, as above, each instruction behind the one before:
//
//	cycle      what happens
//	0          INIT granted
//	1+k        ldfifo of word k requests its load, k = 0 .. 15: 1, 2, ... 16
//	2+k        word k pushed: 2, 3, ... 17
//	3+k        word k absorbed: 3, 4, ... 18
//	17         LAST granted
//	18         stfifo of word 0 in EX
//	19         padding cycle
//	20 .. 43   permutation
//	44 .. 47   words 0 .. 3 move to the output FIFO
//	45         word 0 popped and its store requested: cycles 18 .. 44 withheld, Permuting
//	46, 47, 48 words 1 to 3; the last one is stored in 48
//
// Over ascon, with FIFOs of 2 words:
//
//	cycle      what happens
//	0          INIT granted
//	1, 2       ldfifo of words 0 and 1; pushed in 2 and 3, absorbed in 3 and 4
//	3, 4       ldfifo of words 2 and 3; pushed in 4 and 5: the FIFO is full
//	5 .. 16    permutation 1
//	5          ldfifo of word 4 in EX; cycles 5 .. 16 withheld, InputFull
//	17         word 2 absorbed, which makes room in 18; load of word 4 requested
//	18         word 4 pushed; word 3 absorbed; load of word 5 requested
//	19 .. 30   permutation 2
//	19         word 5 pushed: the FIFO is full again; ldfifo of word 6 in EX, which is
//	           held until word 4 is absorbed in 31
//	3+14k ..   a block in 14 cycles: its words are absorbed in 3+14k and 4+14k,
//	           permutation k+1 runs in 5+14k .. 16+14k, k = 0 .. 7
//	87, 88     ldfifo of words 14 and 15, pushed in 88 and 89
//	89         LAST granted
//	90         stfifo of word 0 in EX
//	103 .. 114 permutation 8
//	115        padding cycle
//	116 .. 127 permutation 9
//	128, 129   words 0 and 1 move
//	129        word 0 popped: cycles 90 .. 128 withheld, Permuting
//	130        word 1 popped
//	131 .. 142 permutation 10
//	131        stfifo of word 2 in EX; cycles 131 .. 143 withheld, Permuting
//	143, 144   words 2 and 3 move
//	144, 145   words 2 and 3 popped and their stores requested
//
// # The DMA engine
//
// Over dma the FIFO engine has a DMA engine beside it, with a window of its own behind
// the same bus. Firmware sets SRC, DST and LENGTH, starts a transfer with CTRL, and polls
// STATUS or sleeps. The transfer reads IN bytes from RAM and pushes them, ends the message
// if LAST is set, and writes OUT bytes of output to RAM. The registers keep their values,
// so that the next message with the same places and lengths is one store. They may be
// written while a transfer runs, for the next one. A message may come in several
// transfers, of which only the last one has LAST, and so may its output; between them
// firmware may use DIN, LAST and DOUT itself. MODE stays a register of the hash unit.
//
// A START granted in g acts at the end of g. It is an access to the hash unit, too, in
// its turn behind those that were before it. With INIT that is as behind an INIT granted in g,
// and OUTLEN is OUT. Without INIT, and with OUT not 0, OUTLEN is the bytes popped since
// INIT, whole words, and OUT.
//
// Input. Word i is read from RAM in cycle r(i), the first one not before g+1 and behind
// r(i-1) in which the FIFO is sure to have room in r(i)+1, and pushed in r(i)+1, when RAM
// answers. The 1 to 3 bytes of a message that are no whole word need no room: they are
// read in the next cycle, and LAST is as if granted in the cycle of the answer. Else LAST is as if
// granted in the cycle of the last push, or with no input in g+1.
//
// Output. Word k is popped and written to RAM in cycle w(k), the first one behind w(k-1)
// in which it can be popped. Of a last word only the bytes that OUT covers are written.
//
// BUSY is set from g+1 to the cycle of the transfer's last act: a write, LAST, a push,
// or for one without any of them g+1. DONE of STATUS is set in the cycle after, until the
// next START; so is DONE of IRQ, until 1 is written to it. A transfer that sets it in the cycle in
// which it is cleared wins. Interrupt line 17 is DONE of IRQ and IRQ_ENABLE.
//
// The data port of RAM serves one access a cycle. The engine's come first: an access of the
// core in the same cycle is granted in the first one without, and RAMWaits of [Statistics]
// counts what it waited. A word is read and written in the very cycle: what the core stored
// before is seen, and code that is written is what executes behind that cycle. Instruction
// fetches have a port of their own.
//
// A transfer cannot be aborted. It waits for nothing but the permutation, so it ends by
// itself.
//
// Bad use: START while BUSY; INIT or LAST without START; LAST or input after LAST without INIT; output
// while the message is open and LAST is not set; input of no whole words without LAST;
// output beyond bytes that read as zero; SRC or DST no multiple of 4; input or output
// not all in RAM; and while BUSY any access to CTRL, OUTLEN, LAST, DIN and DOUT of the hash
// unit; accesses of less than a word, stores to read-only and loads from write-only
// registers, offsets without a register.
//
// One F call, CTRL written with START, INIT and LAST, the other registers from before.
// Zero wait; STATUS is loaded behind CTRL and then in the sixth cycle behind the load
// before:
//
//	cycle      what happens
//	0          CTRL granted
//	1+k        word k read from RAM, k = 0 .. 15: 1, 2, ... 16
//	2+k        word k pushed: 2, 3, ... 17
//	3+k        word k absorbed: 3, 4, ... 18
//	17         LAST, with the push of word 15
//	19         padding cycle
//	20 .. 43   permutation
//	44 .. 47   words 0 .. 3 move to the output FIFO
//	45 .. 48   words 0 .. 3 popped and written to RAM
//	49         DONE, and line 17 rises
//	1+6k       STATUS loaded, k = 0 .. 8: 1, 7, ... 49; the last one finds DONE
//
// Behind the apb hop the transfer is the same, as it does not cross the hop, and STATUS
// is loaded later:
//
//	cycle      what happens
//	0          CTRL granted, answered in 4
//	1 .. 48    as above
//	4+8k       STATUS loaded, k = 0 .. 6: 4, 12, ... 52, the last one valid at the core
//	           in 55
//
// Over ascon, with FIFOs of 2 words, zero wait:
//
//	cycle      what happens
//	0          CTRL granted
//	1, 2       words 0 and 1 read; pushed in 2 and 3, absorbed in 3 and 4
//	3, 4       words 2 and 3 read; pushed in 4 and 5: the FIFO is full
//	5 .. 16    permutation 1
//	17         word 2 absorbed, which makes room in 18; word 4 read
//	18         word 4 pushed; word 3 absorbed; word 5 read
//	19 .. 30   permutation 2
//	3+14k ..   a block in 14 cycles: its words are absorbed in 3+14k and 4+14k,
//	           permutation k+1 runs in 5+14k .. 16+14k, k = 0 .. 7
//	87, 88     words 14 and 15 read, pushed in 88 and 89
//	89         LAST
//	103 .. 114 permutation 8
//	115        padding cycle
//	116 .. 127 permutation 9
//	128, 129   words 0 and 1 move
//	129, 130   words 0 and 1 popped and written
//	131 .. 142 permutation 10
//	143, 144   words 2 and 3 move
//	144, 145   words 2 and 3 popped and written
//	146        DONE
//	1+6k       STATUS loaded, k = 0 .. 25; the last one, in 151, finds DONE. Behind the apb
//	           hop: in 4+8k, k = 0 .. 18; the last one, in 148, is valid at the core in 151
package accel
