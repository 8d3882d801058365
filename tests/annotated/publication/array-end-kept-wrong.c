/* Where the array ends is kept, and the place before it is written. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int *end;
	int numbers[8];
	int others[8];
};

static struct demo *demo;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return demo->numbers[7]; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&demo->lock);
	demo->end[-1] = len; // RACE!
	mutex_unlock(&demo->lock);
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
	demo->end = demo->numbers + 8;
	return misc_register(&demo_misc);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
