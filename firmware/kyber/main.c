/*
 * kyber: key generation, encapsulation and decapsulation with ML-KEM (FIPS 203) or
 * round-3 Kyber, the input checks of the standard, and the same over another XOF in
 * the place of SHAKE, which is our own instance. README.md of the folder above has its
 * flags and its output.
 */
#include <stdio.h>
#include <string.h>

#include "guest.h"
#include "hash.h"
#include "kem.h"
#include "program.h"
#include "words.h"

const char program_name[] = "kyber";

enum { KEYGEN, ENCAPS, DECAPS, CHECK_EK, CHECK_DK };
#define BIT(operation) (1u << (operation))

enum { SEED, M, EK, DK, C };
static const char *const flags[] = {"-seed", "-m", "-ek", "-dk", "-c", NULL};
static const char *given[C + 1];

enum { OUT_EK, OUT_DK, OUT_C, OUT_KEY, OUT_DECAPS };
static const struct program program = {
	.sets = (const char *const[]){"512", "768", "1024", NULL},
	.default_set = 1,
	.variant = "fips203",
	.operations = (const char *const[]){"keygen", "encaps", "decaps", "checkek", "checkdk", NULL},
	.default_operations = BIT(KEYGEN) | BIT(ENCAPS) | BIT(DECAPS),
	.flags = flags,
	.given = given,
	.switches = (const char *const[]){NULL},
	.outputs = (const struct program_output[]){
		[OUT_EK] = {"ek", KEYGEN},
		[OUT_DK] = {"dk", KEYGEN},
		[OUT_C] = {"c", ENCAPS},
		[OUT_KEY] = {"key", ENCAPS},
		[OUT_DECAPS] = {"key", DECAPS},
		{NULL, 0},
	},
};

/* Inputs and outputs of a run stay where they are for the host to check, until the next
   one. Decapsulation has copies of its own of what it is given. */
struct run {
	uint32_t seed[SEED_SIZE / 4], m[MESSAGE_SIZE / 4];
	uint32_t ek[MAX_EK / 4], dk[MAX_DK / 4], c[MAX_C / 4], key[SECRET_SIZE / 4];
	uint32_t decaps_dk[MAX_DK / 4], decaps_c[MAX_C / 4], decaps_key[SECRET_SIZE / 4];
};
NOINIT static struct run run;

static const struct params *p;

/* The regions of interest. The barrier keeps the call from becoming a jump, so
   that a region ends where its function returns. */
#define REGION __attribute__((noinline, section(".text.roi")))
#define REGION_END __asm__ volatile("" ::: "memory")

REGION static void keygen(void)
{
	kem_keygen(p, options.r3, run.ek, run.dk, run.seed);
	REGION_END;
}

REGION static void encaps(void)
{
	kem_encaps(p, options.r3, run.key, run.c, run.ek, run.m);
	REGION_END;
}

REGION static void decaps(void)
{
	kem_decaps(p, options.r3, run.decaps_key, run.decaps_dk, run.decaps_c);
	REGION_END;
}

REGION static bool checkek(void)
{
	bool is = kem_check_ek(p, run.ek);

	REGION_END;
	return is;
}

REGION static bool checkdk(void)
{
	bool is = kem_check_dk(p, run.decaps_dk);

	REGION_END;
	return is;
}

static void parse(void)
{
	program_read(&program);
	p = &params_sets[options.set];

	unsigned ops = options.operations;
	unsigned makes = BIT(KEYGEN) | BIT(ENCAPS);

	if (!program_bytes("-seed", given[SEED], run.seed, SEED_SIZE))
		guest_derived(run.seed, SEED_SIZE);
	if (!program_bytes("-m", given[M], run.m, MESSAGE_SIZE))
		guest_derived(run.m, MESSAGE_SIZE);
	program_bytes("-ek", given[EK], run.ek, params_ek(p));
	program_bytes("-dk", given[DK], run.decaps_dk, params_dk(p));
	program_bytes("-c", given[C], run.decaps_c, params_c(p));

	if (given[EK] != NULL && ops & ~(BIT(ENCAPS) | BIT(CHECK_EK)))
		guest_usage("-ek: is for -op encaps, checkek and both");
	if (given[DK] != NULL && ops & ~(BIT(DECAPS) | BIT(CHECK_DK)))
		guest_usage("-dk: is for -op decaps, checkdk and both");
	if (given[DK] != NULL && ops & BIT(DECAPS) && given[C] == NULL)
		guest_usage("-dk: needs the ciphertext to decapsulate, -c");
	if (given[C] != NULL && (ops & makes || !(ops & BIT(DECAPS))))
		guest_usage("-c: is for -op decaps without keygen and encaps");
	if (given[SEED] != NULL && (given[EK] != NULL || given[DK] != NULL))
		guest_usage("-seed: makes the keys, so -ek and -dk have no place beside it");
}

static struct socsim_record_entry *entry(uint32_t operation)
{
	return record_entry(options.r3 ? SOCSIM_SCHEME_KYBER_R3 : SOCSIM_SCHEME_MLKEM,
			    SOCSIM_SET_MLKEM_512 + options.set, operation, 0);
}

static void do_keygen(void)
{
	program_begin();
	keygen();
	program_end(KEYGEN, 0);
	program_output(OUT_EK, run.ek, params_ek(p));
	program_output(OUT_DK, run.dk, params_dk(p));

	struct socsim_record_entry *e = entry(SOCSIM_OPERATION_KEYGEN);

	record_field(e, SOCSIM_ROLE_SEED, run.seed, SEED_SIZE);
	record_field(e, SOCSIM_ROLE_PUBLIC_KEY, run.ek, params_ek(p));
	record_field(e, SOCSIM_ROLE_SECRET_KEY, run.dk, params_dk(p));
}

static void do_encaps(void)
{
	program_begin();
	encaps();
	program_end(ENCAPS, 0);
	program_output(OUT_C, run.c, params_c(p));
	program_output(OUT_KEY, run.key, SECRET_SIZE);

	struct socsim_record_entry *e = entry(SOCSIM_OPERATION_ENCAPS);

	record_field(e, SOCSIM_ROLE_PUBLIC_KEY, run.ek, params_ek(p));
	record_field(e, SOCSIM_ROLE_RANDOM, run.m, MESSAGE_SIZE);
	record_field(e, SOCSIM_ROLE_CIPHERTEXT, run.c, params_c(p));
	record_field(e, SOCSIM_ROLE_SHARED_SECRET, run.key, SECRET_SIZE);
}

static void do_decaps(void)
{
	program_begin();
	decaps();
	program_end(DECAPS, 0);
	program_output(OUT_DECAPS, run.decaps_key, SECRET_SIZE);

	struct socsim_record_entry *e = entry(SOCSIM_OPERATION_DECAPS);

	record_field(e, SOCSIM_ROLE_SECRET_KEY, run.decaps_dk, params_dk(p));
	record_field(e, SOCSIM_ROLE_CIPHERTEXT, run.decaps_c, params_c(p));
	record_field(e, SOCSIM_ROLE_SHARED_SECRET, run.decaps_key, SECRET_SIZE);
}

static bool do_check(unsigned operation)
{
	bool is, dk = operation == CHECK_DK;

	program_begin();
	is = dk ? checkdk() : checkek();
	program_end(operation, 0);

	struct socsim_record_entry *e = entry(dk ? SOCSIM_OPERATION_CHECK_SECRET_KEY : SOCSIM_OPERATION_CHECK_PUBLIC_KEY);

	e->result = is;
	if (dk)
		record_field(e, SOCSIM_ROLE_SECRET_KEY, run.decaps_dk, params_dk(p));
	else
		record_field(e, SOCSIM_ROLE_PUBLIC_KEY, run.ek, params_ek(p));
	return is;
}

/* What operations need and nobody gave is made outside of what is measured and recorded,
   and a line says so. */
static void prepare_key(void)
{
	if (options.operations & BIT(KEYGEN) || given[EK] != NULL || given[DK] != NULL)
		return;
	kem_keygen(p, options.r3, run.ek, run.dk, run.seed);
	program_prepared(KEYGEN);
}

static void prepare_ciphertext(bool first)
{
	if (!(options.operations & BIT(DECAPS)) || given[C] != NULL)
		return;
	kem_encaps(p, options.r3, run.key, run.c, run.ek, run.m);
	if (first)
		program_prepared(ENCAPS);
}

/* Run i has seed and m of the first one, i XORed to their first word. Where no run makes
   a key, all have the first one's. Returns what is wrong, or NULL. */
static const char *once(uint32_t i)
{
	unsigned ops = options.operations;

	if (i > 0) {
		record_check();
		run.seed[0] ^= i ^ (i - 1);
		run.m[0] ^= i ^ (i - 1);
	}
	if (ops & BIT(KEYGEN))
		do_keygen();
	if (ops & BIT(ENCAPS))
		do_encaps();
	else
		prepare_ciphertext(i == 0);
	if (given[DK] == NULL)
		copy_words(run.decaps_dk, run.dk, params_dk(p));
	if (ops & BIT(DECAPS)) {
		if (given[C] == NULL)
			copy_words(run.decaps_c, run.c, params_c(p));
		do_decaps();
		if (given[C] == NULL && memcmp(run.key, run.decaps_key, SECRET_SIZE) != 0)
			return "decaps gives another secret than encaps";
	}
	if (ops & BIT(CHECK_EK) && !do_check(CHECK_EK))
		return "checkek: this is no encapsulation key";
	if (ops & BIT(CHECK_DK) && !do_check(CHECK_DK))
		return "checkdk: this is no decapsulation key";
	return NULL;
}

int main(void)
{
	const char *wrong = NULL;

	parse();
	program_open("ML-KEM");
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
