#include "sdith.h"

#include <string.h>

#include "check.h"
#include "hash.h"
#include "memory.h"
#include "prove.h"
#include "tree.h"

/* First bytes of hash inputs (SPEC, section 4.4); that of h_com is in tree.c. */
enum { AUX = 2, LINES = 3, PIOP = 4 };

/* A hash input in the making: one piece is faster to absorb than many. */
struct text {
	unsigned len;
	uint8_t bytes[1 + HASH_SIZE + (CHECK + CHECK_BITS * SEED_SIZE) + WITNESS];
};

static void append(struct text *t, const void *data, size_t len)
{
	memcpy(t->bytes + t->len, data, len);
	t->len += len;
}

static struct text *text_begin(uint8_t prefix)
{
	struct text *t = memory_take(sizeof *t);

	t->len = 0;
	append(t, &prefix, 1);
	return t;
}

static void text_hash(uint32_t *out, struct text *t, const void *more, size_t len)
{
	hash2(SHAKE128, out, HASH_SIZE, t->bytes, t->len, more, len);
}

static void hash_aux(uint32_t *h_aux, const uint32_t *h_com, const uint8_t *correction)
{
	size_t mark = memory_mark();
	struct text *t = text_begin(AUX);

	append(t, h_com, HASH_SIZE);
	append(t, correction, (TAU - 1) * VOLE);
	text_hash(h_aux, t, NULL, 0);
	memory_back(mark);
}

static void hash_lines(uint32_t *h_lines, const uint32_t *h_aux, const uint8_t *a_plain, const gf *a_base, const uint8_t *dwit)
{
	size_t mark = memory_mark();
	struct text *t = text_begin(LINES);

	append(t, h_aux, HASH_SIZE);
	append(t, a_plain, CHECK);
	append(t, a_base, CHECK_BITS * sizeof *a_base);
	append(t, dwit, WITNESS);
	text_hash(h_lines, t, NULL, 0);
	memory_back(mark);
}

static void hash_piop(uint32_t *h_piop, const uint8_t *seed_pk, const uint32_t *h_lines, const uint8_t *alpha,
		      const uint8_t *message, size_t len)
{
	size_t mark = memory_mark();
	struct text *t = text_begin(PIOP);

	append(t, seed_pk, SEED_SIZE);
	append(t, h_lines, HASH_SIZE);
	append(t, alpha, LEVELS * SEED_SIZE);
	text_hash(h_piop, t, message, len);
	memory_back(mark);
}

/* One attempt at a proof of work (SPEC, section 10.1). With kappa = 8, byte e of it is the
   hidden position of repetition e. */
static bool attempt(struct opening *o, uint8_t istar[TAU], const uint32_t *h_piop, uint32_t counter)
{
	uint32_t in[HASH_SIZE / 4 + 1], out[(POW + 3) / 4], all = 0;

	memcpy(in, h_piop, HASH_SIZE);
	in[HASH_SIZE / 4] = counter;
	hash(SHAKE128, out, sizeof out, in, sizeof in);
	for (unsigned i = 0; i < TAU / 4; i++)
		all |= out[i];
	if ((out[TAU / 4] & ((1 << POW_BITS) - 1)) != 0 || all == 0)
		return false;
	memcpy(istar, out, TAU);
	tree_opening(o, istar);
	return o->count <= OPEN;
}

/* Does each level of each block choose one thing, and one that is there? Not a verdict on
   H: that is the constant term of S. */
static bool is_witness(const uint8_t *wit)
{
	uint32_t wrong = 0;

	for (unsigned b = 0, at = 0; b < WEIGHT; b++) {
		uint32_t position = 0, weight = 1;

		for (unsigned level = 0; level < LEVELS; level++) {
			unsigned mu = level == 3 ? 3 : 4;
			uint32_t before = 0;

			for (unsigned k = 1; k < mu; k++, at++) {
				uint32_t bit = wit[at / 8] >> at % 8 & 1;

				wrong |= before & bit;
				before |= bit;
				position += -bit & k * weight;
			}
			weight *= mu;
		}
		wrong |= (BLOCK - 1 - position) >> 31;
	}
	return wrong == 0;
}

uint32_t sdith_sign(uint8_t sig[SIG_SIZE], const uint8_t sk[SK_SIZE], const uint8_t *message, size_t len,
		    const uint8_t entropy[ENTROPY_SIZE])
{
	const uint8_t *salt = entropy, *root = entropy + SEED_SIZE;
	const uint8_t *seed_pk = sk + SK_SEED, *wit = sk + SK_WITNESS;
	uint8_t *a_plain = sig + SIG_A_PLAIN, *dwit = sig + SIG_DWIT, *alpha = sig + SIG_ALPHA;
	uint32_t h_com[HASH_SIZE / 4], h_aux[HASH_SIZE / 4], h_lines[HASH_SIZE / 4], h_piop[HASH_SIZE / 4];

	if (!is_witness(wit))
		return 0;
	memcpy(sig + SIG_SALT, salt, SEED_SIZE);

	/* The tree and the VOLE. */
	struct vole *v = memory_take(sizeof *v);
	size_t mark = memory_mark();
	seed *leaves = memory_take(LEAVES * sizeof *leaves);

	memcpy(leaves[0], root, SEED_SIZE);
	for (unsigned n = 1; n < LEAVES; n *= 2)
		tree_grow(leaves, n, salt);
	tree_leaves(v, h_com, (const seed *)leaves, salt, NULL, NULL);
	memory_back(mark);

	const uint8_t *u = (const uint8_t *)v->acc[0];

	for (unsigned e = 1; e < TAU; e++)
		for (unsigned i = 0; i < VOLE; i++)
			sig[SIG_CORRECTION + (e - 1) * VOLE + i] = u[i] ^ ((const uint8_t *)v->acc[e])[i];

	/* The consistency response. */
	gf *a_base = memory_take(CHECK_BITS * sizeof *a_base);

	hash_aux(h_aux, h_com, sig + SIG_CORRECTION);
	check_respond(a_base, a_plain, h_aux, v->base, u);
	for (unsigned i = 0; i < WITNESS; i++)
		dwit[i] = wit[i] ^ u[WITNESS_AT / 8 + i];
	hash_lines(h_lines, h_aux, a_plain, a_base, dwit);
	memory_back(mark);

	/* The polynomials. */
	enum { LINES_FIRST = WITNESS_AT / 32 * 32, LINES_WORDS = ROW_WORDS - WITNESS_AT / 32 };
	struct challenge *c = memory_take(sizeof *c);
	gf *lines = memory_take(LINES_WORDS * 32 * sizeof *lines);
	poly sum;

	prove_challenge(c, h_lines);
	check_columns(lines, v->base, LINES_FIRST, LINES_WORDS);
	prove_sum(sum, c, seed_pk, sk + SK_Y, wit, lines + (WITNESS_AT - LINES_FIRST));
	memory_back(mark);
	if ((sum[0].w[0] | sum[0].w[1] | sum[0].w[2] | sum[0].w[3]) != 0)
		return 0;
	for (unsigned s = 0; s < 3; s++) { /* P0 */
		gf slope = check_mask(v->base, s), constant = gf_load(u + CHECK + s * SEED_SIZE);

		gf_add(&sum[4 - s], &slope);
		gf_add(&sum[3 - s], &constant);
	}
	memcpy(alpha, &sum[1], LEVELS * SEED_SIZE);
	hash_piop(h_piop, seed_pk, h_lines, alpha, message, len);
	memcpy(sig + SIG_H_PIOP, h_piop, HASH_SIZE);

	/* Proof of work and opening. */
	struct opening *o = memory_take(sizeof *o);
	uint8_t istar[TAU];
	uint32_t counter = 0;

	while (!attempt(o, istar, h_piop, counter))
		counter++;
	memcpy(sig + SIG_COUNTER, &counter, sizeof counter);
	memset(sig + SIG_PATH, 0, OPEN * SEED_SIZE);
	tree_open(sig + SIG_PATH, sig + SIG_HIDDEN_COM, o, root, salt);
	memory_back(mark);
	return counter + 1;
}

static unsigned gray(unsigned i) { return i ^ i >> 1; }

/* The rows of Q (SPEC, section 10.3, step 5) from those that lack hidden leaves. */
static void correct(struct vole *v, const uint8_t istar[TAU], const uint8_t *correction)
{
	for (unsigned e = 0; e < TAU; e++) {
		uint8_t *acc = (uint8_t *)v->acc[e];

		for (unsigned i = 0; e > 0 && i < VOLE; i++)
			acc[i] ^= *correction++;
		for (unsigned j = 0; j < KAPPA; j++)
			for (unsigned i = 0; gray(istar[e]) >> j & 1 && i < ROW_WORDS; i++)
				v->base[KAPPA * e + j][i] ^= v->acc[e][i];
	}
}

/* The leaves, and with them h_com and the rows of Q (SPEC, section 10.3, steps 4 and 5). */
static void reopen(struct vole *v, uint32_t *h_com, const struct opening *o, const uint8_t istar[TAU], const uint8_t *sig)
{
	size_t mark = memory_mark();
	seed *seeds = memory_take(LEAVES * sizeof *seeds);
	uint32_t hidden[LEAVES / LANES] = {0};

	for (unsigned e = 0; e < TAU; e++)
		hidden[(o->hidden[e] - LEAVES) / LANES] |= 1u << o->hidden[e] % LANES;
	memset(seeds, 0, 64 * sizeof *seeds); /* of nodes above revealed ones nothing is known */
	for (unsigned n = 1; n < LEAVES; n *= 2) {
		tree_grow(seeds, n, sig + SIG_SALT);
		for (unsigned i = 0; i < o->count; i++)
			if (o->revealed[i] >= 2 * n && o->revealed[i] < 4 * n)
				memcpy(seeds[o->revealed[i] - 2 * n], sig + SIG_PATH + i * SEED_SIZE, SEED_SIZE);
	}
	tree_leaves(v, h_com, (const seed *)seeds, sig + SIG_SALT, hidden, sig + SIG_HIDDEN_COM);
	correct(v, istar, sig + SIG_CORRECTION);
	memory_back(mark);
}

static bool zero(const uint8_t *bytes, size_t len)
{
	unsigned all = 0;

	for (size_t i = 0; i < len; i++)
		all |= bytes[i];
	return all == 0;
}

static bool equal(const gf *x, const gf *y) { return memcmp(x, y, sizeof *x) == 0; }

/* Everything is public here. */
bool sdith_verify(const uint8_t sig[SIG_SIZE], const uint8_t pk[PK_SIZE], const uint8_t *message, size_t len)
{
	const uint8_t *a_plain = sig + SIG_A_PLAIN, *dwit = sig + SIG_DWIT, *alpha = sig + SIG_ALPHA;
	uint32_t h_com[HASH_SIZE / 4], h_aux[HASH_SIZE / 4], h_lines[HASH_SIZE / 4], h_piop[HASH_SIZE / 4];
	struct vole *v = memory_take(sizeof *v);
	struct opening *o = memory_take(sizeof *o);
	uint8_t istar[TAU], challenge[TAU];
	uint32_t counter;
	gf delta1, delta;

	/* Steps 2 and 3. */
	memcpy(h_piop, sig + SIG_H_PIOP, HASH_SIZE);
	memcpy(&counter, sig + SIG_COUNTER, sizeof counter);
	if (!attempt(o, istar, h_piop, counter))
		return false;
	if (!zero(sig + SIG_PATH + o->count * SEED_SIZE, (OPEN - o->count) * SEED_SIZE))
		return false;
	for (unsigned e = 0; e < TAU; e++)
		challenge[e] = (uint8_t)gray(istar[e]);
	delta1 = gf_load(challenge);
	delta = gf_inverse(&delta1);

	/* Steps 4 to 6. */
	size_t mark = memory_mark();
	gf *a_base = memory_take(CHECK_BITS * sizeof *a_base);

	reopen(v, h_com, o, istar, sig);
	hash_aux(h_aux, h_com, sig + SIG_CORRECTION);
	check_respond(a_base, NULL, h_aux, v->base, NULL);
	for (unsigned i = 0; i < CHECK_BITS; i++)
		gf_add_masked(&a_base[i], &delta1, -(uint32_t)(a_plain[i / 8] >> i % 8 & 1));

	/* Step 7. */
	hash_lines(h_lines, h_aux, a_plain, a_base, dwit);
	hash_piop(h_piop, pk + PK_SEED, h_lines, alpha, message, len);
	memory_back(mark);
	if (memcmp(h_piop, sig + SIG_H_PIOP, HASH_SIZE) != 0)
		return false;

	/* Step 8. */
	enum { LINES_FIRST = WITNESS_AT / 32 * 32, LINES_WORDS = ROW_WORDS - WITNESS_AT / 32 };
	struct challenge *c = memory_take(sizeof *c);
	gf *lines = memory_take(LINES_WORDS * 32 * sizeof *lines), *controls = lines + (WITNESS_AT - LINES_FIRST);
	gf p0 = {{0}}, sum = {{0}}, s;

	check_columns(lines, v->base, LINES_FIRST, LINES_WORDS);
	for (unsigned i = 0; i < WITNESS_BITS; i++) {
		controls[i] = gf_mul(&delta, &controls[i]);
		controls[i].w[0] ^= dwit[i / 8] >> i % 8 & 1;
	}
	for (unsigned i = 3; i > 0; i--) {
		gf q = check_mask(v->base, i - 1);

		p0 = gf_mul(&p0, &delta1);
		gf_add(&p0, &q);
	}
	for (unsigned i = 0; i < 3; i++)
		p0 = gf_mul(&p0, &delta);

	/* Steps 9 and 10. */
	prove_challenge(c, h_lines);
	s = prove_value(c, pk + PK_SEED, pk + PK_Y, controls);
	for (unsigned i = LEVELS; i > 0; i--) {
		gf coefficient = gf_load(alpha + (i - 1) * SEED_SIZE);

		sum = gf_mul(&sum, &delta);
		gf_add(&sum, &coefficient);
	}
	gf_add(&sum, &p0);
	sum = gf_mul(&sum, &delta);
	return equal(&sum, &s);
}
