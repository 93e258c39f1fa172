#include "params.h"

const struct params params_sets[PARAMS_SETS] = {
	/* k eta1 du dv */
	{2, 3, 10, 4},
	{3, 2, 10, 4},
	{4, 2, 11, 5},
};
const char *const params_names[PARAMS_SETS] = {"512", "768", "1024"};
