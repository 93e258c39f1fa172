/*
 * What drivers over the FIFO engine have in common: a message in pieces of any length
 * and alignment over DIN and DOUT, and the registers for a whole one. A driver
 * includes this once and so gets a state of its own.
 *
 * MODE and OUTLEN keep their values over INIT, so they are written only when they
 * change.
 */
#ifndef HAL_FIFO_H
#define HAL_FIFO_H

#include "drivers.h"

/* Functions are in the ledger section of what they mostly do. */
#define CONTROL __attribute__((section(".text.hal.control")))
#define MOVEIN __attribute__((section(".text.hal.movein")))
#define MOVEOUT __attribute__((section(".text.hal.moveout")))

/* What the assembly of a driver has. Words come from and go to memory of any
   alignment; base is the hash unit's. */
typedef void fifo_feed_words(uintptr_t base, const void *in, size_t words);
typedef void fifo_fetch_words(uintptr_t base, void *out, size_t words);
typedef void fifo_whole_message(uintptr_t base, uint32_t *out, size_t out_words,
				const uint32_t *in, size_t in_words);
typedef void fifo_chain_n(uintptr_t base, uint32_t *out, const uint32_t *message, unsigned steps);
typedef void fifo_chains_n(uintptr_t base, uint32_t *out, uint32_t *secret,
			   const uint32_t *message, unsigned steps, unsigned count);

/* In fifo.S. */
fifo_feed_words fifo_feed;
fifo_fetch_words fifo_fetch;

/* One of three functions whose names end in n. */
#define FIFO_BY_N(f, n) ((n) == 4 ? f##4 : (n) == 6 ? f##6 : f##8)

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

static inline void open_fifo(uintptr_t base)
{
	fifo.base = base;
	fifo.mode = get(SOCSIM_HASH_MODE);
	fifo.outlen = get(SOCSIM_HASH_OUTLEN);
}

static inline void init(enum xof_mode mode)
{
	set_mode(mode);
	set(SOCSIM_HASH_CTRL, SOCSIM_HASH_CTRL_INIT);
	fifo.in = fifo.in_bytes = 0;
	fifo.out_bytes = fifo.fetched = 0;
}

static inline void absorb(const void *in, size_t len, fifo_feed_words *feed)
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
		feed(fifo.base, p, len / 4);
	p += len & ~(size_t)3;
	for (len &= 3; len > 0; len--)
		fifo.in |= (uint32_t)*p++ << 8 * fifo.in_bytes++;
}

static inline void finish(void)
{
	set(SOCSIM_HASH_LAST, fifo.in_bytes << 24 | fifo.in);
}

static inline void squeeze(void *out, size_t len, fifo_fetch_words *fetch)
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
		fetch(fifo.base, p, words);
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

#endif
