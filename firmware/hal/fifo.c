/*
 * Driver "fifo": an accelerator that absorbs words from a FIFO, pads, permutes by
 * itself and has its output fetched from a FIFO. It waits for nothing: the
 * accelerator makes the hart wait when there is no room or no output yet. So it knows
 * neither the hash nor its rate, nor how deep the FIFOs are, nor whether the registers
 * are behind a bus or at the load/store unit.
 */
#include "fifo.h"

/* In fifo.S. */
fifo_whole_message fifo_message;
fifo_chain_n fifo_chain4, fifo_chain6, fifo_chain8;
fifo_chains_n fifo_chains4, fifo_chains6, fifo_chains8;

static void fifo_open(uint32_t kind, uintptr_t base, const struct xof_choice *choice)
{
	(void)kind; /* the accelerator knows its permutation */
	(void)choice;
	open_fifo(base);
}

CONTROL static void fifo_init(enum xof_mode mode) { init(mode); }
MOVEIN static void fifo_absorb(const void *in, size_t len) { absorb(in, len, fifo_feed); }
CONTROL static void fifo_finish(void) { finish(); }
MOVEOUT static void fifo_squeeze(void *out, size_t len) { squeeze(out, len, fifo_fetch); }

CONTROL static void fifo_hash(enum xof_mode mode, uint32_t *out, size_t out_words,
			      const uint32_t *in, size_t in_words)
{
	set_up(mode, out_words);
	fifo_message(fifo.base, out, out_words, in, in_words);
}

CONTROL static void fifo_chain(uint32_t *out, const uint32_t *message, size_t n, unsigned steps)
{
	fifo_chain_n *f = FIFO_BY_N(fifo_chain, n);

	set_up(SHAKE256, n);
	f(fifo.base, out, message, steps);
}

CONTROL static void fifo_chains(uint32_t *out, uint32_t *secret, uint32_t *message, size_t n,
				unsigned steps, unsigned count)
{
	fifo_chains_n *f = FIFO_BY_N(fifo_chains, n);

	set_up(SHAKE256, n);
	f(fifo.base, out, secret, message, steps, count);
}

const struct xof_driver xof_fifo = {
	.xofs = XOF_ANY,
	.couplings = 1u << SOCSIM_COUPLING_FIFO | 1u << SOCSIM_COUPLING_LSU,
	.open = fifo_open,
	.init = fifo_init,
	.absorb = fifo_absorb,
	.finish = fifo_finish,
	.squeeze = fifo_squeeze,
	.hash = fifo_hash,
	.chain = fifo_chain,
	.chains = fifo_chains,
};
