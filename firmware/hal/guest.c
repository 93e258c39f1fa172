/*
 * Arguments, exit, clock and fixed output lines of a program, over RISC-V
 * semihosting and the CLINT's mtime.
 */
#include "guest.h"

#include <semihost.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keccak.h"
#include "socsim_regs.h"

/*
 * picolibc's start-up code takes a command line of at most 1,024 characters; a
 * signature in hexadecimal has up to 99,712. So it is asked for again here.
 */
enum { LINE = 256 * 1024, WORDS = 64 };

NOINIT static char line[LINE];
NOINIT static const char *words[WORDS];

/* Where the word at p ends. One in quotes, as the host puts them around an empty one
   or one with blanks, has its end at the blank behind the second quote. */
static char *word_end(char *p)
{
	if (*p == '"' || *p == '\'')
		for (char *q = p; (q = strchr(q + 1, *p)) != NULL;)
			if (q[1] == ' ' || q[1] == '\0')
				return q + 1;
	return p + strcspn(p, " ");
}

int guest_arguments(const char *const **out)
{
	int n = 0;

	*out = words + 1;
	if (sys_semihost_get_cmdline(line, LINE) != 0)
		return 0;
	for (char *p = line + strspn(line, " "); *p != '\0'; p += strspn(p, " ")) {
		char *word = p, *end = word_end(p);

		if (n == WORDS)
			guest_usage("more than %d arguments", WORDS - 1);
		p = end + (*end != '\0');
		*end = '\0';
		if ((*word == '"' || *word == '\'') && end - word >= 2 && end[-1] == *word) {
			end[-1] = '\0';
			word++;
		}
		words[n++] = word;
	}
	return n > 0 ? n - 1 : 0;
}

void guest_usage(const char *format, ...)
{
	char text[256];
	va_list args;
	int n = snprintf(text, sizeof text, "%s: ", program_name);

	va_start(args, format);
	n += vsnprintf(text + n, sizeof text - n - 1, format, args);
	va_end(args);
	if (n > (int)sizeof text - 2)
		n = sizeof text - 2;
	text[n++] = '\n';

	/* The semihosting specification: ":tt" opened to append is stderr. */
	int fd = sys_semihost_open(":tt", SH_OPEN_A);

	if (fd < 0)
		fwrite(text, 1, n, stdout);
	else
		sys_semihost_write(fd, text, n);
	guest_exit(2);
}

void guest_exit(int code) { exit(code); }

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 'a' - 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static size_t hex_bytes(const char *flag, const char *text, uint8_t *out, size_t capacity)
{
	size_t digits = strlen(text);

	if (digits % 2 != 0)
		guest_usage("%s: an odd number of hexadecimal digits", flag);
	if (digits / 2 > capacity)
		guest_usage("%s: %u bytes, at most %u fit", flag, (unsigned)digits / 2, (unsigned)capacity);
	for (size_t i = 0; i < digits / 2; i++) {
		int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			guest_usage("%s: byte %u is no hexadecimal number", flag, (unsigned)i);
		out[i] = (uint8_t)(high << 4 | low);
	}
	return digits / 2;
}

static size_t file_bytes(const char *flag, const char *path, void *out, size_t capacity)
{
	int fd = sys_semihost_open(path, SH_OPEN_R_B);

	if (fd < 0)
		guest_usage("%s: cannot open %s", flag, path);
	size_t len = sys_semihost_flen(fd);

	if (len > capacity)
		guest_usage("%s: %s has %u bytes, at most %u fit", flag, path, (unsigned)len, (unsigned)capacity);
	if (sys_semihost_read(fd, out, len) != 0)
		guest_usage("%s: cannot read %s", flag, path);
	sys_semihost_close(fd);
	return len;
}

uint32_t guest_number(const char *flag, const char *text, uint32_t most)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end != '\0')
		guest_usage("%s: \"%.40s\" is no number", flag, text);
	if (v > most)
		guest_usage("%s: %.20s, at most %lu is possible", flag, text, (unsigned long)most);
	return v;
}

void guest_derived(void *out, size_t n)
{
	uint8_t *p = out;

	for (size_t i = 0, v = 0; i < n; i++, v = v == 250 ? 0 : v + 1)
		p[i] = (uint8_t)v;
}

/* Returns what follows the prefix, or NULL. */
static const char *after(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

size_t guest_bytes(const char *flag, const char *text, void *out, size_t capacity)
{
	const char *rest;

	if ((rest = after(text, "hex:")) != NULL)
		return hex_bytes(flag, rest, out, capacity);
	if ((rest = after(text, "file:")) != NULL)
		return file_bytes(flag, rest, out, capacity);
	if ((rest = after(text, "len:")) != NULL) {
		size_t len = guest_number(flag, rest, capacity);

		guest_derived(out, len);
		return len;
	}
	if ((rest = after(text, "str:")) != NULL) {
		size_t len = strlen(rest);

		if (len > capacity)
			guest_usage("%s: %u bytes, at most %u fit", flag, (unsigned)len, (unsigned)capacity);
		memcpy(out, rest, len);
		return len;
	}
	guest_usage("%s: \"%.40s\" begins with none of hex: str: len: file:", flag, text);
}

uint64_t guest_cycles(void)
{
	volatile const uint32_t *clint = (volatile const uint32_t *)SOCSIM_CLINT_BASE;
	uint32_t low, high;

	do {
		high = clint[SOCSIM_CLINT_MTIMEH / 4];
		low = clint[SOCSIM_CLINT_MTIME / 4];
	} while (clint[SOCSIM_CLINT_MTIMEH / 4] != high);
	return (uint64_t)high << 32 | low;
}

void print_cycles(const char *operation, const char *label, uint64_t cycles)
{
	printf("[CYC] %s %s %llu\n", operation, label, (unsigned long long)cycles);
}

void print_digest(const char *what, const void *data, size_t len)
{
	struct keccak_sponge k;
	uint8_t digest[32];

	keccak_init(&k, SHA3_256, 24);
	keccak_absorb(&k, data, len);
	keccak_finish(&k);
	keccak_squeeze(&k, digest, sizeof digest);
	printf("[DIG] %s sha3-256 ", what);
	for (size_t i = 0; i < sizeof digest; i++)
		printf("%02x", digest[i]);
	printf("\n");
}
