/* Two buses have one probe, and only one removes the file. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/device.h>

struct bus_type { const char *name; int (*probe)(struct device *dev); void (*remove)(struct device *dev); void (*shutdown)(struct device *dev); int (*suspend)(struct device *dev, int s); int (*resume)(struct device *dev); int (*online)(struct device *dev); };
int bus_register(struct bus_type *b);
struct demo { int events; };

static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // RACE!
	return READ_ONCE(demo->events);
}
static DEVICE_ATTR_RO(limit);
static int start(struct device *dev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	dev->driver_data = demo; // RACE!
	device_create_file(dev, &dev_attr_limit);
	return 0;
}
static void rm_a(struct device *dev) { device_remove_file(dev, &dev_attr_limit); }
static void rm_b(struct device *dev) { }
static struct bus_type a = { .name = "a", .probe = start, .remove = rm_a };
static struct bus_type b = { .name = "b", .probe = start, .remove = rm_b };
static int __init demo_init(void) { bus_register(&a); return bus_register(&b); }
module_init(demo_init);
