/* A timer that starts itself again was first started by init. */
// verdict: race-free
#include <linux/module.h>
#include <linux/init.h>
#include <linux/timer.h>
#include <linux/jiffies.h>

static unsigned long margin;

static void demo_tick(struct timer_list *unused);
static DEFINE_TIMER(demo_timer, demo_tick);

static void demo_tick(struct timer_list *unused)
{
	mod_timer(&demo_timer, jiffies + margin); // NORACE
}

static int __init demo_init(void)
{
	margin = 100; // NORACE
	mod_timer(&demo_timer, jiffies + 1);
	return 0;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	del_timer_sync(&demo_timer);
}
module_exit(demo_exit);
