#include "tree.h"

#include <stddef.h>
#include <string.h>

#include "hash.h"
#include "memory.h"
#include "words.h"

enum { TWEAK = DEPTH + 2 }; /* bits of a tweak: two times a node */

/* PAIR (SPEC, section 4.3) under the keys of all lanes, with their tweaks. */
static void pair(struct aes *a, uint32_t out[2][SLICES], const uint8_t *salt, const uint32_t tweak[TWEAK])
{
	uint32_t block[SLICES], carry = UINT32_MAX;

	for (unsigned t = 0; t < SLICES; t++)
		block[t] = lanes_same(salt, t) ^ (t < TWEAK ? tweak[t] : 0);
	aes_fix(a, block);
	aes_encrypt(a, out[0], block);

	/* Plus one. Salt and node are public. */
	for (unsigned t = 0; t < SLICES && carry != 0; t++) {
		uint32_t bit = block[t];

		block[t] ^= carry;
		carry &= bit;
		if (t == 7 && carry != 0) { /* past byte 0: rare */
			for (unsigned u = 8; u < SLICES; u++) {
				bit = block[u];
				block[u] ^= carry;
				carry &= bit;
			}
			aes_fix(a, block);
			break;
		}
	}
	aes_encrypt(a, out[1], block);
}

/* The tweaks of nodes first to first + 31, if first is a multiple of 32; or of as many
   nodes as there are from first on with the same topmost bit. */
static void tweaks(uint32_t tweak[TWEAK], unsigned first)
{
	for (unsigned t = 0; t < TWEAK; t++) {
		tweak[t] = -(uint32_t)(2 * first >> t & 1);
		if (t >= 1 && t <= 5)
			tweak[t] |= lanes_number[t - 1];
	}
}

void tree_grow(seed *seeds, unsigned n, const uint8_t *salt)
{
	size_t mark = memory_mark();
	struct aes *a = memory_take(sizeof *a);
	uint32_t key[SLICES], child[2][SLICES], tweak[TWEAK];

	/* From the last one on, so that children overwrite no node that is still to come. */
	for (unsigned first = n > LANES ? n - LANES : 0;; first -= LANES) {
		lanes_load(key, seeds[first], SEED_SIZE / 4);
		aes_keys(a, key);
		tweaks(tweak, n + first);
		pair(a, child, salt, tweak);
		lanes_store(seeds[2 * first], 2 * SEED_SIZE / 4, child[0]);
		lanes_store(seeds[2 * first + 1], 2 * SEED_SIZE / 4, child[1]);
		if (first == 0)
			break;
	}
	memory_back(mark);
}

/*
 * Sums of streams (SPEC, section 8). A lane has repetition lane % 16 and of its positions
 * i = 2 batch + lane / 16; so what running sums go by is gray(batch), whose bits are
 * bits 1 to 7 of gray(i).
 */
struct sums {
	uint32_t acc[VOLE_BLOCKS * SLICES];
	uint32_t base[KAPPA - 1][VOLE_BLOCKS * SLICES];
};
enum { BATCHES = LEAVES / LANES };

static void add(struct sums *s, unsigned batch, unsigned block, const uint32_t *stream, uint32_t shown)
{
	unsigned j = batch == BATCHES - 1 ? KAPPA - 2 : (unsigned)__builtin_ctz(batch + 1);
	uint32_t *acc = s->acc + block * SLICES, *base = s->base[j] + block * SLICES;

#pragma GCC unroll 8
	for (unsigned t = 0; t < SLICES; t++)
		base[t] ^= acc[t] ^= stream[t] & shown;
}

/* 32 bits of two values for each of the repetitions, given bit by bit. */
static void put_rows(uint32_t *first, uint32_t *second, size_t stride, const uint32_t *a, const uint32_t *b)
{
	uint32_t m[32];

	for (unsigned t = 0; t < 32; t++)
		m[t] = (a[t] & 0xFFFF) | b[t] << 16;
	lanes_transpose(m);
	for (unsigned e = 0; e < TAU; e++) {
		first[e * stride] = m[e];
		second[e * stride] = m[TAU + e];
	}
}

/* The rows. Both lanes of a repetition are added; that with odd i has bit 0 of gray(i)
   inverted. Bit 0 of a number is the sum of all bits of its gray code. */
static void rows(struct vole *v, const struct sums *s)
{
	for (unsigned g = 0; g < ROW_WORDS; g++) {
		uint32_t of[KAPPA][32], acc[32];

		for (unsigned t = 0; t < 32; t++) {
			uint32_t all = s->acc[32 * g + t], even = 0;

			for (unsigned j = 1; j < KAPPA; j++) {
				uint32_t x = s->base[j - 1][32 * g + t];

				even ^= x ^= x >> 16;
				of[j][t] = x;
			}
			of[0][t] = even ^ all >> 16;
			acc[t] = all ^ all >> 16;
		}
		for (unsigned j = 0; j < KAPPA; j += 2)
			put_rows(&v->base[j][g], &v->base[j + 1][g], KAPPA * ROW_WORDS, of[j], of[j + 1]);
		put_rows(&v->acc[0][g], &v->acc[0][g], ROW_WORDS, acc, acc);
	}
}

void tree_leaves(struct vole *v, uint32_t *h_com, const seed *leaves, const uint8_t *salt, const uint32_t *hidden,
		 const uint8_t *com)
{
	size_t mark = memory_mark();
	struct aes *a = memory_take(sizeof *a);
	struct sums *s = memory_take(sizeof *s);
	uint32_t *message = memory_take(LANES * HASH_SIZE);
	uint32_t slices[2][SLICES], tweak[TWEAK], before = 0x01000000; /* the prefix */

	clear_words((uint32_t *)s, sizeof *s);
	hash_begin(SHAKE128);
	for (unsigned batch = 0; batch < BATCHES; batch++) {
		uint32_t shown = UINT32_MAX;

		lanes_load(slices[0], leaves[batch * LANES], SEED_SIZE / 4);
		aes_keys(a, slices[0]);
		tweaks(tweak, LEAVES + batch * LANES);
		pair(a, slices, salt, tweak);
		lanes_store(message, HASH_SIZE / 4, slices[0]);
		lanes_store(message + SEED_SIZE / 4, HASH_SIZE / 4, slices[1]);
		if (hidden != NULL) {
			shown = ~hidden[batch];
			for (uint32_t left = hidden[batch]; left != 0; left &= left - 1, com += HASH_SIZE)
				memcpy(message + __builtin_ctz(left) * HASH_SIZE / 4, com, HASH_SIZE);
		}
		/* The prefix is a byte. So that words can be absorbed, all move by one. */
		for (unsigned i = 0; i < LANES * HASH_SIZE / 4; i++) {
			uint32_t word = message[i];

			message[i] = before >> 24 | word << 8;
			before = word;
		}
		xof.absorb(message, LANES * HASH_SIZE);

		clear_words(slices[1], sizeof slices[1]);
		aes_fix(a, slices[1]);
		for (unsigned block = 0; block < VOLE_BLOCKS; block++) {
			const uint8_t number = (uint8_t)block;
			uint32_t byte0[8];

			for (unsigned k = 0; k < 8; k++)
				byte0[k] = lanes_same(&number, k);
			aes_encrypt(a, slices[0], byte0);
			add(s, batch, block, slices[0], shown);
		}
	}
	xof.absorb((uint8_t *)&before + 3, 1);
	hash_end();
	xof.squeeze(h_com, HASH_SIZE);
	rows(v, s);
	memory_back(mark);
}

/* SPEC, section 10.2, in its streaming form: a queue of nodes that strictly decreases. */
void tree_opening(struct opening *o, const uint8_t istar[TAU])
{
	unsigned queue[TAU * (DEPTH + 1)], head = 0, tail = 0;

	for (unsigned e = 0; e < TAU; e++) { /* sorted by insertion */
		unsigned node = LEAVES + istar[e] * TAU + e, i = e;

		for (; i > 0 && o->hidden[i - 1] > node; i--)
			o->hidden[i] = o->hidden[i - 1];
		o->hidden[i] = node;
	}
	for (unsigned e = TAU; e > 0; e--)
		queue[tail++] = o->hidden[e - 1];
	for (o->count = 0; queue[head] > 1;) {
		unsigned node = queue[head++];

		if (head < tail && queue[head] == (node ^ 1)) {
			head++;
		} else if (o->count >= OPEN) {
			o->count = OPEN + 1;
			return;
		} else {
			o->revealed[o->count++] = node ^ 1;
		}
		queue[tail++] = node >> 1;
	}
}

/*
 * All paths from the root to hidden leaves at once, a lane each. Seeds beside a path are
 * the revealed ones, if no other path goes through them. The tree was not kept; making
 * these again takes 13 of the 260 key schedules and PAIRs that all of it takes.
 */
void tree_open(uint8_t *path, uint8_t *com, const struct opening *o, const uint8_t *root, const uint8_t *salt)
{
	size_t mark = memory_mark();
	struct aes *a = memory_take(sizeof *a);
	seed *beside = memory_take(LANES * sizeof *beside);
	uint32_t key[SLICES], child[2][SLICES], tweak[TWEAK];

	for (unsigned t = 0; t < SLICES; t++)
		key[t] = lanes_same(root, t);
	for (unsigned depth = 0;; depth++) {
		uint32_t right = 0; /* the lanes whose path goes there */

		memset(tweak, 0, sizeof tweak);
		for (unsigned l = 0; l < TAU; l++) {
			unsigned node = o->hidden[l] >> (DEPTH - depth);

			for (unsigned t = 1; t < TWEAK; t++)
				tweak[t] |= (node >> (t - 1) & 1) << l;
			if (depth < DEPTH)
				right |= (o->hidden[l] >> (DEPTH - 1 - depth) & 1) << l;
		}
		aes_keys(a, key);
		pair(a, child, salt, tweak);
		if (depth == DEPTH)
			break;
		for (unsigned t = 0; t < SLICES; t++) {
			uint32_t change = (child[0][t] ^ child[1][t]) & right;

			key[t] = child[0][t] ^ change;
			child[1][t] ^= change;
		}
		lanes_store(beside[0], SEED_SIZE / 4, child[1]);
		for (unsigned l = 0; l < TAU; l++)
			for (unsigned i = 0; i < o->count; i++)
				if (o->revealed[i] == (o->hidden[l] >> (DEPTH - 1 - depth) ^ 1))
					memcpy(path + i * SEED_SIZE, beside[l], SEED_SIZE);
	}
	for (unsigned half = 0; half < 2; half++) {
		lanes_store(beside[0], SEED_SIZE / 4, child[half]);
		for (unsigned l = 0; l < TAU; l++)
			memcpy(com + l * HASH_SIZE + half * SEED_SIZE, beside[l], SEED_SIZE);
	}
	memory_back(mark);
}
