/* A timer is moved to another CPU while it runs, and so runs twice at once. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/timer.h>

void add_timer_on(struct timer_list *timer, int cpu);

static int demo_count;

static void demo_timer_function(struct timer_list *timer)
{
	demo_count++; // RACE!
}
static DEFINE_TIMER(demo_timer, demo_timer_function);

static int demo_resume(struct device *dev)
{
	add_timer_on(&demo_timer, 1);
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	return 0;
}

static const struct dev_pm_ops demo_pm = { .resume = demo_resume };

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .pm = &demo_pm },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
