/*
 * Bezout's factors by division steps (Bernstein and Yang, "Fast constant-time gcd
 * computation and modular inversion", 2019): which step comes next is told by the lowest
 * bits alone, so 30 of them are a matrix that is made from one word and applied to all.
 *
 * Here a word has 30 bits, the highest one a sign: then a sum of two products with entries of
 * the matrix fits 64 bits.
 */
#include <string.h>

#include "memory.h"
#include "zint.h"

enum { BITS = 30 };
#define MASK 0x3FFFFFFF

/* f and g become f*ff + g*fg and f*gf + g*gg, over 2^30; |ff| + |fg| <= 2^30, and so
   |gf| + |gg|. */
struct steps {
	int32_t ff, fg, gf, gg;
};

/* Swaps a and b and then changes the sign of b, or does nothing. */
static inline void turn(uint32_t *a, uint32_t *b, uint32_t mask)
{
	uint32_t t = (*a ^ *b) & mask;

	*a ^= t;
	*b = ((*b ^ t) ^ mask) - mask;
}

/* 30 steps of f and g, of which the lowest words are given (section 8). Returns delta. */
static int32_t division_steps(int32_t delta, uint32_t f, uint32_t g, struct steps *s)
{
	uint32_t ff = 1, fg = 0, gf = 0, gg = 1;

	for (int i = 0; i < BITS; i++) {
		uint32_t odd = -(g & 1), swap = odd & (uint32_t)(-delta >> 31);

		turn(&f, &g, swap);
		turn(&ff, &gf, swap);
		turn(&fg, &gg, swap);
		delta = (int32_t)(((uint32_t)delta ^ swap) - swap) + 1;
		g = (g + (f & odd)) >> 1;
		gf += ff & odd;
		gg += fg & odd;
		ff <<= 1;
		fg <<= 1;
	}
	*s = (struct steps){(int32_t)ff, (int32_t)fg, (int32_t)gf, (int32_t)gg};
	return delta;
}

/* f and g after the steps, which leaves the lowest 30 bits of the sums zero. */
static void apply(int32_t *f, int32_t *g, size_t len, const struct steps *s)
{
	int64_t cf = 0, cg = 0;

	for (size_t i = 0; i < len; i++) {
		int32_t wf = f[i], wg = g[i];

		cf += (int64_t)s->ff * wf + (int64_t)s->fg * wg;
		cg += (int64_t)s->gf * wf + (int64_t)s->gg * wg;
		if (i > 0) {
			f[i - 1] = (int32_t)cf & MASK;
			g[i - 1] = (int32_t)cg & MASK;
		}
		cf >>= BITS;
		cg >>= BITS;
	}
	f[len - 1] = (int32_t)cf;
	g[len - 1] = (int32_t)cg;
}

/* The multiple of y that makes a multiple of 2^30 of a sum, from -2^29 to 2^29. */
static inline int32_t multiple(int32_t sum, uint32_t negative_inverse)
{
	return (int32_t)((uint32_t)sum * negative_inverse << 2) >> 2;
}

/* d and e likewise, modulo y. Both grow by at most y/2. */
static void apply_modulo(int32_t *d, int32_t *e, const int32_t *y, size_t len, uint32_t negative_inverse,
			 const struct steps *s)
{
	int32_t wd = d[0], we = e[0];
	int64_t cd = (int64_t)s->ff * wd + (int64_t)s->fg * we, ce = (int64_t)s->gf * wd + (int64_t)s->gg * we;
	int32_t kd = multiple((int32_t)cd, negative_inverse), ke = multiple((int32_t)ce, negative_inverse);

	cd = (cd + (int64_t)kd * y[0]) >> BITS;
	ce = (ce + (int64_t)ke * y[0]) >> BITS;
	for (size_t i = 1; i < len; i++) {
		wd = d[i], we = e[i];
		cd += (int64_t)s->ff * wd + (int64_t)s->fg * we + (int64_t)kd * y[i];
		ce += (int64_t)s->gf * wd + (int64_t)s->gg * we + (int64_t)ke * y[i];
		d[i - 1] = (int32_t)cd & MASK;
		e[i - 1] = (int32_t)ce & MASK;
		cd >>= BITS;
		ce >>= BITS;
	}
	d[len - 1] = (int32_t)cd;
	e[len - 1] = (int32_t)ce;
}

/* x += y*k, |k| <= 2^30. */
static void add_multiple(int32_t *x, const int32_t *y, size_t len, int32_t k)
{
	int64_t c = 0;

	for (size_t i = 0; i < len; i++) {
		c += (int64_t)y[i] * k + x[i];
		x[i] = i < len - 1 ? (int32_t)c & MASK : (int32_t)c;
		c >>= BITS;
	}
}

/* Words of so many bits from words of other sizes. */
static void repack(uint32_t *out, size_t out_len, unsigned out_bits, const uint32_t *in, size_t in_len, unsigned in_bits)
{
	uint64_t bits = 0;
	unsigned have = 0;
	size_t at = 0;

	for (size_t i = 0; i < out_len; i++) {
		while (have < out_bits) {
			bits |= (uint64_t)(at < in_len ? in[at] : 0) << have;
			have += in_bits;
			at++;
		}
		out[i] = (uint32_t)bits & ((1u << out_bits) - 1);
		bits >>= out_bits;
		have -= out_bits;
	}
}

/*
 * f = d*x and g = e*x modulo y hold all the time; in the end f is the greatest common
 * divisor or its negative, and g zero. Numbers of b bits take (49b + 57)/17 steps at most
 * (theorem 11.2), with which d stays below 2^9 y for all lengths here.
 */
bool z_bezout(uint32_t *u, uint32_t *v, const uint32_t *x, const uint32_t *y, size_t len)
{
	size_t mark = memory_mark(), bits = WORD_BITS * len, n = (bits + 11 + BITS - 1) / BITS, bytes = n * sizeof(int32_t);
	int32_t *f = memory_take(bytes), *g = memory_take(bytes), *d = memory_take(bytes), *e = memory_take(bytes);
	int32_t *x30 = memory_take(bytes), *y30 = memory_take(bytes), delta = 1;
	uint32_t inverse = y[0]; /* of y modulo 2^30: right are 3 bits, then 6, 12, 24, 48 */

	for (int i = 0; i < 4; i++)
		inverse *= 2 - inverse * y[0];
	repack((uint32_t *)x30, n, BITS, x, len, WORD_BITS);
	repack((uint32_t *)y30, n, BITS, y, len, WORD_BITS);
	memcpy(f, y30, bytes);
	memcpy(g, x30, bytes);
	memset(d, 0, bytes);
	memset(e, 0, bytes);
	e[0] = 1;
	for (size_t steps = 0; steps < (49 * bits + 57) / 17; steps += BITS) {
		struct steps s;

		delta = division_steps(delta, (uint32_t)f[0] | (uint32_t)f[1] << BITS, (uint32_t)g[0] | (uint32_t)g[1] << BITS, &s);
		apply(f, g, n, &s);
		apply_modulo(d, e, y30, n, -inverse, &s);
	}

	/* d or -d, less the multiple of y that leaves 0 to y - 1; 0 stands for 1 if y is 1. */
	int32_t sign = f[n - 1] >> 31, other = 0;

	memset(e, 0, bytes);
	memset(g, 0, bytes);
	add_multiple(e, d, n, 1 | sign);
	add_multiple(g, f, n, 1 | sign);
	add_multiple(e, y30, n, 1 << 9);
	for (int i = 9; i >= 0; i--) {
		add_multiple(e, y30, n, -(1 << i));
		add_multiple(e, y30, n, 1 << i & e[n - 1] >> 31);
	}
	for (size_t i = 0; i < n; i++)
		other |= e[i];
	add_multiple(e, y30, n, other == 0);

	/* v = (x*u - 1)/y, word by word from the lowest. */
	for (size_t i = 0; i < n; i++)
		d[i] = i < n - 1 ? MASK : -1; /* -1 */
	for (size_t i = 0; i < n; i++) {
		add_multiple(d + i, x30, n - i, e[i]);
		f[i] = (int32_t)((uint32_t)d[i] * inverse & MASK);
		add_multiple(d + i, y30, n - i, -f[i]);
	}
	repack(u, len, WORD_BITS, (uint32_t *)e, n, BITS);
	repack(v, len, WORD_BITS, (uint32_t *)f, n, BITS);

	other = g[0] ^ 1;
	for (size_t i = 1; i < n; i++)
		other |= g[i];
	memory_back(mark);
	return (other == 0) & (x[0] & y[0] & 1);
}
