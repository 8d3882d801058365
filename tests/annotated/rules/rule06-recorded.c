/* Members that own what they point to are assumed to be initialized, also where no access goes through them
 * that others may see. */
// assume: unique-owner: demo.read owns what it points to
// assume: unique-owner: demo.written owns what it points to
// assume: unique-owner: demo.outer owns what it points to
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct item {
	int values[4];
};

struct outer {
	struct item *item;
};

struct demo {
	struct item *read, *written;
	struct outer *outer;
	int value;
};

static DEFINE_MUTEX(lock);
static struct demo *demo;

/* Read before it is published, at a place that is not known; what happens depends on the value. */
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return -ENOMEM;
	mutex_lock(&lock);
	if (!item->values[arg & 3])
		demo->value++; // NORACE
	demo->read = item; // NORACE
	mutex_unlock(&lock);
	return 0;
}

/* Written before it is published. */
static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return -ENOMEM;
	item->values[0] = 1; // NORACE
	mutex_lock(&lock);
	demo->written = item; // NORACE
	mutex_unlock(&lock);
	return len;
}

/* What is accessed is held by what the member holds. */
static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct outer *outer = kzalloc(sizeof(*outer), GFP_KERNEL);
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!outer || !item)
		return -ENOMEM;
	outer->item = item; // NORACE
	mutex_lock(&lock);
	demo->outer = outer; // NORACE
	item->values[1] = 1; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	return demo ? misc_register(&demo_misc) : -ENOMEM;
}
module_init(demo_init);
