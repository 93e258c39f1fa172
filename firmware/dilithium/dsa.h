/*
 * ML-DSA (FIPS 204) and Dilithium round 3.1: the three operations. Functions that are
 * algorithms of the standard say so. Keys, seeds and signatures are aligned to words.
 * Secrets decide over no branch and no address, but for what the scheme lets be seen:
 * which signatures were rejected, by which check, at which polynomial, and half bytes
 * that are no coefficients.
 */
#ifndef DILITHIUM_DSA_H
#define DILITHIUM_DSA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "params.h"

/* A message: the context's part of M' (empty at the internal interface and in round
   3.1), then M. Or its representative mu, with mu set and nothing else. */
struct dsa_message {
	uint8_t prefix[2];
	size_t prefix_len;
	const uint8_t *context;
	size_t context_len;
	const uint8_t *m;
	size_t m_len;
	const uint32_t *mu;
};

void dsa_keygen(const struct params *p, bool r3, uint32_t *pk, uint32_t *sk, const uint32_t *seed);

/* rnd is 32 bytes; round 3.1 has none. Returns how many attempts it took. */
uint32_t dsa_sign(const struct params *p, bool r3, uint32_t *sig, const uint32_t *sk,
		  const struct dsa_message *m, const uint32_t *rnd);

/* A signature of a wrong length is rejected. */
bool dsa_verify(const struct params *p, bool r3, const uint32_t *sig, size_t sig_len,
		const uint32_t *pk, const struct dsa_message *m);

#endif
