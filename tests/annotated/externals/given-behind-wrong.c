/* Code outside gives back what lies behind what it is given. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct header {
	int length;
};

struct item {
	int m;
};

void *outside_behind(void *object);

static DEFINE_MUTEX(lock);
static struct header *header;
static struct item *item;

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	header = kzalloc(sizeof(*header) + sizeof(*item), GFP_KERNEL);
	item = outside_behind(header); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct header *here;

	mutex_lock(&lock);
	here = header;
	mutex_unlock(&lock);
	kfree(here); // RACE!
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	int m;

	mutex_lock(&lock);
	m = item->m; // RACE!
	mutex_unlock(&lock);
	return m;
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
