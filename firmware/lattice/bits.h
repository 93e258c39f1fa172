/*
 * Numbers of so many bits in a row, the least significant bit first, as all encodings
 * of lattice schemes have them (FIPS 203, Algorithms 5 and 6; FIPS 204, Algorithms 16 to
 * 19): 32 numbers fill as many words as they have bits. Everything is inlined for one
 * number of bits, and unrolled.
 */
#ifndef LATTICE_BITS_H
#define LATTICE_BITS_H

#include <stdint.h>

#define BITS_INLINE static inline __attribute__((always_inline))

/* A constant that the compiler does not see. It would make shifts and additions of a
   multiplication that takes one cycle. */
BITS_INLINE uint32_t factor(uint32_t constant)
{
	__asm__("" : "+r"(constant));
	return constant;
}

/* Appends value to the words at *out; *word and *held are what does not fill one yet. */
BITS_INLINE void bits_put(uint32_t **out, uint32_t *word, unsigned *held, uint32_t value,
			  unsigned bits)
{
	*word |= value << *held;
	*held += bits;
	if (*held >= 32) {
		*(*out)++ = *word;
		*held -= 32;
		*word = *held > 0 ? value >> (bits - *held) : 0;
	}
}

/* Number i of a row. */
BITS_INLINE uint32_t bits_of(const uint32_t *in, unsigned i, unsigned bits)
{
	unsigned at = i * bits / 32, shift = i * bits % 32;
	uint32_t value = in[at] >> shift;

	if (shift + bits > 32)
		value |= in[at + 1] << (32 - shift);
	if (shift + bits == 32)
		return value;
	return value & ((1u << bits) - 1);
}

#endif
