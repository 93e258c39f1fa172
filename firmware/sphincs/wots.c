/*
 * WOTS+ (FIPS 205, section 5), lg_w = 4.
 */
#include "slh.h"
#include "xof.h"

enum { W = 16, LEN2 = 3 };

/*
 * The message as digits with their checksum (FIPS 205, Algorithm 7, lines 1 to 7).
 * len_2 digits of 4 bits do not fill two bytes, so the checksum is shifted left by
 * 4 there; here its digits are taken from it directly.
 */
void slh_wots_digits(struct slh *s, const uint32_t *m)
{
	const uint8_t *bytes = (const uint8_t *)m;
	unsigned len1 = 2 * s->p->n, csum = 0;

	for (unsigned i = 0; i < len1; i += 2) {
		s->digits[i] = bytes[i / 2] >> 4;
		s->digits[i + 1] = bytes[i / 2] & 15;
		csum += 2 * (W - 1) - s->digits[i] - s->digits[i + 1];
	}
	for (unsigned i = 0; i < LEN2; i++)
		s->digits[len1 + i] = csum >> 4 * (LEN2 - 1 - i) & 15;
}

/* chain (FIPS 205, Algorithm 5) from the value in block f. The chain address is
   set. */
static void wots_chain(struct slh *s, uint32_t *out, unsigned start, unsigned steps)
{
	if (steps > 0) {
		s->f[s->words + HASH] = adrs_byte(start);
		xof.chain(out, s->f, s->words, steps);
	} else {
		copy_words(out, s->f + s->prefix, s->words);
	}
}

/* T_len over the chain ends in block list. */
static void wots_compress(struct slh *s, uint32_t *pk, uint32_t i)
{
	uint32_t *adrs = s->list + s->words;

	adrs[TYPE] = adrs_byte(WOTS_PK);
	adrs[KEY_PAIR] = adrs_word(i);
	adrs[CHAIN] = adrs[HASH] = 0;
	slh_block_hash(s, pk, s->list, params_len(s->p) * s->words);
}

/* The chains of the key pair that signs: the values of the signature are some the
   chains pass through (wots_sign, FIPS 205, Algorithm 7). Addresses are set. */
static void sign_on_the_way(struct slh *s)
{
	uint32_t *prf = s->prf + s->words, *f = s->f + s->words;
	uint32_t *sig = s->sig, *end = s->list + s->prefix;
	unsigned len = params_len(s->p);

	for (unsigned j = 0; j < len; j++, sig += s->words, end += s->words) {
		unsigned digit = s->digits[j];

		prf[CHAIN] = f[CHAIN] = adrs_byte(j);
		f[HASH] = 0;
		if (digit > 0)
			xof.chains(sig, s->prf, s->f, s->words, digit, 1);
		else
			slh_block_hash(s, sig, s->prf, s->words);
		f[CHAIN] = adrs_byte(j);
		copy_words(s->f + s->prefix, sig, s->words);
		wots_chain(s, end, digit, W - 1 - digit);
	}
}

/*
 * wots_pkGen (FIPS 205, Algorithm 6) of key pair i, as a leaf of an XMSS tree. If
 * it is the leaf that signs, then wots_sign as well.
 */
void slh_wots_pk_gen(struct slh *s, uint32_t *pk, uint32_t i, uint32_t first)
{
	uint32_t *prf = s->prf + s->words, *f = s->f + s->words;
	unsigned len = params_len(s->p);

	(void)first;
	prf[TYPE] = adrs_byte(WOTS_PRF);
	f[TYPE] = adrs_byte(WOTS_HASH);
	prf[KEY_PAIR] = f[KEY_PAIR] = adrs_word(i);
	prf[CHAIN] = prf[HASH] = f[CHAIN] = f[HASH] = 0;
	if (i == s->idx && s->sig != NULL)
		sign_on_the_way(s);
	else
		xof.chains(s->list + s->prefix, s->prf, s->f, s->words, W - 1, len);
	wots_compress(s, pk, i);
}

/* wots_pkFromSig (FIPS 205, Algorithm 8). The digits are set. */
void slh_wots_pk_from_sig(struct slh *s, uint32_t *pk, const uint32_t *sig, uint32_t i)
{
	uint32_t *f = s->f + s->words, *end = s->list + s->prefix;
	unsigned len = params_len(s->p);

	f[TYPE] = adrs_byte(WOTS_HASH);
	f[KEY_PAIR] = adrs_word(i);
	for (unsigned j = 0; j < len; j++, sig += s->words, end += s->words) {
		f[CHAIN] = adrs_byte(j);
		copy_words(s->f + s->prefix, sig, s->words);
		wots_chain(s, end, s->digits[j], W - 1 - s->digits[j]);
	}
	wots_compress(s, pk, i);
}
