/* Stub of the PCMCIA bus. */
#ifndef LOCKPAIR_PCMCIA_DS_H
#define LOCKPAIR_PCMCIA_DS_H
#include <linux/interrupt.h>
#include <linux/ioport.h>

struct pcmcia_socket;
struct pcmcia_device {
	struct device dev;
	struct pcmcia_socket *socket;
	unsigned int config_flags, config_base, config_index, vpp, irq;
	struct resource *resource[6];
	u32 card_addr;
	int io_lines;
	void *priv;
};
struct pcmcia_driver {
	const char *name;
	int (*probe)(struct pcmcia_device *dev);
	void (*remove)(struct pcmcia_device *dev);
	int (*suspend)(struct pcmcia_device *dev);
	int (*resume)(struct pcmcia_device *dev);
	struct module *owner;
};
int pcmcia_register_driver(struct pcmcia_driver *driver);
void pcmcia_unregister_driver(struct pcmcia_driver *driver);
int pcmcia_loop_config(struct pcmcia_device *dev, int (*check)(struct pcmcia_device *dev, void *data), void *data);
int pcmcia_request_io(struct pcmcia_device *dev);
int pcmcia_request_irq(struct pcmcia_device *dev, irq_handler_t handler);
void pcmcia_disable_device(struct pcmcia_device *dev);

#endif
