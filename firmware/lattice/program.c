#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"
#include "hash.h"
#include "keccak.h"
#include "memory.h"

struct program_options options = {.digests = true, .runs = 1};

static const struct program *program;

/* Flags with a value that every program has. */
enum { P, OP, VARIANT, N, HASH_FLAG, RAM, WAIT, COMMON };
static const char *const common_flags[] = {"-p", "-op", "-variant", "-n", "-hash", "-ram", "-wait", NULL};
static const char *common_given[COMMON];

static int find(const char *const *names, const char *name, size_t len)
{
	for (int i = 0; names[i] != NULL; i++)
		if (strlen(names[i]) == len && strncmp(names[i], name, len) == 0)
			return i;
	return -1;
}

/* The names with blanks between, for a message; and the same of more behind them. */
static const char *lists(const char *const *names, const char *const *more)
{
	static char text[160];
	const char *const *both[] = {names, more};

	text[0] = '\0';
	for (int i = 0; i < 2; i++)
		for (names = both[i]; names != NULL && *names != NULL; names++) {
			strcat(text, " ");
			strcat(text, *names);
		}
	return text;
}

static const char *list(const char *const *names) { return lists(names, NULL); }

static void read_words(int n, const char *const *arguments)
{
	for (int i = 0; i < n; i++) {
		const char *name = arguments[i], **given;
		size_t len = strlen(name);
		int f;

		if (strcmp(name, "-nodigest") == 0) {
			options.digests = false;
			continue;
		}
		if ((f = find(program->switches, name, len)) >= 0) {
			program->on[f] = true;
			continue;
		}
		if ((f = find(common_flags, name, len)) >= 0)
			given = &common_given[f];
		else if ((f = find(program->flags, name, len)) >= 0)
			given = &program->given[f];
		else
			guest_usage("%.40s: no such flag; there are -p -op -variant -n -hash -ram -wait -nodigest%s",
				    name, lists(program->flags, program->switches));
		if (++i == n)
			guest_usage("%s: its value is missing", name);
		*given = arguments[i];
	}
}

static unsigned operations_named(const char *names)
{
	unsigned set = 0;

	if (*names == '\0')
		guest_usage("-op: no operation; there are%s", list(program->operations));
	for (;;) {
		size_t len = strcspn(names, ",");
		int i = find(program->operations, names, len);

		if (i < 0)
			guest_usage("-op: no operation \"%.*s\"; there are%s", (int)(len < 40 ? len : 40), names,
				    list(program->operations));
		set |= 1u << i;
		if (names[len] == '\0')
			return set;
		names += len + 1;
	}
}

void program_read(const struct program *p)
{
	const char *const *arguments;
	int n = guest_arguments(&arguments);

	program = p;
	read_words(n, arguments);

	const char *name = common_given[P];
	int set = name != NULL ? find(p->sets, name, strlen(name)) : (int)p->default_set;

	if (set < 0)
		guest_usage("-p: no parameter set \"%.40s\"; there are%s", name, list(p->sets));
	options.set = (unsigned)set;
	options.set_name = p->sets[set];
	if ((name = common_given[VARIANT]) != NULL) {
		if (p->only_variant)
			guest_usage("-variant: no such flag: there is only one");
		bool only_r3 = strcmp(p->variant, "r3") == 0;

		options.r3 = strcmp(name, "r3") == 0;
		if (!options.r3 && strcmp(name, p->variant) != 0)
			guest_usage("-variant: no variant \"%.40s\"; there %s%s r3", name, only_r3 ? "is" : "are ",
				    only_r3 ? "" : p->variant);
	}
	name = common_given[OP];
	options.operations = name != NULL ? operations_named(name) : p->default_operations;
	if ((name = common_given[N]) != NULL) {
		options.runs = guest_number("-n", name, MOST_RUNS);
		if (options.runs == 0)
			guest_usage("-n: 0 runs are none, so there would be nothing to measure");
	}
}

bool program_bytes(const char *flag, const char *given, void *out, size_t want)
{
	if (given == NULL)
		return false;
	size_t len = guest_bytes(flag, given, out, want);

	if (len != want)
		guest_usage("%s: %u bytes, set %s wants %u", flag, (unsigned)len, options.set_name, (unsigned)want);
	return true;
}

void program_open(const char *scheme)
{
	const char *error = xof_open(&(struct xof_arguments){common_given[HASH_FLAG], common_given[RAM], common_given[WAIT]});

	if (error != NULL)
		guest_usage("%s", error);
	hash_open();
	printf("[CFG] %s %s %s %s %s\n", program_name, options.set_name, options.r3 ? "r3" : program->variant,
	       xof_name(), xof_coupling());
	if (xof_kind() != SOCSIM_XOF_SHAKE)
		printf("[OWN] %s over %s is our own instance: no standard defines it\n", scheme, xof_name());
}

/* What all runs of an operation came to. An operation takes less than 2^32 cycles. */
NOINIT static uint32_t cycles[PROGRAM_OPERATIONS][MOST_RUNS], tries[PROGRAM_OPERATIONS][MOST_RUNS];
static struct {
	uint32_t runs;
	size_t stack, memory;
} of[PROGRAM_OPERATIONS];
static struct keccak_sponge digests[PROGRAM_OUTPUTS];
static uint64_t started;

void program_begin(void)
{
	memory_begin();
	stack_paint();
	started = guest_cycles();
}

void program_end(unsigned operation, uint32_t attempts)
{
	uint64_t elapsed = guest_cycles() - started;
	size_t stack = stack_used();
	uint32_t run = of[operation].runs++;

	cycles[operation][run] = (uint32_t)elapsed;
	tries[operation][run] = attempts;
	if (stack > of[operation].stack)
		of[operation].stack = stack;
	if (memory_most() > of[operation].memory)
		of[operation].memory = memory_most();
}

void program_output(unsigned output, const void *data, size_t len)
{
	struct keccak_sponge *k = &digests[output];

	if (!options.digests)
		return;
	if (k->rate == 0)
		keccak_init(k, SHA3_256, 24);
	keccak_absorb(k, data, len);
}

void program_prepared(unsigned operation)
{
	printf("[PRE] %s %s, not measured\n", program->operations[operation], options.set_name);
}

static int ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The number of a single run, or what many have in common. */
static void print_numbers(const char *tag, unsigned operation, uint32_t *v)
{
	uint32_t runs = of[operation].runs;
	uint64_t sum = 0;

	printf("[%s] %s %s ", tag, program->operations[operation], options.set_name);
	if (runs == 1) {
		printf("%lu\n", (unsigned long)v[0]);
		return;
	}
	qsort(v, runs, sizeof *v, ascending);
	for (uint32_t i = 0; i < runs; i++)
		sum += v[i];

	unsigned long tenths = (unsigned long)((10 * sum + runs / 2) / runs);
	unsigned long median = (unsigned long)(((uint64_t)v[(runs - 1) / 2] + v[runs / 2]) / 2);

	printf("median %lu mean %lu.%lu min %lu max %lu of %lu\n", median, tenths / 10, tenths % 10,
	       (unsigned long)v[0], (unsigned long)v[runs - 1], (unsigned long)runs);
}

static void print_digest_of(const char *name, struct keccak_sponge *k)
{
	uint8_t digest[32];

	keccak_finish(k);
	keccak_squeeze(k, digest, sizeof digest);
	printf("[DIG] %s sha3-256 ", name);
	for (size_t i = 0; i < sizeof digest; i++)
		printf("%02x", digest[i]);
	printf("\n");
}

void program_print(void)
{
	for (unsigned i = 0; program->operations[i] != NULL; i++) {
		const char *name = program->operations[i];

		if (of[i].runs == 0)
			continue;
		if (tries[i][0] > 0)
			print_numbers("TRY", i, tries[i]);
		print_numbers("CYC", i, cycles[i]);
		printf("[STK] %s %s %s%u\n", name, options.set_name, of[i].stack == STACK_PAINTED ? ">=" : "",
		       (unsigned)of[i].stack);
		printf("[RAM] %s %s %u\n", name, options.set_name, (unsigned)of[i].memory);
		for (unsigned j = 0; program->outputs[j].name != NULL; j++)
			if (program->outputs[j].operation == i && options.digests)
				print_digest_of(program->outputs[j].name, &digests[j]);
	}
}
