/* The copies of all CPUs are read, while each changes its own. */
// verdict: potential
#include "percpu.h"

static DEFINE_PER_CPU(struct counts, counts);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int cpu;
	int sum = 0;

	preempt_disable();
	if (cmd)
		this_cpu_ptr(&counts)->events++; // RACE!
	else
		for_each_possible_cpu(cpu)
			sum += per_cpu(counts, cpu).events; // RACE!
	preempt_enable();
	if (sum)
		return sum;
	return 0;
}

DEMO_DEVICE(demo_ioctl);

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
