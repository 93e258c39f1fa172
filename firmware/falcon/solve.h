/*
 * The NTRU equation fG - gF = q.
 */
#ifndef FALCON_SOLVE_H
#define FALCON_SOLVE_H

#include "falcon.h"

/* F and G of k for its f and g; false if the submission's solver fails. */
bool ntru_solve(const struct params *p, struct key *k);

#endif
