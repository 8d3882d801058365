/* The same loop, and the part itself is read. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

struct part {
	int kind;
	unsigned char text[28];
};

struct demo {
	struct mutex lock;
	int before;
	struct part part;
	int after;
};

static struct demo *demo;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return demo->part.kind; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	unsigned char *bytes = kmalloc(64, GFP_KERNEL);

	if (!bytes)
		return -ENOMEM;
	mutex_lock(&demo->lock);
	for (unsigned char *at = (unsigned char *)&demo->part; len > 8; at += 8, len -= 8)
		memcpy(at, bytes, 8); // RACE!
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
