/*
 * falcon: key generation, signing and verification with Falcon round 3, or with the
 * same over another XOF in the place of SHAKE256, which is our own instance. README.md of
 * the folder above has its flags and its output.
 */
#include <stdio.h>
#include <string.h>

#include "falcon.h"
#include "guest.h"
#include "program.h"

const char program_name[] = "falcon";

enum { KEYGEN, SIGN, VERIFY };
#define BIT(operation) (1u << (operation))

enum { SEED, SK, PK, SIG, MSG, NONCE, SIGN_SEED };
static const char *const flags[] = {"-seed", "-sk", "-pk", "-sig", "-msg", "-nonce", "-signseed", NULL};
static const char *given[SIGN_SEED + 1];
static bool padded;

enum { OUT_PK, OUT_SK, OUT_SIG };
static const struct program program = {
	.sets = (const char *const[]){"512", "1024", NULL},
	.default_set = 0,
	.variant = "r3",
	.operations = (const char *const[]){"keygen", "sign", "verify", NULL},
	.default_operations = BIT(KEYGEN) | BIT(SIGN) | BIT(VERIFY),
	.flags = flags,
	.given = given,
	.switches = (const char *const[]){"-padded", NULL},
	.on = &padded,
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
enum { MAX_MESSAGE = 65536, SIG_ROOM = MAX_SIG + 256 };
#define WORDS(bytes) (((bytes) + 3) / 4)
struct run {
	uint32_t seed[WORDS(SEED_SIZE)], random[WORDS(NONCE_SIZE + SEED_SIZE)];
	uint32_t pk[WORDS(MAX_PK)], sk[WORDS(MAX_SK)], sig[WORDS(SIG_ROOM)];
	uint32_t verify_pk[WORDS(MAX_PK)], verify_sig[WORDS(SIG_ROOM)];
	size_t sig_len, verify_len;
};
NOINIT static struct run run;
NOINIT static uint32_t message[MAX_MESSAGE / 4];
static size_t m_len;
static uint32_t attempts;

static const struct params *p;

static uint8_t *bytes(uint32_t *words) { return (uint8_t *)words; }

/* The regions of interest. The barrier keeps the call from becoming a jump, so
   that a region ends where its function returns. */
#define REGION __attribute__((noinline, section(".text.roi")))
#define REGION_END __asm__ volatile("" ::: "memory")

REGION static void keygen(void)
{
	attempts = falcon_keygen(p, bytes(run.sk), bytes(run.pk), bytes(run.seed));
	REGION_END;
}

REGION static void sign(void)
{
	run.sig_len = falcon_sign(p, bytes(run.sig), bytes(run.sk), bytes(message), m_len, bytes(run.random),
				   bytes(run.random) + NONCE_SIZE, padded, &attempts);
	REGION_END;
}

REGION static bool verify(void)
{
	bool accepted = falcon_verify(p, bytes(run.verify_sig), run.verify_len, bytes(message), m_len,
				      bytes(run.verify_pk));

	REGION_END;
	return accepted;
}

static void parse(void)
{
	program_read(&program);
	p = &params_sets[options.set];

	unsigned ops = options.operations;

	if (!program_bytes("-seed", given[SEED], run.seed, SEED_SIZE))
		guest_derived(run.seed, SEED_SIZE);
	if (!program_bytes("-nonce", given[NONCE], run.random, NONCE_SIZE))
		guest_derived(run.random, NONCE_SIZE);
	if (!program_bytes("-signseed", given[SIGN_SEED], run.random + NONCE_SIZE / 4, SEED_SIZE))
		guest_derived(run.random + NONCE_SIZE / 4, SEED_SIZE);
	program_bytes("-sk", given[SK], run.sk, params_sk(p));
	program_bytes("-pk", given[PK], run.verify_pk, params_pk(p));
	if (given[SIG] != NULL)
		run.verify_len = guest_bytes("-sig", given[SIG], run.verify_sig, sizeof run.verify_sig);
	m_len = guest_bytes("-msg", given[MSG] != NULL ? given[MSG] : "len:33", message, MAX_MESSAGE);

	if (options.runs > 1 && m_len < 4)
		guest_usage("-n: the message has %u bytes, and 4 are needed to tell the runs apart", (unsigned)m_len);
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
}

static struct socsim_record_entry *entry(uint32_t operation, uint32_t flag)
{
	return record_entry(SOCSIM_SCHEME_FALCON, SOCSIM_SET_FALCON_512 + options.set, operation, flag);
}

static void do_keygen(void)
{
	program_begin();
	keygen();
	program_end(KEYGEN, attempts);
	program_output(OUT_PK, run.pk, params_pk(p));
	program_output(OUT_SK, run.sk, params_sk(p));

	struct socsim_record_entry *e = entry(SOCSIM_OPERATION_KEYGEN, 0);

	record_field(e, SOCSIM_ROLE_SEED, run.seed, SEED_SIZE);
	record_field(e, SOCSIM_ROLE_PUBLIC_KEY, run.pk, params_pk(p));
	record_field(e, SOCSIM_ROLE_SECRET_KEY, run.sk, params_sk(p));
}

static bool do_sign(void)
{
	program_begin();
	sign();
	program_end(SIGN, attempts);
	program_output(OUT_SIG, run.sig, run.sig_len);

	struct socsim_record_entry *e = entry(SOCSIM_OPERATION_SIGN, padded ? SOCSIM_FLAG_PADDED : 0);

	e->result = run.sig_len == 0;
	record_field(e, SOCSIM_ROLE_SECRET_KEY, run.sk, params_sk(p));
	record_field(e, SOCSIM_ROLE_MESSAGE, message, m_len);
	record_field(e, SOCSIM_ROLE_RANDOM, run.random, NONCE_SIZE + SEED_SIZE);
	record_field(e, SOCSIM_ROLE_SIGNATURE, run.sig, run.sig_len);
	return run.sig_len > 0;
}

static bool do_verify(void)
{
	program_begin();
	bool accepted = verify();
	program_end(VERIFY, 0);

	struct socsim_record_entry *e = entry(SOCSIM_OPERATION_VERIFY, 0);

	e->result = accepted;
	record_field(e, SOCSIM_ROLE_PUBLIC_KEY, run.verify_pk, params_pk(p));
	record_field(e, SOCSIM_ROLE_MESSAGE, message, m_len);
	record_field(e, SOCSIM_ROLE_SIGNATURE, run.verify_sig, run.verify_len);
	return accepted;
}

/* What operations need and nobody gave is made outside of what is measured and recorded,
   and a line says so. */
static void prepare_key(void)
{
	if (options.operations & BIT(KEYGEN) || given[SK] != NULL || given[PK] != NULL)
		return;
	program_begin();
	keygen();
	program_prepared(KEYGEN);
}

static bool prepare_signature(bool first)
{
	if (!(options.operations & BIT(VERIFY)) || given[SIG] != NULL)
		return true;
	program_begin();
	sign();
	if (first)
		program_prepared(SIGN);
	return run.sig_len > 0;
}

/* Run i has seeds, nonce and message of the first one, i XORed to the first word of each.
   Where no run makes a key, all have the first one's. Returns what is wrong, or NULL. */
static const char *once(uint32_t i)
{
	unsigned ops = options.operations;

	if (i > 0) {
		uint32_t change = i ^ (i - 1);

		record_check();
		message[0] ^= change;
		run.seed[0] ^= change;
		run.random[0] ^= change;
		run.random[NONCE_SIZE / 4] ^= change;
	}
	if (ops & BIT(KEYGEN))
		do_keygen();
	if (!(ops & BIT(SIGN) ? do_sign() : prepare_signature(i == 0)))
		return "sign makes no signature: the secret key is none, or the signature does not fit";
	if (!(ops & BIT(VERIFY)))
		return NULL;
	if (given[PK] == NULL)
		memcpy(run.verify_pk, run.pk, params_pk(p));
	if (given[SIG] == NULL) {
		memcpy(run.verify_sig, run.sig, run.sig_len);
		run.verify_len = run.sig_len;
	}
	return do_verify() ? NULL : "verify rejects the signature";
}

int main(void)
{
	const char *wrong = NULL;

	parse();
	program_open("Falcon");
	prepare_key();
	for (uint32_t i = 0; i < options.runs && wrong == NULL; i++)
		wrong = once(i);
	program_print();
	if (wrong != NULL) {
		printf("[FAIL] %s\n", wrong);
		return 1;
	}
	printf("[PASS]\n");
	return 0;
}
