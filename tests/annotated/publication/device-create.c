/* The data of a new device is shared once the device is there. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/slab.h>

struct demo {
	int early, late;
};

static struct class *demo_class;

static ssize_t late_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);

	return demo->early + demo->late; // RACE!
}
DEVICE_ATTR_RO(late);

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->early = 1; // NORACE
	device_create(demo_class, NULL, 0, demo, "demo");
	demo->late = 1; // RACE!
	return 0;
}
module_init(demo_init);
