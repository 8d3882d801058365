/* A timer runs as a softirq: softirqs are off while its CPU's copy is changed. */
#include "percpu.h"

static DEFINE_PER_CPU(struct counts, counts);

static struct timer_list demo_timer;

static void demo_tick(struct timer_list *timer)
{
	this_cpu_ptr(&counts)->events++; // NORACE
	mod_timer(timer, jiffies + HZ);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	local_bh_disable();
	this_cpu_ptr(&counts)->events = 0; // NORACE
	local_bh_enable();
	return 0;
}

DEMO_DEVICE(demo_ioctl);

static int __init demo_init(void)
{
	timer_setup(&demo_timer, demo_tick, 0);
	mod_timer(&demo_timer, jiffies + HZ);
	return misc_register(&demo_misc);
}
module_init(demo_init);
