/* What gives back a reference, and takes a lock if it was the last. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>

int atomic_dec_and_mutex_lock(atomic_t *count, struct mutex *lock);
int _atomic_dec_and_lock(atomic_t *count, spinlock_t *lock);
int _atomic_dec_and_lock_irqsave(atomic_t *count, spinlock_t *lock, unsigned long *flags);
int _atomic_dec_and_raw_lock(atomic_t *count, raw_spinlock_t *lock);
bool refcount_dec_and_mutex_lock(refcount_t *count, struct mutex *lock);
bool refcount_dec_and_lock(refcount_t *count, spinlock_t *lock);
bool refcount_dec_and_lock_irqsave(refcount_t *count, spinlock_t *lock, unsigned long *flags);
bool refcount_dec_and_rtnl_lock(refcount_t *count);
void rtnl_unlock(void);

static atomic_t users;
static refcount_t refs;
static DEFINE_MUTEX(mutex);
static DEFINE_SPINLOCK(spin);
static DEFINE_RAW_SPINLOCK(raw);
static int by_mutex, by_spin, by_raw, by_rtnl;
static int not_last;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned long flags;

	switch (cmd) {
	case 0:
		if (!atomic_dec_and_mutex_lock(&users, &mutex))
			break;
		by_mutex++; // NORACE
		mutex_unlock(&mutex);
		return 0;
	case 1:
		if (!refcount_dec_and_mutex_lock(&refs, &mutex))
			break;
		by_mutex++; // NORACE
		mutex_unlock(&mutex);
		return 0;
	case 2:
		if (!_atomic_dec_and_lock(&users, &spin))
			break;
		by_spin++; // NORACE
		spin_unlock(&spin);
		return 0;
	case 3:
		if (!_atomic_dec_and_lock_irqsave(&users, &spin, &flags))
			break;
		by_spin++; // NORACE
		spin_unlock_irqrestore(&spin, flags);
		return 0;
	case 4:
		if (!refcount_dec_and_lock(&refs, &spin))
			break;
		by_spin++; // NORACE
		spin_unlock(&spin);
		return 0;
	case 5:
		if (!refcount_dec_and_lock_irqsave(&refs, &spin, &flags))
			break;
		by_spin++; // NORACE
		spin_unlock_irqrestore(&spin, flags);
		return 0;
	case 6:
		if (!_atomic_dec_and_raw_lock(&users, &raw))
			break;
		by_raw++; // NORACE
		raw_spin_unlock(&raw);
		return 0;
	case 7:
		if (!refcount_dec_and_rtnl_lock(&refs))
			break;
		by_rtnl++; // NORACE
		rtnl_unlock();
		return 0;
	}
	not_last++; // RACE!
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
