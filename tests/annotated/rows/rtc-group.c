/* A group of attributes of an RTC: whatever it shows may be asked for once the group was added, as far as the row says. */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/rtc.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

int rtc_add_group(struct rtc_device *rtc, const struct attribute_group *group);

struct demo {
	struct mutex lock;
	int guarded, bare;
	struct rtc_device *rtc;
};

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev->parent); // RACE: that the parent is the device of probe, no row says

	mutex_lock(&demo->lock);
	demo->guarded++; // NORACE
	mutex_unlock(&demo->lock);
	return demo->bare++; // RACE!
}
static DEVICE_ATTR_RO(level);
static struct attribute *demo_attributes[] = { &dev_attr_level.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attributes };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	struct rtc_device *rtc = devm_rtc_allocate_device(&pdev->dev);

	if (!demo || IS_ERR(rtc))
		return -ENOMEM;
	mutex_init(&demo->lock);
	demo->rtc = rtc; // NORACE
	demo->guarded = 1; // NORACE
	rtc->range_min = 3; // NORACE
	dev_set_drvdata(&pdev->dev, demo); // RACE: as above
	if (rtc_add_group(rtc, &demo_group)) // NORACE
		return -EIO;
	rtc->range_max = 4; // NORACE
	mutex_lock(&demo->lock);
	demo->guarded = 0; // NORACE
	mutex_unlock(&demo->lock);
	return devm_rtc_register_device(rtc);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
