/*
 * Encodings of polynomials (FIPS 204, section 7.1), and rounding (section 7.4). Words
 * come before bytes: a polynomial is a whole number of words, in all encodings.
 */
#ifndef DILITHIUM_PACK_H
#define DILITHIUM_PACK_H

#include <stdbool.h>

#include "ntt.h"
#include "params.h"

/* s1 and s2: eta - s of each coefficient, in 3 or 4 bits. */
void pack_s(uint32_t *out, const int16_t s[N], unsigned eta);
void unpack_s(int16_t s[N], const uint32_t *in, unsigned eta);

/* t0: 2^12 - t0 in 13 bits. */
void unpack_t0(poly t0, const uint32_t *in);

/* t1·2^13, from 10 bits a coefficient. */
void unpack_t1(poly t1, const uint32_t *in);

/* z and y: 2^gamma1_bits - z in 18 or 20 bits. */
void pack_z(uint32_t *out, const poly z, unsigned gamma1_bits);
void unpack_z(poly z, const uint32_t *in, unsigned gamma1_bits);

/*
 * Power2Round (Algorithm 35) of t + s, which go to t1 and t0 encoded: t is what
 * inverse_ntt left.
 */
void round_t(uint32_t *t1, uint32_t *t0, const poly t, const int16_t s[N]);

/* Decompose (Algorithm 36): w, what inverse_ntt left, becomes its low bits and w1 the
   high bits. */
void decompose(uint8_t w1[N], poly w, const struct params *p);

/* HighBits of w, what inverse_ntt left, and UseHint (Algorithm 40) where the n hints
   are. */
void use_hints(uint8_t w1[N], const poly w, const uint8_t *hints, unsigned n, const struct params *p);

/* w1Encode (Algorithm 28). */
void pack_w1(uint32_t *out, const uint8_t w1[N], const struct params *p);

/* Is a coefficient of f outside -bound < c < bound? Which one is shows in no time. */
bool exceeds(const poly f, int32_t bound);

/* The same of f + g and f - g, which f becomes. */
bool sum_exceeds(poly f, const int16_t g[N], int32_t bound);
bool difference_exceeds(poly f, const int16_t g[N], int32_t bound);

#endif
