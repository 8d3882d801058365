/* The address of the array waits among numbers, where it is found without a type. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct level {
	int now;
};

struct demo {
	int number;
	struct mutex lock;
	unsigned char text[32];
};

static struct demo *demo;
static DEFINE_MUTEX(level_lock);
static unsigned char area[64];
static DEFINE_IDR(demos);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct level *level = (struct level *)(area + len);

	mutex_lock(&level_lock);
	level->now = area[3];
	level = idr_find(&demos, len);
	if (level)
		level->now = len; // RACE!
	mutex_unlock(&level_lock);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&demo->lock);
	demo->text[2] = len; // RACE!
	mutex_unlock(&demo->lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	demo->number = idr_alloc(&demos, demo->text, 1, 9, GFP_KERNEL);
	return misc_register(&demo_misc);
}
module_init(demo_init);
