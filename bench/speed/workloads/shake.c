/* A chain of SHAKE256: 32 bytes in, 32 bytes out. FIPS 202, Keccak-f[1600] lane by lane. */
#include "workload.h"

static uint64_t rotated(uint64_t x, unsigned n) { return n == 0 ? x : x << n | x >> (64 - n); }

static const uint8_t rotation[25] = {0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};

static void permute(uint64_t a[25])
{
	uint8_t lfsr = 1;

	for (int round = 0; round < 24; round++) {
		uint64_t c[5], b[25];

		for (int x = 0; x < 5; x++)
			c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
		for (int x = 0; x < 5; x++) {
			uint64_t d = c[(x + 4) % 5] ^ rotated(c[(x + 1) % 5], 1);

			for (int y = 0; y < 25; y += 5)
				a[x + y] ^= d;
		}
		for (int x = 0; x < 5; x++)
			for (int y = 0; y < 5; y++)
				b[y + 5 * ((2 * x + 3 * y) % 5)] = rotated(a[x + 5 * y], rotation[x + 5 * y]);
		for (int y = 0; y < 25; y += 5)
			for (int x = 0; x < 5; x++)
				a[x + y] = b[x + y] ^ (~b[(x + 1) % 5 + y] & b[(x + 2) % 5 + y]);
		for (int bit = 0; bit < 7; bit++) {
			if (lfsr & 1)
				a[0] ^= (uint64_t)1 << ((1 << bit) - 1);
			lfsr = (uint8_t)(lfsr << 1 ^ (lfsr >> 7) * 0x71);
		}
	}
}

uint32_t run(uint32_t count)
{
	static uint64_t a[25];

	a[0] = 1;
	for (uint32_t i = 0; i < count; i++) {
		a[4] = 0x1f;
		for (int k = 5; k < 25; k++)
			a[k] = 0;
		a[16] = (uint64_t)1 << 63;
		permute(a);
	}
	return fold((uint32_t)a[0], (uint32_t)(a[3] >> 32));
}
