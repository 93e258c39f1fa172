/*
 * ML-KEM (FIPS 203) and round-3 Kyber: the three operations and the two input checks.
 * Functions that are algorithms of the standard say so. All pointers are aligned to
 * words. Secrets decide over no branch and no address.
 */
#ifndef KYBER_KEM_H
#define KYBER_KEM_H

#include <stdbool.h>
#include <stdint.h>

#include "params.h"

/* seed is d, z; dk and ek as in FIPS 203, section 7. */
void kem_keygen(const struct params *p, bool r3, uint32_t *ek, uint32_t *dk, const uint32_t *seed);
void kem_encaps(const struct params *p, bool r3, uint32_t *key, uint32_t *c, const uint32_t *ek,
		const uint32_t *m);
void kem_decaps(const struct params *p, bool r3, uint32_t *key, const uint32_t *dk, const uint32_t *c);

/* The input checks of FIPS 203, sections 7.2 and 7.3: is it a key? */
bool kem_check_ek(const struct params *p, const uint32_t *ek);
bool kem_check_dk(const struct params *p, const uint32_t *dk);

#endif
