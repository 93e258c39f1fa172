/*
 * A driver to start from: the least that serves couplings fifo and lsu. Programs that
 * are linked with this file use it, as it is called xof_own; xof.h says what each
 * function has to do, and docs/registers.md what the registers do.
 *
 * Its functions are in the ledger section of what they mostly do. noinline keeps
 * them there: what is inlined is booked under its caller.
 */
#include "drivers.h"

#include <string.h>

#define CONTROL __attribute__((noinline, section(".text.hal.control")))
#define MOVEIN __attribute__((noinline, section(".text.hal.movein")))
#define MOVEOUT __attribute__((noinline, section(".text.hal.moveout")))

static struct {
	uintptr_t base;
	uint32_t in, in_bytes;   /* message bytes that do not fill a word yet, and how many */
	uint32_t out, out_bytes; /* output bytes fetched and not asked for yet */
	uint32_t outlen;         /* what OUTLEN holds */
} own;

static inline volatile uint32_t *at(uintptr_t offset)
{
	return (volatile uint32_t *)(own.base + offset);
}

/* Once, at the start of the program. */
static void own_open(uint32_t kind, uintptr_t base, const struct xof_choice *choice)
{
	(void)kind; /* the unit knows its hash */
	(void)choice;
	own.base = base;
}

CONTROL static void own_init(enum xof_mode mode)
{
	own.in = own.in_bytes = own.out_bytes = own.outlen = 0;
	*at(SOCSIM_HASH_MODE) = mode;
	*at(SOCSIM_HASH_OUTLEN) = 0;
	*at(SOCSIM_HASH_CTRL) = SOCSIM_HASH_CTRL_INIT;
}

MOVEIN static void own_absorb(const void *in, size_t len)
{
	for (const uint8_t *p = in; len > 0; len--) {
		own.in |= (uint32_t)*p++ << 8 * own.in_bytes++;
		if (own.in_bytes == 4) {
			*at(SOCSIM_HASH_DIN) = own.in; /* waits if there is no room */
			own.in = own.in_bytes = 0;
		}
	}
}

CONTROL static void own_finish(void)
{
	*at(SOCSIM_HASH_LAST) = own.in_bytes << SOCSIM_HASH_LAST_BYTES_SHIFT | own.in;
}

MOVEOUT static void own_squeeze(void *out, size_t len)
{
	for (uint8_t *p = out; len > 0; len--) {
		if (own.out_bytes == 0) {
			*at(SOCSIM_HASH_OUTLEN) = own.outlen += 4;
			own.out = *at(SOCSIM_HASH_DOUT); /* waits until there is output */
			own.out_bytes = 4;
		}
		*p++ = (uint8_t)own.out;
		own.out >>= 8;
		own.out_bytes--;
	}
}

/* Schemes hash whole words most of the time, so this is what to make fast. */
MOVEIN static void feed(const uint32_t *in, size_t words)
{
	for (; words > 0; words--)
		*at(SOCSIM_HASH_DIN) = *in++;
}

MOVEOUT static void fetch(uint32_t *out, size_t words)
{
	for (; words > 0; words--)
		*out++ = *at(SOCSIM_HASH_DOUT);
}

CONTROL static void own_hash(enum xof_mode mode, uint32_t *out, size_t out_words,
			     const uint32_t *in, size_t in_words)
{
	own_init(mode);
	feed(in, in_words);
	*at(SOCSIM_HASH_OUTLEN) = 4 * out_words;
	own_finish();
	fetch(out, out_words);
}

static void own_chain(uint32_t *out, const uint32_t *message, size_t n, unsigned steps)
{
	uint32_t m[8 + 8 + 8], *value = m + n + 8;

	memcpy(m, message, 4 * (2 * n + 8));
	for (; steps > 0; steps--) {
		own_hash(SHAKE256, value, n, m, 2 * n + 8);
		m[n + 7] += 0x01000000; /* the hash address, big endian */
	}
	memcpy(out, value, 4 * n);
}

const struct xof_driver xof_own = {
	.xofs = XOF_ANY,
	.couplings = 1u << SOCSIM_COUPLING_FIFO | 1u << SOCSIM_COUPLING_LSU,
	.open = own_open,
	.init = own_init,
	.absorb = own_absorb,
	.finish = own_finish,
	.squeeze = own_squeeze,
	.hash = own_hash,
	.chain = own_chain,
	.chains = xof_chains,
};
