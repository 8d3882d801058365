/* Both forms of kfree_rcu end the object, and RCU keeps it only for readers that say so. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/rcupdate.h>

struct item {
	int value;
	struct rcu_head rcu;
};

static struct item *first, *second;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		kfree_rcu(first, rcu); // RACE!
		return 0;
	case 1:
		kfree_rcu_mightsleep(second); // RACE!
		return 0;
	default:
		return READ_ONCE(first->value) + READ_ONCE(second->value); // RACE!
	}
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
