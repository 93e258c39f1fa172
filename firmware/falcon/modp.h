/*
 * Arithmetic modulo primes of 31 bits, and the number theoretic transform over them.
 * Residues are from 0 to p-1. Products are Montgomery's with 2^32: mp_mul(a, b) is
 * a*b/2^32, so one of the two usually stands for 2^32 times itself.
 */
#ifndef FALCON_MODP_H
#define FALCON_MODP_H

#include "tables.h"

struct modulus {
	uint32_t p, inverse; /* 1/p modulo 2^32 */
	uint32_t r2;         /* 2^64 mod p */
	uint32_t word;       /* 2^63 mod p: mp_mul with it moves up a word of 31 bits */
};

static inline uint32_t mp_add(uint32_t a, uint32_t b, uint32_t p)
{
	uint32_t d = a + b - p;

	return d + (p & (uint32_t)((int32_t)d >> 31));
}

static inline uint32_t mp_sub(uint32_t a, uint32_t b, uint32_t p)
{
	uint32_t d = a - b;

	return d + (p & (uint32_t)((int32_t)d >> 31));
}

static inline uint32_t mp_mul(uint32_t a, uint32_t b, uint32_t p, uint32_t inverse)
{
	uint64_t z = (uint64_t)a * b;
	uint32_t m = (uint32_t)z * inverse;

	/* z - m*p is a multiple of 2^32. */
	return mp_sub((uint32_t)(z >> 32), (uint32_t)((uint64_t)m * p >> 32), p);
}

/* Of -p < x < p. */
static inline uint32_t mp_of(int32_t x, uint32_t p) { return (uint32_t)x + (p & (uint32_t)(x >> 31)); }

/* The representative around 0. */
static inline int32_t mp_center(uint32_t x, uint32_t p)
{
	return (int32_t)(x - (p & (uint32_t)((int32_t)(p / 2 - x) >> 31)));
}

/* modp.c */
struct modulus modulus_of(const struct prime *prime);

/* Powers of the root of order 2048 times 2^32, in bit-reversed order: n of them serve all
   transforms up to n coefficients. */
void mp_roots(uint32_t *roots, unsigned n, const struct prime *prime, const struct modulus *q);

void mp_ntt(uint32_t *a, unsigned n, const uint32_t *roots, const struct modulus *q);
void mp_inverse_ntt(uint32_t *a, unsigned n, const uint32_t *roots, const struct modulus *q);

#endif
