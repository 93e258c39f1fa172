/*
 * Ascon-p with 12 and with 8 rounds (Ascon v1.2, section 2.6; NIST SP 800-232,
 * section 3) for RV32I.
 *
 *	void ascon_p12(uint32_t x[10]);
 *	void ascon_p8(uint32_t x[10]);
 *
 * The state is x0 to x4, each as its low and then its high word. It stays in ten
 * registers; three more are enough for the rest, so nothing is saved and nothing
 * spilled. One round is 117 instructions of one cycle each: 1 adds the constant,
 * 2 x 18 are the S-box, 5 x 16 the linear layer. All rounds are unrolled, and the
 * 8 are the last of the 12.
 *
 * Words are not interleaved into even and odd bits. Rotating such a word takes as
 * many shifts on this hart, which has no rotate instruction, except by one bit (three
 * instructions less a round), and changing a message word to and fro takes more than
 * that gains.
 */
	.option	norelax
	.option	norvc

#define X	a0

#define X0L	a1
#define X0H	a2
#define X1L	a3
#define X1H	a4
#define X2L	a5
#define X2H	a6
#define X3L	a7
#define X3H	t0
#define X4L	t1
#define X4H	t2
#define P	t3
#define Q	t4
#define R	t5

/*
 * The S-box on 32 columns. With a0 = x0^x4, a2 = x2^x1, a4 = x4^x3 the figure of
 * the documents (v1.2, figure 4a) is
 *
 *	s0 = a0 ^ ~x1&a2   s1 = x1 ^ ~a2&x3   s2 = a2 ^ ~x3&a4   s3 = x3 ^ ~a4&a0
 *	s4 = a4 ^ ~a0&x1   and x0 = s0^s4, x1 = s1^s0, x2 = ~s2, x3 = s3^s2, x4 = s4
 *
 * and by ~p&q = p&q ^ q = (p|q) ^ p all negations but the last go away:
 *
 *	u = a0 ^ x1&x2     v = a2 ^ x3&x4     w = a4 ^ a0&x1
 *	x0 = u ^ a2 ^ w    x1 = u ^ (a2|x3)   x2 = ~(v^x4)   x3 = v ^ (a4|a0)   x4 = w ^ x1
 *
 * The results are left in other registers: x0 in \x2, x1 in \x3, x2 in \x4, x3 in
 * \p, x4 in \q. \x0, \x1 and \r are free then.
 */
.macro sbox x0, x1, x2, x3, x4, p, q, r
	xor	\x0, \x0, \x4		/* a0 */
	xor	\q, \x4, \x3		/* a4 */
	xor	\r, \x2, \x1		/* a2 */
	and	\x2, \x2, \x1
	xor	\x2, \x2, \x0		/* u */
	and	\p, \x0, \x1
	or	\x0, \x0, \q		/* a4|a0 */
	xor	\q, \q, \p		/* w */
	and	\p, \x3, \x4
	xor	\p, \p, \r		/* v */
	xor	\x4, \x4, \p
	not	\x4, \x4
	xor	\p, \p, \x0
	or	\x3, \x3, \r
	xor	\x3, \x3, \x2
	xor	\x2, \x2, \r
	xor	\x2, \x2, \q
	xor	\q, \q, \x1
.endm

/* One half of x ^ (x >>> a) ^ (x >>> b), rotations of 64 bits with a, b below 32: the
   other half comes from the right. t changes. */
.macro half to, same, other, a, b, t
	srli	\to, \same, \a
	slli	\t, \other, 32 - (\a)
	xor	\to, \to, \same
	xor	\to, \to, \t
	srli	\t, \same, \b
	xor	\to, \to, \t
	slli	\t, \other, 32 - (\b)
	xor	\to, \to, \t
.endm

/* The same where b is 32 more: there the halves change places. */
.macro half_far to, same, other, a, b, t
	srli	\to, \same, \a
	slli	\t, \other, 32 - (\a)
	xor	\to, \to, \same
	xor	\to, \to, \t
	srli	\t, \other, \b
	xor	\to, \to, \t
	slli	\t, \same, 32 - (\b)
	xor	\to, \to, \t
.endm

/* And where both are. */
.macro half_farther to, same, other, a, b, t
	srli	\to, \other, \a
	slli	\t, \same, 32 - (\a)
	xor	\to, \to, \same
	xor	\to, \to, \t
	srli	\t, \other, \b
	xor	\to, \to, \t
	slli	\t, \same, 32 - (\b)
	xor	\to, \to, \t
.endm

.macro linear kind, tol, toh, l, h, a, b, t
	\kind	\tol, \l, \h, \a, \b, \t
	\kind	\toh, \h, \l, \a, \b, \t
.endm

/* The S-boxes have moved all words; the linear layer (v1.2, figure 4b) puts them back
   where they were, in an order in which the places are free. */
.macro round constant
	xori	X2L, X2L, \constant
	sbox	X0L, X1L, X2L, X3L, X4L, P, Q, R
	sbox	X0H, X1H, X2H, X3H, X4H, X0L, R, X1L
	linear	half_farther, X1L, X1H, X3L, X3H, 61 - 32, 39 - 32, X0H
	linear	half, X3L, X3H, P, X0L, 10, 17, X0H
	linear	half, X0L, X0H, X2L, X2H, 19, 28, P
	linear	half, X2L, X2H, X4L, X4H, 1, 6, P
	linear	half_far, X4L, X4H, Q, R, 7, 41 - 32, P
.endm

.macro each instruction
	\instruction	X0L, 0(X)
	\instruction	X0H, 4(X)
	\instruction	X1L, 8(X)
	\instruction	X1H, 12(X)
	\instruction	X2L, 16(X)
	\instruction	X2H, 20(X)
	\instruction	X3L, 24(X)
	\instruction	X3H, 28(X)
	\instruction	X4L, 32(X)
	\instruction	X4H, 36(X)
.endm

	.section .text.ascon_p, "ax", @progbits
	.balign	4

	.globl	ascon_p8
	.type	ascon_p8, @function
ascon_p8:
	each	lw
	j	.Leight
	.size	ascon_p8, . - ascon_p8

	.globl	ascon_p12
	.type	ascon_p12, @function
ascon_p12:
	each	lw
	.irp	constant, 0xf0, 0xe1, 0xd2, 0xc3
	round	\constant
	.endr
.Leight:
	.irp	constant, 0xb4, 0xa5, 0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b
	round	\constant
	.endr
	each	sw
	ret
	.size	ascon_p12, . - ascon_p12
