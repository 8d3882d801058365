/* The functions that the kernel's spinlock and rwlock macros end in: which of them exclude which, and when a trylock
 * holds the lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/rwlock.h>
#include <linux/spinlock.h>

void _raw_read_lock(rwlock_t *lock);
void _raw_read_lock_bh(rwlock_t *lock);
void _raw_read_lock_irq(rwlock_t *lock);
unsigned long _raw_read_lock_irqsave(rwlock_t *lock);
int _raw_read_trylock(rwlock_t *lock);
void _raw_read_unlock(rwlock_t *lock);
void _raw_read_unlock_bh(rwlock_t *lock);
void _raw_read_unlock_irq(rwlock_t *lock);
void _raw_read_unlock_irqrestore(rwlock_t *lock, unsigned long flags);
void _raw_write_lock(rwlock_t *lock);
void _raw_write_lock_bh(rwlock_t *lock);
void _raw_write_lock_irq(rwlock_t *lock);
unsigned long _raw_write_lock_irqsave(rwlock_t *lock);
void _raw_write_lock_nested(rwlock_t *lock, int subclass);
int _raw_write_trylock(rwlock_t *lock);
void _raw_write_unlock(rwlock_t *lock);
void _raw_write_unlock_bh(rwlock_t *lock);
void _raw_write_unlock_irq(rwlock_t *lock);
void _raw_write_unlock_irqrestore(rwlock_t *lock, unsigned long flags);
int _raw_spin_trylock(raw_spinlock_t *lock);
int _raw_spin_trylock_bh(raw_spinlock_t *lock);

static DEFINE_RWLOCK(rw);
static int by_rw, by_reader, by_try_reader, by_no_reader, by_no_writer, after_reader, after_writer;

static int for_reading(unsigned int cmd)
{
	unsigned long flags;
	int n = 0;

	switch (cmd) {
	case 0:
		_raw_read_lock(&rw);
		n = by_rw; // NORACE
		by_reader++; // RACE!
		_raw_read_unlock(&rw);
		break;
	case 1:
		_raw_read_lock_bh(&rw);
		n = by_rw; // NORACE
		by_reader++; // RACE!
		_raw_read_unlock_bh(&rw);
		break;
	case 2:
		_raw_read_lock_irq(&rw);
		n = by_rw; // NORACE
		by_reader++; // RACE!
		_raw_read_unlock_irq(&rw);
		break;
	case 3:
		flags = _raw_read_lock_irqsave(&rw);
		n = by_rw; // NORACE
		by_reader++; // RACE!
		_raw_read_unlock_irqrestore(&rw, flags);
		break;
	case 4:
		if (!_raw_read_trylock(&rw)) {
			by_no_reader++; // RACE!
			break;
		}
		n = by_rw; // NORACE
		by_try_reader++; // RACE!
		_raw_read_unlock(&rw);
		n += after_reader; // RACE!
		break;
	}
	return n;
}

static void for_writing(unsigned int cmd)
{
	unsigned long flags;

	switch (cmd) {
	case 0:
		_raw_write_lock(&rw);
		by_rw++; // NORACE
		by_no_reader++; // RACE!
		after_reader++; // RACE!
		_raw_write_unlock(&rw);
		after_writer++; // RACE!
		break;
	case 1:
		_raw_write_lock_bh(&rw);
		by_rw++; // NORACE
		_raw_write_unlock_bh(&rw);
		break;
	case 2:
		_raw_write_lock_irq(&rw);
		by_rw++; // NORACE
		_raw_write_unlock_irq(&rw);
		break;
	case 3:
		flags = _raw_write_lock_irqsave(&rw);
		by_rw++; // NORACE
		_raw_write_unlock_irqrestore(&rw, flags);
		break;
	case 4:
		_raw_write_lock_nested(&rw, 1);
		by_rw++; // NORACE
		_raw_write_unlock(&rw);
		break;
	case 5:
		if (!_raw_write_trylock(&rw)) {
			by_no_writer++; // RACE!
			break;
		}
		by_rw++; // NORACE
		_raw_write_unlock(&rw);
		break;
	}
}

static DEFINE_RAW_SPINLOCK(spin);
static int by_spin, by_nobody;

static void with_spinlock(unsigned int cmd)
{
	switch (cmd) {
	case 0:
		if (!_raw_spin_trylock(&spin)) {
			by_nobody++; // RACE!
			break;
		}
		by_spin++; // NORACE
		_raw_spin_unlock(&spin);
		break;
	case 1:
		if (!_raw_spin_trylock_bh(&spin)) {
			by_nobody++; // RACE!
			break;
		}
		by_spin++; // NORACE
		_raw_spin_unlock(&spin);
		break;
	}
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (arg) {
	case 0:
		return for_reading(cmd);
	case 1:
		for_writing(cmd);
		return 0;
	}
	with_spinlock(cmd);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
