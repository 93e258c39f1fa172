#include "pke.h"

#include "hash.h"
#include "memory.h"
#include "poly.h"
#include "words.h"

enum { N = N3329, Q = Q3329, POLY_WORDS = POLY_SIZE / 4 };

/* A vector in T_q that products are made with, and a row of what it is multiplied by. */
struct vector {
	poly3329 *y;
	companion3329 *z;
	poly3329 *row;
	product3329 *product;
};

static struct vector vector_of(const struct params *p)
{
	static product3329 *const products[] = {product3329_1, product3329_2, product3329_3, product3329_4};

	return (struct vector){
		.y = memory_take(p->k * sizeof(poly3329)),
		.z = memory_take(p->k * sizeof(companion3329)),
		.row = memory_take(p->k * sizeof(poly3329)),
		.product = products[p->k - 1],
	};
}

/* The transform of y[i], with its companion. */
static void transform(struct vector *v, unsigned i)
{
	ntt3329(v->y[i]);
	companion3329_of(v->z[i], v->y[i]);
}

static void multiply(int16_t *out, const struct vector *v)
{
	v->product(out, (const poly3329 *)v->row, (const poly3329 *)v->y, (const companion3329 *)v->z);
}

/* K-PKE.KeyGen (FIPS 203, Algorithm 13). */
void pke_keygen(const struct params *p, bool r3, uint32_t *ek, uint32_t *dk, const uint32_t *d)
{
	size_t mark = memory_mark();
	struct vector s = vector_of(p);
	int16_t *t = memory_take(sizeof(poly3329)), *e = memory_take(sizeof(poly3329));
	struct seed rho, sigma;
	uint8_t k = p->k;

	hash_begin(SHA3_512);
	xof.absorb(d, HASH_SIZE);
	if (!r3)
		xof.absorb(&k, 1);
	hash_end();
	xof.squeeze(rho.words, HASH_SIZE);
	xof.squeeze(sigma.words, HASH_SIZE);
	for (unsigned i = 0; i < k; i++) {
		poly_sample_cbd(s.y[i], &sigma, i, p->eta1);
		transform(&s, i);
		poly_encode12(dk + i * POLY_WORDS, s.y[i]);
	}
	for (unsigned i = 0; i < k; i++) {
		poly_sample_cbd(e, &sigma, k + i, p->eta1);
		ntt3329(e);
		for (unsigned j = 0; j < k; j++)
			poly_sample_ntt(s.row[j], &rho, j, i);
		multiply(t, &s);
		for (unsigned j = 0; j < N; j++) /* without the product's factor, -2^-32 */
			t[j] = (int16_t)(mul3329(t[j], CONSTANT3329(-(0x100000000 % Q))) + e[j]);
		poly_encode12(ek + i * POLY_WORDS, t);
	}
	copy_words(ek + k * POLY_WORDS, rho.words, HASH_SIZE);
	memory_back(mark);
}

/* K-PKE.Encrypt (FIPS 203, Algorithm 14). */
void pke_encrypt(const struct params *p, uint32_t *c, const uint32_t *ek, const uint32_t *m,
		 const uint32_t *r)
{
	size_t mark = memory_mark();
	struct vector y = vector_of(p);
	int16_t *u = memory_take(sizeof(poly3329));
	struct seed rho, coins;
	unsigned k = p->k;

	copy_words(rho.words, ek + k * POLY_WORDS, HASH_SIZE);
	copy_words(coins.words, r, HASH_SIZE);
	for (unsigned i = 0; i < k; i++) {
		poly_sample_cbd(y.y[i], &coins, i, p->eta1);
		transform(&y, i);
	}
	for (unsigned i = 0; i < k; i++) {
		for (unsigned j = 0; j < k; j++) /* a column of the matrix */
			poly_sample_ntt(y.row[j], &rho, i, j);
		multiply(u, &y);
		inverse_ntt3329(u);
		poly_add_cbd2(u, &coins, k + i);
		poly_compress(c, u, p->du);
		c += 8 * p->du;
	}
	for (unsigned i = 0; i < k; i++)
		poly_decode12(y.row[i], ek + i * POLY_WORDS);
	multiply(u, &y);
	inverse_ntt3329(u);
	poly_add_cbd2(u, &coins, 2 * k);
	poly_add_message(u, m);
	poly_compress(c, u, p->dv);
	memory_back(mark);
}

/* K-PKE.Decrypt (FIPS 203, Algorithm 15). */
void pke_decrypt(const struct params *p, uint32_t *m, const uint32_t *dk, const uint32_t *c)
{
	size_t mark = memory_mark();
	struct vector u = vector_of(p);
	int16_t *w = memory_take(sizeof(poly3329)), *v = u.row[0];
	unsigned k = p->k;

	for (unsigned i = 0; i < k; i++) {
		poly_decompress(u.y[i], c, p->du);
		transform(&u, i);
		poly_decode12(u.row[i], dk + i * POLY_WORDS);
		c += 8 * p->du;
	}
	multiply(w, &u);
	inverse_ntt3329(w);
	poly_decompress(v, c, p->dv);
	for (unsigned i = 0; i < N; i++)
		w[i] = (int16_t)(v[i] - w[i]);
	poly_compress(m, w, 1);
	memory_back(mark);
}
