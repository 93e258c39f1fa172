/*
 * XMSS and the hypertree (FIPS 205, sections 6 and 7).
 */
#include "slh.h"

static unsigned xmss_words(const struct slh *s)
{
	return (params_len(s->p) + params_hp(s->p)) * s->words;
}

/* xmss_node(SK.seed, 0, h', PK.seed, ADRS) (FIPS 205, Algorithm 9). */
void slh_xmss_root(struct slh *s, uint32_t *root, uint32_t layer, uint64_t tree)
{
	slh_set_tree(s, layer, tree, TREE_NODE, 0);
	s->sig = NULL;
	slh_treehash(s, root, NULL, params_hp(s->p), 0, 0, slh_wots_pk_gen);
}

/* xmss_sign (FIPS 205, Algorithm 10), which yields the root as well. m and root
   may be the same. */
static void xmss_sign(struct slh *s, uint32_t *root, uint32_t *sig, const uint32_t *m,
		      uint32_t layer, uint64_t tree, uint32_t idx)
{
	slh_set_tree(s, layer, tree, TREE_NODE, 0);
	slh_wots_digits(s, m);
	s->sig = sig;
	s->idx = idx;
	slh_treehash(s, root, sig + params_len(s->p) * s->words, params_hp(s->p), idx, 0, slh_wots_pk_gen);
}

/* xmss_pkFromSig (FIPS 205, Algorithm 11). m and root may be the same. */
static void xmss_pk_from_sig(struct slh *s, uint32_t *root, const uint32_t *sig, const uint32_t *m,
			     uint32_t layer, uint64_t tree, uint32_t idx)
{
	slh_set_tree(s, layer, tree, TREE_NODE, 0);
	slh_wots_digits(s, m);
	slh_wots_pk_from_sig(s, slh_climb_from(s, idx), sig, idx);
	slh_climb(s, root, sig + params_len(s->p) * s->words, params_hp(s->p), idx);
}

/* ht_sign (FIPS 205, Algorithm 12). It needs no xmss_pkFromSig, as signing yields
   the roots; that of the uppermost tree is not used. */
void slh_ht_sign(struct slh *s, uint32_t *sig, const uint32_t *m,
		 uint64_t idx_tree, uint32_t idx_leaf)
{
	uint32_t root[MAX_WORDS];

	copy_words(root, m, s->words);
	for (unsigned j = 0; j < s->p->d; j++, sig += xmss_words(s)) {
		xmss_sign(s, root, sig, root, j, idx_tree, idx_leaf);
		idx_leaf = (uint32_t)idx_tree & ((1u << params_hp(s->p)) - 1);
		idx_tree >>= params_hp(s->p);
	}
}

/* ht_verify (FIPS 205, Algorithm 13) but for the comparison at its end. */
void slh_ht_root(struct slh *s, uint32_t *root, const uint32_t *sig, const uint32_t *m,
		 uint64_t idx_tree, uint32_t idx_leaf)
{
	copy_words(root, m, s->words);
	for (unsigned j = 0; j < s->p->d; j++, sig += xmss_words(s)) {
		xmss_pk_from_sig(s, root, sig, root, j, idx_tree, idx_leaf);
		idx_leaf = (uint32_t)idx_tree & ((1u << params_hp(s->p)) - 1);
		idx_tree >>= params_hp(s->p);
	}
}
