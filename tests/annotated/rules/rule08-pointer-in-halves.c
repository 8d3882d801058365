/* A pointer is taken apart into two halves and put together again. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct demo {
	int events;
};

union split {
	struct demo *pointer;
	unsigned int half[2];
};

static unsigned int low, high;

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	union split split = { .pointer = demo };

	if (!demo)
		return -ENOMEM;
	WRITE_ONCE(low, split.half[0]);
	WRITE_ONCE(high, split.half[1]);
	demo->events = 1; // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	union split split;

	split.half[0] = READ_ONCE(low);
	split.half[1] = READ_ONCE(high);
	split.pointer->events++; // RACE!
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
