/*
 * Sum and product of binary64 numbers; fpr.h says what holds for them. Arguments
 * are a1:a0 and a3:a2, results a1:a0, as the C ABI has it for 64-bit integers.
 * Nothing but a and t registers is touched.
 */

/*
 * Packs the mantissa mh:ml, whose 1 is at bit 63, into a1:a0. e is the biased
 * exponent less 1: bit 20 of the upper word adds the 1. Rounds off 11 bits, to
 * nearest, ties to even: adding 0x3ff and the bit above carries in just these cases.
 */
.macro pack mh, ml, e, t
	slli	\t, \ml, 21
	srli	\t, \t, 21
	srli	a0, \ml, 11
	slli	\ml, \mh, 21
	or	a0, a0, \ml
	andi	\ml, a0, 1
	add	\t, \t, \ml
	addi	\t, \t, 0x3ff
	srli	\t, \t, 11
	add	a0, a0, \t
	sltu	\t, a0, \t
	srli	a1, \mh, 11
	slli	\e, \e, 20
	add	a1, a1, \e
	add	a1, a1, \t
.endm

	.section .text.fpr_mul, "ax"
	.globl	fpr_mul
	.type	fpr_mul, @function
	.balign	4
fpr_mul:
	xor	t0, a1, a3	/* bit 31: sign of the product */
	slli	t1, a1, 1
	srli	t1, t1, 21	/* exponent of x */
	slli	t2, a3, 1
	srli	t2, t2, 21	/* exponent of y */
	lui	t6, 0x80000

	/* Mantissas with their 1 at bit 63. */
	slli	a1, a1, 11
	srli	t3, a0, 21
	or	a1, a1, t3
	or	a1, a1, t6
	slli	a0, a0, 11
	slli	a3, a3, 11
	srli	t3, a2, 21
	or	a3, a3, t3
	or	a3, a3, t6
	slli	a2, a2, 11

	/* 128 bits of product: a1, a0, t3, t4 from the highest word on. */
	mul	t4, a0, a2
	mulhu	t3, a0, a2
	mul	a4, a1, a2
	mulhu	a5, a1, a2
	mul	a6, a0, a3
	mulhu	a7, a0, a3
	mul	a0, a1, a3
	mulhu	a1, a1, a3
	add	t3, t3, a4
	sltu	a4, t3, a4
	add	t3, t3, a6
	sltu	a6, t3, a6
	add	a5, a5, a4	/* a5 <= 2^32 - 2049: no carry */
	add	a5, a5, a6
	add	a0, a0, a5
	sltu	a5, a0, a5
	add	a0, a0, a7
	sltu	a7, a0, a7
	add	a1, a1, a5
	add	a1, a1, a7
	or	t3, t3, t4
	snez	t3, t3
	or	a0, a0, t3	/* stands for the lower half */

	/* The product's 1 is at bit 63 of a1:a0, or at bit 62. */
	srli	t4, a1, 31
	xori	t5, t4, 1
	srli	a6, a0, 31
	neg	a7, t5
	and	a6, a6, a7
	sll	a1, a1, t5
	or	a4, a1, a6
	sll	a5, a0, t5

	add	t5, t1, t2
	add	t5, t5, t4
	addi	t5, t5, -1024
	snez	t1, t1
	snez	t2, t2
	and	t1, t1, t2
	slti	t2, t5, 0
	addi	t2, t2, -1
	neg	t1, t1
	and	t1, t1, t2	/* all ones unless the product is zero */
	pack	a4, a5, t5, t3
	and	a0, a0, t1
	and	a1, a1, t1
	and	t0, t0, t6
	or	a1, a1, t0
	ret
	.size	fpr_mul, . - fpr_mul

	.section .text.fpr_add, "ax"
	.globl	fpr_add
	.type	fpr_add, @function
	.balign	4
fpr_add:
	/* x becomes the number with the larger absolute value. */
	slli	t0, a1, 1
	slli	t1, a3, 1
	sltu	t2, t0, t1
	xor	t4, t0, t1
	seqz	t4, t4
	sltu	t5, a0, a2
	and	t5, t5, t4
	or	t2, t2, t5
	neg	t2, t2
	xor	t3, a0, a2
	and	t3, t3, t2
	xor	a0, a0, t3
	xor	a2, a2, t3
	xor	t3, a1, a3	/* bit 31: signs differ */
	and	t4, t3, t2
	xor	a1, a1, t4
	xor	a3, a3, t4

	slli	t0, a1, 1
	srli	t0, t0, 21	/* exponent of x */
	slli	t1, a3, 1
	srli	t1, t1, 21	/* exponent of y */

	/* Mantissas t2:a0 and t5:a2 with their 1 at bit 62; that of zero is 0. */
	slli	t2, a1, 12
	srli	t2, t2, 2
	srli	t4, a0, 22
	or	t2, t2, t4
	snez	t4, t0
	slli	t4, t4, 30
	or	t2, t2, t4
	slli	a0, a0, 10
	slli	t5, a3, 12
	srli	t5, t5, 2
	srli	t4, a2, 22
	or	t5, t5, t4
	snez	t4, t1
	slli	t4, t4, 30
	or	t5, t5, t4
	slli	a2, a2, 10

	/* y is shifted right by the difference of exponents, at most 63; the lowest bit
	   stands for what is shifted out. */
	sub	t1, t0, t1
	addi	t1, t1, -63
	srai	t4, t1, 31
	and	t1, t1, t4
	addi	t1, t1, 63
	slli	a6, t1, 26
	srai	a6, a6, 31	/* by 32 or more */
	and	a7, a2, a6
	xor	t6, a2, t5
	and	t6, t6, a6
	xor	a2, a2, t6
	not	a6, a6
	and	t5, t5, a6
	not	t6, t1
	slli	a5, a2, 1
	sll	a5, a5, t6
	or	a7, a7, a5
	slli	a5, t5, 1
	sll	a5, a5, t6
	srl	a2, a2, t1
	or	a2, a2, a5
	srl	t5, t5, t1
	snez	a7, a7
	or	a2, a2, a7

	/* Sum or difference in t2:a0, which is not negative. */
	srai	a6, t3, 31
	xor	a2, a2, a6
	xor	t5, t5, a6
	srli	a7, a6, 31
	add	a2, a2, a0
	sltu	a5, a2, a0
	add	a0, a2, a7
	sltu	a4, a0, a2
	add	t2, t2, t5
	add	t2, t2, a5
	add	t2, t2, a4

	/* Its 1 goes to bit 63: a count in two parts, by words (a5) and within (t4). */
	snez	a5, t2
	addi	a5, a5, -1
	and	a4, a0, a5
	or	t2, t2, a4
	not	a4, a5
	and	a0, a0, a4
	lui	a4, 0x10
	sltu	t4, t2, a4
	slli	t4, t4, 4
	sll	t2, t2, t4
	lui	a4, 0x1000
	sltu	a7, t2, a4
	slli	a7, a7, 3
	sll	t2, t2, a7
	add	t4, t4, a7
	lui	a4, 0x10000
	sltu	a7, t2, a4
	slli	a7, a7, 2
	sll	t2, t2, a7
	add	t4, t4, a7
	lui	a4, 0x40000
	sltu	a7, t2, a4
	slli	a7, a7, 1
	sll	t2, t2, a7
	add	t4, t4, a7
	srli	a7, t2, 31
	xori	a7, a7, 1
	sll	t2, t2, a7
	add	t4, t4, a7
	not	a4, t4
	srli	a7, a0, 1
	srl	a7, a7, a4
	or	t2, t2, a7
	sll	a0, a0, t4

	/* Exponent less 1. */
	andi	a5, a5, 32
	sub	t0, t0, a5
	sub	t0, t0, t4

	snez	a5, t2
	slti	a4, t0, 0
	addi	a4, a4, -1
	neg	a5, a5		/* all ones unless the sum is zero */
	not	t3, t3
	or	t3, t3, a5
	and	t3, t3, a1	/* x - x is plus zero */
	lui	t4, 0x80000
	and	t3, t3, t4
	and	a5, a5, a4
	mv	a4, a0
	pack	t2, a4, t0, a7
	and	a0, a0, a5
	and	a1, a1, a5
	or	a1, a1, t3
	ret
	.size	fpr_add, . - fpr_add
