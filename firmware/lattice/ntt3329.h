/*
 * Polynomials modulo X^256 + 1 and q = 3329, and the number-theoretic transform of
 * ML-KEM (FIPS 203, section 4.3), which leaves pairs: T_q is 128 rings of polynomials
 * of degree 1. Dilithium multiplies small polynomials with it, too.
 *
 * Coefficients are any representatives modulo q. Functions say how large they may be
 * and become; nothing branches or addresses by them. Products with a constant are
 * Plantard's: see ntt3329.S.
 */
#ifndef LATTICE_NTT3329_H
#define LATTICE_NTT3329_H

#include <stdint.h>

#include "bits.h"

enum { N3329 = 256, Q3329 = 3329 };

typedef int16_t poly3329[N3329];

/* The transform in place. Coefficients may be up to 21,000 either way, and come out
   larger by at most 11,655. */
void ntt3329(poly3329 f);

/* Its inverse in place, of what a product left: coefficients of at most 1,665 come in
   and go out, and the product's factor goes away. */
void inverse_ntt3329(poly3329 f);

/*
 * A product of k polynomials with k others in T_q, summed up, for k of 1 to 4. That
 * of a and y is the sum over i of a[i]·y[i], times -2^-32. For each y[i] there has to
 * be a companion, which has y's coefficients of odd number times the root modulo
 * which their pair is. Sums of products have to stay below 1.5·10^9: with
 * coefficients up to 4,095 and 21,000 they do. The result's are at most 1,665.
 */
typedef int16_t companion3329[N3329 / 2];

void companion3329_of(companion3329 z, const poly3329 y);

typedef void product3329(poly3329 out, const poly3329 *a, const poly3329 *y, const companion3329 *z);
product3329 product3329_1, product3329_2, product3329_3, product3329_4;

/* The constant that mul3329 wants in place of b, |b| < q: what Plantard's
   multiplication divides by, it has times. */
#define CONSTANT3329(b) \
	((uint32_t)((int64_t)Q3329 - (((int64_t)(b) % Q3329 + Q3329) * (0x100000000 % Q3329)) % Q3329) * 1806234369u)

/* x·b for |x| up to 450,000, at most 1,665. */
static inline int32_t mul3329(int32_t x, uint32_t constant)
{
	int32_t p = (int32_t)((uint32_t)x * factor(constant)) >> 16;

	return (int32_t)((uint32_t)(p + 8) * factor(Q3329)) >> 16;
}

/* x modulo q, from 0 to q - 1, for |x| up to 16,645. */
static inline uint32_t canonical3329(int32_t x)
{
	/* 20159 is 2^26/q, rounded up; as x + 5q is not negative, so is the quotient
	   too large by less than 1/q, which takes none over the next integer. */
	uint32_t v = (uint32_t)(x + 5 * Q3329);

	return v - (v * factor(20159) >> 26) * factor(Q3329);
}

#endif
