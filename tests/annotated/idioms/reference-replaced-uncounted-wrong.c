/* Who reads takes a reference after he has found that there is an object, without the lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/refcount.h>

struct demo {
	int value;
	refcount_t users;
};

static struct {
	spinlock_t lock;
	struct demo *current_demo;
} table;

static void demo_put(struct demo *demo)
{
	if (refcount_dec_and_test(&demo->users)) { // RACE!
		demo->value = 0; // RACE!
		kfree(demo); // RACE!
	}
}

/* Puts a new object in place of the old one. */
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *old, *demo = kmalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	refcount_set(&demo->users, 1);
	demo->value = cmd;
	spin_lock(&table.lock);
	old = table.current_demo;
	table.current_demo = demo;
	spin_unlock(&table.lock);
	if (old)
		demo_put(old);
	return 0;
}

static struct demo *demo_get(void)
{
	struct demo *demo;

	spin_lock(&table.lock);
	demo = table.current_demo;
	spin_unlock(&table.lock);
	if (demo)
		refcount_inc(&demo->users); // RACE!
	return demo;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo = demo_get();
	int value;

	if (!demo)
		return -ENODEV;
	value = demo->value; // RACE!
	demo_put(demo);
	return value;
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
	spin_lock_init(&table.lock);
	return misc_register(&demo_misc);
}
module_init(demo_init);
