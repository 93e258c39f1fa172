#include "pack.h"

#include "bits.h"

enum { D = 13 };

/* Coefficients are packed as top - c, or as something else they become. */
#define PACK(out, bits, count, value) \
	do { \
		for (unsigned first = 0; first < N; first += count) { \
			uint32_t word = 0; \
			unsigned held = 0; \
			_Pragma("GCC unroll 32") \
			for (unsigned j = 0; j < count; j++) { \
				unsigned i = first + j; \
				bits_put(&out, &word, &held, (uint32_t)(value), bits); \
			} \
		} \
	} while (0)

#define UNPACK(in, bits, count, assign) \
	do { \
		for (unsigned first = 0; first < N; first += count, in += bits * count / 32) { \
			_Pragma("GCC unroll 32") \
			for (unsigned j = 0; j < count; j++) { \
				unsigned i = first + j; \
				int32_t v = (int32_t)bits_of(in, j, bits); \
				assign; \
			} \
		} \
	} while (0)

void pack_s(uint32_t *out, const int16_t s[N], unsigned eta)
{
	if (eta == 2)
		PACK(out, 3, 32, 2 - s[i]);
	else
		PACK(out, 4, 8, 4 - s[i]);
}

void unpack_s(int16_t s[N], const uint32_t *in, unsigned eta)
{
	if (eta == 2)
		UNPACK(in, 3, 32, s[i] = (int16_t)(2 - v));
	else
		UNPACK(in, 4, 8, s[i] = (int16_t)(4 - v));
}

void unpack_t0(poly t0, const uint32_t *in) { UNPACK(in, D, 32, t0[i] = (1 << (D - 1)) - v); }

void unpack_t1(poly t1, const uint32_t *in) { UNPACK(in, 10, 16, t1[i] = v << D); }

void pack_z(uint32_t *out, const poly z, unsigned gamma1_bits)
{
	if (gamma1_bits == 17)
		PACK(out, 18, 16, (1 << 17) - z[i]);
	else
		PACK(out, 20, 8, (1 << 19) - z[i]);
}

void unpack_z(poly z, const uint32_t *in, unsigned gamma1_bits)
{
	if (gamma1_bits == 17)
		UNPACK(in, 18, 16, z[i] = (1 << 17) - v);
	else
		UNPACK(in, 20, 8, z[i] = (1 << 19) - v);
}

/* c modulo q, for c from -q to 2q - 1. */
BITS_INLINE int32_t canonical(int32_t c)
{
	c += c >> 31 & Q;
	c -= Q;
	return c + (c >> 31 & Q);
}

void round_t(uint32_t *t1, uint32_t *t0, const poly t, const int16_t s[N])
{
	for (unsigned first = 0; first < N; first += 32) {
		uint32_t high = 0, low = 0;
		unsigned high_held = 0, low_held = 0;

#pragma GCC unroll 32
		for (unsigned j = 0; j < 32; j++) {
			int32_t r = canonical(t[first + j] + s[first + j]);
			int32_t r1 = (r + (1 << (D - 1)) - 1) >> D;

			bits_put(&t1, &high, &high_held, (uint32_t)r1, 10);
			bits_put(&t0, &low, &low_held, (uint32_t)((1 << (D - 1)) - r + (r1 << D)), D);
		}
	}
}

/*
 * The high bits of r from 0 to q - 1, without the correction where r + gamma2 passes q:
 * (r + gamma2 - 1) / (2 gamma2), which is 2^9·1023 or 2^11·93. What is left after the
 * shift is below 2^15 or 2^13; 65601 is 2^26/1023 and 45101 2^22/93, both rounded up, and
 * the quotients come out right for all such numbers.
 */
BITS_INLINE int32_t high_bits(int32_t r, int32_t gamma2)
{
	uint32_t v = (uint32_t)(r + gamma2 - 1);

	return (int32_t)(gamma2 == 261888 ? (v >> 9) * factor(65601) >> 26 : (v >> 11) * factor(45101) >> 22);
}

/* The correction: the highest interval, number m, is the lowest one. */
BITS_INLINE int32_t wrapped(int32_t r1, int32_t m) { return r1 & (r1 - m) >> 31; }

BITS_INLINE void decompose_for(uint8_t w1[N], poly w, int32_t gamma2, int32_t m)
{
#pragma GCC unroll 4
	for (unsigned i = 0; i < N; i++) {
		int32_t r = canonical(w[i]), r1 = wrapped(high_bits(r, gamma2), m);
		int32_t r0 = r - (int32_t)((uint32_t)r1 * factor(2 * (uint32_t)gamma2));

		/* In the interval that wraps around, r0 is r - q. */
		w[i] = r0 - (((Q - 1) / 2 - r0) >> 31 & Q);
		w1[i] = (uint8_t)r1;
	}
}

void decompose(uint8_t w1[N], poly w, const struct params *p)
{
	if (p->gamma1_bits == 17)
		decompose_for(w1, w, 95232, 44);
	else
		decompose_for(w1, w, 261888, 16);
}

BITS_INLINE void high_bits_for(uint8_t w1[N], const poly w, int32_t gamma2, int32_t m)
{
#pragma GCC unroll 4
	for (unsigned i = 0; i < N; i++)
		w1[i] = (uint8_t)wrapped(high_bits(canonical(w[i]), gamma2), m);
}

void use_hints(uint8_t w1[N], const poly w, const uint8_t *hints, unsigned n, const struct params *p)
{
	int32_t gamma2 = p->gamma2, m = (Q - 1) / 2 / gamma2;

	if (p->gamma1_bits == 17)
		high_bits_for(w1, w, 95232, 44);
	else
		high_bits_for(w1, w, 261888, 16);
	for (unsigned i = 0; i < n; i++) { /* hints are public */
		int32_t r = canonical(w[hints[i]]), r1 = w1[hints[i]], r0 = r - r1 * 2 * gamma2;

		if (r0 > (Q - 1) / 2)
			r0 -= Q;
		r1 += r0 > 0 ? 1 : -1;
		w1[hints[i]] = (uint8_t)(r1 == m ? 0 : r1 < 0 ? m - 1 : r1);
	}
}

void pack_w1(uint32_t *out, const uint8_t w1[N], const struct params *p)
{
	const uint32_t *in = (const uint32_t *)w1;

	if (p->gamma1_bits == 19) {
		for (const uint32_t *end = in + N / 4; in < end; in += 2) {
			uint32_t a = in[0] | in[0] >> 4, b = in[1] | in[1] >> 4;

			*out++ = (a & 0xFF) | (a >> 8 & 0xFF00) | (b << 16 & 0xFF0000) | (b << 8 & 0xFF000000);
		}
		return;
	}
	for (const uint32_t *end = in + N / 4; in < end; in += 4, out += 3) {
		uint32_t v[4];

		for (unsigned i = 0; i < 4; i++)
			v[i] = (in[i] & 0x3F) | (in[i] >> 2 & 0xFC0) | (in[i] >> 4 & 0x3F000) | (in[i] >> 6 & 0xFC0000);
		out[0] = v[0] | v[1] << 24;
		out[1] = v[1] >> 8 | v[2] << 16;
		out[2] = v[2] >> 16 | v[3] << 8;
	}
}

bool exceeds(const poly f, int32_t bound)
{
	int32_t outside = 0; /* its sign */

#pragma GCC unroll 4
	for (unsigned i = 0; i < N; i++)
		outside |= (bound - 1 - f[i]) | (bound - 1 + f[i]);
	return outside < 0;
}

BITS_INLINE bool add_exceeds(poly f, const int16_t g[N], int32_t bound, bool subtract)
{
	int32_t outside = 0;

#pragma GCC unroll 4
	for (unsigned i = 0; i < N; i++) {
		int32_t c = subtract ? f[i] - g[i] : f[i] + g[i];

		f[i] = c;
		outside |= (bound - 1 - c) | (bound - 1 + c);
	}
	return outside < 0;
}

bool sum_exceeds(poly f, const int16_t g[N], int32_t bound) { return add_exceeds(f, g, bound, false); }
bool difference_exceeds(poly f, const int16_t g[N], int32_t bound) { return add_exceeds(f, g, bound, true); }
