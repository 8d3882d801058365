/* Stub of the parallel port's operations. */
#ifndef LOCKPAIR_PARPORT_H
#define LOCKPAIR_PARPORT_H
#include <lockpair/linux.h>

struct ieee1284_info { int mode; unsigned int phase; };
struct parport_operations;
struct pardevice;
struct parport {
	unsigned long base, base_hi;
	int irq, dma, number;
	struct parport *physport;
	struct pardevice *cad;
	rwlock_t cad_lock;
	struct ieee1284_info ieee1284;
	struct parport_operations *ops;
	void *private_data;
};
struct parport_operations {
	void (*write_data)(struct parport *port, unsigned char data);
	unsigned char (*read_status)(struct parport *port);
	size_t (*epp_write_data)(struct parport *port, const void *buffer, size_t length, int flags);
	struct module *owner;
};
struct pardevice { struct parport *port; void (*irq_func)(void *private); struct device dev; unsigned long time, waiting; };
struct pardev_cb { int (*preempt)(void *private); void (*wakeup)(void *private); void *private; void (*irq_func)(void *private); };
struct parport_driver {
	const char *name;
	void (*detach)(struct parport *port);
	void (*match_port)(struct parport *port);
	int (*probe)(struct pardevice *dev);
	struct device_driver driver;
};
int __parport_register_driver(struct parport_driver *driver, struct module *owner, const char *name);
#define parport_register_driver(driver) __parport_register_driver(driver, THIS_MODULE, "demo")
void parport_unregister_driver(struct parport_driver *driver);
struct pardevice *parport_register_dev_model(struct parport *port, const char *name, const struct pardev_cb *callbacks, int id);
void parport_unregister_device(struct pardevice *dev);
int parport_claim(struct pardevice *dev);
int parport_claim_or_block(struct pardevice *dev);
void parport_release(struct pardevice *dev);
struct parport *parport_register_port(unsigned long base, int irq, int dma, struct parport_operations *ops);
void parport_announce_port(struct parport *port);
void parport_remove_port(struct parport *port);
void parport_ieee1284_interrupt(void *port);
int parport_negotiate(struct parport *port, int mode);
ssize_t parport_write(struct parport *port, const void *buffer, size_t n);
ssize_t parport_read(struct parport *port, void *buffer, size_t n);

#endif
