/*
 * Keccak-p[1600, rounds] of FIPS 202 (section 3) for RV32I, by hand.
 *
 *	void keccak_p1600(uint32_t state[50], unsigned rounds);
 *
 * performs the last `rounds` rounds of Keccak-f[1600]; rounds is even, 2 to 24.
 *
 * The state is kept in a form that suits a 32-bit core without rotate and
 * and-not instructions:
 *
 *  - Bit interleaving: of lane x + 5y, word 2(x + 5y) holds the bits with even
 *    numbers and the next word those with odd numbers. A rotation of the lane by
 *    2k rotates both words by k; one by 2k + 1 swaps them and rotates by k + 1
 *    and k. So each half lane of the result needs one half lane of the input, and
 *    a row of chi takes five registers and not ten.
 *
 *  - Lane complementing: lanes 3, 7, 8, 12, 17 and 23 are stored inverted
 *    (KECCAK_INVERTED of keccak.h). theta, rho, pi and iota do not care. In chi,
 *    a ^ (~b & c) costs two instructions when exactly one of b, c is inverted:
 *    "and" if it is b, and "or", whose result is inverted, if it is c. Around a
 *    row of five that cannot hold for every pair, so one word of each row is
 *    inverted on the way. The set of lanes is one of the six that pass through a
 *    round unchanged with that one inversion per row, found by enumeration; of
 *    those it leaves lanes 0 to 2 alone.
 *
 * Registers hold the column parities C of the next round, collected as its input
 * is produced, and the theta effect D of this one, so every word of the state is
 * loaded once and stored once per round. Rounds go from the caller's state to a
 * copy on the stack and back. sp, gp and tp are left alone at all times.
 *
 * One round is 470 instructions, none of which stalls the pipeline of CV32E40P.
 */

	.option	norelax

#define EVEN(x, y)	(8 * ((x) + 5 * (y)))
#define ODD(x, y)	(8 * ((x) + 5 * (y)) + 4)

#define STATE	a0
#define RC	a1	/* round constants of the round to come */

#define C0E	a2	/* parities of columns 0 to 4, even and odd halves */
#define C0O	a3
#define C1E	a4
#define C1O	a5
#define C2E	a6
#define C2O	a7
#define C3E	t0
#define C3O	t1
#define C4E	t2
#define C4O	t3

#define D0E	s0	/* what theta adds to columns 0 to 4 */
#define D0O	s1
#define D1E	s2
#define D1O	s3
#define D2E	s4
#define D2O	s5
#define D3E	s6
#define D3O	s7
#define D4E	s8
#define D4O	s9

#define B0	t4	/* half a row between pi and chi */
#define B1	t5
#define B2	t6
#define B3	s10
#define B4	s11
#define T	ra

/* Where the frame keeps the callee's registers, behind the 200-byte state. */
#define SAVED	200
#define FRAME	256

/* Parity of column x, from memory. */
.macro parity ce, co, x
	lw	\ce, EVEN(\x, 0)(STATE)
	lw	\co, ODD(\x, 0)(STATE)
	lw	B0, EVEN(\x, 1)(STATE)
	lw	B1, ODD(\x, 1)(STATE)
	lw	B2, EVEN(\x, 2)(STATE)
	lw	B3, ODD(\x, 2)(STATE)
	xor	\ce, \ce, B0
	xor	\co, \co, B1
	lw	B0, EVEN(\x, 3)(STATE)
	lw	B1, ODD(\x, 3)(STATE)
	xor	\ce, \ce, B2
	xor	\co, \co, B3
	lw	B2, EVEN(\x, 4)(STATE)
	lw	B3, ODD(\x, 4)(STATE)
	xor	\ce, \ce, B0
	xor	\co, \co, B1
	xor	\ce, \ce, B2
	xor	\co, \co, B3
.endm

/* theta, first half: D[x] = C[x-1] ^ rot(C[x+1], 1); l is column x-1, r is x+1. */
.macro effect de, do, le, lo, re, ro
	slli	T, \ro, 1
	srli	\de, \ro, 31
	xor	T, T, \le
	xor	\de, \de, T
	xor	\do, \lo, \re
.endm

/* theta, second half, and rho for one half lane. */
.macro mix b, d, left
	xor	\b, \b, \d
	.if	\left
	slli	T, \b, \left
	srli	\b, \b, 32 - \left
	or	\b, \b, T
	.endif
.endm

/* chi for one half lane: a ^ (b op c), stored to \to and added to parity c. */
.macro chi op, parity, a, b, c, to:vararg
	\op	T, \b, \c
	xor	T, T, \a
	sw	T, \to
	xor	\parity, \parity, T
.endm

/* The same for the first row of a round, which starts the parities. */
.macro chi1 op, parity, a, b, c, to:vararg
	\op	T, \b, \c
	xor	\parity, T, \a
	sw	\parity, \to
.endm

/* The same for lane (0, 0): \parity holds the round constant, for iota. */
.macro chi0 op, parity, a, b, c, to:vararg
	\op	T, \b, \c
	xor	T, T, \a
	xor	\parity, \parity, T
	sw	\parity, \to
.endm

/* One round from \src to \dst; \rc is its constants' offset from RC. Lane X of
   row Y after pi is lane (X + 3Y, X) before. */
.macro round src, dst, rc
	effect	D0E, D0O, C4E, C4O, C1E, C1O
	effect	D1E, D1O, C0E, C0O, C2E, C2O
	effect	D2E, D2O, C1E, C1O, C3E, C3O
	effect	D3E, D3O, C2E, C2O, C4E, C4O
	effect	D4E, D4O, C3E, C3O, C0E, C0O

	/* Row 0, even halves. */
	lw	B0, EVEN(0, 0)(\src)
	lw	B1, EVEN(1, 1)(\src)
	lw	B2, ODD(2, 2)(\src)
	lw	B3, ODD(3, 3)(\src)
	lw	B4, EVEN(4, 4)(\src)
	lw	C0E, \rc(RC)
	mix	B0, D0E, 0
	mix	B1, D1E, 22
	mix	B2, D2O, 22
	mix	B3, D3O, 11
	mix	B4, D4E, 7
	chi0	and, C0E, B0, B1, B2, EVEN(0, 0)(\dst)
	chi1	or, C1E, B1, B2, B3, EVEN(1, 0)(\dst)
	chi1	and, C3E, B3, B4, B0, EVEN(3, 0)(\dst)
	chi1	or, C4E, B4, B0, B1, EVEN(4, 0)(\dst)
	not	B4, B4
	chi1	and, C2E, B2, B3, B4, EVEN(2, 0)(\dst)

	/* Row 0, odd halves. */
	lw	B0, ODD(0, 0)(\src)
	lw	B1, ODD(1, 1)(\src)
	lw	B2, EVEN(2, 2)(\src)
	lw	B3, EVEN(3, 3)(\src)
	lw	B4, ODD(4, 4)(\src)
	lw	C0O, \rc + 4(RC)
	mix	B0, D0O, 0
	mix	B1, D1O, 22
	mix	B2, D2E, 21
	mix	B3, D3E, 10
	mix	B4, D4O, 7
	chi0	and, C0O, B0, B1, B2, ODD(0, 0)(\dst)
	chi1	or, C1O, B1, B2, B3, ODD(1, 0)(\dst)
	chi1	and, C3O, B3, B4, B0, ODD(3, 0)(\dst)
	chi1	or, C4O, B4, B0, B1, ODD(4, 0)(\dst)
	not	B4, B4
	chi1	and, C2O, B2, B3, B4, ODD(2, 0)(\dst)

	/* Row 1, even halves. */
	lw	B0, EVEN(3, 0)(\src)
	lw	B1, EVEN(4, 1)(\src)
	lw	B2, ODD(0, 2)(\src)
	lw	B3, ODD(1, 3)(\src)
	lw	B4, ODD(2, 4)(\src)
	mix	B0, D3E, 14
	mix	B1, D4E, 10
	mix	B2, D0O, 2
	mix	B3, D1O, 23
	mix	B4, D2O, 31
	chi	and, C0E, B0, B1, B2, EVEN(0, 1)(\dst)
	chi	or, C1E, B1, B2, B3, EVEN(1, 1)(\dst)
	chi	and, C3E, B3, B4, B0, EVEN(3, 1)(\dst)
	chi	or, C4E, B4, B0, B1, EVEN(4, 1)(\dst)
	not	B3, B3
	chi	or, C2E, B2, B3, B4, EVEN(2, 1)(\dst)

	/* Row 1, odd halves. */
	lw	B0, ODD(3, 0)(\src)
	lw	B1, ODD(4, 1)(\src)
	lw	B2, EVEN(0, 2)(\src)
	lw	B3, EVEN(1, 3)(\src)
	lw	B4, EVEN(2, 4)(\src)
	mix	B0, D3O, 14
	mix	B1, D4O, 10
	mix	B2, D0E, 1
	mix	B3, D1E, 22
	mix	B4, D2E, 30
	chi	and, C0O, B0, B1, B2, ODD(0, 1)(\dst)
	chi	or, C1O, B1, B2, B3, ODD(1, 1)(\dst)
	chi	and, C3O, B3, B4, B0, ODD(3, 1)(\dst)
	chi	or, C4O, B4, B0, B1, ODD(4, 1)(\dst)
	not	B3, B3
	chi	or, C2O, B2, B3, B4, ODD(2, 1)(\dst)

	/* Row 2, even halves. */
	lw	B0, ODD(1, 0)(\src)
	lw	B1, EVEN(2, 1)(\src)
	lw	B2, ODD(3, 2)(\src)
	lw	B3, EVEN(4, 3)(\src)
	lw	B4, EVEN(0, 4)(\src)
	mix	B0, D1O, 1
	mix	B1, D2E, 3
	mix	B2, D3O, 13
	mix	B3, D4E, 4
	mix	B4, D0E, 9
	chi	or, C0E, B0, B1, B2, EVEN(0, 2)(\dst)
	chi	and, C2E, B2, B3, B4, EVEN(2, 2)(\dst)
	chi	or, C3E, B3, B4, B0, EVEN(3, 2)(\dst)
	chi	and, C4E, B4, B0, B1, EVEN(4, 2)(\dst)
	not	B3, B3
	chi	and, C1E, B1, B2, B3, EVEN(1, 2)(\dst)

	/* Row 2, odd halves. */
	lw	B0, EVEN(1, 0)(\src)
	lw	B1, ODD(2, 1)(\src)
	lw	B2, EVEN(3, 2)(\src)
	lw	B3, ODD(4, 3)(\src)
	lw	B4, ODD(0, 4)(\src)
	mix	B0, D1E, 0
	mix	B1, D2O, 3
	mix	B2, D3E, 12
	mix	B3, D4O, 4
	mix	B4, D0O, 9
	chi	or, C0O, B0, B1, B2, ODD(0, 2)(\dst)
	chi	and, C2O, B2, B3, B4, ODD(2, 2)(\dst)
	chi	or, C3O, B3, B4, B0, ODD(3, 2)(\dst)
	chi	and, C4O, B4, B0, B1, ODD(4, 2)(\dst)
	not	B3, B3
	chi	and, C1O, B1, B2, B3, ODD(1, 2)(\dst)

	/* Row 3, even halves. */
	lw	B0, ODD(4, 0)(\src)
	lw	B1, EVEN(0, 1)(\src)
	lw	B2, EVEN(1, 2)(\src)
	lw	B3, ODD(2, 3)(\src)
	lw	B4, EVEN(3, 4)(\src)
	mix	B0, D4O, 14
	mix	B1, D0E, 18
	mix	B2, D1E, 5
	mix	B3, D2O, 8
	mix	B4, D3E, 28
	chi	or, C0E, B0, B1, B2, EVEN(0, 3)(\dst)
	chi	and, C1E, B1, B2, B3, EVEN(1, 3)(\dst)
	chi	and, C4E, B4, B0, B1, EVEN(4, 3)(\dst)
	not	B3, B3
	chi	and, C2E, B2, B3, B4, EVEN(2, 3)(\dst)
	chi	or, C3E, B3, B4, B0, EVEN(3, 3)(\dst)

	/* Row 3, odd halves. */
	lw	B0, EVEN(4, 0)(\src)
	lw	B1, ODD(0, 1)(\src)
	lw	B2, ODD(1, 2)(\src)
	lw	B3, EVEN(2, 3)(\src)
	lw	B4, ODD(3, 4)(\src)
	mix	B0, D4E, 13
	mix	B1, D0O, 18
	mix	B2, D1O, 5
	mix	B3, D2E, 7
	mix	B4, D3O, 28
	chi	or, C0O, B0, B1, B2, ODD(0, 3)(\dst)
	chi	and, C1O, B1, B2, B3, ODD(1, 3)(\dst)
	chi	and, C4O, B4, B0, B1, ODD(4, 3)(\dst)
	not	B3, B3
	chi	and, C2O, B2, B3, B4, ODD(2, 3)(\dst)
	chi	or, C3O, B3, B4, B0, ODD(3, 3)(\dst)

	/* Row 4, even halves. */
	lw	B0, EVEN(2, 0)(\src)
	lw	B1, ODD(3, 1)(\src)
	lw	B2, ODD(4, 2)(\src)
	lw	B3, ODD(0, 3)(\src)
	lw	B4, EVEN(1, 4)(\src)
	mix	B0, D2E, 31
	mix	B1, D3O, 28
	mix	B2, D4O, 20
	mix	B3, D0O, 21
	mix	B4, D1E, 1
	chi	or, C0E, B0, B1, B2, EVEN(0, 4)(\dst)
	chi	and, C1E, B1, B2, B3, EVEN(1, 4)(\dst)
	chi	or, C2E, B2, B3, B4, EVEN(2, 4)(\dst)
	not	B4, B4
	chi	or, C3E, B3, B4, B0, EVEN(3, 4)(\dst)
	chi	and, C4E, B4, B0, B1, EVEN(4, 4)(\dst)

	/* Row 4, odd halves. */
	lw	B0, ODD(2, 0)(\src)
	lw	B1, EVEN(3, 1)(\src)
	lw	B2, EVEN(4, 2)(\src)
	lw	B3, EVEN(0, 3)(\src)
	lw	B4, ODD(1, 4)(\src)
	mix	B0, D2O, 31
	mix	B1, D3E, 27
	mix	B2, D4E, 19
	mix	B3, D0E, 20
	mix	B4, D1O, 1
	chi	or, C0O, B0, B1, B2, ODD(0, 4)(\dst)
	chi	and, C1O, B1, B2, B3, ODD(1, 4)(\dst)
	chi	or, C2O, B2, B3, B4, ODD(2, 4)(\dst)
	not	B4, B4
	chi	or, C3O, B3, B4, B0, ODD(3, 4)(\dst)
	chi	and, C4O, B4, B0, B1, ODD(4, 4)(\dst)
.endm

	.section .text.keccak_p1600, "ax", @progbits
	.globl	keccak_p1600
	.type	keccak_p1600, @function
	.balign	4
keccak_p1600:
	addi	sp, sp, -FRAME
	sw	ra, SAVED(sp)
	sw	s0, SAVED + 4(sp)
	sw	s1, SAVED + 8(sp)
	sw	s2, SAVED + 12(sp)
	sw	s3, SAVED + 16(sp)
	sw	s4, SAVED + 20(sp)
	sw	s5, SAVED + 24(sp)
	sw	s6, SAVED + 28(sp)
	sw	s7, SAVED + 32(sp)
	sw	s8, SAVED + 36(sp)
	sw	s9, SAVED + 40(sp)
	sw	s10, SAVED + 44(sp)
	sw	s11, SAVED + 48(sp)

	slli	T, a1, 3
	lla	RC, round_constants_end
	sub	RC, RC, T

	parity	C0E, C0O, 0
	parity	C1E, C1O, 1
	parity	C2E, C2O, 2
	parity	C3E, C3O, 3
	parity	C4E, C4O, 4

	.balign	4
1:	round	STATE, sp, 0
	round	sp, STATE, 8
	addi	RC, RC, 16
	andi	T, RC, 255	/* the table ends at a multiple of 256 */
	beqz	T, 2f
	j	1b
2:
	lw	ra, SAVED(sp)
	lw	s0, SAVED + 4(sp)
	lw	s1, SAVED + 8(sp)
	lw	s2, SAVED + 12(sp)
	lw	s3, SAVED + 16(sp)
	lw	s4, SAVED + 20(sp)
	lw	s5, SAVED + 24(sp)
	lw	s6, SAVED + 28(sp)
	lw	s7, SAVED + 32(sp)
	lw	s8, SAVED + 36(sp)
	lw	s9, SAVED + 40(sp)
	lw	s10, SAVED + 44(sp)
	lw	s11, SAVED + 48(sp)
	addi	sp, sp, FRAME
	ret
	.size	keccak_p1600, . - keccak_p1600

/* RC[0..23] of FIPS 202, Algorithm 5, interleaved like the lanes: even, odd. */
	.section .rodata.keccak_round_constants, "a", @progbits
	.balign	256
	.skip	64		/* so that the 192 bytes end at a multiple of 256 */
	.word	0x00000001, 0x00000000	/* 0000000000000001 */
	.word	0x00000000, 0x00000089	/* 0000000000008082 */
	.word	0x00000000, 0x8000008b	/* 800000000000808a */
	.word	0x00000000, 0x80008080	/* 8000000080008000 */
	.word	0x00000001, 0x0000008b	/* 000000000000808b */
	.word	0x00000001, 0x00008000	/* 0000000080000001 */
	.word	0x00000001, 0x80008088	/* 8000000080008081 */
	.word	0x00000001, 0x80000082	/* 8000000000008009 */
	.word	0x00000000, 0x0000000b	/* 000000000000008a */
	.word	0x00000000, 0x0000000a	/* 0000000000000088 */
	.word	0x00000001, 0x00008082	/* 0000000080008009 */
	.word	0x00000000, 0x00008003	/* 000000008000000a */
	.word	0x00000001, 0x0000808b	/* 000000008000808b */
	.word	0x00000001, 0x8000000b	/* 800000000000008b */
	.word	0x00000001, 0x8000008a	/* 8000000000008089 */
	.word	0x00000001, 0x80000081	/* 8000000000008003 */
	.word	0x00000000, 0x80000081	/* 8000000000008002 */
	.word	0x00000000, 0x80000008	/* 8000000000000080 */
	.word	0x00000000, 0x00000083	/* 000000000000800a */
	.word	0x00000000, 0x80008003	/* 800000008000000a */
	.word	0x00000001, 0x80008088	/* 8000000080008081 */
	.word	0x00000000, 0x80000088	/* 8000000000008080 */
	.word	0x00000001, 0x00008000	/* 0000000080000001 */
	.word	0x00000000, 0x80008082	/* 8000000080008008 */
round_constants_end:
