/* Recursion: Fibonacci numbers, Ackermann's function, a tree. */
#include "workload.h"

__attribute__((noinline)) static uint32_t fibonacci(uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__attribute__((noinline)) static uint32_t ackermann(uint32_t m, uint32_t n)
{
	if (m == 0)
		return n + 1;
	return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__attribute__((noinline)) static uint32_t tree(uint32_t height, uint32_t leaf)
{
	if (height == 0)
		return leaf * 2654435761u;
	return fold(tree(height - 1, 2 * leaf), tree(height - 1, 2 * leaf + 1));
}

uint32_t run(uint32_t count)
{
	uint32_t sum = 0;

	for (uint32_t n = 0; n < count; n++) {
		sum = fold(sum, fibonacci(12 + n % 4));
		sum = fold(sum, ackermann(2, 3 + n % 8));
		sum = fold(sum, tree(9, n));
	}
	return sum;
}
