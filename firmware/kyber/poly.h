/*
 * Polynomials of ML-KEM: where they come from, and how they are written.
 *
 * Coefficients are representatives modulo q in 16 bits, as ntt3329.h has them. Nothing
 * here branches or addresses by a coefficient, but for poly_sample_ntt: what that
 * samples is public.
 */
#ifndef KYBER_POLY_H
#define KYBER_POLY_H

#include "ntt3329.h"
#include "params.h"

/* What the XOF and PRF hash: 32 bytes and one or two more. */
struct seed {
	uint32_t words[HASH_SIZE / 4 + 1];
};

/* SampleNTT(rho, j, i) (FIPS 203, Algorithm 7): coefficients from 0 to q - 1. */
void poly_sample_ntt(poly3329 f, struct seed *rho, unsigned j, unsigned i);

/* SamplePolyCBD(PRF(s, b)) (FIPS 203, Algorithm 8) for eta of 2 or 3. */
void poly_sample_cbd(poly3329 f, struct seed *s, unsigned b, unsigned eta);

/* Adds such a polynomial of eta = 2 to f. */
void poly_add_cbd2(poly3329 f, struct seed *s, unsigned b);

/* ByteEncode and ByteDecode (FIPS 203, Algorithms 5 and 6) for d = 12. Coefficients to
   be encoded are at most 16,645 either way; decoded they are up to 4,095. */
void poly_encode12(uint32_t *out, const poly3329 f);
void poly_decode12(poly3329 f, const uint32_t *in);

/*
 * ByteEncode(Compress(f)) for d of 1, 4, 5, 10, 11 and Decompress(ByteDecode(in)) for
 * the last four (formulas 4.7 and 4.8). Coefficients to be compressed are at most 2,000 either way
 * for d of 10 and 11, and 6,000 for less; decompressed they are from 0 to q.
 */
void poly_compress(uint32_t *out, const poly3329 f, unsigned d);
void poly_decompress(poly3329 f, const uint32_t *in, unsigned d);

/* Adds Decompress(ByteDecode(m)) for d = 1 to f: 0 or 1,665 for each bit. */
void poly_add_message(poly3329 f, const uint32_t *m);

#endif
