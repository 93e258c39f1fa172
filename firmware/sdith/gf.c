#include "gf.h"

#define INLINE static inline __attribute__((always_inline))

/* Product of polynomials of 16 bits. An integer product whose factors have every third
   bit at most sums up to 6 bits at a place, and 6 fits into the three bits up to the
   next one: so the lowest of them is the sum modulo 2. */
INLINE uint32_t multiply16(uint32_t x, uint32_t y)
{
	uint32_t x0 = x & 0x9249, x1 = x & 0x2492, x2 = x & 0x4924;
	uint32_t y0 = y & 0x9249, y1 = y & 0x2492, y2 = y & 0x4924;

	return ((x0 * y0 ^ x1 * y2 ^ x2 * y1) & 0x49249249) | ((x0 * y1 ^ x1 * y0 ^ x2 * y2) & 0x92492492) |
	       ((x0 * y2 ^ x1 * y1 ^ x2 * y0) & 0x24924924);
}

/* Product of polynomials of 32 bits, by Karatsuba. */
INLINE void multiply32(uint32_t r[2], uint32_t x, uint32_t y)
{
	uint32_t low = multiply16(x & 0xFFFF, y & 0xFFFF), high = multiply16(x >> 16, y >> 16);
	uint32_t middle = multiply16((x ^ x >> 16) & 0xFFFF, (y ^ y >> 16) & 0xFFFF) ^ low ^ high;

	r[0] = low ^ middle << 16;
	r[1] = high ^ middle >> 16;
}

/* Adds o z^32 modulo the polynomial: o (z^7 + z^2 + z + 1), at word 0 of what is 96 bits lower. */
INLINE void fold(uint32_t *w, uint32_t o)
{
	w[0] ^= o ^ o << 1 ^ o << 2 ^ o << 7;
	w[1] ^= o >> 31 ^ o >> 30 ^ o >> 25;
}

/* Product of polynomials of 64 bits. */
INLINE void multiply64(uint32_t r[4], uint32_t x0, uint32_t x1, uint32_t y0, uint32_t y1)
{
	uint32_t middle[2];

	multiply32(r, x0, y0);
	multiply32(r + 2, x1, y1);
	multiply32(middle, x0 ^ x1, y0 ^ y1);
	middle[0] ^= r[0] ^ r[2];
	middle[1] ^= r[1] ^ r[3];
	r[1] ^= middle[0];
	r[2] ^= middle[1];
}

gf gf_mul(const gf *x, const gf *y)
{
	uint32_t r[8], middle[4];

	multiply64(r, x->w[0], x->w[1], y->w[0], y->w[1]);
	multiply64(r + 4, x->w[2], x->w[3], y->w[2], y->w[3]);
	multiply64(middle, x->w[0] ^ x->w[2], x->w[1] ^ x->w[3], y->w[0] ^ y->w[2], y->w[1] ^ y->w[3]);
	for (unsigned i = 0; i < 4; i++)
		middle[i] ^= r[i] ^ r[4 + i];
	for (unsigned i = 0; i < 4; i++)
		r[2 + i] ^= middle[i];
	for (unsigned i = 7; i >= 4; i--)
		fold(r + i - 4, r[i]);
	return (gf){{r[0], r[1], r[2], r[3]}};
}

gf gf_shift(const gf *x, unsigned k)
{
	gf r = *x;

	if (k == 0)
		return r;
	for (unsigned i = 3; i > 0; i--)
		r.w[i] = x->w[i] << k | x->w[i - 1] >> (32 - k);
	r.w[0] = x->w[0] << k;
	fold(r.w, x->w[3] >> (32 - k));
	return r;
}

gf gf_shift32(const gf *x)
{
	gf r = {{0, x->w[0], x->w[1], x->w[2]}};

	fold(r.w, x->w[3]);
	return r;
}

/* x^(2^128 - 2): the product of all x^(2^i) with 0 < i < 128. */
gf gf_inverse(const gf *x)
{
	gf power = gf_mul(x, x), product = power;

	for (unsigned i = 2; i < 128; i++) {
		power = gf_mul(&power, &power);
		product = gf_mul(&product, &power);
	}
	return product;
}

void gf_sums_of(gf *tables, const gf *terms, size_t n, unsigned bits)
{
	for (const gf *end = terms + n; terms < end; terms += bits, tables += 1u << bits) {
		tables[0] = (gf){{0}};
		for (unsigned i = 0; i < bits; i++) {
			const uint32_t a = terms[i].w[0], b = terms[i].w[1], c = terms[i].w[2], d = terms[i].w[3];
			const gf *from = tables;

			for (gf *to = tables + (1u << i), *last = to + (1u << i); to < last; to++, from++)
				*to = (gf){{from->w[0] ^ a, from->w[1] ^ b, from->w[2] ^ c, from->w[3] ^ d}};
		}
	}
}

void gf_sums_of_products(gf tables[32 * 16], const gf *x)
{
	gf terms[4];

	terms[0] = *x;
	for (unsigned i = 0; i < 32; i++) {
		for (unsigned k = 1; k < 4; k++)
			terms[k] = gf_shift(&terms[k - 1], 1);
		gf_sums_of(tables + 16 * i, terms, 4, 4);
		terms[0] = gf_shift(&terms[3], 1);
	}
}

#define ADD(entry)                                                                                                     \
	do {                                                                                                           \
		const gf *x = (entry);                                                                                 \
		uint32_t x0 = x->w[0], x1 = x->w[1], x2 = x->w[2], x3 = x->w[3];                                       \
                                                                                                                       \
		a ^= x0, b ^= x1, c ^= x2, d ^= x3;                                                                    \
	} while (0)

void gf_sum4(gf *sum, const gf *tables, const uint8_t *choice, size_t bytes)
{
	uint32_t a = sum->w[0], b = sum->w[1], c = sum->w[2], d = sum->w[3];

	for (const uint8_t *end = choice + bytes; choice < end; choice++, tables += 2 * 16) {
		unsigned x8 = *choice;

		ADD(tables + x8 % 16);
		ADD(tables + 16 + x8 / 16);
	}
	*sum = (gf){{a, b, c, d}};
}

void gf_sum6(gf *sum, const gf *tables, const uint8_t *choice, size_t bytes)
{
	uint32_t a = sum->w[0], b = sum->w[1], c = sum->w[2], d = sum->w[3];

	for (const uint8_t *end = choice + bytes; choice < end; choice += 3, tables += 4 * 64) {
		uint32_t x24 = choice[0] | (uint32_t)choice[1] << 8 | (uint32_t)choice[2] << 16;

		ADD(tables + x24 % 64);
		ADD(tables + 64 + (x24 >> 6) % 64);
		ADD(tables + 128 + (x24 >> 12) % 64);
		ADD(tables + 192 + (x24 >> 18));
	}
	*sum = (gf){{a, b, c, d}};
}
