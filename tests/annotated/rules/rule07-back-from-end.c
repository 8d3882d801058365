/* A pointer to the end of an array, and one to before its start, are moved back into it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

struct counts {
	long before;
	long array[8];
	long next[8];
	long more[8];
	long after;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct counts *counts = kzalloc(sizeof(*counts), GFP_KERNEL);

	if (!counts)
		return -ENOMEM;
	file->private_data = counts;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct counts *counts = file->private_data;
	long *end = counts->array + 8;
	long *start = counts->more - 1;

	mutex_lock(&a);
	end[-1 - (long)(arg & 7)] = 1; // RACE!
	start[1 + (arg & 7)] = 1; // RACE!
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct counts *counts = file->private_data;

	mutex_lock(&b);
	counts->array[3]++; // RACE!
	mutex_unlock(&b);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct counts *counts = file->private_data;

	mutex_lock(&b);
	counts->more[3]++; // RACE!
	counts->after++; // NORACE
	mutex_unlock(&b);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
	.write = demo_write,
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
