/* A struct of the kernel is freed, and the own one, which the module makes, is not behind it. */
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct back {
	int level;
};

static DEFINE_MUTEX(lock);
static struct device *front;
static struct back *back;

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	front = inode->i_private;
	if (!back)
		WRITE_ONCE(back, kzalloc(sizeof(*back), GFP_KERNEL));
	file->private_data = back;
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	kfree(front); // NORACE
	front = NULL;
	mutex_unlock(&lock);
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	struct back *b = READ_ONCE(back);

	return b ? b->level : 0; // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.write = demo_write,
	.poll = demo_poll,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
