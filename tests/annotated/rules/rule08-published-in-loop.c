/* Objects are made and published in a loop; one of an earlier iteration is written. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct demo {
	int events;
	struct demo *next;
};

static struct demo *head;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *before = NULL;
	unsigned int i;

	for (i = 0; i < cmd; i++) {
		struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

		if (!demo)
			return -ENOMEM;
		if (before)
			before->events = i; // RACE!
		WRITE_ONCE(head, demo);
		before = demo;
	}
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = READ_ONCE(head);

	return demo ? demo->events : 0; // RACE!
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
