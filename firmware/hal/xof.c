/*
 * Finds out what is attached and picks the driver for it.
 */
#include "xof.h"

#include <stdio.h>
#include <string.h>

#include "drivers.h"

/* To add an XOF or a coupling, write its driver and name it here. xof_own is NULL
   unless the program brings it. */
static const struct xof_driver *const drivers[] = {
	&xof_own,
	&xof_soft,
	&xof_soft_ascon,
	&xof_fifo,
	&xof_ram,
};

static const char *const xof_names[] = {
	[SOCSIM_XOF_SHAKE] = "shake",
	[SOCSIM_XOF_SHAKE12] = "shake12",
	[SOCSIM_XOF_ASCON] = "ascon",
	[SOCSIM_XOF_ASCON8] = "ascon8",
	[SOCSIM_XOF_ASCON128] = "ascon128",
};

static const char *const coupling_names[] = {
	[SOCSIM_COUPLING_NONE] = "soft",
	[SOCSIM_COUPLING_RAM] = "ram",
	[SOCSIM_COUPLING_FIFO] = "fifo",
	[SOCSIM_COUPLING_LSU] = "lsu",
	[SOCSIM_COUPLING_LSUX] = "lsux",
	[SOCSIM_COUPLING_REG] = "reg",
	[SOCSIM_COUPLING_REGX] = "regx",
	[SOCSIM_COUPLING_DMA] = "dma",
};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

struct xof_driver xof;
static uint32_t kind, coupling;
static char unnamed[sizeof "xof4294967295"];

static uint32_t info(uintptr_t offset)
{
	return *(volatile uint32_t *)(SOCSIM_INFO_BASE + offset);
}

/* Does a driver serve what is there? */
static bool serves(const struct xof_driver *d)
{
	bool hash = d->xofs == XOF_ANY || (kind < LENGTH(xof_names) && d->xofs >> kind & 1);

	return hash && d->couplings >> coupling & 1;
}

const char *xof_open(const struct xof_arguments *a)
{
	const char *hash = a->hash;
	struct xof_choice choice = {
		.copy = a->ram != NULL && strcmp(a->ram, "copy") == 0,
		.sleep = a->wait != NULL && strcmp(a->wait, "wfi") == 0,
	};
	uintptr_t base = 0;

	kind = SOCSIM_XOF_SHAKE;
	coupling = SOCSIM_COUPLING_NONE;
	if (hash != NULL) {
		kind = 1;
		while (kind < LENGTH(xof_names) && strcmp(hash, xof_names[kind]) != 0)
			kind++;
	} else if (info(SOCSIM_INFO_MAGIC) == SOCSIM_INFO_MAGIC_VALUE) {
		kind = info(SOCSIM_INFO_HASH_XOF);
		coupling = info(SOCSIM_INFO_HASH_COUPLING);
		base = info(SOCSIM_INFO_HASH_BASE);
	}
	if (hash != NULL && kind >= LENGTH(xof_names))
		return "-hash: unknown; there are shake, shake12, ascon, ascon8, ascon128";
	if (coupling >= LENGTH(coupling_names))
		return "the SoC-info device names a coupling that is unknown here";
	if (a->ram != NULL && !choice.copy && strcmp(a->ram, "block") != 0)
		return "-ram: unknown; there are block, copy";
	if (a->wait != NULL && !choice.sleep && strcmp(a->wait, "poll") != 0)
		return "-wait: unknown; there are poll, wfi";
	if (coupling != SOCSIM_COUPLING_RAM && (a->ram != NULL || a->wait != NULL))
		return "-ram, -wait: only with an accelerator of coupling ram";
	for (size_t i = 0; i < LENGTH(drivers); i++)
		if (drivers[i] != NULL && serves(drivers[i])) {
			xof = *drivers[i];
			xof.open(kind, base, &choice);
			if (kind >= LENGTH(xof_names))
				snprintf(unnamed, sizeof unnamed, "xof%lu", (unsigned long)kind);
			return NULL;
		}
	if (coupling == SOCSIM_COUPLING_NONE)
		return "this hash cannot be computed in software here";
	return "this program has no driver for the hash accelerator that is attached";
}

void xof_chains(uint32_t *out, uint32_t *secret, uint32_t *message, size_t n,
		unsigned steps, unsigned count)
{
	const size_t chain_address = n + 6, value = n + 8;

	for (; count > 0; count--, out += n) {
		xof.hash(SHAKE256, message + value, n, secret, 2 * n + 8);
		xof.chain(out, message, n, steps);
		secret[chain_address] = message[chain_address] += 0x01000000; /* one, big endian */
	}
}

const char *xof_name(void) { return kind < LENGTH(xof_names) ? xof_names[kind] : unnamed; }
const char *xof_coupling(void) { return coupling_names[coupling]; }
uint32_t xof_kind(void) { return kind; }
