/*
 * Tables that the host reference computes: tables.c is generated.
 */
#ifndef FALCON_TABLES_H
#define FALCON_TABLES_H

#include <stdint.h>

#include "fpr.h"

struct complex {
	fpr re, im;
};

/* Powers of exp(i pi/1024) in bit-reversed order, each part rounded to nearest: entry
   m + i belongs to block i of the layer with m blocks. The first two are not used. */
extern const struct complex fft_roots[1024];

/* Powers of 7 modulo q in that order, and their inverses, each as the factor that
   Plantard's multiplication takes. */
extern const uint32_t q_roots[1024], q_inverse_roots[1024];

/* Primes that are 1 modulo 2048, the largest below 2^31 first. */
struct prime {
	uint32_t p;
	uint32_t inverse; /* of p, modulo 2^32 */
	uint32_t root;    /* of order 2048 modulo p, times 2^32 */
	uint32_t before;  /* inverse of the product of the primes before, times 2^32 */
};
enum { PRIMES = 308 };
extern const struct prime primes[PRIMES];

#endif
