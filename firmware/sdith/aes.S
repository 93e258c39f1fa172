/*
 * SubBytes, and ShiftRows, MixColumns and AddRoundKey, of bit-sliced AES (aes.h). A byte
 * is eight words, the least significant bit first; byte i of a state is byte i % 4 of
 * column i / 4.
 *
 *	void aes_sub_bytes(uint32_t *bytes, unsigned n)
 *	void aes_mix_columns(uint32_t *out, const uint32_t *state, const uint32_t *key, unsigned columns)
 *
 * Cycles: 136 a byte, 240 a column, and some 40 for a call.
 */

	.text

/*
 * The S-box without its constant 0x63, on each byte: the circuit of Boyar and
 * Peralta, "A small depth-16 circuit for the AES S-box" (2012), of 115 gates, without its
 * inverters. An inversion in GF(2^8), over GF(2^4) over GF(2^2), between two linear
 * maps. Names are theirs, bit 7 of the byte being u0 and s0 there. The gates are in an
 * order in which at most 24 values are alive, so none goes to memory, if u7 is loaded
 * twice. No load is followed by its use.
 */
	.section .text.aes_sub_bytes, "ax"
	.balign 4
	.globl aes_sub_bytes
	.type aes_sub_bytes, @function
aes_sub_bytes:
	addi sp, sp, -48
	sw s0, 0(sp)
	sw s1, 4(sp)
	sw s2, 8(sp)
	sw s3, 12(sp)
	sw s4, 16(sp)
	sw s5, 20(sp)
	sw s6, 24(sp)
	sw s7, 28(sp)
	sw s8, 32(sp)
	sw s9, 36(sp)
	sw s10, 40(sp)
	slli a1, a1, 5
	add a1, a1, a0
1:
	lw a2, 20(a0)       /* u2 = b5 */
	lw a3, 24(a0)       /* u1 = b6 */
	lw a4, 4(a0)        /* u6 = b1 */
	xor a2, a3, a2      /* t0 = u1 ^ u2 */
	lw a5, 8(a0)        /* u5 = b2 */
	lw s0, 0(a0)        /* u7 = b0 */
	lw s1, 28(a0)       /* u0 = b7 */
	xor a6, a2, s0      /* y1 = t0 ^ u7 */
	xor a7, s1, a4      /* y13 = u0 ^ u6 */
	xor a4, a6, a4      /* y5 = y1 ^ u6 */
	lw t0, 16(a0)       /* u3 = b4 */
	lw t1, 12(a0)       /* u4 = b3 */
	xor t2, t0, a5      /* y14 = u3 ^ u5 */
	xor t3, a7, t2      /* y12 = y13 ^ y14 */
	xor t1, t1, t3      /* t1 = u4 ^ y12 */
	xor a3, t1, a3      /* y20 = t1 ^ u1 */
	xor t1, t1, a5      /* y15 = t1 ^ u5 */
	xor a5, s1, a5      /* y8 = u0 ^ u5 */
	xor t4, s1, t0      /* y9 = u0 ^ u3 */
	xor t5, a3, t4      /* y11 = y20 ^ y9 */
	xor t6, a2, t5      /* y16 = t0 ^ y11 */
	xor a2, t1, a2      /* y10 = y15 ^ t0 */
	xor t0, a6, t0      /* y4 = y1 ^ u3 */
	and s2, t4, t5      /* t12 = y9 & y11 */
	xor s3, a2, t5      /* y17 = y10 ^ y11 */
	and s4, t0, s0      /* t5 = y4 & u7 */
	and s5, t2, s3      /* t13 = y14 & y17 */
	xor s5, s5, s2      /* t14 = t13 ^ t12 */
	and s6, a5, a2      /* t15 = y8 & y10 */
	xor s2, s6, s2      /* t16 = t15 ^ t12 */
	and s6, t3, t1      /* t2 = y12 & y15 */
	xor s4, s4, s6      /* t6 = t5 ^ t2 */
	xor s4, s4, s2      /* t18 = t6 ^ t16 */
	xor s7, s0, t5      /* y7 = u7 ^ y11 */
	xor s0, t1, s0      /* y6 = y15 ^ u7 */
	xor s8, a4, a5      /* y3 = y5 ^ y8 */
	and s9, s8, s0      /* t3 = y3 & y6 */
	xor s6, s9, s6      /* t4 = t3 ^ t2 */
	xor s6, s6, s5      /* t17 = t4 ^ t14 */
	xor a3, s6, a3      /* t21 = t17 ^ y20 */
	and s6, a4, a6      /* t8 = y5 & y1 */
	and s9, a7, t6      /* t7 = y13 & y16 */
	xor s6, s6, s9      /* t9 = t8 ^ t7 */
	xor s5, s6, s5      /* t19 = t9 ^ t14 */
	xor s6, a6, s1      /* y2 = y1 ^ u0 */
	and s10, s6, s7     /* t10 = y2 & y7 */
	xor s9, s10, s9     /* t11 = t10 ^ t7 */
	xor s2, s9, s2      /* t20 = t11 ^ t16 */
	xor s9, a7, t6      /* y21 = y13 ^ y16 */
	xor s5, s5, s9      /* t23 = t19 ^ y21 */
	xor s1, s1, t6      /* y18 = u0 ^ y16 */
	xor s1, s2, s1      /* t24 = t20 ^ y18 */
	xor s2, a2, a5      /* y19 = y10 ^ y8 */
	xor s2, s4, s2      /* t22 = t18 ^ y19 */
	and s4, a3, s5      /* t26 = t21 & t23 */
	xor s9, s2, s4      /* t31 = t22 ^ t26 */
	xor s10, s5, s1     /* t30 = t23 ^ t24 */
	and s9, s9, s10     /* t32 = t31 & t30 */
	xor s4, s1, s4      /* t27 = t24 ^ t26 */
	xor s9, s9, s1      /* t33 = t32 ^ t24 */
	xor s10, s4, s9     /* t35 = t27 ^ t33 */
	and s1, s1, s10     /* t36 = t24 & t35 */
	xor s5, s5, s9      /* t34 = t23 ^ t33 */
	xor s5, s1, s5      /* t37 = t36 ^ t34 */
	xor s10, s9, s5     /* t44 = t33 ^ t37 */
	and t3, s10, t3     /* z9 = t44 & y12 */
	and t1, s10, t1     /* z0 = t44 & y15 */
	xor s1, s4, s1      /* t38 = t27 ^ t36 */
	xor a3, a3, s2      /* t25 = t21 ^ t22 */
	and s4, a3, s4      /* t28 = t25 & t27 */
	xor s2, s4, s2      /* t29 = t28 ^ t22 */
	and s1, s2, s1      /* t39 = t29 & t38 */
	xor a3, a3, s1      /* t40 = t25 ^ t39 */
	and s1, s5, s8      /* z10 = t37 & y3 */
	and t0, s9, t0      /* z11 = t33 & y4 */
	xor t3, t3, s1      /* t49 = z9 ^ z10 */
	xor s1, s1, t0      /* t47 = z10 ^ z11 */
	xor t0, s2, a3      /* t43 = t29 ^ t40 */
	and a7, t0, a7      /* z12 = t43 & y13 */
	and t0, t0, t6      /* z3 = t43 & y16 */
	and a4, a3, a4      /* z13 = t40 & y5 */
	and t6, s2, s7      /* z5 = t29 & y7 */
	and a6, a3, a6      /* z4 = t40 & y1 */
	and s4, s2, s6      /* z14 = t29 & y2 */
	xor s2, s2, s9      /* t42 = t29 ^ t33 */
	xor a3, a3, s5      /* t41 = t40 ^ t37 */
	and t5, s2, t5      /* z6 = t42 & y11 */
	and a5, a3, a5      /* z17 = t41 & y8 */
	and t4, s2, t4      /* z15 = t42 & y9 */
	and a2, a3, a2      /* z8 = t41 & y10 */
	xor a3, s2, a3      /* t45 = t42 ^ t41 */
	and t2, a3, t2      /* z16 = t45 & y14 */
	and a3, a3, s3      /* z7 = t45 & y17 */
	xor t4, t4, t2      /* t46 = z15 ^ z16 */
	xor a5, t2, a5      /* t55 = z16 ^ z17 */
	xor t2, t5, a3      /* t54 = z6 ^ z7 */
	xor t1, t1, t0      /* t53 = z0 ^ z3 */
	xor t0, t0, t2      /* t59 = z3 ^ t54 */
	and s0, s5, s0      /* z1 = t37 & y6 */
	lw t2, 0(a0)        /* u7 = b0 */
	xor t5, a6, t4      /* t58 = z4 ^ t46 */
	and t2, s9, t2      /* z2 = t33 & u7 */
	xor a2, a3, a2      /* t52 = z7 ^ z8 */
	xor a3, t3, t5      /* t63 = t49 ^ t58 */
	xor a2, a2, t5      /* t62 = t52 ^ t58 */
	xor a4, t6, a4      /* t48 = z5 ^ z13 */
	xor t3, t2, t6      /* t51 = z2 ^ z5 */
	xor t2, t2, a7      /* t50 = z2 ^ z12 */
	xor t2, t2, t1      /* t57 = t50 ^ t53 */
	xor t4, t4, t2      /* t60 = t46 ^ t57 */
	xor t2, s4, t2      /* t61 = z14 ^ t57 */
	xor s0, s0, a3      /* t66 = z1 ^ t63 */
	xor a6, a6, t0      /* t64 = z4 ^ t59 */
	xor a3, t0, a3      /* s0 = t59 ^ t63 */
	sw a3, 28(a0)       /* s0 = b7 */
	xor a3, a7, a4      /* t56 = z12 ^ t48 */
	xor a4, a4, t4      /* s7 = t48 ^ t60 */
	xor a3, a3, a2      /* s6 = t56 ^ t62 */
	xor a2, t2, a2      /* t65 = t61 ^ t62 */
	xor s1, s1, a2      /* s5 = t47 ^ t65 */
	xor a2, a6, a2      /* t67 = t64 ^ t65 */
	xor a2, a5, a2      /* s2 = t55 ^ t67 */
	sw a2, 20(a0)       /* s2 = b5 */
	xor a2, t3, s0      /* s4 = t51 ^ t66 */
	xor a5, t1, s0      /* s3 = t53 ^ t66 */
	sw a4, 0(a0)        /* s7 = b0 */
	sw a2, 12(a0)       /* s4 = b3 */
	sw s1, 8(a0)        /* s5 = b2 */
	xor a2, a6, a5      /* s1 = t64 ^ s3 */
	sw a5, 16(a0)       /* s3 = b4 */
	sw a3, 4(a0)        /* s6 = b1 */
	sw a2, 24(a0)       /* s1 = b6 */
	addi a0, a0, 32
	bne a0, a1, 1b
	lw s0, 0(sp)
	lw s1, 4(sp)
	lw s2, 8(sp)
	lw s3, 12(sp)
	lw s4, 16(sp)
	lw s5, 20(sp)
	lw s6, 24(sp)
	lw s7, 28(sp)
	lw s8, 32(sp)
	lw s9, 36(sp)
	lw s10, 40(sp)
	addi sp, sp, 48
	ret
	.size aes_sub_bytes, . - aes_sub_bytes

/* Bit \k of the bytes of column \c, behind ShiftRows, to \b0 and so on, and the sums of
   neighbours to \d0 and so on. */
	.macro load c, k, b0, b1, b2, b3, d0, d1, d2, d3
	lw \b0, 128 * ((\c + 0) % 4) + 4 * \k(a1)
	lw \b1, 128 * ((\c + 1) % 4) + 32 + 4 * \k(a1)
	lw \b2, 128 * ((\c + 2) % 4) + 64 + 4 * \k(a1)
	lw \b3, 128 * ((\c + 3) % 4) + 96 + 4 * \k(a1)
	xor \d0, \b0, \b1
	xor \d1, \b1, \b2
	xor \d2, \b2, \b3
	xor \d3, \b3, \b0
	.endm

/*
 * Bit \k of column \c: that of 2 (a_i + a_{i+1}) + a_{i+1} + a_{i+2} + a_{i+3} for byte i,
 * plus key. \l are bits \k - 1 of the sums of neighbours \d; doubling brings bit 7, in s8 to
 * s11, to bits 0, 1, 3 and 4. Overwrites \b.
 */
	.macro mix c, k, b0, b1, b2, b3, d0, d1, d2, d3, l0, l1, l2, l3
	xor \b1, \b1, \d2
	lw t0, 128 * \c + 4 * \k(a2)
	xor \b2, \b2, \d3
	lw t1, 128 * \c + 32 + 4 * \k(a2)
	xor \b3, \b3, \d0
	lw t2, 128 * \c + 64 + 4 * \k(a2)
	xor \b0, \b0, \d1
	lw ra, 128 * \c + 96 + 4 * \k(a2)
	xor \b1, \b1, \l0
	xor \b2, \b2, \l1
	xor \b3, \b3, \l2
	xor \b0, \b0, \l3
	.if \k == 1 || \k == 3 || \k == 4
	xor \b1, \b1, s8
	xor \b2, \b2, s9
	xor \b3, \b3, s10
	xor \b0, \b0, s11
	.endif
	xor \b1, \b1, t0
	xor \b2, \b2, t1
	xor \b3, \b3, t2
	xor \b0, \b0, ra
	sw \b1, 128 * \c + 4 * \k(a0)
	sw \b2, 128 * \c + 32 + 4 * \k(a0)
	sw \b3, 128 * \c + 64 + 4 * \k(a0)
	sw \b0, 128 * \c + 96 + 4 * \k(a0)
	.endm

	.macro even op, c, k, d:vararg
	\op \c, \k, a4, a5, a6, a7, \d
	.endm
	.macro odd op, c, k, d:vararg
	\op \c, \k, t3, t4, t5, t6, \d
	.endm

	.macro column c
	odd load, \c, 7, s8, s9, s10, s11
	even load, \c, 6, s0, s1, s2, s3
	odd mix, \c, 7, s8, s9, s10, s11, s0, s1, s2, s3
	odd load, \c, 5, s4, s5, s6, s7
	even mix, \c, 6, s0, s1, s2, s3, s4, s5, s6, s7
	even load, \c, 4, s0, s1, s2, s3
	odd mix, \c, 5, s4, s5, s6, s7, s0, s1, s2, s3
	odd load, \c, 3, s4, s5, s6, s7
	even mix, \c, 4, s0, s1, s2, s3, s4, s5, s6, s7
	even load, \c, 2, s0, s1, s2, s3
	odd mix, \c, 3, s4, s5, s6, s7, s0, s1, s2, s3
	odd load, \c, 1, s4, s5, s6, s7
	even mix, \c, 2, s0, s1, s2, s3, s4, s5, s6, s7
	even load, \c, 0, s0, s1, s2, s3
	odd mix, \c, 1, s4, s5, s6, s7, s0, s1, s2, s3
	even mix, \c, 0, s0, s1, s2, s3, s8, s9, s10, s11
	.endm

	.section .text.aes_mix_columns, "ax"
	.balign 4
	.globl aes_mix_columns
	.type aes_mix_columns, @function
aes_mix_columns:
	addi sp, sp, -64
	sw ra, 0(sp)
	sw s0, 4(sp)
	sw s1, 8(sp)
	sw s2, 12(sp)
	sw s3, 16(sp)
	sw s4, 20(sp)
	sw s5, 24(sp)
	sw s6, 28(sp)
	sw s7, 32(sp)
	sw s8, 36(sp)
	sw s9, 40(sp)
	sw s10, 44(sp)
	sw s11, 48(sp)
	column 0
	addi a3, a3, -1
	beqz a3, 1f
	column 1
	column 2
	column 3
1:	lw ra, 0(sp)
	lw s0, 4(sp)
	lw s1, 8(sp)
	lw s2, 12(sp)
	lw s3, 16(sp)
	lw s4, 20(sp)
	lw s5, 24(sp)
	lw s6, 28(sp)
	lw s7, 32(sp)
	lw s8, 36(sp)
	lw s9, 40(sp)
	lw s10, 44(sp)
	lw s11, 48(sp)
	addi sp, sp, 64
	ret
	.size aes_mix_columns, . - aes_mix_columns
