/*
 * The tree of seeds and what its leaves amount to (SPEC, sections 7, 8 and 10.2), 32
 * nodes at a time, each in a lane.
 */
#ifndef SDITH_TREE_H
#define SDITH_TREE_H

#include <stdint.h>

#include "aes.h"
#include "params.h"

typedef uint32_t seed[SEED_SIZE / 4];

/* Seeds of nodes n to 2n-1 to those of nodes 2n to 4n-1, which take their place. There is
   room for at least 64 seeds. */
void tree_grow(seed *seeds, unsigned n, const uint8_t *salt);

struct vole {
	uint32_t acc[TAU][ROW_WORDS];  /* A_e */
	uint32_t base[ROWS][ROW_WORDS]; /* Bas_{e,j} as row 8e + j */
};

/*
 * h_com and the VOLE of all leaves. hidden is NULL, or has for each 32 leaves in a row
 * the lanes of those whose seed is unknown: they count as zeros, and their commitments,
 * by increasing leaf, are com's.
 */
void tree_leaves(struct vole *v, uint32_t *h_com, const seed *leaves, const uint8_t *salt, const uint32_t *hidden,
		 const uint8_t *com);

/* What a challenge hides and reveals. */
struct opening {
	unsigned hidden[TAU]; /* leaf nodes, increasing */
	unsigned revealed[OPEN]; /* nodes, decreasing */
	unsigned count;          /* of these; OPEN + 1 if there are more than OPEN */
};
void tree_opening(struct opening *o, const uint8_t istar[TAU]);

/* The revealed seeds to path and the commitments of hidden leaves to com. */
void tree_open(uint8_t *path, uint8_t *com, const struct opening *o, const uint8_t *root, const uint8_t *salt);

#endif
