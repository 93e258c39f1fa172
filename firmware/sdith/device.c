#include "device.h"

#include "guest.h"

int device_main(void)
{
	guest_usage("there is no SDitH coprocessor here; -sw signs and verifies in software");
}
