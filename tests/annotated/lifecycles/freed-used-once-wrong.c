/* One function frees objects of two types, and one of its branches uses them as one of the two. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/xarray.h>

struct front {
	int a;
	int b;
};

struct back {
	int level;
};

static DEFINE_MUTEX(lock);
static DEFINE_XARRAY(xa);
static struct back *back;
static struct front *front;

static noinline void end(int is_front, void *p)
{
	if (is_front)
		((struct front *)p)->b = 0;
	kfree(p); // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	back = kzalloc(sizeof(*back), GFP_KERNEL);
	xa_store(&xa, 3, back, GFP_KERNEL);
	xa_store(&xa, 4, front, GFP_KERNEL);
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	end(n > 4, n > 4 ? (void *)front : (void *)back);
	mutex_unlock(&lock);
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	struct back *here;

	mutex_lock(&lock);
	here = back;
	mutex_unlock(&lock);
	return here ? here->level : 0; // RACE!
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
