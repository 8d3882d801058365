/* Locks that are taken with interrupts off, each under one of its names. */
#include "percpu.h"

void _raw_spin_lock_irq(spinlock_t *lock);
void _raw_spin_unlock_irq(spinlock_t *lock);
void _raw_spin_lock_bh(spinlock_t *lock);
void _raw_spin_unlock_bh(spinlock_t *lock);
void do_raw_spin_lock(spinlock_t *lock);
void __raw_write_unlock_irqrestore(rwlock_t *lock, unsigned long flags);
void __raw_read_unlock_irqrestore(rwlock_t *lock, unsigned long flags);

static DEFINE_PER_CPU(struct counts, counts);
static DEFINE_SPINLOCK(lock);
static DEFINE_RWLOCK(rwlock);

static void clear(void)
{
	this_cpu_ptr(&counts)->events = 0; // NORACE
}

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	this_cpu_ptr(&counts)->events++; // NORACE
	return IRQ_HANDLED;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned long flags = 0;

	switch (cmd) {
	case 0:
		_raw_spin_lock_irq(&lock);
		clear();
		_raw_spin_unlock_irq(&lock);
		break;
	case 1:
		local_irq_save(flags);
		do_raw_spin_lock(&lock);
		clear();
		spin_unlock(&lock);
		local_irq_restore(flags);
		break;
	case 2:
		write_lock_irq(&rwlock);
		clear();
		__raw_write_unlock_irqrestore(&rwlock, flags);
		break;
	case 3:
		read_lock_irq(&rwlock);
		clear();
		__raw_read_unlock_irqrestore(&rwlock, flags);
		break;
	}
	return 0;
}

DEMO_DEVICE(demo_ioctl);

static int __init demo_init(void)
{
	if (request_irq(7, demo_interrupt, 0, "demo", &demo_misc))
		return -EBUSY;
	return misc_register(&demo_misc);
}
module_init(demo_init);
