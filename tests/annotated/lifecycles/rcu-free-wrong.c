/* Who uses an object that RCU frees does not say that he reads it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

struct item {
	struct rcu_head rcu;
	int value;
};

static struct item *current_item;

static void item_free(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct item, rcu)); // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *new = kzalloc(sizeof(*new), GFP_KERNEL), *old;

	if (!new)
		return -ENOMEM;
	new->value = cmd; // NORACE
	old = xchg(&current_item, new);
	if (old)
		call_rcu(&old->rcu, item_free);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct item *item;

	item = rcu_dereference(current_item);
	if (item)
		len = READ_ONCE(item->value); // RACE!
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
