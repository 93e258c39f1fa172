/*
 * Driver "reg" over Keccak: chain and chains of xof.h. Nothing is XORed here, so a
 * version with the absorb instruction would be the same.
 *
 * Every step sets all 50 words of the state: what does not change from step to step is
 * loaded, or cleared, and the value, which is the first words of the state before,
 * goes to where it stands in the message through x10 to x17, which are free then. Steps
 * are counted before the permutation, as a jump back right behind it costs one cycle,
 * where a branch behind it would cost three. For n = 4 a step is 4 cycles of fetching,
 * 50 of feeding, 24 (or 12) of permuting and 3 of control.
 */
#include "pieces.h"
#include "reg.h"
#include "socsim_regs.h"

	.option	push
	.option	arch, +f

#define MESSAGE	t0
#define FIRST	t1	/* what a chain begins with: the secret's message, or MESSAGE */
#define HASH	t2	/* hash address of the step to come, a word of ADRS */
#define END	t3	/* the one behind the last step */
#define UNIT	t4	/* one, in the last byte of a word */
#define CHAIN	t5	/* chain address */
#define OUT	t6
#define LAST	s0	/* OUT behind the last chain */

#define SUFFIX_AT	44(sp)
#define FRAME		48

.macro enter
	addi	sp, sp, -FRAME
	store	0, sp, s0, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
.endm

/* A macro for count words of the state from number on, each with another number, which
   counts up from second. */
.macro words macro, number, second, count, other
	.set	word, 0
	.rept	\count
	.altmacro
	\macro	%(\number + word), %(\second + word), \other
	.noaltmacro
	.set	word, word + 1
	.endr
.endm

/* A word of the state, in or out of memory at word `at` from a base, of register x`at`, or of
   another register. */
.macro get number, at, base
	flw	f\number, 4 * \at(\base)
.endm

.macro put number, at, base
	fsw	f\number, 4 * \at(\base)
.endm

.macro fetch number, at, none
	fmv.x.w	x\at, f\number
.endm

.macro feed number, at, none
	fmv.w.x	f\number, x\at
.endm

.macro set number, at, from
	fmv.w.x	f\number, \from
.endm

/* All of the state behind a message of so many words: padding, zeros, and the last bit of
   the block in word 33. */
.macro pad length
	words	get, \length, 11, 1, sp	/* SUFFIX_AT */
	words	set, \length + 1, 0, 31 - (\length), zero
	li	x10, 0
	lui	x11, 0x80000
	.irp	reg, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21, x22, x23, x24, x25, x26, x27
	li	\reg, 0
	.endr
.endm

/*
 * void PREFIX_chain(uint32_t *out, const uint32_t *message, size_t n, unsigned steps);
 * void PREFIX_chains(uint32_t *out, uint32_t *secret, uint32_t *message, size_t n,
 *                    unsigned steps, unsigned count);
 * A message is PK.seed, n words; ADRS, of which word n + 6 is the chain address and n + 7
 * the hash address; and the value, n words.
 */

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

.macro chains prefix, n, rounds
	.set	order, 0
	.if	\n == 4
	next_piece control, \prefix\()chains\n
	dispatch \prefix\()_chain, a2
	.endif
	next_piece movein, \prefix\()chains\n
.L\prefix\()_chain\n:
	enter
	next_piece control, \prefix\()chains\n
	mv	OUT, a0
	mv	MESSAGE, a1
	lw	HASH, 4 * (\n + 7)(a1)
	lw	CHAIN, 4 * (\n + 6)(a1)
	mv	FIRST, a1
	slli	END, a3, 24
	lui	UNIT, 0x1000
	add	END, END, HASH
	add	HASH, HASH, UNIT
	addi	LAST, a0, 4 * \n
	li	a4, 0x1f
	sw	a4, SUFFIX_AT
	j	.Lfirst\prefix\n

	.if	\n == 4
	next_piece control, \prefix\()chains\n
	dispatch \prefix\()_chains, a3
	.endif
	next_piece movein, \prefix\()chains\n
.L\prefix\()_chains\n:
	enter
	next_piece control, \prefix\()chains\n
	mv	OUT, a0
	mv	MESSAGE, a2
	lw	HASH, 4 * (\n + 7)(a2)
	lw	CHAIN, 4 * (\n + 6)(a2)
	mv	FIRST, a1
	slli	END, a4, 24
	li	a4, 4 * \n
	lui	UNIT, 0x1000
	add	END, END, HASH
	mul	LAST, a5, a4
	li	a4, 0x1f
	sw	a4, SUFFIX_AT
	add	LAST, LAST, OUT
	j	.Lfirst\prefix\n

	next_piece moveout, \prefix\()chains\n
.Lnext\prefix\n:
	words	put, 0, -\n, \n, OUT
	next_piece movein, \prefix\()chains\n
.Lfirst\prefix\n:
	words	get, 0, 0, \n + 6, FIRST
	words	get, \n + 7, \n + 7, \n + 1, FIRST
	words	set, \n + 6, 0, 1, CHAIN
	pad	2 * \n + 8
	next_piece control, \prefix\()chains\n
	beq	HASH, END, 1f
	kperm	\rounds
	j	.Lstep\prefix\n
1:	j	.Llast\prefix\n		/* which is another section: a branch does not reach it */

	next_piece moveout, \prefix\()chains\n
.Lstep\prefix\n:
	words	fetch, 0, 10, \n
	next_piece movein, \prefix\()chains\n
	words	get, 0, 0, \n + 6, MESSAGE
	words	set, \n + 6, 0, 1, CHAIN
	words	set, \n + 7, 0, 1, HASH
	words	feed, \n + 8, 10, \n
	pad	2 * \n + 8
	next_piece control, \prefix\()chains\n
	add	HASH, HASH, UNIT
	beq	HASH, END, .Llast\prefix\n
	kperm	\rounds
	j	.Lstep\prefix\n

	/* The last step of a chain. */
.Llast\prefix\n:
	addi	OUT, OUT, 4 * \n
	beq	OUT, LAST, 1f
	lw	HASH, 4 * (\n + 7)(MESSAGE)
	add	CHAIN, CHAIN, UNIT
	kperm	\rounds
	j	.Lnext\prefix\n
1:	kperm	\rounds
	next_piece moveout, \prefix\()chains\n
	words	put, 0, -\n, \n, OUT
	load	0, sp, s0, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
	addi	sp, sp, FRAME
	ret
.endm

	chains	reg24, 4, 24
	chains	reg24, 6, 24
	chains	reg24, 8, 24
	chains	reg12, 4, 12
	chains	reg12, 6, 12
	chains	reg12, 8, 12

	.option	pop
