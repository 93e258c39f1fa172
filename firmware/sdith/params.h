/*
 * Set cat1_fast of SDitH version 2 (SPEC, section 2): the only one here. Letters are
 * SPEC's; sizes are bytes unless they are called bits.
 */
#ifndef SDITH_PARAMS_H
#define SDITH_PARAMS_H

enum {
	SEED_SIZE = 16, /* B: a seed, a salt, a field element */
	HASH_SIZE = 32, /* HLEN: a hash value or a commitment */

	DEPTH = 12,         /* of the leaves in the tree of seeds */
	LEAVES = 1 << DEPTH, /* R */
	KAPPA = 8,
	TAU = 16,
	OPEN = 101, /* T_open */
	POW_BITS = 2,

	WEIGHT = 56,   /* w, blocks of the code */
	BLOCK = 185,   /* m, columns of a block */
	LEVELS = 4,    /* d, of a multiplexer tree; level 3 has 3 choices, the others 4 */
	CONTROLS = 11, /* a, control bits of a block */
	LIMBS = 4,     /* q */
	SYNDROME = 54, /* c bits */
	CODE = WEIGHT * BLOCK, /* n */

	CHECK_BITS = 144,                   /* n_c */
	WITNESS_AT = CHECK_BITS + 3 * 128,  /* z0 */
	WITNESS_BITS = WEIGHT * CONTROLS,   /* n_in */
	VOLE_BITS = WITNESS_AT + WITNESS_BITS, /* L */
	CHECK = CHECK_BITS / 8,
	WITNESS = WITNESS_BITS / 8,
	VOLE = VOLE_BITS / 8,      /* LB */
	CHECKED = VOLE - CHECK,    /* n_m bits */
	VOLE_BLOCKS = 9,           /* of the cipher, that hold VOLE bytes */
	POW = 17,                  /* PB */
	ROWS = KAPPA * TAU,        /* base rows: as many as a field element has bits */
	ROW_WORDS = VOLE_BLOCKS * 4, /* a row of VOLE bytes, and what fills up its last block */
};

/* Keys and signatures: where their parts begin. */
enum {
	PK_SEED = 0, /* seed_pk */
	PK_Y = PK_SEED + SEED_SIZE,
	PK_SIZE = PK_Y + SYNDROME,

	SK_SEED = SEED_SIZE, /* seed_pk, behind seed_sk */
	SK_WITNESS = SK_SEED + SEED_SIZE,
	SK_Y = SK_WITNESS + WITNESS,
	SK_SIZE = SK_Y + SYNDROME,

	SIG_SALT = 0,
	SIG_PATH = SIG_SALT + SEED_SIZE,
	SIG_HIDDEN_COM = SIG_PATH + OPEN * SEED_SIZE,
	SIG_CORRECTION = SIG_HIDDEN_COM + TAU * HASH_SIZE,
	SIG_A_PLAIN = SIG_CORRECTION + (TAU - 1) * VOLE,
	SIG_DWIT = SIG_A_PLAIN + CHECK,
	SIG_ALPHA = SIG_DWIT + WITNESS,
	SIG_H_PIOP = SIG_ALPHA + LEVELS * SEED_SIZE,
	SIG_COUNTER = SIG_H_PIOP + HASH_SIZE,
	SIG_SIZE = SIG_COUNTER + 4,

	ENTROPY_SIZE = 2 * SEED_SIZE, /* salt, root_seed */
};

_Static_assert(PK_SIZE == 70 && SK_SIZE == 163 && SIG_SIZE == 4484, "sizes of SPEC, section 2");

#endif
