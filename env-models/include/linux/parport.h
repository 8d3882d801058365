/* Stub of the parallel port's operations. */
#ifndef LOCKPAIR_PARPORT_H
#define LOCKPAIR_PARPORT_H
#include <lockpair/linux.h>

struct ieee1284_info { int mode; unsigned int phase; };
struct parport { struct parport *physport; struct ieee1284_info ieee1284; void *private_data; };
struct parport_operations {
	size_t (*epp_write_data)(struct parport *port, const void *buffer, size_t length, int flags);
	struct module *owner;
};
int parport_negotiate(struct parport *port, int mode);
ssize_t parport_write(struct parport *port, const void *buffer, size_t n);
ssize_t parport_read(struct parport *port, void *buffer, size_t n);

#endif
