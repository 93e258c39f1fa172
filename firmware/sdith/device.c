/*
 * The coprocessor signs: key, entropy and message go to its windows, word by word, it is
 * started, and the signature comes from its window. These three parts are regions of
 * their own, so that what moving costs stands beside what signing takes.
 *
 *	-sk       secret key                 (default: that of known answer 0)
 *	-entropy  salt and root seed         (default: those of known answer 0)
 *	-msg      message                    (default: that of known answer 0)
 *	-wait     poll or wfi                (default poll)
 *	-nodigest leave out the [DIG] line
 */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include "guest.h"
#include "known.h"
#include "socsim_regs.h"

/* Functions are in the ledger section of what they do. */
#define CONTROL __attribute__((noinline, section(".text.hal.control")))
#define MOVEIN __attribute__((noinline, section(".text.hal.movein")))
#define MOVEOUT __attribute__((noinline, section(".text.hal.moveout")))
#define WAIT __attribute__((noinline, section(".text.hal.wait")))

/* The regions of interest. The barrier keeps the last call from becoming a jump, so that a
   region ends where its function returns. */
#define REGION __attribute__((noinline, section(".text.roi")))
#define REGION_END __asm__ volatile("" ::: "memory")

/* More of a message is not even taken here; the device says what it holds. */
enum { MOST_MESSAGE = 65536 };

static uintptr_t base; /* of the window */

NOINIT static uint32_t key[SOCSIM_SDITH_KEY_WORDS], entropy[SOCSIM_SDITH_ENTROPY_WORDS];
NOINIT static uint32_t message[MOST_MESSAGE / 4], signature[SOCSIM_SDITH_SIGNATURE_WORDS];
static size_t key_bytes, entropy_bytes, message_bytes, message_most, signature_bytes;

/* The cycles of load, sign and unload, as the record has them. */
static uint64_t split[3];

static inline volatile uint32_t *at(uintptr_t offset) { return (volatile uint32_t *)(base + offset); }

/* Eight words at a time: a load that follows another one, or a store, does not wait for
   what was loaded. */
MOVEIN static void put(uintptr_t offset, const uint32_t *in, size_t words)
{
	volatile uint32_t *to = at(offset);

	for (; words >= 8; in += 8, to += 8, words -= 8) {
		uint32_t a = in[0], b = in[1], c = in[2], d = in[3], e = in[4], f = in[5], g = in[6], h = in[7];

		to[0] = a, to[1] = b, to[2] = c, to[3] = d, to[4] = e, to[5] = f, to[6] = g, to[7] = h;
	}
	for (; words > 0; words--)
		*to++ = *in++;
}

MOVEOUT static void get(uint32_t *out, uintptr_t offset, size_t words)
{
	volatile const uint32_t *from = at(offset);

	for (; words >= 8; out += 8, from += 8, words -= 8) {
		uint32_t a = from[0], b = from[1], c = from[2], d = from[3], e = from[4], f = from[5], g = from[6], h = from[7];

		out[0] = a, out[1] = b, out[2] = c, out[3] = d, out[4] = e, out[5] = f, out[6] = g, out[7] = h;
	}
	for (; words > 0; words--)
		*out++ = *from++;
}

CONTROL static void set(uintptr_t offset, uint32_t value) { *at(offset) = value; }

WAIT static void wait_poll(void)
{
	while (*at(SOCSIM_SDITH_STATUS) & SOCSIM_SDITH_STATUS_BUSY)
		;
}

/* mstatus.MIE stays 0: the interrupt wakes the hart, and there is no trap. Asking mip
   takes no way over the bus. */
WAIT static void wait_wfi(void)
{
	uint32_t pending;

	do {
		__asm__ volatile("wfi\n\tcsrr %0, mip" : "=r"(pending));
	} while (!(pending >> SOCSIM_SDITH_LINE & 1));
}

static void (*wait)(void) = wait_poll;

static size_t words(size_t bytes) { return (bytes + 3) / 4; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

REGION static void load(void)
{
	put(SOCSIM_SDITH_KEY, key, words(key_bytes));
	put(SOCSIM_SDITH_ENTROPY, entropy, words(entropy_bytes));
	put(SOCSIM_SDITH_MESSAGE, message, words(least(message_bytes, message_most)));
	set(SOCSIM_SDITH_LENGTH, message_bytes);
	REGION_END;
}

REGION static void sign(void)
{
	set(SOCSIM_SDITH_CTRL, SOCSIM_SDITH_CTRL_START);
	wait();
	REGION_END;
}

REGION static void unload(void)
{
	get(signature, SOCSIM_SDITH_SIGNATURE, words(signature_bytes));
	REGION_END;
}

/* The configuration as it is named: sec1_fast_hp0. */
static uint32_t config;
static char config_name[24], set_name[16];

static uint32_t field(uint32_t mask) { return (config & mask) / (mask & -mask); }

static bool is_short(void) { return field(SOCSIM_SDITH_CONFIG_SHORT); }

static unsigned level(void) { return (unsigned)field(SOCSIM_SDITH_CONFIG_LEVEL); }

static void open(void)
{
	const uint32_t *info = (const uint32_t *)SOCSIM_INFO_BASE;

	if (info[SOCSIM_INFO_MAGIC / 4] == SOCSIM_INFO_MAGIC_VALUE)
		base = info[SOCSIM_INFO_SDITH_BASE / 4];
	if (base == 0)
		guest_usage("there is no SDitH coprocessor here; -sw signs and verifies in software, and --sdith sec1_fast_hp0 attaches one");
	config = *at(SOCSIM_SDITH_CONFIG);
	key_bytes = *at(SOCSIM_SDITH_KEY_BYTES);
	entropy_bytes = *at(SOCSIM_SDITH_ENTROPY_BYTES);
	message_most = *at(SOCSIM_SDITH_MESSAGE_MAX);
	signature_bytes = *at(SOCSIM_SDITH_SIGNATURE_BYTES);
	snprintf(set_name, sizeof set_name, "cat%u_%s", level(), is_short() ? "short" : "fast");
	snprintf(config_name, sizeof config_name, "sec%s_hp%u", set_name + strlen("cat"),
		 (unsigned)field(SOCSIM_SDITH_CONFIG_HP));
}

/* Bytes that must be so many, of an argument or of the known answer. */
static void fill(const char *flag, const char *given, void *out, size_t want, const uint8_t *known)
{
	if (given == NULL) {
		memcpy(out, known, want);
		return;
	}
	size_t len = guest_bytes(flag, given, out, want);

	if (len != want)
		guest_usage("%s: %u bytes, configuration %s wants %u", flag, (unsigned)len, config_name, (unsigned)want);
}

static const char *reason(uint32_t code)
{
	switch (code) {
	case SOCSIM_SDITH_ERROR_NO_KEY:
		return "no key";
	case SOCSIM_SDITH_ERROR_NO_ENTROPY:
		return "no entropy";
	case SOCSIM_SDITH_ERROR_LONG_MESSAGE:
		return "the message is longer than its memory";
	case SOCSIM_SDITH_ERROR_BAD_KEY:
		return "this is no secret key";
	case SOCSIM_SDITH_ERROR_BAD_WITNESS:
		return "the witness of the secret key does not belong to its public key";
	case SOCSIM_SDITH_ERROR_NO_PROOF:
		return "no proof of work";
	}
	return "unknown";
}

/* The key is one, or the reference would refuse it, too. */
static void record(uint32_t result)
{
	struct socsim_record_entry *e = record_entry(SOCSIM_SCHEME_SDITH, 2 * (level() / 2) + is_short() + 1,
						     SOCSIM_OPERATION_SIGN, SOCSIM_FLAG_DEVICE);

	e->hash = SOCSIM_XOF_SHAKE; /* the coprocessor's, whatever else is attached */
	e->result = result;
	record_field(e, SOCSIM_ROLE_SECRET_KEY, key, key_bytes);
	record_field(e, SOCSIM_ROLE_MESSAGE, message, message_bytes);
	record_field(e, SOCSIM_ROLE_RANDOM, entropy, entropy_bytes);
	record_field(e, SOCSIM_ROLE_SIGNATURE, signature, result == 0 ? signature_bytes : 0);
	record_field(e, SOCSIM_ROLE_SPLIT, split, sizeof split);
}

static void print_phases(void)
{
	static const char *const names[] = {
		[SOCSIM_SDITH_PHASE_K] = "K",   [SOCSIM_SDITH_PHASE_G] = "G",   [SOCSIM_SDITH_PHASE_W1] = "W1",
		[SOCSIM_SDITH_PHASE_W2] = "W2", [SOCSIM_SDITH_PHASE_B] = "B",   [SOCSIM_SDITH_PHASE_W3] = "W3",
		[SOCSIM_SDITH_PHASE_X] = "X",   [SOCSIM_SDITH_PHASE_H] = "H",   [SOCSIM_SDITH_PHASE_P] = "P",
		[SOCSIM_SDITH_PHASE_O] = "O",
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		volatile const uint32_t *counter = at(SOCSIM_SDITH_PHASE + 8 * i);
		uint32_t low = counter[0];

		printf("[PHS] %s %llu\n", names[i], (unsigned long long)counter[1] << 32 | low);
	}
}

int device_main(void)
{
	const char *sk = NULL, *random = NULL, *text = NULL, *how = "poll";
	bool digest = true;
	const char *const *arguments;
	int n = guest_arguments(&arguments);

	for (int i = 0; i < n; i++) {
		const char *flag = arguments[i], *value = i + 1 < n ? arguments[i + 1] : NULL;
		const char **of = strcmp(flag, "-sk") == 0 ? &sk : strcmp(flag, "-entropy") == 0 ? &random :
				  strcmp(flag, "-msg") == 0 ? &text : strcmp(flag, "-wait") == 0 ? &how : NULL;

		if (strcmp(flag, "-nodigest") == 0)
			digest = false;
		else if (of == NULL)
			guest_usage("%.40s: no such flag; there are -sk -entropy -msg -wait -nodigest", flag);
		else if (value == NULL)
			guest_usage("%.40s: a value is missing", flag);
		else
			*of = value, i++;
	}
	if (strcmp(how, "wfi") == 0)
		wait = wait_wfi;
	else if (strcmp(how, "poll") != 0)
		guest_usage("-wait: \"%.40s\" is unknown; there are poll, wfi", how);
	open();

	const struct known_answer *known = &known_answers[level() / 2];

	fill("-sk", sk, key, key_bytes, known->sk);
	fill("-entropy", random, entropy, entropy_bytes, known->entropy);
	if (text != NULL)
		message_bytes = guest_bytes("-msg", text, message, MOST_MESSAGE);
	else
		memcpy(message, known_message, message_bytes = sizeof known_message);
	printf("[CFG] sdith %s coprocessor %s cache %u\n", set_name, config_name,
	       (unsigned)field(SOCSIM_SDITH_CONFIG_CACHE_DEPTH));
	if (wait == wait_wfi) {
		set(SOCSIM_SDITH_IRQ_ENABLE, SOCSIM_SDITH_IRQ_ENABLE_DONE);
		__asm__ volatile("csrs mie, %0" ::"r"(1u << SOCSIM_SDITH_LINE));
	}

	uint64_t begin = guest_cycles();

	load();

	uint64_t loaded = guest_cycles();

	sign();

	uint64_t signed_ = guest_cycles();
	uint32_t status = *at(SOCSIM_SDITH_STATUS);

	if (status & SOCSIM_SDITH_STATUS_ERROR) {
		uint32_t code = (status & SOCSIM_SDITH_STATUS_CODE) >> SOCSIM_SDITH_STATUS_CODE_SHIFT;

		split[0] = loaded - begin;
		if (code != SOCSIM_SDITH_ERROR_LONG_MESSAGE) /* which the scheme would sign */
			record(code);
		printf("[FAIL] the coprocessor refuses: code %u, %s\n", (unsigned)code, reason(code));
		return 1;
	}

	uint64_t unloading = guest_cycles();

	unload();
	split[2] = guest_cycles() - unloading;
	split[1] = signed_ - loaded;
	split[0] = loaded - begin;
	record(0);
	print_cycles("load", set_name, split[0]);
	print_cycles("sign", set_name, split[1]);
	print_cycles("unload", set_name, split[2]);
	print_phases();
	printf("[TRY] sign %s %lu\n", set_name, (unsigned long)*at(SOCSIM_SDITH_ATTEMPTS));
	if (digest)
		print_digest("sig", signature, signature_bytes);
	printf("[PASS]\n");
	return 0;
}
