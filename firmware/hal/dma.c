/*
 * Driver "dma": the accelerator of driver "fifo" behind a bus, with an engine that
 * moves words between memory and its FIFOs. A whole message is one transfer; source,
 * destination and length are written only when they change. While a transfer runs,
 * the hart does what does not touch its memory, then asks STATUS again and again, or
 * sleeps until the engine's interrupt.
 *
 * The engine moves aligned words. The rest of a message in pieces goes over DIN and
 * DOUT, as in driver "fifo", while no transfer runs.
 */
#include "fifo.h"

enum {
	START = SOCSIM_DMA_CTRL_START,
	INIT = SOCSIM_DMA_CTRL_INIT,
	LAST = SOCSIM_DMA_CTRL_LAST,
	MOST = SOCSIM_DMA_LENGTH_IN / 4, /* words of a transfer, either way */

	/* Bytes from which on a transfer is faster than the hart, measured over apb: setting
	   it up and waiting for it cost as much as moving so many. The faster the bus,
	   the later it pays, input at 130 bytes over one without waits. */
	LEAST_IN = 48,
	LEAST_OUT = 16,

	UNKNOWN = 1, /* no address of a word */
};

/* In dma.S. */
typedef void dma_run(uintptr_t engine, uint32_t ctrl);
typedef void dma_chain_steps(uintptr_t engine, uint32_t *out, const uint32_t *message,
			     uint32_t *copy, uint32_t *copied_hash, unsigned steps);
typedef void dma_all_chains(uintptr_t engine, uint32_t *out, uint32_t *secret, uint32_t *message,
			    uint32_t *hash, unsigned steps, unsigned count, size_t bytes);
dma_run dma_run_poll, dma_run_wfi;
dma_chain_steps dma_chain_poll, dma_chain_wfi;
dma_all_chains dma_chains_poll, dma_chains_wfi;

static struct {
	uintptr_t engine;
	uint32_t source, destination, length; /* what the registers hold, or UNKNOWN */
	dma_run *run;
	dma_chain_steps *chain;
	dma_all_chains *chains;
	uint32_t message[8 + 8 + 8]; /* of a chain; the longest: n is at most 8 */
} dma;

static inline volatile uint32_t *engine(uintptr_t offset)
{
	return (volatile uint32_t *)(dma.engine + offset);
}

static void dma_open(uint32_t kind, uintptr_t base, const struct xof_choice *choice)
{
	(void)kind;
	open_fifo(base);
	dma.engine = *(volatile uint32_t *)(SOCSIM_INFO_BASE + SOCSIM_INFO_DMA_BASE);
	dma.source = *engine(SOCSIM_DMA_SRC);
	dma.destination = *engine(SOCSIM_DMA_DST);
	dma.length = *engine(SOCSIM_DMA_LENGTH);
	dma.run = choice->sleep ? dma_run_wfi : dma_run_poll;
	dma.chain = choice->sleep ? dma_chain_wfi : dma_chain_poll;
	dma.chains = choice->sleep ? dma_chains_wfi : dma_chains_poll;
	if (choice->sleep) {
		*engine(SOCSIM_DMA_IRQ_ENABLE) = SOCSIM_DMA_IRQ_ENABLE_DONE;
		/* Only to wake up: mstatus.MIE stays 0, so there is no trap. */
		__asm__ volatile("csrs mie, %0" ::"r"(1u << SOCSIM_DMA_LINE));
	}
}

static inline void set_source(const void *in)
{
	if (dma.source != (uintptr_t)in)
		*engine(SOCSIM_DMA_SRC) = dma.source = (uintptr_t)in;
}

static inline void set_destination(void *out)
{
	if (dma.destination != (uintptr_t)out)
		*engine(SOCSIM_DMA_DST) = dma.destination = (uintptr_t)out;
}

static inline void set_length(size_t in_words, size_t out_words)
{
	uint32_t length = 4 * in_words << SOCSIM_DMA_LENGTH_IN_SHIFT | 4 * out_words << SOCSIM_DMA_LENGTH_OUT_SHIFT;

	if (dma.length != length)
		*engine(SOCSIM_DMA_LENGTH) = dma.length = length;
}

/* Words of a message or its end, in as many transfers as it takes; ctrl is for the
   first of them. */
CONTROL static void send(const uint32_t *in, size_t words, uint32_t ctrl)
{
	for (; words > MOST; in += MOST, words -= MOST, ctrl = START) {
		set_source(in);
		set_length(MOST, 0);
		dma.run(dma.engine, ctrl);
	}
	set_source(in);
	set_length(words, 0);
	dma.run(dma.engine, ctrl);
}

CONTROL static void receive(uint32_t *out, size_t words)
{
	while (words > 0) {
		size_t n = words < MOST ? words : MOST;

		set_destination(out);
		set_length(0, n);
		dma.run(dma.engine, START);
		out += n;
		words -= n;
	}
}

CONTROL static void dma_init(enum xof_mode mode)
{
	init(mode);
	fifo.outlen = UINT32_MAX; /* not known: transfers write OUTLEN, too */
}

static inline bool aligned(const void *p) { return (uintptr_t)p % 4 == 0; }

MOVEIN static void dma_absorb(const void *in, size_t len)
{
	const uint8_t *p = in;
	size_t begun = (4 - fifo.in_bytes) % 4; /* bytes to the end of a word */

	if (len >= begun + LEAST_IN && aligned(p + begun)) {
		absorb(p, begun, fifo_feed);
		p += begun;
		len -= begun;
		send((const uint32_t *)p, len / 4, START);
		p += len & ~(size_t)3;
		len %= 4;
	}
	absorb(p, len, fifo_feed);
}

CONTROL static void dma_finish(void) { finish(); }

MOVEOUT static void dma_squeeze(void *out, size_t len)
{
	uint8_t *p = out;
	size_t begun = fifo.out_bytes;

	if (len >= begun + LEAST_OUT && aligned(p + begun)) {
		squeeze(p, begun, fifo_fetch);
		p += begun;
		len -= begun;
		receive((uint32_t *)p, len / 4);
		fifo.fetched += len & ~(size_t)3;
		p += len & ~(size_t)3;
		len %= 4;
	}
	squeeze(p, len, fifo_fetch);
}

/* A message or output of more than one transfer. */
__attribute__((noinline)) CONTROL static void long_hash(uint32_t *out, size_t out_words,
							const uint32_t *in, size_t in_words)
{
	send(in, in_words, START | INIT);
	set(SOCSIM_HASH_LAST, 0);
	receive(out, out_words);
}

/* The output may lie over the input: all of that was read by then. */
CONTROL static void dma_hash(enum xof_mode mode, uint32_t *out, size_t out_words,
			     const uint32_t *in, size_t in_words)
{
	set_mode(mode);
	if (__builtin_expect(in_words > MOST || out_words > MOST, 0)) {
		long_hash(out, out_words, in, in_words);
		return;
	}
	set_source(in);
	set_destination(out);
	set_length(in_words, out_words);
	dma.run(dma.engine, START | INIT | LAST);
}

/* Where the words of a message end up that change from step to step. */
static inline uint32_t *hash_of(uint32_t *message, size_t n) { return message + n + 7; }
static inline uint32_t *value_of(uint32_t *message, size_t n) { return message + n + 8; }

/* The message is left alone, so only the first step takes it from there. */
CONTROL static void dma_chain(uint32_t *out, const uint32_t *message, size_t n, unsigned steps)
{
	if (steps == 1) {
		dma_hash(SHAKE256, out, n, message, 2 * n + 8);
		return;
	}
	set_mode(SHAKE256);
	set_source(message);
	set_destination(value_of(dma.message, n));
	set_length(2 * n + 8, n);
	dma.source = dma.destination = UNKNOWN; /* afterwards */
	dma.chain(dma.engine, out, message, dma.message, hash_of(dma.message, n), steps);
}

CONTROL static void dma_chains(uint32_t *out, uint32_t *secret, uint32_t *message, size_t n,
			       unsigned steps, unsigned count)
{
	set_mode(SHAKE256);
	set_source(secret);
	set_destination(value_of(message, n));
	set_length(2 * n + 8, n);
	dma.source = dma.destination = UNKNOWN; /* afterwards */
	dma.chains(dma.engine, out, secret, message, hash_of(message, n), steps, count, 4 * n);
}

const struct xof_driver xof_dma = {
	.xofs = 1u << SOCSIM_XOF_SHAKE | 1u << SOCSIM_XOF_SHAKE12 | 1u << SOCSIM_XOF_ASCON |
		1u << SOCSIM_XOF_ASCON8 | 1u << SOCSIM_XOF_ASCON128,
	.couplings = 1u << SOCSIM_COUPLING_DMA,
	.open = dma_open,
	.init = dma_init,
	.absorb = dma_absorb,
	.finish = dma_finish,
	.squeeze = dma_squeeze,
	.hash = dma_hash,
	.chain = dma_chain,
	.chains = dma_chains,
};
