/*
 * NTRUGen (Algorithm 5).
 */
#include "fft.h"
#include "memory.h"
#include "solve.h"
#include "xof.h"

/* The Gaussian that coefficients have for n = 1024, in units of 2^-63. Entry 0 is the
   probability of 0; entry k that of more than k, given that the value is positive. */
static const uint64_t gaussian_table[27] = {
	1283868770400643928, 6416574995475331444, 4078260278032692663, 2353523259288686585, 1227179971273316331,
	575931623374121527, 242543240509105209, 91437049221049666, 30799446349977173, 9255276791179340,
	2478152334826140, 590642893610164, 125206034929641, 23590435911403, 3948334035941, 586753615614,
	77391054539, 9056793210, 940121950, 86539696, 7062824, 510971, 32764, 1862, 94, 4, 0,
};

/* One coefficient, from the open stream; for n = 512 it is the sum of two values. */
static int32_t gaussian(unsigned logn)
{
	uint32_t words[2][4];
	unsigned values = 1u << (MAX_LOGN - logn);
	int32_t sum = 0;

	xof.squeeze(words, values * sizeof words[0]);
	for (unsigned i = 0; i < values; i++) {
		const uint32_t *w = words[i];
		uint64_t first = (uint64_t)(w[1] & 0x7FFFFFFF) << 32 | w[0];
		uint64_t second = (uint64_t)(w[3] & 0x7FFFFFFF) << 32 | w[2];
		int32_t sign = (int32_t)w[1] >> 31, some = (int32_t)((first - gaussian_table[0]) >> 63) - 1, v = 1;

		/* As many entries as exceed the second number, from entry 1 on. */
		for (unsigned k = 1; k < 27; k++)
			v += (int32_t)((second - gaussian_table[k]) >> 63);
		sum += ((v & some) ^ sign) - sign;
	}
	return sum;
}

/* A polynomial whose sum of coefficients is odd; else the last one is drawn again. */
static void gaussian_poly(const struct params *p, int8_t *f)
{
	unsigned n = params_n(p), parity = 0;

	for (unsigned i = 0; i < n;) {
		int32_t c = gaussian(p->logn);

		if (c < -127 || c > 127 || (i == n - 1 && ((parity ^ (unsigned)c) & 1) == 0))
			continue;
		parity ^= (unsigned)c & 1;
		f[i++] = (int8_t)c;
	}
}

/* Whether f and g have a form in the secret key, and both (g, -f) and its orthogonal
   companion are at most 1.17 sqrt(q) long. */
static bool usable(const struct params *p, const struct key *k)
{
	const fpr q = 0x40C8008000000000, most = 0x40D06D9A5FD8ADAC; /* 1.17^2 q */
	unsigned n = params_n(p), m = n / 2;
	int32_t limit = 1 << (p->fg_bits - 1), norm2 = 0;

	for (unsigned i = 0; i < n; i++) {
		int32_t f = k->f[i], g = k->g[i];

		if (f <= -limit || f >= limit || g <= -limit || g >= limit)
			return false;
		norm2 += f * f + g * g;
	}
	if (norm2 > 16822)
		return false;

	size_t mark = memory_mark();
	struct complex *f = memory_take(m * sizeof *f), *g = memory_take(m * sizeof *g);
	fpr *inverse = memory_take(m * sizeof *inverse), sum = FPR_ZERO;

	fft_of_bytes(f, k->f, m);
	fft_of_bytes(g, k->g, m);
	inverse_norm2(inverse, f, g, m);
	for (unsigned i = 0; i < m; i++) {
		f[i] = times(times(conjugate(f[i]), q), inverse[i]);
		g[i] = times(times(conjugate(g[i]), q), inverse[i]);
	}
	ifft(f, m);
	ifft(g, m);
	for (unsigned i = 0; i < n; i++) {
		fpr a = i < m ? f[i].re : f[i - m].im, b = i < m ? g[i].re : g[i - m].im;

		sum = fpr_add(sum, fpr_mul(a, a));
		sum = fpr_add(sum, fpr_mul(b, b));
	}
	memory_back(mark);
	return fpr_lt(sum, most);
}

uint32_t generate(const struct params *p, struct key *k, int32_t *h)
{
	size_t mark = memory_mark();

	for (uint32_t drawn = 1;; drawn++) {
		gaussian_poly(p, k->f);
		gaussian_poly(p, k->g);
		if (usable(p, k) && public_key(p, h, k->f, k->g) && ntru_solve(p, k)) {
			memory_back(mark);
			return drawn;
		}
		memory_back(mark);
	}
}
