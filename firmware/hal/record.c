/*
 * The record of operations for the host.
 */
#include <string.h>

#include "guest.h"
#include "socsim_regs.h"
#include "xof.h"

struct socsim_record socsim_record = {
	.magic = SOCSIM_RECORD_MAGIC,
	.version = SOCSIM_RECORD_VERSION,
	.capacity = SOCSIM_RECORD_CAPACITY,
};

struct socsim_record_entry *record_entry(uint32_t scheme, uint32_t set, uint32_t operation,
					 uint32_t flags)
{
	if (socsim_record.count == SOCSIM_RECORD_CAPACITY)
		guest_usage("more than %u operations cannot be recorded", SOCSIM_RECORD_CAPACITY);

	struct socsim_record_entry *e = &socsim_record.entries[socsim_record.count++];

	e->scheme = scheme;
	e->set = set;
	e->hash = xof_kind();
	e->operation = operation;
	e->flags = flags;
	return e;
}

/* Elsewhere than on our system nobody looks, and the operation is unknown. */
void record_check(void)
{
	if (*(volatile uint32_t *)(SOCSIM_INFO_BASE + SOCSIM_INFO_MAGIC) == SOCSIM_INFO_MAGIC_VALUE) {
		register uint32_t operation __asm__("a0") = SOCSIM_RECORD_CHECK;
		register uint32_t none __asm__("a1") = 0;

		__asm__ volatile(".option push\n"
				 ".option norvc\n"
				 "slli zero, zero, 0x1f\n"
				 "ebreak\n"
				 "srai zero, zero, 7\n"
				 ".option pop"
				 : "+r"(operation)
				 : "r"(none)
				 : "memory");
	}
	memset(socsim_record.entries, 0, socsim_record.count * sizeof socsim_record.entries[0]);
	socsim_record.count = 0;
}

void record_field(struct socsim_record_entry *e, uint32_t role, const void *data, size_t len)
{
	struct socsim_record_field *f = &e->fields[e->n_fields++];

	f->role = role;
	f->pointer = (uintptr_t)data;
	f->length = len;
}
