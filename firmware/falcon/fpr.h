/*
 * Arithmetic in IEEE 754 binary64 with integer instructions, rounding to the
 * nearest, ties to even, to the last bit. No instruction depends on the operands by
 * branch, address or time (mulhu takes 5 cycles whatever they are).
 *
 * Left out, as nothing here needs them: infinities and NaNs. Numbers below 2^-1022
 * are zero. Callers see to it that no result is too large and no divisor zero.
 */
#ifndef FALCON_FPR_H
#define FALCON_FPR_H

#include <stdbool.h>
#include <stdint.h>

/* The bits of a number. */
typedef uint64_t fpr;

#define FPR_SIGN ((uint64_t)1 << 63)
#define FPR_ZERO ((fpr)0)
#define FPR_ONE ((fpr)0x3FF0000000000000)

/* fprasm.S */
fpr fpr_add(fpr x, fpr y);
fpr fpr_mul(fpr x, fpr y);

static inline fpr fpr_neg(fpr x) { return x ^ FPR_SIGN; }
static inline fpr fpr_sub(fpr x, fpr y) { return fpr_add(x, fpr_neg(y)); }

/* x/2^k, for an x that is zero or so large that the result is above 2^-1022. */
static inline fpr fpr_shrink(fpr x, unsigned k)
{
	uint32_t hi = (uint32_t)(x >> 32);
	uint32_t some = (hi & 0x7FF00000) + 0x7FF00000; /* bit 31: the exponent is not 0 */

	return x - ((uint64_t)(k << 20 & (uint32_t)((int32_t)some >> 31)) << 32);
}

/* x*2^k, for results below 2^1024. */
static inline fpr fpr_grow(fpr x, unsigned k) { return fpr_shrink(x, -k); }

static inline fpr fpr_half(fpr x) { return fpr_shrink(x, 1); }

/* x < y, for numbers neither of which is minus zero. */
static inline bool fpr_lt(fpr x, fpr y)
{
	int64_t sx = (int64_t)x, sy = (int64_t)y;

	sx ^= (int64_t)((uint64_t)(sx >> 63) >> 1);
	sy ^= (int64_t)((uint64_t)(sy >> 63) >> 1);
	return sx < sy;
}

/* 2^e for -1022 <= e <= 1023. */
static inline fpr fpr_power(int e) { return (fpr)(uint32_t)(e + 1023) << 52; }

/* fpr.c */
fpr fpr_div(fpr x, fpr y);
fpr fpr_sqrt(fpr x);
fpr fpr_of(int32_t i);
fpr fpr_of64(int64_t i);
int64_t fpr_rint(fpr x);      /* |x| < 2^63; to nearest, ties to even */
int32_t fpr_floor(fpr x);     /* |x| < 2^31 */
uint64_t fpr_scaled63(fpr x); /* x*2^63 without its fraction, for |x| < 1 */

#endif
