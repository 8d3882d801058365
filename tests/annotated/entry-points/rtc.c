/* The operations of a clock are under its lock; attributes are not. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/rtc.h>

static struct device demo_dev;
static void *century;

static int demo_read_time(struct device *dev, struct rtc_time *tm)
{
	tm->tm_year = dev->platform_data == century; // NORACE
	tm->tm_sec = dev->driver_data == NULL; // RACE!
	return 0;
}

static int demo_set_time(struct device *dev, struct rtc_time *tm)
{
	dev->platform_data = NULL; // NORACE
	return 0;
}

static ssize_t offset_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	dev->driver_data = dev; // RACE!
	return n;
}
DEVICE_ATTR(offset, 0200, NULL, offset_store);

static const struct rtc_class_ops demo_ops = {
	.read_time = demo_read_time,
	.set_time = demo_set_time,
};

static int __init demo_init(void)
{
	struct rtc_device *rtc = devm_rtc_allocate_device(&demo_dev);

	if (IS_ERR(rtc))
		return PTR_ERR(rtc);
	rtc->ops = &demo_ops;
	century = &demo_dev; // NORACE
	return devm_rtc_register_device(rtc);
}
module_init(demo_init);
