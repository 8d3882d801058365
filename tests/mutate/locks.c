/* Locks around data: one that is needed, two of which each is enough, one around what nobody else touches, and one
   for readers. */
// row module.init: module-load global:module_state: protects-nothing
// row module.init: runs once: protects-nothing
// row file_operations.read: session arg0: protects-nothing
// row file_operations.read: life of table table: protects-nothing
// row file_operations.read: arg3 belongs to the call: protects-nothing
// row file_operations.unlocked_ioctl: session arg0: protects-nothing
// row file_operations.unlocked_ioctl: life of table table: protects-nothing
// row file_operations.unlocked_ioctl: tasks-frozen global:tasks_frozen: protects-nothing
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/rwsem.h>

static DEFINE_MUTEX(needed);
static DEFINE_MUTEX(outer);
static DEFINE_SPINLOCK(inner);
static DEFINE_MUTEX(idle);
static DECLARE_RWSEM(readers);
static int events, twice, setting, both;

static void change(void)
{
	mutex_lock(&outer); // delete: redundant because of spinlock inner; begin: redundant because of spinlock inner; swap: redundant because of the lock taken instead, on both sides
	spin_lock(&inner); // delete: redundant because of mutex outer; begin: redundant because of mutex outer; swap: redundant because of the lock taken instead, on both sides
	twice++;
	spin_unlock(&inner); // end: redundant because of mutex outer
	mutex_unlock(&outer); // end: redundant because of spinlock inner
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int own = 0;

	mutex_lock(&needed); // delete: killed; begin: killed; swap: killed
	events++;
	if (cmd)
		both = 1;
	mutex_unlock(&needed);

	mutex_lock(&idle); // delete: protects-nothing; swap: protects-nothing
	own++;
	mutex_unlock(&idle);

	down_write(&readers); // delete: killed; begin: killed; swap: killed; share: killed
	setting = cmd;
	up_write(&readers); // end: killed

	change();
	return own;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	int seen;

	mutex_lock(&needed); // delete: killed; begin: killed; swap: killed
	seen = events;
	if (len)
		both = 2;
	mutex_unlock(&needed);

	down_read(&readers); // delete: killed; begin: killed; swap: killed
	seen += setting;
	up_read(&readers); // end: killed
	return seen;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
