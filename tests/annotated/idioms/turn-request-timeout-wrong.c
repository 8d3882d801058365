/* Who gives up waiting takes the answer nevertheless. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

enum { DEMO_IDLE, DEMO_SENT, DEMO_DONE };

struct demo {
	struct mutex requests;
	spinlock_t lock;
	wait_queue_head_t queue;
	int state;
	int command;
	int answer;
};

static int demo_state(struct demo *demo)
{
	int state;

	spin_lock_irq(&demo->lock);
	state = demo->state; // NORACE
	spin_unlock_irq(&demo->lock);
	return state;
}

#define demo_set_state(demo, now) do { \
	spin_lock_irq(&(demo)->lock); \
	(demo)->state = (now); \
	spin_unlock_irq(&(demo)->lock); \
} while (0)

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	if (demo_state(demo) != DEMO_SENT)
		return IRQ_NONE;
	demo->answer = demo->command + 1; // RACE!
	demo_set_state(demo, DEMO_DONE); // NORACE
	wake_up(&demo->queue);
	return IRQ_HANDLED;
}

static ssize_t demo_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t len)
{
	struct demo *demo = dev_get_drvdata(dev);

	mutex_lock(&demo->requests);
	if (demo_state(demo) != DEMO_IDLE) {
		mutex_unlock(&demo->requests);
		return -EBUSY;
	}
	demo->command = len; // RACE!
	demo_set_state(demo, DEMO_SENT); // NORACE
	if (wait_event_interruptible(demo->queue, demo_state(demo) == DEMO_DONE))
		len = 0;
	len += demo->answer; // RACE!
	demo_set_state(demo, DEMO_IDLE); // NORACE
	mutex_unlock(&demo->requests);
	return len;
}
static DEVICE_ATTR(demo, 0200, NULL, demo_store);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	int irq = platform_get_irq(pdev, 0);
	int error;

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->requests);
	spin_lock_init(&demo->lock);
	init_waitqueue_head(&demo->queue);
	platform_set_drvdata(pdev, demo);
	error = devm_request_irq(&pdev->dev, irq, demo_interrupt, 0, "demo", demo);
	if (error)
		return error;
	return device_create_file(&pdev->dev, &dev_attr_demo);
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_demo);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
