/*
 * Parameter sets of FIPS 205, section 11, table 2. Letters are the standard's.
 */
#ifndef SPHINCS_PARAMS_H
#define SPHINCS_PARAMS_H

#include <stddef.h>
#include <stdint.h>

struct params {
	char name[8];
	uint8_t n; /* bytes in a hash value */
	uint8_t h; /* height of the hypertree */
	uint8_t d; /* its layers */
	uint8_t a; /* height of a FORS tree */
	uint8_t k; /* FORS trees */
};

extern const struct params params_sets[];
extern const size_t params_count;

/* Bounds over all sets; lg_w = 4, so w = 16 and len = 2n + 3. */
enum {
	MAX_N = 32,
	MAX_LEN = 2 * MAX_N + 3,
	MAX_HEIGHT = 14, /* of one tree, XMSS or FORS */
	MAX_DIGEST = 49, /* m */
	MAX_SIGNATURE = 49856,
	MAX_CONTEXT = 255,
};

static inline unsigned params_hp(const struct params *p) { return p->h / p->d; } /* h' */
static inline unsigned params_len(const struct params *p) { return 2 * p->n + 3; }

static inline size_t params_signature(const struct params *p)
{
	return (1 + p->k * (1 + p->a) + p->h + p->d * params_len(p)) * p->n;
}

#endif
