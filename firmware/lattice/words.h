/*
 * Copies of words, and zeros. The C library's memcpy and memset go byte by byte.
 */
#ifndef LATTICE_WORDS_H
#define LATTICE_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes are a multiple of 8. */
static inline void copy_words(uint32_t *to, const uint32_t *from, size_t bytes)
{
#pragma GCC unroll 4
	for (const uint32_t *end = from + bytes / 4; from < end; from += 2, to += 2) {
		uint32_t a = from[0], b = from[1];

		to[0] = a;
		to[1] = b;
	}
}

static inline void clear_words(uint32_t *to, size_t bytes)
{
	uint32_t zero = 0;

	__asm__("" : "+r"(zero)); /* or the compiler would call memset */
#pragma GCC unroll 4
	for (const uint32_t *end = to + bytes / 4; to < end; to += 2)
		to[0] = to[1] = zero;
}

#endif
