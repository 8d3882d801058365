/* What alloc_hdlcdev gets is found by who finds the device: writing it after the device is registered is a race. */
// verdict: potential
#include <linux/export.h>
#include <linux/hdlc.h>
#include <linux/module.h>
#include <linux/slab.h>

struct port { int n, early; };

static int demo_open(struct net_device *dev)
{
	struct port *port = dev_to_hdlc(dev)->priv;

	return port->n + port->early; // RACE!
}

static const struct net_device_ops ops = { .ndo_open = demo_open };

int demo_make(void)
{
	struct port *port = kzalloc(sizeof(*port), GFP_KERNEL);
	struct net_device *dev;

	if (!port)
		return -ENOMEM;
	port->early = 1; // NORACE
	dev = alloc_hdlcdev(port);
	if (!dev)
		return -ENOMEM;
	dev->netdev_ops = &ops;
	if (register_netdev(dev))
		return -ENOMEM;
	port->n = 1; // RACE!
	return 0;
}
EXPORT_SYMBOL(demo_make);
