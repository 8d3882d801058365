/* A bit of the device says who has its buffer. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/bitops.h>
#include <linux/slab.h>

struct demo {
	unsigned long flags;
	char buffer[16];
	int used;
};

static int demo_open(struct inode *inode, struct file *file)
{
	file->private_data = kzalloc(sizeof(struct demo), GFP_KERNEL);
	return file->private_data ? 0 : -ENOMEM;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	if (test_and_set_bit(0, &demo->flags))
		return -EBUSY;
	demo->used = len; // NORACE
	smp_mb__before_atomic();
	clear_bit(0, &demo->flags);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	while (test_and_set_bit_lock(0, &demo->flags))
		;
	len = demo->used; // NORACE
	clear_bit_unlock(0, &demo->flags);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.read = demo_read,
	.write = demo_write,
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
