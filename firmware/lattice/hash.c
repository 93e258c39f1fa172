#include "hash.h"

static bool one_sponge;
static uint8_t mode_byte;

void hash_open(void)
{
	one_sponge = xof_kind() != SOCSIM_XOF_SHAKE && xof_kind() != SOCSIM_XOF_SHAKE12;
}

void hash_begin(enum xof_mode mode)
{
	mode_byte = (uint8_t)mode;
	xof.init(mode);
}

void hash_end(void)
{
	if (one_sponge)
		xof.absorb(&mode_byte, 1);
	xof.finish();
}

static bool words(const void *p, size_t len) { return ((uintptr_t)p | len) % 4 == 0 && len > 0; }

void hash(enum xof_mode mode, void *out, size_t out_len, const void *in, size_t len)
{
	if (!one_sponge && words(out, out_len) && words(in, len)) {
		xof.hash(mode, out, out_len / 4, in, len / 4);
		return;
	}
	hash2(mode, out, out_len, in, len, NULL, 0);
}

void hash2(enum xof_mode mode, void *out, size_t out_len, const void *a, size_t a_len,
	   const void *b, size_t b_len)
{
	hash_begin(mode);
	xof.absorb(a, a_len);
	if (b_len > 0)
		xof.absorb(b, b_len);
	hash_end();
	xof.squeeze(out, out_len);
}

size_t hash_group(size_t rate, size_t group) { return one_sponge ? group : rate; }

size_t hash_first(size_t rate, size_t group, size_t least)
{
	size_t unit = hash_group(rate, group);

	return (least + unit - 1) / unit * unit;
}
