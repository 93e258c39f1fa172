/*
 * K-PKE (FIPS 203, section 5).
 */
#ifndef KYBER_PKE_H
#define KYBER_PKE_H

#include <stdbool.h>
#include <stdint.h>

#include "params.h"

void pke_keygen(const struct params *p, bool r3, uint32_t *ek, uint32_t *dk, const uint32_t *d);
void pke_encrypt(const struct params *p, uint32_t *c, const uint32_t *ek, const uint32_t *m,
		 const uint32_t *r);
void pke_decrypt(const struct params *p, uint32_t *m, const uint32_t *dk, const uint32_t *c);

#endif
