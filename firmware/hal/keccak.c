/*
 * Sponges of FIPS 202, section 4 and 6, over the permutation in
 * keccakf1600.S. The work outside the permutation is the change between message
 * bytes and the interleaved, partly inverted lanes it wants.
 */
#include "keccak.h"

#include <string.h>

static const struct {
	uint8_t rate, suffix;
} sponges[] = {
	[SHAKE128] = {168, 0x1F},
	[SHAKE256] = {136, 0x1F},
	[SHA3_256] = {136, 0x06},
	[SHA3_512] = {72, 0x06},
};

/* Exchanges the bits of *a under mask << shift with those of *b under mask. */
static inline void swap_bits(uint32_t *a, uint32_t *b, uint32_t mask, unsigned shift)
{
	uint32_t t = ((*a >> shift) ^ *b) & mask;

	*b ^= t;
	*a ^= t << shift;
}

/* Moves the even bits of x to its low half and the odd bits to its high half. */
static inline uint32_t unshuffle(uint32_t x)
{
	uint32_t t;

	t = (x ^ (x >> 1)) & 0x22222222, x ^= t ^ (t << 1);
	t = (x ^ (x >> 2)) & 0x0C0C0C0C, x ^= t ^ (t << 2);
	t = (x ^ (x >> 4)) & 0x00F000F0, x ^= t ^ (t << 4);
	t = (x ^ (x >> 8)) & 0x0000FF00, x ^= t ^ (t << 8);
	return x;
}

/* The inverse: low half to even bits, high half to odd bits. */
static inline uint32_t shuffle(uint32_t x)
{
	uint32_t t;

	t = (x ^ (x >> 8)) & 0x0000FF00, x ^= t ^ (t << 8);
	t = (x ^ (x >> 4)) & 0x00F000F0, x ^= t ^ (t << 4);
	t = (x ^ (x >> 2)) & 0x0C0C0C0C, x ^= t ^ (t << 2);
	t = (x ^ (x >> 1)) & 0x22222222, x ^= t ^ (t << 1);
	return x;
}

/* Even bits of the pair to *low and odd bits to *high. */
static inline void interleave(uint32_t *low, uint32_t *high)
{
	/* First bit 2i + 1 of low against bit 2i of high: then each word holds bits
	   of one kind, those that came from low in its even places. */
	swap_bits(low, high, 0x55555555, 1);
	*low = unshuffle(*low);
	*high = unshuffle(*high);
}

static inline void deinterleave(uint32_t *even, uint32_t *odd)
{
	*even = shuffle(*even);
	*odd = shuffle(*odd);
	swap_bits(even, odd, 0x55555555, 1);
}

void keccak_interleave(uint32_t half[2], uint32_t low, uint32_t high)
{
	interleave(&low, &high);
	half[0] = low;
	half[1] = high;
}

static inline void add_lane(struct keccak_sponge *k, unsigned lane, uint32_t low, uint32_t high)
{
	interleave(&low, &high);
	k->state[2 * lane] ^= low;
	k->state[2 * lane + 1] ^= high;
}

static void add_bytes(struct keccak_sponge *k, unsigned lane, const uint8_t bytes[8])
{
	uint32_t w[2];

	memcpy(w, bytes, sizeof w);
	add_lane(k, lane, w[0], w[1]);
}

static void permute(struct keccak_sponge *k)
{
	keccak_p1600(k->state, k->rounds);
	k->position = 0;
}

void keccak_init(struct keccak_sponge *k, enum xof_mode mode, unsigned rounds)
{
	for (unsigned lane = 0; lane < 25; lane++) {
		uint32_t zero = -(KECCAK_INVERTED >> lane & 1);

		k->state[2 * lane] = zero;
		k->state[2 * lane + 1] = zero;
	}
	k->position = 0;
	k->rate = sponges[mode].rate;
	k->suffix = sponges[mode].suffix;
	k->rounds = rounds;
}

void keccak_absorb(struct keccak_sponge *k, const void *in, size_t len)
{
	const uint8_t *p = in;

	while (len > 0) {
		if (k->position % 8 == 0 && len >= 8) {
			if ((uintptr_t)p % 4 == 0)
				add_lane(k, k->position / 8, ((const uint32_t *)p)[0], ((const uint32_t *)p)[1]);
			else
				add_bytes(k, k->position / 8, p);
			k->position += 8, p += 8, len -= 8;
		} else {
			k->lane[k->position++ % 8] = *p++, len--;
			if (k->position % 8 == 0)
				add_bytes(k, k->position / 8 - 1, k->lane);
		}
		if (k->position == k->rate)
			permute(k);
	}
}

void keccak_finish(struct keccak_sponge *k)
{
	k->lane[k->position % 8] = k->suffix;
	memset(k->lane + k->position % 8 + 1, 0, 7 - k->position % 8);
	add_bytes(k, k->position / 8, k->lane);
	add_lane(k, k->rate / 8 - 1, 0, 0x80000000);
	permute(k);
}

/* Whole lanes to words: most of what schemes squeeze. */
static void put_lanes(uint32_t *out, const uint32_t *lane, unsigned inverted, size_t lanes)
{
	for (const uint32_t *end = lane + 2 * lanes; lane < end; lane += 2, out += 2, inverted >>= 1) {
		uint32_t zero = -(inverted & 1), even = lane[0] ^ zero, odd = lane[1] ^ zero;

		deinterleave(&even, &odd);
		out[0] = even;
		out[1] = odd;
	}
}

void keccak_squeeze(struct keccak_sponge *k, void *out, size_t len)
{
	uint8_t *p = out;

	while (len > 0) {
		if (k->position == k->rate)
			permute(k);

		unsigned lane = k->position / 8, from = k->position % 8;
		size_t n = 8 - from < len ? 8 - from : len;

		if (n == 8 && (uintptr_t)p % 4 == 0) {
			n = (k->rate - k->position < len ? k->rate - k->position : len) & ~(size_t)7;
			put_lanes((uint32_t *)p, k->state + 2 * lane, KECCAK_INVERTED >> lane, n / 8);
		} else {
			uint32_t w[2];

			put_lanes(w, k->state + 2 * lane, KECCAK_INVERTED >> lane, 1);
			memcpy(p, (uint8_t *)w + from, n);
		}
		k->position += n, p += n, len -= n;
	}
}
