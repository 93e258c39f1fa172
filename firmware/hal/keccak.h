/*
 * The Keccak sponges of FIPS 202 in software, over any even number of rounds.
 * Contexts are independent of each other and of any accelerator.
 */
#ifndef HAL_KECCAK_H
#define HAL_KECCAK_H

#include <stddef.h>
#include <stdint.h>

#include "xof.h"

/* Lanes that keccak_p1600 keeps inverted, one bit each. */
#define KECCAK_INVERTED ((1u << 3) | (1u << 7) | (1u << 8) | (1u << 12) | (1u << 17) | (1u << 23))

/* The state between calls: per lane the even bits, then the odd bits. */
void keccak_p1600(uint32_t state[50], unsigned rounds);

struct keccak_sponge {
	uint32_t state[50]; /* as keccak_p1600 wants it */
	uint8_t lane[8];    /* the bytes of a lane that is not complete yet */
	unsigned position;  /* bytes of the block absorbed or squeezed */
	unsigned rate;      /* bytes */
	unsigned suffix;    /* domain bits and the first bit of the padding */
	unsigned rounds;
};

void keccak_init(struct keccak_sponge *k, enum xof_mode mode, unsigned rounds);
void keccak_absorb(struct keccak_sponge *k, const void *in, size_t len);
void keccak_finish(struct keccak_sponge *k);
void keccak_squeeze(struct keccak_sponge *k, void *out, size_t len);

/* A lane given as two words of a message, split into even and odd bits. */
void keccak_interleave(uint32_t half[2], uint32_t low, uint32_t high);

#endif
