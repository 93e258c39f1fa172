/*
 * sdith: signing with SDitH version 2 on the coprocessor (device.c), or signing and
 * verifying in software (-sw, set cat1_fast), also with another XOF in the place of
 * SHAKE128, which is our own instance.
 * README.md of the folder above has its flags and its output.
 */
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "guest.h"
#include "known.h"
#include "program.h"
#include "sdith.h"

const char program_name[] = "sdith";

enum { SIGN, VERIFY };
#define BIT(operation) (1u << (operation))

enum { SK, MESSAGE, ENTROPY, PK, SIG };
static const char *const flags[] = {"-sk", "-msg", "-entropy", "-pk", "-sig", NULL};
static const char *given[SIG + 1];

enum { SOFTWARE };
static bool on[SOFTWARE + 1];

enum { OUT_SIG };
static const struct program program = {
	.sets = (const char *const[]){"cat1_fast", NULL},
	.variant = "sw",
	.only_variant = true,
	.operations = (const char *const[]){"sign", "verify", NULL},
	.default_operations = BIT(SIGN) | BIT(VERIFY),
	.flags = flags,
	.given = given,
	.switches = (const char *const[]){"-sw", NULL},
	.on = on,
	.outputs = (const struct program_output[]){
		[OUT_SIG] = {"sig", SIGN},
		{NULL, 0},
	},
};

/* Inputs and outputs of a run stay where they are until exit, for the host to check, if
   there is room. Runs behind that share the last place. */
enum { RECORDED = 4, MAX_MESSAGE = 65536 };
struct run {
	uint8_t message[MAX_MESSAGE];
	uint8_t sk[SK_SIZE], pk[PK_SIZE], entropy[ENTROPY_SIZE], sig[SIG_SIZE];
};
NOINIT static struct run all[RECORDED + 1];
static struct run *run;
static bool recorded;
static size_t len; /* of the message */

/* The regions of interest. The barrier keeps the call from becoming a jump, so
   that a region ends where its function returns. */
#define REGION __attribute__((noinline, section(".text.roi")))
#define REGION_END __asm__ volatile("" ::: "memory")

REGION static uint32_t sign(void)
{
	uint32_t attempts = sdith_sign(run->sig, run->sk, run->message, len, run->entropy);

	REGION_END;
	return attempts;
}

REGION static bool verify(void)
{
	bool is = sdith_verify(run->sig, run->pk, run->message, len);

	REGION_END;
	return is;
}

static void parse(void)
{
	unsigned ops;

	program_read(&program);
	ops = options.operations;
	run = &all[0];

	if (!program_bytes("-sk", given[SK], run->sk, SK_SIZE))
		memcpy(run->sk, known_answers[0].sk, SK_SIZE);
	if (!program_bytes("-entropy", given[ENTROPY], run->entropy, ENTROPY_SIZE))
		memcpy(run->entropy, known_answers[0].entropy, ENTROPY_SIZE);
	if (given[MESSAGE] != NULL)
		len = guest_bytes("-msg", given[MESSAGE], run->message, MAX_MESSAGE);
	else
		memcpy(run->message, known_message, len = sizeof known_message);
	if (!program_bytes("-pk", given[PK], run->pk, PK_SIZE)) {
		memcpy(run->pk + PK_SEED, run->sk + SK_SEED, SEED_SIZE);
		memcpy(run->pk + PK_Y, run->sk + SK_Y, SYNDROME);
	}
	program_bytes("-sig", given[SIG], run->sig, SIG_SIZE);

	if (given[SIG] != NULL && ops & BIT(SIGN))
		guest_usage("-sig: is for -op verify alone");
	if (given[SK] != NULL && given[SIG] != NULL)
		guest_usage("-sk: signs, so it has no place beside -sig");
	if (given[PK] != NULL && given[SIG] == NULL)
		guest_usage("-pk: needs the signature to verify, -sig");
}

static struct socsim_record_entry *entry(uint32_t operation)
{
	return record_entry(SOCSIM_SCHEME_SDITH, SOCSIM_SET_SDITH_CAT1_FAST, operation, 0);
}

static bool do_sign(void)
{
	program_begin();

	uint32_t attempts = sign();

	program_end(SIGN, attempts);
	program_output(OUT_SIG, run->sig, SIG_SIZE);
	if (recorded) {
		struct socsim_record_entry *e = entry(SOCSIM_OPERATION_SIGN);

		e->result = attempts == 0;
		record_field(e, SOCSIM_ROLE_SECRET_KEY, run->sk, SK_SIZE);
		record_field(e, SOCSIM_ROLE_MESSAGE, run->message, len);
		record_field(e, SOCSIM_ROLE_RANDOM, run->entropy, ENTROPY_SIZE);
		record_field(e, SOCSIM_ROLE_SIGNATURE, run->sig, SIG_SIZE);
	}
	return attempts != 0;
}

static bool do_verify(void)
{
	program_begin();

	bool is = verify();

	program_end(VERIFY, 0);
	if (recorded) {
		struct socsim_record_entry *e = entry(SOCSIM_OPERATION_VERIFY);

		e->result = is;
		record_field(e, SOCSIM_ROLE_PUBLIC_KEY, run->pk, PK_SIZE);
		record_field(e, SOCSIM_ROLE_MESSAGE, run->message, len);
		record_field(e, SOCSIM_ROLE_SIGNATURE, run->sig, SIG_SIZE);
	}
	return is;
}

/* Run i has i XORed to the first word of message and entropy. Returns what is wrong, or
   NULL. */
static const char *once(uint32_t i)
{
	unsigned ops = options.operations;

	recorded = i < RECORDED;
	run = &all[recorded ? i : RECORDED];
	if (i > 0) {
		*run = all[0];
		for (unsigned k = 0; k < 4; k++) {
			run->entropy[k] ^= (uint8_t)(i >> 8 * k);
			if (k < len)
				run->message[k] ^= (uint8_t)(i >> 8 * k);
		}
	}
	if (ops & BIT(SIGN)) {
		if (!do_sign())
			return "sign: the witness of the secret key does not belong to its public key";
	} else if (given[SIG] == NULL) {
		if (sign() == 0)
			return "sign: the witness of the secret key does not belong to its public key";
		if (i == 0)
			program_prepared(SIGN);
	}
	if (ops & BIT(VERIFY) && !do_verify())
		return "verify rejects the signature";
	return NULL;
}

static bool software(void)
{
	const char *const *arguments;

	for (int n = guest_arguments(&arguments); n > 0; n--)
		if (strcmp(arguments[n - 1], "-sw") == 0)
			return true;
	return false;
}

int main(void)
{
	const char *wrong = NULL;

	if (!software())
		return device_main();
	parse();
	program_open("SDitH");
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
