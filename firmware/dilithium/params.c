#include "params.h"

const struct params params_sets[PARAMS_SETS] = {
	/*k  l eta tau gamma1 omega c   gamma2 */
	{4, 4, 2, 39, 17, 80, 32, 95232},
	{6, 5, 4, 49, 19, 55, 48, 261888},
	{8, 7, 2, 60, 19, 75, 64, 261888},
};
