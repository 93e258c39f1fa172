/*
 * Known answer 0 of set cat1_fast: what is signed if nothing else is given. Key and
 * entropy are what the generator of the known answers (SPEC, section 5) makes of the
 * entry's seed.
 */
#ifndef SDITH_ENTRY0_H
#define SDITH_ENTRY0_H

#include <stdint.h>

#include "params.h"

enum { ENTRY0_MESSAGE = 33 };

extern const uint8_t entry0_sk[SK_SIZE], entry0_message[ENTRY0_MESSAGE], entry0_entropy[ENTROPY_SIZE];

#endif
