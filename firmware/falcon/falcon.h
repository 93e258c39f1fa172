/*
 * Falcon, round 3: key generation, signing, verification. Letters are those of the
 * specification (1.2), results those of the submission bit for bit; pqc/falcon, the
 * host reference, says what decides them.
 *
 * One message is hashed at a time, as xof.h wants it, and no two of the scheme ever
 * interleave: key generation has one, whose stream it draws from between computations
 * that hash nothing; signing is done with the message that makes the point before it
 * begins the one that keys ChaCha20.
 */
#ifndef FALCON_FALCON_H
#define FALCON_FALCON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fpr.h"

enum {
	Q = 12289,
	MAX_LOGN = 10,
	MAX_N = 1 << MAX_LOGN,
	SEED_SIZE = 48,
	NONCE_SIZE = 40,
	MAX_PK = 1793,
	MAX_SK = 2305,
	MAX_SIG = 1462,
	MOST_VECTORS = 100, /* drawn for a signature; of a key of keygen hardly one in a thousand is too long */
};

/* A parameter set (section 3.13). */
struct params {
	uint8_t logn;
	uint8_t fg_bits;   /* of a coefficient of f or g in the secret key */
	uint16_t padded;   /* bytes of a padded signature */
	uint16_t most;     /* bytes a compressed signature has at most */
	uint32_t bound;    /* largest squared norm of a short vector */
	fpr inverse_sigma; /* 1/sigma */
	fpr sigma_min;
};
extern const struct params params_sets[2];

static inline unsigned params_n(const struct params *p) { return 1u << p->logn; }
static inline size_t params_pk(const struct params *p) { return 1 + (14u << p->logn) / 8; }
static inline size_t params_sk(const struct params *p) { return 1 + ((2u * p->fg_bits + 8) << p->logn) / 8; }

/* A secret key. */
struct key {
	int8_t f[MAX_N], g[MAX_N], F[MAX_N], G[MAX_N];
};

/*
 * operations.c: keys and signatures are bytes as the submission has them. keygen
 * returns how many pairs f, g were drawn. sign returns the length of the signature, or 0
 * if sk is no key, none of MOST_VECTORS vectors is short or the signature too long;
 * *attempts is how many were drawn.
 */
uint32_t falcon_keygen(const struct params *p, uint8_t *sk, uint8_t *pk, const uint8_t *seed);
size_t falcon_sign(const struct params *p, uint8_t *sig, const uint8_t *sk, const uint8_t *m, size_t m_len,
		   const uint8_t *nonce, const uint8_t *seed, bool padded, uint32_t *attempts);
bool falcon_verify(const struct params *p, const uint8_t *sig, size_t sig_len, const uint8_t *m, size_t m_len,
		   const uint8_t *pk);

/* message.c. What a message is hashed for is, over Ascon, the byte behind it. */
enum purpose { FOR_KEYGEN, FOR_POINT, FOR_SIGNING };
void message_seed(enum purpose what, const uint8_t *seed);
void message_point(int32_t *c, unsigned n, const uint8_t *nonce, const uint8_t *m, size_t m_len);

/* codec.c. Decoders return false for what is no encoding. */
void encode_public(const struct params *p, uint8_t *pk, const int32_t *h);
bool decode_public(const struct params *p, int32_t *h, const uint8_t *pk);
void encode_secret(const struct params *p, uint8_t *sk, const struct key *k);
bool decode_secret(const struct params *p, struct key *k, const uint8_t *sk);
size_t compress(const struct params *p, uint8_t *out, size_t most, const int32_t *s2); /* 0: does not fit */
bool decompress(const struct params *p, int32_t *s2, const uint8_t *in, size_t len, size_t *used);

/* ntt.c: Z_q[x]/(x^n+1). */
bool public_key(const struct params *p, int32_t *h, const int8_t *f, const int8_t *g);
bool complete_key(const struct params *p, struct key *k);
void other_half(const struct params *p, int32_t *s1, const int32_t *c, const int32_t *s2, int32_t *h);

/* sign.c: s2 of a short vector, from the open stream that keys ChaCha20. *drawn counts
   vectors; false if it reaches MOST_VECTORS. */
bool short_vector(const struct params *p, int32_t *s2, const struct key *k, const int32_t *c, uint32_t *drawn);

/* keygen.c: a key and its h, from the open stream. Returns how many pairs were drawn. */
uint32_t generate(const struct params *p, struct key *k, int32_t *h);

#endif
