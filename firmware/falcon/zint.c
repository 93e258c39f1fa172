#include "zint.h"

/*
 * Horner's rule from r on: r*2^(31 len) + x modulo p, for an x that is taken for positive.
 * Residues are below 2^32 and not reduced on the way: with r below 2^32 - 2c, where c is
 * 2^31 - p, the next one is at most r*p/2^32 + 2^31, which is less than that again.
 */
static inline uint32_t horner(uint32_t r, const uint32_t *x, size_t len, const struct modulus *q)
{
	uint32_t p = q->p, word = q->word, inverse = q->inverse;

	for (const uint32_t *w = x + len; w-- > x;) {
		uint64_t z = (uint64_t)r * word;
		uint32_t high = (uint32_t)(z >> 32) + *w, multiple = (uint32_t)((uint64_t)((uint32_t)z * inverse) * p >> 32);

		r = high - multiple + (p & -(uint32_t)(high < multiple));
	}
	r -= p & -(uint32_t)(r >= p);
	return r - (p & -(uint32_t)(r >= p));
}

/* A negative x is what its words say less 2^(31 len). */
uint32_t z_mod(const uint32_t *x, size_t len, const struct modulus *q)
{
	return horner((q->p - 1) & z_sign(x, len), x, len, q);
}

uint32_t z_scale(uint32_t *x, size_t len, uint32_t k)
{
	uint32_t carry = 0;

	for (size_t i = 0; i < len; i++) {
		uint64_t z = (uint64_t)x[i] * k + carry;

		x[i] = (uint32_t)z & WORD_MASK;
		carry = (uint32_t)(z >> WORD_BITS);
	}
	return carry;
}

/* x - m if 2x > m, else x. */
static void center(uint32_t *x, const uint32_t *m, size_t len)
{
	uint32_t borrow = 0, below = 0, mask;

	for (size_t i = 0; i < len; i++) {
		borrow = (m[i] - ((x[i] << 1 & WORD_MASK) | below) - borrow) >> 31;
		below = x[i] >> 30;
	}
	mask = -(borrow | below);
	borrow = 0;
	for (size_t i = 0; i < len; i++) {
		uint32_t w = x[i] - (m[i] & mask) - borrow;

		x[i] = w & WORD_MASK;
		borrow = w >> 31;
	}
}

/* x + y*k of numbers that are not negative; returns the word above. */
static uint32_t grow(uint32_t *x, const uint32_t *y, size_t len, uint32_t k)
{
	uint32_t carry = 0;

	for (size_t i = 0; i < len; i++) {
		uint64_t z = (uint64_t)y[i] * k + (x[i] + carry); /* a sum below 2^32 */

		x[i] = (uint32_t)z & WORD_MASK;
		carry = (uint32_t)(z >> WORD_BITS);
	}
	return carry;
}

/* Garner's algorithm: prime by prime, with the product of those before in tmp. */
void z_rebuild(uint32_t *x, size_t len, size_t count, bool is_signed, uint32_t *tmp)
{
	tmp[0] = primes[0].p;
	for (size_t i = 1; i < len; i++) {
		struct modulus q = modulus_of(&primes[i]);

		for (size_t j = 0; j < count; j++) {
			uint32_t *y = x + j * len, d = mp_sub(y[i], horner(0, y, i, &q), q.p);

			y[i] = grow(y, tmp, i, mp_mul(d, primes[i].before, q.p, q.inverse));
		}
		tmp[i] = z_scale(tmp, i, q.p);
	}
	for (size_t j = 0; is_signed && j < count; j++)
		center(x + j * len, tmp, len);
}

void z_shift(uint32_t *out, const uint32_t *x, size_t len, unsigned bits)
{
	uint32_t low = 0;

	for (size_t i = 0; i < len; i++) {
		out[i] = (x[i] << bits & WORD_MASK) | low;
		low = x[i] >> (WORD_BITS - bits);
	}
	out[len] = (z_sign(x, len) << bits & WORD_MASK) | low;
}

void z_add_product(uint32_t *x, size_t x_len, const uint32_t *y, size_t y_len, int32_t k)
{
	int32_t carry = 0;
	size_t i = 0;

	for (; i < y_len; i++) {
		int64_t z = (int64_t)(int32_t)y[i] * k + (int32_t)x[i] + carry;

		x[i] = (uint32_t)z & WORD_MASK;
		carry = (int32_t)(z >> WORD_BITS);
	}
	/* The words of a negative y were taken for a number that is 2^(31 y_len) more. As y has
	   a bit to spare, the carry is 2^30 at most. */
	carry -= k & (int32_t)z_sign(y, y_len);
	for (; i < x_len; i++) {
		int32_t w = (int32_t)x[i] + carry;

		x[i] = (uint32_t)w & WORD_MASK;
		carry = w >> WORD_BITS;
	}
}
