/* RV32 under Linux, or a program that stands in for it, without a C library. */
#include "workload.h"

/* Written into the file before it is run. */
volatile uint32_t workload_count __attribute__((section(".data"))) = 1;

__asm__(".globl _start\n"
	"_start: call start\n");

static long call(long number, long a, const void *b, long c)
{
	register long a0 __asm__("a0") = a;
	register const void *a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	register long a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
	return a0;
}

__attribute__((noreturn, used)) void start(void)
{
	uint32_t sum = run(workload_count);
	char text[] = "00000000\n";

	for (int i = 0; i < 8; i++)
		text[i] = "0123456789abcdef"[sum >> (28 - 4 * i) & 15];
	call(64, 1, text, 9); /* write */
	for (;;)
		call(93, 0, 0, 0); /* exit */
}
