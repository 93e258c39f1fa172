/* The host. */
#include <stdio.h>
#include <stdlib.h>

#include "workload.h"

int main(int argc, char **argv)
{
	printf("%08x\n", run(argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1));
	return 0;
}
