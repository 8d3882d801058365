/* What the handler uses is made before the interrupt is requested. */
// verdict: race-free
#include <linux/module.h>
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/semaphore.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct demo {
	struct timer_list timer;
	struct hrtimer hrtimer;
	struct tasklet_struct tasklet;
	struct work_struct work;
	struct completion done;
	struct semaphore count;
	wait_queue_head_t queue;
};

static void demo_tick(struct timer_list *timer)
{
}

static enum hrtimer_restart demo_beat(struct hrtimer *hrtimer)
{
	return HRTIMER_NORESTART;
}

static void demo_bell(struct tasklet_struct *tasklet)
{
}

static void demo_job(struct work_struct *work)
{
}

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	mod_timer(&demo->timer, 1);
	hrtimer_start(&demo->hrtimer, 1, HRTIMER_MODE_REL);
	tasklet_schedule(&demo->tasklet);
	schedule_work(&demo->work);
	complete(&demo->done);
	up(&demo->count);
	wake_up(&demo->queue);
	reinit_completion(&demo->done);
	poll_wait(NULL, &demo->queue, NULL);
	return IRQ_HANDLED;
}

static void demo_make(struct demo *demo)
{
	timer_setup(&demo->timer, demo_tick, 0); // NORACE
	hrtimer_init(&demo->hrtimer, 1, HRTIMER_MODE_REL); // NORACE
	demo->hrtimer.function = demo_beat; // NORACE
	tasklet_setup(&demo->tasklet, demo_bell); // NORACE
	INIT_WORK(&demo->work, demo_job); // NORACE
	init_completion(&demo->done); // NORACE
	sema_init(&demo->count, 0); // NORACE
	init_waitqueue_head(&demo->queue); // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int ret;

	if (!demo)
		return -ENOMEM;
	demo_make(demo);
	ret = request_irq(7, demo_irq, 0, "demo", demo);
	if (ret) {
		kfree(demo);
		return ret;
	}
	platform_set_drvdata(pdev, demo);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
