/* Each device has a lock; the list that both are on has none. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/platform_device.h>

struct demo {
	struct mutex lock;
	int events;
};

static int total;

static ssize_t events_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);

	mutex_lock(&demo->lock);
	demo->events++; // NORACE
	total++; // RACE!
	mutex_unlock(&demo->lock);
	return 0;
}

static ssize_t events_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	return n;
}
static DEVICE_ATTR_RW(events);

int demo_setup(struct device *dev)
{
	return device_create_file(dev, &dev_attr_events);
}
EXPORT_SYMBOL(demo_setup);
