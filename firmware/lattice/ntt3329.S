/*
 * The transform modulo q = 3329 and products in its range, for CV32E40P: there a
 * multiplication of 32 bits takes one cycle, but the high half of a product five. So
 * products with a constant are Plantard's, for which 32 bits are enough:
 *
 *	p = x·c mod 2^32, signed, with c = b'/q mod 2^32 and b' = -b·2^32 mod± q
 *	r = ((p >> 16) + 8)·q >> 16
 *
 * As p·q is x·b' modulo 2^32, p·q = x·b' + m·2^32 with m = -x·b'/2^32 = x·b modulo q. Now
 * p>>16 loses less than 2^16 of p, and the 8 adds 8·2^16, so r is the integer below
 *
 *	m + x·b'/2^32 - e + 8q/2^16,	0 <= e < q/2^16
 *
 * which is m as long as the rest is in [0, 1): -0.355 <= x·b'/2^32 < 0.593. With
 * |b'| <= q/2 that is |x| <= 917,000 (and with |b'| < q half of it), and |r| <= 1665
 * whatever x is. So coefficients grow by that much in a layer of the transform, and
 * no layer of the seven has to reduce them.
 *
 * The same with c = 1/q takes a sum x of products to -x/2^32, for |x| up to 1.5·10^9.
 *
 * No instruction but the branches of loops stalls the pipeline: what is loaded is not
 * used by the next one.
 */
	.option	norelax
	.option	norvc

#define Q	3329

	.set	qinv, 1806234369	/* 1/q modulo 2^32 */
	.if	((qinv * Q) & 0xffffffff) - 1
	.error	"qinv is not 1/q"
	.endif

/* .word c for b. */
.macro constant b
	.set	factor, Q - ((\b) % Q) * (0x100000000 % Q) % Q
	.if	factor > Q / 2
	.set	factor, factor - Q
	.endif
	.word	(factor * qinv) & 0xffffffff
.endm

/* power = 17^BitRev7(i), the i-th root of FIPS 203, appendix A. */
.macro root i
	.set	power, 1
	.rept	(\i & 1) << 6 | (\i & 2) << 4 | (\i & 4) << 2 | (\i & 8) | (\i & 16) >> 2 | (\i & 32) >> 4 | (\i & 64) >> 6
	.set	power, power * 17 % Q
	.endr
.endm

.macro root_constants i, n
	.set	index, \i
	.rept	\n
	root	index
	constant power
	.set	index, index + 1
	.endr
.endm

/* The same downwards from i. */
.macro root_constants_down i, n
	.set	index, \i
	.rept	\n
	root	index
	constant power
	.set	index, index - 1
	.endr
.endm

	.section .rodata.ntt3329, "a"
	.balign	4
/* For the first three layers, and then 15 for each block of 32 coefficients: 1 of
   layer 4, 2 of layer 5, 4 of layer 6, 8 of layer 7. */
roots3329:
	root_constants 1, 7
	.set	block, 0
	.rept	8
	root_constants 8 + block, 1
	root_constants 16 + 2 * block, 2
	root_constants 32 + 4 * block, 4
	root_constants 64 + 8 * block, 8
	.set	block, block + 1
	.endr

/* For the inverse: 15 for each block of 32 coefficients, 8 of the first layer, 4 of
   the second, 2 of the third, 1 of the fourth; 4 of layer 5, 2 of layer 6; and for
   layer 7, whose results are the transform's, the root and 1, both times what
   makes the product's factor -2^-32 and the 2^7 of the layers go away. */
inverse_roots3329:
	.set	block, 0
	.rept	8
	root_constants_down 127 - 8 * block, 8
	root_constants_down 63 - 4 * block, 4
	root_constants_down 31 - 2 * block, 2
	root_constants_down 15 - block, 1
	.set	block, block + 1
	.endr
	root_constants_down 7, 4
	root_constants_down 3, 2
	.set	undo, (Q - 0x100000000 % Q) * 3303 % Q	/* 3303 = 1/2^7 */
	root	1
	constant power * undo
	constant undo

/* Roots modulo which pairs of numbers 2i and, negated, 2i + 1 are. */
pair_roots3329:
	root_constants 64, 64

.macro function name
	.globl	\name
	.type	\name, @function
	.balign	4
\name:
.endm

/* q, and 1/q where sums of products are reduced. */
#define MODULUS	a2
#define INVERSE	t2

#define T	t0

/* r = x times what c is the constant of. */
.macro multiply r, x, c
	mul	\r, \x, \c
	srai	\r, \r, 16
	addi	\r, \r, 8
	mul	\r, \r, MODULUS
	srai	\r, \r, 16
.endm

/* a + b·c and a - b·c. */
.macro butterfly a, b, c
	multiply T, \b, \c
	sub	\b, \a, T
	add	\a, \a, T
.endm

/* a + b and (b - a)·c. */
.macro inverse_butterfly a, b, c
	sub	T, \b, \a
	add	\a, \a, \b
	multiply \b, T, \c
.endm

/* Registers at \from, \from + \step and so on. */
.macro each op, base, from, step, regs:vararg
	.set	offset, \from
	.irp	reg, \regs
	\op	\reg, offset(\base)
	.set	offset, offset + \step
	.endr
.endm

.macro save
	addi	sp, sp, -48
	each	sw, sp, 0, 4, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
.endm

.macro restore_return
	each	lw, sp, 0, 4, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
	addi	sp, sp, 48
	ret
.endm

#define F	a0	/* the polynomial, or what is left of it */
#define ROOTS	a1
#define END	t1

/* A column of coefficients, or half a block. */
#define C0	a3
#define C1	a4
#define C2	a5
#define C3	a6
#define C4	a7
#define C5	t3
#define C6	t4
#define C7	t5
#define C8	t6
#define C9	s0
#define C10	s1
#define C11	s2
#define C12	s3
#define C13	s4
#define C14	s5
#define C15	s6

/* Roots at hand. */
#define R0	s7
#define R1	s8
#define R2	s9
#define R3	s10
#define R4	s11
#define R5	t2

	.text
/*
 * void ntt3329(poly3329 f): layers 1 to 3 on columns of 8 coefficients, 32 apart, of
 * which two are done a round; then layers 4 to 7 on blocks of 32, where even and odd
 * numbers do not mix.
 */
function ntt3329
	save
	lla	ROOTS, roots3329
	li	MODULUS, Q
	addi	END, F, 64
	each	lw, ROOTS, 0, 4, s0, s1, s2, s3, s4, s5, s6
1:
	.set	column, 0
	.rept	2
	each	lh, F, column, 64, C0, C1, C2, C3, C4, C5, C6, C7
	butterfly C0, C4, s0
	butterfly C1, C5, s0
	butterfly C2, C6, s0
	butterfly C3, C7, s0
	butterfly C0, C2, s1
	butterfly C1, C3, s1
	butterfly C4, C6, s2
	butterfly C5, C7, s2
	butterfly C0, C1, s3
	butterfly C2, C3, s4
	butterfly C4, C5, s5
	butterfly C6, C7, s6
	each	sh, F, column, 64, C0, C1, C2, C3, C4, C5, C6, C7
	.set	column, column + 2
	.endr
	addi	F, F, 4
	bne	F, END, 1b

	addi	F, F, -64
	addi	ROOTS, ROOTS, 28
	addi	END, F, 512
2:
	.set	half, 0
	.rept	2
	lw	R0, 0(ROOTS)
	each	lh, F, half, 4, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15
	lw	R1, 4(ROOTS)
	butterfly C0, C8, R0
	butterfly C1, C9, R0
	lw	R2, 8(ROOTS)
	butterfly C2, C10, R0
	butterfly C3, C11, R0
	butterfly C4, C12, R0
	lw	R3, 12(ROOTS)
	butterfly C5, C13, R0
	butterfly C6, C14, R0
	butterfly C7, C15, R0
	lw	R4, 16(ROOTS)
	butterfly C0, C4, R1
	butterfly C1, C5, R1
	butterfly C2, C6, R1
	butterfly C3, C7, R1
	lw	R5, 20(ROOTS)
	butterfly C8, C12, R2
	butterfly C9, C13, R2
	butterfly C10, C14, R2
	butterfly C11, C15, R2
	lw	R0, 24(ROOTS)
	butterfly C0, C2, R3
	lw	R1, 28(ROOTS)
	butterfly C1, C3, R3
	lw	R2, 32(ROOTS)
	butterfly C4, C6, R4
	butterfly C5, C7, R4
	lw	R3, 36(ROOTS)
	butterfly C8, C10, R5
	butterfly C9, C11, R5
	lw	R4, 40(ROOTS)
	butterfly C12, C14, R0
	butterfly C13, C15, R0
	lw	R5, 44(ROOTS)
	butterfly C0, C1, R1
	lw	R0, 48(ROOTS)
	butterfly C2, C3, R2
	lw	R1, 52(ROOTS)
	butterfly C4, C5, R3
	lw	R2, 56(ROOTS)
	butterfly C6, C7, R4
	butterfly C8, C9, R5
	butterfly C10, C11, R0
	butterfly C12, C13, R1
	butterfly C14, C15, R2
	each	sh, F, half, 4, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15
	.set	half, half + 2
	.endr
	addi	F, F, 64
	addi	ROOTS, ROOTS, 60
	bne	F, END, 2b
	restore_return

/*
 * void inverse_ntt3329(poly3329 f): the way back. Coefficients that are only added
 * grow to 16·1665 in four layers, which 16 bits hold, and to 128·1665 in seven, which
 * a multiplication bears.
 */
function inverse_ntt3329
	save
	lla	ROOTS, inverse_roots3329
	li	MODULUS, Q
	addi	END, F, 512
1:
	.set	half, 0
	.rept	2
	lw	R0, 0(ROOTS)
	each	lh, F, half, 4, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15
	lw	R1, 4(ROOTS)
	inverse_butterfly C0, C1, R0
	lw	R2, 8(ROOTS)
	inverse_butterfly C2, C3, R1
	lw	R3, 12(ROOTS)
	inverse_butterfly C4, C5, R2
	lw	R4, 16(ROOTS)
	inverse_butterfly C6, C7, R3
	lw	R5, 20(ROOTS)
	inverse_butterfly C8, C9, R4
	lw	R0, 24(ROOTS)
	inverse_butterfly C10, C11, R5
	lw	R1, 28(ROOTS)
	inverse_butterfly C12, C13, R0
	lw	R2, 32(ROOTS)
	inverse_butterfly C14, C15, R1
	lw	R3, 36(ROOTS)
	inverse_butterfly C0, C2, R2
	inverse_butterfly C1, C3, R2
	lw	R4, 40(ROOTS)
	inverse_butterfly C4, C6, R3
	inverse_butterfly C5, C7, R3
	lw	R5, 44(ROOTS)
	inverse_butterfly C8, C10, R4
	inverse_butterfly C9, C11, R4
	lw	R0, 48(ROOTS)
	inverse_butterfly C12, C14, R5
	inverse_butterfly C13, C15, R5
	lw	R1, 52(ROOTS)
	inverse_butterfly C0, C4, R0
	inverse_butterfly C1, C5, R0
	inverse_butterfly C2, C6, R0
	inverse_butterfly C3, C7, R0
	lw	R2, 56(ROOTS)
	inverse_butterfly C8, C12, R1
	inverse_butterfly C9, C13, R1
	inverse_butterfly C10, C14, R1
	inverse_butterfly C11, C15, R1
	inverse_butterfly C0, C8, R2
	inverse_butterfly C1, C9, R2
	inverse_butterfly C2, C10, R2
	inverse_butterfly C3, C11, R2
	inverse_butterfly C4, C12, R2
	inverse_butterfly C5, C13, R2
	inverse_butterfly C6, C14, R2
	inverse_butterfly C7, C15, R2
	each	sh, F, half, 4, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15
	.set	half, half + 2
	.endr
	addi	F, F, 64
	addi	ROOTS, ROOTS, 60
	bne	F, END, 1b

	addi	F, F, -512
	addi	END, F, 64
	each	lw, ROOTS, 0, 4, s0, s1, s2, s3, s4, s5, s6, s7
2:
	.set	column, 0
	.rept	2
	each	lh, F, column, 64, C0, C1, C2, C3, C4, C5, C6, C7
	inverse_butterfly C0, C1, s0
	inverse_butterfly C2, C3, s1
	inverse_butterfly C4, C5, s2
	inverse_butterfly C6, C7, s3
	inverse_butterfly C0, C2, s4
	inverse_butterfly C1, C3, s4
	inverse_butterfly C4, C6, s5
	inverse_butterfly C5, C7, s5
	inverse_butterfly C0, C4, s6
	inverse_butterfly C1, C5, s6
	inverse_butterfly C2, C6, s6
	inverse_butterfly C3, C7, s6
	multiply C0, C0, s7
	multiply C1, C1, s7
	multiply C2, C2, s7
	multiply C3, C3, s7
	each	sh, F, column, 64, C0, C1, C2, C3, C4, C5, C6, C7
	.set	column, column + 2
	.endr
	addi	F, F, 4
	bne	F, END, 2b
	restore_return

/* void companion3329_of(companion3329 z, const poly3329 y); two pairs a round. */
function companion3329_of
	lla	a3, pair_roots3329
	li	MODULUS, Q
	addi	END, a0, 256
1:	lw	t3, 0(a3)
	lh	t4, 2(a1)
	lh	t5, 6(a1)
	addi	a3, a3, 4
	multiply t4, t4, t3
	multiply t5, t5, t3
	neg	t5, t5
	sh	t4, 0(a0)
	sh	t5, 2(a0)
	addi	a1, a1, 8
	addi	a0, a0, 4
	bne	a0, END, 1b
	ret

/*
 * void product3329_k(poly3329 out, const poly3329 *a, const poly3329 *y,
 *                    const companion3329 *z);
 * sums up a0·y0 + a1·z and a0·y1 + a1·y0, and reduces the two sums of a pair at its
 * end. Two pairs are done a round.
 */
#define OUT	a0
#define A	a1
#define Y	a3
#define Z	a4

.macro reduce x
	mul	\x, \x, INVERSE
	srai	\x, \x, 16
	addi	\x, \x, 8
	mul	\x, \x, MODULUS
	srai	\x, \x, 16
.endm

.macro product k
function product3329_\k
	mv	Z, a3
	mv	Y, a2
	li	MODULUS, Q
	li	INVERSE, qinv
	addi	END, OUT, 512
1:
	.set	pair, 0
	.rept	2
	.set	i, 0
	.rept	\k
	lh	t3, 512 * i + 4 * pair(A)
	lh	t5, 512 * i + 4 * pair(Y)
	lh	t4, 512 * i + 4 * pair + 2(A)
	lh	t6, 256 * i + 2 * pair(Z)
	.if	i == 0
	mul	a5, t3, t5
	mul	a6, t4, t5
	lh	t5, 512 * i + 4 * pair + 2(Y)
	mul	t4, t4, t6
	mul	t3, t3, t5
	.else
	mul	T, t3, t5
	mul	a7, t4, t5
	lh	t5, 512 * i + 4 * pair + 2(Y)
	mul	t4, t4, t6
	add	a5, a5, T
	mul	t3, t3, t5
	add	a6, a6, a7
	.endif
	add	a5, a5, t4
	add	a6, a6, t3
	.set	i, i + 1
	.endr
	reduce	a5
	reduce	a6
	sh	a5, 4 * pair(OUT)
	sh	a6, 4 * pair + 2(OUT)
	.set	pair, pair + 1
	.endr
	addi	A, A, 8
	addi	Y, Y, 8
	addi	Z, Z, 4
	addi	OUT, OUT, 8
	bne	OUT, END, 1b
	ret
.endm

	product	1
	product	2
	product	3
	product	4
