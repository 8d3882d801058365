/* The object is freed while its work may queue itself again: cancel_delayed_work does not wait. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	int runs;
	struct delayed_work work;
};

static struct demo *the_demo;

static void demo_work(struct work_struct *work) // RACE!
{
	struct demo *demo = container_of(work, struct demo, work.work);

	demo->runs++; // RACE!
	schedule_delayed_work(&demo->work, HZ); // RACE!
}

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_DELAYED_WORK(&demo->work, demo_work);
	schedule_delayed_work(&demo->work, HZ);
	the_demo = demo;
	return 0;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	struct demo *demo = the_demo;

	cancel_delayed_work(&demo->work);
	kfree(demo); // RACE!
}
module_exit(demo_exit);
