/* The operations of an RTC are called for its parent, after who binds the driver to that has registered it. */
// verdict: race-free
// assume: bound-callbacks
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/rtc.h>
#include <linux/slab.h>

struct demo {
	int century;
};

static int demo_read_time(struct device *dev, struct rtc_time *tm)
{
	struct demo *demo = dev->driver_data; // NORACE

	tm->tm_year = demo->century * 100; // NORACE
	return 0;
}

static const struct rtc_class_ops demo_ops = {
	.read_time = demo_read_time,
};

static int demo_probe(struct platform_device *pdev)
{
	struct rtc_device *rtc;
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	pdev->dev.driver_data = demo; // NORACE
	demo->century = 20; // NORACE
	rtc = devm_rtc_allocate_device(&pdev->dev);
	if (IS_ERR(rtc))
		return PTR_ERR(rtc);
	rtc->ops = &demo_ops;
	return devm_rtc_register_device(rtc);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
