/*
 * The XOFs over Ascon-p in software: Ascon-Xof and Ascon-Xofa (v1.2, Algorithm 2),
 * Ascon-XOF128 (NIST SP 800-232, section 5). Contexts are independent of each
 * other and of any accelerator.
 */
#ifndef HAL_ASCON_H
#define HAL_ASCON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In asconp.S: the last 12 or 8 rounds, of x0 to x4, low word first. */
void ascon_p12(uint32_t x[10]);
void ascon_p8(uint32_t x[10]);

/* An XOF. */
struct ascon_xof {
	uint32_t start[10]; /* the state after the initial permutation */
	bool big_endian;    /* the first byte of a word of the state is its most significant one */
	void (*between)(uint32_t x[10]); /* permutation between blocks; at the end it is p12 */
};

extern const struct ascon_xof ascon_xof, ascon_xofa, ascon_xof128;

struct ascon_sponge {
	const struct ascon_xof *xof;
	uint32_t x[10];
	unsigned position; /* bytes of the block absorbed or squeezed */
};

void ascon_init(struct ascon_sponge *s, const struct ascon_xof *xof);
void ascon_absorb(struct ascon_sponge *s, const void *in, size_t len);
void ascon_finish(struct ascon_sponge *s);
void ascon_squeeze(struct ascon_sponge *s, void *out, size_t len);

#endif
