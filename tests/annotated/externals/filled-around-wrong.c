/* What is filled begins in front of what the pointer was declared to point to. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/xarray.h>

struct node {
	int n;
};

struct part {
	int level;
};

struct outer {
	struct part part;
	struct node node;
};

static DEFINE_MUTEX(lock);
static DEFINE_XARRAY(xa);
static DEFINE_XARRAY(parts);

static noinline void clear(struct node *node, size_t n)
{
	memset((char *)node - offsetof(struct outer, node), 0, n); // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct outer *outer = kzalloc(sizeof(*outer), GFP_KERNEL);

	if (!outer)
		return -ENOMEM;
	xa_store(&parts, 3, &outer->part, GFP_KERNEL);
	xa_store(&xa, 3, &outer->node, GFP_KERNEL);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct node *node = xa_load(&xa, 3);

	clear(node, n);
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	struct part *part = xa_load(&parts, 3);
	int level;

	mutex_lock(&lock);
	level = part->level; // RACE!
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
