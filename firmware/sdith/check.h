/*
 * The consistency check (SPEC, section 8), and base rows as field elements.
 */
#ifndef SDITH_CHECK_H
#define SDITH_CHECK_H

#include "gf.h"
#include "params.h"
#include "tree.h"

/* Columns first to first + 32 n - 1 of rows: V_t (SPEC, section 8). first is a multiple of 32. */
void check_columns(gf *columns, uint32_t rows[ROWS][ROW_WORDS], unsigned first, unsigned n);

/*
 * M of h_aux, and with it a_base, CHECK_BITS elements, and, unless u is NULL, a_plain.
 * Both hold the sums over the other columns only if they are added to what is in them.
 */
void check_respond(gf *a_base, uint8_t *a_plain, const uint32_t *h_aux, uint32_t rows[ROWS][ROW_WORDS], const uint8_t *u);

/* A_s, s from 0 to 2 (SPEC, section 9). */
gf check_mask(uint32_t rows[ROWS][ROW_WORDS], unsigned s);

#endif
