/*
 * The inner loops of driver "lsux": words from memory to the accelerator and back, one
 * instruction each.
 *
 * What else the loops have to do is done behind LAST, while the accelerator permutes:
 * there it is free.
 */
#include "chains.h"
#include "socsim_regs.h"

	.option	norelax
	.option	norvc

#define DIN	SOCSIM_HASH_DIN
#define DOUT	SOCSIM_HASH_DOUT
#define CTRL	SOCSIM_HASH_CTRL
#define LAST	SOCSIM_HASH_LAST

/* The word at offset(base), of any alignment, goes to the input FIFO; the next output
   word goes there. */
.macro ldfifo offset, base
	.insn	i 0x0b, 2, x0, \offset(\base)
.endm

.macro stfifo offset, base
	.insn	s 0x0b, 6, x0, \offset(\base)
.endm

/* So many consecutive words, the first at start(base). */
.macro ldfifos start, words, base
	.set	offset, \start
	.rept	\words
	ldfifo	offset, \base
	.set	offset, offset + 4
	.endr
.endm

.macro stfifos start, words, base
	.set	offset, \start
	.rept	\words
	stfifo	offset, \base
	.set	offset, offset + 4
	.endr
.endm

/*
 * Moves \words words, at least one, at \address, with instruction \move. The row is
 * entered in its middle first, so that full rows are left. \address, \words, t0 and t1
 * change.
 */
#define ROW	32
#define LOG_ROW	5
.macro row move, address, words
	addi	\words, \words, -1
	andi	t0, \words, ROW - 1
	srli	\words, \words, LOG_ROW
	slli	t0, t0, 2
0:	auipc	t1, %pcrel_hi(2f)
	sub	t1, t1, t0
	add	\address, \address, t0	/* the last word of the row */
	jr	%pcrel_lo(0b)(t1)
1:	addi	\address, \address, 4 * ROW
	.set	offset, 4 - 4 * ROW
	.rept	ROW - 1
	\move	offset, \address
	.set	offset, offset + 4
	.endr
2:	\move	0, \address
	addi	\words, \words, -1
	bgez	\words, 1b
.endm

/* void lsux_feed(uintptr_t base, const void *in, size_t words); */
	piece	movein, lsuxfeed, 0
function lsux_feed
	row	ldfifo, a1, a2
	ret

/* void lsux_fetch(uintptr_t base, void *out, size_t words); */
	piece	moveout, lsuxfetch, 0
function lsux_fetch
	row	stfifo, a1, a2
	ret

/*
 * void lsux_message(uintptr_t base, uint32_t *out, size_t out_words,
 *                   const uint32_t *in, size_t in_words);
 * is a whole message; MODE and OUTLEN are set.
 */
	piece	control, lsuxmessage, 0
function lsux_message
	li	t0, SOCSIM_HASH_CTRL_INIT
	sw	t0, CTRL(a0)
	piece	movein, lsuxmessage, 1
	row	ldfifo, a3, a4
	piece	control, lsuxmessage, 2
	sw	zero, LAST(a0)
	piece	moveout, lsuxmessage, 3
	row	stfifo, a1, a2
	ret

/*
 * lsux_chain4, lsux_chains4 and so on: see chains.h, whose registers these have, too.
 * MODE and OUTLEN are set.
 *
 * A message that memory holds goes from there: the first of chain, and the secret's.
 * The words of the others are in registers, which is no slower, and the accelerator has
 * the last of them a cycle earlier. These registers are saved and loaded behind the
 * first message. Values that are not wanted there go from the FIFO to their places. chains
 * of one chain is a hash, whose output is M of the message, and chain.
 */
#define FIRST	t0	/* 1, for CTRL; free until the registers are loaded, whatever n is */

.macro lsux_chains driver, prefix, n, head, type, pair, chain, hash, value, last, saved
	.set	order, 0
	next_piece control, \prefix\()chains\n
function \driver\()_chains\n
	li	FIRST, SOCSIM_HASH_CTRL_INIT
	sw	FIRST, CTRL(BASE)
	next_piece movein, \prefix\()chains\n
	ldfifos	0, 2 * \n + 8, a2
	next_piece control, \prefix\()chains\n
	sw	zero, LAST(BASE)
	bne	a5, FIRST, .Lmany\n
	mv	a2, a3
	mv	STEPS, a4
	next_piece moveout, \prefix\()chains\n
	stfifos	4 * (\n + 8), \n, a2

	next_piece control, \prefix\()chains\n
function \driver\()_chain\n
	li	FIRST, SOCSIM_HASH_CTRL_INIT
	sw	FIRST, CTRL(BASE)
	next_piece movein, \prefix\()chains\n
	ldfifos	0, 2 * \n + 8, a2
	next_piece control, \prefix\()chains\n
	sw	zero, LAST(BASE)
	addi	STEPS, STEPS, -1
	beqz	STEPS, .Lone\n
	addi	sp, sp, -FRAME
	store	SAVED, sp, \saved
	sw	a1, OUT_AT
	li	ONE, 1
	sw	ONE, COUNT_AT
	next_piece movein, \prefix\()chains\n
	load	0, a2, \head, \type, \pair, \chain, \hash
	li	UNIT, 0x01000000
	add	\hash, \hash, UNIT
	j	.Lnext\n

	next_piece moveout, \prefix\()chains\n
.Lone\n:
	stfifos	0, \n, a1
	ret

	next_piece control, \prefix\()chains\n
.Lmany\n:
	addi	sp, sp, -FRAME
	store	SAVED, sp, \saved
	store	0, sp, a1, a5, a2, a4
	next_piece movein, \prefix\()chains\n
	load	0, a3, \head, \type, \pair, \chain, \hash
	li	UNIT, 0x01000000
	li	ONE, 1
	sw	\hash, HASH_AT
	lw	STEPS, STEPS_AT

	next_piece moveout, \prefix\()chains\n
.Lnext\n:
	.irp	reg, \value
	lw	\reg, DOUT(BASE)
	.endr
	next_piece control, \prefix\()chains\n
	sw	ONE, CTRL(BASE)
	next_piece movein, \prefix\()chains\n
	.irp	reg, \head, \type, \pair, \chain, \hash, \value
	sw	\reg, DIN(BASE)
	.endr
	next_piece control, \prefix\()chains\n
	sw	zero, LAST(BASE)
	add	\hash, \hash, UNIT
	addi	STEPS, STEPS, -1
	bnez	STEPS, .Lnext\n
	/* The registers of \value are free until the next one is fetched. */
	lw	OUT, OUT_AT
	lw	\last, COUNT_AT
	add	\chain, \chain, UNIT
	addi	\last, \last, -1
	beqz	\last, .Ldone\n
	sw	\last, COUNT_AT
	lw	\last, SECRET_AT
	addi	\hash, OUT, 4 * \n
	sw	\chain, 4 * (\n + 6)(\last)
	sw	\hash, OUT_AT
	lw	\hash, HASH_AT
	next_piece moveout, \prefix\()chains\n
	stfifos	0, \n, OUT
	next_piece control, \prefix\()chains\n
	sw	ONE, CTRL(BASE)
	next_piece movein, \prefix\()chains\n
	ldfifos	0, 2 * \n + 8, \last
	next_piece control, \prefix\()chains\n
	sw	zero, LAST(BASE)
	lw	STEPS, STEPS_AT
	j	.Lnext\n

.Ldone\n:
	load	SAVED, sp, \saved
	addi	sp, sp, FRAME
	next_piece moveout, \prefix\()chains\n
	stfifos	0, \n, OUT
	ret
.endm

	all_chains lsux, lsux, lsux_chains
