/*
 * The operations of SLH-DSA: FIPS 205, section 9, and what sections 10.2 and 10.3
 * put before the message.
 */
#include "slh.h"

#include <string.h>

#include "xof.h"

static void absorb_message(const struct slh_message *m)
{
	xof.absorb(m->prefix, m->prefix_len);
	xof.absorb(m->context, m->context_len);
	xof.absorb(m->m, m->m_len);
}

/* PRF_msg(SK.prf, opt_rand, M) (FIPS 205, section 11.1). */
static void prf_msg(uint32_t *r, unsigned n, const uint32_t *sk_prf, const uint32_t *opt_rand,
		    const struct slh_message *m)
{
	xof.init(SHAKE256);
	xof.absorb(sk_prf, n);
	xof.absorb(opt_rand, n);
	absorb_message(m);
	xof.finish();
	xof.squeeze(r, n);
}

/* toInt (FIPS 205, Algorithm 2). */
static uint64_t to_int(const uint8_t *x, unsigned n)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < n; i++)
		total = total << 8 | x[i];
	return total;
}

/* H_msg and what is read from the digest (FIPS 205, Algorithm 19, lines 5 to 10).
   pk is PK.seed, PK.root. The first bytes of digest are md. */
static void digest_message(const struct slh *s, uint8_t digest[MAX_DIGEST],
			   uint64_t *idx_tree, uint32_t *idx_leaf,
			   const uint32_t *r, const uint32_t *pk, const struct slh_message *m)
{
	const struct params *p = s->p;
	unsigned hp = params_hp(p);
	unsigned md_bytes = (p->k * p->a + 7) / 8;
	unsigned tree_bytes = (p->h - hp + 7) / 8, leaf_bytes = (hp + 7) / 8;

	xof.init(SHAKE256);
	xof.absorb(r, p->n);
	xof.absorb(pk, 2 * p->n);
	absorb_message(m);
	xof.finish();
	xof.squeeze(digest, md_bytes + tree_bytes + leaf_bytes);

	/* h - h' is 54 to 64: neither shift is by 64 or more. */
	*idx_tree = to_int(digest + md_bytes, tree_bytes) & UINT64_MAX >> (64 - (p->h - hp));
	*idx_leaf = to_int(digest + md_bytes + tree_bytes, leaf_bytes) & ((1u << hp) - 1);
}

/* slh_keygen_internal (FIPS 205, Algorithm 18). */
void slh_keygen(struct slh *s, const struct params *p, bool r3,
		uint32_t *sk, uint32_t *pk, const uint32_t *seed)
{
	unsigned words = p->n / 4;
	const uint32_t *sk_seed = seed, *pk_seed = seed + 2 * words;

	slh_begin(s, p, r3, pk_seed, sk_seed);
	slh_xmss_root(s, pk + words, p->d - 1, 0);
	copy_words(pk, pk_seed, words);
	memcpy(sk, seed, 3 * p->n);
	copy_words(sk + 3 * words, pk + words, words);
}

/* slh_sign_internal (FIPS 205, Algorithm 19) of M'. */
void slh_sign(struct slh *s, const struct params *p, bool r3,
	      uint32_t *sig, const uint32_t *sk, const struct slh_message *m,
	      const uint32_t *opt_rand)
{
	unsigned words = p->n / 4;
	const uint32_t *sk_seed = sk, *sk_prf = sk + words, *pk = sk + 2 * words;
	uint32_t *sig_fors = sig + words, *sig_ht = sig_fors + p->k * (1 + p->a) * words;
	uint8_t digest[MAX_DIGEST];
	uint32_t pk_fors[MAX_WORDS];
	uint64_t idx_tree;
	uint32_t idx_leaf;

	slh_begin(s, p, r3, pk, sk_seed);
	prf_msg(sig, p->n, sk_prf, opt_rand, m);
	digest_message(s, digest, &idx_tree, &idx_leaf, sig, pk, m);
	slh_fors_sign(s, pk_fors, sig_fors, digest, idx_tree, idx_leaf);
	slh_ht_sign(s, sig_ht, pk_fors, idx_tree, idx_leaf);
}

/* slh_verify_internal (FIPS 205, Algorithm 20) of M'. */
bool slh_verify(struct slh *s, const struct params *p, bool r3,
		const uint32_t *sig, size_t sig_len, const uint32_t *pk,
		const struct slh_message *m)
{
	unsigned words = p->n / 4;
	const uint32_t *sig_fors = sig + words, *sig_ht = sig_fors + p->k * (1 + p->a) * words;
	uint8_t digest[MAX_DIGEST];
	uint32_t pk_fors[MAX_WORDS], root[MAX_WORDS];
	uint64_t idx_tree;
	uint32_t idx_leaf;

	if (sig_len != params_signature(p))
		return false;
	slh_begin(s, p, r3, pk, NULL);
	digest_message(s, digest, &idx_tree, &idx_leaf, sig, pk, m);
	slh_fors_pk_from_sig(s, pk_fors, sig_fors, digest, idx_tree, idx_leaf);
	slh_ht_root(s, root, sig_ht, pk_fors, idx_tree, idx_leaf);
	return memcmp(root, pk + words, p->n) == 0;
}
