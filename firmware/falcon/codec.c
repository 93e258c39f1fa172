/*
 * Keys and signatures as bytes (section 3.11): coefficients of so many bits, the most
 * significant first.
 */
#include "falcon.h"

enum { HEADER_PUBLIC = 0x00, HEADER_SECRET = 0x50, F_BITS = 8 };

/* Four coefficients are seven bytes. */
void encode_public(const struct params *p, uint8_t *pk, const int32_t *h)
{
	uint32_t acc = 0;
	unsigned bits = 0;

	*pk++ = (uint8_t)(HEADER_PUBLIC + p->logn);
	for (unsigned i = 0; i < params_n(p); i++) {
		acc = acc << 14 | (uint32_t)h[i];
		for (bits += 14; bits >= 8;)
			*pk++ = (uint8_t)(acc >> (bits -= 8));
	}
}

bool decode_public(const struct params *p, int32_t *h, const uint8_t *pk)
{
	int32_t large = 0;

	if (*pk++ != HEADER_PUBLIC + p->logn)
		return false;
	for (unsigned i = 0; i < params_n(p); i += 4, pk += 7) {
		uint32_t a = (uint32_t)pk[0] << 24 | (uint32_t)pk[1] << 16 | (uint32_t)pk[2] << 8 | pk[3];
		uint32_t b = (uint32_t)pk[3] << 24 | (uint32_t)pk[4] << 16 | (uint32_t)pk[5] << 8 | pk[6];
		int32_t h0 = (int32_t)(a >> 18), h1 = a >> 4 & 0x3FFF, h2 = b >> 14 & 0x3FFF, h3 = b & 0x3FFF;

		large |= (Q - 1 - h0) | (Q - 1 - h1) | (Q - 1 - h2) | (Q - 1 - h3);
		h[i] = h0;
		h[i + 1] = h1;
		h[i + 2] = h2;
		h[i + 3] = h3;
	}
	return large >= 0;
}

static uint8_t *encode_small(uint8_t *out, const int8_t *f, unsigned n, unsigned width)
{
	uint32_t acc = 0;
	unsigned bits = 0;

	for (unsigned i = 0; i < n; i++) {
		acc = acc << width | ((uint32_t)f[i] & ((1u << width) - 1));
		for (bits += width; bits >= 8;)
			*out++ = (uint8_t)(acc >> (bits -= 8));
	}
	return out;
}

/* The lowest value of so many bits is no coefficient. n times width is whole bytes. */
static bool decode_small(int8_t *f, const uint8_t **in, unsigned n, unsigned width)
{
	uint32_t acc = 0, lowest = 0;
	unsigned bits = 0;

	for (unsigned i = 0; i < n; i++) {
		if (bits < width)
			acc = acc << 8 | *(*in)++, bits += 8;

		int32_t v = (int32_t)(acc << (32 - bits)) >> (32 - width);

		bits -= width;
		lowest |= v == -(1 << (width - 1));
		f[i] = (int8_t)v;
	}
	return !lowest;
}

void encode_secret(const struct params *p, uint8_t *sk, const struct key *k)
{
	unsigned n = params_n(p);

	*sk++ = (uint8_t)(HEADER_SECRET + p->logn);
	sk = encode_small(sk, k->f, n, p->fg_bits);
	sk = encode_small(sk, k->g, n, p->fg_bits);
	encode_small(sk, k->F, n, F_BITS);
}

bool decode_secret(const struct params *p, struct key *k, const uint8_t *sk)
{
	unsigned n = params_n(p);

	if (*sk++ != HEADER_SECRET + p->logn)
		return false;
	return decode_small(k->f, &sk, n, p->fg_bits) && decode_small(k->g, &sk, n, p->fg_bits) &&
	       decode_small(k->F, &sk, n, F_BITS) && complete_key(p, k);
}

/* Compress (Algorithm 17): sign, seven bits, the rest in unary. */
size_t compress(const struct params *p, uint8_t *out, size_t most, const int32_t *s2)
{
	uint32_t acc = 0;
	unsigned bits = 0;
	size_t len = 0;

	for (unsigned i = 0; i < params_n(p); i++) {
		uint32_t sign = (uint32_t)s2[i] >> 31, v = ((uint32_t)s2[i] ^ -sign) + sign;

		if (v > 2047)
			return 0;
		acc = (acc << 8 | sign << 7 | (v & 127)) << (v >> 7) << 1 | 1;
		for (bits += 9 + (v >> 7); bits >= 8;) {
			if (len == most)
				return 0;
			out[len++] = (uint8_t)(acc >> (bits -= 8));
		}
	}
	if (bits > 0) {
		if (len == most)
			return 0;
		out[len++] = (uint8_t)(acc << (8 - bits));
	}
	return len;
}

/* Decompress (Algorithm 18); every s2 has one encoding. */
bool decompress(const struct params *p, int32_t *s2, const uint8_t *in, size_t len, size_t *used)
{
	const uint8_t *at = in, *end = in + len;
	uint32_t acc = 0; /* the next bits, from bit 31 on down, then zeros */
	unsigned bits = 0;

	for (unsigned i = 0; i < params_n(p); i++) {
		while (bits <= 24 && at < end)
			acc |= (uint32_t)*at++ << (24 - bits), bits += 8;

		/* At most 25 bits are looked at, which are there unless the input ends. */
		uint32_t head = acc >> 24, zeros = 0;

		for (acc <<= 8; (int32_t)acc >= 0; acc <<= 1)
			if (++zeros == 16)
				return false;
		acc <<= 1;
		if (bits < 9 + zeros || (head == 128 && zeros == 0))
			return false;
		bits -= 9 + zeros;

		int32_t v = (int32_t)((head & 127) | zeros << 7), sign = -(int32_t)(head >> 7);

		s2[i] = (v ^ sign) - sign;
	}
	/* Whole bytes go back; of the last one the rest has to be zero. */
	for (; bits >= 8; bits -= 8)
		at--;
	*used = (size_t)(at - in);
	return bits == 0 || acc >> (32 - bits) == 0;
}
