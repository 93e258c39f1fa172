#include "poly.h"

#include <stdbool.h>

#include "bits.h"
#include "hash.h"

enum { N = N3329, Q = Q3329 };

/* SHAKE128's and SHAKE256's rates. */
enum { RATE128 = 168, RATE256 = 136 };

/* Triples of bytes, two candidates each, come in threes of words, eight candidates. */
enum { GROUP = 24, LEAST = N / 2 * 3, FIRST = 504 };

/* Puts the candidates at in up to stop that are below q behind those at *to. */
static int16_t *accept(int16_t *to, int16_t *end, const uint32_t *in, const uint32_t *stop)
{
#define CANDIDATES(TRY) \
	TRY(a & 0xFFF) TRY(a >> 12 & 0xFFF) TRY(a >> 24 | (b << 8 & 0xF00)) TRY(b >> 4 & 0xFFF) \
	TRY(b >> 16 & 0xFFF) TRY(b >> 28 | (c << 4 & 0xFF0)) TRY(c >> 8 & 0xFFF) TRY(c >> 20)
#define TRY_THERE_IS_ROOM(value) v = value; if (v < Q) *to++ = (int16_t)v;
#define TRY(value) v = value; if (v < Q && to < end) *to++ = (int16_t)v;
	for (; in < stop && end - to >= 8; in += 3) {
		uint32_t a = in[0], b = in[1], c = in[2], v;

		CANDIDATES(TRY_THERE_IS_ROOM)
	}
	for (; in < stop && to < end; in += 3) {
		uint32_t a = in[0], b = in[1], c = in[2], v;

		CANDIDATES(TRY)
	}
	return to;
#undef TRY
#undef TRY_THERE_IS_ROOM
#undef CANDIDATES
}

void poly_sample_ntt(poly3329 f, struct seed *rho, unsigned j, unsigned i)
{
	uint32_t bytes[FIRST / 4];
	size_t len = hash_first(RATE128, GROUP, LEAST);
	int16_t *to = f;

	rho->words[HASH_SIZE / 4] = j | i << 8;
	hash_begin(SHAKE128);
	xof.absorb(rho, HASH_SIZE + 2);
	hash_end();
	do {
		xof.squeeze(bytes, len);
		to = accept(to, f + N, bytes, bytes + len / 4);
		len = hash_group(RATE128, GROUP);
	} while (to < f + N);
}

/* Coefficients from the differences that d holds, in two's complement of so many bits
   each, the lowest ones first; in place of what f has, or added to it. */
BITS_INLINE int16_t *spread(int16_t *f, uint32_t d, unsigned count, unsigned bits, bool add)
{
#pragma GCC unroll 8
	for (unsigned i = 0; i < count; i++, f++) {
		int32_t c = (int32_t)(d << (32 - bits * (i + 1))) >> (32 - bits);

		*f = (int16_t)(add ? *f + c : c);
	}
	return f;
}

BITS_INLINE void cbd2(int16_t *f, const uint32_t *in, bool add)
{
	for (unsigned i = 0; i < N / 8; i++) {
		uint32_t pairs = (in[i] & 0x55555555) + (in[i] >> 1 & 0x55555555);
		uint32_t a = pairs & 0x33333333, b = pairs >> 2 & 0x33333333;

		/* 8 + a - b of each four bits is positive, so nothing is borrowed. */
		f = spread(f, (a + 0x88888888 - b) ^ 0x88888888, 8, 4, add);
	}
}

/* Six bits a coefficient: three words are five times six bits, and two bits over. So
   words are taken apart into four coefficients of 24 bits. */
static void cbd3(int16_t *f, const uint32_t *in)
{
	for (unsigned i = 0; i < N / 16; i++, in += 3) {
		uint32_t parts[4] = {in[0] & 0xFFFFFF, in[0] >> 24 | (in[1] << 8 & 0xFFFF00),
				     in[1] >> 16 | (in[2] << 16 & 0xFF0000), in[2] >> 8};

		for (unsigned j = 0; j < 4; j++) {
			uint32_t w = parts[j];
			uint32_t sums = (w & 0x249249) + (w >> 1 & 0x249249) + (w >> 2 & 0x249249);
			uint32_t a = sums & 0x1C71C7, b = sums >> 3 & 0x1C71C7;

			f = spread(f, (a + 0x820820 - b) ^ 0x820820, 4, 6, false);
		}
	}
}

static void prf(uint32_t *out, struct seed *s, unsigned b, unsigned eta)
{
	s->words[HASH_SIZE / 4] = b;
	hash(SHAKE256, out, 64 * eta, s, HASH_SIZE + 1);
}

void poly_sample_cbd(poly3329 f, struct seed *s, unsigned b, unsigned eta)
{
	uint32_t bytes[64 * 3 / 4];

	prf(bytes, s, b, eta);
	if (eta == 2)
		cbd2(f, bytes, false);
	else
		cbd3(f, bytes);
}

void poly_add_cbd2(poly3329 f, struct seed *s, unsigned b)
{
	uint32_t bytes[64 * 2 / 4];

	prf(bytes, s, b, 2);
	cbd2(f, bytes, true);
}

/* What each coefficient becomes on its way in or out. */
typedef uint32_t writer(int32_t c);
typedef int32_t reader(uint32_t v);

/* So many coefficients a round as fill whole words; inlined for one d and one writer. */
BITS_INLINE void encode(uint32_t *out, const int16_t *f, unsigned d, unsigned count, writer *value)
{
	for (const int16_t *end = f + N; f < end; f += count) {
		uint32_t word = 0;
		unsigned held = 0;

#pragma GCC unroll 32
		for (unsigned i = 0; i < count; i++)
			bits_put(&out, &word, &held, value(f[i]), d);
	}
}

BITS_INLINE void decode(int16_t *f, const uint32_t *in, unsigned d, unsigned count, reader *value)
{
	for (const int16_t *end = f + N; f < end; f += count, in += count * d / 32) {
#pragma GCC unroll 32
		for (unsigned i = 0; i < count; i++)
			f[i] = (int16_t)value(bits_of(in, i, d));
	}
}

BITS_INLINE uint32_t canonical(int32_t c) { return canonical3329(c); }
BITS_INLINE int32_t same(uint32_t v) { return (int32_t)v; }

void poly_encode12(uint32_t *out, const poly3329 f) { encode(out, f, 12, 8, canonical); }
void poly_decode12(poly3329 f, const uint32_t *in) { decode(f, in, 12, 8, same); }

/*
 * The nearest integer to c·2^d/q, modulo 2^d, is the upper d bits of c·2^32/q, rounded at
 * its bit 32 - d. 1290167 is 2^32/q but for 0.41, so the product is wrong by 0.41·c. The
 * nearest that c·2^d/q comes to a half is 1/2q: for c up to 2,000 and d up to 11, up to
 * 6,000 and d up to 5, all products were tried.
 */
BITS_INLINE uint32_t compress(int32_t c, unsigned d)
{
	return ((uint32_t)c * factor(1290167) + (1u << (31 - d))) >> (32 - d);
}

BITS_INLINE int32_t decompress(uint32_t v, unsigned d) { return (int32_t)((v * factor(Q) + (1u << (d - 1))) >> d); }

BITS_INLINE uint32_t compress1(int32_t c) { return compress(c, 1); }

#define COMPRESSION(d) \
	BITS_INLINE uint32_t compress##d(int32_t c) { return compress(c, d); } \
	BITS_INLINE int32_t decompress##d(uint32_t v) { return decompress(v, d); }
COMPRESSION(4)
COMPRESSION(5)
COMPRESSION(10)
COMPRESSION(11)

void poly_compress(uint32_t *out, const poly3329 f, unsigned d)
{
	switch (d) {
	case 1: encode(out, f, 1, 32, compress1); break;
	case 4: encode(out, f, 4, 8, compress4); break;
	case 5: encode(out, f, 5, 32, compress5); break;
	case 10: encode(out, f, 10, 16, compress10); break;
	case 11: encode(out, f, 11, 32, compress11); break;
	}
}

void poly_decompress(poly3329 f, const uint32_t *in, unsigned d)
{
	switch (d) {
	case 4: decode(f, in, 4, 8, decompress4); break;
	case 5: decode(f, in, 5, 32, decompress5); break;
	case 10: decode(f, in, 10, 16, decompress10); break;
	case 11: decode(f, in, 11, 32, decompress11); break;
	}
}

void poly_add_message(poly3329 f, const uint32_t *m)
{
	for (const uint32_t *end = m + N / 32; m < end; m++, f += 32) {
		uint32_t bits = *m;

#pragma GCC unroll 32
		for (unsigned i = 0; i < 32; i++)
			f[i] = (int16_t)(f[i] + ((int32_t)(bits << (31 - i)) >> 31 & (Q + 1) / 2));
	}
}
