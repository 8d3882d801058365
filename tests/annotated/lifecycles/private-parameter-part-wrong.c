/* One caller has the lock of the other part. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

struct ring {
	spinlock_t lock;
	int head, tail;
};

struct demo {
	struct ring in, out;
	struct timer_list timer;
	struct work_struct work;
};

static void ring_put(struct ring *ring, int count)
{
	ring->head += count; // RACE!
	if (ring->head == ring->tail) // RACE!
		ring->tail = 0; // RACE!
}

static void ring_put_locked(struct ring *ring, int count)
{
	spin_lock_bh(&ring->lock);
	ring_put(ring, count);
	spin_unlock_bh(&ring->lock);
}

static void demo_timer(struct timer_list *t)
{
	struct demo *demo = from_timer(demo, t, timer);

	spin_lock(&demo->out.lock);
	ring_put(&demo->in, 1);
	spin_unlock(&demo->out.lock);
	schedule_work(&demo->work);
}

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	ring_put_locked(&demo->in, 4);
	ring_put_locked(&demo->out, 4);
}

static void ring_init(struct ring *ring)
{
	spin_lock_init(&ring->lock);
	ring->head = ring->tail = 0; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	ring_init(&demo->in);
	ring_init(&demo->out);
	INIT_WORK(&demo->work, demo_work);
	timer_setup(&demo->timer, demo_timer, 0);
	mod_timer(&demo->timer, jiffies + HZ);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	del_timer_sync(&demo->timer);
	cancel_work_sync(&demo->work);
	kfree(demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
