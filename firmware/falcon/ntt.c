/*
 * Arithmetic in Z_q[x]/(x^n+1) by the number theoretic transform. Values are signed
 * and seldom reduced. Products are Plantard's: one multiplication for the quotient, one
 * for the remainder, no correction.
 */
#include "falcon.h"
#include "memory.h"
#include "modp.h"
#include "tables.h"

/* Factors for times: a number w stands as w * -2^32 modulo q, over q modulo 2^32. */
#define OVER_Q 0x08FFD001u
#define R (Q - (uint32_t)(((uint64_t)1 << 32) % Q)) /* -2^32 modulo q */
#define FACTOR(w) ((uint32_t)(w) * R % Q * OVER_Q)
_Static_assert(Q * OVER_Q == 1, "OVER_Q is 1/q modulo 2^32");

/* x times what w stands for, from -q/2 to q/2; |x| < 9q. */
static inline int32_t times(int32_t x, uint32_t w)
{
	return (((int32_t)((uint32_t)x * w) >> 16) + 2) * Q >> 16;
}

/* x times y, |x| < 9q and |y| < q/2: the first product is short of the factor R. */
static inline int32_t product(int32_t x, int32_t y)
{
	return times(times(x, (uint32_t)y * OVER_Q), FACTOR(R));
}

static inline int32_t center(int32_t x) { return times(x, FACTOR(1)); }

/* Values grow by q/2 a layer: from below q to below 6q for n = 1024. */
static void ntt(int32_t *a, unsigned logn)
{
	unsigned n = 1u << logn;

	for (unsigned m = 1, t = n / 2; m < n; m *= 2, t /= 2)
		for (unsigned i = 0; i < m; i++) {
			uint32_t w = q_roots[m + i];
			int32_t *x = a + 2 * i * t;

			for (int32_t *end = x + t; x < end; x++) {
				int32_t u = x[0], v = times(x[t], w);

				x[0] = u + v;
				x[t] = u - v;
			}
		}
}

/* Input is within q/2. Sums double a layer, so they are reduced every four layers; no
   difference exceeds 8q. */
static void inverse_ntt(int32_t *a, unsigned logn)
{
	unsigned n = 1u << logn, layer = 1;

	for (unsigned m = n / 2, t = 1; m > 0; m /= 2, t *= 2, layer++)
		for (unsigned i = 0; i < m; i++) {
			uint32_t w = q_inverse_roots[m + i];
			int32_t *x = a + 2 * i * t;

			for (int32_t *end = x + t; x < end; x++) {
				int32_t u = x[0], v = x[t];

				x[0] = layer % 4 == 0 ? center(u + v) : u + v;
				x[t] = times(u - v, w);
			}
		}

	/* 1/2 is (q+1)/2. */
	uint32_t inverse = 1;

	for (unsigned i = 0; i < logn; i++)
		inverse = inverse * ((Q + 1) / 2) % Q;
	for (unsigned i = 0; i < n; i++)
		a[i] = times(a[i], FACTOR(inverse));
}

/* x^(q-2), which is 1/x, and 0 for 0. q-2 has all bits from 0 to 13 but 12. */
static int32_t inverse(int32_t x)
{
	int32_t r = x;

	for (int i = 12; i >= 0; i--) {
		r = product(r, r);
		if (i != 12)
			r = product(r, x);
	}
	return r;
}

static void load(int32_t *a, const int8_t *f, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		a[i] = f[i];
}

/* a[i]/b[i]; false if some b[i] is zero, which is no key's. */
static bool divide(int32_t *a, const int32_t *b, unsigned n)
{
	uint32_t zero = 0;

	for (unsigned i = 0; i < n; i++) {
		int32_t d = center(b[i]);

		zero |= d == 0;
		a[i] = product(a[i], inverse(d));
	}
	return !zero;
}

/* h = g/f mod q. */
bool public_key(const struct params *p, int32_t *h, const int8_t *f, const int8_t *g)
{
	unsigned n = params_n(p);
	size_t mark = memory_mark();
	int32_t *a = memory_take(n * sizeof *a);

	load(a, f, n);
	load(h, g, n);
	ntt(a, p->logn);
	ntt(h, p->logn);

	bool done = divide(h, a, n);

	memory_back(mark);
	if (!done)
		return false;
	inverse_ntt(h, p->logn);
	for (unsigned i = 0; i < n; i++)
		h[i] += Q & h[i] >> 31;
	return true;
}

/* The value of a polynomial at x, which stands for 2^32 times itself. */
static uint32_t value(const int8_t *f, unsigned n, uint32_t x, uint32_t p, uint32_t inverse)
{
	uint32_t r = 0;

	while (n-- > 0)
		r = mp_add(mp_mul(r, x, p, inverse), mp_of(f[n], p), p);
	return r;
}

/* Whether fG - gF = q, at one root of x^n+1 modulo a prime of 31 bits: that leaves out
   the keys whose equation holds modulo q alone. */
static bool solves(const struct params *p, const struct key *k)
{
	unsigned n = params_n(p);
	uint32_t prime = primes[0].p, inverse = primes[0].inverse, x = primes[0].root;

	for (unsigned logn = MAX_LOGN; logn > p->logn; logn--)
		x = mp_mul(x, x, prime, inverse);

	uint32_t f = value(k->f, n, x, prime, inverse), g = value(k->g, n, x, prime, inverse);
	uint32_t F = value(k->F, n, x, prime, inverse), G = value(k->G, n, x, prime, inverse);

	return mp_sub(mp_mul(f, G, prime, inverse), mp_mul(g, F, prime, inverse), prime) == mp_mul(Q, 1, prime, inverse);
}

/* G = gF/f mod q; false if there is none that fits. */
bool complete_key(const struct params *p, struct key *k)
{
	unsigned n = params_n(p);
	size_t mark = memory_mark();
	int32_t *a = memory_take(n * sizeof *a), *b = memory_take(n * sizeof *b), large = 0;

	load(a, k->g, n);
	load(b, k->F, n);
	ntt(a, p->logn);
	ntt(b, p->logn);
	for (unsigned i = 0; i < n; i++)
		a[i] = product(a[i], center(b[i]));
	load(b, k->f, n);
	ntt(b, p->logn);

	bool done = divide(a, b, n);

	inverse_ntt(a, p->logn);
	for (unsigned i = 0; i < n; i++) {
		large |= (a[i] + 127) | (127 - a[i]);
		k->G[i] = (int8_t)a[i];
	}
	memory_back(mark);
	return done && large >= 0 && solves(p, k);
}

/* s1 = c - s2 h mod q, within q/2; h is overwritten. */
void other_half(const struct params *p, int32_t *s1, const int32_t *c, const int32_t *s2, int32_t *h)
{
	unsigned n = params_n(p);

	for (unsigned i = 0; i < n; i++)
		s1[i] = s2[i];
	ntt(s1, p->logn);
	ntt(h, p->logn);
	for (unsigned i = 0; i < n; i++)
		s1[i] = product(s1[i], center(h[i]));
	inverse_ntt(s1, p->logn);
	for (unsigned i = 0; i < n; i++)
		s1[i] = center(c[i] - s1[i]);
}
