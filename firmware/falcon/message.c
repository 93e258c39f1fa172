/*
 * What the scheme hashes. Over SHAKE256 it is the message itself. An XOF over Ascon
 * is one sponge for all, and our own instance of the scheme puts a byte behind each
 * message that says what it is for.
 */
#include "falcon.h"
#include "memory.h"
#include "xof.h"

static void end(enum purpose what)
{
	uint8_t byte = (uint8_t)what;

	if (xof_kind() != SOCSIM_XOF_SHAKE && xof_kind() != SOCSIM_XOF_SHAKE12)
		xof.absorb(&byte, 1);
	xof.finish();
}

void message_seed(enum purpose what, const uint8_t *seed)
{
	xof.init(SHAKE256);
	xof.absorb(seed, SEED_SIZE);
	end(what);
}

/*
 * HashToPoint (Algorithm 3). Never more is squeezed than is certainly needed, so
 * that no permutation runs for nothing. The message is public, and so is what is
 * dropped.
 */
void message_point(int32_t *c, unsigned n, const uint8_t *nonce, const uint8_t *m, size_t m_len)
{
	size_t mark = memory_mark();
	uint8_t *bytes = memory_take(2 * n);

	xof.init(SHAKE256);
	xof.absorb(nonce, NONCE_SIZE);
	xof.absorb(m, m_len);
	end(FOR_POINT);
	while (n > 0) {
		const uint8_t *stop = bytes + 2 * n;

		xof.squeeze(bytes, 2 * n);
		for (const uint8_t *b = bytes; b < stop; b += 2) {
			uint32_t t = (uint32_t)b[0] << 8 | b[1];

			if (t >= 5 * Q)
				continue;

			/* t/12288 is t/q, or one more for the few t just below a multiple */
			int32_t r = (int32_t)(t - ((t >> 12) * 11 >> 5) * Q);

			*c++ = r + (Q & r >> 31);
			n--;
		}
	}
	memory_back(mark);
}
