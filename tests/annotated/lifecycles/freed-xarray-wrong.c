/* What is freed comes out of an array that the kernel keeps: it may be anything. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/xarray.h>

struct back {
	int x;
	int level;
};

static DEFINE_MUTEX(lock);

static DEFINE_XARRAY(xa);
static int demo_open(struct inode *inode, struct file *file)
{
	struct back *b = kzalloc(sizeof(*b), GFP_KERNEL);

	mutex_lock(&lock);
	xa_store(&xa, 3, b, GFP_KERNEL);
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	kfree(xa_erase(&xa, 3)); // RACE!
	mutex_unlock(&lock);
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	struct back *b;

	mutex_lock(&lock);
	b = xa_load(&xa, 3);
	mutex_unlock(&lock);
	return b ? b->level : 0; // RACE!
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
