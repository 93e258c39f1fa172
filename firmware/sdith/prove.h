/*
 * Polynomials over the witness (SPEC, section 9), and their values at a point.
 */
#ifndef SDITH_PROVE_H
#define SDITH_PROVE_H

#include "gf.h"
#include "params.h"

/* What a challenge is expanded to. */
struct challenge {
	gf gamma[LIMBS];
	gf prime[WEIGHT]; /* gamma' */
};
void prove_challenge(struct challenge *c, const uint32_t *h_lines);

/* A polynomial in X; coefficients by degree. */
typedef gf poly[LEVELS + 1];

/* S. slopes are V_{z0} and so on, WITNESS_BITS of them; wit is secret, too. */
void prove_sum(poly sum, const struct challenge *c, const uint8_t *seed_pk, const uint8_t *y, const uint8_t *wit,
	       const gf *slopes);

/* S at the point where the lines of the witness have the values controls. */
gf prove_value(const struct challenge *c, const uint8_t *seed_pk, const uint8_t *y, const gf *controls);

#endif
