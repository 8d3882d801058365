/* The variable of a loop gets the object in an earlier iteration. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct item {
	int a;
	int b;
};

static struct item *head;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);
	struct item *p = NULL;
	unsigned int i;

	for (i = 0; i < cmd; i++) {
		if (p)
			WRITE_ONCE(head, p);
		p = item;
	}
	if (item)
		item->b = 1; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct item *item = READ_ONCE(head);

	return item ? item->b : 0; // RACE!
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
