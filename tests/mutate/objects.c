/* Locks in objects, taken in helpers, in loops, on error paths, and tried. */
// row module.init: module-load global:module_state: redundant because of runs once
// row module.init: runs once: killed
// row file_operations.read: session arg0: protects-nothing
// row file_operations.read: life of table table: killed
// row file_operations.read: arg3 belongs to the call: protects-nothing
// row file_operations.unlocked_ioctl: session arg0: protects-nothing
// row file_operations.unlocked_ioctl: life of table table: killed
// row file_operations.unlocked_ioctl: tasks-frozen global:tasks_frozen: protects-nothing
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct session {
	spinlock_t lock;
	int used;
	int left;
};

static DEFINE_MUTEX(table_lock);
static int table[8];
static struct session *shared;

static void take(struct session *s)
{
	spin_lock(&s->lock); // delete: killed; swap: redundant because of the lock taken instead, on both sides
}

static void give(struct session *s)
{
	spin_unlock(&s->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *s = shared;
	int i;

	take(s);
	s->used++;
	give(s);

	if (mutex_lock_interruptible(&table_lock)) // delete: killed; swap: killed
		return -EINTR;
	for (i = 0; i < 8; i++)
		table[i] = cmd;
	mutex_unlock(&table_lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct session *s = shared;
	int seen;

	take(s);
	seen = s->used;
	give(s);

	if (!mutex_trylock(&table_lock)) // delete: killed; swap: killed
		return -EBUSY;
	seen += table[len & 7];
	mutex_unlock(&table_lock); // end: killed
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

/* Others may call it at any time, so init is not alone before it registers anything. */
int demo_version(void)
{
	return 1;
}
EXPORT_SYMBOL(demo_version);

static int __init demo_init(void)
{
	shared = kzalloc(sizeof(*shared), GFP_KERNEL);
	if (!shared)
		return -ENOMEM;
	spin_lock_init(&shared->lock);
	return misc_register(&demo_misc);
}
module_init(demo_init);
