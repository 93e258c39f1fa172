/* The NTT of FIPS 204 (algorithm 41) on 256 coefficients modulo 8380417, over and over. */
#include "workload.h"

enum { Q = 8380417, N = 256 };

static int32_t zetas[N], f[N];

/* montgomery returns a / 2^32 modulo Q, between -Q and Q, for |a| < 2^31 Q. 58728449 is 1/Q modulo 2^32. */
static int32_t montgomery(int64_t a)
{
	int32_t t = (int32_t)((uint32_t)a * 58728449u);

	return (int32_t)((a - (int64_t)t * Q) >> 32);
}

static int64_t power(int64_t base, uint32_t exponent)
{
	int64_t result = 1;

	for (; exponent > 0; exponent >>= 1, base = base * base % Q)
		if (exponent & 1)
			result = result * base % Q;
	return result;
}

uint32_t run(uint32_t count)
{
	uint32_t state = 1, sum = 0;

	for (uint32_t i = 1; i < N; i++) {
		uint32_t reversed = 0;

		for (int b = 0; b < 8; b++)
			reversed |= (i >> b & 1) << (7 - b);
		zetas[i] = (int32_t)(power(1753, reversed) * 4193792 % Q); /* times 2^32 modulo Q */
	}
	for (int i = 0; i < N; i++)
		f[i] = (int32_t)(next(&state) % Q);
	for (uint32_t n = 0; n < count; n++) {
		int k = 0;

		for (int length = 128; length >= 1; length >>= 1)
			for (int start = 0; start < N; start += 2 * length) {
				int32_t zeta = zetas[++k];

				for (int j = start; j < start + length; j++) {
					int32_t t = montgomery((int64_t)zeta * f[j + length]);

					f[j + length] = f[j] - t;
					f[j] = f[j] + t;
				}
			}
		for (int i = 0; i < N; i++)
			f[i] = montgomery((int64_t)f[i] * 4193792);
	}
	for (int i = 0; i < N; i++)
		sum = fold(sum, (uint32_t)f[i]);
	return sum;
}
