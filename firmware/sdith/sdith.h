/*
 * Signing and verifying with SDitH version 2, set cat1_fast (SPEC, sections 7 to 10), to
 * the byte what the published code makes. Nothing of a secret key or of a seed decides
 * a branch or an address. Over another XOF in SHAKE128's place it is our own instance.
 */
#ifndef SDITH_SDITH_H
#define SDITH_SDITH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "params.h"

/* Returns the attempts that the proof of work took, or 0 if the witness in sk does not
   belong to its public key. entropy is salt and root seed. */
uint32_t sdith_sign(uint8_t sig[SIG_SIZE], const uint8_t sk[SK_SIZE], const uint8_t *message, size_t len,
		    const uint8_t entropy[ENTROPY_SIZE]);

bool sdith_verify(const uint8_t sig[SIG_SIZE], const uint8_t pk[PK_SIZE], const uint8_t *message, size_t len);

#endif
