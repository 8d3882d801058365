/* Stub of the PCMCIA bus. */
#ifndef LOCKPAIR_PCMCIA_DS_H
#define LOCKPAIR_PCMCIA_DS_H
#include <lockpair/linux.h>

struct pcmcia_device { struct device dev; void *priv; };
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

#endif
