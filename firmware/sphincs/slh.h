/*
 * SLH-DSA (FIPS 205) with the SHAKE sets, and SPHINCS+ round 3.1 "simple" over
 * the same. Functions that are algorithms of the standard say so.
 *
 * Hash inputs are composed where they stay: every kind of call has a block
 *
 *	PK.seed, n bytes | ADRS, 32 bytes | M
 *
 * of its own that goes to the XOF as it stands. PK.seed is put there once an
 * operation, most of ADRS once a tree, and results are written to the place in
 * the block of the next call, so that nothing is copied on the way. All of it is
 * words: n is a multiple of 8 in every set, so all parts of keys and signatures
 * are aligned if the whole is.
 */
#ifndef SPHINCS_SLH_H
#define SPHINCS_SLH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "params.h"
#include "xof.h"

enum {
	MAX_WORDS = MAX_N / 4,
	ADRS_WORDS = 8,
	MAX_PREFIX = MAX_WORDS + ADRS_WORDS, /* PK.seed and ADRS */
};

/* Words of ADRS (FIPS 205, section 4.2), and its types. */
enum { LAYER, TREE, TYPE = 4, KEY_PAIR, CHAIN, HASH, TREE_HEIGHT = CHAIN, TREE_INDEX = HASH };
enum { WOTS_HASH, WOTS_PK, TREE_NODE, FORS_TREE, FORS_ROOTS, WOTS_PRF, FORS_PRF };

/* One operation under way. */
struct slh {
	const struct params *p;
	bool r3;         /* SPHINCS+ round 3.1 in place of FIPS 205 */
	unsigned words;  /* n in words */
	unsigned prefix; /* PK.seed and ADRS in words: where M begins in a block */

	/* Blocks, by what is called with them. */
	uint32_t prf[MAX_PREFIX + MAX_WORDS];               /* PRF: M is SK.seed */
	uint32_t f[MAX_PREFIX + MAX_WORDS];                 /* F */
	uint32_t h[MAX_HEIGHT][MAX_PREFIX + 2 * MAX_WORDS]; /* H for a node of height z + 1 */
	uint32_t list[MAX_PREFIX + MAX_LEN * MAX_WORDS];    /* T_len and T_k */

	/* The leaf of an XMSS tree that signs: it leaves its chain values in sig. */
	uint32_t idx;
	uint32_t *sig;
	uint8_t digits[MAX_LEN];
};

/* Message of an operation: the context's part of M' (empty at the internal
   interface), then M. */
struct slh_message {
	uint8_t prefix[2];
	size_t prefix_len;
	const uint8_t *context;
	size_t context_len;
	const uint8_t *m;
	size_t m_len;
};

/* A word of ADRS: numbers are big endian there. */
static inline uint32_t adrs_word(uint32_t v)
{
	return v << 24 | (v & 0xFF00) << 8 | (v >> 8 & 0xFF00) | v >> 24;
}

/* The same for v below 256. */
static inline uint32_t adrs_byte(uint32_t v) { return v << 24; }

static inline void copy_words(uint32_t *to, const uint32_t *from, unsigned words)
{
	for (unsigned i = 0; i < words; i += 2) { /* n is a multiple of 8 bytes */
		uint32_t a = from[i], b = from[i + 1];

		to[i] = a;
		to[i + 1] = b;
	}
}

/* block.c */
void slh_begin(struct slh *s, const struct params *p, bool r3,
	       const uint32_t *pk_seed, const uint32_t *sk_seed);
void slh_set_tree(struct slh *s, uint32_t layer, uint64_t tree,
		  uint32_t node_type, uint32_t key_pair);

/* PRF, F, H and T of FIPS 205, section 11.1: all are the same hash of a block. out
   may be a part of the block. */
static inline void slh_block_hash(struct slh *s, uint32_t *out, const uint32_t *block,
				  unsigned m_words)
{
	xof.hash(SHAKE256, out, s->words, block, s->prefix + m_words);
}

/* tree.c */
typedef void slh_leaf(struct slh *s, uint32_t *node, uint32_t i, uint32_t first);
void slh_treehash(struct slh *s, uint32_t *root, uint32_t *auth, unsigned z,
		  uint32_t idx, uint32_t first, slh_leaf *leaf);
uint32_t *slh_climb_from(struct slh *s, uint32_t i);
void slh_climb(struct slh *s, uint32_t *root, const uint32_t *auth, unsigned z, uint32_t i);

/* wots.c */
void slh_wots_digits(struct slh *s, const uint32_t *m);
void slh_wots_pk_gen(struct slh *s, uint32_t *pk, uint32_t i, uint32_t first);
void slh_wots_pk_from_sig(struct slh *s, uint32_t *pk, const uint32_t *sig, uint32_t i);

/* xmss.c */
void slh_xmss_root(struct slh *s, uint32_t *root, uint32_t layer, uint64_t tree);
void slh_ht_sign(struct slh *s, uint32_t *sig, const uint32_t *m,
		 uint64_t idx_tree, uint32_t idx_leaf);
void slh_ht_root(struct slh *s, uint32_t *root, const uint32_t *sig, const uint32_t *m,
		 uint64_t idx_tree, uint32_t idx_leaf);

/* fors.c */
void slh_fors_sign(struct slh *s, uint32_t *pk, uint32_t *sig, const uint8_t *md,
		   uint64_t idx_tree, uint32_t idx_leaf);
void slh_fors_pk_from_sig(struct slh *s, uint32_t *pk, const uint32_t *sig, const uint8_t *md,
			  uint64_t idx_tree, uint32_t idx_leaf);

/*
 * slh.c: the three operations. Keys and signatures are aligned to words. seed is
 * SK.seed, SK.prf, PK.seed; opt_rand is n bytes. A signature of a wrong length is
 * rejected.
 */
void slh_keygen(struct slh *s, const struct params *p, bool r3,
		uint32_t *sk, uint32_t *pk, const uint32_t *seed);
void slh_sign(struct slh *s, const struct params *p, bool r3,
	      uint32_t *sig, const uint32_t *sk, const struct slh_message *m,
	      const uint32_t *opt_rand);
bool slh_verify(struct slh *s, const struct params *p, bool r3,
		const uint32_t *sig, size_t sig_len, const uint32_t *pk,
		const struct slh_message *m);

#endif
