/* Code outside gives the callback the number that it was given: it is the struct. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int a;
	int level;
};

void outside_call_later(void (*call)(unsigned long data), unsigned long data);

static DEFINE_MUTEX(lock);

static void demo_later(unsigned long data)
{
	int *numbers = (int *)data;

	numbers[1] = 0; // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	file->private_data = demo;
	outside_call_later(demo_later, (unsigned long)demo);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&lock);
	demo->level = n; // RACE!
	mutex_unlock(&lock);
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
