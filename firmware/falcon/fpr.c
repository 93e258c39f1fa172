/*
 * binary64 in integer arithmetic: what is needed less often than sums and products.
 */
#include "fpr.h"
#include "shift.h"

/* Shifts m to the left until bit 63 is set; returns by how much. */
static inline unsigned normalize(uint64_t *m)
{
	uint32_t hi = (uint32_t)(*m >> 32), t;
	unsigned n = (unsigned)(hi == 0) << 5, k;

	hi |= (uint32_t)*m & -(uint32_t)(hi == 0);
	t = (uint32_t)(hi < 1u << 16) << 4, k = t, hi <<= t;
	t = (uint32_t)(hi < 1u << 24) << 3, k += t, hi <<= t;
	t = (uint32_t)(hi < 1u << 28) << 2, k += t, hi <<= t;
	t = (uint32_t)(hi < 1u << 30) << 1, k += t, hi <<= t;
	k += 1 - (hi >> 31);
	*m = shift_left(*m, n + k);
	return n + k;
}

/*
 * The number of that sign (bit 31) with mantissa m, whose 1 is at bit 63, and biased
 * exponent e; the lowest bit of m stands for all below it. Zero if some is 0.
 */
static inline fpr pack(uint32_t sign, int32_t e, uint64_t m, uint32_t some)
{
	uint64_t r = m >> 11;

	r += (((uint32_t)m & 0x7FF) + 0x3FF + ((uint32_t)r & 1)) >> 11;
	r += (uint64_t)((uint32_t)(e - 1) << 20) << 32; /* bit 52 of r adds the 1 */
	r &= -(uint64_t)(some & (e > 0));
	return r | (uint64_t)(sign & 0x80000000) << 32;
}

static inline uint32_t high(fpr x) { return (uint32_t)(x >> 32); }
static inline int32_t exponent(fpr x) { return (int32_t)(high(x) << 1 >> 21); }

/* Of x other than zero, its 1 at bit 63. */
static inline uint64_t mantissa(fpr x) { return x << 11 | FPR_SIGN; }

/* Digit by digit: 55 of the quotient, and whether anything is left. */
fpr fpr_div(fpr x, fpr y)
{
	uint64_t r = mantissa(x) >> 11, d = mantissa(y) >> 11, q = 0;

	for (int i = 0; i < 55; i++) {
		uint64_t t = r - d;
		uint64_t less = (uint64_t)((int64_t)t >> 63);

		r = (t + (d & less)) << 1;
		q = q << 1 | (less + 1);
	}
	q = q << 1 | (r != 0);

	/* q has bit 55 set, or 54 if x has the smaller mantissa. */
	uint32_t large = high(q) >> 23;

	q <<= 8;
	q += q & -(uint64_t)(1 - large);
	return pack(high(x ^ y), exponent(x) - exponent(y) + 1022 + (int32_t)large, q, exponent(x) != 0);
}

/* Digit by digit; x is not negative. */
fpr fpr_sqrt(fpr x)
{
	int32_t e = exponent(x) - 1023;
	uint64_t r = mantissa(x) >> 11, q = 0, s = 0;

	/* 2^52 <= r < 2^54, times an even power of 2 */
	r += r & -(uint64_t)(e & 1);
	e >>= 1;
	r <<= 1;
	for (uint64_t bit = (uint64_t)1 << 53; bit != 0; bit >>= 1) {
		uint64_t t = r - (s + bit);
		uint64_t less = (uint64_t)((int64_t)t >> 63);

		r = (t + ((s + bit) & less)) << 1;
		s += (bit << 1) & ~less;
		q += bit & ~less;
	}
	q = q << 1 | (r != 0); /* bit 54 is set */
	return pack(0, e + 1023, q << 9, exponent(x) != 0);
}

fpr fpr_of64(int64_t i)
{
	uint64_t sign = (uint64_t)(i >> 63), m = ((uint64_t)i ^ sign) - sign;
	uint32_t some = m != 0;
	unsigned n = normalize(&m);

	return pack((uint32_t)sign, 1086 - (int32_t)n, m, some);
}

fpr fpr_of(int32_t i)
{
	uint32_t sign = mask((uint32_t)i), m = ((uint32_t)i ^ sign) - sign, some = m != 0, t;
	unsigned n;

	t = (uint32_t)(m < 1u << 16) << 4, n = t, m <<= t;
	t = (uint32_t)(m < 1u << 24) << 3, n += t, m <<= t;
	t = (uint32_t)(m < 1u << 28) << 2, n += t, m <<= t;
	t = (uint32_t)(m < 1u << 30) << 1, n += t, m <<= t;
	t = 1 - (m >> 31), n += t, m <<= t;

	/* m>>11 has its 1 at bit 20 of the upper word and adds it to the exponent. */
	uint32_t hi = (m >> 11) + ((uint32_t)(1053 - n) << 20);

	hi = (hi & -some) | (sign & 0x80000000);
	return (uint64_t)hi << 32 | (m << 21);
}

int64_t fpr_rint(fpr x)
{
	/* |x| = m * 2^-n with m < 2^63 */
	uint64_t m = mantissa(x) >> 1, sign = (uint64_t)((int64_t)x >> 63);
	int32_t n = 1085 - exponent(x);

	m &= (uint64_t)(int64_t)((n - 64) >> 31); /* else it rounds to 0 */
	n &= 63;

	/* The bits shifted out, from bit 63 on down. */
	uint64_t q = shift_right(m, (unsigned)n), out = shift_left(m, 63 - (unsigned)n) << 1;
	uint32_t half = high(out) >> 31, below = (out << 1) != 0;

	q += half & (below | (uint32_t)q);
	return (int64_t)((q ^ sign) - sign);
}

int32_t fpr_floor(fpr x)
{
	uint32_t sign = mask(high(x));
	uint64_t m = (mantissa(x) >> 1) & -(uint64_t)(exponent(x) != 0);
	int32_t n = 1085 - exponent(x);
	int32_t far = (63 - n) >> 31; /* |x| < 1/2 and shifted out whole */

	n = (n & ~far) | (63 & far);

	uint64_t q = shift_right(m, (unsigned)n);
	uint32_t fraction = shift_left(q, (unsigned)n) != m;

	/* floor(-|x|) = -(|x| rounded up) */
	return (int32_t)((((uint32_t)q + (fraction & sign)) ^ sign) - sign);
}

uint64_t fpr_scaled63(fpr x)
{
	/* |x|*2^63 = m * 2^-n with m < 2^64 */
	uint64_t sign = (uint64_t)((int64_t)x >> 63);
	int32_t n = 1023 - exponent(x), far = (63 - n) >> 31;
	uint64_t m = shift_right(mantissa(x), (unsigned)n & 63) & ~(uint64_t)(int64_t)far;

	return (m ^ sign) - sign;
}
