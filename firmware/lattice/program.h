/*
 * What the programs over lattices have in common: arguments, operations that are run
 * many times, and what is printed about them.
 */
#ifndef LATTICE_PROGRAM_H
#define LATTICE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An output whose digest is printed behind the operation it is of. */
struct program_output {
	const char *name;
	unsigned operation;
};

/* What a program has. Lists of names end with NULL. */
struct program {
	const char *const *sets;
	unsigned default_set;
	const char *variant; /* the standard's, and the other one is r3; or just r3 */
	bool only_variant;   /* there is none */
	const char *const *operations;
	unsigned default_operations; /* bit set */
	const char *const *flags;    /* flags with a value, besides those all programs have */
	const char **given;          /* what was given for each, NULL if nothing was */
	const char *const *switches; /* flags without a value */
	bool *on;
	const struct program_output *outputs; /* the last has no name */
};

/* What the arguments say. */
struct program_options {
	unsigned set;
	const char *set_name;
	bool r3, digests;
	unsigned operations; /* bit set */
	uint32_t runs;
};
extern struct program_options options;

enum { PROGRAM_OPERATIONS = 5, PROGRAM_OUTPUTS = 8, MOST_RUNS = 10000 };

/* Reads the arguments; after that the program reads its own flags' values. */
void program_read(const struct program *p);

/* Bytes of a flag that must be so many; false if the flag is not there. */
bool program_bytes(const char *flag, const char *given, void *out, size_t want);

/* Picks the XOF driver, prints [CFG] and [OWN]. scheme is as [OWN] names it. */
void program_open(const char *scheme);

/* One measured operation: what is between these two. attempts is how often it had to
   begin anew, 0 if it never has to. */
void program_begin(void);
void program_end(unsigned operation, uint32_t attempts);

/* Adds an output, numbered as in outputs, to those of the runs before. */
void program_output(unsigned output, const void *data, size_t len);

/* "[PRE] operation set, not measured". */
void program_prepared(unsigned operation);

/* [CYC], [STK], [RAM], [TRY] and [DIG] of all operations. */
void program_print(void);

#endif
