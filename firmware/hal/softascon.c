/*
 * Driver "soft" for the XOFs over Ascon: the hart hashes, with the permutation in
 * assembly. There is one sponge; all modes are it.
 *
 * It makes every permutation of the XOF but the initial one, as an accelerator does,
 * so that the two can be compared. (SPHINCS+ could keep the state behind what many
 * of its messages begin with, with either of them; that would be another experiment.)
 */
#include <string.h>

#include "ascon.h"
#include "drivers.h"

static struct ascon_sponge sponge;
static const struct ascon_xof *kind_of_xof;

static void soft_open(uint32_t kind, uintptr_t base, const struct xof_choice *choice)
{
	(void)base;
	(void)choice;
	kind_of_xof = kind == SOCSIM_XOF_ASCON ? &ascon_xof :
		      kind == SOCSIM_XOF_ASCON8 ? &ascon_xofa : &ascon_xof128;
}

static void soft_init(enum xof_mode mode)
{
	(void)mode;
	ascon_init(&sponge, kind_of_xof);
}

static void soft_absorb(const void *in, size_t len) { ascon_absorb(&sponge, in, len); }
static void soft_finish(void) { ascon_finish(&sponge); }
static void soft_squeeze(void *out, size_t len) { ascon_squeeze(&sponge, out, len); }

static void soft_hash(enum xof_mode mode, uint32_t *out, size_t out_words,
		      const uint32_t *in, size_t in_words)
{
	(void)mode;
	ascon_init(&sponge, kind_of_xof);
	ascon_absorb(&sponge, in, 4 * in_words);
	ascon_finish(&sponge);
	ascon_squeeze(&sponge, out, 4 * out_words);
}

static void soft_chain(uint32_t *out, const uint32_t *message, size_t n, unsigned steps)
{
	uint32_t m[8 + 8 + 8]; /* the longest: n is at most 8 */
	const size_t counter_at = n + 7, value_at = n + 8, words = 2 * n + 8;

	memcpy(m, message, 4 * words);
	while (steps-- > 0) {
		soft_hash(SHAKE256, m + value_at, n, m, words);
		m[counter_at] += 0x01000000; /* bytes are in memory order: the last one is on top */
	}
	memcpy(out, m + value_at, 4 * n);
}

const struct xof_driver xof_soft_ascon = {
	.xofs = 1u << SOCSIM_XOF_ASCON | 1u << SOCSIM_XOF_ASCON8 | 1u << SOCSIM_XOF_ASCON128,
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
