/*
 * Hashes of a scheme that takes several of FIPS 202, over the XOF interface. Over an
 * XOF that is one sponge for all modes (Ascon), every message ends with one byte
 * more, the number of its mode: so messages of different modes differ. That is our
 * own instance; see README.md.
 */
#ifndef LATTICE_HASH_H
#define LATTICE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "xof.h"

/* To be called once, after xof_open. */
void hash_open(void);

/* A message in parts: hash_begin, any number of xof.absorb, hash_end, any number of
   xof.squeeze. */
void hash_begin(enum xof_mode mode);
void hash_end(void);

/* A whole message of one or two parts; out and parts have any length and alignment. */
void hash(enum xof_mode mode, void *out, size_t out_len, const void *in, size_t len);
void hash2(enum xof_mode mode, void *out, size_t out_len, const void *a, size_t a_len,
	   const void *b, size_t b_len);

/*
 * How many bytes a sampler takes at a time: a block of rate bytes of a Keccak sponge, or
 * of Ascon, whose blocks are of 8 bytes, the group that holds whole samples and whole
 * blocks. And the same for the first time, when it needs at least so many. So nothing is
 * squeezed that is not wanted.
 */
size_t hash_group(size_t rate, size_t group);
size_t hash_first(size_t rate, size_t group, size_t least);

#endif
