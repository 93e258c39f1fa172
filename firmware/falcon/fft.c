#include "fft.h"

void fft(struct complex *a, unsigned m)
{
	for (unsigned blocks = 1, t = m / 2; t > 0; blocks *= 2, t /= 2)
		for (unsigned i = 0; i < blocks; i++) {
			struct complex w = fft_roots[2 * blocks + i], *x = a + 2 * i * t;

			for (struct complex *end = x + t; x < end; x++) {
				struct complex u = x[0], v = mul(x[t], w);

				x[0] = add(u, v);
				x[t] = sub(u, v);
			}
		}
}

void ifft(struct complex *a, unsigned m)
{
	unsigned layers = 0;

	for (unsigned blocks = m / 2, t = 1; blocks > 0; blocks /= 2, t *= 2, layers++)
		for (unsigned i = 0; i < blocks; i++) {
			struct complex w = conjugate(fft_roots[2 * blocks + i]), *x = a + 2 * i * t;

			for (struct complex *end = x + t; x < end; x++) {
				struct complex u = x[0], v = x[t];

				x[0] = add(u, v);
				x[t] = mul(sub(u, v), w);
			}
		}
	for (unsigned i = 0; i < m; i++) {
		a[i].re = fpr_shrink(a[i].re, layers);
		a[i].im = fpr_shrink(a[i].im, layers);
	}
}

void fft_of_bytes(struct complex *a, const int8_t *f, unsigned m)
{
	for (unsigned i = 0; i < m; i++)
		a[i] = (struct complex){fpr_of(f[i]), fpr_of(f[i + m])};
	fft(a, m);
}

void fft_of(struct complex *a, const int32_t *f, unsigned m)
{
	for (unsigned i = 0; i < m; i++)
		a[i] = (struct complex){fpr_of(f[i]), fpr_of(f[i + m])};
	fft(a, m);
}

void inverse_norm2(fpr *out, const struct complex *f, const struct complex *g, unsigned m)
{
	for (unsigned i = 0; i < m; i++)
		out[i] = fpr_div(FPR_ONE, fpr_add(norm(f[i]), norm(g[i])));
}

void split(struct complex *f0, struct complex *f1, const struct complex *f, unsigned m)
{
	const struct complex *w = fft_roots + m;

	for (unsigned i = 0; i < m / 2; i++) {
		struct complex a = f[2 * i], b = f[2 * i + 1];

		f0[i] = half(add(a, b));
		f1[i] = half(mul(sub(a, b), conjugate(w[i])));
	}
}

void merge(struct complex *f, const struct complex *f0, const struct complex *f1, unsigned m)
{
	const struct complex *w = fft_roots + m;

	for (unsigned i = 0; i < m / 2; i++) {
		struct complex a = f0[i], b = mul(f1[i], w[i]);

		f[2 * i] = add(a, b);
		f[2 * i + 1] = sub(a, b);
	}
}
