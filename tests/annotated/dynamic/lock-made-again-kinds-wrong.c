/* Locks of other kinds that are made anew while they may be held. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>

struct rt_mutex;
void rt_mutex_lock(struct rt_mutex *lock);
void rt_mutex_unlock(struct rt_mutex *lock);
void __rt_mutex_init(struct rt_mutex *lock, const char *name, void *key);
struct rt_mutex { long word; };
void __raw_spin_lock_init(raw_spinlock_t *lock, const char *name, void *key, short inner);

static struct rw_semaphore config;
static rwlock_t table;
static struct rt_mutex queue;
static raw_spinlock_t fast;

static int demo_open(struct inode *inode, struct file *file)
{
	init_rwsem(&config); // RACE!
	rwlock_init(&table); // RACE!
	__rt_mutex_init(&queue, "queue", NULL); // RACE!
	__raw_spin_lock_init(&fast, "fast", NULL, 0); // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	down_write(&config); // RACE!
	up_write(&config);
	write_lock(&table); // RACE!
	write_unlock(&table);
	rt_mutex_lock(&queue); // RACE!
	rt_mutex_unlock(&queue);
	_raw_spin_lock(&fast); // RACE!
	_raw_spin_unlock(&fast);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
