/*
 * What a program needs of the machine around it: its arguments, the clock, the
 * stack, the record of what it did.
 */
#ifndef HAL_GUEST_H
#define HAL_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "socsim_record.h"

/* Defined by every program: how it calls itself in messages. */
extern const char program_name[];

/*
 * Arguments. guest_arguments fetches the command line, which may be some
 * 200,000 characters long, and returns the words after the program's name.
 */
int guest_arguments(const char *const **words);

/* One line on standard error, beginning with the program's name, and exit code 2. */
__attribute__((noreturn, format(printf, 1, 2))) void guest_usage(const char *format, ...);

__attribute__((noreturn)) void guest_exit(int code);

/*
 * Bytes from an argument: hex:0A1B..., str:text, len:N for the N bytes 0, 1, ...,
 * 250, 0, 1, ..., or file:path for what a file of the host holds. Returns their
 * number, at most `capacity`; `flag` is for the error message.
 */
size_t guest_bytes(const char *flag, const char *text, void *out, size_t capacity);

/* A decimal number from an argument, at most `most`. */
uint32_t guest_number(const char *flag, const char *text, uint32_t most);

/* The N bytes of len:N. */
void guest_derived(void *out, size_t n);

/* Time: elapsed cycles since reset, asleep or not. (Under QEMU some other clock.) */
uint64_t guest_cycles(void);

/*
 * Stack use: stack_paint marks what lies below the caller's frame, stack_used then
 * tells how far below that frame the marks are gone. At most STACK_PAINTED bytes.
 */
#define STACK_PAINTED 16384
void stack_paint(void);
size_t stack_used(void);

/* "[CYC] operation label cycles" and "[STK] operation label bytes". */
void print_cycles(const char *operation, const char *label, uint64_t cycles);
void print_stack(const char *operation, const char *label);

/* "[DIG] what sha3-256 digest", computed in software whatever is attached. */
void print_digest(const char *what, const void *data, size_t len);

/*
 * The record of operations that the host checks after the run. Data stays where
 * it is until exit, or until record_check: there the host checks what is recorded, and
 * the record is empty again. Fields of no bytes may be left out.
 */
struct socsim_record_entry *record_entry(uint32_t scheme, uint32_t set, uint32_t operation,
					 uint32_t flags);
void record_check(void);
void record_field(struct socsim_record_entry *e, uint32_t role, const void *data, size_t len);

/* For buffers that need not be zero at start: clearing them would only cost time. */
#define NOINIT __attribute__((noinit))

#endif
