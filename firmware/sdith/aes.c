#include "aes.h"

#define INLINE static inline __attribute__((always_inline))

/* In aes.S. */
void aes_sub_bytes(uint32_t *bytes, unsigned n); /* without the constant 0x63 */
/* ShiftRows, MixColumns and AddRoundKey, of column 0 or of all 4 columns. */
void aes_mix_columns(uint32_t out[SLICES], const uint32_t state[SLICES], const uint32_t key[SLICES], unsigned columns);

INLINE uint32_t constant(unsigned byte, unsigned bit) { return -(uint32_t)(byte >> bit & 1); }

/* KeyExpansion (FIPS 197, section 5.2). */
void aes_keys(struct aes *a, const uint32_t key[SLICES])
{
	uint32_t k[SLICES];
	unsigned rcon = 1;

	for (unsigned t = 0; t < SLICES; t++)
		k[t] = a->keys[0][t] = key[t];
	for (unsigned round = 1; round <= AES_ROUNDS; round++) {
		uint32_t word[32];

		for (unsigned t = 0; t < 24; t++)
			word[t] = k[104 + t];
		for (unsigned t = 24; t < 32; t++)
			word[t] = k[72 + t];
		aes_sub_bytes(word, 4);
		for (unsigned t = 0; t < 8; t++)
			word[t] ^= constant(rcon, t);
		for (uint32_t *from = word, *to = k, *out = a->keys[round]; from < word + 32; from += 8, to += 8, out += 8)
#pragma GCC unroll 8
			for (unsigned b = 0; b < 8; b++) {
				uint32_t x = from[b] ^ constant(0x63, b);

#pragma GCC unroll 4
				for (unsigned w = 0; w < 4; w++) {
					x = to[32 * w + b] ^= x;
					out[32 * w + b] = x ^ constant(0x63, b);
				}
			}
		rcon = rcon << 1 ^ (rcon >> 7) * 0x11B;
	}
}

void aes_fix(struct aes *a, const uint32_t block[SLICES])
{
	for (unsigned t = 8; t < SLICES; t++)
		a->first[t] = block[t] ^ a->keys[0][t];
	aes_sub_bytes(a->first + 8, 15);
	aes_mix_columns(a->second, a->first, a->keys[1], 4);
	aes_sub_bytes(a->second + 32, 12);
}

void aes_encrypt(struct aes *a, uint32_t out[SLICES], const uint32_t byte0[8])
{
	uint32_t states[2][SLICES], *state = states[0], *next = states[1];

	for (unsigned k = 0; k < 8; k++)
		a->first[k] = byte0[k] ^ a->keys[0][k];
	aes_sub_bytes(a->first, 1);
	aes_mix_columns(a->second, a->first, a->keys[1], 1);
	aes_sub_bytes(a->second, 4);
	aes_mix_columns(state, a->second, a->keys[2], 4);
	for (unsigned round = 3; round < AES_ROUNDS; round++) {
		uint32_t *done = state;

		aes_sub_bytes(state, 16);
		aes_mix_columns(next, state, a->keys[round], 4);
		state = next;
		next = done;
	}
	aes_sub_bytes(state, 16);

	/* ShiftRows and AddRoundKey. */
	const uint32_t *key = a->keys[AES_ROUNDS];

	for (unsigned byte = 0; byte < 16; byte++, out += 8, key += 8) {
		const uint32_t *from = state + 8 * (5 * byte % 16);

#pragma GCC unroll 8
		for (unsigned k = 0; k < 8; k++)
			out[k] = from[k] ^ key[k];
	}
}
