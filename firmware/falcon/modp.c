#include "modp.h"

struct modulus modulus_of(const struct prime *prime)
{
	uint32_t p = prime->p, inverse = prime->inverse;
	uint32_t r = -p - p; /* 2^32 mod p: the primes are close to 2^31 */
	uint32_t z = mp_add(r, r, p);

	/* 2, times 2^32, to the power of 2^5; then 2^63 is half of 2^64. */
	for (int i = 0; i < 5; i++)
		z = mp_mul(z, z, p, inverse);
	return (struct modulus){p, inverse, z, (z + (p & -(z & 1))) >> 1};
}

void mp_roots(uint32_t *roots, unsigned n, const struct prime *prime, const struct modulus *q)
{
	uint32_t power[10]; /* root^(2^k) */

	power[0] = prime->root;
	for (int k = 1; k < 10; k++)
		power[k] = mp_mul(power[k - 1], power[k - 1], q->p, q->inverse);
	roots[0] = -q->p - q->p;
	for (unsigned m = 1, k = 9; m < n; m *= 2, k--)
		for (unsigned i = 0; i < m; i++)
			roots[m + i] = mp_mul(roots[i], power[k], q->p, q->inverse);
}

void mp_ntt(uint32_t *a, unsigned n, const uint32_t *roots, const struct modulus *q)
{
	uint32_t p = q->p, inverse = q->inverse;

	for (unsigned m = 1, t = n / 2; m < n; m *= 2, t /= 2)
		for (unsigned i = 0; i < m; i++) {
			uint32_t w = roots[m + i], *x = a + 2 * i * t;

			for (uint32_t *end = x + t; x < end; x++) {
				uint32_t u = x[0], v = mp_mul(x[t], w, p, inverse);

				x[0] = mp_add(u, v, p);
				x[t] = mp_sub(u, v, p);
			}
		}
}

/* The inverse of root number m + i is minus root number m + (m-1-i). */
void mp_inverse_ntt(uint32_t *a, unsigned n, const uint32_t *roots, const struct modulus *q)
{
	uint32_t p = q->p, inverse = q->inverse, scale = -p - p;

	for (unsigned m = n / 2, t = 1; m > 0; m /= 2, t *= 2)
		for (unsigned i = 0; i < m; i++) {
			uint32_t w = roots[2 * m - 1 - i], *x = a + 2 * i * t;

			for (uint32_t *end = x + t; x < end; x++) {
				uint32_t u = x[0], v = x[t];

				x[0] = mp_add(u, v, p);
				x[t] = mp_mul(mp_sub(v, u, p), w, p, inverse);
			}
		}
	/* 2^32/n: halved modulo p as often as n is. */
	for (unsigned m = n; m > 1; m /= 2)
		scale = (scale + (p & -(scale & 1))) >> 1;
	for (unsigned i = 0; i < n; i++)
		a[i] = mp_mul(a[i], scale, p, inverse);
}
