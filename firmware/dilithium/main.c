/*
 * dilithium: key generation, signing and verification with ML-DSA (FIPS 204) or
 * Dilithium round 3.1, or with the same over another XOF in the place of SHAKE, which is
 * our own instance. README.md of the folder above has its flags and its output.
 */
#include <stdio.h>
#include <string.h>

#include "dsa.h"
#include "guest.h"
#include "hash.h"
#include "program.h"
#include "words.h"

const char program_name[] = "dilithium";

enum { KEYGEN, SIGN, VERIFY };
#define BIT(operation) (1u << (operation))

enum { SEED, SK, PK, SIG, MSG, MSGS, CTX, RND, MU };
static const char *const flags[] = {"-seed", "-sk", "-pk", "-sig", "-msg", "-msgs", "-ctx", "-rnd", "-mu", NULL};
static const char *given[MU + 1];
static bool internal;

enum { OUT_PK, OUT_SK, OUT_SIG };
static const struct program program = {
	.sets = (const char *const[]){"44", "65", "87", NULL},
	.default_set = 1,
	.variant = "fips204",
	.operations = (const char *const[]){"keygen", "sign", "verify", NULL},
	.default_operations = BIT(KEYGEN) | BIT(SIGN) | BIT(VERIFY),
	.flags = flags,
	.given = given,
	.switches = (const char *const[]){"-internal", NULL},
	.on = &internal,
	.outputs = (const struct program_output[]){
		[OUT_PK] = {"pk", KEYGEN},
		[OUT_SK] = {"sk", KEYGEN},
		[OUT_SIG] = {"sig", SIGN},
		{NULL, 0},
	},
};

/* Inputs and outputs of a run stay where they are for the host to check, until the next
   one. Verification has copies of its own of what it is given. A signature to verify may be
   too long. */
enum { MAX_MESSAGE = 65536, SIG_ROOM = MAX_SIG + 256 + 1 };
struct run {
	uint32_t seed[SEED_SIZE / 4], pk[MAX_PK / 4], sk[MAX_SK / 4], sig[SIG_ROOM / 4];
	uint32_t verify_pk[MAX_PK / 4], verify_sig[SIG_ROOM / 4];
};
NOINIT static struct run run;
NOINIT static uint32_t message[MAX_MESSAGE / 4];
NOINIT static uint32_t context[(MAX_CONTEXT + 3) / 4], rnd[RANDOM_SIZE / 4];
static size_t sig_len;

static const struct params *p;
static struct dsa_message msg;
static uint32_t attempts;

/* The regions of interest. The barrier keeps the call from becoming a jump, so
   that a region ends where its function returns. */
#define REGION __attribute__((noinline, section(".text.roi")))
#define REGION_END __asm__ volatile("" ::: "memory")

REGION static void keygen(void)
{
	dsa_keygen(p, options.r3, run.pk, run.sk, run.seed);
	REGION_END;
}

REGION static void sign(void)
{
	attempts = dsa_sign(p, options.r3, run.sig, run.sk, &msg, rnd);
	REGION_END;
}

REGION static bool verify(void)
{
	bool accepted = dsa_verify(p, options.r3, run.verify_sig, sig_len, run.verify_pk, &msg);

	REGION_END;
	return accepted;
}

/* Texts with commas between: how many there are. */
static uint32_t texts(const char *list)
{
	uint32_t n = 1;

	for (;; n++) {
		size_t len = strcspn(list, ",");

		if (len > MAX_MESSAGE)
			guest_usage("-msgs: %u characters, at most %u fit", (unsigned)len, MAX_MESSAGE);
		list += len;
		if (*list++ == '\0')
			return n;
	}
}

static size_t text(void *out, uint32_t i)
{
	const char *from = given[MSGS];

	for (; i > 0; i--)
		from = strchr(from, ',') + 1;

	size_t len = strcspn(from, ",");

	memcpy(out, from, len);
	return len;
}

static void parse_message(void)
{
	bool without = internal || options.r3 || given[MU] != NULL;

	if (given[MU] != NULL) {
		if (given[MSG] != NULL || given[MSGS] != NULL || internal)
			guest_usage("-mu: stands for a message, so -msg, -msgs and -internal have no place beside it");
		program_bytes("-mu", given[MU], message, MU_SIZE);
		msg.m_len = MU_SIZE;
	} else if (given[MSGS] != NULL) {
		if (given[MSG] != NULL || options.runs > 1)
			guest_usage("-msgs: has a message for each run, so -msg and -n have no place beside it");
		options.runs = texts(given[MSGS]);
		if (options.runs > MOST_RUNS)
			guest_usage("-msgs: %u messages, at most %u are possible", (unsigned)options.runs, MOST_RUNS);
	} else {
		msg.m_len = guest_bytes("-msg", given[MSG] != NULL ? given[MSG] : "len:33", message, MAX_MESSAGE);
		if (options.runs > 1 && msg.m_len < 4)
			guest_usage("-n: the message has %u bytes, and 4 are needed to tell the runs apart", (unsigned)msg.m_len);
	}
	if (given[CTX] != NULL) {
		if (without)
			guest_usage("-ctx: there is no context with %s",
				    options.r3 ? "-variant r3" : internal ? "-internal" : "-mu");
		msg.context_len = guest_bytes("-ctx", given[CTX], context, MAX_CONTEXT);
		msg.context = (const uint8_t *)context;
	}
	if (!without) {
		/* M' of FIPS 204, Algorithms 2 and 3: 0, the length, the context, M. */
		msg.prefix_len = 2;
		msg.prefix[1] = (uint8_t)msg.context_len;
	}
}

static void parse(void)
{
	program_read(&program);
	p = &params_sets[options.set];

	unsigned ops = options.operations;

	if (!program_bytes("-seed", given[SEED], run.seed, SEED_SIZE))
		guest_derived(run.seed, SEED_SIZE);
	program_bytes("-sk", given[SK], run.sk, params_sk(p, options.r3));
	program_bytes("-pk", given[PK], run.verify_pk, params_pk(p));
	if (!program_bytes("-rnd", given[RND], rnd, RANDOM_SIZE))
		memset(rnd, 0, sizeof rnd);
	sig_len = params_sig(p, options.r3);
	if (given[SIG] != NULL)
		sig_len = guest_bytes("-sig", given[SIG], run.verify_sig, sizeof run.verify_sig);
	parse_message();

	if (given[SK] != NULL && (given[SEED] != NULL || ops & BIT(KEYGEN)))
		guest_usage("-sk: keygen makes the key from -seed; give -op without keygen, and no -seed");
	if (given[SK] != NULL && ops & BIT(VERIFY) && given[PK] == NULL)
		guest_usage("-sk: verify needs the public key, -pk, too");
	if (given[PK] != NULL && (ops & BIT(KEYGEN) || (ops & BIT(SIGN) && given[SK] == NULL)))
		guest_usage("-pk: is for -op verify, or sign,verify with -sk");
	if (given[PK] != NULL && !(ops & BIT(SIGN)) && given[SIG] == NULL)
		guest_usage("-pk: needs the signature to verify, -sig");
	if (given[SIG] != NULL && ops & BIT(SIGN))
		guest_usage("-sig: is for -op without sign");
	if (given[RND] != NULL && options.r3)
		guest_usage("-rnd: signatures of -variant r3 are deterministic");
}

static struct socsim_record_entry *entry(uint32_t operation)
{
	uint32_t flag = internal ? SOCSIM_FLAG_INTERNAL : given[MU] != NULL ? SOCSIM_FLAG_EXTERNAL_MU : 0;

	if (operation == SOCSIM_OPERATION_KEYGEN)
		flag = 0;
	if (operation == SOCSIM_OPERATION_SIGN && given[RND] == NULL)
		flag |= SOCSIM_FLAG_DETERMINISTIC;
	return record_entry(options.r3 ? SOCSIM_SCHEME_DILITHIUM_R3 : SOCSIM_SCHEME_MLDSA,
			    SOCSIM_SET_MLDSA_44 + options.set, operation, flag);
}

static void record_message(struct socsim_record_entry *e)
{
	record_field(e, SOCSIM_ROLE_MESSAGE, msg.mu != NULL ? (const void *)msg.mu : msg.m, msg.m_len);
	if (msg.context_len > 0)
		record_field(e, SOCSIM_ROLE_CONTEXT, msg.context, msg.context_len);
}

static void do_keygen(void)
{
	program_begin();
	keygen();
	program_end(KEYGEN, 0);
	program_output(OUT_PK, run.pk, params_pk(p));
	program_output(OUT_SK, run.sk, params_sk(p, options.r3));

	struct socsim_record_entry *e = entry(SOCSIM_OPERATION_KEYGEN);

	record_field(e, SOCSIM_ROLE_SEED, run.seed, SEED_SIZE);
	record_field(e, SOCSIM_ROLE_PUBLIC_KEY, run.pk, params_pk(p));
	record_field(e, SOCSIM_ROLE_SECRET_KEY, run.sk, params_sk(p, options.r3));
}

static void do_sign(void)
{
	program_begin();
	sign();
	program_end(SIGN, attempts);
	program_output(OUT_SIG, run.sig, params_sig(p, options.r3));

	struct socsim_record_entry *e = entry(SOCSIM_OPERATION_SIGN);

	record_field(e, SOCSIM_ROLE_SECRET_KEY, run.sk, params_sk(p, options.r3));
	record_message(e);
	if (given[RND] != NULL)
		record_field(e, SOCSIM_ROLE_RANDOM, rnd, RANDOM_SIZE);
	record_field(e, SOCSIM_ROLE_SIGNATURE, run.sig, params_sig(p, options.r3));
}

static bool do_verify(void)
{
	program_begin();
	bool accepted = verify();
	program_end(VERIFY, 0);

	struct socsim_record_entry *e = entry(SOCSIM_OPERATION_VERIFY);

	e->result = accepted;
	record_field(e, SOCSIM_ROLE_PUBLIC_KEY, run.verify_pk, params_pk(p));
	record_message(e);
	record_field(e, SOCSIM_ROLE_SIGNATURE, run.verify_sig, sig_len);
	return accepted;
}

/* What operations need and nobody gave is made outside of what is measured and recorded,
   and a line says so. */
static void prepare_key(void)
{
	if (options.operations & BIT(KEYGEN) || given[SK] != NULL || given[PK] != NULL)
		return;
	dsa_keygen(p, options.r3, run.pk, run.sk, run.seed);
	program_prepared(KEYGEN);
}

static void prepare_signature(bool first)
{
	if (!(options.operations & BIT(VERIFY)) || given[SIG] != NULL)
		return;
	dsa_sign(p, options.r3, run.sig, run.sk, &msg, rnd);
	if (first)
		program_prepared(SIGN);
}

/* Run i has seed and message of the first one, i XORed to their first word, or the
   message of that number. Where no run makes a key, all have the first one's. */
static bool once(uint32_t i)
{
	unsigned ops = options.operations;

	if (i > 0) {
		record_check();
		run.seed[0] ^= i ^ (i - 1);
	}
	if (given[MSGS] != NULL) {
		msg.m_len = text(message, i);
	} else if (i > 0) {
		message[0] ^= i ^ (i - 1);
	}
	msg.m = (const uint8_t *)message;
	if (given[MU] != NULL)
		msg.mu = message;

	if (ops & BIT(KEYGEN))
		do_keygen();
	if (ops & BIT(SIGN))
		do_sign();
	else
		prepare_signature(i == 0);
	if (!(ops & BIT(VERIFY)))
		return true;
	if (given[PK] == NULL)
		copy_words(run.verify_pk, run.pk, params_pk(p));
	if (given[SIG] == NULL)
		memcpy(run.verify_sig, run.sig, sig_len);
	return do_verify();
}

int main(void)
{
	bool accepted = true;

	parse();
	program_open("ML-DSA");
	prepare_key();
	for (uint32_t i = 0; i < options.runs && accepted; i++)
		accepted = once(i);
	program_print();
	if (!accepted) {
		printf("[FAIL] verify rejects the signature\n");
		return 1;
	}
	printf("[PASS]\n");
	return 0;
}
