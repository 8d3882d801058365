/* A device's attributes lead to the struct around it once it is registered. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/slab.h>

struct demo {
	int early, late;
	struct device dev;
};

static ssize_t late_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = container_of(dev, struct demo, dev);

	return demo->early + demo->late; // RACE!
}
DEVICE_ATTR_RO(late);

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->early = 1; // NORACE
	device_register(&demo->dev);
	demo->late = 1; // RACE!
	return 0;
}
module_init(demo_init);
