/*
 * Polynomials modulo X^256 + 1 and q = 8380417, and the number-theoretic transform of
 * ML-DSA (FIPS 204, section 7.5).
 *
 * Coefficients are any representatives modulo q in 32 bits. Functions say how large
 * they may be and become; nothing branches or addresses by them. See ntt.S.
 */
#ifndef DILITHIUM_NTT_H
#define DILITHIUM_NTT_H

#include <stdint.h>

enum { N = 256, Q = 8380417 };

typedef int32_t poly[N];

/* The transform in place. Coefficients may be up to 2q either way, and come out larger
   by at most 8.2q. */
void ntt(poly f);

/* Its inverse in place, of what a product left: coefficients of at most 0.8q come in, they
   go out from -0.2q to 1.2q, and the product's factor goes away. */
void inverse_ntt(poly f);

/*
 * A product of k polynomials with k others in T_q, summed up: that of a and y is the sum
 * over i of a[i]·y[i], times 2^-32. Its coefficients are at most 0.8q if no sum of products
 * exceeds 150·q^2: eight of coefficients up to q and 8.2q do not, nor one of coefficients
 * up to 10.2q and 8.2q more.
 */
typedef void product(poly out, const poly *a, const poly *y);
product product_1, product_4, product_5, product_6, product_7, product_8;

#endif
