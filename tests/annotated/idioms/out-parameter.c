/* A function hands out a pointer by its parameter, unless it fails: who has asked whether it failed uses what it has got, with the
   lock of that. */
// verdict: race-free
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>

struct item { struct mutex lock; int uses, last; };
static struct item items[2] = { { .lock = __MUTEX_INITIALIZER(items[0].lock) }, { .lock = __MUTEX_INITIALIZER(items[1].lock) } };

static int find(unsigned long number, struct item **out)
{
	if (number > 1)
		return -EINVAL;
	*out = &items[0];
	return 0;
}

static ssize_t demo_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct item *item;
	int err = find(count, &item);

	if (err)
		return err;
	mutex_lock(&item->lock);
	item->uses++; // NORACE
	mutex_unlock(&item->lock);
	return count;
}
static DEVICE_ATTR(demo, 0200, NULL, demo_store);

/* What a failure has left there is nothing that the function goes on with. */
static ssize_t last_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct item *item;

	if (count > 3)
		item = &items[0];
	else if (find(count, &item))
		return -EINVAL;
	mutex_lock(&items[0].lock);
	item->last = buf[0]; // NORACE
	mutex_unlock(&items[0].lock);
	return count;
}
static DEVICE_ATTR(last, 0200, NULL, last_store);

static int demo_probe(struct platform_device *pdev)
{
	return device_create_file(&pdev->dev, &dev_attr_demo) ?: device_create_file(&pdev->dev, &dev_attr_last);
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
