/*
 * What has to happen before main, after picolibc's start-up code.
 *
 * Counters of CV32E40P stand still out of reset (mcountinhibit is 0xd). Its trap
 * base is aligned to 256 bytes, which picolibc's handler is not, so a trap goes to
 * a handler of our own that reports and ends the program. Interrupts stay off.
 */
#include <stdint.h>
#include <stdio.h>

#include "guest.h"

__attribute__((used, noreturn)) static void report_trap(uint32_t cause, uint32_t pc, uint32_t ra)
{
	printf("[FAIL] trap: mcause %lu, mepc 0x%08lx, ra 0x%08lx\n", (unsigned long)cause,
	       (unsigned long)pc, (unsigned long)ra);
	guest_exit(1);
}

/* Nothing is saved, as nothing returns. The stack may be what is broken. */
__attribute__((naked, aligned(256))) static void trap(void)
{
	__asm__("la sp, __stack\n"
		"csrr a0, mcause\n"
		"csrr a1, mepc\n"
		"mv a2, ra\n"
		"j report_trap\n");
}

__attribute__((constructor)) static void start(void)
{
	__asm__ volatile("csrw mtvec, %0" ::"r"(trap));
	__asm__ volatile("csrw mcountinhibit, zero");
}
