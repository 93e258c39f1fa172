/*
 * The sampler of signing and its randomness.
 */
#ifndef FALCON_SAMPLER_H
#define FALCON_SAMPLER_H

#include "fpr.h"

enum { CHACHA_SEED = 56 };

/* The submission's generator: eight blocks of ChaCha20 at a time, words of the same
   place in their blocks side by side. */
struct chacha {
	uint32_t key[12]; /* key, then nonce */
	uint64_t counter; /* XORed into the last two words of the nonce */
	unsigned at;      /* next byte of buf, which is never empty */
	union {
		uint32_t words[16][8];
		uint8_t bytes[512];
	} buf;
};

void chacha_init(struct chacha *c, const uint32_t *seed);

/* SamplerZ (Algorithm 15): an integer with a Gaussian distribution of centre mu and
   standard deviation sigma, given as 1/sigma. */
int32_t sample(struct chacha *c, fpr mu, fpr inverse_sigma, fpr sigma_min);

#endif
