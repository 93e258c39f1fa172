/*
 * hash: absorbs n bytes, squeezes m bytes, k times over. The smallest program
 * that uses the hash accelerator.
 *
 *	-in n     message bytes, 0, 1, ..., 250, 0, 1, ...   (default 64)
 *	-out m    output bytes                               (default 16)
 *	-k k      how often                                  (default 1)
 *	-mode     shake128, shake256, sha3-256 or sha3-512   (default shake256);
 *	          over Ascon all of them are the same XOF
 *	-hash     an XOF to compute in software              (default: what is attached)
 *	-piece n  absorbed and squeezed so many at a time    (default all at once)
 *	-align n  message and output begin n bytes behind the start of a word (default 0)
 *	-ram      block or copy, over coupling ram           (default block)
 *	-wait     poll or wfi, over couplings ram and dma    (default poll)
 */
#include <stdio.h>
#include <string.h>

#include "guest.h"
#include "xof.h"

const char program_name[] = "hash";

enum { MOST = 65536, SHORT = 136 };

NOINIT static uint32_t message[MOST / 4 + 1], output[MOST / 4 + 1];

static const char *const modes[] = {
	[SHAKE128] = "shake128",
	[SHAKE256] = "shake256",
	[SHA3_256] = "sha3-256",
	[SHA3_512] = "sha3-512",
};

static enum xof_mode mode_named(const char *name)
{
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (strcmp(name, modes[i]) == 0)
			return (enum xof_mode)i;
	guest_usage("-mode: no mode \"%.40s\"; there are shake128, shake256, sha3-256, sha3-512", name);
}

struct job {
	enum xof_mode mode;
	uint8_t *message, *output;
	size_t in, out, piece; /* bytes */
};

static inline size_t least(size_t a, size_t b) { return a < b ? a : b; }

/*
 * The region of interest. Messages of whole words with little output go the short
 * way that schemes use for them.
 */
__attribute__((noinline, section(".text.roi")))
static void hash(const struct job *j, bool whole)
{
	if (whole) {
		xof.hash(j->mode, (uint32_t *)j->output, j->out / 4, (const uint32_t *)j->message, j->in / 4);
	} else {
		xof.init(j->mode);
		for (size_t at = 0; at < j->in; at += j->piece)
			xof.absorb(j->message + at, least(j->piece, j->in - at));
		xof.finish();
		for (size_t at = 0; at < j->out; at += j->piece)
			xof.squeeze(j->output + at, least(j->piece, j->out - at));
	}
	__asm__ volatile("" ::: "memory"); /* no call above is the last thing: none becomes a jump */
}

int main(void)
{
	uint32_t in = 64, out = 16, k = 1, piece = MOST, align = 0;
	enum xof_mode mode = SHAKE256;
	struct xof_arguments use = {NULL, NULL, NULL};
	const char *const *arguments;
	int n = guest_arguments(&arguments);

	for (int i = 0; i < n; i += 2) {
		const char *flag = arguments[i], *value = i + 1 < n ? arguments[i + 1] : NULL;

		if (value == NULL)
			guest_usage("%.40s: a value is missing, or this is no flag", flag);
		else if (strcmp(flag, "-in") == 0)
			in = guest_number(flag, value, MOST);
		else if (strcmp(flag, "-out") == 0)
			out = guest_number(flag, value, MOST);
		else if (strcmp(flag, "-k") == 0)
			k = guest_number(flag, value, UINT32_MAX);
		else if (strcmp(flag, "-piece") == 0)
			piece = guest_number(flag, value, MOST);
		else if (strcmp(flag, "-align") == 0)
			align = guest_number(flag, value, 3);
		else if (strcmp(flag, "-mode") == 0)
			mode = mode_named(value);
		else if (strcmp(flag, "-hash") == 0)
			use.hash = value;
		else if (strcmp(flag, "-ram") == 0)
			use.ram = value;
		else if (strcmp(flag, "-wait") == 0)
			use.wait = value;
		else
			guest_usage("%.40s: no such flag; there are -in -out -k -mode -piece -align -hash -ram -wait", flag);
	}
	if (k == 0)
		guest_usage("-k: 0 times is no run, so there would be nothing to check");
	if (piece == 0)
		guest_usage("-piece: pieces of no bytes never end");

	const char *error = xof_open(&use);

	if (error != NULL)
		guest_usage("%s", error);

	bool keccak = xof_kind() == SOCSIM_XOF_SHAKE || xof_kind() == SOCSIM_XOF_SHAKE12;

	if (keccak && ((mode == SHA3_256 && out > 32) || (mode == SHA3_512 && out > 64)))
		guest_usage("-out: %u bytes, %s has %u", (unsigned)out, modes[mode],
			    mode == SHA3_256 ? 32 : 64);
	printf("[CFG] hash %s %s %s\n", modes[mode], xof_name(), xof_coupling());

	const struct job job = {
		mode, (uint8_t *)message + align, (uint8_t *)output + align, in, out, piece,
	};
	bool whole = align == 0 && in > 0 && out > 0 && in % 4 == 0 && out % 4 == 0 && out <= SHORT &&
		     in <= piece && out <= piece;

	guest_derived(job.message, in);
	memset(job.output, 0, out);

	uint64_t start = guest_cycles();

	for (uint32_t i = 0; i < k; i++)
		hash(&job, whole);
	print_cycles("hash", modes[mode], guest_cycles() - start);

	struct socsim_record_entry *e = record_entry(SOCSIM_SCHEME_HASH, 0, SOCSIM_OPERATION_HASH + mode, 0);

	record_field(e, SOCSIM_ROLE_MESSAGE, job.message, in);
	record_field(e, SOCSIM_ROLE_DIGEST, job.output, out);
	print_digest("out", job.output, out);
	printf("[PASS]\n");
	return 0;
}
