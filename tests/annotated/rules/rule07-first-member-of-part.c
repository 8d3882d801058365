/* What is inlined accesses the first member of a struct that is a part of another. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include "first-member.h"

struct outer {
	struct mutex lock;
	struct demo demo;
};

static noinline void *find(struct inode *inode)
{
	return inode->i_private;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = (struct demo *)arg;

	spin_lock(&demo->lock);
	count(demo); // RACE!
	spin_unlock(&demo->lock);
	return 0;
}

static int demo_flush(struct file *file, void *id)
{
	struct demo *demo = find(file->f_inode);

	spin_lock(&demo->lock);
	count(demo); // RACE!
	spin_unlock(&demo->lock);
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct outer *outer = file->private_data;

	mutex_lock(&outer->lock);
	outer->demo.first++; // RACE!
	mutex_unlock(&outer->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.flush = demo_flush,
	.release = demo_release,
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
