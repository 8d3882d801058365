/* What is freed is either an object of a known type, or comes out of an array that the kernel keeps. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/xarray.h>

struct front {
	int a;
};

struct back {
	int level;
};

static DEFINE_MUTEX(lock);
static DEFINE_XARRAY(xa);

static int demo_open(struct inode *inode, struct file *file)
{
	xa_store(&xa, 3, kzalloc(sizeof(struct back), GFP_KERNEL), GFP_KERNEL);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct front *front = kzalloc(sizeof(*front), GFP_KERNEL);
	void *either;

	if (front)
		front->a = n;
	mutex_lock(&lock);
	either = n > 3 ? (void *)front : xa_erase(&xa, n);
	kfree(either); // RACE!
	mutex_unlock(&lock);
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	struct back *back = xa_load(&xa, 3);

	return back ? back->level : 0; // RACE!
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
