/*
 * The inner loops of driver "fifo": words from memory or registers to the
 * accelerator and back.
 *
 * Whatever the loops have to do besides moving words is done between LAST and the
 * first read of DOUT, while the accelerator permutes: there it is free. Output of more
 * than a block needs nothing here: the read of its next word waits for it.
 */
#include "chains.h"
#include "socsim_regs.h"

	.option	norelax
	.option	norvc

#define DIN	SOCSIM_HASH_DIN
#define DOUT	SOCSIM_HASH_DOUT
#define CTRL	SOCSIM_HASH_CTRL
#define LAST	SOCSIM_HASH_LAST

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
 * and the same with 6 and 8: see chains.h. MODE and OUTLEN are set.
 */
.macro enter sleep
.endm

.macro begin base, one
	sw	\one, CTRL(\base)
.endm

.macro finish function, n, base, temporary
	next_piece control, \function
	sw	zero, LAST(\base)
.endm

.macro fetched temporary
.endm

.macro await function, base, temporary, label, there
	next_piece moveout, \function
	.ifnb	\label
\label:
	.endif
.endm

	all_chains fifo, ""
