/* What gives back a reference, and takes a lock if it was the last, and only then. */
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
static struct {
	int atomic_mutex, refs_mutex, atomic_spin, atomic_irqsave, refs_spin, refs_irqsave, atomic_raw, refs_rtnl;
} not_last;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned long flags;

	switch (cmd) {
	case 0:
		if (!atomic_dec_and_mutex_lock(&users, &mutex)) {
			not_last.atomic_mutex++; // RACE!
			break;
		}
		by_mutex++; // NORACE
		mutex_unlock(&mutex);
		break;
	case 1:
		if (!refcount_dec_and_mutex_lock(&refs, &mutex)) {
			not_last.refs_mutex++; // RACE!
			break;
		}
		by_mutex++; // NORACE
		mutex_unlock(&mutex);
		break;
	case 2:
		if (!_atomic_dec_and_lock(&users, &spin)) {
			not_last.atomic_spin++; // RACE!
			break;
		}
		by_spin++; // NORACE
		spin_unlock(&spin);
		break;
	case 3:
		if (!_atomic_dec_and_lock_irqsave(&users, &spin, &flags)) {
			not_last.atomic_irqsave++; // RACE!
			break;
		}
		by_spin++; // NORACE
		spin_unlock_irqrestore(&spin, flags);
		break;
	case 4:
		if (!refcount_dec_and_lock(&refs, &spin)) {
			not_last.refs_spin++; // RACE!
			break;
		}
		by_spin++; // NORACE
		spin_unlock(&spin);
		break;
	case 5:
		if (!refcount_dec_and_lock_irqsave(&refs, &spin, &flags)) {
			not_last.refs_irqsave++; // RACE!
			break;
		}
		by_spin++; // NORACE
		spin_unlock_irqrestore(&spin, flags);
		break;
	case 6:
		if (!_atomic_dec_and_raw_lock(&users, &raw)) {
			not_last.atomic_raw++; // RACE!
			break;
		}
		by_raw++; // NORACE
		raw_spin_unlock(&raw);
		break;
	case 7:
		if (!refcount_dec_and_rtnl_lock(&refs)) {
			not_last.refs_rtnl++; // RACE!
			break;
		}
		by_rtnl++; // NORACE
		rtnl_unlock();
		break;
	}
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
