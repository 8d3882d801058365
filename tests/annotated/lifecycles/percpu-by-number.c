/* A copy is found by the number of the CPU, with preemption off. */
#include "percpu.h"

static DEFINE_PER_CPU(struct counts, counts);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int cpu = get_cpu();

	per_cpu(counts, cpu).events++; // NORACE
	per_cpu_ptr(&counts, cpu)->total += cmd; // NORACE
	put_cpu();
	return 0;
}

DEMO_DEVICE(demo_ioctl);

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
