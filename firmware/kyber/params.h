/*
 * Parameter sets of FIPS 203, section 8, table 2. Letters are the standard's.
 */
#ifndef KYBER_PARAMS_H
#define KYBER_PARAMS_H

#include <stddef.h>
#include <stdint.h>

struct params {
	uint8_t k;    /* rank of the module */
	uint8_t eta1; /* bound of s, e and y: 2 or 3; that of e1 and e2 is 2 */
	uint8_t du;   /* bits a coefficient of u is compressed to: 10 or 11 */
	uint8_t dv;   /* the same for v: 4 or 5 */
};

extern const struct params params_sets[];
extern const char *const params_names[];
enum { PARAMS_SETS = 3 };

/* Bytes. All parts of keys and ciphertexts are whole words. */
enum {
	HASH_SIZE = 32,      /* H(ek), rho, sigma, r, z */
	SEED_SIZE = 64,      /* d, z */
	MESSAGE_SIZE = 32,   /* m */
	SECRET_SIZE = 32,    /* K */
	POLY_SIZE = 384,     /* encoded with 12 bits a coefficient */
	MAX_K = 4,
	MAX_EK = MAX_K * POLY_SIZE + HASH_SIZE,
	MAX_DK = MAX_K * POLY_SIZE + MAX_EK + 2 * HASH_SIZE,
	MAX_C = 32 * (11 * MAX_K + 5),
};

static inline size_t params_ek(const struct params *p) { return p->k * POLY_SIZE + HASH_SIZE; }
static inline size_t params_dk(const struct params *p) { return p->k * POLY_SIZE + params_ek(p) + 2 * HASH_SIZE; }
static inline size_t params_c(const struct params *p) { return 32 * (p->du * p->k + p->dv); }

#endif
