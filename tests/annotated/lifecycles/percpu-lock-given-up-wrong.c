/* The pointer to the CPU's copy is kept while the lock is given up, and the thread may go on elsewhere. */
// verdict: potential
#include "percpu.h"

int __cond_resched_lock(spinlock_t *lock);

static DEFINE_PER_CPU(struct counts, counts);
static DEFINE_SPINLOCK(lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct counts *mine;

	if (cmd) {
		preempt_disable();
		this_cpu_ptr(&counts)->events = 0; // RACE!
		preempt_enable();
		return 0;
	}
	spin_lock(&lock);
	mine = this_cpu_ptr(&counts);
	__cond_resched_lock(&lock);
	mine->events++; // RACE!
	spin_unlock(&lock);
	return 0;
}
DEMO_DEVICE(demo_ioctl);
module_misc_device(demo_misc);
