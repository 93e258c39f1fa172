/*
 * Driver "reg": an accelerator in the hart's execute stage, whose state is in registers.
 * It does nothing but permute, or also XOR a word into the state; the sponge is here.
 *
 * hash, chain and chains are in assembly and keep the state in registers from the first
 * word to the last. Between the pieces of a message compiled code runs; so what is in
 * registers which that uses is spilled and reloaded. Bytes that do not fill a block wait
 * in memory; whole blocks are absorbed from where they are.
 *
 * Over Ascon the hart's own XOR reaches all of the state, so there both couplings have
 * the same version.
 */
#include "reg.h"

#include "ascon.h"
#include "drivers.h"

/* Pieces of their own: a jump to a misaligned instruction costs a cycle, so the code of
   other drivers stays where it is. */
#define CONTROL __attribute__((section(".text.hal.control.regcontrol.0")))
#define MOVEIN __attribute__((section(".text.hal.movein.regmovein.0")))
#define MOVEOUT __attribute__((section(".text.hal.moveout.regmoveout.0")))

_Static_assert(offsetof(struct reg, state) + 4 * 32 == REG_SPILLED, "reg.h");
_Static_assert(offsetof(struct reg, rate) == REG_RATE, "reg.h");
_Static_assert(offsetof(struct reg, fresh) == REG_FRESH, "reg.h");
_Static_assert(offsetof(struct reg, pad17) == REG_PAD17, "reg.h");
_Static_assert(offsetof(struct reg, pad33) == REG_PAD33, "reg.h");
_Static_assert(offsetof(struct reg, pad41) == REG_PAD41, "reg.h");

static struct reg reg;
static const struct reg_unit *unit;
static uint32_t block[168 / 4]; /* the bytes of a block that is not full yet */
static size_t position;         /* how many bytes of a block were absorbed, or squeezed */
static uint32_t suffix;         /* the beginning of the padding */

/* p may be misaligned: the hart splits such a load, which costs less than loads of bytes. */
static inline uint32_t load_word(const uint8_t *p)
{
	uint32_t w;

	__asm__("lw %0, %1" : "=r"(w) : "m"(*(const uint8_t(*)[4])p));
	return w;
}

/* Keeps n bytes, with which the block is at most full. */
MOVEIN static void keep(const uint8_t *p, size_t n)
{
	uint8_t *to = (uint8_t *)block + position;

	position += n;
	for (; n > 0 && (uintptr_t)to % 4 != 0; n--)
		*to++ = *p++;
	for (; n >= 4; n -= 4, p += 4, to += 4)
		*(uint32_t *)to = load_word(p);
	for (; n > 0; n--)
		*to++ = *p++;
}

MOVEIN static void reg_absorb(const void *in, size_t len)
{
	const uint8_t *p = in;

	if (position > 0) {
		size_t n = reg.rate - position < len ? reg.rate - position : len;

		keep(p, n);
		if (position < reg.rate)
			return;
		unit->absorb(&reg, block, reg.rate);
		position = 0;
		p += n, len -= n;
	}
	if (len >= reg.rate) {
		size_t n = len - len % reg.rate;

		unit->absorb(&reg, p, n);
		p += n, len -= n;
	}
	keep(p, len);
}

CONTROL static void reg_finish(void)
{
	unsigned shift = 8 * (position % 4);
	uint32_t word = block[position / 4];

	unit->finish(&reg, block, position & ~(size_t)3, (word & ~(UINT32_MAX << shift)) | suffix << shift);
	position = 0;
}

/* n bytes of this block, which has them. */
MOVEOUT static uint8_t *take(uint8_t *out, size_t n)
{
	const uint8_t *from = (const uint8_t *)reg.state + position;

	unit->dump(&reg);
	position += n;
	while (n-- > 0)
		*out++ = *from++;
	return out;
}

MOVEOUT static void reg_squeeze(void *out, size_t len)
{
	uint8_t *p = out;

	if (position > 0 && position < reg.rate) {
		size_t n = reg.rate - position < len ? reg.rate - position : len;

		p = take(p, n);
		len -= n;
	}
	if (len >= 4) {
		size_t n = len & ~(size_t)3;

		unit->fetch(&reg, p, n, position == reg.rate);
		position = (n - 1) % reg.rate + 1;
		p += n, len -= n;
	}
	if (len > 0) {
		uint32_t word;

		if (position == reg.rate) {
			unit->fetch(&reg, &word, sizeof word, true);
			position = 0;
		}
		take(p, len);
	}
}

/* Functions in assembly: reg.S, regchains.S, regascon.S. */
#define UNIT(name, dump_function)                                                    \
	void name##_hash(enum xof_mode mode, uint32_t *out, size_t out_words,        \
			 const uint32_t *in, size_t in_words);                       \
	void name##_absorb(struct reg *r, const void *in, size_t bytes);             \
	void name##_finish(struct reg *r, const uint32_t *in, size_t bytes, uint32_t word); \
	void name##_fetch(struct reg *r, void *out, size_t bytes, bool again);       \
	static const struct reg_unit name = {name##_absorb, name##_finish, name##_fetch, dump_function}

#define CHAINS(name)                                                                 \
	void name##_chain(uint32_t *out, const uint32_t *message, size_t n, unsigned steps); \
	void name##_chains(uint32_t *out, uint32_t *secret, uint32_t *message, size_t n, \
			   unsigned steps, unsigned count)

/*
 * Keccak.
 */
void reg_dump(struct reg *r);

UNIT(reg24, reg_dump);
UNIT(reg12, reg_dump);
UNIT(regx24, reg_dump);
UNIT(regx12, reg_dump);
CHAINS(reg24);
CHAINS(reg12);

CONTROL static void regkeccak_init(enum xof_mode mode)
{
	static const struct {
		uint8_t rate, suffix;
	} sponges[] = {
		[SHAKE128] = {168, 0x1F},
		[SHAKE256] = {136, 0x1F},
		[SHA3_256] = {136, 0x06},
		[SHA3_512] = {72, 0x06},
	};

	position = 0;
	suffix = sponges[mode].suffix;
	reg.rate = sponges[mode].rate;
	reg.fresh = true;
	reg.pad17 = reg.pad33 = reg.pad41 = 0;
	*(mode == SHAKE128 ? &reg.pad41 : mode == SHA3_512 ? &reg.pad17 : &reg.pad33) = 0x80000000;
}

#define KECCAK(name, its_xof, its_coupling, chains_name)                             \
	CONTROL static void name##_open(uint32_t kind, uintptr_t base,               \
					const struct xof_choice *choice)             \
	{                                                                            \
		(void)kind;                                                          \
		(void)base;                                                          \
		(void)choice;                                                        \
		unit = &name;                                                        \
	}                                                                            \
	const struct xof_driver xof_##name = {                                       \
		.xofs = 1u << its_xof,                                               \
		.couplings = 1u << its_coupling,                                     \
		.open = name##_open,                                                 \
		.init = regkeccak_init,                                                 \
		.absorb = reg_absorb,                                                \
		.finish = reg_finish,                                                \
		.squeeze = reg_squeeze,                                              \
		.hash = name##_hash,                                                 \
		.chain = chains_name##_chain,                                        \
		.chains = chains_name##_chains,                                      \
	}

KECCAK(reg24, SOCSIM_XOF_SHAKE, SOCSIM_COUPLING_REG, reg24);
KECCAK(reg12, SOCSIM_XOF_SHAKE12, SOCSIM_COUPLING_REG, reg12);
KECCAK(regx24, SOCSIM_XOF_SHAKE, SOCSIM_COUPLING_REGX, reg24);
KECCAK(regx12, SOCSIM_XOF_SHAKE12, SOCSIM_COUPLING_REGX, reg12);

/*
 * Ascon.
 */
MOVEOUT static void no_dump(struct reg *r) { (void)r; /* all of the state is spilled */ }

UNIT(regascon, no_dump);
UNIT(regascon8, no_dump);
UNIT(regascon128, no_dump);
CHAINS(regascon);
CHAINS(regascon8);
CHAINS(regascon128);

/* The state messages begin with, as words of message bytes. */
uint32_t reg_ascon_start[10];

static inline uint32_t swap(uint32_t v)
{
	return v << 24 | (v & 0xFF00) << 8 | (v >> 8 & 0xFF00) | v >> 24;
}

CONTROL __attribute__((noinline)) static void start_from(const struct reg_unit *its_unit, const struct ascon_xof *xof)
{
	unit = its_unit;
	suffix = xof->big_endian ? 0x80 : 0x01;
	reg.rate = 8;
	for (unsigned i = 0; i < 10; i++)
		reg_ascon_start[i] = xof->big_endian ? swap(xof->start[i ^ 1]) : xof->start[i];
}

CONTROL static void regascon_init(enum xof_mode mode)
{
	(void)mode;
	position = 0;
	for (unsigned i = 0; i < 10; i++)
		reg.state[i] = reg_ascon_start[i];
}

/* For regascon.S: a whole message that is not whole blocks, or its output is not. */
CONTROL void reg_hash(enum xof_mode mode, uint32_t *out, size_t out_words,
		      const uint32_t *in, size_t in_words)
{
	xof.init(mode);
	xof.absorb(in, 4 * in_words);
	xof.finish();
	xof.squeeze(out, 4 * out_words);
}

#define ASCON(name, its_xof, software)                                               \
	CONTROL static void name##_open(uint32_t kind, uintptr_t base,               \
					const struct xof_choice *choice)             \
	{                                                                            \
		(void)kind;                                                          \
		(void)base;                                                          \
		(void)choice;                                                        \
		start_from(&name, &software);                                        \
	}                                                                            \
	const struct xof_driver xof_##name = {                                       \
		.xofs = 1u << its_xof,                                               \
		.couplings = 1u << SOCSIM_COUPLING_REG | 1u << SOCSIM_COUPLING_REGX, \
		.open = name##_open,                                                 \
		.init = regascon_init,                                                  \
		.absorb = reg_absorb,                                                \
		.finish = reg_finish,                                                \
		.squeeze = reg_squeeze,                                              \
		.hash = name##_hash,                                                 \
		.chain = name##_chain,                                               \
		.chains = name##_chains,                                             \
	}

ASCON(regascon, SOCSIM_XOF_ASCON, ascon_xof);
ASCON(regascon8, SOCSIM_XOF_ASCON8, ascon_xofa);
ASCON(regascon128, SOCSIM_XOF_ASCON128, ascon_xof128);
