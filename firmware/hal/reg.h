/*
 * What driver "reg" has in C and in assembly: an accelerator in the hart's execute
 * stage, whose state is in the hart's registers.
 *
 * Words are message bytes in memory order. Over Keccak words 0 to 31 of the state are
 * in f0 to f31, which compiled code never touches, and words 32 to 49 in x10 to x27
 * (a0-a7, s2-s11), which it does. Over Ascon words 0 to 9 are in a2-a7 and t3-t6.
 */
#ifndef HAL_REG_H
#define HAL_REG_H

/* Offsets in struct reg. */
#define REG_SPILLED	128 /* of the words that are not in f registers */
#define REG_RATE	200
#define REG_FRESH	204
#define REG_PAD17	208
#define REG_PAD33	212
#define REG_PAD41	216

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "xof.h"

/* A message in progress, as functions in assembly find and leave it. */
struct reg {
	uint32_t state[50]; /* what is in registers the compiler uses is kept here between calls */
	uint32_t rate;      /* bytes */
	uint32_t fresh;     /* nothing was absorbed yet: the registers hold anything */
	/* Keccak: the last bit of the padding if the block ends with that word, else 0. */
	uint32_t pad17, pad33, pad41;
};

/* The functions in assembly for a message in pieces. */
struct reg_unit {
	/* Absorbs whole blocks, at least one, from any address. */
	void (*absorb)(struct reg *r, const void *in, size_t bytes);
	/* Absorbs the last words, less than a block, and behind them one with the rest of
	   the message and the beginning of the padding; pads and permutes. */
	void (*finish)(struct reg *r, const uint32_t *in, size_t bytes, uint32_t word);
	/* Fetches words, at least one, to any address, from the beginning of a block on;
	   again: after one more permutation. */
	void (*fetch)(struct reg *r, void *out, size_t bytes, bool again);
	/* Completes state[] but for the capacity. */
	void (*dump)(struct reg *r);
};

#else

/* Instructions of the accelerator (opcode custom-0). */
.macro kperm rounds
	.insn	i 0x0b, 1, x0, x0, \rounds
.endm

.macro absorb reg, word
	.insn	i 0x0b, 0, x0, \reg, \word
.endm

/* big: 1 where the first byte of a lane is its most significant one. */
.macro asconp constant, rounds, big
	.insn	i 0x0b, 3, x0, x0, (\constant) + (((\rounds) - 1) << 8) - 2048 * (\big)
.endm

#endif
#endif
