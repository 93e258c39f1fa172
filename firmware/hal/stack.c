/*
 * High-water mark of the stack: what lies below it is painted, and after the
 * operation the lowest word that lost its paint is looked for.
 */
#include <stdio.h>

#include "guest.h"

enum { PAINT = 0x5AFE57AC, WORDS = STACK_PAINTED / 4 };

static uint32_t *painted; /* the lowest painted word; WORDS of them up from here */

/* Its own frame lies in the area and is not painted over; those words count as
   used, which a call from the same place has to use anyway. */
__attribute__((noinline)) void stack_paint(void)
{
	uint32_t *sp;

	__asm__ volatile("mv %0, sp" : "=r"(sp));
	painted = sp - WORDS;
	for (uint32_t *p = painted; p < sp; p += 4)
		p[0] = p[1] = p[2] = p[3] = PAINT;
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) size_t stack_used(void)
{
	const volatile uint32_t *p = painted, *end = p + WORDS;

	while (p < end && *p == PAINT)
		p++;
	return 4 * (end - p);
}

void print_stack(const char *operation, const char *label)
{
	size_t used = stack_used();

	printf("[STK] %s %s %s%u\n", operation, label, used == STACK_PAINTED ? ">=" : "", (unsigned)used);
}
