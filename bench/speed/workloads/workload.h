/*
 * A workload does something count times over and returns a checksum, the same on every
 * machine. It is built with one of start_*.c for what it runs on.
 */
#include <stdint.h>

uint32_t run(uint32_t count);

/* next is a linear congruential generator (constants of Numerical Recipes). */
static inline uint32_t next(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }

/* fold takes a value into a checksum. */
static inline uint32_t fold(uint32_t sum, uint32_t value) { return (sum << 5 | sum >> 27) ^ value * 2654435761u; }
