#include "sample.h"

#include "bits.h"
#include "hash.h"
#include "pack.h"
#include "words.h"

/* SHAKE128's and SHAKE256's rates. */
enum { RATE128 = 168, RATE256 = 136 };

/* Candidates of three bytes come in threes of words, four at a time. */
enum { TRIPLES = 24, LEAST_TRIPLES = 3 * N, FIRST_TRIPLES = 840 };
/* Samples of a byte or half of one. */
enum { BYTES = 8 };

/* Puts the candidates at in up to stop that are below q behind those at *to. Hardly any
   is not. */
static int32_t *accept_uniform(int32_t *to, int32_t *end, const uint32_t *in, const uint32_t *stop)
{
	for (; in < stop && end - to >= 4; in += 3) {
		uint32_t a = in[0], b = in[1], c = in[2], v;

#define TRY(value) v = (value) & 0x7FFFFF; *to = (int32_t)v; if (__builtin_expect(v < Q, 1)) to++;
		TRY(a) TRY(a >> 24 | b << 8) TRY(b >> 16 | c << 16) TRY(c >> 8)
#undef TRY
	}
	for (; in < stop && to < end; in += 3) {
		uint32_t a = in[0], b = in[1], c = in[2];
		uint32_t v[4] = {a, a >> 24 | b << 8, b >> 16 | c << 16, c >> 8};

		for (unsigned i = 0; i < 4 && to < end; i++)
			if ((v[i] & 0x7FFFFF) < Q)
				*to++ = (int32_t)(v[i] & 0x7FFFFF);
	}
	return to;
}

void sample_uniform(poly a, struct seed *rho, unsigned column, unsigned row)
{
	uint32_t bytes[FIRST_TRIPLES / 4];
	size_t len = hash_first(RATE128, TRIPLES, LEAST_TRIPLES);
	int32_t *to = a;

	rho->words[HASH_SIZE / 4] = column | row << 8;
	hash_begin(SHAKE128);
	xof.absorb(rho, HASH_SIZE + 2);
	hash_end();
	do {
		xof.squeeze(bytes, len);
		to = accept_uniform(to, a + N, bytes, bytes + len / 4);
		len = hash_group(RATE128, TRIPLES);
	} while (to < a + N);
}

/* 2 - (b mod 5) for b up to 14, and 4 - b: CoeffFromHalfByte (Algorithm 15). */
BITS_INLINE int16_t *accept_half(int16_t *to, uint32_t b, unsigned eta)
{
	if (eta == 2) {
		if (b < 15)
			*to++ = (int16_t)(2 - (int32_t)(b - (b * 13 >> 6) * 5));
	} else if (b < 9) {
		*to++ = (int16_t)(4 - (int32_t)b);
	}
	return to;
}

BITS_INLINE int16_t *accept_bounded(int16_t *to, int16_t *end, const uint32_t *in, const uint32_t *stop,
				    unsigned eta)
{
	for (; in < stop && end - to >= 8; in++) {
		uint32_t w = *in;

#pragma GCC unroll 8
		for (unsigned i = 0; i < 8; i++)
			to = accept_half(to, w >> 4 * i & 15, eta);
	}
	for (; in < stop && to < end; in++)
		for (unsigned i = 0; i < 8 && to < end; i++)
			to = accept_half(to, *in >> 4 * i & 15, eta);
	return to;
}

void sample_bounded(int16_t a[N], struct seed *rho, unsigned r, unsigned eta)
{
	uint32_t bytes[RATE256 / 4];
	size_t len = hash_first(RATE256, BYTES, N / 2);
	int16_t *to = a;

	rho->words[RHO_SIZE / 4] = r;
	hash_begin(SHAKE256);
	xof.absorb(rho, RHO_SIZE + 2);
	hash_end();
	do {
		const uint32_t *stop = bytes + len / 4;

		xof.squeeze(bytes, len);
		to = eta == 2 ? accept_bounded(to, a + N, bytes, stop, 2) : accept_bounded(to, a + N, bytes, stop, 4);
		len = hash_group(RATE256, BYTES);
	} while (to < a + N);
}

void sample_mask(poly y, struct seed *rho, unsigned number, unsigned gamma1_bits)
{
	uint32_t bytes[20 * N / 32];

	rho->words[RHO_SIZE / 4] = number;
	hash(SHAKE256, bytes, 4 * (gamma1_bits + 1) * N / 32, rho, RHO_SIZE + 2);
	unpack_z(y, bytes, gamma1_bits);
}

void sample_ball(int16_t c[N], const uint32_t *challenge, size_t size, unsigned tau)
{
	uint32_t bytes[RATE256 / 4], signs[2];
	size_t len = hash_first(RATE256, BYTES, 8 + tau), at = 8;

	hash_begin(SHAKE256);
	xof.absorb(challenge, size);
	hash_end();
	xof.squeeze(bytes, len);
	signs[0] = bytes[0];
	signs[1] = bytes[1];
	clear_words((uint32_t *)c, N * sizeof *c);
	for (unsigned i = N - tau, sign = 0; i < N; i++, sign++) {
		unsigned j;

		do {
			if (at == len) {
				len = hash_group(RATE256, BYTES);
				xof.squeeze(bytes, len);
				at = 0;
			}
			j = ((const uint8_t *)bytes)[at++];
		} while (j > i);
		c[i] = c[j];
		c[j] = (int16_t)(1 - 2 * (int32_t)(signs[sign / 32] >> sign % 32 & 1));
	}
}
