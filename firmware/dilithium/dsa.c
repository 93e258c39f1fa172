#include "dsa.h"

#include "hash.h"
#include "memory.h"
#include "ntt3329.h"
#include "pack.h"
#include "sample.h"
#include "words.h"

enum { ENDS_BADLY = 1u << 31 };

typedef int16_t short_poly[N];

static product *product_of(unsigned terms)
{
	static product *const products[] = {product_4, product_5, product_6, product_7, product_8};

	return products[terms - 4];
}

static void seed_from(struct seed *s, const uint32_t *bytes, size_t size) { copy_words(s->words, bytes, size); }

/* Line 6 of Algorithm 7. */
static void hash_message(uint32_t *mu, const uint32_t *tr, size_t tr_size, const struct dsa_message *m)
{
	if (m->mu != NULL) {
		copy_words(mu, m->mu, MU_SIZE);
		return;
	}
	hash_begin(SHAKE256);
	xof.absorb(tr, tr_size);
	if (m->prefix_len > 0)
		xof.absorb(m->prefix, m->prefix_len);
	if (m->context_len > 0)
		xof.absorb(m->context, m->context_len);
	xof.absorb(m->m, m->m_len);
	hash_end();
	xof.squeeze(mu, MU_SIZE);
}

/* ML-DSA.KeyGen_internal (Algorithm 6), with pkEncode and skEncode (22, 24). */
void dsa_keygen(const struct params *p, bool r3, uint32_t *pk, uint32_t *sk, const uint32_t *seed)
{
	size_t mark = memory_mark();
	unsigned k = p->k, l = p->l, tr_size = params_tr(r3);
	poly *s1 = memory_take(l * sizeof(poly)), *row = memory_take(l * sizeof(poly));
	int32_t *t = memory_take(sizeof(poly));
	int16_t *s = memory_take(sizeof(short_poly));
	uint32_t *to = sk + (2 * HASH_SIZE + tr_size) / 4;
	uint8_t sizes[2] = {(uint8_t)k, (uint8_t)l};
	struct seed rho, rho1;

	hash_begin(SHAKE256);
	xof.absorb(seed, SEED_SIZE);
	if (!r3)
		xof.absorb(sizes, sizeof sizes);
	hash_end();
	xof.squeeze(rho.words, HASH_SIZE);
	xof.squeeze(rho1.words, RHO_SIZE);
	xof.squeeze(sk + HASH_SIZE / 4, HASH_SIZE); /* K */
	copy_words(pk, rho.words, HASH_SIZE);
	copy_words(sk, rho.words, HASH_SIZE);
	for (unsigned i = 0; i < l; i++, to += params_s(p) / 4) {
		sample_bounded(s, &rho1, i, p->eta);
		pack_s(to, s, p->eta);
		for (unsigned j = 0; j < N; j++)
			s1[i][j] = s[j];
		ntt(s1[i]);
	}

	uint32_t *t1 = pk + HASH_SIZE / 4, *t0 = to + k * params_s(p) / 4;

	for (unsigned i = 0; i < k; i++) {
		sample_bounded(s, &rho1, l + i, p->eta);
		pack_s(to, s, p->eta);
		for (unsigned j = 0; j < l; j++)
			sample_uniform(row[j], &rho, j, i);
		product_of(l)(t, (const poly *)row, (const poly *)s1);
		inverse_ntt(t);
		round_t(t1, t0, t, s);
		to += params_s(p) / 4;
		t1 += T1_SIZE / 4;
		t0 += T0_SIZE / 4;
	}
	hash(SHAKE256, sk + 2 * HASH_SIZE / 4, tr_size, pk, params_pk(p));
	memory_back(mark);
}

/* A secret key and everything else that is the same in all attempts. */
struct signing {
	const struct params *p;
	bool r3;
	product *product;
	struct seed rho; /* rho'' */
	uint32_t mu[MU_SIZE / 4];
	poly *a;            /* the matrix, row by row */
	short_poly *s1, *s2; /* transforms modulo 3329 */
	poly *t0;           /* transforms */

	/* An attempt's. */
	poly *y, *y_hat; /* y becomes z */
	poly *w;         /* w, then its low bits, less cs2 and so on */
	uint8_t (*w1)[N];
	uint32_t challenge[MAX_CHALLENGE / 4];
	short_poly *c; /* the challenge, in the end its transform modulo 3329 */
	int16_t *c_companion;
	int32_t *c_hat; /* and modulo q */
};

static void begin_signing(struct signing *s, const uint32_t *sk, const struct dsa_message *m,
			  const uint32_t *rnd)
{
	const struct params *p = s->p;
	unsigned k = p->k, l = p->l;
	const uint32_t *key = sk + HASH_SIZE / 4, *tr = key + HASH_SIZE / 4;
	const uint32_t *in = tr + params_tr(s->r3) / 4;
	struct seed rho;

	s->product = product_of(l);
	s->a = memory_take(k * l * sizeof(poly));
	s->s1 = memory_take(l * sizeof(short_poly));
	s->s2 = memory_take(k * sizeof(short_poly));
	s->t0 = memory_take(k * sizeof(poly));
	s->y = memory_take(l * sizeof(poly));
	s->y_hat = memory_take(l * sizeof(poly));
	s->w = memory_take(k * sizeof(poly));
	s->w1 = memory_take(k * N);
	s->c = memory_take(sizeof(short_poly));
	s->c_companion = memory_take(sizeof(companion3329));
	s->c_hat = memory_take(sizeof(poly));

	hash_message(s->mu, tr, params_tr(s->r3), m);

	/* rho'' of line 7. */
	uint32_t rho2[RHO_SIZE / 4];

	hash_begin(SHAKE256);
	xof.absorb(key, HASH_SIZE);
	if (!s->r3)
		xof.absorb(rnd, RANDOM_SIZE);
	xof.absorb(s->mu, MU_SIZE);
	hash_end();
	xof.squeeze(rho2, RHO_SIZE);
	seed_from(&s->rho, rho2, RHO_SIZE);

	for (unsigned i = 0; i < l; i++, in += params_s(p) / 4) {
		unpack_s(s->s1[i], in, p->eta);
		ntt3329(s->s1[i]);
	}
	for (unsigned i = 0; i < k; i++, in += params_s(p) / 4) {
		unpack_s(s->s2[i], in, p->eta);
		ntt3329(s->s2[i]);
	}
	for (unsigned i = 0; i < k; i++, in += T0_SIZE / 4) {
		unpack_t0(s->t0[i], in);
		ntt(s->t0[i]);
	}
	seed_from(&rho, sk, HASH_SIZE);
	for (unsigned i = 0; i < k; i++)
		for (unsigned j = 0; j < l; j++)
			sample_uniform(s->a[i * l + j], &rho, j, i);
}

/* Lines 11 to 15 of Algorithm 7: y, w, the challenge. What is hashed goes to the XOF
   polynomial by polynomial. */
static void commit(struct signing *s, unsigned kappa)
{
	const struct params *p = s->p;

	for (unsigned i = 0; i < p->l; i++) {
		sample_mask(s->y[i], &s->rho, kappa + i, p->gamma1_bits);
		copy_words((uint32_t *)s->y_hat[i], (const uint32_t *)s->y[i], sizeof(poly));
		ntt(s->y_hat[i]);
	}
	hash_begin(SHAKE256);
	xof.absorb(s->mu, MU_SIZE);
	for (unsigned i = 0; i < p->k; i++) {
		uint32_t packed[192 / 4];

		s->product(s->w[i], (const poly *)s->a + i * p->l, (const poly *)s->y_hat);
		inverse_ntt(s->w[i]);
		decompose(s->w1[i], s->w[i], p);
		pack_w1(packed, s->w1[i], p);
		xof.absorb(packed, params_w1(p));
	}
	hash_end();
	xof.squeeze(s->challenge, params_c(p, s->r3));
	sample_ball(*s->c, s->challenge, params_c(p, s->r3), p->tau);
}

/*
 * c times a polynomial of s1 or s2. Its coefficients are at most tau times 15 for any
 * secret key, which is below 3329/2: so the product modulo 3329 is the product.
 */
static void challenge_times(int16_t *out, const struct signing *s, const short_poly *secret)
{
	product3329_1(out, secret, (const short_poly *)s->c, (const companion3329 *)s->c_companion);
	inverse_ntt3329(out);
}

/* Lines 18 to 30: the response. Returns how many hints there are, or ENDS_BADLY. */
static uint32_t respond(struct signing *s)
{
	const struct params *p = s->p;
	int32_t beta = (int32_t)params_beta(p), hints = 0;
	short_poly product;
	int32_t *ct0 = s->y_hat[0];

	for (unsigned i = 0; i < N; i++)
		s->c_hat[i] = (*s->c)[i];
	ntt3329(*s->c);
	companion3329_of(s->c_companion, *s->c);
	for (unsigned i = 0; i < p->l; i++) { /* z = y + cs1 */
		challenge_times(product, s, &s->s1[i]);
		if (sum_exceeds(s->y[i], product, (1 << p->gamma1_bits) - beta))
			return ENDS_BADLY;
	}
	for (unsigned i = 0; i < p->k; i++) { /* if r0 - cs2 is small enough, it is the low bits of w - cs2 */
		challenge_times(product, s, &s->s2[i]);
		if (difference_exceeds(s->w[i], product, p->gamma2 - beta))
			return ENDS_BADLY;
	}
	ntt(s->c_hat);
	for (unsigned i = 0; i < p->k; i++) {
		int32_t *r = s->w[i];

		product_1(ct0, (const poly *)s->t0 + i, (const poly *)s->c_hat);
		inverse_ntt(ct0);
		for (unsigned j = 0; j < N; j++) /* from -q/2 to q/2 */
			ct0[j] -= ((Q - 1) / 2 - ct0[j]) >> 31 & Q;
		if (exceeds(ct0, p->gamma2))
			return ENDS_BADLY;
		/* Does ct0 change the high bits? Not if what becomes of the low bits is one of
		   theirs. */
		for (unsigned j = 0; j < N; j++) {
			int32_t low = r[j] + ct0[j], outside = (p->gamma2 - low) | (p->gamma2 + low);
			int32_t edge = low + p->gamma2, high = s->w1[i][j]; /* both 0: no hint */

			edge = (edge | -edge) >> 31; /* -1 unless low is -gamma2 */
			high = -high >> 31;          /* -1 unless the high bits are 0 */
			r[j] = (outside >> 31 | (~edge & high)) & 1;
			hints += r[j];
		}
	}
	return hints <= p->omega ? (uint32_t)hints : ENDS_BADLY;
}

/* sigEncode (Algorithm 26). Hints of a signature are public. */
static void write_signature(uint32_t *sig, const struct signing *s)
{
	const struct params *p = s->p;
	unsigned c_size = params_c(p, s->r3), count = 0;

	copy_words(sig, s->challenge, c_size);
	sig += c_size / 4;
	for (unsigned i = 0; i < p->l; i++, sig += params_z(p) / 4)
		pack_z(sig, s->y[i], p->gamma1_bits);

	uint8_t *h = (uint8_t *)sig;

	for (unsigned i = 0; i < p->k; i++) {
		for (unsigned j = 0; j < N; j++)
			if (s->w[i][j] != 0)
				h[count++] = (uint8_t)j;
		h[p->omega + i] = (uint8_t)count;
	}
	while (count < p->omega)
		h[count++] = 0;
}

/* ML-DSA.Sign_internal (Algorithm 7). */
uint32_t dsa_sign(const struct params *p, bool r3, uint32_t *sig, const uint32_t *sk,
		  const struct dsa_message *m, const uint32_t *rnd)
{
	size_t mark = memory_mark();
	struct signing s = {.p = p, .r3 = r3};
	uint32_t attempts = 0;

	begin_signing(&s, sk, m, rnd);
	do {
		commit(&s, attempts * p->l);
		attempts++;
	} while (respond(&s) == ENDS_BADLY);
	write_signature(sig, &s);
	memory_back(mark);
	return attempts;
}

/* HintBitUnpack (Algorithm 21) without unpacking: are these hints well formed? */
static bool hints_are_good(const uint8_t *h, const struct params *p)
{
	unsigned at = 0;

	for (unsigned i = 0; i < p->k; i++) {
		unsigned first = at, end = h[p->omega + i];

		if (end < at || end > p->omega)
			return false;
		for (; at < end; at++)
			if (at > first && h[at - 1] >= h[at])
				return false;
	}
	for (; at < p->omega; at++)
		if (h[at] != 0)
			return false;
	return true;
}

/* ML-DSA.Verify_internal (Algorithm 8). */
bool dsa_verify(const struct params *p, bool r3, const uint32_t *sig, size_t sig_len,
		const uint32_t *pk, const struct dsa_message *m)
{
	size_t mark = memory_mark();
	unsigned k = p->k, l = p->l, c_size = params_c(p, r3);

	if (sig_len != params_sig(p, r3))
		return false;

	/* z and, behind it, -c; a row of the matrix and, behind it, t1: one product. */
	poly *z = memory_take((l + 1) * sizeof(poly)), *row = memory_take((l + 1) * sizeof(poly));
	int32_t *w = memory_take(sizeof(poly));
	uint8_t *w1 = memory_take(N);
	int16_t *c = memory_take(sizeof(short_poly));
	uint32_t tr[MAX_TR / 4], mu[MU_SIZE / 4], challenge[MAX_CHALLENGE / 4];
	struct seed rho;
	const uint32_t *in = sig + c_size / 4, *t1 = pk + HASH_SIZE / 4;
	const uint8_t *hints = (const uint8_t *)(in + l * params_z(p) / 4);
	bool good = true;

	if (m->mu == NULL)
		hash(SHAKE256, tr, params_tr(r3), pk, params_pk(p));
	hash_message(mu, tr, params_tr(r3), m);
	if (!hints_are_good(hints, p))
		good = false;
	for (unsigned i = 0; i < l && good; i++, in += params_z(p) / 4) {
		unpack_z(z[i], in, p->gamma1_bits);
		good = !exceeds(z[i], (1 << p->gamma1_bits) - (int32_t)params_beta(p));
	}
	if (!good) {
		memory_back(mark);
		return false;
	}
	for (unsigned i = 0; i < l; i++)
		ntt(z[i]);
	sample_ball(c, sig, c_size, p->tau);
	for (unsigned i = 0; i < N; i++)
		z[l][i] = -c[i];
	ntt(z[l]);

	seed_from(&rho, pk, HASH_SIZE);

	/* All rows are done before their high bits are hashed, as there is one message at
	   a time: the packed high bits wait. */
	uint32_t *packed = memory_take(k * params_w1(p)), *to = packed;

	for (unsigned i = 0, at = 0; i < k; i++, t1 += T1_SIZE / 4, to += params_w1(p) / 4) {
		unsigned end = hints[p->omega + i];

		for (unsigned j = 0; j < l; j++)
			sample_uniform(row[j], &rho, j, i);
		unpack_t1(row[l], t1);
		ntt(row[l]);
		product_of(l + 1)(w, (const poly *)row, (const poly *)z);
		inverse_ntt(w);
		use_hints(w1, w, hints + at, end - at, p);
		pack_w1(to, w1, p);
		at = end;
	}
	hash2(SHAKE256, challenge, c_size, mu, MU_SIZE, packed, k * params_w1(p));
	for (unsigned i = 0; i < c_size / 4; i++)
		good &= challenge[i] == sig[i];
	memory_back(mark);
	return good;
}
