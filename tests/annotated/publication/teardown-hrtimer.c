/* hrtimer_cancel waits until the function is over. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/workqueue.h>

struct timerqueue_node { struct list_head node; s64 expires; };
struct hrtimer {
	struct timerqueue_node node;
	s64 _softexpires;
	int (*function)(struct hrtimer *timer);
};
void hrtimer_start_range_ns(struct hrtimer *timer, s64 time, u64 range, int mode);
int hrtimer_cancel(struct hrtimer *timer);

struct demo {
	struct hrtimer timer;
	int events;
};

static int demo_timer(struct hrtimer *timer)
{
	container_of(timer, struct demo, timer)->events++; // NORACE
	return 1;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->timer.function = demo_timer;
	hrtimer_start_range_ns(&demo->timer, 1, 0, 0);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	hrtimer_cancel(&demo->timer);
	demo->events = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
