/*
 * chain and chains of xof.h with all of a message in registers, for accelerators
 * with a window.
 */
#ifndef HAL_CHAINS_H
#define HAL_CHAINS_H

#include "pieces.h"

/*
 * void DRIVER_chain4(uintptr_t base, uint32_t *out, const uint32_t *message, unsigned steps,
 *                    bool sleep);
 * void DRIVER_chains4(uintptr_t base, uint32_t *out, const uint32_t *secret,
 *                     const uint32_t *message, unsigned steps, unsigned count, bool sleep);
 * and the same with 6 and 8 are chain and chains of xof.h for one n each, made by
 * all_chains. The first is the second with one chain whose value is there.
 *
 * All of the message is in registers: \head (PK.seed, and ADRS up to the tree
 * address), \type, \pair, \chain and \hash of ADRS, \value. Registers the caller
 * wants back hold words other than \value, so that they can be restored before the
 * last value is fetched. What the loop has to do besides moving words is done while
 * the accelerator permutes.
 *
 * A driver defines these macros first; finish and await begin new pieces:
 *
 *	enter sleep                            keeps that register at SLEEP_AT, if it is wanted
 *	begin base, one                        starts a message; one is a register that holds 1
 *	push base, registers                   feeds words
 *	finish function, n, base, temporary    ends the message of 2n + 8 words, in control
 *	fetched temporary                      loads into temporary what await wants there
 *	await function, base, temporary, label, there
 *	                                       waits for the output, at the label if one is
 *	                                       given, and ends in a piece of moveout;
 *	                                       there: fetched was used before
 *	pop base, registers                    fetches words
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
#define SLEEP_AT	20(sp)
#define SAVED		24
#define FRAME		80

.macro chains driver, prefix, n, head, type, pair, chain, hash, value, last, saved
	.set	order, 0
	next_piece control, \prefix\()chains\n
function \driver\()_chain\n
	addi	sp, sp, -FRAME
	store	SAVED, sp, \saved
	sw	a1, OUT_AT
	enter	a4
	li	ONE, 1
	sw	ONE, COUNT_AT
	next_piece movein, \prefix\()chains\n
	load	0, a2, \head, \type, \pair, \chain, \hash, \value
	li	UNIT, 0x01000000
	j	.Lstep\n

	next_piece control, \prefix\()chains\n
function \driver\()_chains\n
	addi	sp, sp, -FRAME
	store	SAVED, sp, \saved
	store	0, sp, a1, a5, a2, a4
	enter	a6
	next_piece movein, \prefix\()chains\n
	load	0, a3, \head, \type, \pair, \chain, \hash
	li	UNIT, 0x01000000
	li	ONE, 1
	sw	\hash, HASH_AT
	j	.Lsecret\n

	await	\prefix\()chains\n, BASE, \last, .Lnext\n
	pop	BASE, \value
	next_piece control, \prefix\()chains\n
.Lstep\n:
	begin	BASE, ONE
	next_piece movein, \prefix\()chains\n
	push	BASE, \head, \type, \pair, \chain, \hash, \value
	finish	\prefix\()chains\n, \n, BASE, \last
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
	await	\prefix\()chains\n, BASE, \last
	pop	BASE, \value
	store	-4 * \n, OUT, \value

	next_piece control, \prefix\()chains\n
.Lsecret\n:
	lw	\last, SECRET_AT	/* the last register of \value */
	begin	BASE, ONE
	next_piece movein, \prefix\()chains\n
	lw	STEPS, 4 * (\n + 4)(\last)	/* the type in the secret's ADRS */
	push	BASE, \head, STEPS, \pair, \chain, \hash
	load	4 * (\n + 8), \last, \value
	push	BASE, \value
	finish	\prefix\()chains\n, \n, BASE, \last
	lw	STEPS, STEPS_AT
	j	.Lnext\n

.Ldone\n:
	fetched	\last
	load	SAVED, sp, \saved
	addi	sp, sp, FRAME
	await	\prefix\()chains\n, BASE, \last, there=1
	pop	BASE, \value
	store	-4 * \n, OUT, \value
	ret
.endm

.macro all_chains driver, prefix, chains=chains
	\chains	\driver, \prefix, 4, "ra, s0, s1, s2, s3, t0, t1, t2", a4, a5, a6, a7, "t3, t4, t5, t6", t6, \
		"ra, s0, s1, s2, s3"
	\chains	\driver, \prefix, 6, "ra, s0, s1, s2, s3, s4, s5, s6, s7, t0", a4, a5, a6, a7, "t1, t2, t3, t4, t5, t6", t6, \
		"ra, s0, s1, s2, s3, s4, s5, s6, s7"
	\chains	\driver, \prefix, 8, "ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10", s11, a5, a6, a7, \
		"t0, t1, t2, t3, t4, t5, t6, a4", a4, \
		"ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11"
.endm

#endif
