/*
 * Shifts of 64 bits by a secret count: the compiler's own would branch.
 */
#ifndef FALCON_SHIFT_H
#define FALCON_SHIFT_H

#include <stdint.h>

/* All ones if bit 31 of x is set, else 0. */
static inline uint32_t mask(uint32_t x) { return (uint32_t)((int32_t)x >> 31); }

/* n is 0 to 63. */
static inline uint64_t shift_right(uint64_t x, unsigned n)
{
	uint32_t m = mask(n << 26), lo = (uint32_t)x, hi = (uint32_t)(x >> 32);

	lo ^= (lo ^ hi) & m;
	hi &= ~m;
	n &= 31;
	lo = lo >> n | hi << 1 << (31 - n);
	hi >>= n;
	return (uint64_t)hi << 32 | lo;
}

static inline uint64_t shift_left(uint64_t x, unsigned n)
{
	uint32_t m = mask(n << 26), lo = (uint32_t)x, hi = (uint32_t)(x >> 32);

	hi ^= (lo ^ hi) & m;
	lo &= ~m;
	n &= 31;
	hi = hi << n | lo >> 1 >> (31 - n);
	lo <<= n;
	return (uint64_t)hi << 32 | lo;
}

#endif
