/*
 * The record of operations for the host.
 */
#include "guest.h"
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

void record_field(struct socsim_record_entry *e, uint32_t role, const void *data, size_t len)
{
	struct socsim_record_field *f = &e->fields[e->n_fields++];

	f->role = role;
	f->pointer = (uintptr_t)data;
	f->length = len;
}
