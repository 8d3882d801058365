/* The tag that both structs begin with is read as that of one. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/xarray.h>

struct front {
	int type;
	int b;
};

struct back {
	int type;
	int level;
};

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(other_lock);
static DEFINE_XARRAY(xa);
static struct back *back;
static struct front *front;

static noinline void end(void *p, size_t n)
{
	if (((struct front *)p)->type == 1)
		((struct front *)p)->b = 0;
	else
		memset(p, 0, n); // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	if (!back)
		back = kzalloc(sizeof(*back), GFP_KERNEL);
	xa_store(&xa, 3, back, GFP_KERNEL);
	xa_store(&xa, 4, front, GFP_KERNEL);
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	void *p;

	mutex_lock(&lock);
	p = n > 4 ? (void *)front : (void *)back;
	mutex_unlock(&lock);
	mutex_lock(&other_lock);
	end(p, n);
	mutex_unlock(&other_lock);
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	int level;

	mutex_lock(&lock);
	level = back ? back->level : 0; // RACE!
	mutex_unlock(&lock);
	return level;
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
