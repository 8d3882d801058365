/* Interrupts are on: they are on again after the lock was given back, or the lock does not keep them off. */
// verdict: potential
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

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	this_cpu_ptr(&counts)->events++; // RACE!
	return IRQ_HANDLED;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned long flags;
	struct counts *own;

	local_irq_save(flags);
	own = this_cpu_ptr(&counts);
	switch (cmd) {
	case 0:
		_raw_spin_lock_irq(&lock);
		_raw_spin_unlock_irq(&lock);
		own->events = 0; // RACE!
		break;
	case 1:
		local_irq_restore(flags);
		_raw_spin_lock_bh(&lock);
		own->events = 1; // RACE!
		_raw_spin_unlock_bh(&lock);
		break;
	case 2:
		write_lock_irq(&rwlock);
		__raw_write_unlock_irqrestore(&rwlock, flags);
		own->events = 2; // RACE!
		break;
	case 3:
		read_lock_irq(&rwlock);
		__raw_read_unlock_irqrestore(&rwlock, flags);
		own->events = 3; // RACE!
		break;
	case 4:
		local_irq_restore(flags);
		do_raw_spin_lock(&lock);
		own->events = 4; // RACE!
		spin_unlock(&lock);
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
