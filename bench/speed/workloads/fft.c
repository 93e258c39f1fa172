/*
 * A complex FFT of 64 points in double precision, with the arithmetic in integers, as on a
 * core without a floating-point unit. Normal numbers and zero only, round to nearest even.
 */
#include "workload.h"

typedef uint64_t number; /* IEEE 754 binary64 */

enum { POINTS = 64 };

/* pack rounds mantissa * 2^exponent, the mantissa having 55 bits, the lowest one sticky. */
static number pack(uint64_t sign, int32_t exponent, uint64_t mantissa)
{
	if (mantissa == 0)
		return sign << 63;
	uint32_t low = mantissa & 3;
	uint64_t m = (mantissa >> 2) + ((low > 2) | ((low == 2) & (mantissa >> 2 & 1)));

	return (sign << 63) + ((uint64_t)(exponent + 1076) << 52) + m;
}

static number multiply(number x, number y)
{
	uint64_t a = (x & 0xfffffffffffffull) | 1ull << 52, b = (y & 0xfffffffffffffull) | 1ull << 52;
	int32_t ex = x >> 52 & 2047, ey = y >> 52 & 2047;
	uint32_t a0 = a & 0x3ffffff, a1 = (uint32_t)(a >> 26), b0 = b & 0x3ffffff, b1 = (uint32_t)(b >> 26);
	uint64_t low = (uint64_t)a0 * b0;
	uint64_t middle = (uint64_t)a0 * b1 + (uint64_t)a1 * b0 + (low >> 26);
	uint64_t high = (uint64_t)a1 * b1 + (middle >> 26);
	uint64_t lost = (low & 0x3ffffff) | (middle & 0x3ffffff);

	if (ex == 0 || ey == 0)
		return (x ^ y) >> 63 << 63;
	/* The product has 53 or 54 bits above the lost 52; 55 are wanted, with what is lost in the last. */
	uint64_t m = high << 2 | (middle >> 24 & 3);

	lost = (low & 0x3ffffff) | (middle & 0xffffff);
	int32_t e = ex + ey - 2150 + 50;

	if (m >> 55) {
		lost |= m & 1;
		m >>= 1;
		e++;
	}
	return pack((x ^ y) >> 63, e, m | (lost != 0));
}

static number add(number x, number y)
{
	if ((x << 1) < (y << 1)) {
		number t = x;

		x = y;
		y = t;
	}
	int32_t ex = x >> 52 & 2047, ey = y >> 52 & 2047;

	if (ey == 0)
		return x;
	uint64_t a = ((x & 0xfffffffffffffull) | 1ull << 52) << 3, b = ((y & 0xfffffffffffffull) | 1ull << 52) << 3;
	int32_t shift = ex - ey;

	b = shift > 60 ? 1 : b >> shift | ((b & ((1ull << shift) - 1)) != 0);
	uint64_t m = (x ^ y) >> 63 ? a - b : a + b;
	int32_t e = ex - 1075 - 3;

	if (m == 0)
		return 0;
	while (m >> 55) {
		m = m >> 1 | (m & 1);
		e++;
	}
	while (m >> 54 == 0) {
		m <<= 1;
		e--;
	}
	return pack(x >> 63, e, m);
}

static number subtract(number x, number y) { return add(x, y ^ 1ull << 63); }

static number from_int(int32_t v)
{
	uint64_t m = (uint64_t)(v < 0 ? -(int64_t)v : v);
	int32_t e = 0;

	if (m == 0)
		return 0;
	while (m >> 54 == 0) {
		m <<= 1;
		e--;
	}
	return pack(v < 0, e, m);
}

static number re[POINTS], im[POINTS], cosine[POINTS], sine[POINTS];

static void transform(void)
{
	for (int length = 2; length <= POINTS; length *= 2)
		for (int start = 0; start < POINTS; start += length)
			for (int k = 0; k < length / 2; k++) {
				int i = start + k, j = i + length / 2, w = k * (POINTS / length);
				number r = subtract(multiply(re[j], cosine[w]), multiply(im[j], sine[w]));
				number s = add(multiply(re[j], sine[w]), multiply(im[j], cosine[w]));

				re[j] = subtract(re[i], r);
				im[j] = subtract(im[i], s);
				re[i] = add(re[i], r);
				im[i] = add(im[i], s);
			}
}

uint32_t run(uint32_t count)
{
	const number c = 0x3fefd88da3d12526ull, s = 0x3fb917a6bc29b42cull; /* cosine and sine of 2 pi / 64 */
	const number scale = 0x3fc0000000000000ull;                         /* 1/8 */
	uint32_t state = 1, sum = 0;

	cosine[0] = from_int(1);
	for (int i = 1; i < POINTS; i++) {
		cosine[i] = subtract(multiply(cosine[i - 1], c), multiply(sine[i - 1], s));
		sine[i] = add(multiply(cosine[i - 1], s), multiply(sine[i - 1], c));
	}
	for (int i = 0; i < POINTS; i++) {
		re[i] = from_int((int32_t)next(&state) >> 8);
		im[i] = from_int((int32_t)next(&state) >> 8);
	}
	for (uint32_t n = 0; n < count; n++) {
		transform();
		for (int i = 0; i < POINTS; i++) {
			re[i] = multiply(re[i], scale);
			im[i] = multiply(im[i], scale);
		}
	}
	for (int i = 0; i < POINTS; i++)
		sum = fold(sum, (uint32_t)(re[i] >> 32) ^ (uint32_t)im[i]);
	return sum;
}
