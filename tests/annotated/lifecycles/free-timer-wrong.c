/* The object is freed while its timer may run: del_timer does not wait. */
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
	mod_timer(&demo->timer, jiffies + HZ); // RACE!
}

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	timer_setup(&demo->timer, demo_timer, 0);
	mod_timer(&demo->timer, jiffies + HZ);
	the_demo = demo;
	return 0;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	struct demo *demo = the_demo;

	del_timer(&demo->timer);
	kfree(demo); // RACE!
}
module_exit(demo_exit);
