/* Copies and compares byte by byte, and what is in between. */
#include "workload.h"

enum { SIZE = 4096 };

static uint8_t a[SIZE + 8], b[SIZE + 8];

__attribute__((noinline)) static void copy(uint8_t *to, const uint8_t *from, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		to[i] = from[i];
		__asm__ volatile("" ::: "memory"); /* not a call of a library */
	}
}

__attribute__((noinline)) static uint32_t differing(const uint8_t *x, const uint8_t *y, uint32_t n)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < n; i++)
		bits |= (uint32_t)(x[i] ^ y[i]);
	return bits;
}

__attribute__((noinline)) static uint32_t checksum(const uint8_t *x, uint32_t n)
{
	uint32_t crc = ~0u;

	for (uint32_t i = 0; i < n; i++) {
		crc ^= x[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
	}
	return ~crc;
}

uint32_t run(uint32_t count)
{
	uint32_t state = 1, sum = 0;

	for (uint32_t i = 0; i < SIZE; i++)
		a[i] = (uint8_t)(next(&state) >> 24);
	for (uint32_t n = 0; n < count; n++) {
		copy(b + (n & 3), a, SIZE);
		sum = fold(sum, differing(b, a, SIZE));
		sum = fold(sum, checksum(b, 256));
		a[n % SIZE] ^= (uint8_t)sum;
	}
	return sum;
}
