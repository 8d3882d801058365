/* Two structs in one allocation: the step to the second goes into the function that prepares it. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/timer.h>

struct demo { int ticks; struct timer_list timer; };
static struct demo *the_demo;

static void tick(struct timer_list *t) // RACE!
{
	struct demo *d = from_timer(d, t, timer);

	d->ticks++; // RACE!
}
static noinline void prepare(struct demo *d)
{
	timer_setup(&d->timer, tick, 0);
	mod_timer(&d->timer, jiffies + HZ);
}
static int __init demo_init(void)
{
	void *both = kzalloc(2 * 128, GFP_KERNEL);
	unsigned long i;

	if (!both)
		return -ENOMEM;
	the_demo = both;
	prepare(both);
	i = 1;
	prepare(both + i * 128);
	return 0;
}
module_init(demo_init);
static void __exit demo_exit(void)
{
	struct demo *d = the_demo;

	del_timer_sync(&d->timer);
	kfree(d); // RACE!
}
module_exit(demo_exit);
