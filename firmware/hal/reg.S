/*
 * Driver "reg" over Keccak: whole messages, and messages in pieces, with the state in
 * registers.
 *
 * The first block of a message is loaded straight into the state. Words of later ones
 * are XORed in, which takes three instructions for a word in an f register, or, where
 * the accelerator has it, the absorb instruction. That, and the number of rounds, is all
 * in which the four versions below differ.
 *
 * State words that are moved are always words k-1 down to 0, or k to 49: so each list of
 * instructions is entered in its middle and runs to its end. A jump right behind kperm
 * costs one cycle, as its target is fetched meanwhile; so jumps are there, and what
 * comes behind a permutation is in a register before it.
 */
#include "pieces.h"
#include "reg.h"
#include "socsim_regs.h"

	.option	push
	.option	arch, +f

/* x10 to x27 are the state; what else is wanted meanwhile is here. */
#define IN	t0	/* the block */
#define OUT	t1
#define NEXT	s0	/* where to go behind the permutation */

/* While the first block is loaded: */
#define SUFFIX	t2	/* the word behind the message, if that ends in this block */
#define PAD17	t3	/* words 17, 33 and 41 if they are behind the message */
#define PAD33	t4
#define PAD41	t5
#define LOADS	t6	/* what the list of loads is entered by */

/* While others are absorbed: */
#define ENTER	t1	/* where the list is entered for a whole block */
#define RATE	t2	/* bytes */
#define LEFT	t3	/* bytes behind this block less RATE; negative: there is no other whole one */
#define EVEN	t4	/* message words */
#define ODD	t5
#define SCRATCH	t6

#define SAVED		0
#define OUT_AT		44(sp)
#define BYTES_AT	48(sp)	/* of output */
#define SUFFIX_AT	52(sp)
#define PAD17_AT	56(sp)
#define PAD33_AT	60(sp)
#define PAD41_AT	64(sp)
#define RATE_AT		68(sp)
#define LEFT_AT		72(sp)
#define END_AT		76(sp)	/* where to go behind the last whole block, */
#define NEXT_AT		80(sp)	/* behind the padded one, */
#define AFTER_AT	84(sp)	/* and behind the spilling */
#define SELF_AT		88(sp)	/* struct reg, 0 for a whole message */
#define FRAME		96

#define MOST	41	/* the last word of the longest block */

.macro save
	addi	sp, sp, -FRAME
	store	SAVED, sp, s0, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
.endm

/* A macro for words from to to of the state, up or down, each with the number of its x
   register, if it has one. */
.macro up macro, from, to
	.set	word, \from
	.rept	\to - \from + 1
	.altmacro
	\macro	%word, %(word - 22)
	.noaltmacro
	.set	word, word + 1
	.endr
.endm

.macro down macro, from
	.set	word, \from
	.rept	\from + 1
	.altmacro
	\macro	%word, %(word - 22)
	.noaltmacro
	.set	word, word - 1
	.endr
.endm

/* Words of the state: how to set them, and to move them. */
.macro set_word n, reg, from
	.if	\n < 32
	fmv.w.x	f\n, \from
	.else
	mv	x\reg, \from
	.endif
.endm

.macro clear n, reg
	.if	\n == 17
	set_word \n, \reg, PAD17
	.elseif	\n == 33
	set_word \n, \reg, PAD33
	.elseif	\n == 41
	set_word \n, \reg, PAD41
	.else
	set_word \n, \reg, zero
	.endif
.endm

.macro get n, reg
	.if	\n < 32
	flw	f\n, 4 * \n(IN)
	.else
	lw	x\reg, 4 * \n(IN)
	.endif
.endm

.macro put n, reg
	.if	\n < 32
	fsw	f\n, 4 * \n(OUT)
	.else
	sw	x\reg, 4 * \n(OUT)
	.endif
.endm

/* XORs a register into a word. */
.macro mix n, reg, from
	.if	version_absorbs
	absorb	\from, \n
	.elseif	\n < 32
	fmv.x.w	SCRATCH, f\n
	xor	SCRATCH, SCRATCH, \from
	fmv.w.x	f\n, SCRATCH
	.else
	xor	x\reg, x\reg, \from
	.endif
.endm

/* Word n of a later block, which was loaded before; the next one is loaded here, so
   that no instruction waits for its load. */
.macro later n, reg
	.if	\n / 2 * 2 != \n
	lw	EVEN, 4 * \n - 4(IN)
	mix	\n, \reg, ODD
	.else
	.if	\n > 0
	lw	ODD, 4 * \n - 4(IN)
	.endif
	mix	\n, \reg, EVEN
	.endif
.endm

/*
 * Where the list of later words is entered to mix in, first of all, the word at offset
 * bytes: what has to be mixed is in EVEN or ODD then. With the load of the next one a
 * word takes 8 bytes of code, without absorb 16 in an f register; the last word loads
 * nothing. bytes and temporary change.
 */
.macro list_entry to, end, bytes, temporary
	slli	\bytes, \bytes, 1
	.if	version_absorbs
	lla	\to, \end - 4
	.else
	lla	\to, \end - 12
	li	\temporary, 8 * 31
	sub	\to, \to, \bytes
	bltu	\bytes, \temporary, 1f
	mv	\bytes, \temporary
1:
	.endif
	sub	\to, \to, \bytes
.endm

/*
 * void PREFIX_hash(enum xof_mode mode, uint32_t *out, size_t out_words, const uint32_t *in,
 *                  size_t in_words);
 * void PREFIX_absorb(struct reg *r, const void *in, size_t bytes);
 * void PREFIX_finish(struct reg *r, const uint32_t *in, size_t bytes, uint32_t word);
 * void PREFIX_fetch(struct reg *r, void *out, size_t bytes, bool again);
 * are hash of xof.h and the functions of struct reg_unit.
 */
.macro version prefix, rounds, absorbs
	.set	version_absorbs, \absorbs

	piece	movein, \prefix, 0
function \prefix\()_hash
	save
	piece	control, \prefix, 1
	li	SUFFIX, 0x1f
	li	PAD17, 0
	lui	PAD33, 0x80000
	li	PAD41, 0
	li	a5, 34			/* words of a block */
	li	a6, SOCSIM_HASH_MODE_SHAKE256
	bne	a0, a6, .Lmode\prefix
.Lknown\prefix:
	addi	a6, a5, -1
	bgeu	a4, a6, .Llong\prefix
	bltu	a5, a2, .Llong\prefix
	mv	IN, a3
	mv	OUT, a1
	lla	NEXT, .Lput_end\prefix
	slli	a2, a2, 2
	sub	NEXT, NEXT, a2
	slli	a4, a4, 2

	/* The message, a4 bytes and SUFFIX, ends in the first block. */
.Lonly\prefix:
	lla	LOADS, .Lsuffix\prefix
	slli	a6, a4, 1		/* the list of suffixes has two instructions a word */
	add	a6, LOADS, a6
	sub	LOADS, LOADS, a4
	jr	a6

.Lmode\prefix:
	li	a6, SOCSIM_HASH_MODE_SHA3_256
	beqz	a0, 1f			/* SHAKE128 */
	li	SUFFIX, 0x06
	beq	a0, a6, .Lknown\prefix
	mv	PAD17, PAD33
	li	PAD33, 0
	li	a5, 18
	j	.Lknown\prefix
1:	mv	PAD41, PAD33
	li	PAD33, 0
	li	a5, 42
	j	.Lknown\prefix

	/* Any message. */
.Llong\prefix:
	mv	IN, a3
	mv	OUT, a1
	slli	a2, a2, 2
	slli	a4, a4, 2
	slli	a5, a5, 2
	sw	OUT, OUT_AT
	sw	a2, BYTES_AT
	sw	SUFFIX, SUFFIX_AT
	sw	PAD17, PAD17_AT
	sw	PAD33, PAD33_AT
	sw	PAD41, PAD41_AT
	sw	zero, SELF_AT
	lla	NEXT, .Lput_end\prefix
	sub	NEXT, NEXT, a2
	bgeu	a5, a2, 1f
	lla	NEXT, .Lblocks_out\prefix
1:	sw	NEXT, NEXT_AT
	lla	a6, .Lpad\prefix
	sw	a6, END_AT

	/* Begins a message, of which a4 bytes are there; a block has a5. */
.Lbegin\prefix:
	sw	a5, RATE_AT
	sub	a6, a4, a5
	bgez	a6, 1f
	addi	a6, a5, -4
	bne	a4, a6, .Lonly\prefix
	lui	a6, 0x80000		/* one word has both ends of the padding */
	or	SUFFIX, SUFFIX, a6
	j	.Lonly\prefix
1:	sw	a6, LEFT_AT
	lla	NEXT, .Lsecond\prefix
	lla	LOADS, .Lsuffix\prefix
	lla	a6, .Lclear\prefix
	sub	LOADS, LOADS, a5
	add	a6, a6, a5
	jr	a6

	/* Behind the first of several blocks. */
.Lsecond\prefix:
	lw	LEFT, LEFT_AT
	lw	RATE, RATE_AT
	lw	NEXT, END_AT
	add	IN, IN, RATE
	sub	LEFT, LEFT, RATE
	bgez	LEFT, .Lanother\prefix
	jr	NEXT
.Lanother\prefix:
	addi	EVEN, RATE, -4
	list_entry ENTER, .Llater_end\prefix, EVEN, ODD
	add	SCRATCH, IN, RATE
	lw	ODD, -4(SCRATCH)
	jr	ENTER

	/* More than a block is wanted. */
.Lblocks_out\prefix:
	lw	RATE, RATE_AT
	lw	OUT, OUT_AT
	lw	LEFT, BYTES_AT
	lla	SCRATCH, .Lblock_end\prefix
	sub	SCRATCH, SCRATCH, RATE
	jr	SCRATCH
.Lblock_out\prefix:
	add	OUT, OUT, RATE
	sub	LEFT, LEFT, RATE
	bgeu	RATE, LEFT, 1f
	kperm	\rounds
	jr	SCRATCH
1:	lla	NEXT, .Lput_end\prefix
	lw	EVEN, SELF_AT
	sub	NEXT, NEXT, LEFT
	beqz	EVEN, 1f
	sw	NEXT, AFTER_AT
	lla	NEXT, .Lspill\prefix
1:	kperm	\rounds
	jr	NEXT

	piece	movein, \prefix, 2
.Lsuffix\prefix:
	.set	word, 0
	.rept	MOST + 1
	.altmacro
	set_word %word, %(word - 22), SUFFIX
	.noaltmacro
	.set	word, word + 1
	j	.Lclear\prefix + 4 * word
	.endr
.Lclear\prefix:
	up	clear, 0, 49
	jr	4 * (3 * (MOST + 1) + 50 + 1)(LOADS)	/* .Lget_end less .Lsuffix */
	down	get, MOST
.Lget_end\prefix:
	kperm	\rounds
	jr	NEXT

	down	later, MOST
.Llater_end\prefix:
	add	IN, IN, RATE
	sub	LEFT, LEFT, RATE
	bltz	LEFT, 1f
	add	SCRATCH, IN, RATE
	lw	ODD, -4(SCRATCH)	/* the last word of a block is always an odd one */
	kperm	\rounds
	jr	ENTER
1:	kperm	\rounds
	jr	NEXT

	/* The last block of several: LEFT + RATE bytes, which may be none, and the padding. */
.Lpad\prefix:
	lw	EVEN, PAD33_AT
	lw	ODD, PAD41_AT
	lw	SCRATCH, PAD17_AT
	xor	x11, x11, EVEN
	fmv.x.w	EVEN, f17
	xor	x19, x19, ODD
	xor	EVEN, EVEN, SCRATCH
	fmv.w.x	f17, EVEN
	add	EVEN, LEFT, RATE
	list_entry SCRATCH, .Llater_end\prefix, EVEN, ODD
	lw	ODD, SUFFIX_AT
	lw	NEXT, NEXT_AT
	lw	OUT, OUT_AT
	mv	EVEN, ODD
	jr	SCRATCH

.Lspill\prefix:
	lw	IN, SELF_AT
	lw	NEXT, AFTER_AT
	store	REG_SPILLED, IN, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21, x22, x23, x24, x25, x26, x27
	jr	NEXT

function \prefix\()_absorb
	save
	j	.Labsorb\prefix
function \prefix\()_finish
	save
	j	.Lfinish\prefix
function \prefix\()_fetch
	save
	j	.Lfetch\prefix

	piece	moveout, \prefix, 3
	down	put, MOST
.Lput_end\prefix:
	load	SAVED, sp, s0, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
	addi	sp, sp, FRAME
	ret

	down	put, MOST
.Lblock_end\prefix:
	j	.Lblock_out\prefix

	/* Goes on at SCRATCH. */
.Lreload\prefix:
	load	REG_SPILLED + 4, a0, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21, x22, x23, x24, x25, x26, x27
	lw	a0, REG_SPILLED(a0)
	jr	SCRATCH

	piece	control, \prefix, 4
.Labsorb\prefix:
	lw	a5, REG_RATE(a0)
	lw	a3, REG_FRESH(a0)
	lla	NEXT, .Lput_end\prefix
	sw	a0, SELF_AT
	sw	NEXT, AFTER_AT
	lla	NEXT, .Lspill\prefix
	mv	IN, a1
	beqz	a3, 1f
	sw	NEXT, END_AT
	sw	zero, REG_FRESH(a0)
	load	REG_PAD17, a0, PAD17, PAD33, PAD41
	mv	a4, a2
	j	.Lbegin\prefix
1:	mv	RATE, a5
	sub	LEFT, a2, a5
	lla	SCRATCH, .Lanother\prefix
	j	.Lreload\prefix

.Lfinish\prefix:
	lw	a5, REG_RATE(a0)
	lw	a6, REG_FRESH(a0)
	load	REG_PAD17, a0, PAD17, PAD33, PAD41
	lla	NEXT, .Lput_end\prefix
	sw	a0, SELF_AT
	sw	NEXT, AFTER_AT
	lla	NEXT, .Lspill\prefix
	mv	IN, a1
	mv	SUFFIX, a3
	beqz	a6, 1f
	sw	zero, REG_FRESH(a0)
	mv	a4, a2
	j	.Lbegin\prefix
1:	sw	NEXT, NEXT_AT
	sw	SUFFIX, SUFFIX_AT
	sw	PAD17, PAD17_AT
	sw	PAD33, PAD33_AT
	sw	PAD41, PAD41_AT
	mv	RATE, a5
	sub	LEFT, a2, a5
	lla	SCRATCH, .Lpad\prefix
	j	.Lreload\prefix

.Lfetch\prefix:
	lw	RATE, REG_RATE(a0)
	sw	a0, SELF_AT
	mv	OUT, a1
	lla	NEXT, .Lput_end\prefix
	sub	NEXT, NEXT, a2
	sw	NEXT, AFTER_AT
	lla	SCRATCH, .Lspill\prefix
	bgeu	RATE, a2, 1f
	sw	OUT, OUT_AT
	sw	a2, BYTES_AT
	sw	RATE, RATE_AT
	lla	NEXT, .Lblocks_out\prefix
	mv	SCRATCH, NEXT
1:	beqz	a3, 2f
	mv	NEXT, SCRATCH
	lla	SCRATCH, .Lagain\prefix
	j	.Lreload\prefix
2:	mv	SCRATCH, NEXT
	j	.Lreload\prefix
.Lagain\prefix:
	kperm	\rounds
	jr	NEXT
.endm

	version	reg24, 24, 0
	version	regx24, 24, 1
	version	reg12, 12, 0
	version	regx12, 12, 1

/* void reg_dump(struct reg *r); */
.macro dump n, reg
	fsw	f\n, 4 * \n(a0)
.endm
	piece	moveout, regdump, 0
function reg_dump
	up	dump, 0, 31
	ret

	.option	pop
