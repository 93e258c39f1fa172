#include "kem.h"

#include "bits.h"
#include "hash.h"
#include "memory.h"
#include "pke.h"
#include "words.h"

enum { WORDS = HASH_SIZE / 4 };

/* J of FIPS 203, section 4.1; round 3 calls it KDF. */
static void kdf(uint32_t *key, const uint32_t *secret, const uint32_t *rest, size_t len)
{
	hash2(SHAKE256, key, SECRET_SIZE, secret, HASH_SIZE, rest, len);
}

/* Round 3: the secret is a hash of what FIPS 203 takes for it and of H(c). */
static void kdf_r3(uint32_t *key, const uint32_t *secret, const uint32_t *c, size_t len)
{
	uint32_t h[WORDS];

	hash(SHA3_256, h, sizeof h, c, len);
	kdf(key, secret, h, sizeof h);
}

/* ML-KEM.KeyGen_internal (FIPS 203, Algorithm 16). */
void kem_keygen(const struct params *p, bool r3, uint32_t *ek, uint32_t *dk, const uint32_t *seed)
{
	size_t size = params_ek(p);
	uint32_t *to = dk + p->k * POLY_SIZE / 4;

	pke_keygen(p, r3, ek, dk, seed);
	copy_words(to, ek, size);
	to += size / 4;
	hash(SHA3_256, to, HASH_SIZE, ek, size);
	copy_words(to + WORDS, seed + WORDS, HASH_SIZE);
}

/* ML-KEM.Encaps_internal (FIPS 203, Algorithm 17). */
void kem_encaps(const struct params *p, bool r3, uint32_t *key, uint32_t *c, const uint32_t *ek,
		const uint32_t *m)
{
	uint32_t in[2 * WORDS], out[2 * WORDS]; /* of G: m, H(ek); K, r */

	if (r3)
		hash(SHA3_256, in, HASH_SIZE, m, MESSAGE_SIZE);
	else
		copy_words(in, m, MESSAGE_SIZE);
	hash(SHA3_256, in + WORDS, HASH_SIZE, ek, params_ek(p));
	hash(SHA3_512, out, sizeof out, in, sizeof in);
	pke_encrypt(p, c, ek, in, out + WORDS);
	if (r3)
		kdf_r3(key, out, c, params_c(p));
	else
		copy_words(key, out, SECRET_SIZE);
}

/* All ones if a and b differ, else 0. */
static uint32_t differ(const uint32_t *a, const uint32_t *b, size_t words)
{
	uint32_t d = 0;

	for (size_t i = 0; i < words; i++)
		d |= a[i] ^ b[i];
	return -((d | -d) >> 31);
}

/* ML-KEM.Decaps_internal (FIPS 203, Algorithm 18). */
void kem_decaps(const struct params *p, bool r3, uint32_t *key, const uint32_t *dk, const uint32_t *c)
{
	const uint32_t *ek = dk + p->k * POLY_SIZE / 4, *h = ek + params_ek(p) / 4, *z = h + WORDS;
	size_t mark = memory_mark(), size = params_c(p);
	uint32_t in[2 * WORDS], out[2 * WORDS]; /* of G: m', h; K', r' */
	uint32_t reject[WORDS];
	uint32_t *again = memory_take(size);

	pke_decrypt(p, in, dk, c);
	copy_words(in + WORDS, h, HASH_SIZE);
	hash(SHA3_512, out, sizeof out, in, sizeof in);
	if (r3)
		copy_words(reject, z, HASH_SIZE);
	else
		kdf(reject, z, c, size);
	pke_encrypt(p, again, ek, in, out + WORDS);

	uint32_t mask = differ(c, again, size / 4);

	for (unsigned i = 0; i < WORDS; i++)
		reject[i] = out[i] ^ (mask & (out[i] ^ reject[i]));
	if (r3)
		kdf_r3(key, reject, c, size);
	else
		copy_words(key, reject, SECRET_SIZE);
	memory_back(mark);
}

/* Numbers of 12 bits, which have to be below q. Keys for encapsulation are public. */
bool kem_check_ek(const struct params *p, const uint32_t *ek)
{
	for (const uint32_t *end = ek + p->k * POLY_SIZE / 4; ek < end; ek += 12) {
#pragma GCC unroll 32
		for (unsigned i = 0; i < 32; i++)
			if (bits_of(ek, i, 12) >= 3329)
				return false;
	}
	return true;
}

bool kem_check_dk(const struct params *p, const uint32_t *dk)
{
	const uint32_t *ek = dk + p->k * POLY_SIZE / 4;
	size_t size = params_ek(p);
	uint32_t h[WORDS];

	hash(SHA3_256, h, HASH_SIZE, ek, size);
	return differ(h, ek + size / 4, WORDS) == 0;
}
