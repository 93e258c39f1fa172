/*
 * The three operations, from bytes to bytes.
 */
#include <string.h>

#include "falcon.h"
#include "memory.h"

enum { HEADER_SIGNATURE = 0x30 };

uint32_t falcon_keygen(const struct params *p, uint8_t *sk, uint8_t *pk, const uint8_t *seed)
{
	struct key *k = memory_take(sizeof *k);
	int32_t *h = memory_take(params_n(p) * sizeof *h);

	message_seed(FOR_KEYGEN, seed);

	uint32_t drawn = generate(p, k, h);

	encode_secret(p, sk, k);
	encode_public(p, pk, h);
	return drawn;
}

size_t falcon_sign(const struct params *p, uint8_t *sig, const uint8_t *sk, const uint8_t *m, size_t m_len,
		   const uint8_t *nonce, const uint8_t *seed, bool padded, uint32_t *attempts)
{
	struct key *k = memory_take(sizeof *k);
	int32_t *c = memory_take(params_n(p) * sizeof *c), *s2 = memory_take(params_n(p) * sizeof *s2);
	size_t most = (padded ? p->padded : p->most) - 1 - NONCE_SIZE, len;

	*attempts = 0;
	if (!decode_secret(p, k, sk))
		return 0;
	*sig++ = (uint8_t)(HEADER_SIGNATURE + p->logn);
	memcpy(sig, nonce, NONCE_SIZE);
	sig += NONCE_SIZE;
	message_point(c, params_n(p), nonce, m, m_len);
	message_seed(FOR_SIGNING, seed);
	do {
		if (!short_vector(p, s2, k, c, attempts))
			return 0;
		len = compress(p, sig, most, s2);
	} while (len == 0 && padded);
	if (padded) {
		memset(sig + len, 0, most - len);
		len = most;
	}
	return len == 0 ? 0 : 1 + NONCE_SIZE + len;
}

/* Verify (Algorithm 16). */
bool falcon_verify(const struct params *p, const uint8_t *sig, size_t sig_len, const uint8_t *m, size_t m_len,
		   const uint8_t *pk)
{
	unsigned n = params_n(p);
	int32_t *c = memory_take(n * sizeof *c), *h = memory_take(n * sizeof *h);
	int32_t *s1 = memory_take(n * sizeof *s1), *s2 = memory_take(n * sizeof *s2);
	size_t len = sig_len - 1 - NONCE_SIZE, used;

	if (!decode_public(p, h, pk) || sig_len <= 1 + NONCE_SIZE || *sig++ != HEADER_SIGNATURE + p->logn ||
	    !decompress(p, s2, sig + NONCE_SIZE, len, &used))
		return false;
	if (used != len && sig_len != p->padded)
		return false;
	for (; used < len; used++)
		if (sig[NONCE_SIZE + used] != 0)
			return false;
	message_point(c, n, sig, m, m_len);
	other_half(p, s1, c, s2, h);

	uint32_t norm = 0, large = 0;

	for (unsigned i = 0; i < n; i++) {
		norm += (uint32_t)(s1[i] * s1[i]);
		large |= norm;
		norm += (uint32_t)(s2[i] * s2[i]);
		large |= norm;
	}
	return large >> 31 == 0 && norm <= p->bound;
}
