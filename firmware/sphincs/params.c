#include "params.h"

const struct params params_sets[] = {
	/*         n   h   d   a   k */
	{"128s", 16, 63, 7, 12, 14},
	{"128f", 16, 66, 22, 6, 33},
	{"192s", 24, 63, 7, 14, 17},
	{"192f", 24, 66, 22, 8, 33},
	{"256s", 32, 64, 8, 14, 22},
	{"256f", 32, 68, 17, 9, 35},
};
const size_t params_count = sizeof params_sets / sizeof params_sets[0];
