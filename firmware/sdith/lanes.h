/*
 * 32 blocks of 16 bytes in bit-sliced form: word t holds bit t of each of them, that of
 * block l as its bit l. A lane is what is at one bit place of all words. Bits of a
 * block are counted from the least significant one of byte 0 on, as everywhere in SPEC.
 */
#ifndef SDITH_LANES_H
#define SDITH_LANES_H

#include <stddef.h>
#include <stdint.h>

enum { LANES = 32, SLICES = 128 };

/* The bit matrix of 32 rows, transposed in place. */
void lanes_transpose(uint32_t m[32]);

/* 32 blocks, `stride` words apart, to slices and back. */
void lanes_load(uint32_t slices[SLICES], const uint32_t *blocks, size_t stride);
void lanes_store(uint32_t *blocks, size_t stride, const uint32_t slices[SLICES]);

/* Word t of a block that is the same in all lanes: all ones or zero. */
static inline uint32_t lanes_same(const uint8_t *block, unsigned t)
{
	return -(uint32_t)(block[t / 8] >> t % 8 & 1);
}

/* The lanes whose number has bit k, 0 to 4, set. */
extern const uint32_t lanes_number[5];

#endif
