/* The data of the device comes after its RTC: operations may find none, or what is not yet filled. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/rtc.h>
#include <linux/slab.h>

struct demo {
	int century;
};

static int demo_read_time(struct device *dev, struct rtc_time *tm)
{
	struct demo *demo = dev->driver_data; // RACE!

	tm->tm_year = demo->century * 100; // RACE!
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
	rtc = devm_rtc_allocate_device(&pdev->dev);
	if (IS_ERR(rtc))
		return PTR_ERR(rtc);
	rtc->ops = &demo_ops;
	if (devm_rtc_register_device(rtc))
		return -ENODEV;
	pdev->dev.driver_data = demo; // RACE!
	demo->century = 20; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
