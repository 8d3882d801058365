/* The copy is changed when the thread may run on another CPU already. */
// verdict: potential
#include "percpu.h"

static DEFINE_PER_CPU(struct counts, counts);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct counts *own = get_cpu_ptr(&counts);

	own->events++; // NORACE
	put_cpu_ptr(&counts);
	own->total += cmd; // RACE!
	return 0;
}

DEMO_DEVICE(demo_ioctl);

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
