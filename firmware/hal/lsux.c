/*
 * Driver "lsux": the accelerator of driver "fifo" at the load/store unit, with an
 * instruction that loads a word from memory into the input FIFO and one that stores
 * the next output word. A word that comes from or goes to memory is one instruction,
 * as a word in a register is with any FIFO there.
 */
#include "fifo.h"

/* In lsux.S. */
fifo_feed_words lsux_feed;
fifo_fetch_words lsux_fetch;
fifo_whole_message lsux_message;
fifo_chain_n lsux_chain4, lsux_chain6, lsux_chain8;
fifo_chains_n lsux_chains4, lsux_chains6, lsux_chains8;

static void lsux_open(uint32_t kind, uintptr_t base, const struct xof_choice *choice)
{
	(void)kind;
	(void)choice;
	open_fifo(base);
}

CONTROL static void lsux_init(enum xof_mode mode) { init(mode); }
MOVEIN static void lsux_absorb(const void *in, size_t len) { absorb(in, len, lsux_feed); }
CONTROL static void lsux_finish(void) { finish(); }
MOVEOUT static void lsux_squeeze(void *out, size_t len) { squeeze(out, len, lsux_fetch); }

CONTROL static void lsux_hash(enum xof_mode mode, uint32_t *out, size_t out_words,
			      const uint32_t *in, size_t in_words)
{
	set_up(mode, out_words);
	lsux_message(fifo.base, out, out_words, in, in_words);
}

CONTROL static void lsux_chain(uint32_t *out, const uint32_t *message, size_t n, unsigned steps)
{
	set_up(SHAKE256, n);
	FIFO_BY_N(lsux_chain, n)(fifo.base, out, message, steps);
}

CONTROL static void lsux_chains(uint32_t *out, uint32_t *secret, uint32_t *message, size_t n,
				unsigned steps, unsigned count)
{
	set_up(SHAKE256, n);
	FIFO_BY_N(lsux_chains, n)(fifo.base, out, secret, message, steps, count);
}

const struct xof_driver xof_lsux = {
	.xofs = 1u << SOCSIM_XOF_SHAKE | 1u << SOCSIM_XOF_SHAKE12 | 1u << SOCSIM_XOF_ASCON |
		1u << SOCSIM_XOF_ASCON8 | 1u << SOCSIM_XOF_ASCON128,
	.couplings = 1u << SOCSIM_COUPLING_LSUX,
	.open = lsux_open,
	.init = lsux_init,
	.absorb = lsux_absorb,
	.finish = lsux_finish,
	.squeeze = lsux_squeeze,
	.hash = lsux_hash,
	.chain = lsux_chain,
	.chains = lsux_chains,
};
