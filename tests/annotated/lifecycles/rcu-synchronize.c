/* The writer unlinks the object, waits for its readers, and frees it. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

struct item {
	int value;
};

static struct item *current_item;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *new = kzalloc(sizeof(*new), GFP_KERNEL), *old;

	if (!new)
		return -ENOMEM;
	new->value = cmd; // NORACE
	old = xchg(&current_item, new);
	synchronize_rcu();
	kfree(old); // RACE: RCU keeps nobody out, and that nobody finds the object any more is not known
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct item *item;

	rcu_read_lock();
	item = rcu_dereference(current_item);
	if (item)
		len = READ_ONCE(item->value); // RACE: as above
	rcu_read_unlock();
	return len;
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
