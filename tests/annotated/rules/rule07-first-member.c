/* What is inlined accesses the first member of a struct: only the variable that the pointer is stored to
 * says of which struct. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include "first-member.h"

struct other {
	struct mutex lock;
	int value;
};

static noinline void *find(struct file *file)
{
	return file->private_data;
}

/* Made from a number. */
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = (struct demo *)arg;

	spin_lock(&demo->lock);
	count(demo); // NORACE
	spin_unlock(&demo->lock);
	return 0;
}

/* Read from a member that does not say what it points to. */
static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	spin_lock(&demo->lock);
	count(demo); // NORACE
	spin_unlock(&demo->lock);
	return 0;
}

/* Returned by a function that does not say it either. */
static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = find(file);

	spin_lock(&demo->lock);
	count(demo); // NORACE
	spin_unlock(&demo->lock);
	return len;
}

/* Found from another member. */
static loff_t demo_llseek(struct file *file, loff_t offset, int whence)
{
	struct list_head *link = file->private_data;
	struct demo *demo = container_of(link, struct demo, link);

	spin_lock(&demo->lock);
	count(demo); // NORACE
	spin_unlock(&demo->lock);
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct other *other = inode->i_private;

	mutex_lock(&other->lock);
	other->value++; // NORACE
	mutex_unlock(&other->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
	.llseek = demo_llseek,
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
