/* What stops the callbacks of each kind of handle without waiting for those that run, or does not stop them. */
// verdict: potential
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
int hrtimer_try_to_cancel(struct hrtimer *timer);

struct kthread_delayed_work {
	struct kthread_work work;
	int timer;
};
bool kthread_queue_delayed_work(struct kthread_worker *worker, struct kthread_delayed_work *work, unsigned long delay);
bool kthread_cancel_delayed_work_sync(struct kthread_delayed_work *work);

struct demo {
	struct hrtimer timer;
	struct tasklet_struct tasklet;
	struct delayed_work work;
	struct kthread_delayed_work kwork;
	int by_timer, by_tasklet, by_work, by_kwork, by_irq, by_thread;
};

static int demo_timer(struct hrtimer *timer)
{
	struct demo *demo = container_of(timer, struct demo, timer);

	demo->by_timer++; // RACE!
	return 1;
}

static void demo_tasklet(struct tasklet_struct *t)
{
	struct demo *demo = container_of(t, struct demo, tasklet);

	demo->by_tasklet++; // RACE!
}

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(to_delayed_work(work), struct demo, work);

	demo->by_work++; // RACE!
}

static void demo_kwork(struct kthread_work *work)
{
	struct demo *demo = container_of(work, struct demo, kwork.work);

	demo->by_kwork++; // RACE!
}

static irqreturn_t demo_irq(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->by_irq++; // RACE!
	return IRQ_WAKE_THREAD;
}

static irqreturn_t demo_thread(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->by_thread++; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->timer.function = demo_timer;
	tasklet_setup(&demo->tasklet, demo_tasklet);
	INIT_DELAYED_WORK(&demo->work, demo_work);
	kthread_init_work(&demo->kwork.work, demo_kwork);
	platform_set_drvdata(pdev, demo);
	hrtimer_start_range_ns(&demo->timer, 1, 0, 0);
	tasklet_schedule(&demo->tasklet);
	schedule_delayed_work(&demo->work, 1);
	kthread_queue_delayed_work(NULL, &demo->kwork, 1);
	return request_threaded_irq(7, demo_irq, demo_thread, 0, "demo", demo);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	hrtimer_try_to_cancel(&demo->timer);
	cancel_delayed_work(&demo->work);
	disable_irq_nosync(7);
	demo->by_timer = 0; // RACE!
	demo->by_tasklet = 0; // RACE!
	demo->by_work = 0; // RACE!
	demo->by_kwork = 0; // RACE!
	demo->by_irq = 0; // RACE!
	demo->by_thread = 0; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
