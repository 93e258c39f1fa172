/*
 * NTRUSolve (Algorithm 6): f and g are taken to half their degree by field norms, again
 * and again, until they are integers; from Bezout's factors of these F and G are lifted
 * back and reduced at every degree. The depth is how often the degree was halved.
 *
 * Integers of a polynomial stand one after the other. Lengths, and what is taken for the
 * size of numbers, are the submission's, as they decide how reduction goes on and so the
 * result. Nothing depends on values but whether f and g are given up.
 */
#include "solve.h"

#include <string.h>

#include "fft.h"
#include "memory.h"
#include "zint.h"

/* Words of f, g and the reduced F, G; words of F, G before; bits of the largest
   coefficient of f, g on average, and their deviation. */
static const struct {
	uint16_t small, large, bits, deviation;
} depths[MAX_LOGN + 1] = {
	{1, 2, 4, 0},      {1, 2, 11, 1},     {2, 5, 24, 1},      {2, 7, 50, 1},         {4, 12, 102, 1},    {7, 21, 202, 2},
	{14, 40, 401, 4},  {27, 78, 794, 5},  {53, 157, 1577, 8}, {106, 308, 3138, 13}, {209, 0, 6308, 25},
};

enum {
	TOP_WORDS = 10, /* so many of a long integer become a floating-point number */
	GAIN = 25,      /* bits that a step of the reduction is counted on to take off */
	SLACK = 10,     /* bits that its result may be longer than f and g */
	DEVIATIONS = 6, /* that f and g may be off the average */
	NTT_DEPTH = 4,  /* down to which k*f is made of residues */
	MAX_PRODUCT = 6, /* words of such a product, moved up by less than one */
};

/* A pair of polynomials: f and g, or F and G. */
struct pair {
	uint32_t *f, *g;
};

static struct pair take(size_t words)
{
	uint32_t *f = memory_take(2 * words * sizeof *f);

	return (struct pair){f, f + words};
}

/* Residues of a polynomial of n integers. */
static void residues(uint32_t *out, const uint32_t *x, size_t len, unsigned n, const struct modulus *q)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = z_mod(x + i * len, len, q);
}

/* The norms of f and g, of degree n, for the next depth. */
static void norms(struct pair out, struct pair in, unsigned n, unsigned depth, bool deepest)
{
	size_t mark = memory_mark(), from = depths[depth].small, to = depths[depth + 1].small;
	uint32_t *roots = memory_take(n * sizeof *roots), *t = memory_take(n * sizeof *t);
	uint32_t *tmp = memory_take(to * sizeof *tmp);

	for (size_t u = 0; u < to; u++) {
		struct modulus q = modulus_of(&primes[u]);

		mp_roots(roots, n, &primes[u], &q);
		for (int which = 0; which < 2; which++) {
			uint32_t *x = which ? out.g : out.f;

			residues(t, which ? in.g : in.f, from, n, &q);
			mp_ntt(t, n, roots, &q);
			for (unsigned i = 0; i < n / 2; i++)
				t[i] = mp_mul(mp_mul(t[2 * i], t[2 * i + 1], q.p, q.inverse), q.r2, q.p, q.inverse);
			mp_inverse_ntt(t, n / 2, roots, &q);
			for (unsigned i = 0; i < n / 2; i++)
				x[i * to + u] = t[i];
		}
	}
	z_rebuild(out.f, to, n, !deepest, tmp); /* g is behind f */
	memory_back(mark);
}

/* The deepest level: F and G are Bezout's factors times q. */
static bool solve_integers(struct pair out, struct pair in, size_t len)
{
	return z_bezout(out.g, out.f, in.f, in.g, len) && z_scale(out.f, len, Q) == 0 && z_scale(out.g, len, Q) == 0;
}

/* F(x^2) g(-x) and G(x^2) f(-x): the next F and G, of degree n, from residues. */
static void lift(struct pair out, struct pair in, struct pair fg, unsigned n, unsigned depth)
{
	size_t mark = memory_mark();
	size_t small = depths[depth].small, from = depths[depth + 1].small, to = depths[depth].large;
	uint32_t *roots = memory_take(n * sizeof *roots), *a = memory_take(n * sizeof *a);
	uint32_t *b = memory_take(n * sizeof *b), *tmp = memory_take(to * sizeof *tmp);

	for (size_t u = 0; u < to; u++) {
		struct modulus q = modulus_of(&primes[u]);

		mp_roots(roots, n, &primes[u], &q);
		for (int which = 0; which < 2; which++) {
			uint32_t *x = which ? out.g : out.f;

			residues(a, which ? fg.f : fg.g, small, n, &q);
			mp_ntt(a, n, roots, &q);
			residues(b, which ? in.g : in.f, from, n / 2, &q);
			mp_ntt(b, n / 2, roots, &q);

			/* Values at x and -x are side by side. */
			for (unsigned i = 0; i < n; i += 2) {
				uint32_t f = mp_mul(b[i / 2], q.r2, q.p, q.inverse), a0 = a[i];

				a[i] = mp_mul(a[i + 1], f, q.p, q.inverse);
				a[i + 1] = mp_mul(a0, f, q.p, q.inverse);
			}
			mp_inverse_ntt(a, n, roots, &q);
			for (unsigned i = 0; i < n; i++)
				x[i * to + u] = a[i];
		}
	}
	z_rebuild(out.f, to, 2 * n, true, tmp);
	memory_back(mark);
}

/* Floating-point numbers of the top words of integers, which begin stride words apart;
   each is added up from the lowest word on, rounded every time. */
static void load(struct complex *out, const uint32_t *x, size_t stride, size_t len, size_t top, unsigned m)
{
	for (unsigned i = 0; i < 2 * m; i++, x += stride) {
		uint32_t sign = z_sign(x, len), carry = sign & 1;
		fpr sum = FPR_ZERO;

		for (size_t j = 0; j < top; j++) {
			uint32_t w = (x[len - top + j] ^ (sign & WORD_MASK)) + carry;

			carry = w >> 31;
			w &= WORD_MASK;
			w = (w ^ sign) - sign;
			sum = fpr_add(sum, fpr_grow(fpr_of((int32_t)w), WORD_BITS * (unsigned)j));
		}
		if (i < m)
			out[i].re = sum;
		else
			out[i - m].im = sum;
	}
}

/* Integers of len words, stride words apart, cut to or filled up to out_len words. */
static void resize(uint32_t *out, size_t out_len, const uint32_t *in, size_t stride, size_t len, unsigned count)
{
	for (unsigned i = 0; i < count; i++, out += out_len, in += stride) {
		uint32_t fill = z_sign(in, len) & WORD_MASK;

		for (size_t j = 0; j < out_len; j++)
			out[j] = j < len ? in[j] : fill;
	}
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* (F, G) -= k*2^scale*(f, g), where F and G have stride words of which len count. */
static void subtract_product(struct pair v, size_t stride, size_t len, struct pair fg, const int32_t *k,
			     unsigned scale, unsigned n, unsigned depth)
{
	size_t words = scale / WORD_BITS, small = depths[depth].small, wide = small + 1, mark = memory_mark();
	size_t above = len - words; /* words of F and G that change */
	unsigned bits = scale % WORD_BITS;

	if (depth > NTT_DEPTH) {
		struct pair shifted = take(n * wide);

		for (unsigned i = 0; i < 2 * n; i++)
			z_shift(shifted.f + i * wide, fg.f + i * small, small, bits); /* g is behind f */
		for (unsigned i = 0; i < n; i++)
			for (unsigned j = 0; j < n; j++) {
				size_t at = (i + j) % n;
				int32_t c = i + j < n ? -k[i] : k[i]; /* x^n is -1 */

				z_add_product(v.f + at * stride + words, above, shifted.f + j * wide, least(wide, above), c);
				z_add_product(v.g + at * stride + words, above, shifted.g + j * wide, least(wide, above), c);
			}
		memory_back(mark);
		return;
	}

	struct pair product = take(n * wide);
	uint32_t *roots = memory_take(n * sizeof *roots), *a = memory_take(n * sizeof *a);
	uint32_t *b = memory_take(n * sizeof *b), *tmp = memory_take(wide * sizeof *tmp);

	for (size_t u = 0; u < wide; u++) {
		struct modulus q = modulus_of(&primes[u]);

		mp_roots(roots, n, &primes[u], &q);
		for (unsigned i = 0; i < n; i++)
			a[i] = mp_mul(mp_of(k[i], q.p), q.r2, q.p, q.inverse);
		mp_ntt(a, n, roots, &q);
		for (int which = 0; which < 2; which++) {
			uint32_t *x = which ? product.g : product.f;

			residues(b, which ? fg.g : fg.f, small, n, &q);
			mp_ntt(b, n, roots, &q);
			for (unsigned i = 0; i < n; i++)
				b[i] = mp_mul(b[i], a[i], q.p, q.inverse);
			mp_inverse_ntt(b, n, roots, &q);
			for (unsigned i = 0; i < n; i++)
				x[i * wide + u] = b[i];
		}
	}
	z_rebuild(product.f, wide, 2 * n, true, tmp);

	uint32_t shifted[MAX_PRODUCT];

	for (unsigned i = 0; i < n; i++) {
		z_shift(shifted, product.f + i * wide, wide, bits);
		z_add_product(v.f + i * stride + words, above, shifted, least(wide + 1, above), -1);
		z_shift(shifted, product.g + i * wide, wide, bits);
		z_add_product(v.g + i * stride + words, above, shifted, least(wide + 1, above), -1);
	}
	memory_back(mark);
}

/*
 * Reduce (Algorithm 7) of F and G, of degree n = 2m: k·(f, g) is subtracted for a k found from
 * the leading words, some 25 bits at a time, on a schedule that depends on nothing secret.
 */
static bool reduce(struct pair out, struct pair v, struct pair fg, unsigned n, unsigned depth)
{
	size_t mark = memory_mark(), small = depths[depth].small, stride = depths[depth].large, len = stride;
	size_t top = least(small, TOP_WORDS);
	unsigned m = n / 2;
	struct complex *f = memory_take(m * sizeof *f), *g = memory_take(m * sizeof *g);
	struct complex *a = memory_take(m * sizeof *a), *b = memory_take(m * sizeof *b);
	fpr *inverse = memory_take(m * sizeof *inverse);
	int32_t *k = memory_take(n * sizeof *k);
	int shift_fg = WORD_BITS * (int)(small - top), deviation = DEVIATIONS * depths[depth].deviation;
	int most = WORD_BITS * (int)len, scale = most - (depths[depth].bits - deviation);

	load(f, fg.f, small, small, top, m);
	load(g, fg.g, small, small, top, m);
	fft(f, m);
	fft(g, m);
	inverse_norm2(inverse, f, g, m);
	for (;;) {
		top = least(len, TOP_WORDS);
		load(a, v.f, stride, len, top, m);
		load(b, v.g, stride, len, top, m);
		fft(a, m);
		fft(b, m);
		for (unsigned i = 0; i < m; i++)
			a[i] = times(add(mul(b[i], conjugate(g[i])), mul(a[i], conjugate(f[i]))), inverse[i]);
		ifft(a, m);

		fpr power = fpr_power(WORD_BITS * (int)(len - top) - shift_fg - scale);

		for (unsigned i = 0; i < n; i++) {
			fpr x = fpr_mul(i < m ? a[i].re : a[i - m].im, power);

			if (!fpr_lt(x, 0x41DFFFFFFFC00000) || !fpr_lt(0xC1DFFFFFFFC00000, x))
				return false; /* 2^31 - 1 */
			k[i] = (int32_t)fpr_rint(x);
		}
		subtract_product(v, stride, len, fg, k, (unsigned)scale, n, depth);

		int now = scale + depths[depth].bits + deviation + SLACK;

		if (now < most) {
			most = now;
			if ((int)len * WORD_BITS >= most + WORD_BITS)
				len--;
		}
		if (scale == 0)
			break;
		scale = scale > GAIN ? scale - GAIN : 0;
	}
	resize(out.f, small, v.f, stride, len, n);
	resize(out.g, small, v.g, stride, len, n);
	memory_back(mark);
	return true;
}

/*
 * At depth 1 F and G fit the precision of floating point, and are reduced in one step. The
 * result has one word a coefficient.
 */
static bool reduce_once(struct pair out, struct pair v, struct pair fg, unsigned n)
{
	size_t mark = memory_mark(), len = depths[1].large;
	unsigned m = n / 2;
	struct complex *f = memory_take(m * sizeof *f), *g = memory_take(m * sizeof *g);
	struct complex *a = memory_take(m * sizeof *a), *b = memory_take(m * sizeof *b), *k = memory_take(m * sizeof *k);
	fpr *inverse = memory_take(m * sizeof *inverse);

	load(a, v.f, len, len, len, m);
	load(b, v.g, len, len, len, m);
	load(f, fg.f, 1, 1, 1, m);
	load(g, fg.g, 1, 1, 1, m);
	fft(a, m);
	fft(b, m);
	fft(f, m);
	fft(g, m);
	inverse_norm2(inverse, f, g, m);
	for (unsigned i = 0; i < m; i++)
		k[i] = times(add(mul(a[i], conjugate(f[i])), mul(b[i], conjugate(g[i]))), inverse[i]);
	ifft(k, m);
	for (unsigned i = 0; i < n; i++) {
		fpr *x = i < m ? &k[i].re : &k[i - m].im;

		if (!fpr_lt(*x, 0x43E0000000000000) || !fpr_lt(0xC3E0000000000000, *x))
			return false; /* 2^63 */
		*x = fpr_of64(fpr_rint(*x));
	}
	fft(k, m);
	for (unsigned i = 0; i < m; i++) {
		a[i] = sub(a[i], mul(f[i], k[i]));
		b[i] = sub(b[i], mul(g[i], k[i]));
	}
	ifft(a, m);
	ifft(b, m);
	for (unsigned i = 0; i < n; i++) {
		out.f[i] = (uint32_t)fpr_rint(i < m ? a[i].re : a[i - m].im) & WORD_MASK;
		out.g[i] = (uint32_t)fpr_rint(i < m ? b[i].re : b[i - m].im) & WORD_MASK;
	}
	memory_back(mark);
	return true;
}

/*
 * The last lift and reduction, where everything is less than the first prime: numerator
 * and denominator of k are exact, as residues. in has one word a coefficient. False if
 * some coefficient of F or G does not fit, or fG - gF is not q.
 */
static bool finish(struct key *key, struct pair in, unsigned n)
{
	size_t mark = memory_mark(), bytes = n * sizeof(uint32_t);
	unsigned m = n / 2;
	struct modulus q = modulus_of(&primes[0]);
	uint32_t p = q.p, inverse = q.inverse, wrong = 0;
	uint32_t *roots = memory_take(bytes), *f = memory_take(bytes), *g = memory_take(bytes);
	uint32_t *F = memory_take(bytes), *G = memory_take(bytes), *k = memory_take(bytes), *d = memory_take(bytes);
	struct complex *a = memory_take(m * sizeof *a), *b = memory_take(m * sizeof *b);

	mp_roots(roots, n, &primes[0], &q);
	for (unsigned i = 0; i < n; i++) {
		f[i] = mp_of(key->f[i], p);
		g[i] = mp_of(key->g[i], p);
	}
	for (unsigned i = 0; i < m; i++) {
		F[i] = z_mod(in.f + i, 1, &q);
		G[i] = z_mod(in.g + i, 1, &q);
	}
	mp_ntt(f, n, roots, &q);
	mp_ntt(g, n, roots, &q);
	mp_ntt(F, m, roots, &q);
	mp_ntt(G, m, roots, &q);

	/* From the end on, as a value of F makes two. */
	for (unsigned i = m; i-- > 0;) {
		uint32_t vf = mp_mul(F[i], q.r2, p, inverse), vg = mp_mul(G[i], q.r2, p, inverse);

		F[2 * i] = mp_mul(g[2 * i + 1], vf, p, inverse);
		F[2 * i + 1] = mp_mul(g[2 * i], vf, p, inverse);
		G[2 * i] = mp_mul(f[2 * i + 1], vg, p, inverse);
		G[2 * i + 1] = mp_mul(f[2 * i], vg, p, inverse);
	}

	/* The value of f* at a root is that of f at the inverse root, which is as far from
	   the end. */
	for (unsigned i = 0; i < n; i++) {
		uint32_t vf = mp_mul(f[n - 1 - i], q.r2, p, inverse), vg = mp_mul(g[n - 1 - i], q.r2, p, inverse);

		k[i] = mp_add(mp_mul(F[i], vf, p, inverse), mp_mul(G[i], vg, p, inverse), p);
		d[i] = mp_add(mp_mul(f[i], vf, p, inverse), mp_mul(g[i], vg, p, inverse), p);
	}
	mp_inverse_ntt(k, n, roots, &q);
	mp_inverse_ntt(d, n, roots, &q);
	for (unsigned i = 0; i < n; i++) {
		k[i] = (uint32_t)mp_center(k[i], p);
		d[i] = (uint32_t)mp_center(d[i], p);
	}
	fft_of(a, (int32_t *)k, m);
	fft_of(b, (int32_t *)d, m);
	for (unsigned i = 0; i < m; i++)
		a[i] = times(a[i], fpr_div(FPR_ONE, b[i].re)); /* ff* + gg* is real */
	ifft(a, m);
	for (unsigned i = 0; i < n; i++)
		k[i] = mp_mul(mp_of((int32_t)fpr_rint(i < m ? a[i].re : a[i - m].im), p), q.r2, p, inverse);
	mp_ntt(k, n, roots, &q);

	/* F, G less k·(f, g); what fG - gF is, is told by their values. */
	for (unsigned i = 0; i < n; i++) {
		uint32_t vf = mp_mul(f[i], q.r2, p, inverse), vg = mp_mul(g[i], q.r2, p, inverse);

		F[i] = mp_sub(F[i], mp_mul(k[i], f[i], p, inverse), p);
		G[i] = mp_sub(G[i], mp_mul(k[i], g[i], p, inverse), p);
		wrong |= mp_sub(mp_mul(vf, G[i], p, inverse), mp_mul(vg, F[i], p, inverse), p) ^ Q;
	}
	mp_inverse_ntt(F, n, roots, &q);
	mp_inverse_ntt(G, n, roots, &q);
	for (unsigned i = 0; i < n; i++) {
		int32_t vf = mp_center(F[i], p), vg = mp_center(G[i], p);

		wrong |= (uint32_t)((vf + 127) | (127 - vf) | (vg + 127) | (127 - vg)) >> 31;
		key->F[i] = (int8_t)vf;
		key->G[i] = (int8_t)vg;
	}
	memory_back(mark);
	return wrong == 0;
}

bool ntru_solve(const struct params *p, struct key *k)
{
	unsigned n = params_n(p), logn = p->logn;
	struct pair fg[MAX_LOGN + 1], v = take(n), unreduced; /* no reduced F has more than n words */

	fg[0] = take(n);
	for (unsigned i = 0; i < n; i++) {
		fg[0].f[i] = (uint32_t)k->f[i] & WORD_MASK;
		fg[0].g[i] = (uint32_t)k->g[i] & WORD_MASK;
	}
	for (unsigned d = 0; d < logn; d++) {
		fg[d + 1] = take((size_t)(n >> (d + 1)) * depths[d + 1].small);
		norms(fg[d + 1], fg[d], n >> d, d, d + 1 == logn);
	}
	if (!solve_integers(v, fg[logn], depths[logn].small))
		return false;
	for (unsigned d = logn - 1; d > 0; d--) {
		size_t mark = memory_mark();
		unsigned degree = n >> d;

		unreduced = take(degree * depths[d].large);
		lift(unreduced, v, fg[d], degree, d);
		v.g = v.f + degree * depths[d].small;
		if (!(d == 1 ? reduce_once(v, unreduced, fg[d], degree) : reduce(v, unreduced, fg[d], degree, d)))
			return false;
		memory_back(mark);
	}
	return finish(k, v, n);
}
