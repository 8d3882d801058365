/* The timer may still run when the buffer ends that it fills. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/timer.h>

struct demo {
	spinlock_t lock;
	int value;
	struct timer_list timer;
	int *buffer;
};

static void demo_timer(struct timer_list *timer) // RACE!
{
	struct demo *demo = container_of(timer, struct demo, timer);

	spin_lock(&demo->lock); // RACE!
	demo->buffer[0]++; // RACE!
	spin_unlock(&demo->lock);
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	demo->buffer = devm_kzalloc(&pdev->dev, 64, GFP_KERNEL); // RACE!
	if (!demo->buffer)
		return -ENOMEM;
	timer_setup(&demo->timer, demo_timer, 0);
	mod_timer(&demo->timer, 10);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	del_timer(&demo->timer);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
