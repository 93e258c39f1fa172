/*
 * The sponge over Ascon-p: 8 bytes a block, which are x0.
 */
#include "ascon.h"

#include <string.h>

enum { RATE = 8 };

/* Starts are those the documents print (v1.2, section 2.5.1), or the permutation of
   the initial value they give. */
const struct ascon_xof ascon_xof = {
	.start = {
		0x814CD416, 0xB57E273B, 0x62AE2420, 0x2B510425, 0x8DDF2218, 0x66A3A776,
		0x8153650C, 0x5AAD0A7A, 0x539493B6, 0x4F3E0E32,
	},
	.big_endian = true,
	.between = ascon_p12,
};

const struct ascon_xof ascon_xofa = {
	.start = {
		0xB77B9832, 0x44906568, 0x53455532, 0xCD8D6CAE, 0x56422129, 0xF7B52127,
		0xDE0D225B, 0x246885E1, 0x3449973F, 0xA8CB5CE3,
	},
	.big_endian = true,
	.between = ascon_p8,
};

const struct ascon_xof ascon_xof128 = {
	.start = {
		0x8D9447EB, 0xDA82CE76, 0x5F1EF969, 0xCC7CE6C7, 0x80085631, 0xE7508FD7,
		0x416B58CC, 0x0EE0EA53, 0xDB6F0BDE, 0xE0547524,
	},
	.big_endian = false,
	.between = ascon_p12,
};

static inline uint32_t swap(uint32_t v)
{
	return v << 24 | (v & 0xFF00) << 8 | (v >> 8 & 0xFF00) | v >> 24;
}

/* Two words of a message, as they lie in memory, are x0. */
static inline void add_block(struct ascon_sponge *s, uint32_t first, uint32_t second)
{
	bool big = s->xof->big_endian;

	s->x[0] ^= big ? swap(second) : first;
	s->x[1] ^= big ? swap(first) : second;
}

static inline void add_byte(struct ascon_sponge *s, uint32_t byte)
{
	unsigned at = s->xof->big_endian ? RATE - 1 - s->position : s->position;

	s->x[at / 4] ^= byte << 8 * (at % 4);
}

static inline void turn_over(struct ascon_sponge *s)
{
	s->xof->between(s->x);
	s->position = 0;
}

void ascon_init(struct ascon_sponge *s, const struct ascon_xof *xof)
{
	s->xof = xof;
	memcpy(s->x, xof->start, sizeof s->x);
	s->position = 0;
}

void ascon_absorb(struct ascon_sponge *s, const void *in, size_t len)
{
	const uint8_t *p = in;

	while (len > 0) {
		if (s->position == 0 && len >= RATE) {
			uint32_t w[2];

			if ((uintptr_t)p % 4 == 0) {
				w[0] = ((const uint32_t *)p)[0];
				w[1] = ((const uint32_t *)p)[1];
			} else {
				memcpy(w, p, sizeof w);
			}
			add_block(s, w[0], w[1]);
			s->position += RATE, p += RATE, len -= RATE;
		} else {
			add_byte(s, *p++);
			s->position++, len--;
		}
		if (s->position == RATE)
			turn_over(s);
	}
}

void ascon_finish(struct ascon_sponge *s)
{
	add_byte(s, s->xof->big_endian ? 0x80 : 0x01);
	ascon_p12(s->x);
	s->position = 0;
}

void ascon_squeeze(struct ascon_sponge *s, void *out, size_t len)
{
	uint8_t *p = out;

	while (len > 0) {
		if (s->position == RATE)
			turn_over(s);

		bool big = s->xof->big_endian;
		uint32_t w[2] = {big ? swap(s->x[1]) : s->x[0], big ? swap(s->x[0]) : s->x[1]};
		size_t n = RATE - s->position < len ? RATE - s->position : len;

		if (n == RATE && (uintptr_t)p % 4 == 0) {
			((uint32_t *)p)[0] = w[0];
			((uint32_t *)p)[1] = w[1];
		} else {
			memcpy(p, (uint8_t *)w + s->position, n);
		}
		s->position += n, p += n, len -= n;
	}
}
