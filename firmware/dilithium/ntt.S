/*
 * The transform modulo q = 8380417 and products in its range, for CV32E40P: there the
 * low half of a product takes one cycle and the high half five. So products with a
 * constant z are Shoup's, which need one high half:
 *
 *	z' = the integer next to z·2^32/q, with |z| <= q/2
 *	r = x·z - (x·z' >> 32)·q
 *
 * The quotient is that of x·z by q, but for x/2^33 at most, and rounded down. So r, which
 * is x·z modulo q, is from -q·|x|/2^33 to q·(1 + |x|/2^33), and 32 bits of both products
 * are enough for it. x is any number: no layer of the transform has to reduce.
 *
 * Sums of products of two unknown numbers are added up in 64 bits and reduced once, by
 * Montgomery: S - m·q with m = S/q mod 2^32 is divisible by 2^32.
 *
 * No instruction but the branches of loops and mulh stalls the pipeline: what is loaded
 * is not used by the next one.
 */
	.option	norelax
	.option	norvc

#define Q	8380417

	.set	qinv, 58728449		/* 1/q modulo 2^32 */
	.if	((qinv * Q) & 0xffffffff) - 1
	.error	"qinv is not 1/q"
	.endif

/* .word z, z' for z modulo q. */
.macro constant value
	.set	z, (\value) % Q
	.if	z > Q / 2
	.word	(z - Q) & 0xffffffff, -((((Q - z) << 32) + Q / 2) / Q) & 0xffffffff
	.else
	.word	z, ((z << 32) + Q / 2) / Q
	.endif
.endm

/* power = 1753^BitRev8(i), the i-th root of FIPS 204, appendix B. */
.macro root i
	.set	power, 1
	.rept	(\i & 1) << 7 | (\i & 2) << 5 | (\i & 4) << 3 | (\i & 8) << 1 | (\i & 16) >> 1 | (\i & 32) >> 3 | (\i & 64) >> 5 | (\i & 128) >> 7
	.set	power, power * 1753 % Q
	.endr
.endm

.macro root_constants i, n, step=1
	.set	index, \i
	.rept	\n
	root	index
	constant power
	.set	index, index + \step
	.endr
.endm

	.section .rodata.ntt, "a"
	.balign	4
/* 15 for layers 1 to 4, and 15 for each block of 16 coefficients: 1 of layer 5, 2 of
   layer 6, 4 of layer 7, 8 of layer 8. */
roots:
	root_constants 1, 15
	.set	block, 0
	.rept	16
	root_constants 16 + block, 1
	root_constants 32 + 2 * block, 2
	root_constants 64 + 4 * block, 4
	root_constants 128 + 8 * block, 8
	.set	block, block + 1
	.endr

/* For the inverse: 15 for each block of 16 coefficients, 8 of the first layer, 4 of the
   second, 2 of the third, 1 of the fourth; 8 of layer 5, 4 of layer 6, 2 of layer 7; and
   for layer 8, whose results are the transform's, the root and 1, both times what makes
   the product's factor 2^-32 and the 2^8 of the layers go away. */
inverse_roots:
	.set	block, 0
	.rept	16
	root_constants 255 - 8 * block, 8, -1
	root_constants 127 - 4 * block, 4, -1
	root_constants 63 - 2 * block, 2, -1
	root_constants 31 - block, 1
	.set	block, block + 1
	.endr
	root_constants 15, 8, -1
	root_constants 7, 4, -1
	root_constants 3, 2, -1
	.set	undo, 0x100000000 % Q * 8347681 % Q	/* 8347681 = 1/2^8 */
	root	1
	constant power * undo
	constant undo

.macro function name
	.globl	\name
	.type	\name, @function
	.balign	4
\name:
.endm

#define F	a0	/* the polynomial, or what is left of it */
#define ROOTS	a1
#define MODULUS	a2
#define END	t1
#define T	t0
#define U	t2

/* Sixteen coefficients. */
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

/* r = x·z. r may be x. */
.macro multiply r, x, z, zq
	mulh	T, \x, \zq
	mul	\r, \x, \z
	mul	T, T, MODULUS
	sub	\r, \r, T
.endm

/* a + b·z and a - b·z. */
.macro butterfly a, b, z, zq
	multiply U, \b, \z, \zq
	sub	\b, \a, U
	add	\a, \a, U
.endm

/* a + b and (b - a)·z. */
.macro inverse_butterfly a, b, z, zq
	sub	U, \b, \a
	add	\a, \a, \b
	multiply \b, U, \z, \zq
.endm

/* Three constants are at hand. The next one is loaded into the place of the first. */
#define Z0	s7, s8
#define Z1	s9, s10
#define Z2	s11, ra

.macro take z, zq, number
	lw	\z, 8 * (\number)(ROOTS)
	lw	\zq, 8 * (\number) + 4(ROOTS)
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
	addi	sp, sp, -64
	each	sw, sp, 0, 4, ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
.endm

.macro restore_return
	each	lw, sp, 0, 4, ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
	addi	sp, sp, 64
	ret
.endm

/* Four layers on sixteen coefficients, \step bytes apart. */
.macro four_layers step
	take	Z0, 0
	each	lw, F, 0, \step, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15
	take	Z1, 1
	butterfly C0, C8, Z0
	butterfly C1, C9, Z0
	butterfly C2, C10, Z0
	butterfly C3, C11, Z0
	take	Z2, 2
	butterfly C4, C12, Z0
	butterfly C5, C13, Z0
	butterfly C6, C14, Z0
	butterfly C7, C15, Z0

	take	Z0, 3
	butterfly C0, C4, Z1
	butterfly C1, C5, Z1
	butterfly C2, C6, Z1
	butterfly C3, C7, Z1
	take	Z1, 4
	butterfly C8, C12, Z2
	butterfly C9, C13, Z2
	butterfly C10, C14, Z2
	butterfly C11, C15, Z2

	take	Z2, 5
	butterfly C0, C2, Z0
	butterfly C1, C3, Z0
	take	Z0, 6
	butterfly C4, C6, Z1
	butterfly C5, C7, Z1
	take	Z1, 7
	butterfly C8, C10, Z2
	butterfly C9, C11, Z2
	take	Z2, 8
	butterfly C12, C14, Z0
	butterfly C13, C15, Z0

	take	Z0, 9
	butterfly C0, C1, Z1
	take	Z1, 10
	butterfly C2, C3, Z2
	take	Z2, 11
	butterfly C4, C5, Z0
	take	Z0, 12
	butterfly C6, C7, Z1
	take	Z1, 13
	butterfly C8, C9, Z2
	take	Z2, 14
	butterfly C10, C11, Z0
	butterfly C12, C13, Z1
	butterfly C14, C15, Z2
	each	sw, F, 0, \step, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15
.endm

/* The way back; last: the fourth layer is the transform's last, so what is only added
   up is multiplied as well, with one more constant. */
.macro four_inverse_layers step, last=0
	take	Z0, 0
	each	lw, F, 0, \step, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15
	take	Z1, 1
	inverse_butterfly C0, C1, Z0
	take	Z2, 2
	inverse_butterfly C2, C3, Z1
	take	Z0, 3
	inverse_butterfly C4, C5, Z2
	take	Z1, 4
	inverse_butterfly C6, C7, Z0
	take	Z2, 5
	inverse_butterfly C8, C9, Z1
	take	Z0, 6
	inverse_butterfly C10, C11, Z2
	take	Z1, 7
	inverse_butterfly C12, C13, Z0
	take	Z2, 8
	inverse_butterfly C14, C15, Z1

	take	Z0, 9
	inverse_butterfly C0, C2, Z2
	inverse_butterfly C1, C3, Z2
	take	Z1, 10
	inverse_butterfly C4, C6, Z0
	inverse_butterfly C5, C7, Z0
	take	Z2, 11
	inverse_butterfly C8, C10, Z1
	inverse_butterfly C9, C11, Z1
	take	Z0, 12
	inverse_butterfly C12, C14, Z2
	inverse_butterfly C13, C15, Z2

	take	Z1, 13
	inverse_butterfly C0, C4, Z0
	inverse_butterfly C1, C5, Z0
	inverse_butterfly C2, C6, Z0
	inverse_butterfly C3, C7, Z0
	take	Z2, 14
	inverse_butterfly C8, C12, Z1
	inverse_butterfly C9, C13, Z1
	inverse_butterfly C10, C14, Z1
	inverse_butterfly C11, C15, Z1

	.if	\last
	take	Z0, 15
	.endif
	inverse_butterfly C0, C8, Z2
	inverse_butterfly C1, C9, Z2
	inverse_butterfly C2, C10, Z2
	inverse_butterfly C3, C11, Z2
	inverse_butterfly C4, C12, Z2
	inverse_butterfly C5, C13, Z2
	inverse_butterfly C6, C14, Z2
	inverse_butterfly C7, C15, Z2
	.if	\last
	.irp	c, C0, C1, C2, C3, C4, C5, C6, C7
	multiply \c, \c, Z0
	.endr
	.endif
	each	sw, F, 0, \step, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15
.endm

	.text
/*
 * void ntt(poly f): layers 1 to 4 on columns of 16 coefficients, 16 apart, then layers
 * 5 to 8 on blocks of 16.
 */
function ntt
	save
	lla	ROOTS, roots
	li	MODULUS, Q
	addi	END, F, 64
1:	four_layers 64
	addi	F, F, 4
	bne	F, END, 1b

	addi	F, F, -64
	addi	ROOTS, ROOTS, 120
	addi	END, F, 1024
2:	four_layers 4
	addi	F, F, 64
	addi	ROOTS, ROOTS, 120
	bne	F, END, 2b
	restore_return

/*
 * void inverse_ntt(poly f): the way back. Coefficients that are only added grow to 256
 * times 0.8q, which 32 bits hold; what was multiplied is at most 1.2q and grows to half
 * of that.
 */
function inverse_ntt
	save
	lla	ROOTS, inverse_roots
	li	MODULUS, Q
	addi	END, F, 1024
1:	four_inverse_layers 4
	addi	F, F, 64
	addi	ROOTS, ROOTS, 120
	bne	F, END, 1b

	addi	F, F, -1024
	addi	END, F, 64
2:	four_inverse_layers 64, 1
	addi	F, F, 4
	bne	F, END, 2b
	restore_return

/*
 * void product_k(poly out, const poly *a, const poly *y). Two coefficients are done a
 * round. Offsets reach four polynomials from an address in their middle.
 */
#define OUT	a0
#define A	a1
#define Y	a3
#define A4	a4	/* from the fifth polynomial on */
#define Y4	a5
#define INVERSE	a6

#define HIGH	t3
#define LOW	t4
#define X0	t5, t6	/* coefficients of a and y: of this product and the next one */
#define X1	a7, t2

/* Coefficient \c of polynomial \i of both. */
.macro fetch i, c, x, y
	.if	(\i) < 4
	lw	\x, 1024 * (\i) + 4 * (\c) - 2048(A)
	lw	\y, 1024 * (\i) + 4 * (\c) - 2048(Y)
	.else
	lw	\x, 1024 * ((\i) - 4) + 4 * (\c) - 2048(A4)
	lw	\y, 1024 * ((\i) - 4) + 4 * (\c) - 2048(Y4)
	.endif
.endm

/* The first product of a sum, or one more. \x and \y are free afterwards. */
.macro multiply_first x, y
	mul	LOW, \x, \y
	mulh	HIGH, \x, \y
.endm

.macro multiply_add x, y
	mul	T, \x, \y
	mulh	\x, \x, \y
	add	LOW, LOW, T
	sltu	T, LOW, T
	add	HIGH, HIGH, \x
	add	HIGH, HIGH, T
.endm

.macro sum_up k, c
	fetch	0, \c, X0
	.if	\k == 1
	multiply_first X0
	.else
	fetch	1, \c, X1
	multiply_first X0
	.set	i, 1
	.rept	(\k - 1) / 2
	.if	i + 1 < \k
	fetch	i + 1, \c, X0
	.endif
	multiply_add X1
	.if	i + 2 < \k
	fetch	i + 2, \c, X1
	.endif
	multiply_add X0
	.set	i, i + 2
	.endr
	.if	(\k - 1) % 2
	multiply_add X1
	.endif
	.endif
	mul	LOW, LOW, INVERSE
	mulh	LOW, LOW, MODULUS
	sub	HIGH, HIGH, LOW
	sw	HIGH, 4 * (\c)(OUT)
.endm

.macro products k
function product_\k
	addi	Y, a2, 1024
	addi	Y, Y, 1024
	addi	A, A, 1024
	addi	A, A, 1024
	.if	\k > 4
	li	T, 4096
	add	Y4, Y, T
	add	A4, A, T
	.endif
	li	MODULUS, Q
	li	INVERSE, qinv
	addi	END, OUT, 1024
1:	sum_up	\k, 0
	sum_up	\k, 1
	addi	A, A, 8
	addi	Y, Y, 8
	.if	\k > 4
	addi	A4, A4, 8
	addi	Y4, Y4, 8
	.endif
	addi	OUT, OUT, 8
	bne	OUT, END, 1b
	ret
.endm

	products 1
	products 4
	products 5
	products 6
	products 7
	products 8
