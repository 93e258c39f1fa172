/*
 * Driver "fifo": an accelerator that absorbs words from a FIFO, pads, permutes by
 * itself and has its output fetched from a FIFO. It waits for nothing: the
 * accelerator makes the hart wait when there is no room or no output yet. So it knows
 * neither the hash nor its rate, nor how deep the FIFOs are, nor whether the registers
 * are behind a bus or at the load/store unit.
 *
 * MODE and OUTLEN keep their values over INIT, so they are written only when they
 * change. Functions are in the ledger section of what they mostly do.
 */
#include "drivers.h"

#define CONTROL __attribute__((section(".text.hal.control")))
#define MOVEIN __attribute__((section(".text.hal.movein")))
#define MOVEOUT __attribute__((section(".text.hal.moveout")))

/* In fifo.S. */
void fifo_feed(uintptr_t base, const void *in, size_t words);
void fifo_fetch(uintptr_t base, void *out, size_t words);
void fifo_message(uintptr_t base, uint32_t *out, size_t out_words,
		  const uint32_t *in, size_t in_words);
typedef void chain_n(uintptr_t base, uint32_t *out, const uint32_t *message, unsigned steps);
typedef void chains_n(uintptr_t base, uint32_t *out, const uint32_t *secret,
		      const uint32_t *message, unsigned steps, unsigned count);
chain_n fifo_chain4, fifo_chain6, fifo_chain8;
chains_n fifo_chains4, fifo_chains6, fifo_chains8;

static struct {
	uintptr_t base;
	uint32_t mode, outlen; /* what the registers hold */
	uint32_t in;           /* message bytes that do not fill a word yet, */
	unsigned in_bytes;     /* and how many */
	uint32_t out;          /* output bytes not asked for yet, */
	unsigned out_bytes;    /* and how many */
	uint32_t fetched;      /* output bytes of this message fetched */
} fifo;

static inline void set(uintptr_t offset, uint32_t value)
{
	*(volatile uint32_t *)(fifo.base + offset) = value;
}

static inline uint32_t get(uintptr_t offset)
{
	return *(volatile uint32_t *)(fifo.base + offset);
}

static inline void set_mode(enum xof_mode mode)
{
	if (fifo.mode != mode) {
		fifo.mode = mode;
		set(SOCSIM_HASH_MODE, mode);
	}
}

static inline void set_outlen(uint32_t bytes)
{
	if (fifo.outlen != bytes) {
		fifo.outlen = bytes;
		set(SOCSIM_HASH_OUTLEN, bytes);
	}
}

static void fifo_open(uint32_t kind, uintptr_t base, const struct xof_choice *choice)
{
	(void)kind; /* the accelerator knows its permutation */
	(void)choice;
	fifo.base = base;
	fifo.mode = get(SOCSIM_HASH_MODE);
	fifo.outlen = get(SOCSIM_HASH_OUTLEN);
}

CONTROL static void fifo_init(enum xof_mode mode)
{
	set_mode(mode);
	set(SOCSIM_HASH_CTRL, SOCSIM_HASH_CTRL_INIT);
	fifo.in = fifo.in_bytes = 0;
	fifo.out_bytes = fifo.fetched = 0;
}

MOVEIN static void fifo_absorb(const void *in, size_t len)
{
	const uint8_t *p = in;

	if (fifo.in_bytes > 0) {
		while (len > 0 && fifo.in_bytes < 4) {
			fifo.in |= (uint32_t)*p++ << 8 * fifo.in_bytes++;
			len--;
		}
		if (fifo.in_bytes < 4)
			return;
		set(SOCSIM_HASH_DIN, fifo.in);
		fifo.in = fifo.in_bytes = 0;
	}
	/* From here on p may be misaligned: the hart splits such a load, which costs
	   less than shifting words together. */
	if (len >= 4)
		fifo_feed(fifo.base, p, len / 4);
	p += len & ~(size_t)3;
	for (len &= 3; len > 0; len--)
		fifo.in |= (uint32_t)*p++ << 8 * fifo.in_bytes++;
}

CONTROL static void fifo_finish(void)
{
	set(SOCSIM_HASH_LAST, fifo.in_bytes << 24 | fifo.in);
}

MOVEOUT static void fifo_squeeze(void *out, size_t len)
{
	uint8_t *p = out;

	for (; len > 0 && fifo.out_bytes > 0; len--, fifo.out_bytes--, fifo.out >>= 8)
		*p++ = (uint8_t)fifo.out;
	if (len == 0)
		return;

	/* OUTLEN is what was fetched and will be fetched now, no more: beyond that
	   the accelerator might permute for nobody. It is whole words, so that what
	   is left of the last one is there for the next call. */
	size_t words = len / 4;
	uint32_t bytes = 4 * ((len + 3) / 4);

	fifo.fetched += bytes;
	set_outlen(fifo.fetched);
	if (words > 0)
		fifo_fetch(fifo.base, p, words);
	if (len % 4 == 0)
		return;
	p += 4 * words;
	fifo.out = get(SOCSIM_HASH_DOUT);
	for (fifo.out_bytes = 4, len %= 4; len > 0; len--, fifo.out_bytes--, fifo.out >>= 8)
		*p++ = (uint8_t)fifo.out;
}

/* The registers for a whole message. Mostly they have these values. If not, the
   message before is dropped first, or more OUTLEN might mean more output of it. */
static inline void set_up(enum xof_mode mode, size_t out_words)
{
	if (__builtin_expect(fifo.mode != mode || fifo.outlen != 4 * out_words, 0)) {
		set(SOCSIM_HASH_CTRL, SOCSIM_HASH_CTRL_INIT);
		set_mode(mode);
		set_outlen(4 * out_words);
	}
}

CONTROL static void fifo_hash(enum xof_mode mode, uint32_t *out, size_t out_words,
			      const uint32_t *in, size_t in_words)
{
	set_up(mode, out_words);
	fifo_message(fifo.base, out, out_words, in, in_words);
}

CONTROL static void fifo_chain(uint32_t *out, const uint32_t *message, size_t n, unsigned steps)
{
	chain_n *f = n == 4 ? fifo_chain4 : n == 6 ? fifo_chain6 : fifo_chain8;

	set_up(SHAKE256, n);
	f(fifo.base, out, message, steps);
}

CONTROL static void fifo_chains(uint32_t *out, uint32_t *secret, uint32_t *message, size_t n,
				unsigned steps, unsigned count)
{
	chains_n *f = n == 4 ? fifo_chains4 : n == 6 ? fifo_chains6 : fifo_chains8;

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
