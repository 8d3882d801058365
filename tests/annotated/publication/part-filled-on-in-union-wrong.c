/* The part is a union, and one way to look at it goes on behind it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

union message {
	struct {
		int length;
		unsigned char text[];
	} any;
	int number;
};

struct demo {
	struct mutex lock;
	int before;
	union message part;
	unsigned char rest[60];
};

static struct demo *demo;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return demo->rest[1]; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	unsigned char *bytes = kmalloc(64, GFP_KERNEL);

	if (!bytes)
		return -ENOMEM;
	mutex_lock(&demo->lock);
	memcpy((unsigned char *)&demo->part, bytes, len); // RACE!
	mutex_unlock(&demo->lock);
	kfree(bytes);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	return misc_register(&demo_misc);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
