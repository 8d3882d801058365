/* Who fills a part of a struct may go on to the next part. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/xarray.h>

struct part {
	int a;
};

struct node {
	int n;
};

struct outer {
	int x;
	struct part part;
	struct node node;
};

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(other_lock);
static DEFINE_XARRAY(parts);
static DEFINE_XARRAY(nodes);

static int demo_open(struct inode *inode, struct file *file)
{
	struct outer *outer = kzalloc(sizeof(*outer), GFP_KERNEL);

	if (!outer)
		return -ENOMEM;
	xa_store(&parts, 3, &outer->part, GFP_KERNEL);
	xa_store(&nodes, 3, &outer->node, GFP_KERNEL);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct part *part = xa_load(&parts, 3);

	mutex_lock(&other_lock);
	memset(part, 0, sizeof(struct outer) - offsetof(struct outer, part)); // RACE!
	mutex_unlock(&other_lock);
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	struct node *node = xa_load(&nodes, 3);
	int found;

	mutex_lock(&lock);
	found = node->n; // RACE!
	mutex_unlock(&lock);
	return found;
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
