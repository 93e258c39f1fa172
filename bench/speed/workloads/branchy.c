/*
 * Some 200 KB of code with many branches and little that is done twice in a row: functions
 * that differ in their constants, called in an order that nobody foresees.
 */
#include "workload.h"

typedef uint32_t function(uint32_t x, uint32_t y);

#define FUNCTION(n)                                                                                  \
	__attribute__((noinline)) static uint32_t f##n(uint32_t x, uint32_t y)                       \
	{                                                                                            \
		for (uint32_t i = 0; i < (x & 3) + 1; i++) {                                         \
			if (x & (1u << ((n) % 13)))                                                  \
				x = x * ((n)*2654435761u | 1) + y;                                   \
			else if (y > (n)*40503u)                                                     \
				y ^= x >> ((n) % 11 + 1);                                            \
			else                                                                         \
				y += (n)*977u;                                                       \
			switch ((x ^ y) >> ((n) % 7) & 3) {                                          \
			case 0:                                                                      \
				x += (n);                                                            \
				break;                                                               \
			case 1:                                                                      \
				y = (y << 3 | y >> 29) ^ ((n)*31u);                                  \
				break;                                                               \
			case 2:                                                                      \
				if ((int32_t)x < (int32_t)y)                                         \
					x ^= y;                                                      \
				break;                                                               \
			default:                                                                     \
				x = ~x + (n);                                                        \
			}                                                                            \
			if ((y & 7) == (n) % 8)                                                      \
				break;                                                               \
		}                                                                                    \
		return x ^ (y * ((n) + 7u));                                                         \
	}

#define TEN(m, n) m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7) m(n##8) m(n##9)
#define HUNDRED(m, n)                                                                                 \
	TEN(m, n##0) TEN(m, n##1) TEN(m, n##2) TEN(m, n##3) TEN(m, n##4) TEN(m, n##5) TEN(m, n##6) TEN(m, n##7) TEN(m, n##8) TEN(m, n##9)
#define ALL(m)                                                                                        \
	HUNDRED(m, 1) HUNDRED(m, 2) HUNDRED(m, 3) HUNDRED(m, 4) HUNDRED(m, 5) HUNDRED(m, 6) HUNDRED(m, 7) HUNDRED(m, 8) HUNDRED(m, 9)

#define NAME(n) f##n,

ALL(FUNCTION)

static function *const functions[] = {ALL(NAME)};

uint32_t run(uint32_t count)
{
	uint32_t x = 1, y = 2, state = 3;

	for (uint32_t n = 0; n < count; n++) {
		function *f = functions[(next(&state) >> 16) % (sizeof functions / sizeof functions[0])];

		x = f(x, y);
		y = fold(y, x);
	}
	return x ^ y;
}
