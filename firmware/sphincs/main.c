/*
 * sphincs: key generation, signing and verification with SLH-DSA-SHAKE (FIPS 205)
 * or SPHINCS+-SHAKE "simple" (round 3.1), or with the same over another XOF in the
 * place of SHAKE256, which is our own instance. README.md of the folder above has its
 * flags and its output.
 */
#include <stdio.h>
#include <string.h>

#include "guest.h"
#include "slh.h"
#include "xof.h"

const char program_name[] = "sphincs";

/* A signature to verify may be too long. */
enum { MAX_MESSAGE = 65536, SIGNATURE_ROOM = MAX_SIGNATURE + 256 };
enum { KEYGEN = 1, SIGN = 2, VERIFY = 4 };

/* What the arguments ask for. Lengths are 0 for what is not given. */
static struct {
	const struct params *p;
	uint32_t set;
	bool r3, internal, digests;
	unsigned operations;
	bool have_seed, have_sk, have_pk, have_sig, have_optrand;
	size_t sig_len;
} ask = {.operations = KEYGEN | SIGN | VERIFY, .digests = true};

/* Inputs and outputs stay where they are until exit, for the host to check.
   Verification has copies of its own of what it is given. */
static struct slh slh;
NOINIT static uint32_t message[MAX_MESSAGE / 4], context[(MAX_CONTEXT + 3) / 4];
NOINIT static uint32_t seed[3 * MAX_WORDS], opt_rand[MAX_WORDS];
NOINIT static uint32_t secret_key[4 * MAX_WORDS], public_key[2 * MAX_WORDS];
NOINIT static uint32_t signature[SIGNATURE_ROOM / 4];
NOINIT static uint32_t verify_key[2 * MAX_WORDS], verify_signature[SIGNATURE_ROOM / 4];
static struct slh_message msg;

/* The regions of interest. The barrier keeps the call from becoming a jump, so
   that a region ends where its function returns. */
#define REGION __attribute__((noinline, section(".text.roi")))
#define REGION_END __asm__ volatile("" ::: "memory")

REGION static void keygen(void)
{
	slh_keygen(&slh, ask.p, ask.r3, secret_key, public_key, seed);
	REGION_END;
}

REGION static void sign(void)
{
	slh_sign(&slh, ask.p, ask.r3, signature, secret_key, &msg, opt_rand);
	REGION_END;
}

REGION static bool verify(void)
{
	bool accepted = slh_verify(&slh, ask.p, ask.r3, verify_signature, ask.sig_len, verify_key, &msg);

	REGION_END;
	return accepted;
}

static unsigned operations_named(const char *list)
{
	static const char *const names[] = {"keygen", "sign", "verify"};
	unsigned set = 0;

	if (*list == '\0')
		guest_usage("-op: no operation; there are keygen, sign, verify");
	for (;;) {
		size_t len = strcspn(list, ",");
		unsigned i = 0;

		while (i < 3 && (strlen(names[i]) != len || strncmp(list, names[i], len) != 0))
			i++;
		if (i == 3)
			guest_usage("-op: no operation \"%.*s\"; there are keygen, sign, verify",
				    (int)(len < 40 ? len : 40), list);
		set |= 1u << i;
		if (list[len] == '\0')
			return set;
		list += len + 1;
	}
}

static void set_named(const char *name)
{
	for (uint32_t i = 0; i < params_count; i++)
		if (strcmp(name, params_sets[i].name) == 0) {
			ask.p = &params_sets[i];
			ask.set = SOCSIM_SET_128S + i;
			return;
		}
	guest_usage("-p: no parameter set \"%.40s\"; there are 128s 128f 192s 192f 256s 256f", name);
}

static bool variant_named(const char *name)
{
	if (strcmp(name, "fips205") != 0 && strcmp(name, "r3") != 0)
		guest_usage("-variant: no variant \"%.40s\"; there are fips205 and r3", name);
	return strcmp(name, "r3") == 0;
}

/* Flags with a value, and what was given for them: NULL if nothing was. */
enum flag { P, OP, VARIANT, HASH_FLAG, MSG, CTX, SEED, SK, PK, SIG, OPTRAND, RAM, WAIT, FLAGS };

static const char *const flag_names[FLAGS] = {
	"-p", "-op", "-variant", "-hash", "-msg", "-ctx", "-seed", "-sk", "-pk", "-sig", "-optrand",
	"-ram", "-wait",
};
static const char *given[FLAGS];

static void read_flags(int n, const char *const *arguments)
{
	for (int i = 0; i < n; i++) {
		const char *name = arguments[i];
		unsigned f = 0;

		if (strcmp(name, "-internal") == 0) {
			ask.internal = true;
			continue;
		}
		if (strcmp(name, "-nodigest") == 0) {
			ask.digests = false;
			continue;
		}
		while (f < FLAGS && strcmp(name, flag_names[f]) != 0)
			f++;
		if (f == FLAGS)
			guest_usage("%.40s: no such flag; there are -p -op -variant -hash -msg -ctx -seed "
				    "-sk -pk -sig -optrand -ram -wait -internal -nodigest",
				    name);
		if (++i == n)
			guest_usage("%s: its value is missing", name);
		given[f] = arguments[i];
	}
}

/* Bytes of a flag that must be so many; false if the flag is not there. */
static bool exactly(enum flag f, void *out, size_t want)
{
	if (given[f] == NULL)
		return false;
	size_t len = guest_bytes(flag_names[f], given[f], out, want);

	if (len != want)
		guest_usage("%s: %u bytes, set %s wants %u", flag_names[f], (unsigned)len, ask.p->name,
			    (unsigned)want);
	return true;
}

static void parse_message(void)
{
	const char *text = given[MSG] != NULL ? given[MSG] : "len:33";

	msg.m = (const uint8_t *)message;
	msg.m_len = guest_bytes("-msg", text, message, sizeof message);
	msg.context = (const uint8_t *)context;
	if (given[CTX] != NULL) {
		if (ask.internal || ask.r3)
			guest_usage("-ctx: there is no context with %s", ask.r3 ? "-variant r3" : "-internal");
		msg.context_len = guest_bytes("-ctx", given[CTX], context, MAX_CONTEXT);
	}
	if (!ask.internal && !ask.r3) {
		/* M' of FIPS 205, Algorithms 22 and 24: 0, the length, the context, M. */
		msg.prefix_len = 2;
		msg.prefix[1] = (uint8_t)msg.context_len;
	}
}

static void parse(int n, const char *const *arguments)
{
	read_flags(n, arguments);
	set_named(given[P] != NULL ? given[P] : "128f");
	if (given[VARIANT] != NULL)
		ask.r3 = variant_named(given[VARIANT]);
	if (given[OP] != NULL)
		ask.operations = operations_named(given[OP]);

	unsigned bytes = ask.p->n;

	ask.have_seed = exactly(SEED, seed, 3 * bytes);
	ask.have_sk = exactly(SK, secret_key, 4 * bytes);
	ask.have_pk = exactly(PK, verify_key, 2 * bytes);
	ask.have_optrand = exactly(OPTRAND, opt_rand, bytes);
	if (given[SIG] != NULL) {
		ask.have_sig = true;
		ask.sig_len = guest_bytes("-sig", given[SIG], verify_signature, sizeof verify_signature);
	}
	parse_message();

	if (ask.have_sk && (ask.have_seed || ask.operations & KEYGEN))
		guest_usage("-sk: keygen makes the key from -seed; give -op without keygen, and no -seed");
	if (ask.have_pk && ask.operations & (KEYGEN | SIGN))
		guest_usage("-pk: is for -op verify alone");
	if (ask.have_pk && !ask.have_sig)
		guest_usage("-pk: needs the signature to verify, -sig");
	if (ask.have_sig && ask.operations & SIGN)
		guest_usage("-sig: is for -op without sign");
	if (!ask.have_seed)
		guest_derived(seed, 3 * bytes);
}

static uint32_t scheme(void) { return ask.r3 ? SOCSIM_SCHEME_SPHINCS_R3 : SOCSIM_SCHEME_SLHDSA; }

static void record_message(struct socsim_record_entry *e)
{
	record_field(e, SOCSIM_ROLE_MESSAGE, msg.m, msg.m_len);
	if (msg.context_len > 0)
		record_field(e, SOCSIM_ROLE_CONTEXT, msg.context, msg.context_len);
}

static uint64_t started;

static void begin(void)
{
	stack_paint();
	started = guest_cycles();
}

static void end(const char *operation)
{
	uint64_t cycles = guest_cycles() - started;

	print_cycles(operation, ask.p->name, cycles);
	print_stack(operation, ask.p->name);
}

static void digest(const char *what, const void *data, size_t len)
{
	if (ask.digests)
		print_digest(what, data, len);
}

static void do_keygen(void)
{
	unsigned n = ask.p->n;

	begin();
	keygen();
	end("keygen");

	struct socsim_record_entry *e = record_entry(scheme(), ask.set, SOCSIM_OPERATION_KEYGEN, 0);

	record_field(e, SOCSIM_ROLE_SEED, seed, 3 * n);
	record_field(e, SOCSIM_ROLE_SECRET_KEY, secret_key, 4 * n);
	record_field(e, SOCSIM_ROLE_PUBLIC_KEY, public_key, 2 * n);
	digest("pk", public_key, 2 * n);
	digest("sk", secret_key, 4 * n);
}

static void do_sign(void)
{
	unsigned n = ask.p->n;
	uint32_t flags = (ask.have_optrand ? 0 : SOCSIM_FLAG_DETERMINISTIC) |
			 (ask.internal ? SOCSIM_FLAG_INTERNAL : 0);

	if (!ask.have_optrand)
		memcpy(opt_rand, secret_key + 2 * n / 4, n); /* PK.seed */
	begin();
	sign();
	end("sign");

	struct socsim_record_entry *e = record_entry(scheme(), ask.set, SOCSIM_OPERATION_SIGN, flags);

	record_field(e, SOCSIM_ROLE_SECRET_KEY, secret_key, 4 * n);
	record_message(e);
	record_field(e, SOCSIM_ROLE_RANDOM, opt_rand, n);
	record_field(e, SOCSIM_ROLE_SIGNATURE, signature, params_signature(ask.p));
	digest("sig", signature, params_signature(ask.p));
}

static bool do_verify(void)
{
	if (!ask.have_sig) {
		ask.sig_len = params_signature(ask.p);
		memcpy(verify_signature, signature, ask.sig_len);
	}
	if (!ask.have_pk)
		memcpy(verify_key, public_key, 2 * ask.p->n);

	begin();
	bool accepted = verify();
	end("verify");

	uint32_t flags = ask.internal ? SOCSIM_FLAG_INTERNAL : 0;
	struct socsim_record_entry *e = record_entry(scheme(), ask.set, SOCSIM_OPERATION_VERIFY, flags);

	e->result = accepted;
	record_field(e, SOCSIM_ROLE_PUBLIC_KEY, verify_key, 2 * ask.p->n);
	record_message(e);
	record_field(e, SOCSIM_ROLE_SIGNATURE, verify_signature, ask.sig_len);
	return accepted;
}

/* What operations need and nobody gave is made here, neither measured nor
   recorded; a line of output says so. */
static void prepare_key(void)
{
	unsigned n = ask.p->n;

	if (ask.operations & KEYGEN || ask.have_pk)
		return;
	if (ask.have_sk) {
		memcpy(public_key, secret_key + 2 * n / 4, 2 * n);
		return;
	}
	slh_keygen(&slh, ask.p, ask.r3, secret_key, public_key, seed);
	printf("[PRE] keygen %s, not measured\n", ask.p->name);
}

static void prepare_signature(void)
{
	if (!ask.have_optrand)
		memcpy(opt_rand, secret_key + 2 * ask.p->n / 4, ask.p->n); /* PK.seed */
	slh_sign(&slh, ask.p, ask.r3, signature, secret_key, &msg, opt_rand);
	printf("[PRE] sign %s, not measured\n", ask.p->name);
}

int main(void)
{
	const char *const *arguments;
	int n = guest_arguments(&arguments);

	parse(n, arguments);

	const char *error = xof_open(&(struct xof_arguments){given[HASH_FLAG], given[RAM], given[WAIT]});

	if (error != NULL)
		guest_usage("%s", error);
	printf("[CFG] sphincs %s %s %s %s\n", ask.p->name, ask.r3 ? "r3" : "fips205",
	       xof_name(), xof_coupling());
	if (xof_kind() != SOCSIM_XOF_SHAKE)
		printf("[OWN] SPHINCS+ over %s is our own instance: no standard defines it\n", xof_name());
	prepare_key();
	if (ask.operations & KEYGEN)
		do_keygen();
	if (ask.operations & SIGN)
		do_sign();
	else if (ask.operations & VERIFY && !ask.have_sig)
		prepare_signature();
	if (ask.operations & VERIFY && !do_verify()) {
		printf("[FAIL] verify rejects the signature\n");
		return 1;
	}
	printf("[PASS]\n");
	return 0;
}
