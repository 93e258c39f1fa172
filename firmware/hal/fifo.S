/*
 * The inner loops of driver "fifo": words from memory or registers to the
 * accelerator and back.
 *
 * The ledger books every cycle by the linker section of the instruction, and
 * wants feeding, fetching and control told apart. Here they alternate every few
 * instructions, so a function is cut into pieces, each in a section of its class,
 * and link.ld puts the pieces of a function next to each other in the order they
 * are written in: execution falls from one into the next and measuring costs
 * nothing. Without compressed instructions there is no padding between them.
 *
 * Whatever the loops have to do besides moving words is done between LAST and the
 * first read of DOUT, while the accelerator permutes: there it is free. Output of more
 * than a block needs nothing here: the read of its next word waits for it.
 */
#include "socsim_regs.h"

	.option	norelax
	.option	norvc

#define DIN	SOCSIM_HASH_DIN
#define DOUT	SOCSIM_HASH_DOUT
#define CTRL	SOCSIM_HASH_CTRL
#define LAST	SOCSIM_HASH_LAST

/* Goes on in the section of piece `order` of `function`, of ledger class `class`. */
.macro piece class, function, order
	.section .text.hal.\class\().\function\().\order, "ax", @progbits
	.balign	4
.endm

.macro function name
	.globl	\name
	.type	\name, @function
\name:
.endm

/* Registers from and to consecutive words in memory, the first at start(from). */
.macro load start, from, regs:vararg
	.set	offset, \start
	.irp	reg, \regs
	lw	\reg, offset(\from)
	.set	offset, offset + 4
	.endr
.endm

.macro store start, to, regs:vararg
	.set	offset, \start
	.irp	reg, \regs
	sw	\reg, offset(\to)
	.set	offset, offset + 4
	.endr
.endm

/* Registers from and to the accelerator. */
.macro push base, regs:vararg
	.irp	reg, \regs
	sw	\reg, DIN(\base)
	.endr
.endm

.macro pop base, regs:vararg
	.irp	reg, \regs
	lw	\reg, DOUT(\base)
	.endr
.endm

/*
 * Feeds \words words, at least one, from memory at \in, which may have any
 * alignment. The row of ROW words is entered in its middle first, so that full
 * rows are left. Word i of it goes through t0 if i is even, else t1, and the next
 * one is loaded before it is stored, so that no store waits for its load. \in,
 * \words, t0 to t3 change.
 */
#define ROW	32
#define LOG_ROW	5
.macro feed base, in, words
	lw	t0, 0(\in)
	lw	t1, 0(\in)		/* whichever of the two the entry wants */
	addi	\words, \words, -1
	andi	t2, \words, ROW - 1
	srli	\words, \words, LOG_ROW
	slli	t3, t2, 2
	add	\in, \in, t3		/* the last word of the row */
	slli	t2, t2, 3		/* two instructions a word */
0:	auipc	t3, %pcrel_hi(2f)
	sub	t3, t3, t2
	jr	%pcrel_lo(0b)(t3)
1:	addi	\in, \in, 4 * ROW
	lw	t0, 4 - 4 * ROW(\in)
	.set	offset, 8 - 4 * ROW
	.rept	ROW / 2 - 1
	lw	t1, offset(\in)
	sw	t0, DIN(\base)
	lw	t0, offset + 4(\in)
	sw	t1, DIN(\base)
	.set	offset, offset + 8
	.endr
	lw	t1, offset(\in)
	sw	t0, DIN(\base)
2:	sw	t1, DIN(\base)
	addi	\words, \words, -1
	bgez	\words, 1b
.endm

/*
 * Fetches \words words, at least one, to memory at \out, which may have any
 * alignment, and returns. Here a row is made of pairs: two loads, two stores.
 * \out, \words, t0 to t3 change.
 */
#define PAIRS	4
.macro fetch_return base, out, words
	andi	t0, \words, 1
	bnez	t0, 4f
1:	srli	\words, \words, 1
	addi	\words, \words, -1
	andi	t2, \words, PAIRS - 1
	srli	\words, \words, 2	/* log2 PAIRS */
	addi	t2, t2, 1
	slli	t3, t2, 3
	add	\out, \out, t3		/* the end of the row */
	slli	t2, t2, 4		/* four instructions a pair */
	lla	t3, 3f
	sub	t3, t3, t2
	jr	t3
2:	addi	\out, \out, 8 * PAIRS
	.set	offset, -8 * PAIRS
	.rept	PAIRS
	lw	t0, DOUT(\base)
	lw	t1, DOUT(\base)
	sw	t0, offset(\out)
	sw	t1, offset + 4(\out)
	.set	offset, offset + 8
	.endr
3:	addi	\words, \words, -1
	bgez	\words, 2b
	ret
4:	lw	t0, DOUT(\base)
	addi	\out, \out, 4
	sw	t0, -4(\out)
	addi	\words, \words, -1
	bnez	\words, 1b
	ret
.endm

/* void fifo_feed(uintptr_t base, const void *in, size_t words); */
	piece	movein, feed, 0
function fifo_feed
	feed	a0, a1, a2
	ret

/* void fifo_fetch(uintptr_t base, void *out, size_t words); */
	piece	moveout, fetch, 0
function fifo_fetch
	fetch_return a0, a1, a2

/*
 * void fifo_message(uintptr_t base, uint32_t *out, size_t out_words,
 *                   const uint32_t *in, size_t in_words);
 * is a whole message; MODE and OUTLEN are set.
 */
	piece	control, message, 0
function fifo_message
	li	t0, SOCSIM_HASH_CTRL_INIT
	sw	t0, CTRL(a0)
	piece	movein, message, 1
	feed	a0, a3, a4
	piece	control, message, 2
	sw	zero, LAST(a0)
	piece	moveout, message, 3
	fetch_return a0, a1, a2

/*
 * void fifo_chain4(uintptr_t base, uint32_t *out, const uint32_t *message, unsigned steps);
 * void fifo_chains4(uintptr_t base, uint32_t *out, const uint32_t *secret,
 *                   const uint32_t *message, unsigned steps, unsigned count);
 * and the same with 6 and 8 are chain and chains of xof.h for one n each; MODE and
 * OUTLEN are set. The first is the second with one chain whose value is there.
 *
 * All of the message is in registers: \head (PK.seed, and ADRS up to the tree
 * address), \type, \pair, \chain and \hash of ADRS, \value. Registers the caller
 * wants back hold words other than \value, so that they can be restored before the
 * last value is fetched.
 */
#define BASE	a0
#define ONE	a1	/* for CTRL */
#define UNIT	a2	/* one, in the last byte of a word */
#define STEPS	a3	/* left in this chain */
#define OUT	a3	/* between chains */

#define OUT_AT		0(sp)	/* where the next chain ends up */
#define COUNT_AT	4(sp)	/* chains left */
#define SECRET_AT	8(sp)
#define STEPS_AT	12(sp)	/* of every chain */
#define HASH_AT		16(sp)	/* hash address every chain begins with */
#define SAVED		20
#define FRAME		80

.macro chains n, head, type, pair, chain, hash, value, last, saved
	piece	control, chains\n, 0
function fifo_chain\n
	addi	sp, sp, -FRAME
	store	SAVED, sp, \saved
	sw	a1, OUT_AT
	li	ONE, 1
	sw	ONE, COUNT_AT
	piece	movein, chains\n, 1
	load	0, a2, \head, \type, \pair, \chain, \hash, \value
	li	UNIT, 0x01000000
	j	.Lstep\n

	piece	control, chains\n, 2
function fifo_chains\n
	addi	sp, sp, -FRAME
	store	SAVED, sp, \saved
	store	0, sp, a1, a5, a2, a4
	piece	movein, chains\n, 3
	load	0, a3, \head, \type, \pair, \chain, \hash
	li	UNIT, 0x01000000
	li	ONE, 1
	sw	\hash, HASH_AT
	j	.Lsecret\n

	piece	moveout, chains\n, 4
.Lnext\n:
	pop	BASE, \value
	piece	control, chains\n, 5
.Lstep\n:
	sw	ONE, CTRL(BASE)
	piece	movein, chains\n, 6
	push	BASE, \head, \type, \pair, \chain, \hash, \value
	piece	control, chains\n, 7
	sw	zero, LAST(BASE)
	add	\hash, \hash, UNIT
	addi	STEPS, STEPS, -1
	bnez	STEPS, .Lnext\n
	lw	OUT, OUT_AT
	lw	\hash, COUNT_AT
	add	\chain, \chain, UNIT
	addi	OUT, OUT, 4 * \n
	addi	\hash, \hash, -1
	sw	OUT, OUT_AT
	sw	\hash, COUNT_AT
	beqz	\hash, .Ldone\n
	lw	\hash, HASH_AT
	piece	moveout, chains\n, 8
	pop	BASE, \value
	store	-4 * \n, OUT, \value

	piece	control, chains\n, 9
.Lsecret\n:
	lw	\last, SECRET_AT	/* the last register of \value */
	sw	ONE, CTRL(BASE)
	piece	movein, chains\n, 10
	lw	STEPS, 4 * (\n + 4)(\last)	/* the type in the secret's ADRS */
	push	BASE, \head, STEPS, \pair, \chain, \hash
	load	4 * (\n + 8), \last, \value
	push	BASE, \value
	piece	control, chains\n, 11
	sw	zero, LAST(BASE)
	lw	STEPS, STEPS_AT
	j	.Lnext\n

.Ldone\n:
	load	SAVED, sp, \saved
	addi	sp, sp, FRAME
	piece	moveout, chains\n, 12
	pop	BASE, \value
	store	-4 * \n, OUT, \value
	ret
.endm

	chains	4, "ra, s0, s1, s2, s3, t0, t1, t2", a4, a5, a6, a7, "t3, t4, t5, t6", t6, \
		"ra, s0, s1, s2, s3"
	chains	6, "ra, s0, s1, s2, s3, s4, s5, s6, s7, t0", a4, a5, a6, a7, "t1, t2, t3, t4, t5, t6", t6, \
		"ra, s0, s1, s2, s3, s4, s5, s6, s7"
	chains	8, "ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10", s11, a5, a6, a7, \
		"t0, t1, t2, t3, t4, t5, t6, a4", a4, \
		"ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11"
