/* Operations of a clock: one lock for all but proc; the time belongs to the call. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/platform_device.h>
#include <linux/rtc.h>

struct demo {
	int seconds, shown;
};

static int demo_read_time(struct device *dev, struct rtc_time *tm)
{
	struct demo *demo = dev_get_drvdata(dev); // NORACE

	tm->tm_sec = demo->seconds; // NORACE
	demo->shown++; // RACE!
	return 0;
}

static int demo_set_time(struct device *dev, struct rtc_time *tm)
{
	struct demo *demo = dev_get_drvdata(dev); // NORACE

	demo->seconds = tm->tm_sec; // NORACE
	return 0;
}

static int demo_proc(struct device *dev, struct seq_file *seq)
{
	struct demo *demo = dev_get_drvdata(dev); // NORACE

	return demo->shown; // RACE!
}

static const struct rtc_class_ops demo_ops = {
	.read_time = demo_read_time,
	.set_time = demo_set_time,
	.proc = demo_proc,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo); // NORACE
	return devm_rtc_device_register(&pdev->dev, "demo", &demo_ops, THIS_MODULE) ? 0 : -ENOMEM;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
