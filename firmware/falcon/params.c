#include "falcon.h"

/* 1/sigma and sigma_min are the submission's numbers. */
const struct params params_sets[2] = {
	{9, 6, 666, 752, 34034726, 0x3F78B6C2DE64C7CA, 0x3FF47201BF1F7A75},
	{10, 5, 1280, 1462, 70265242, 0x3F78531EF6311AE3, 0x3FF4C5C19990C764},
};
