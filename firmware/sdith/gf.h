/*
 * GF(2^128) as SPEC, section 3, has it: modulo z^128 + z^7 + z^2 + z + 1, bit i is the
 * coefficient of z^i. Products take the same time whatever the operands are.
 */
#ifndef SDITH_GF_H
#define SDITH_GF_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
	uint32_t w[4];
} gf;

static inline void gf_add(gf *x, const gf *y)
{
	for (unsigned i = 0; i < 4; i++)
		x->w[i] ^= y->w[i];
}

/* Adds y if mask is all ones, nothing if it is 0. */
static inline void gf_add_masked(gf *x, const gf *y, uint32_t mask)
{
	for (unsigned i = 0; i < 4; i++)
		x->w[i] ^= y->w[i] & mask;
}

static inline gf gf_of_bit(uint32_t bit) { return (gf){{bit & 1}}; }

static inline gf gf_load(const uint8_t *bytes)
{
	gf x;

	memcpy(&x, bytes, sizeof x);
	return x;
}

gf gf_mul(const gf *x, const gf *y);
gf gf_shift(const gf *x, unsigned k); /* product with z^k, k at most 31 */
gf gf_shift32(const gf *x);           /* product with z^32 */
gf gf_inverse(const gf *x);           /* 0 for 0 */

/*
 * Sums of chosen terms, by tables: for each `bits` terms one of the 2^bits sums of some of
 * them. What chooses is the address in them, so it has to be public; the terms may
 * be secret. bits is 4 or 6.
 */
void gf_sums_of(gf *tables, const gf *terms, size_t n, unsigned bits); /* n is a multiple of bits */
void gf_sums_of_products(gf tables[32 * 16], const gf *x); /* bits 4, terms z^i x: products with x */

/* Adds to sum the terms that are chosen, from bit 0 of byte 0 on; for bits of 4 and of 6,
   where bytes is a multiple of 3. */
void gf_sum4(gf *sum, const gf *tables, const uint8_t *choice, size_t bytes);
void gf_sum6(gf *sum, const gf *tables, const uint8_t *choice, size_t bytes);

#endif
