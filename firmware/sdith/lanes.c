#include "lanes.h"

const uint32_t lanes_number[5] = {0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00, 0xFFFF0000};

#define INLINE static inline __attribute__((always_inline))

/* Exchanges the bits of *a under mask << shift with those of *b under mask. */
INLINE void swap(uint32_t *a, uint32_t *b, uint32_t mask, unsigned shift)
{
	uint32_t t = ((*a >> shift) ^ *b) & mask;

	*b ^= t;
	*a ^= t << shift;
}

/*
 * The bit matrix of 32 rows, transposed: squares of 16 and 8 bits change places among four
 * rows each, then squares of 4, 2 and 1 among eight neighbouring rows: as many as fit into
 * registers. Rows come and go as many words apart as the strides say; middle has room
 * for 32 and may be either of them.
 */
INLINE void transpose(uint32_t *to, size_t to_stride, const uint32_t *from, size_t from_stride, uint32_t *middle)
{
	for (unsigned i = 0; i < 8; i++, from += from_stride) {
		uint32_t a = from[0], b = from[8 * from_stride], c = from[16 * from_stride], d = from[24 * from_stride];

		swap(&a, &c, 0x0000FFFF, 16);
		swap(&b, &d, 0x0000FFFF, 16);
		swap(&a, &b, 0x00FF00FF, 8);
		swap(&c, &d, 0x00FF00FF, 8);
		middle[i] = a, middle[i + 8] = b, middle[i + 16] = c, middle[i + 24] = d;
	}
	for (unsigned i = 0; i < 32; i += 8, middle += 8) {
		uint32_t r[8];

#pragma GCC unroll 8
		for (unsigned k = 0; k < 8; k++)
			r[k] = middle[k];
#pragma GCC unroll 4
		for (unsigned k = 0; k < 4; k++)
			swap(&r[k], &r[k + 4], 0x0F0F0F0F, 4);
#pragma GCC unroll 4
		for (unsigned k = 0; k < 4; k++)
			swap(&r[k + k / 2 * 2], &r[k + k / 2 * 2 + 2], 0x33333333, 2);
#pragma GCC unroll 4
		for (unsigned k = 0; k < 4; k++)
			swap(&r[2 * k], &r[2 * k + 1], 0x55555555, 1);
#pragma GCC unroll 8
		for (unsigned k = 0; k < 8; k++, to += to_stride)
			*to = r[k];
	}
}

void lanes_transpose(uint32_t m[32]) { transpose(m, 1, m, 1, m); }

void lanes_load(uint32_t slices[SLICES], const uint32_t *blocks, size_t stride)
{
	for (unsigned q = 0; q < 4; q++, slices += 32)
		transpose(slices, 1, blocks + q, stride, slices);
}

void lanes_store(uint32_t *blocks, size_t stride, const uint32_t slices[SLICES])
{
	uint32_t middle[32];

	for (unsigned q = 0; q < 4; q++, slices += 32)
		transpose(blocks + q, stride, slices, 1, middle);
}
