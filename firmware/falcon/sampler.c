#include "sampler.h"

#include <string.h>

#include "shift.h"

static inline uint32_t rotate(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

#define QUARTER(a, b, c, d) \
	a += b, d = rotate(d ^ a, 16), c += d, b = rotate(b ^ c, 12), \
	a += b, d = rotate(d ^ a, 8), c += d, b = rotate(b ^ c, 7)

/* One block; its words are 8 apart. */
static void block(uint32_t *out, const uint32_t *key, uint32_t k10, uint32_t k11)
{
	uint32_t x0 = 0x61707865, x1 = 0x3320646E, x2 = 0x79622D32, x3 = 0x6B206574; /* "expand 32-byte k" */
	uint32_t x4 = key[0], x5 = key[1], x6 = key[2], x7 = key[3], x8 = key[4], x9 = key[5], x10 = key[6],
		 x11 = key[7], x12 = key[8], x13 = key[9], x14 = k10, x15 = k11;

	for (int i = 0; i < 10; i++) {
		QUARTER(x0, x4, x8, x12);
		QUARTER(x1, x5, x9, x13);
		QUARTER(x2, x6, x10, x14);
		QUARTER(x3, x7, x11, x15);
		QUARTER(x0, x5, x10, x15);
		QUARTER(x1, x6, x11, x12);
		QUARTER(x2, x7, x8, x13);
		QUARTER(x3, x4, x9, x14);
	}
	out[0] = x0 + 0x61707865;
	out[8] = x1 + 0x3320646E;
	out[16] = x2 + 0x79622D32;
	out[24] = x3 + 0x6B206574;
	out[32] = x4 + key[0];
	out[40] = x5 + key[1];
	out[48] = x6 + key[2];
	out[56] = x7 + key[3];
	out[64] = x8 + key[4];
	out[72] = x9 + key[5];
	out[80] = x10 + key[6];
	out[88] = x11 + key[7];
	out[96] = x12 + key[8];
	out[104] = x13 + key[9];
	out[112] = x14 + k10;
	out[120] = x15 + k11;
}

static void refill(struct chacha *c)
{
	for (unsigned i = 0; i < 8; i++, c->counter++)
		block(&c->buf.words[0][i], c->key, c->key[10] ^ (uint32_t)c->counter,
		      c->key[11] ^ (uint32_t)(c->counter >> 32));
	c->at = 0;
}

void chacha_init(struct chacha *c, const uint32_t *seed)
{
	memcpy(c->key, seed, sizeof c->key);
	c->counter = (uint64_t)seed[13] << 32 | seed[12];
	refill(c);
}

static inline uint32_t next_byte(struct chacha *c)
{
	uint32_t b = c->buf.bytes[c->at++];

	if (c->at == sizeof c->buf)
		refill(c);
	return b;
}

/* P(z > i) of the half Gaussian with deviation 1.8205, in units of 2^-72, the lowest 32 bits
   first (table 3.1). */
static const uint32_t rcdt[18][3] = {
	{0xac391802, 0xf7f42ed3, 163},
	{0x3f7ddb82, 0xd32b181f, 84},
	{0x4829c1ff, 0x7dcdd093, 34},
	{0xc7994ae4, 0xd1754377, 10},
	{0xf33f1f6f, 0x95846cae, 2},
	{0xed74bd5f, 0x774ac754, 0},
	{0x2b776ae4, 0x1024dd54, 0},
	{0x65ad63da, 0x01a1ffdc, 0},
	{0x8a7b6428, 0x001f80d8, 0},
	{0xb2040c69, 0x0001c3fd, 0},
	{0x24d031fb, 0x000012cf, 0},
	{0x9f8b091f, 0x00000094, 0},
	{0x665da998, 0x00000003, 0},
	{0x0ebf6ebb, 0x00000000, 0},
	{0x002f5d7e, 0x00000000, 0},
	{0x00007098, 0x00000000, 0},
	{0x000000c6, 0x00000000, 0},
	{0x00000001, 0x00000000, 0},
};

static inline uint32_t word(const uint8_t *b) { return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24; }

/* BaseSampler (Algorithm 12): how many entries exceed a number of nine bytes. Eight of these
   are from one buffer: up to nine at its end are dropped. */
static int32_t base_sample(struct chacha *c)
{
	if (c->at >= sizeof c->buf - 9)
		refill(c);

	const uint8_t *b = c->buf.bytes + c->at;
	uint32_t low = word(b), middle = word(b + 4), z = 0;

	c->at += 8;

	uint32_t high = next_byte(c);

	for (unsigned i = 0; i < 18; i++) {
		uint32_t less = low < rcdt[i][0], d = middle - rcdt[i][1];

		less = (uint32_t)(middle < rcdt[i][1]) | (uint32_t)(d < less);
		z += (high - rcdt[i][2] - less) >> 31;
	}
	return (int32_t)z;
}

/* The upper half of a product of 64 bits by 64. */
static inline uint64_t mulhu64(uint64_t x, uint64_t y)
{
	uint32_t x0 = (uint32_t)x, x1 = (uint32_t)(x >> 32), y0 = (uint32_t)y, y1 = (uint32_t)(y >> 32);
	uint64_t low = ((uint64_t)x0 * y0) >> 32, a = (uint64_t)x0 * y1 + low, b = (uint64_t)x1 * y0 + (uint32_t)a;

	return (uint64_t)x1 * y1 + (a >> 32) + (b >> 32);
}

/* ApproxExp (Algorithm 13): 2^63 ccs exp(-x), 0 <= x < ln 2, but for rounding. */
static uint64_t approx_exp(fpr x, fpr ccs)
{
	static const uint64_t c[] = {
		0x00000004741183A3, 0x00000036548CFC06, 0x0000024FDCBF140A, 0x0000171D939DE045,
		0x0000D00CF58F6F84, 0x000680681CF796E3, 0x002D82D8305B0FEA, 0x011111110E066FD0,
		0x0555555555070F00, 0x155555555581FF00, 0x400000000002B400, 0x7FFFFFFFFFFF4800,
		0x8000000000000000,
	};
	uint64_t z = fpr_scaled63(x) << 1, y = c[0];

	for (unsigned i = 1; i < 13; i++)
		y = c[i] - mulhu64(z, y);
	return mulhu64(fpr_scaled63(ccs) << 1, y);
}

/* BerExp (Algorithm 14): true with probability ccs exp(-x), x >= 0. Only as many bytes
   are drawn as decide it; how many tells nothing of the value. */
static bool bernoulli(struct chacha *c, fpr x, fpr ccs)
{
	const fpr ln2 = 0x3FE62E42FEFA39EF, inverse_ln2 = 0x3FF71547652B82FE;
	int32_t s = fpr_floor(fpr_mul(x, inverse_ln2));
	fpr rest = fpr_sub(x, fpr_mul(fpr_of(s), ln2));

	s = (s & (s - 64) >> 31) | (63 & ~((s - 64) >> 31));

	uint64_t z = shift_right((approx_exp(rest, ccs) << 1) - 1, (unsigned)s);
	int32_t w = 0;

	for (int i = 0; i < 8 && w == 0; i++, z <<= 8)
		w = (int32_t)next_byte(c) - (int32_t)(z >> 56);
	return w < 0;
}

int32_t sample(struct chacha *c, fpr mu, fpr inverse_sigma, fpr sigma_min)
{
	const fpr inverse_2sigma2 = 0x3FC34F8BC183BBC2; /* 1/(2 1.8205^2) */
	int32_t s = fpr_floor(mu);
	fpr r = fpr_sub(mu, fpr_of(s)), dss = fpr_half(fpr_mul(inverse_sigma, inverse_sigma));
	fpr ccs = fpr_mul(inverse_sigma, sigma_min);

	for (;;) {
		int32_t z0 = base_sample(c), b = (int32_t)(next_byte(c) & 1), z = b + (2 * b - 1) * z0;
		fpr d = fpr_sub(fpr_of(z), r);
		fpr x = fpr_sub(fpr_mul(fpr_mul(d, d), dss), fpr_mul(fpr_of(z0 * z0), inverse_2sigma2));

		if (bernoulli(c, x, ccs))
			return s + z;
	}
}
