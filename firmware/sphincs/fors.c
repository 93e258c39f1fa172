/*
 * FORS (FIPS 205, section 8).
 */
#include "slh.h"

/*
 * Cursor in md, of which every FORS tree takes a bits.
 *
 * FIPS 205 has base_2^b (Algorithm 4): the most significant bit of each byte comes
 * first, and of each number. In SPHINCS+ round 3.1 the least significant bit of
 * each comes first, which is what its test vectors settle.
 */
struct bits {
	const uint8_t *md;
	unsigned at;
};

static uint32_t fors_next_index(const struct slh *s, struct bits *b)
{
	uint32_t idx = 0;

	for (unsigned j = 0; j < s->p->a; j++, b->at++) {
		unsigned byte = b->md[b->at / 8];

		if (s->r3)
			idx |= (byte >> b->at % 8 & 1) << j;
		else
			idx = idx << 1 | (byte >> (7 - b->at % 8) & 1);
	}
	return idx;
}

/* Addresses of all FORS trees of a key pair, for all kinds of hash calls. */
static void fors_begin(struct slh *s, uint64_t idx_tree, uint32_t idx_leaf)
{
	uint32_t *prf = s->prf + s->words, *f = s->f + s->words;

	slh_set_tree(s, 0, idx_tree, FORS_TREE, idx_leaf);
	prf[TYPE] = adrs_byte(FORS_PRF);
	f[TYPE] = adrs_byte(FORS_TREE);
	prf[KEY_PAIR] = f[KEY_PAIR] = adrs_word(idx_leaf);
	f[TREE_HEIGHT] = 0;
}

/* fors_skGen (FIPS 205, Algorithm 14); index is a word of ADRS. */
static void fors_sk_gen(struct slh *s, uint32_t *sk, uint32_t index)
{
	s->prf[s->words + TREE_HEIGHT] = 0;
	s->prf[s->words + TREE_INDEX] = index;
	slh_block_hash(s, sk, s->prf, s->words);
}

/* fors_node for height 0 (FIPS 205, Algorithm 15, lines 2 to 5): F of the secret
   value, which to the XOF is a chain of one step. */
static void fors_leaf(struct slh *s, uint32_t *node, uint32_t i, uint32_t first)
{
	uint32_t *prf = s->prf + s->words, *f = s->f + s->words;

	prf[TREE_INDEX] = f[TREE_INDEX] = adrs_word(first + i);
	prf[TREE_HEIGHT] = f[TREE_HEIGHT] = 0;
	xof.chains(node, s->prf, s->f, s->words, 1, 1);
}

/* T_k over the roots in block list. */
static void fors_compress(struct slh *s, uint32_t *pk, uint32_t idx_leaf)
{
	uint32_t *adrs = s->list + s->words;

	adrs[TYPE] = adrs_byte(FORS_ROOTS);
	adrs[KEY_PAIR] = adrs_word(idx_leaf);
	adrs[TREE_HEIGHT] = adrs[TREE_INDEX] = 0;
	slh_block_hash(s, pk, s->list, s->p->k * s->words);
}

/*
 * fors_sign (FIPS 205, Algorithm 16) and, as the passes yield the roots,
 * fors_pkFromSig of the result. The secret value of a signed leaf is computed
 * twice, in line 4 and on the pass, as by the standard and by round 3.1.
 */
void slh_fors_sign(struct slh *s, uint32_t *pk, uint32_t *sig, const uint8_t *md,
		   uint64_t idx_tree, uint32_t idx_leaf)
{
	struct bits bits = {md, 0};
	uint32_t *root = s->list + s->prefix;

	fors_begin(s, idx_tree, idx_leaf);
	for (unsigned i = 0; i < s->p->k; i++, root += s->words, sig += (1 + s->p->a) * s->words) {
		uint32_t first = (uint32_t)i << s->p->a, idx = fors_next_index(s, &bits);

		fors_sk_gen(s, sig, adrs_word(first + idx));
		slh_treehash(s, root, sig + s->words, s->p->a, idx, first, fors_leaf);
	}
	fors_compress(s, pk, idx_leaf);
}

/* fors_pkFromSig (FIPS 205, Algorithm 17). */
void slh_fors_pk_from_sig(struct slh *s, uint32_t *pk, const uint32_t *sig, const uint8_t *md,
			  uint64_t idx_tree, uint32_t idx_leaf)
{
	struct bits bits = {md, 0};
	uint32_t *root = s->list + s->prefix;

	fors_begin(s, idx_tree, idx_leaf);
	for (unsigned i = 0; i < s->p->k; i++, root += s->words, sig += (1 + s->p->a) * s->words) {
		uint32_t at = ((uint32_t)i << s->p->a) + fors_next_index(s, &bits);

		copy_words(s->f + s->prefix, sig, s->words);
		s->f[s->words + TREE_INDEX] = adrs_word(at);
		slh_block_hash(s, slh_climb_from(s, at), s->f, s->words);
		slh_climb(s, root, sig + s->words, s->p->a, at);
	}
	fors_compress(s, pk, idx_leaf);
}
