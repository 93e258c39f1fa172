/* The NTT of FIPS 203 (algorithm 9) on 256 coefficients modulo 3329, over and over. */
#include "workload.h"

enum { Q = 3329, N = 256 };

static int16_t zetas[128], f[N];

/* reduce returns a modulo Q for 0 <= a < 2^26 (Barrett). */
static uint32_t reduce(uint32_t a)
{
	uint32_t r = a - (uint32_t)((uint64_t)a * 20642678u >> 36) * Q;

	return r >= Q ? r - Q : r;
}

static uint32_t power(uint32_t base, uint32_t exponent)
{
	uint32_t result = 1;

	for (; exponent > 0; exponent >>= 1, base = reduce(base * base))
		if (exponent & 1)
			result = reduce(result * base);
	return result;
}

uint32_t run(uint32_t count)
{
	uint32_t state = 1, sum = 0;

	for (uint32_t i = 0; i < 128; i++) {
		uint32_t reversed = 0;

		for (int b = 0; b < 7; b++)
			reversed |= (i >> b & 1) << (6 - b);
		zetas[i] = (int16_t)power(17, reversed);
	}
	for (int i = 0; i < N; i++)
		f[i] = (int16_t)(next(&state) >> 8) & 2047;
	for (uint32_t n = 0; n < count; n++) {
		int k = 1;

		for (int length = 128; length >= 2; length >>= 1)
			for (int start = 0; start < N; start += 2 * length) {
				uint32_t zeta = (uint32_t)zetas[k++];

				for (int j = start; j < start + length; j++) {
					uint32_t t = reduce(zeta * (uint32_t)f[j + length]);

					f[j + length] = (int16_t)reduce((uint32_t)f[j] + Q - t);
					f[j] = (int16_t)reduce((uint32_t)f[j] + t);
				}
			}
	}
	for (int i = 0; i < N; i++)
		sum = fold(sum, (uint32_t)f[i]);
	return sum;
}
