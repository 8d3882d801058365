/* probe publishes the object too early; an ioctl arms the timer, which then runs beside the
 * rest of probe.
 */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/timer.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct timer_list timer;
	int limit;
};

static struct demo *common;

static void demo_timer(struct timer_list *timer)
{
	struct demo *demo = from_timer(demo, timer, timer);

	demo->limit--; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = READ_ONCE(common);

	if (demo)
		mod_timer(&demo->timer, 1000);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	timer_setup(&demo->timer, demo_timer, 0);
	WRITE_ONCE(common, demo);
	demo->limit = 3; // RACE!
	return misc_register(&demo_misc);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
