/* As lock-ends.c, but nobody waits for the work: the lock ends while it is taken. */
// verdict: potential
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	struct mutex lock;
	struct work_struct work;
};

static struct demo *the_demo;
static atomic_t runs;

static void demo_work(struct work_struct *work) // RACE!
{
	struct demo *demo = container_of(work, struct demo, work);

	mutex_lock(&demo->lock); // RACE!
	atomic_inc(&runs);
	mutex_unlock(&demo->lock);
}

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	INIT_WORK(&demo->work, demo_work);
	schedule_work(&demo->work);
	the_demo = demo;
	return 0;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	struct demo *demo = the_demo;

	cancel_work(&demo->work);
	kfree(demo); // RACE!
}
module_exit(demo_exit);
