/* The pointer to the copy of a CPU is used later, with preemption off again, perhaps on another CPU. */
// verdict: potential
#include "percpu.h"

static DEFINE_PER_CPU(struct counts, counts);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct counts *own = get_cpu_ptr(&counts);

	put_cpu_ptr(&counts);
	preempt_disable();
	own->events++; // RACE!
	preempt_enable();
	return 0;
}

DEMO_DEVICE(demo_ioctl);

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
