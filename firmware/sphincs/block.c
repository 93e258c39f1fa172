/*
 * Blocks: the hash inputs PK.seed | ADRS | M.
 */
#include "slh.h"

static void set_seed(struct slh *s, uint32_t *block, const uint32_t *pk_seed)
{
	copy_words(block, pk_seed, s->words);
	copy_words(block + s->words, (const uint32_t[ADRS_WORDS]){0}, ADRS_WORDS);
}

/* Puts the seeds in place; sk_seed is NULL for an operation that has none. */
void slh_begin(struct slh *s, const struct params *p, bool r3,
	       const uint32_t *pk_seed, const uint32_t *sk_seed)
{
	s->p = p;
	s->r3 = r3;
	s->words = p->n / 4;
	s->prefix = s->words + ADRS_WORDS;
	set_seed(s, s->prf, pk_seed);
	set_seed(s, s->f, pk_seed);
	set_seed(s, s->list, pk_seed);
	for (unsigned z = 0; z < MAX_HEIGHT; z++)
		set_seed(s, s->h[z], pk_seed);
	if (sk_seed != NULL)
		copy_words(s->prf + s->prefix, sk_seed, s->words);
}

static void set_tree(struct slh *s, uint32_t *block, const uint32_t words[4])
{
	copy_words(block + s->words, words, 4);
}

/*
 * setLayerAddress and setTreeAddress (FIPS 205, section 4.3), everywhere. The
 * uppermost word of the tree address is zero in every set. Blocks of inner nodes
 * get type, key pair and height as well, which are the same for a whole tree.
 */
void slh_set_tree(struct slh *s, uint32_t layer, uint64_t tree,
		  uint32_t node_type, uint32_t key_pair)
{
	const uint32_t words[4] = {
		adrs_word(layer), 0, adrs_word((uint32_t)(tree >> 32)), adrs_word((uint32_t)tree),
	};

	set_tree(s, s->prf, words);
	set_tree(s, s->f, words);
	set_tree(s, s->list, words);
	for (unsigned z = 0; z < MAX_HEIGHT; z++) {
		uint32_t *adrs = s->h[z] + s->words;

		set_tree(s, s->h[z], words);
		adrs[TYPE] = adrs_byte(node_type);
		adrs[KEY_PAIR] = adrs_word(key_pair);
		adrs[TREE_HEIGHT] = adrs_byte(z + 1);
	}
}
