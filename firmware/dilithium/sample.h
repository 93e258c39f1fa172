/*
 * Polynomials from hashes (FIPS 204, section 7.3).
 */
#ifndef DILITHIUM_SAMPLE_H
#define DILITHIUM_SAMPLE_H

#include "ntt.h"
#include "params.h"

/* 32 or 64 bytes, and a number of two bytes behind them. */
struct seed {
	uint32_t words[RHO_SIZE / 4 + 1];
};

/* RejNTTPoly(rho, column, row) (Algorithm 30): from 0 to q - 1. What it branches by is
   public. */
void sample_uniform(poly a, struct seed *rho, unsigned column, unsigned row);

/* RejBoundedPoly(rho, r) (Algorithm 31): up to eta either way. Which half bytes are no
   coefficients shows in its time; what the others are does not. */
void sample_bounded(int16_t a[N], struct seed *rho, unsigned r, unsigned eta);

/* One polynomial of ExpandMask (Algorithm 34): up to 2^gamma1_bits. */
void sample_mask(poly y, struct seed *rho, unsigned number, unsigned gamma1_bits);

/* SampleInBall(c) (Algorithm 29): tau times 1 or -1. A challenge is public or, when
   rejected, harmless. */
void sample_ball(int16_t c[N], const uint32_t *challenge, size_t size, unsigned tau);

#endif
