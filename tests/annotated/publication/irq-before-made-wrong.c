/* The interrupt may come before what its handler uses is made. */
// verdict: potential
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

static void demo_tick(struct timer_list *timer) // RACE!
{
}

static enum hrtimer_restart demo_beat(struct hrtimer *hrtimer) // RACE!
{
	return HRTIMER_NORESTART;
}

static void demo_bell(struct tasklet_struct *tasklet) // RACE!
{
}

static void demo_job(struct work_struct *work) // RACE!
{
}

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	mod_timer(&demo->timer, 1); // RACE!
	hrtimer_start(&demo->hrtimer, 1, HRTIMER_MODE_REL); // RACE!
	tasklet_schedule(&demo->tasklet); // RACE!
	schedule_work(&demo->work); // RACE!
	complete(&demo->done); // RACE!
	up(&demo->count); // RACE!
	wake_up(&demo->queue); // RACE!
	reinit_completion(&demo->done); // RACE!
	poll_wait(NULL, &demo->queue, NULL); // RACE!
	return IRQ_HANDLED;
}

static void demo_make(struct demo *demo)
{
	timer_setup(&demo->timer, demo_tick, 0); // RACE!
	hrtimer_init(&demo->hrtimer, 1, HRTIMER_MODE_REL); // RACE!
	demo->hrtimer.function = demo_beat; // RACE!
	tasklet_setup(&demo->tasklet, demo_bell); // RACE!
	INIT_WORK(&demo->work, demo_job); // RACE!
	init_completion(&demo->done); // RACE!
	sema_init(&demo->count, 0); // RACE!
	init_waitqueue_head(&demo->queue); // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int ret;

	if (!demo)
		return -ENOMEM;
	ret = request_irq(7, demo_irq, 0, "demo", demo);
	if (ret) {
		kfree(demo);
		return ret;
	}
	demo_make(demo);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
