/* The number of the CPU is asked for when the thread may still go to another one. */
// verdict: potential
#include "percpu.h"

static DEFINE_PER_CPU(struct counts, counts);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int cpu = smp_processor_id();

	preempt_disable();
	per_cpu(counts, cpu).events++; // RACE!
	preempt_enable();
	return 0;
}

DEMO_DEVICE(demo_ioctl);

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
