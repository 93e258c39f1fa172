/*
 * Driver "reg" over Ascon: whole messages, messages in pieces, and chains, with the state
 * in a2-a7 and t3-t6, of which compiled code wants nothing back.
 *
 * A block is XORed into a2 and a3, and permuted. An instruction makes 8 rounds at most,
 * so a permutation of 12 takes two. A jump right behind them costs one cycle, as its
 * target is fetched meanwhile; so loops are counted before the permutation.
 */
#include "pieces.h"
#include "reg.h"

/* The state and consecutive words in memory. */
.macro state instruction, offset, base
	.set	place, \offset
	.irp	reg, a2, a3, a4, a5, a6, a7, t3, t4, t5, t6
	\instruction	\reg, place(\base)
	.set	place, place + 4
	.endr
.endm

/* Permutations, at the end of a message and between blocks. */
.macro twelve
	asconp	0xf0, 8, version_big
	asconp	0x78, 4, version_big
.endm

.macro between
	.if	version_between == 8
	asconp	0xb4, 8, version_big
	.else
	twelve
	.endif
.endm

/*
 * void PREFIX_hash(enum xof_mode mode, uint32_t *out, size_t out_words, const uint32_t *in,
 *                  size_t in_words);
 * void PREFIX_absorb(struct reg *r, const void *in, size_t bytes);
 * void PREFIX_finish(struct reg *r, const uint32_t *in, size_t bytes, uint32_t word);
 * void PREFIX_fetch(struct reg *r, void *out, size_t bytes, bool again);
 * are hash of xof.h and the functions of struct reg_unit. Whole messages have rows of
 * blocks; the first row is entered in its middle, so that full ones are left.
 */
#define ROWS	a0	/* left; blocks of output */
#define OUT	a1
#define IN	t2	/* the last block of the row */
#define BLOCKS	8	/* in a row */

#define OUT_WORDS_AT	12(sp)

.macro messages prefix, suffix
	piece	control, \prefix, 0
1:	j	reg_hash		/* a message that is not whole blocks */
function \prefix\()_hash
	or	t0, a2, a4
	andi	t0, t0, 1
	bnez	t0, 1b
	addi	sp, sp, -16
	sw	a2, OUT_WORDS_AT
	srli	ROWS, a4, 1
	addi	ROWS, ROWS, -1
	andi	t0, ROWS, BLOCKS - 1
	srli	ROWS, ROWS, 3		/* log2 BLOCKS */
	slli	t1, t0, 3
	add	IN, a3, t1
	.if	version_between == 8	/* a block has 5 instructions, else 6 */
	slli	t0, t0, 2
	slli	t1, t1, 1
	.else
	slli	t0, t1, 1
	.endif
	add	t0, t0, t1
	lla	t1, .Lrow_end\prefix
	sub	t1, t1, t0
	piece	movein, \prefix, 1
	lla	t0, reg_ascon_start
	state	lw, 0, t0
	jr	t1
.Lrow\prefix\():
	.set	offset, 8 * (1 - BLOCKS)
	.rept	BLOCKS - 1
	lw	t0, offset(IN)
	lw	t1, offset + 4(IN)
	xor	a2, a2, t0
	xor	a3, a3, t1
	between
	.set	offset, offset + 8
	.endr
.Lrow_end\prefix:
	lw	t0, 0(IN)
	lw	t1, 4(IN)
	addi	ROWS, ROWS, -1
	xor	a2, a2, t0
	xor	a3, a3, t1
	bltz	ROWS, 1f
	addi	IN, IN, 8 * BLOCKS
	between
	j	.Lrow\prefix
1:	between
	xori	a2, a2, \suffix
	piece	control, \prefix, 2
	lw	a0, OUT_WORDS_AT
	addi	sp, sp, 16
	piece	moveout, \prefix, 3
	twelve
1:	sw	a2, 0(OUT)
	sw	a3, 4(OUT)
	addi	a0, a0, -2
	beqz	a0, 2f
	addi	OUT, OUT, 8
	between
	j	1b
2:	ret

	piece	moveout, \prefix\()absorb, 0
function \prefix\()_absorb
	mv	IN, a1
	add	a1, a1, a2		/* the end */
	state	lw, 0, a0
	piece	movein, \prefix\()absorb, 1
1:	lw	t0, 0(IN)
	lw	t1, 4(IN)
	addi	IN, IN, 8
	xor	a2, a2, t0
	xor	a3, a3, t1
	beq	IN, a1, 2f
	between
	j	1b
2:	between
	state	sw, 0, a0
	ret

	piece	moveout, \prefix\()finish, 0
function \prefix\()_finish
	mv	t0, a3
	lw	t1, 0(a1)		/* the only whole word of the block, if there is one */
	mv	t2, a2
	state	lw, 0, a0
	piece	movein, \prefix\()finish, 1
	beqz	t2, 1f
	xor	a3, a3, t0
	mv	t0, t1
1:	xor	a2, a2, t0
	twelve
	state	sw, 0, a0
	ret

	piece	moveout, \prefix\()fetch, 0
function \prefix\()_fetch
	mv	t0, a2
	mv	t1, a3
	state	lw, 0, a0
	li	t2, 4
	beqz	t1, 2f
1:	between
2:	sw	a2, 0(OUT)
	beq	t0, t2, 3f
	sw	a3, 4(OUT)
	addi	t0, t0, -8
	addi	OUT, OUT, 8
	bnez	t0, 1b
3:
	piece	movein, \prefix\()fetch, 1
	state	sw, 0, a0
	ret
.endm
#undef OUT

/*
 * void PREFIX_chain(uint32_t *out, const uint32_t *message, size_t n, unsigned steps);
 * void PREFIX_chains(uint32_t *out, uint32_t *secret, uint32_t *message, size_t n,
 *                    unsigned steps, unsigned count);
 * A message is PK.seed, n words; ADRS, of which word n + 4 is the type, n + 6 the chain
 * address and n + 7 the hash address; and the value, n words.
 *
 * The start state with the first block, which is always the same, is in memory. Of the
 * words behind that block as many as possible are in registers: \words lists those
 * of words 2 to n + 7, or mem, \value those of the value, \kept those of them that are
 * not of the last block of output. The hash of the secret's message is a step with
 * another type, a value of its own, and another way to go on.
 */
#define HASH	a0
#define CHAIN	a1
#define MESSAGE	t2
#define TYPE	s0
#define END	s1	/* hash address of the last step */
#define UNIT	s2	/* one, in the last byte of a word */
#define NEXT	s3	/* where to go behind a step; between chains: where the value goes */

#define START		52
#define OUT_AT		92(sp)
#define LAST_AT		96(sp)	/* OUT behind the last chain */
#define SECRET_AT	100(sp)
#define TYPE_AT		104(sp)	/* of the message */
#define END_AT		108(sp)
#define FRAME		112

.macro enter
	addi	sp, sp, -FRAME
	store	0, sp, ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
.endm

/* Words of the message from word at on into the registers of a list. */
.macro keep at, reg, rest:vararg
	.ifnc	\reg, mem
	lw	\reg, 4 * (\at)(MESSAGE)
	.endif
	.ifnb	\rest
	keep	\at + 1, \rest
	.endif
.endm

/* Absorbs them, with a permutation behind every block. */
.macro feed at, first, second, rest:vararg
	.ifc	\first, mem
	lw	t0, 4 * (\at)(MESSAGE)
	.endif
	.ifc	\second, mem
	lw	t1, 4 * (\at + 1)(MESSAGE)
	.else
	xor	a3, a3, \second
	.endif
	.ifc	\first, mem
	xor	a2, a2, t0
	.else
	xor	a2, a2, \first
	.endif
	.ifc	\second, mem
	xor	a3, a3, t1
	.endif
	between
	.ifnb	\rest
	feed	\at + 2, \rest
	.endif
.endm

/* Squeezes a value but for its last block. */
.macro fetch first, second, third, rest:vararg
	mv	\first, a2
	mv	\second, a3
	.ifnb	\third
	between
	fetch	\third, \rest
	.endif
.endm

/* Begins a function that is the one for 4 words; for others it jumps on. */
.macro dispatch name, n
.L\name\()_more:
	li	t0, 6
	beq	\n, t0, 1f
	j	.L\name\()8
1:	j	.L\name\()6
function \name
	li	t0, 4
	bne	\n, t0, .L\name\()_more
.endm

.macro chains prefix, suffix, n, words, value, kept, last_but_one, last
	.set	order, 0
	.if	\n == 4
	next_piece control, \prefix\()chains\n
	dispatch \prefix\()_chain, a2
	.endif
	next_piece movein, \prefix\()chains\n
.L\prefix\()_chain\n:
	enter
	next_piece control, \prefix\()chains\n
	mv	MESSAGE, a1
	sw	a0, OUT_AT
	addi	a0, a0, 4 * \n
	slli	END, a3, 24
	sw	a0, LAST_AT
	lla	NEXT, .Lstep\prefix\n
	next_piece movein, \prefix\()chains\n
	keep	2, \words, \value
	lui	UNIT, 0x1000
	add	END, END, HASH
	sub	END, END, UNIT
	lla	t3, reg_ascon_start
	j	.Lbegin\prefix\n

	.if	\n == 4
	next_piece control, \prefix\()chains\n
	dispatch \prefix\()_chains, a3
	.endif
	next_piece movein, \prefix\()chains\n
.L\prefix\()_chains\n:
	enter
	next_piece control, \prefix\()chains\n
	mv	MESSAGE, a2
	li	t3, 4 * \n
	mul	t4, a5, t3
	sw	a0, OUT_AT
	sw	a1, SECRET_AT
	mv	t5, a1
	slli	a4, a4, 24
	add	t4, t4, a0
	sw	t4, LAST_AT
	lla	NEXT, .Lsecret\prefix\n
	next_piece movein, \prefix\()chains\n
	keep	2, \words
	sw	TYPE, TYPE_AT
	lui	UNIT, 0x1000
	lw	TYPE, 4 * (\n + 4)(t5)
	load	4 * (\n + 8), t5, \value
	add	a4, a4, HASH
	sub	END, HASH, UNIT		/* no step's */
	sub	a4, a4, UNIT
	sw	a4, END_AT
	lla	t3, reg_ascon_start

	/* The first hash makes the start state for all. */
.Lbegin\prefix\n:
	lw	a2, 0(t3)
	lw	a3, 4(t3)
	lw	a4, 0(MESSAGE)
	lw	a5, 4(MESSAGE)
	xor	a2, a2, a4
	xor	a3, a3, a5
	lw	a4, 8(t3)
	lw	a5, 12(t3)
	lw	a6, 16(t3)
	lw	a7, 20(t3)
	lw	t4, 28(t3)
	lw	t5, 32(t3)
	lw	t6, 36(t3)
	lw	t3, 24(t3)
	state	sw, START, sp
	j	.Lhash\prefix\n

	/* The value is complete: a step. */
	next_piece moveout, \prefix\()chains\n
.Lstep\prefix\n:
	mv	\last_but_one, a2
	mv	\last, a3
	next_piece movein, \prefix\()chains\n
.Lload\prefix\n:
	state	lw, START, sp
	next_piece control, \prefix\()chains\n
	add	HASH, HASH, UNIT
	next_piece movein, \prefix\()chains\n
.Lhash\prefix\n:
	between
	feed	2, \words, \value
	xori	a2, a2, \suffix
	twelve
	next_piece moveout, \prefix\()chains\n
	fetch	\kept
	next_piece control, \prefix\()chains\n
	beq	HASH, END, 1f
	between
	jr	NEXT

	/* A chain ends. */
1:	lw	NEXT, OUT_AT
	between
	next_piece moveout, \prefix\()chains\n
	store	0, NEXT, \kept, a2, a3
	next_piece control, \prefix\()chains\n
	lw	a4, LAST_AT
	addi	NEXT, NEXT, 4 * \n
	lw	a5, SECRET_AT
	bne	NEXT, a4, 1f
	j	.Ldone\prefix\n		/* which is another section: a branch does not reach it */
1:	sw	NEXT, OUT_AT
	add	CHAIN, CHAIN, UNIT
	lla	NEXT, .Lsecret\prefix\n
	next_piece movein, \prefix\()chains\n
	lw	HASH, 4 * (\n + 7)(a5)
	lw	TYPE, 4 * (\n + 4)(a5)
	load	4 * (\n + 8), a5, \value
	sub	HASH, HASH, UNIT	/* to be added in the step */
	mv	END, HASH		/* no step's */
	j	.Lload\prefix\n

	/* The secret is there. */
	next_piece control, \prefix\()chains\n
.Lsecret\prefix\n:
	lw	END, END_AT
	lw	TYPE, TYPE_AT
	sub	HASH, HASH, UNIT
	lla	NEXT, .Lstep\prefix\n
	j	.Lstep\prefix\n

	next_piece moveout, \prefix\()chains\n
.Ldone\prefix\n:
	load	0, sp, ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
	addi	sp, sp, FRAME
	ret
.endm

/* TYPE is s0, CHAIN a1 and HASH a0. */
.macro version prefix, rounds, big, suffix
	.set	version_between, \rounds
	.set	version_big, \big
	messages \prefix, \suffix
	chains	\prefix, \suffix, 4, "t0, t1, ra, s4, s5, s6, s0, s7, a1, a0", \
		"s8, s9, s10, s11", "s8, s9", s10, s11
	chains	\prefix, \suffix, 6, "mem, mem, mem, mem, mem, mem, ra, s4, s0, s5, a1, a0", \
		"s6, s7, s8, s9, s10, s11", "s6, s7, s8, s9", s10, s11
	chains	\prefix, \suffix, 8, "mem, mem, mem, mem, mem, mem, mem, mem, mem, mem, s0, ra, a1, a0", \
		"s4, s5, s6, s7, s8, s9, s10, s11", "s4, s5, s6, s7, s8, s9", s10, s11
.endm

	version	regascon, 12, 1, 0x80
	version	regascon8, 8, 1, 0x80
	version	regascon128, 12, 0, 0x01
