/* Guest program for the tests of package elf: never run there, only read. */
unsigned table[4] = {1, 2, 3, 4};
unsigned counter[8];

__attribute__((noinline, section(".text.hal.movein"))) void feed(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		counter[i & 7] += table[i & 3];
}

__attribute__((noinline, section(".text.roi"))) unsigned keygen(unsigned n)
{
	feed(n); /* line 12: the test looks for it */
	return counter[0];
}

void start(void)
{
	keygen(5);
	for (;;)
		;
}
