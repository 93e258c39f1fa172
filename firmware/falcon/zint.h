/*
 * Integers of many words: 31 bits a word, the lowest word first, negative ones in two's
 * complement. No function branches or addresses by their values.
 */
#ifndef FALCON_ZINT_H
#define FALCON_ZINT_H

#include <stdbool.h>
#include <stddef.h>

#include "modp.h"

enum { WORD_BITS = 31 };
#define WORD_MASK 0x7FFFFFFFu

/* All ones if x is negative. */
static inline uint32_t z_sign(const uint32_t *x, size_t len)
{
	return (uint32_t)((int32_t)(x[len - 1] << 1) >> 31);
}

/* x modulo p. */
uint32_t z_mod(const uint32_t *x, size_t len, const struct modulus *q);

/*
 * `count` integers of len words one after the other, each of which begins as its
 * residues modulo the first len primes. Signed ones become the representative around 0.
 * tmp has len words.
 */
void z_rebuild(uint32_t *x, size_t len, size_t count, bool is_signed, uint32_t *tmp);

/* out = x*2^bits, bits below 31; out has a word more than x. */
void z_shift(uint32_t *out, const uint32_t *x, size_t len, unsigned bits);

/* x += y*k; the result is cut to the words of x, which are not fewer than those of y. If
   they are more, 2y fits its words, as after z_shift. */
void z_add_product(uint32_t *x, size_t x_len, const uint32_t *y, size_t y_len, int32_t k);

/* x times a number below 2^31; returns what does not fit. x is not negative. */
uint32_t z_scale(uint32_t *x, size_t len, uint32_t k);

/*
 * bezout.c: u and v with x*u - y*v = 1, 0 < u <= y, 0 <= v < x, for odd x and y above 0;
 * false if there are none. All have len words.
 */
bool z_bezout(uint32_t *u, uint32_t *v, const uint32_t *x, const uint32_t *y, size_t len);

#endif
