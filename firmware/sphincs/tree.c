/*
 * Binary trees, for XMSS and FORS alike.
 *
 * The two children of a node of height z + 1 have their places in block h[z], one
 * after the other as H wants them. Every node is written there as it is computed.
 */
#include "slh.h"

/* Where the node of height z with index i goes. */
static inline uint32_t *child(struct slh *s, unsigned z, uint32_t i)
{
	return s->h[z] + s->prefix + (i & 1) * s->words;
}

/* H for node i of the height of the two children in block h[z]. The height is in
   the block already. */
static inline void hash_children(struct slh *s, uint32_t *node, unsigned z, uint32_t i)
{
	s->h[z][s->words + TREE_INDEX] = adrs_word(i);
	slh_block_hash(s, node, s->h[z], 2 * s->words);
}

/*
 * Walks a tree of height z from left to right and writes its root. It takes the
 * place of the recursions xmss_node and fors_node (FIPS 205, Algorithms 9 and 15)
 * and of the calls of them in xmss_sign and fors_sign (Algorithms 10 and 16): the
 * authentication path of leaf idx is picked up on the way, so every leaf and every
 * node is computed once. auth is NULL if no path is wanted.
 *
 * Leaves count from 0, in addresses from first: FORS numbers the leaves of all its
 * trees through.
 */
void slh_treehash(struct slh *s, uint32_t *root, uint32_t *auth, unsigned z,
		  uint32_t idx, uint32_t first, slh_leaf *leaf)
{
	if (auth == NULL)
		idx = UINT32_MAX; /* no node's sibling */
	for (uint32_t i = 0; i < 1u << z; i++) {
		uint32_t *node = child(s, 0, i);

		leaf(s, node, i, first);

		/* node has height j, index ij in its tree; the path has index pj there. */
		for (uint32_t j = 0, ij = i, pj = idx, from = first;; pj >>= 1) {
			if ((ij ^ 1) == pj)
				copy_words(auth + j * s->words, node, s->words);
			if ((ij & 1) == 0)
				break;
			ij >>= 1;
			from >>= 1;
			node = j + 1 == z ? root : child(s, j + 1, ij);
			hash_children(s, node, j, from + ij);
			if (++j == z)
				break;
		}
	}
}

/* Where slh_climb expects leaf i. */
uint32_t *slh_climb_from(struct slh *s, uint32_t i)
{
	return child(s, 0, i);
}

/*
 * Goes from leaf i, counted as in addresses, to the root along the authentication
 * path: FIPS 205, Algorithm 11, lines 7 to 18, and Algorithm 17, lines 8 to 19.
 */
void slh_climb(struct slh *s, uint32_t *root, const uint32_t *auth, unsigned z, uint32_t i)
{
	for (unsigned j = 0; j < z; j++) {
		copy_words(child(s, j, i >> j ^ 1), auth + j * s->words, s->words);
		hash_children(s, j + 1 == z ? root : child(s, j + 1, i >> (j + 1)), j, i >> (j + 1));
	}
}
