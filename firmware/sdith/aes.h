/*
 * AES-128 (FIPS 197), bit-sliced over 32 lanes (lanes.h), each of which has a key of its
 * own. What a seed encrypts are blocks that differ in byte 0 alone, mostly: nothing
 * else changes until round 2, so aes_fix does that part for all of them.
 *
 * There is no table and no branch on data.
 */
#ifndef SDITH_AES_H
#define SDITH_AES_H

#include "lanes.h"

enum { AES_ROUNDS = 10 };

struct aes {
	/* Round keys. Those from 1 on have the constant of the S-box in them. */
	uint32_t keys[AES_ROUNDS + 1][SLICES];
	/* Behind SubBytes of round 1: byte 0 of the latest block, the others of all. */
	uint32_t first[SLICES];
	/* Behind SubBytes of round 2: column 0 of the latest block, the others of all. */
	uint32_t second[SLICES];
};

/* Makes the keys of all lanes. */
void aes_keys(struct aes *a, const uint32_t key[SLICES]);

/* Takes bytes 1 to 15 of the blocks to come. */
void aes_fix(struct aes *a, const uint32_t block[SLICES]);

/* Encrypts the block that has these bits as byte 0. */
void aes_encrypt(struct aes *a, uint32_t out[SLICES], const uint32_t byte0[8]);

#endif
