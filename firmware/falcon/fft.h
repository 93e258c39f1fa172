/*
 * Polynomials in R[x]/(x^n+1) in Fourier form: their values at the n/2 roots of x^n+1
 * in one half of the plane, in the order in which the transform leaves them. Functions
 * round where the submission's do, in the same order. m is n/2 throughout.
 */
#ifndef FALCON_FFT_H
#define FALCON_FFT_H

#include "tables.h"

static inline struct complex add(struct complex a, struct complex b)
{
	return (struct complex){fpr_add(a.re, b.re), fpr_add(a.im, b.im)};
}

static inline struct complex sub(struct complex a, struct complex b)
{
	return (struct complex){fpr_sub(a.re, b.re), fpr_sub(a.im, b.im)};
}

static inline struct complex mul(struct complex a, struct complex b)
{
	return (struct complex){fpr_sub(fpr_mul(a.re, b.re), fpr_mul(a.im, b.im)),
				fpr_add(fpr_mul(a.re, b.im), fpr_mul(a.im, b.re))};
}

static inline struct complex conjugate(struct complex a) { return (struct complex){a.re, fpr_neg(a.im)}; }
static inline struct complex neg(struct complex a) { return (struct complex){fpr_neg(a.re), fpr_neg(a.im)}; }
static inline struct complex half(struct complex a) { return (struct complex){fpr_half(a.re), fpr_half(a.im)}; }
static inline struct complex times(struct complex a, fpr x)
{
	return (struct complex){fpr_mul(a.re, x), fpr_mul(a.im, x)};
}

/* |a|^2 */
static inline fpr norm(struct complex a) { return fpr_add(fpr_mul(a.re, a.re), fpr_mul(a.im, a.im)); }

/* From coefficients, number j with number j + m, and back to them. */
void fft(struct complex *a, unsigned m);
void ifft(struct complex *a, unsigned m);

/* The same of small integers. */
void fft_of_bytes(struct complex *a, const int8_t *f, unsigned m);
void fft_of(struct complex *a, const int32_t *f, unsigned m);

/* out[j] = 1/(|f[j]|^2 + |g[j]|^2) */
void inverse_norm2(fpr *out, const struct complex *f, const struct complex *g, unsigned m);

/* splitfft and mergefft (Algorithms 1 and 2); m is at least 2 and f no part of f0, f1. */
void split(struct complex *f0, struct complex *f1, const struct complex *f, unsigned m);
void merge(struct complex *f, const struct complex *f0, const struct complex *f1, unsigned m);

#endif
