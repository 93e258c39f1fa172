/*
 * Signing: lines 3 to 9 of Sign (Algorithm 10), with the tree of ffLDL* made where it is
 * needed. g00 and g11 are self-adjoint but for rounding; their imaginary parts are kept.
 */
#include <string.h>

#include "falcon.h"
#include "fft.h"
#include "memory.h"
#include "sampler.h"
#include "xof.h"

struct sampling {
	struct chacha random;
	fpr inverse_sigma, sigma_min;
};

/* Two integers with centres at the two parts of mu; d is the leaf. */
static struct complex pair(struct sampling *f, struct complex mu, fpr d)
{
	fpr inverse_sigma = fpr_mul(fpr_sqrt(d), f->inverse_sigma);
	int32_t re = sample(&f->random, mu.re, inverse_sigma, f->sigma_min);
	int32_t im = sample(&f->random, mu.im, inverse_sigma, f->sigma_min);

	return (struct complex){fpr_of(re), fpr_of(im)};
}

/* LDL* (Algorithm 8): l10 takes the place of g01, d11 that of g11. Division is by the
   inverse of |g00|^2, rounded. */
static void ldl(const struct complex *g00, struct complex *g01, struct complex *g11, unsigned m)
{
	for (unsigned i = 0; i < m; i++) {
		struct complex g = g01[i], mu = mul(g, times(conjugate(g00[i]), fpr_div(FPR_ONE, norm(g00[i]))));

		g11[i] = sub(g11[i], mul(mu, conjugate(g)));
		g01[i] = conjugate(mu);
	}
}

/*
 * ffSampling (Algorithm 11) for the target t0, t1, which the sampled z0, z1 take the
 * place of; the Gram matrix is overwritten. tmp has room for 5m values.
 */
static void ff_sample(struct sampling *f, struct complex *t0, struct complex *t1, struct complex *g00,
		      struct complex *g01, struct complex *g11, unsigned m, struct complex *tmp)
{
	ldl(g00, g01, g11, m);
	if (m == 1) {
		struct complex z1 = pair(f, *t1, g11->re);

		*t0 = add(*t0, mul(sub(*t1, z1), *g01));
		*t1 = z1;
		*t0 = pair(f, *t0, g00->re);
		return;
	}

	unsigned h = m / 2;
	struct complex *a = tmp, *b = a + h, *c = b + h, *u0 = c + h, *u1 = u0 + h, *rest = u1 + h;

	split(a, b, g11, m);
	memcpy(c, a, h * sizeof *a);
	split(u0, u1, t1, m);
	ff_sample(f, u0, u1, a, b, c, h, rest);
	merge(g11, u0, u1, m); /* z1 */
	for (unsigned i = 0; i < m; i++) {
		t0[i] = add(t0[i], mul(sub(t1[i], g11[i]), g01[i]));
		t1[i] = g11[i];
	}
	split(a, b, g00, m);
	memcpy(c, a, h * sizeof *a);
	split(u0, u1, t0, m);
	ff_sample(f, u0, u1, a, b, c, h, rest);
	merge(t0, u0, u1, m);
}

/* The basis B = ((g, -f), (G, -F)). */
struct basis {
	struct complex *b00, *b01, *b10, *b11;
};

/* BB*, of which g10 is left out. */
static void gram(struct complex *g00, struct complex *g01, struct complex *g11, const struct basis *b, unsigned m)
{
	for (unsigned i = 0; i < m; i++) {
		struct complex b00 = b->b00[i], b01 = b->b01[i], b10 = b->b10[i], b11 = b->b11[i];

		g00[i] = (struct complex){fpr_add(norm(b00), norm(b01)), FPR_ZERO};
		g01[i] = add(mul(b00, conjugate(b10)), mul(b01, conjugate(b11)));
		g11[i] = (struct complex){fpr_add(norm(b10), norm(b11)), FPR_ZERO};
	}
}

/* One vector: s2 and the squared norm, or 2^31 or more if it is that large. Of a key that
   was made up s1 may not fit 16 bits; s2 is cut to them, as the submission does. */
static uint32_t attempt(struct sampling *f, int32_t *s2, const struct basis *b, const int32_t *c, unsigned m)
{
	size_t mark = memory_mark(), bytes = m * sizeof(struct complex);
	struct complex *g00 = memory_take(bytes), *g01 = memory_take(bytes), *g11 = memory_take(bytes);
	struct complex *t0 = memory_take(bytes), *t1 = memory_take(bytes), *tmp = memory_take(5 * bytes);
	const fpr inverse_q = 0x3F1554E39097A782;

	gram(g00, g01, g11, b, m);
	fft_of(t0, c, m);
	for (unsigned i = 0; i < m; i++) {
		t1[i] = times(mul(t0[i], b->b01[i]), fpr_neg(inverse_q));
		t0[i] = times(mul(t0[i], b->b11[i]), inverse_q);
	}
	ff_sample(f, t0, t1, g00, g01, g11, m, tmp);

	/* (c, 0) - zB */
	for (unsigned i = 0; i < m; i++) {
		struct complex z0 = t0[i], z1 = t1[i];

		t0[i] = add(mul(z0, b->b00[i]), mul(z1, b->b10[i]));
		t1[i] = add(mul(z1, b->b11[i]), mul(z0, b->b01[i]));
	}
	ifft(t0, m);
	ifft(t1, m);

	uint32_t norm2 = 0, large = 0;

	for (unsigned i = 0; i < 2 * m; i++) {
		const struct complex *v0 = &t0[i & (m - 1)], *v1 = &t1[i & (m - 1)];
		int32_t s1 = c[i] - (int32_t)fpr_rint(i < m ? v0->re : v0->im);

		s2[i] = -(int16_t)fpr_rint(i < m ? v1->re : v1->im);
		large |= (uint32_t)((s1 + 0x8000) >> 16 != 0) << 31;
		norm2 += (uint32_t)s1 * (uint32_t)s1;
		large |= norm2;
		norm2 += (uint32_t)(s2[i] * s2[i]);
		large |= norm2;
	}
	memory_back(mark);
	return norm2 | (large & 0x80000000);
}

bool short_vector(const struct params *p, int32_t *s2, const struct key *k, const int32_t *c, uint32_t *drawn)
{
	unsigned m = params_n(p) / 2;
	size_t mark = memory_mark(), bytes = m * sizeof(struct complex);
	struct basis b = {memory_take(bytes), memory_take(bytes), memory_take(bytes), memory_take(bytes)};
	struct sampling *f = memory_take(sizeof *f);
	bool done = false;

	f->inverse_sigma = p->inverse_sigma;
	f->sigma_min = p->sigma_min;
	fft_of_bytes(b.b00, k->g, m);
	fft_of_bytes(b.b01, k->f, m);
	fft_of_bytes(b.b10, k->G, m);
	fft_of_bytes(b.b11, k->F, m);
	for (unsigned i = 0; i < m; i++) {
		b.b01[i] = neg(b.b01[i]);
		b.b11[i] = neg(b.b11[i]);
	}
	for (; !done && *drawn < MOST_VECTORS; ++*drawn) {
		uint32_t seed[CHACHA_SEED / 4];

		xof.squeeze(seed, sizeof seed);
		chacha_init(&f->random, seed);
		done = attempt(f, s2, &b, c, m) <= p->bound;
	}
	memory_back(mark);
	return done;
}
