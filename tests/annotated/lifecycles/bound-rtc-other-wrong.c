/* The operation of an RTC also reads the data of another device, which may be one that a driver is being bound to. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/rtc.h>
#include <linux/slab.h>

struct demo {
	int century;
};

struct device *demo_other(void);

static int demo_read_time(struct device *dev, struct rtc_time *tm)
{
	struct demo *demo = dev->driver_data; // NORACE

	tm->tm_year = demo ? 2000 : 0;
	if (demo_other()->driver_data) // RACE!
		tm->tm_year++;
	return 0;
}

static const struct rtc_class_ops demo_ops = {
	.read_time = demo_read_time,
};

static int demo_probe(struct platform_device *pdev)
{
	struct rtc_device *rtc;
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	pdev->dev.driver_data = demo; // RACE!
	rtc = devm_rtc_allocate_device(&pdev->dev); // RACE: the clock is not told apart from the device that it is for
	if (IS_ERR(rtc))
		return PTR_ERR(rtc);
	rtc->ops = &demo_ops;
	return devm_rtc_register_device(rtc);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
