#include "check.h"

#include "hash.h"
#include "memory.h"

void check_columns(gf *columns, uint32_t rows[ROWS][ROW_WORDS], unsigned first, unsigned n)
{
	for (unsigned g = 0; g < n; g++, columns += 32)
		for (unsigned q = 0; q < 4; q++) {
			uint32_t m[32];

			for (unsigned r = 0; r < 32; r++)
				m[r] = rows[32 * q + r][first / 32 + g];
			lanes_transpose(m);
			for (unsigned t = 0; t < 32; t++)
				columns[t].w[q] = m[t];
		}
}

void check_respond(gf *a_base, uint8_t *a_plain, const uint32_t *h_aux, uint32_t rows[ROWS][ROW_WORDS], const uint8_t *u)
{
	enum { AT_ONCE = 8 }; /* rows of M: so many are whole words of the XOF */
	size_t mark = memory_mark();
	gf *columns = memory_take(ROW_WORDS * 32 * sizeof *columns);
	gf *tables = memory_take(2 * CHECKED * 16 * sizeof *tables);
	uint8_t *m = memory_take(AT_ONCE * CHECKED);

	check_columns(columns, rows, 0, ROW_WORDS);
	gf_sums_of(tables, columns + CHECK_BITS, 8 * CHECKED, 4);
	if (u != NULL)
		memcpy(a_plain, u, CHECK);
	hash_begin(SHAKE128);
	xof.absorb(h_aux, HASH_SIZE);
	hash_end();
	for (unsigned i = 0; i < CHECK_BITS; i++) {
		const uint8_t *row = m + i % AT_ONCE * CHECKED;

		if (i % AT_ONCE == 0)
			xof.squeeze(m, AT_ONCE * CHECKED);
		a_base[i] = columns[i];
		gf_sum4(&a_base[i], tables, row, CHECKED);
		if (u != NULL) {
			unsigned sum = 0;

			for (unsigned j = 0; j < CHECKED; j++)
				sum ^= row[j] & u[CHECK + j];
			sum ^= sum >> 4;
			sum ^= sum >> 2;
			sum ^= sum >> 1;
			a_plain[i / 8] ^= (sum & 1) << i % 8;
		}
	}
	memory_back(mark);
}

/* The sum over rows r of z^r times 128 bits of row r: by row, not by column. */
gf check_mask(uint32_t rows[ROWS][ROW_WORDS], unsigned s)
{
	gf sum = {{0}};

	for (unsigned r = ROWS; r > 0; r--) {
		gf part = gf_load((const uint8_t *)rows[r - 1] + CHECK + s * SEED_SIZE);

		sum = gf_shift(&sum, 1);
		gf_add(&sum, &part);
	}
	return sum;
}
