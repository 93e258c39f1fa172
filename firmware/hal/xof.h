/*
 * The one interface between schemes and whatever does the hashing. A scheme
 * calls xof.init and so on; which driver stands behind is decided once, at
 * start, by what the SoC-info device says is attached.
 *
 * There is one message in progress at a time, as there is one accelerator.
 */
#ifndef HAL_XOF_H
#define HAL_XOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "socsim_regs.h"

/* The sponges of FIPS 202, numbered as in the accelerator's MODE register. An XOF
   over Ascon is one sponge: there all modes are the same. */
enum xof_mode { SHAKE128 = 0, SHAKE256 = 1, SHA3_256 = 2, SHA3_512 = 3 };

/* All hashes, those without a name here included: for drivers that need not know. */
#define XOF_ANY UINT32_MAX

/* How a driver works where there is a choice. */
struct xof_choice {
	bool copy;  /* coupling ram: the state is copied for every permutation */
	bool sleep; /* ... and the hart sleeps while one runs */
};

struct xof_driver {
	/* What it serves: bit SOCSIM_XOF_x, or XOF_ANY; bit SOCSIM_COUPLING_x. */
	uint32_t xofs, couplings;

	/* Called once, with the XOF and the address of the accelerator's registers. */
	void (*open)(uint32_t kind, uintptr_t base, const struct xof_choice *choice);

	/* A message of any length in pieces of any length and alignment. */
	void (*init)(enum xof_mode mode);
	void (*absorb)(const void *in, size_t len);
	void (*finish)(void);
	void (*squeeze)(void *out, size_t len);

	/*
	 * A whole message of at least one word in one call. out may overlap in. Both
	 * are aligned to words; out_words is at least 1.
	 */
	void (*hash)(enum xof_mode mode, uint32_t *out, size_t out_words,
		     const uint32_t *in, size_t in_words);

	/*
	 * SHAKE256, or the XOF in its place, as WOTS+ iterates it, for n of 4, 6 or 8 words. A message is
	 *
	 *	PK.seed, n words | ADRS, 8 words | M, n words
	 *
	 * Each of the steps (at least 1) hashes it to n words, which are the next M,
	 * and adds one to the last byte of ADRS, its hash address. The M after the
	 * last step goes to out, which may overlap the message; apart from that the
	 * message is left alone.
	 */
	void (*chain)(uint32_t *out, const uint32_t *message, size_t n, unsigned steps);

	/*
	 * The same for `count` chains (at least 1) to as many times n words at out.
	 * The first M of a chain is the hash of a message of the same form, secret,
	 * which differs from the other in M and in the type, word 4 of ADRS. The
	 * chain address, word 6, counts up from chain to chain by one in its last
	 * byte; every chain begins with the same hash address. Afterwards the chain
	 * addresses, and the M of message, have no certain value.
	 */
	void (*chains)(uint32_t *out, uint32_t *secret, uint32_t *message, size_t n,
		       unsigned steps, unsigned count);
};

/* chains by means of hash and chain, for drivers that have nothing better. */
void xof_chains(uint32_t *out, uint32_t *secret, uint32_t *message, size_t n,
		unsigned steps, unsigned count);

/* The driver in use. Valid after xof_open. */
extern struct xof_driver xof;

/* What a program's arguments say, NULL where they say nothing. */
struct xof_arguments {
	const char *hash; /* -hash: XOF to be computed in software, whatever is attached */
	const char *ram;  /* -ram: block, the default, or copy */
	const char *wait; /* -wait: poll, the default, or wfi */
};

/*
 * Picks the driver. Without an XOF it is what the SoC-info device says, and SHAKE in
 * software where there is no such device. Returns NULL, or what is wrong as one line.
 */
const char *xof_open(const struct xof_arguments *a);

/* Names of the XOF and of the coupling in use, "shake", "fifo" and so on; XOF 9,
   which has no name here, is "xof9", and the coupling of the hart itself "soft". */
const char *xof_name(void);
const char *xof_coupling(void);

/* The XOF in use as a number, SOCSIM_XOF_... */
uint32_t xof_kind(void);

#endif
