/* What is freed by a devm action is not the driver's any more once the action may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/slab.h>

struct demo {
	int early, late;
};

static void demo_free(void *data)
{
	struct demo *demo = data;

	demo->late = demo->early; // RACE!
}

ssize_t start_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->early = 1; // NORACE
	devm_add_action(dev, demo_free, demo);
	demo->late = 1; // RACE!
	return n;
}
DEVICE_ATTR(start, 0200, NULL, start_store);
