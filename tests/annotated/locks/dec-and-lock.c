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

static atomic_t mutex_users, spin_users;
static refcount_t mutex_refs, spin_refs, rtnl_refs;
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
		if (!atomic_dec_and_mutex_lock(&mutex_users, &mutex)) { // RACE!
			not_last.atomic_mutex++; // RACE!
			break;
		}
		by_mutex++; // NORACE
		mutex_unlock(&mutex);
		break;
	case 1:
		if (!refcount_dec_and_mutex_lock(&mutex_refs, &mutex)) { // RACE!
			not_last.refs_mutex++; // RACE!
			break;
		}
		by_mutex++; // NORACE
		mutex_unlock(&mutex);
		break;
	case 2:
		if (!_atomic_dec_and_lock(&spin_users, &spin)) { // RACE!
			not_last.atomic_spin++; // RACE!
			break;
		}
		by_spin++; // NORACE
		spin_unlock(&spin);
		break;
	case 3:
		if (!_atomic_dec_and_lock_irqsave(&spin_users, &spin, &flags)) { // RACE!
			not_last.atomic_irqsave++; // RACE!
			break;
		}
		by_spin++; // NORACE
		spin_unlock_irqrestore(&spin, flags);
		break;
	case 4:
		if (!refcount_dec_and_lock(&spin_refs, &spin)) { // RACE!
			not_last.refs_spin++; // RACE!
			break;
		}
		by_spin++; // NORACE
		spin_unlock(&spin);
		break;
	case 5:
		if (!refcount_dec_and_lock_irqsave(&spin_refs, &spin, &flags)) { // RACE!
			not_last.refs_irqsave++; // RACE!
			break;
		}
		by_spin++; // NORACE
		spin_unlock_irqrestore(&spin, flags);
		break;
	case 6:
		if (!_atomic_dec_and_raw_lock(&spin_users, &raw)) { // RACE!
			not_last.atomic_raw++; // RACE!
			break;
		}
		by_raw++; // NORACE
		raw_spin_unlock(&raw);
		break;
	case 7:
		if (!refcount_dec_and_rtnl_lock(&rtnl_refs)) { // RACE!
			not_last.refs_rtnl++; // RACE!
			break;
		}
		by_rtnl++; // NORACE
		rtnl_unlock();
		break;
	}
	return 0;
}

/* The counters are written: who reads them plainly does not read them in peace. */
static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	switch (n) {
	case 0:
		return mutex_users.counter; // RACE!
	case 1:
		return spin_users.counter; // RACE!
	case 2:
		return mutex_refs.refs.counter; // RACE!
	case 3:
		return spin_refs.refs.counter; // RACE!
	}
	return rtnl_refs.refs.counter; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
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
