/*
 * Driver "ram": an accelerator whose state is a memory and that does nothing but
 * permute. The sponge is here: it counts the rate, pads, starts and waits.
 *
 * In mode block the state stays in the accelerator, which XORs the words of a message
 * into it. In mode copy the sponge's state is in memory, and all of it goes to the
 * accelerator and back for every permutation, as in a library whose only hook is the
 * permutation. INIT begins every message in either mode.
 *
 * Functions are in the ledger section of what they mostly do.
 */
#include "drivers.h"

#define CONTROL __attribute__((section(".text.hal.control")))

enum { STATE_WORDS = SOCSIM_HASH_RAM_STATE_WORDS, ASCON_WORDS = 10 };

/* In ram.S. */
void ram_put(uintptr_t to, const void *in, size_t words);
void ram_mix(uint32_t *to, const void *in, size_t words);
void ram_get(void *out, uintptr_t from, size_t words);
void ram_wait(uintptr_t base, bool sleep);
void ram_keccak(uintptr_t base, uint32_t *out, size_t out_words, const uint32_t *in,
		size_t in_words, uint32_t suffix, uintptr_t last, bool sleep);
void ram_ascon(uintptr_t base, uint32_t *out, size_t out_words, const uint32_t *in,
	       size_t in_words, uint32_t suffix, uint32_t between, bool sleep);
typedef void chain_n(uintptr_t base, uint32_t *out, const uint32_t *message, unsigned steps,
		     bool sleep);
typedef void chains_n(uintptr_t base, uint32_t *out, const uint32_t *secret,
		      const uint32_t *message, unsigned steps, unsigned count, bool sleep);
chain_n ram_chain4, ram_chain6, ram_chain8;
chains_n ram_chains4, ram_chains6, ram_chains8;

/* A sponge: its padding is suffix behind the message and last in the block's last
   word. */
struct sponge {
	unsigned rate; /* words */
	uint32_t suffix, last;
};

static const struct sponge keccak[] = {
	[SHAKE128] = {42, 0x1f, 0x80000000},
	[SHAKE256] = {34, 0x1f, 0x80000000},
	[SHA3_256] = {34, 0x06, 0x80000000},
	[SHA3_512] = {18, 0x06, 0x80000000},
};
static const struct sponge ascon = {2, 0x80, 0}, ascon128 = {2, 0x01, 0};

static struct {
	uintptr_t base;
	uint32_t kind;
	bool copy, sleep;
	uint32_t between, final; /* CTRL for a permutation between blocks, behind the padding */
	const struct sponge *sponge;
	unsigned position; /* words of this block absorbed or squeezed */
	uint32_t in;       /* message bytes that do not fill a word yet, */
	unsigned in_bytes; /* and how many */
	uint32_t out;      /* output bytes not asked for yet, */
	unsigned out_bytes;
	/* Mode copy: */
	size_t words; /* of the state */
	uint32_t start[STATE_WORDS], state[STATE_WORDS];
} ram;

static inline void set(uintptr_t offset, uint32_t value)
{
	*(volatile uint32_t *)(ram.base + offset) = value;
}

static inline uintptr_t state_at(size_t word) { return ram.base + SOCSIM_HASH_RAM_STATE + 4 * word; }

static uint32_t start_of(unsigned rounds)
{
	return SOCSIM_HASH_RAM_CTRL_START | rounds << SOCSIM_HASH_RAM_CTRL_ROUNDS_SHIFT;
}

static bool over_keccak(uint32_t kind) { return kind == SOCSIM_XOF_SHAKE || kind == SOCSIM_XOF_SHAKE12; }

static void ram_open(uint32_t kind, uintptr_t base, const struct xof_choice *choice)
{
	ram.kind = kind;
	ram.base = base;
	ram.copy = choice->copy;
	ram.sleep = choice->sleep;
	ram.words = over_keccak(kind) ? STATE_WORDS : ASCON_WORDS;
	ram.final = start_of(kind == SOCSIM_XOF_SHAKE ? 24 : 12);
	ram.between = kind == SOCSIM_XOF_ASCON8 ? start_of(8) : ram.final;
	set(SOCSIM_HASH_RAM_ACCESS, ram.copy ? SOCSIM_HASH_RAM_ACCESS_COPY : 0);
	if (ram.copy) /* out of reset the accelerator holds what messages start with */
		ram_get(ram.start, state_at(0), ram.words);
	if (ram.sleep) {
		set(SOCSIM_HASH_RAM_IRQ_ENABLE, SOCSIM_HASH_RAM_IRQ_ENABLE_DONE);
		/* Only to wake up: mstatus.MIE stays 0, so there is no trap. */
		__asm__ volatile("csrs mie, %0" ::"r"(1u << SOCSIM_HASH_LINE));
	}
}

CONTROL static void permute(uint32_t start)
{
	if (ram.copy)
		ram_put(state_at(0), ram.state, ram.words);
	set(SOCSIM_HASH_RAM_CTRL, start);
	ram_wait(ram.base, ram.sleep);
	if (ram.copy)
		ram_get(ram.state, state_at(0), ram.words);
}

/* n words into the state, behind what this block has. */
static inline void put(const void *in, size_t n)
{
	if (ram.copy)
		ram_mix(ram.state + ram.position, in, n);
	else
		ram_put(state_at(ram.position), in, n);
	ram.position += n;
}

static inline void get(void *out, size_t n)
{
	if (ram.copy)
		ram_get(out, (uintptr_t)(ram.state + ram.position), n);
	else
		ram_get(out, state_at(ram.position), n);
	ram.position += n;
}

static inline size_t block_left(size_t words)
{
	size_t left = ram.sponge->rate - ram.position;

	return words < left ? words : left;
}

CONTROL static void absorb_words(const void *in, size_t words)
{
	const uint8_t *p = in;

	while (words > 0) {
		size_t n = block_left(words);

		put(p, n);
		p += 4 * n;
		words -= n;
		if (ram.position == ram.sponge->rate) {
			permute(ram.between);
			ram.position = 0;
		}
	}
}

CONTROL static void squeeze_words(void *out, size_t words)
{
	uint8_t *p = out;

	while (words > 0) {
		if (ram.position == ram.sponge->rate) {
			permute(ram.between);
			ram.position = 0;
		}
		size_t n = block_left(words);

		get(p, n);
		p += 4 * n;
		words -= n;
	}
}

static inline const struct sponge *sponge_of(enum xof_mode mode)
{
	return ram.words == STATE_WORDS ? &keccak[mode] : ram.kind == SOCSIM_XOF_ASCON128 ? &ascon128 : &ascon;
}

CONTROL static void ram_init(enum xof_mode mode)
{
	ram.sponge = sponge_of(mode);
	ram.position = 0;
	ram.in = ram.in_bytes = ram.out_bytes = 0;
	set(SOCSIM_HASH_RAM_CTRL, SOCSIM_HASH_RAM_CTRL_INIT);
	if (ram.copy)
		ram_put((uintptr_t)ram.state, ram.start, ram.words);
}

CONTROL static void ram_absorb(const void *in, size_t len)
{
	const uint8_t *p = in;

	if (ram.in_bytes > 0) {
		while (len > 0 && ram.in_bytes < 4) {
			ram.in |= (uint32_t)*p++ << 8 * ram.in_bytes++;
			len--;
		}
		if (ram.in_bytes < 4)
			return;
		absorb_words(&ram.in, 1);
		ram.in = ram.in_bytes = 0;
	}
	/* From here on p may be misaligned: the hart splits such a load, which costs
	   less than shifting words together. */
	absorb_words(p, len / 4);
	p += len & ~(size_t)3;
	for (len &= 3; len > 0; len--)
		ram.in |= (uint32_t)*p++ << 8 * ram.in_bytes++;
}

CONTROL static void ram_finish(void)
{
	uint32_t word = ram.in | ram.sponge->suffix << 8 * ram.in_bytes, last = ram.sponge->last;

	if (ram.position == ram.sponge->rate - 1)
		word ^= last;
	put(&word, 1);
	if (last != 0 && ram.position < ram.sponge->rate) {
		ram.position = ram.sponge->rate - 1;
		put(&last, 1);
	}
	permute(ram.final);
	ram.position = 0;
}

CONTROL static void ram_squeeze(void *out, size_t len)
{
	uint8_t *p = out;

	for (; len > 0 && ram.out_bytes > 0; len--, ram.out_bytes--, ram.out >>= 8)
		*p++ = (uint8_t)ram.out;
	squeeze_words(p, len / 4);
	p += len & ~(size_t)3;
	if (len % 4 == 0)
		return;
	squeeze_words(&ram.out, 1);
	for (ram.out_bytes = 4, len %= 4; len > 0; len--, ram.out_bytes--, ram.out >>= 8)
		*p++ = (uint8_t)ram.out;
}

CONTROL static void ram_hash(enum xof_mode mode, uint32_t *out, size_t out_words,
			     const uint32_t *in, size_t in_words)
{
	const struct sponge *s = sponge_of(mode);

	if (!ram.copy && s->rate > 2 && in_words < s->rate && out_words <= s->rate) {
		ram_keccak(ram.base, out, out_words, in, in_words, s->suffix, 4 * (s->rate - 1), ram.sleep);
		return;
	}
	if (!ram.copy && s->rate == 2 && in_words % 2 == 0 && out_words % 2 == 0) {
		ram_ascon(ram.base, out, out_words, in, in_words, s->suffix, ram.between, ram.sleep);
		return;
	}
	ram_init(mode);
	absorb_words(in, in_words);
	ram_finish();
	squeeze_words(out, out_words);
}

/* Over Ascon a message is many blocks, and there is little to be gained by keeping it
   in registers. */
CONTROL static void ram_chain(uint32_t *out, const uint32_t *message, size_t n, unsigned steps)
{
	if (!ram.copy && ram.words == STATE_WORDS) {
		chain_n *f = n == 4 ? ram_chain4 : n == 6 ? ram_chain6 : ram_chain8;

		f(ram.base, out, message, steps, ram.sleep);
		return;
	}
	uint32_t m[8 + 8 + 8]; /* the longest: n is at most 8 */
	const size_t counter_at = n + 7, value_at = n + 8, words = 2 * n + 8;

	ram_put((uintptr_t)m, message, words);
	while (steps-- > 0) {
		ram_hash(SHAKE256, m + value_at, n, m, words);
		m[counter_at] += 0x01000000; /* bytes are in memory order: the last one is on top */
	}
	ram_get(out, (uintptr_t)(m + value_at), n);
}

CONTROL static void ram_chains(uint32_t *out, uint32_t *secret, uint32_t *message, size_t n,
			       unsigned steps, unsigned count)
{
	chains_n *f = n == 4 ? ram_chains4 : n == 6 ? ram_chains6 : ram_chains8;

	if (ram.copy || ram.words != STATE_WORDS)
		xof_chains(out, secret, message, n, steps, count);
	else
		f(ram.base, out, secret, message, steps, count, ram.sleep);
}

const struct xof_driver xof_ram = {
	.xofs = 1u << SOCSIM_XOF_SHAKE | 1u << SOCSIM_XOF_SHAKE12 | 1u << SOCSIM_XOF_ASCON |
		1u << SOCSIM_XOF_ASCON8 | 1u << SOCSIM_XOF_ASCON128,
	.couplings = 1u << SOCSIM_COUPLING_RAM,
	.open = ram_open,
	.init = ram_init,
	.absorb = ram_absorb,
	.finish = ram_finish,
	.squeeze = ram_squeeze,
	.hash = ram_hash,
	.chain = ram_chain,
	.chains = ram_chains,
};
