/* The type of a block is known on one way only. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct item {
	int a;
	int b;
};

static struct item *head;

struct other {
	long x;
	int y;
};

static struct other *other;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = READ_ONCE(head);
	void *p = item;

	if (cmd)
		p = &READ_ONCE(other)->y;
	if (p)
		memset(p, 0, 4); // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct other *o = READ_ONCE(other);

	return o ? o->y : 0; // RACE!
	return 0;
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
