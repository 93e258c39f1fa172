/*
 * Parameter sets of FIPS 204, table 1. Letters are the standard's.
 */
#ifndef DILITHIUM_PARAMS_H
#define DILITHIUM_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct params {
	uint8_t k, l;        /* rows and columns of the matrix A */
	uint8_t eta;         /* bound of s1 and s2: 2 or 4 */
	uint8_t tau;         /* coefficients of c that are not zero */
	uint8_t gamma1_bits; /* gamma1, bound of y, is 2 to that: 17 or 19 */
	uint8_t omega;       /* hints there may be */
	uint8_t c_size;      /* bytes of the challenge, 2 lambda / 8; 32 in round 3.1 */
	int32_t gamma2;      /* range of low bits: (q-1)/88 or (q-1)/32 */
};

extern const struct params params_sets[];
enum { PARAMS_SETS = 3 };

/* Bytes. All parts of keys and signatures are whole words, but for the hints at the end
   of a signature. */
enum {
	HASH_SIZE = 32, /* rho, K */
	SEED_SIZE = 32, /* xi */
	RANDOM_SIZE = 32,
	MU_SIZE = 64,
	RHO_SIZE = 64, /* rho', rho'' */
	MAX_TR = 64,
	T1_SIZE = 320, /* a polynomial of t1: 10 bits a coefficient */
	T0_SIZE = 416, /* of t0: 13 */
	MAX_K = 8,
	MAX_L = 7,
	MAX_OMEGA = 80,
	MAX_CHALLENGE = 64,
	MAX_CONTEXT = 255,
	MAX_PK = HASH_SIZE + MAX_K * T1_SIZE,
	MAX_SK = 4896, /* of set 87; that of set 65 has 4,032 */
	MAX_SIG = 4627,
};

static inline unsigned params_beta(const struct params *p) { return p->tau * p->eta; }
static inline unsigned params_tr(bool r3) { return r3 ? 32 : 64; }
static inline unsigned params_c(const struct params *p, bool r3) { return r3 ? 32 : p->c_size; }
static inline unsigned params_s(const struct params *p) { return p->eta == 2 ? 96 : 128; }
static inline unsigned params_z(const struct params *p) { return 32 * (p->gamma1_bits + 1); }
static inline unsigned params_w1(const struct params *p) { return p->gamma1_bits == 17 ? 192 : 128; }

static inline size_t params_pk(const struct params *p) { return HASH_SIZE + p->k * T1_SIZE; }
static inline size_t params_sk(const struct params *p, bool r3)
{
	return 2 * HASH_SIZE + params_tr(r3) + (p->k + p->l) * params_s(p) + p->k * T0_SIZE;
}
static inline size_t params_sig(const struct params *p, bool r3)
{
	return params_c(p, r3) + p->l * params_z(p) + p->omega + p->k;
}

#endif
