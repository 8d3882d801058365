/* The second of two objects in one allocation is found by a step in bytes; the teardown waits for the first only. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/timer.h>

struct demo {
	int ticks;
	struct timer_list timer;
};

static struct demo *the_demo;

static void demo_timer(struct timer_list *t) // RACE!
{
	struct demo *demo = from_timer(demo, t, timer);

	demo->ticks++; // RACE!
}

static int __init demo_init(void)
{
	void *both = kzalloc(2 * sizeof(struct demo), GFP_KERNEL);
	struct demo *demo = both;
	struct demo *second;

	if (!demo)
		return -ENOMEM;
	second = both + sizeof(struct demo);
	timer_setup(&demo->timer, demo_timer, 0);
	timer_setup(&second->timer, demo_timer, 0);
	mod_timer(&demo->timer, jiffies + HZ);
	mod_timer(&second->timer, jiffies + HZ);
	the_demo = demo;
	return 0;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	struct demo *demo = the_demo;

	del_timer_sync(&demo->timer);
	kfree(demo); // RACE!
}
module_exit(demo_exit);
