/* Stub of the parallel port's operations. */
#ifndef LOCKPAIR_PARPORT_H
#define LOCKPAIR_PARPORT_H
#include <lockpair/linux.h>

struct parport { void *private_data; };
struct parport_operations {
	size_t (*epp_write_data)(struct parport *port, const void *buffer, size_t length, int flags);
	struct module *owner;
};

#endif
