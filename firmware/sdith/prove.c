#include "prove.h"

#include "aes.h"
#include "hash.h"
#include "memory.h"
#include "words.h"

void prove_challenge(struct challenge *c, const uint32_t *h_lines) { hash(SHAKE128, c, sizeof *c, h_lines, HASH_SIZE); }

/* The batched columns of H, g_0 and so on, and STREAM(seed_pk) that they are made of. */
enum { LEFT = SYNDROME + 2, FILLED = LANES * 16 }; /* bytes */
struct batch {
	gf tables[8 * SYNDROME / 6 * 64]; /* sums of the g of unit vectors, six of them a table */
	struct aes aes;
	unsigned column; /* the next one */
	unsigned block;  /* of the stream, the next one */
	unsigned at; /* the first byte in words that was not read yet */
	uint32_t words[(LEFT + FILLED) / 4]; /* blocks, before them bytes left of earlier ones */
};

static void batch_begin(struct batch *h, const gf gamma[LIMBS], const uint8_t *seed_pk)
{
	uint32_t key[SLICES];
	gf terms[6], last;

	for (unsigned i = 0; i < 8 * SYNDROME; i++) {
		last = i % 128 == 0 ? gamma[i / 128] : gf_shift(&last, 1);
		terms[i % 6] = last;
		if (i % 6 == 5)
			gf_sums_of(h->tables + i / 6 * 64, terms, 6, 6);
	}
	for (unsigned t = 0; t < SLICES; t++)
		key[t] = lanes_same(seed_pk, t);
	aes_keys(&h->aes, key);
	h->column = h->block = 0;
	h->at = LEFT + FILLED;
}

/* 32 blocks of the stream behind what is left of those before. Bytes 1 and up of their
   numbers are the same for 8 times in a row. */
static void batch_fill(struct batch *h)
{
	uint32_t slices[SLICES], byte0[8];

	uint8_t *bytes = (uint8_t *)h->words;

	for (unsigned i = h->at; i < LEFT + FILLED; i++)
		bytes[i - FILLED] = bytes[i];

	if (h->block % 256 == 0) {
		clear_words(slices, sizeof slices);
		for (unsigned t = 8; t < 24; t++)
			slices[t] = -(uint32_t)(h->block >> t & 1);
		aes_fix(&h->aes, slices);
	}
	for (unsigned t = 0; t < 8; t++)
		byte0[t] = t < 5 ? lanes_number[t] : -(uint32_t)(h->block >> t & 1);
	h->block += LANES;
	aes_encrypt(&h->aes, slices, byte0);
	lanes_store(h->words + LEFT / 4, 4, slices);
	h->at -= FILLED;
}

/* The g of the next columns. H and the challenge are public. */
static void batch_next(struct batch *h, gf *g, unsigned n)
{
	for (const gf *end = g + n; g < end; g++, h->column++) {
		if (h->column < 8 * SYNDROME) {
			*g = h->tables[h->column / 6 * 64 + (1u << h->column % 6)];
			continue;
		}
		if (LEFT + FILLED - h->at < SYNDROME)
			batch_fill(h);
		*g = (gf){{0}};
		gf_sum6(g, h->tables, (const uint8_t *)h->words + h->at, SYNDROME);
		h->at += SYNDROME;
	}
}

static unsigned choices(unsigned level) { return level == 3 ? 3 : 4; }

static uint32_t mask_of(uint32_t bit) { return -(bit & 1); }

/*
 * Level 0 of a multiplexer tree: its inputs are public, so that products with them are
 * sums out of a table for each control line. products[r] gets that of run r with the
 * lines' slopes, or, for a verifier, values.
 */
static unsigned first_level(gf *products, const gf *g, const gf *lines)
{
	enum { CHOICES = 4 };
	size_t mark = memory_mark();
	gf(*tables)[32 * 16] = memory_take((CHOICES - 1) * sizeof *tables);
	unsigned runs = 0;

	for (unsigned k = 0; k < CHOICES - 1; k++)
		gf_sums_of_products(tables[k], &lines[k]);
	for (unsigned i = 0; i < BLOCK; i += CHOICES, runs++) {
		products[runs] = (gf){{0}};
		for (unsigned k = 1; k < CHOICES && i + k < BLOCK; k++) {
			gf d = g[i];

			gf_add(&d, &g[i + k]);
			gf_sum4(&products[runs], tables[k - 1], (const uint8_t *)d.w, SEED_SIZE);
		}
	}
	memory_back(mark);
	return runs;
}

/* s1, s2 and s3 of the unitary check of a level with mu choices. */
static void unitary_sums(gf s[3], const gf *c, unsigned mu)
{
	s[0] = s[1] = s[2] = (gf){{0}};
	for (unsigned k = 0; k < mu - 1; k++) {
		gf x = gf_shift(&c[k], k);

		gf_add(&s[0], &x);
		if (k == mu - 2)
			break;
		x = gf_shift(&c[k], (mu - 1) * k);
		gf_add(&s[1], &x);
		x = gf_shift(&c[k], mu * k);
		gf_add(&s[2], &x);
	}
}

/* Coefficients of degree 1 and 2 of the unitary checks of a block. That of degree 0 is 0,
   as at most one control bit of a level is set, and for that reason products with constant
   terms are shifts. */
static void unitary_poly(gf d[2], const uint8_t *bits, const gf *slopes)
{
	unsigned from = CONTROLS;

	d[0] = d[1] = (gf){{0}};
	for (unsigned level = LEVELS; level > 0; level--) {
		unsigned mu = choices(level - 1);
		gf s[3], x;

		from -= mu - 1;
		unitary_sums(s, slopes + from, mu);
		d[0] = gf_shift32(&d[0]);
		d[1] = gf_shift32(&d[1]);
		x = gf_mul(&s[0], &s[1]);
		gf_add(&d[1], &x);
		gf_add(&d[0], &s[2]);
		for (unsigned k = 0; k < mu - 1; k++) {
			x = gf_shift(&s[1], k);
			gf_add_masked(&d[0], &x, mask_of(bits[from + k]));
			if (k == mu - 2)
				break;
			x = gf_shift(&s[0], (mu - 1) * k);
			gf_add_masked(&d[0], &x, mask_of(bits[from + k]));
		}
	}
}

static void add_product(gf *sum, const gf *x, const gf *y)
{
	gf product = gf_mul(x, y);

	gf_add(sum, &product);
}

enum { RUNS = (BLOCK + 3) / 4 };

/* The multiplexer tree of a block, added to sum. What level j makes has degree j+1. */
static void mux_poly(poly sum, const gf *g, const uint8_t *bits, const gf *slopes)
{
	size_t mark = memory_mark();
	poly *list = memory_take(RUNS * sizeof *list);
	gf *products = memory_take(RUNS * sizeof *products);
	unsigned n = first_level(products, g, slopes);

	for (unsigned r = 0; r < n; r++) {
		list[r][0] = g[4 * r];
		for (unsigned k = 1; k < 4 && 4 * r + k < BLOCK; k++) {
			gf d = g[4 * r];

			gf_add(&d, &g[4 * r + k]);
			gf_add_masked(&list[r][0], &d, mask_of(bits[k - 1]));
		}
		list[r][1] = products[r];
	}
	bits += 3, slopes += 3;
	for (unsigned level = 1; level < LEVELS; level++) {
		unsigned mu = choices(level), to = 0;

		for (unsigned from = 0; from < n; from += mu, to++) {
			poly out;

			memcpy(out, list[from], (level + 1) * sizeof *out);
			out[level + 1] = (gf){{0}};
			for (unsigned k = 1; k < mu && from + k < n; k++)
				for (unsigned i = 0; i <= level; i++) {
					gf d = list[from][i];

					gf_add(&d, &list[from + k][i]);
					gf_add_masked(&out[i], &d, mask_of(bits[k - 1]));
					add_product(&out[i + 1], &slopes[k - 1], &d);
				}
			memcpy(list[to], out, (level + 2) * sizeof *out);
		}
		n = to;
		bits += mu - 1, slopes += mu - 1;
	}
	for (unsigned i = 0; i <= LEVELS; i++)
		gf_add(&sum[i], &list[0][i]);
	memory_back(mark);
}

void prove_sum(poly sum, const struct challenge *c, const uint8_t *seed_pk, const uint8_t *y, const uint8_t *wit,
	       const gf *slopes)
{
	size_t mark = memory_mark();
	struct batch *h = memory_take(sizeof *h);
	gf *g = memory_take(BLOCK * sizeof *g), d[2];

	memset(sum, 0, sizeof(poly));
	batch_begin(h, c->gamma, seed_pk);
	gf_sum6(&sum[0], h->tables, y, SYNDROME);
	for (unsigned b = 0; b < WEIGHT; b++, slopes += CONTROLS) {
		uint8_t bits[CONTROLS];

		for (unsigned k = 0, at = b * CONTROLS; k < CONTROLS; k++, at++)
			bits[k] = wit[at / 8] >> at % 8 & 1;
		batch_next(h, g, BLOCK);
		mux_poly(sum, g, bits, slopes);
		unitary_poly(d, bits, slopes);
		add_product(&sum[1], &c->prime[b], &d[0]);
		add_product(&sum[2], &c->prime[b], &d[1]);
	}
	memory_back(mark);
}

/* mux_poly on values. */
static void mux_value(gf *sum, const gf *g, const gf *controls)
{
	gf list[RUNS];
	unsigned n = first_level(list, g, controls);

	for (unsigned r = 0; r < n; r++)
		gf_add(&list[r], &g[4 * r]);
	controls += 3;
	for (unsigned level = 1; level < LEVELS; level++) {
		unsigned mu = choices(level), to = 0;

		for (unsigned from = 0; from < n; from += mu, to++) {
			gf out = list[from];

			for (unsigned k = 1; k < mu && from + k < n; k++) {
				gf d = list[from];

				gf_add(&d, &list[from + k]);
				add_product(&out, &controls[k - 1], &d);
			}
			list[to] = out;
		}
		n = to;
		controls += mu - 1;
	}
	gf_add(sum, &list[0]);
}

gf prove_value(const struct challenge *c, const uint8_t *seed_pk, const uint8_t *y, const gf *controls)
{
	size_t mark = memory_mark();
	struct batch *h = memory_take(sizeof *h);
	gf *g = memory_take(BLOCK * sizeof *g), sum = {{0}};

	batch_begin(h, c->gamma, seed_pk);
	gf_sum6(&sum, h->tables, y, SYNDROME);
	for (unsigned b = 0; b < WEIGHT; b++, controls += CONTROLS) {
		unsigned from = CONTROLS;
		gf d = {{0}};

		batch_next(h, g, BLOCK);
		mux_value(&sum, g, controls);
		for (unsigned level = LEVELS; level > 0; level--) {
			gf s[3];

			from -= choices(level - 1) - 1;
			unitary_sums(s, controls + from, choices(level - 1));
			d = gf_shift32(&d);
			add_product(&d, &s[0], &s[1]);
			gf_add(&d, &s[2]);
		}
		add_product(&sum, &c->prime[b], &d);
	}
	memory_back(mark);
	return sum;
}
