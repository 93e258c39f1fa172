/*
 * Working memory of an operation, beside its inputs and outputs: polynomials and other
 * buffers that would be large on a stack. What was taken last goes back first.
 */
#ifndef LATTICE_MEMORY_H
#define LATTICE_MEMORY_H

#include <stddef.h>

/* Nothing is taken, and nothing was. */
void memory_begin(void);

/* Bytes that hold nothing in particular, aligned to words. */
void *memory_take(size_t bytes);

/* memory_back gives back what was taken since memory_mark returned that mark. */
size_t memory_mark(void);
void memory_back(size_t mark);

/* The most bytes that were taken at a time since memory_begin. */
size_t memory_most(void);

#endif
