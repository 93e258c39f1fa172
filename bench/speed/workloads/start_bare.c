/* RV32 without an operating system: RAM from 0x80000000 on, RISC-V semihosting. */
#include "workload.h"

/* Written into the file before it is run. */
volatile uint32_t workload_count __attribute__((section(".data"))) = 1;

__asm__(".section .text.start, \"ax\"\n"
	".globl _start\n"
	"_start: la sp, stack_end\n"
	"call start\n"
	".text\n");

static int semihost(int operation, const void *argument)
{
	register int a0 __asm__("a0") = operation;
	register const void *a1 __asm__("a1") = argument;

	__asm__ volatile(".balign 16\n"
			 ".option push\n"
			 ".option norvc\n"
			 "slli x0, x0, 0x1f\n"
			 "ebreak\n"
			 "srai x0, x0, 7\n"
			 ".option pop\n"
			 : "+r"(a0)
			 : "r"(a1)
			 : "memory");
	return a0;
}

__attribute__((noreturn, used)) void start(void)
{
	uint32_t sum = run(workload_count);
	char text[] = "00000000\n";

	for (int i = 0; i < 8; i++)
		text[i] = "0123456789abcdef"[sum >> (28 - 4 * i) & 15];
	semihost(4, text); /* SYS_WRITE0 */
	semihost(0x18, (const void *)0x20026); /* SYS_EXIT, ADP_Stopped_ApplicationExit */
	for (;;)
		;
}
