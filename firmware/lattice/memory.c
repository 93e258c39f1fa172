#include "memory.h"

#include <stdio.h>

#include "guest.h"

enum { ROOM = 160 * 1024 };

NOINIT static uint32_t memory[ROOM / 4];
static size_t taken, most;

void memory_begin(void) { taken = most = 0; }

void *memory_take(size_t bytes)
{
	void *p = (uint8_t *)memory + taken;

	taken += (bytes + 3) & ~(size_t)3;
	if (taken > most)
		most = taken;
	if (taken > ROOM) {
		printf("[FAIL] BUG: %u bytes of working memory, there are %u\n", (unsigned)taken, ROOM);
		guest_exit(1);
	}
	return p;
}

size_t memory_mark(void) { return taken; }
void memory_back(size_t mark) { taken = mark; }
size_t memory_most(void) { return most; }
