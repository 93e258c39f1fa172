/*
 * Driver "soft" for the sponges over Keccak: the hart hashes, with the permutation in
 * assembly.
 */
#include <string.h>

#include "drivers.h"
#include "keccak.h"

static struct keccak_sponge sponge;
static unsigned rounds;

static void soft_open(uint32_t kind, uintptr_t base, const struct xof_choice *choice)
{
	(void)base;
	(void)choice;
	rounds = kind == SOCSIM_XOF_SHAKE12 ? 12 : 24;
}

static void soft_init(enum xof_mode mode) { keccak_init(&sponge, mode, rounds); }
static void soft_absorb(const void *in, size_t len) { keccak_absorb(&sponge, in, len); }
static void soft_finish(void) { keccak_finish(&sponge); }
static void soft_squeeze(void *out, size_t len) { keccak_squeeze(&sponge, out, len); }

static void soft_hash(enum xof_mode mode, uint32_t *out, size_t out_words,
		      const uint32_t *in, size_t in_words)
{
	keccak_init(&sponge, mode, rounds);
	keccak_absorb(&sponge, in, 4 * in_words);
	keccak_finish(&sponge);
	keccak_squeeze(&sponge, out, 4 * out_words);
}

/*
 * What does not change from step to step is interleaved once. The value never
 * leaves that form: the first lanes of one state are lanes of the next message.
 */
static void soft_chain(uint32_t *out, const uint32_t *message, size_t n, unsigned steps)
{
	uint32_t start[50]; /* the state with everything but the value and the counter's last lane */
	uint32_t value[8];
	uint32_t *state = sponge.state;
	const size_t counter_at = n + 6, value_at = n + 8, padding_at = 2 * n + 8; /* words */
	uint32_t counter = message[counter_at + 1];

	keccak_init(&sponge, SHAKE256, rounds);
	keccak_absorb(&sponge, message, 4 * counter_at);
	memcpy(start, state, sizeof start);
	start[padding_at] ^= 0x7; /* 0x1F interleaved */
	start[padding_at + 1] ^= 0x3;
	start[2 * 16 + 1] ^= 0x80000000; /* the last bit of the block's 17 lanes */
	for (size_t i = 0; i < n; i += 2)
		keccak_interleave(value + i, message[value_at + i], message[value_at + i + 1]);

	while (steps-- > 0) {
		uint32_t half[2];

		memcpy(state, start, sizeof start);
		keccak_interleave(half, message[counter_at], counter);
		state[counter_at] ^= half[0];
		state[counter_at + 1] ^= half[1];
		for (size_t i = 0; i < n; i++)
			state[value_at + i] ^= value[i];
		keccak_p1600(state, rounds);
		for (size_t i = 0; i < n; i++)
			value[i] = state[i] ^ -(KECCAK_INVERTED >> i / 2 & 1);
		counter += 0x01000000; /* bytes are in memory order: the last one is on top */
	}
	sponge.position = 0;
	keccak_squeeze(&sponge, out, 4 * n);
}

const struct xof_driver xof_soft = {
	.xofs = 1u << SOCSIM_XOF_SHAKE | 1u << SOCSIM_XOF_SHAKE12,
	.couplings = 1u << SOCSIM_COUPLING_NONE,
	.open = soft_open,
	.init = soft_init,
	.absorb = soft_absorb,
	.finish = soft_finish,
	.squeeze = soft_squeeze,
	.hash = soft_hash,
	.chain = soft_chain,
	.chains = xof_chains,
};
