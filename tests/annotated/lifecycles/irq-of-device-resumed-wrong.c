/* One function probes and resumes: when it runs again, the handler that it has requested runs beside it. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/interrupt.h>

struct bus_type { const char *name; int (*probe)(struct device *dev); void (*remove)(struct device *dev); void (*shutdown)(struct device *dev); int (*suspend)(struct device *dev, int s); int (*resume)(struct device *dev); int (*online)(struct device *dev); };
int bus_register(struct bus_type *b);
struct demo { int events; };

static irqreturn_t h(int irq, void *dev_id)
{
	struct device *dev = dev_id;
	struct demo *demo = dev->driver_data; // RACE!
	return READ_ONCE(demo->events) ? IRQ_HANDLED : IRQ_NONE;
}
static int start(struct device *dev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	dev->driver_data = demo; // RACE!
	return devm_request_irq(dev, 3, h, IRQF_SHARED, "d", dev);
}
static struct bus_type bus = { .name = "x", .probe = start, .resume = start };
static int __init demo_init(void) { return bus_register(&bus); }
module_init(demo_init);
